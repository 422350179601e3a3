/* Mass matrix of a group of states, stored as callers have it: the recursion of dynamics/reduced_columns.h. */
#ifndef ZI_BATCH_COLUMNS_H
#define ZI_BATCH_COLUMNS_H

#include "batch/unroll.h"

/* A symmetric matrix: entry (i, j) of a slot at i * down + j * along + slot * REAL_LANES. */
struct Matrix {
    lane *place;
    size_t down, along;
};

static inline Matrix in_scratch(real *M, size_t n) {
    return {(lane *)M, n * REAL_UNROLL * REAL_LANES, REAL_UNROLL * REAL_LANES};
}

/* Entries (i, j), i >= j, one after the other. */
struct Cursor {
    lane *here, *there; /* (i, j) and (j, i) */
};
static ZI_HOT Cursor cursor_at(const Matrix *M, int i, int j, int slot) {
    lane *place = M->place + (size_t)slot * REAL_LANES;
    return {place + (size_t)i * M->down + (size_t)j * M->along, place + (size_t)j * M->down + (size_t)i * M->along};
}
static ZI_HOT void put(const Matrix *, const Cursor *c, real x) {
    *(loose_lanes *)c->here = x.v;
    *(loose_lanes *)c->there = x.v;
}
static ZI_HOT void put_along(const Matrix *M, Cursor *c, real x) {
    put(M, c, x);
    c->here += M->along, c->there += M->down;
}
static ZI_HOT void go_down(const Matrix *M, Cursor *c) { c->here += M->down, c->there += M->along; }

/* Zeros in row i, columns from j to end - 1. */
static ZI_HOT void clear_row(const Matrix *M, int i, int j, int end) {
    lane *at = M->place + (size_t)i * M->down + (size_t)j * M->along;
    for (; j < end; j++, at += M->along)
        for (size_t k = 0; k < REAL_UNROLL; k++) *(loose_lanes *)(at + k * REAL_LANES) = lanes{};
}

/* Zeros between freedoms of different branches, row by row: columns beyond the subtree of a body, and before it those
 * that are not on its path to the root. */
static inline void clear_off_paths(const Placed *x, const Matrix *M) {
    const ziTree *t = x->tree;
    for (int i = 1; i < t->nb; i++) {
        const ziReducedStep *b = &x->step[i];
        for (int d = b->v; d < b->v + b->nv; d++) {
            for (int start = t->dof_start[d]; start > 0;) {
                const int on = t->dof_parent[start];
                clear_row(M, d, on + 1, start);
                start = on < 0 ? 0 : t->dof_start[on];
            }
            clear_row(M, d, b->v_end, t->nv);
        }
    }
}

namespace to_matrix {
using MassStore = Matrix;
using MassCursor = Cursor;
#include "dynamics/reduced_columns.h"
} // namespace to_matrix
static ZI_COLD void mass_columns(const Placed *x, ziScratch scratch, const Matrix *M) {
    to_matrix::mass_columns(x, scratch, M);
}

#endif
