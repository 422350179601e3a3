/* The scratch memory of a workspace: algorithms take arrays from it in order; leaving the function clears it. */
#ifndef ZI_WORK_SCRATCH_H
#define ZI_WORK_SCRATCH_H

#include <assert.h>
#include <stddef.h>

#include "zveno/work.h"

/* Bytes reserved per body, tree coordinate and link, and per constraint of a closed loop (twice). Kernels assert that
 * what they lay out fits. */
enum {
    ZI_SCRATCH_PER_BODY = 1024,
    ZI_SCRATCH_PER_COORDINATE = 512,
    ZI_SCRATCH_PER_LINK = 256,
    ZI_SCRATCH_FIXED = 16384
};
enum { ZI_SCRATCH_PER_CONSTRAINT = 1024 };
/* Up to so many coordinates there is also room for two square matrices (coupled: four). With closed loops of not more
 * than twice as many rows: for four more, two (rows x nv), two (rows x rows) and 64 vectors of either length. */
enum { ZI_SCRATCH_MATRIX_MAX = 2048 };

typedef struct ziScratch {
    unsigned char *next, *end;
} ziScratch;

struct zvWork {
    const zvModel *model;
    ziScratch scratch;
    void *block; /* on the heap; NULL: in the caller's memory */
};

/* The whole scratch memory of a workspace, which must have been made for this model. */
static inline ziScratch zi_scratch_of(const zvModel *model, const zvWork *work) {
    assert(model && work && work->model == model);
    (void)model;
    return work->scratch;
}

/* size bytes, aligned to 64; contents undefined. The scratch memory is passed by value: a callee's takings end with it.
 */
static inline void *zi_scratch_take(ziScratch *scratch, size_t size) {
    unsigned char *taken = scratch->next;
    scratch->next += (size + 63) / 64 * 64;
    assert(scratch->next <= scratch->end);
    return taken;
}

/* count things of a type: kernels take their arrays so, because their sources are compiled as C++ too (real/trace.h).
 */
#define zi_scratch_array(scratch, type, count) ((type *)zi_scratch_take((scratch), (size_t)(count) * sizeof(type)))

static inline double *zi_scratch_doubles(ziScratch *scratch, size_t count) {
    return (double *)zi_scratch_take(scratch, count * sizeof(double));
}

#endif
