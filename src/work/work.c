/* Workspace: one block, sized for every algorithm on its model. */
#include <stdint.h>
#include <stdlib.h>

#include "model/tree.h"
#include "work/scratch.h"

/* Matrices of elastic bodies, columns of elastic coordinates and of the sections that carry bodies. */
static size_t elastic_bytes(const ziTree *t) {
    size_t widest = (size_t)t->max_modes;
    return (8 * t->modes_squared + 64 * (size_t)t->ne + 32 * t->attachment_modes + 4 * widest * widest) *
           sizeof(double);
}

/* The closed sweep twice over: its fronts, what the freedoms keep of them, the ground's system and states of
 * constraints. Where matrices have room (ZI_SCRATCH_MATRIX_MAX), also the dense ones of loops. */
static size_t closed_bytes(const ziTree *t) {
    const ziClosedTree *c = t->closed;
    if (!c) return 0;
    size_t rows = (size_t)c->rows, nv = (size_t)t->nv, constraints = (size_t)c->constraints;
    size_t sweep = c->room + c->e_at[t->nb] + c->ground.at[c->ground.blocks] + 64 * rows;
    size_t bytes = 2 * (sweep * sizeof(double) + constraints * ZI_SCRATCH_PER_CONSTRAINT);
    if (nv > ZI_SCRATCH_MATRIX_MAX || rows > 2 * ZI_SCRATCH_MATRIX_MAX) return bytes;
    size_t dense = 4 * nv * nv + 2 * rows * nv + 2 * rows * rows + 64 * (rows + nv);
    return bytes + dense * sizeof(double) + 256 * 64; /* 256 takings, rounded up */
}

static size_t scratch_bytes(const zvModel *m) {
    size_t nc = (size_t)(m->tree.nq + m->tree.nv), ns = (size_t)m->tree.ns; /* sections count as bodies and as links */
    size_t bytes = ZI_SCRATCH_FIXED + ((size_t)m->tree.nb + ns) * ZI_SCRATCH_PER_BODY + nc * ZI_SCRATCH_PER_COORDINATE +
                   ((size_t)m->nlink + ns) * ZI_SCRATCH_PER_LINK + elastic_bytes(&m->tree) + closed_bytes(&m->tree);
    bytes += (size_t)m->coupling.count * (size_t)m->coupling.count * sizeof(double); /* gaps of coupled joints */
    if (m->tree.nv <= ZI_SCRATCH_MATRIX_MAX) bytes += 2 * (size_t)m->tree.nv * (size_t)m->tree.nv * sizeof(double);
    return bytes;
}

zvWork *zv_work_create(const zvModel *model, zvError *error) {
    size_t bytes = scratch_bytes(model);
    zvWork *work = malloc(sizeof *work);
    void *block = malloc(bytes + 64);
    if (!work || !block) {
        free(work);
        free(block);
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: a workspace for this model takes %zu bytes", bytes);
        return NULL;
    }
    uintptr_t start = ((uintptr_t)block + 63) / 64 * 64;
    *work = (zvWork){.model = model, .block = block};
    work->scratch.next = (unsigned char *)start;
    work->scratch.end = work->scratch.next + bytes;
    return work;
}

void zv_work_destroy(zvWork *work) {
    if (!work) return;
    free(work->block);
    free(work);
}
