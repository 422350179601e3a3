/* The desk of a workspace: algorithms take arrays from it in order; leaving the function clears it. */
#ifndef ZV_WORK_DESK_H
#define ZV_WORK_DESK_H

#include <assert.h>
#include <stddef.h>

#include "zveno/work.h"

/* Bytes reserved per body, tree coordinate and link, and per tie of a closed loop (twice). Kernels assert that what
 * they lay out fits. */
enum { ZV_DESK_PER_BODY = 1024, ZV_DESK_PER_COORDINATE = 512, ZV_DESK_PER_LINK = 256, ZV_DESK_FIXED = 16384 };
enum { ZV_DESK_PER_TIE = 1024 };
/* Up to so many coordinates there is also room for two square matrices. With closed loops of not more than twice as
 * many rows there is room for four more of them, two (rows x nv), two (rows x rows) and 64 vectors of either length. */
enum { ZV_DESK_MATRIX_MAX = 2048 };

typedef struct zvDesk {
    unsigned char *next, *end;
} zvDesk;

struct zvWork {
    const zvModel *model;
    zvDesk desk;
    void *block;
};

/* The whole desk of a workspace, which must have been made for this model. */
static inline zvDesk zv_desk_of(const zvModel *model, const zvWork *work) {
    assert(work->model == model);
    (void)model;
    return work->desk;
}

/* size bytes, aligned to 64; contents undefined. The desk is passed by value: a callee's takings end with it. */
static inline void *zv_desk_take(zvDesk *desk, size_t size) {
    unsigned char *taken = desk->next;
    desk->next += (size + 63) / 64 * 64;
    assert(desk->next <= desk->end);
    return taken;
}

/* count things of a type: kernels take their arrays so, because their texts are read as C++ too (real/trace.h). */
#define zv_desk_array(desk, type, count) ((type *)zv_desk_take((desk), (size_t)(count) * sizeof(type)))

static inline double *zv_desk_doubles(zvDesk *desk, size_t count) {
    return (double *)zv_desk_take(desk, count * sizeof(double));
}

#endif
