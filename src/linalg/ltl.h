/* Factorisation M = L^T L of a symmetric positive matrix that keeps the zeros of a tree: row i of L is nonzero only
 * at i and at its ancestors (parent[i] < i, -1 ends a path). With parent[i] = i - 1 it is dense Cholesky from below.
 * Matrices are (n x n) row-major; only the lower triangle is read. Featherstone, Rigid Body Dynamics Algorithms, 6.5.
 */
#ifndef ZI_LINALG_LTL_H
#define ZI_LINALG_LTL_H

#include <math.h>
#include <stddef.h>

#include "real/real.h"

/* A pivot so much smaller than the diagonal entry it came from is rounding. */
#define LTL_PIVOT_FLOOR 1e-14

/* L over the lower triangle of A; its diagonal holds the inverses of L's. scratch is (n).
 * Returns 0 when A is not positive definite to rounding. */
static inline real_ok ltl_factor(int n, const int *parent, real *A, real *scratch) {
    real_ok positive = 1;
    for (int k = 0; k < n && REAL_JUDGES; k++) scratch[k] = LTL_PIVOT_FLOOR * A[(size_t)k * (size_t)n + (size_t)k];
    for (int k = n - 1; k >= 0; k--) {
        real *row = A + (size_t)k * (size_t)n;
        positive &= real_exceeds(row[k], scratch[k]);
        real inverse = 1 / sqrt(row[k]);
        row[k] = inverse;
        for (int i = parent[k]; i >= 0; i = parent[i]) row[i] *= inverse;
        for (int i = parent[k]; i >= 0;
             i = parent[i]) { /* entries of row outside the path are zero: no need to step over them */
            real *restrict up = A + (size_t)i * (size_t)n;
            const real f = row[i];
            for (int j = 0; j <= i; j++) up[j] -= f * row[j];
        }
    }
    return positive;
}

/* x := M^-1 x */
static inline void ltl_solve(int n, const int *parent, const real *L, real *x) {
    for (int i = n - 1; i >= 0; i--) { /* L^T y = x */
        const real *row = L + (size_t)i * (size_t)n;
        x[i] *= row[i];
        for (int j = parent[i]; j >= 0; j = parent[j]) x[j] -= row[j] * x[i];
    }
    for (int i = 0; i < n; i++) { /* L z = y */
        const real *row = L + (size_t)i * (size_t)n;
        for (int j = parent[i]; j >= 0; j = parent[j]) x[i] -= row[j] * x[j];
        x[i] *= row[i];
    }
}

/* L := L^-1 in the lower triangle, its transpose in the upper one. */
static inline void ltl_invert_factor(int n, const int *parent, real *L, real *restrict scratch) {
    for (int i = 0; i < n; i++) {
        real *row = L + (size_t)i * (size_t)n;
        for (int j = 0; j < i; j++) scratch[j] = 0;
        for (int k = parent[i]; k >= 0; k = parent[k]) { /* row i of L^-1 = -sum L_ik (row k of L^-1) / L_ii */
            const real *up = L + (size_t)k * (size_t)n;
            const real f = -row[k] * row[i];
            for (int j = 0; j <= k; j++) scratch[j] += f * up[j];
        }
        for (int j = 0; j < i; j++) L[(size_t)j * (size_t)n + (size_t)i] = row[j] = scratch[j];
    }
}

/* M^-1 = L^-1 L^-T over the whole of L, from ltl_factor. Entries of L outside the tree must be zero. scratch is (n). */
static inline void ltl_inverse(int n, const int *parent, real *L, real *restrict scratch) {
    ltl_invert_factor(n, parent, L, scratch);
    for (int i = n - 1; i >= 0; i--) { /* row i from the diagonal on; the rows above it are still L^-T */
        real *row = L + (size_t)i * (size_t)n;
        for (int j = i; j < n; j++) scratch[j] = 0;
        for (int k = i; k >= 0; k = parent[k]) {
            const real *column = L + (size_t)k * (size_t)n;
            const real f = row[k];
            for (int j = i; j < n; j++) scratch[j] += f * column[j];
        }
        for (int j = i; j < n; j++) row[j] = scratch[j];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) L[(size_t)i * (size_t)n + (size_t)j] = L[(size_t)j * (size_t)n + (size_t)i];
    }
}

#endif
