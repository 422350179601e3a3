/* M = L^T D L without square roots, of symmetric positive matrices with the zeros of a tree: row i has entries only at
 * the dofs on its path to the root (Featherstone, Rigid Body Dynamics Algorithms, 6.5; theory (19.11)-(19.13)); without
 * a tree it is dense. For every scalar; matrices are n x n x REAL_UNROLL, of which the lower triangles are read;
 * entries off the paths are zero. Square roots would cost a quarter more: L^T L took 137 ns for factors and solution of
 * 6 dofs, this takes 101 ns (30 dofs, AVX2: 3131 and 2271 ns).
 *
 * Two other layouts have factors of their own, which share `unrolled` and the pivot floor:
 *   batch/rows.h      lanes: rows hold nothing but their paths, two dofs leave them at once; figures there
 *   derive/factors.h  derivatives: rows by groups in register tiles. For factors and L^-1 tiles take 105, 1035 and 669
 *                     ns, this file 171, 3624 and 1834 ns (AVX2; chains of 7 and 30 dofs, 30 dofs in legs of 6). But
 *                     tiles need the groups of a tree first, and numbers that a register holds several of. */
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

/* -- inverse: short, by dot products ------------------------------------------------------------------------------ */

/* Row i of L^-1, without its diagonal of ones, from the rows before it; x is (n). */
static ZI_HOT void ltdl_invert_row(ltdlPaths w, int i, real *L, unrolled *x) {
    unrolled *row = ltdl_row(L, w.n, i);
    LTDL_ALONG(w, j, ltdl_parent(w, i)) for (int c = 0; c < REAL_UNROLL; c++) x[j].x[c] = -row[j].x[c];
    for (int k = ltdl_parent(w, i); k >= 0; k = ltdl_parent(w, k)) {
        const unrolled l = row[k], *up = ltdl_row(L, w.n, k);
        LTDL_ALONG(w, j, ltdl_parent(w, k)) ltdl_take(&x[j], l, up[j]);
    }
    LTDL_ALONG(w, j, ltdl_parent(w, i)) row[j] = x[j];
}

/* The lower triangle of M^-1 over that of L: with Y = L^-1 it is Y D^-1 Y^T, whose entry (i, k) is a sum over the path
 * of k. From the last row inward: those before it are still Y. least is (n x REAL_UNROLL). */
static inline void ltdl_invert(ltdlPaths w, real *L, real *least) {
    const int n = w.n;
    unrolled *x = (unrolled *)least;
    for (int i = 0; i < n; i++) ltdl_invert_row(w, i, L, x);
    for (int i = n - 1; i >= 0; i--) {
        unrolled *row = ltdl_row(L, n, i), own = row[i];
        for (int j = 0; j < i; j++) { /* zero off the path */
            for (int c = 0; c < REAL_UNROLL; c++) {
                x[j].x[c] = row[j].x[c] * ltdl_row(L, n, j)[j].x[c];
                own.x[c] = own.x[c] + row[j].x[c] * x[j].x[c];
            }
        }
        row[i] = own;
        for (int k = 0; k < i; k++) {
            unrolled sum = x[k];
            const unrolled *up = ltdl_row(L, n, k);
            LTDL_ALONG(w, j, ltdl_parent(w, k))
            for (int c = 0; c < REAL_UNROLL; c++) sum.x[c] = sum.x[c] + x[j].x[c] * up[j].x[c];
            row[k] = sum;
        }
    }
}

#if REAL_UNROLL == 1
/* -- inverse: long, by multiples of whole rows, which registers of several numbers are for ------------------------ */

/* L := Y = L^-1 in the lower triangle, its transpose in the upper one; the diagonal stays 1 / D. x is (n). */
static inline void ltdl_invert_rows(ltdlPaths w, real *L, real *restrict x) {
    const int n = w.n;
    for (int i = 0; i < n; i++) {
        real *row = L + (size_t)i * (size_t)n;
        for (int j = 0; j < i; j++) x[j] = 0;
        for (int k = ltdl_parent(w, i); k >= 0; k = ltdl_parent(w, k)) { /* row i of Y = -sum L_ik (row k of Y) */
            const real *up = L + (size_t)k * (size_t)n;
            const real f = -row[k];
            for (int j = 0; j < k; j++) x[j] += f * up[j];
            x[k] += f;
        }
        for (int j = 0; j < i; j++) L[(size_t)j * (size_t)n + (size_t)i] = row[j] = x[j];
    }
}

/* All of M^-1 = Y D^-1 Y^T over L. Entries of L outside the tree must be zero. x is (n). */
static inline void ltdl_invert_long(ltdlPaths w, real *L, real *restrict x) {
    const int n = w.n;
    ltdl_invert_rows(w, L, x);
    for (int i = n - 1; i >= 0; i--) { /* row i from the diagonal on; the rows above it are still Y^T */
        real *row = L + (size_t)i * (size_t)n;
        const real own = row[i];
        x[i] = own;
        for (int j = i + 1; j < n; j++) x[j] = own * row[j];
        for (int k = ltdl_parent(w, i); k >= 0; k = ltdl_parent(w, k)) {
            const real *column = L + (size_t)k * (size_t)n;
            const real f = row[k] * column[k];
            for (int j = i; j < n; j++) x[j] += f * column[j];
        }
        for (int j = i; j < n; j++) row[j] = x[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) L[(size_t)i * (size_t)n + (size_t)j] = L[(size_t)j * (size_t)n + (size_t)i];
}
#endif

#endif
