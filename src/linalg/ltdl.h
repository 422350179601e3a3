/* M = L^T D L without square roots, of symmetric positive matrices with the zeros of a tree: row i has entries only at
 * the dofs on its path to the root (Featherstone, Rigid Body Dynamics Algorithms, 6.5; theory (19.11)-(19.13)); without
 * a tree it is dense. For every scalar; matrices are n x n x REAL_UNROLL, of which the lower triangles are read;
 * entries off the paths are zero. Square roots would cost a quarter more: L^T L took 137 ns for factors and solution of
 * 6 dofs, this takes 101 ns (30 dofs, AVX2: 3131 and 2271 ns).
 *
 * Two other layouts have factors of their own, which share `unrolled` and the pivot floor:
 *   batch/rows.h      lanes: rows hold nothing but their paths, two dofs leave them at once; figures there
 *   dynamics/factors.h  M^-1 and derivatives: rows by groups in register tiles. Factors and L^-1 took 105, 1035 and 669
 *                     ns, those of this file 171, 3624 and 1834 ns (AVX2; chains of 7 and 30 dofs, 30 dofs in legs of
 *                     6). But tiles need the groups of a tree first, and numbers that a register holds several of. */
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

/* A number of all states of an entry. */
typedef struct unrolled {
    real x[REAL_UNROLL];
} unrolled;

/* The dofs on the path from one of them to the root: parent of each (-1: none), and start, where the run of numbers
 * begins in which each one's parent is the number before it. parent NULL: that of i is i - 1, for dense matrices; start
 * NULL: rows are taken whole. */
typedef struct ltdlPaths {
    int n;
    const int *parent, *start;
} ltdlPaths;

static inline ltdlPaths ltdl_dense(int n) {
    const ltdlPaths w = {n, NULL, NULL};
    return w;
}
static ZI_HOT int ltdl_parent(ltdlPaths w, int i) { return w.parent ? w.parent[i] : i - 1; }
static ZI_HOT int ltdl_start(ltdlPaths w, int i) { return w.start ? w.start[i] : 0; }

/* For all j on the path from `from`, itself included, run by run. */
#define LTDL_ALONG(w, j, from)                                                                  \
    for (int last_ = (from); last_ >= 0; last_ = (w).start ? (w).parent[(w).start[last_]] : -1) \
        for (int j = ltdl_start(w, last_); j <= last_; j++)

static ZI_HOT unrolled *ltdl_row(real *A, int n, int i) { return (unrolled *)A + (size_t)i * (size_t)n; }

/* y -= l x */
static ZI_HOT void ltdl_take(unrolled *y, unrolled l, unrolled x) {
    for (int c = 0; c < REAL_UNROLL; c++) y->x[c] = y->x[c] - l.x[c] * x.x[c];
}

/* Keeps what pivots are compared with, before anything is eliminated. */
static ZI_HOT void ltdl_floors(ltdlPaths w, real *A, real *least) {
    for (int k = 0; k < w.n && REAL_CHECKS_PIVOTS; k++)
        for (int c = 0; c < REAL_UNROLL; c++)
            least[k * REAL_UNROLL + c] = LTDL_PIVOT_FLOOR * ltdl_row(A, w.n, k)[k].x[c];
}

/* L over the lower triangle of A, 1 / D over its diagonal. ok (REAL_UNROLL) &= whether pivots are positive to rounding;
 * least is (n x REAL_UNROLL) and receives the pivots. */
static inline void ltdl_factor(ltdlPaths w, real *A, real *least, real_ok *ok) {
    const int n = w.n;
    ltdl_floors(w, A, least);
    for (int k = n - 1; k >= 0; k--) {
        unrolled *row = ltdl_row(A, n, k), inverse;
        for (int c = 0; c < REAL_UNROLL; c++) {
            ok[c] &= real_exceeds(row[k].x[c], least[k * REAL_UNROLL + c]);
            least[k * REAL_UNROLL + c] = row[k].x[c];
            inverse.x[c] = 1 / row[k].x[c];
        }
        for (int i = ltdl_parent(w, k); i >= 0; i = ltdl_parent(w, i)) {
            unrolled *restrict up = ltdl_row(A, n, i), l;
            for (int c = 0; c < REAL_UNROLL; c++) l.x[c] = row[i].x[c] * inverse.x[c];
            LTDL_ALONG(w, j, i) ltdl_take(&up[j], l, row[j]);
            row[i] = l;
        }
        row[k] = inverse;
    }
}

/* x := M^-1 x, (19.12), up to dof `last`, which is the last that x has entries for or answers are wanted of. */
static inline void ltdl_solve_to(ltdlPaths w, int last, const real *factors, real *numbers) {
    real *L = (real *)factors;
    unrolled *x = (unrolled *)numbers;
    for (int i = last; i >= 0; i--) {
        const unrolled *row = ltdl_row(L, w.n, i), own = x[i];
        LTDL_ALONG(w, j, ltdl_parent(w, i)) ltdl_take(&x[j], own, row[j]);
    }
    for (int i = 0; i <= last; i++) {
        const unrolled *row = ltdl_row(L, w.n, i);
        unrolled sum;
        for (int c = 0; c < REAL_UNROLL; c++) sum.x[c] = x[i].x[c] * row[i].x[c];
        LTDL_ALONG(w, j, ltdl_parent(w, i)) ltdl_take(&sum, row[j], x[j]);
        x[i] = sum;
    }
}
static inline void ltdl_solve(ltdlPaths w, const real *L, real *x) { ltdl_solve_to(w, w.n - 1, L, x); }

#endif
