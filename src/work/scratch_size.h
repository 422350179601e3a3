/* How much scratch memory parts of algorithms take. */
#ifndef ZI_WORK_SCRATCH_SIZE_H
#define ZI_WORK_SCRATCH_SIZE_H

#include "model/tree.h"
#include "work/scratch.h"

/* Matrices of elastic bodies, columns of elastic coordinates and of the sections that carry bodies. */
static inline size_t zi_elastic_bytes(const ziTree *t) {
    const size_t widest = (size_t)t->max_modes;
    return (8 * t->modes_squared + 64 * (size_t)t->ne + 32 * t->attachment_modes + 4 * widest * widest) *
           sizeof(double);
}

/* Of a number with slopes (derive/jet.h), which asserts it. */
enum { ZI_SLOPES_DOUBLES = 12 };

/* A recursion on numbers with slopes, and a state of such numbers. */
static inline size_t zi_slopes_bytes(const ziTree *t) {
    const size_t rows = (size_t)(t->nb + t->ns), coordinates = (size_t)(t->nq + t->nv);
    const size_t plain = (rows + 1) * 2 * ZI_SCRATCH_PER_BODY + (coordinates + 1) * ZI_SCRATCH_PER_COORDINATE +
                         ZI_SCRATCH_FIXED + zi_elastic_bytes(t);
    return ZI_SLOPES_DOUBLES * ((plain + 63) / 64 * 64);
}

#endif
