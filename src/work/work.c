/* Workspaces: one block, sized for every algorithm on its model, on the heap or where the caller wants it. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/require.h"
#include "model/tree.h"
#include "work/scratch_size.h"

/* The closed sweep twice over: its fronts, what the freedoms keep of them, the ground's system and states of
 * constraints. Where matrices fit (ZI_SCRATCH_MATRIX_MAX), also the dense ones of loops. */
static size_t closed_bytes(const ziTree *t) {
    const ziClosedTree *c = t->closed;
    if (!c) return 0;
    size_t rows = (size_t)c->rows, nv = (size_t)t->nv, constraints = (size_t)c->constraints;
    size_t sweep = c->front_doubles + c->e_at[t->nb] + c->ground.at[c->ground.blocks] + 64 * rows;
    size_t bytes = 2 * (sweep * sizeof(double) + constraints * ZI_SCRATCH_PER_CONSTRAINT);
    if (nv > ZI_SCRATCH_MATRIX_MAX || rows > 2 * ZI_SCRATCH_MATRIX_MAX) return bytes;
    size_t dense = 4 * nv * nv + 2 * rows * nv + 2 * rows * rows + 64 * (rows + nv);
    return bytes + dense * sizeof(double) + 256 * 64; /* 256 takings, rounded up */
}

/* What the longest of all algorithms takes at once, a multiple of 64. */
static size_t scratch_bytes(const zvModel *m) {
    size_t nc = (size_t)(m->tree.nq + m->tree.nv), ns = (size_t)m->tree.ns; /* sections count as bodies and as links */
    size_t bytes = ZI_SCRATCH_FIXED + ((size_t)m->tree.nb + ns) * ZI_SCRATCH_PER_BODY + nc * ZI_SCRATCH_PER_COORDINATE +
                   ((size_t)m->nlink + ns) * ZI_SCRATCH_PER_LINK + zi_elastic_bytes(&m->tree) + closed_bytes(&m->tree);
    bytes += (size_t)m->coupling.count * (size_t)m->coupling.count * sizeof(double); /* gaps of coupled joints */
    const size_t square = (size_t)m->tree.nv * (size_t)m->tree.nv, squares = m->coupling.count ? 4 : 2;
    if (m->tree.nv <= ZI_SCRATCH_MATRIX_MAX) bytes += squares * square * sizeof(double);
    if (m->tree.ne > 0) bytes += zi_slopes_bytes(&m->tree);
    return (bytes + 63) / 64 * 64;
}

/* The workspace itself comes first in its block, the scratch memory behind it. */
enum { HEAD = (sizeof(zvWork) + 63) / 64 * 64 };

size_t zv_work_size(const zvModel *model) {
    ZI_REQUIRE(model);
    return HEAD + scratch_bytes(model);
}

/* A workspace in an aligned block of the right size. */
static zvWork *lay_work(const zvModel *model, unsigned char *block) {
    zvWork *work = (zvWork *)(void *)block;
    *work = (zvWork){.model = model, .scratch = {block + HEAD, block + zv_work_size(model)}};
    return work;
}

zvStatus zv_work_init(void *memory, size_t size, const zvModel *model, zvWork **work, zvError *error) {
    ZI_REQUIRE(memory && model && work);
    *work = NULL;
    const zvStatus status = zi_memory_fits(memory, size, zv_work_size(model), "a workspace for this model", error);
    if (status >= 0) *work = lay_work(model, memory);
    return status;
}

/* One allocation: the block is longer than needed, since malloc does not align so far. */
zvWork *zv_work_create(const zvModel *model, zvError *error) {
    ZI_REQUIRE(model);
    const size_t bytes = zv_work_size(model);
    void *block = malloc(bytes + 64);
    if (!block) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: a workspace for this model takes %zu bytes", bytes);
        return NULL;
    }
    zvWork *work = lay_work(model, (unsigned char *)block + (64 - (uintptr_t)block % 64) % 64);
    work->block = block;
    return work;
}

void zv_work_destroy(zvWork *work) {
    if (work) free(work->block); /* NULL: the caller's memory */
}
