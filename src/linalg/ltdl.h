/* M = L^T D L without square roots, of symmetric positive matrices with the zeros of a tree: row i has entries only at
 * the freedoms on its way to the root (Featherstone, Rigid Body Dynamics Algorithms, 6.5; theory (19.11)-(19.13)). For
 * small matrices of one state, where square roots would be most of the time; lanes keep rows instead (batch/rows.h).
 * Matrices are n x n x REAL_UNROLL, of which the lower triangles are looked at; entries off the ways are zero. */
#ifndef ZI_LINALG_LTDL_H
#define ZI_LINALG_LTDL_H

#include <stddef.h>

#include "real/real.h"

/* A pivot so much smaller than the diagonal entry it came from is rounding. */
#ifdef ZI_SINGLE
#define LTDL_PIVOT_FLOOR 1e-6
#else
#define LTDL_PIVOT_FLOOR 1e-14
#endif

/* A number of all sides. */
typedef struct unrolled {
    real x[REAL_UNROLL];
} unrolled;

/* The freedoms on the way from one of them to the root: parent of each (-1: none), and start, where the run of numbers
 * begins in which each one's parent is the number before it. */
typedef struct ltdlPaths {
    int n;
    const int *parent, *start;
} ltdlPaths;

/* For all j on the way from `from`, itself included, run by run. */
#define LTDL_ALONG(w, j, from)                                                 \
    for (int last_ = (from); last_ >= 0; last_ = (w).parent[(w).start[last_]]) \
        for (int j = (w).start[last_]; j <= last_; j++)

static ZI_HOT unrolled *ltdl_row(unrolled *A, int n, int i) { return A + (size_t)i * (size_t)n; }

/* y -= l x */
static ZI_HOT void ltdl_take(unrolled *y, unrolled l, unrolled x) {
    for (int c = 0; c < REAL_UNROLL; c++) y->x[c] = y->x[c] - l.x[c] * x.x[c];
}

/* L over the lower triangle of A, 1 / D over its diagonal. sound (REAL_UNROLL) is told of pivots; least is (n). */
static inline void ltdl_factor(ltdlPaths w, unrolled *A, unrolled *least, real_ok *ok) {
    const int n = w.n;
    for (int k = 0; k < n && REAL_JUDGES; k++)
        for (int c = 0; c < REAL_UNROLL; c++) least[k].x[c] = LTDL_PIVOT_FLOOR * ltdl_row(A, n, k)[k].x[c];
    for (int k = n - 1; k >= 0; k--) {
        unrolled *row = ltdl_row(A, n, k), inverse;
        for (int c = 0; c < REAL_UNROLL; c++) {
            ok[c] &= real_exceeds(row[k].x[c], least[k].x[c]);
            inverse.x[c] = 1 / row[k].x[c];
        }
        for (int i = w.parent[k]; i >= 0; i = w.parent[i]) {
            unrolled *up = ltdl_row(A, n, i), l;
            for (int c = 0; c < REAL_UNROLL; c++) l.x[c] = row[i].x[c] * inverse.x[c];
            LTDL_ALONG(w, j, i) ltdl_take(&up[j], l, row[j]);
            row[i] = l;
        }
        row[k] = inverse;
    }
}

/* x := M^-1 x, (19.12) */
static inline void ltdl_solve(ltdlPaths w, unrolled *L, unrolled *x) {
    for (int i = w.n - 1; i >= 0; i--) {
        const unrolled *row = ltdl_row(L, w.n, i), own = x[i];
        LTDL_ALONG(w, j, w.parent[i]) ltdl_take(&x[j], own, row[j]);
    }
    for (int i = 0; i < w.n; i++) {
        const unrolled *row = ltdl_row(L, w.n, i);
        unrolled sum;
        for (int c = 0; c < REAL_UNROLL; c++) sum.x[c] = x[i].x[c] * row[i].x[c];
        LTDL_ALONG(w, j, w.parent[i]) ltdl_take(&sum, row[j], x[j]);
        x[i] = sum;
    }
}

/* Row i of L^-1, without its diagonal of ones, from the rows before it; x is (n). */
static ZI_HOT void ltdl_invert_row(ltdlPaths w, int i, unrolled *L, unrolled *x) {
    unrolled *row = ltdl_row(L, w.n, i);
    LTDL_ALONG(w, j, w.parent[i]) for (int c = 0; c < REAL_UNROLL; c++) x[j].x[c] = -row[j].x[c];
    for (int k = w.parent[i]; k >= 0; k = w.parent[k]) {
        const unrolled l = row[k], *up = ltdl_row(L, w.n, k);
        LTDL_ALONG(w, j, w.parent[k]) ltdl_take(&x[j], l, up[j]);
    }
    LTDL_ALONG(w, j, w.parent[i]) row[j] = x[j];
}

/* The lower triangle of M^-1 over that of L: with Y = L^-1 it is Y D^-1 Y^T, whose entry (i, k) is a sum over the way
 * of k. From the last row inward: those before it are still Y. x is (n). */
static inline void ltdl_invert(ltdlPaths w, unrolled *L, unrolled *x) {
    const int n = w.n;
    for (int i = 0; i < n; i++) ltdl_invert_row(w, i, L, x);
    for (int i = n - 1; i >= 0; i--) {
        unrolled *row = ltdl_row(L, n, i), own = row[i];
        for (int j = 0; j < i; j++) { /* zero off the way */
            for (int c = 0; c < REAL_UNROLL; c++) {
                x[j].x[c] = row[j].x[c] * ltdl_row(L, n, j)[j].x[c];
                own.x[c] = own.x[c] + row[j].x[c] * x[j].x[c];
            }
        }
        row[i] = own;
        for (int k = 0; k < i; k++) {
            unrolled sum = x[k];
            const unrolled *up = ltdl_row(L, n, k);
            LTDL_ALONG(w, j, w.parent[k])
            for (int c = 0; c < REAL_UNROLL; c++) sum.x[c] = sum.x[c] + x[j].x[c] * up[j].x[c];
            row[k] = sum;
        }
    }
}

#endif
