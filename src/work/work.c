/* Workspace: one block, sized for every algorithm on its model. */
#include <stdint.h>
#include <stdlib.h>

#include "model/tree.h"
#include "work/desk.h"

/* Matrices of elastic bodies, columns of elastic coordinates and of the sections that carry bodies. */
static size_t elastic_bytes(const zvTree *t) {
    size_t widest = (size_t)t->max_modes;
    return (8 * t->modes_squared + 64 * (size_t)t->ne + 32 * t->station_modes + 4 * widest * widest) * sizeof(double);
}

static size_t desk_bytes(const zvModel *m) {
    size_t nc = (size_t)(m->tree.nq + m->tree.nv), ns = (size_t)m->tree.ns; /* sections count as bodies and as links */
    size_t bytes = ZV_DESK_FIXED + ((size_t)m->tree.nb + ns) * ZV_DESK_PER_BODY + nc * ZV_DESK_PER_COORDINATE +
                   ((size_t)m->nlink + ns) * ZV_DESK_PER_LINK + elastic_bytes(&m->tree);
    bytes += (size_t)m->coupling.count * (size_t)m->coupling.count * sizeof(double); /* gaps of coupled joints */
    if (m->tree.nv <= ZV_DESK_MATRIX_MAX) bytes += 2 * (size_t)m->tree.nv * (size_t)m->tree.nv * sizeof(double);
    return bytes;
}

zvWork *zv_work_create(const zvModel *model, zvError *error) {
    size_t bytes = desk_bytes(model);
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
    work->desk.next = (unsigned char *)start;
    work->desk.end = work->desk.next + bytes;
    return work;
}

void zv_work_destroy(zvWork *work) {
    if (!work) return;
    free(work->block);
    free(work);
}
