/* Cholesky with diagonal pivoting for matrices of at most six rows: A[order][order] = L L^T.
 * Matrices are (n x n) row-major and symmetric, both triangles filled. */
#ifndef ZI_LINALG_CHOLESKY_H
#define ZI_LINALG_CHOLESKY_H

#include <math.h>

#include "real/real.h"

enum { CHOLESKY_MAX = 6 };

/* Rows and columns i and j of A change places. */
static inline void cholesky_swap(int n, real *A, int i, int j) {
    for (int k = 0; k < n; k++) {
        real t = A[i * n + k];
        A[i * n + k] = A[j * n + k];
        A[j * n + k] = t;
    }
    for (int k = 0; k < n; k++) {
        real t = A[k * n + i];
        A[k * n + i] = A[k * n + j];
        A[k * n + j] = t;
    }
}

/* L over the lower triangle of A; order is (n). Returns the number of pivots greater than floor: with less than n of
 * them A is not positive definite to that floor (or not a number) and must not be solved with. */
static inline int cholesky_factor(int n, real *A, int *order, double floor) {
    for (int k = 0; k < n; k++) order[k] = k;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (A[i * n + i] > A[best * n + best]) best = i;
        }
        if (!(A[best * n + best] > floor)) return k;
        cholesky_swap(n, A, k, best);
        int row = order[k];
        order[k] = order[best];
        order[best] = row;
        real pivot = sqrt(A[k * n + k]);
        A[k * n + k] = pivot;
        for (int i = k + 1; i < n; i++) A[i * n + k] /= pivot;
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < n; j++) A[i * n + j] -= A[i * n + k] * A[j * n + k];
        }
    }
    return n;
}

/* x := A^-1 x */
static inline void cholesky_solve(int n, const real *L, const int *order, real *x) {
    real y[CHOLESKY_MAX];
    for (int i = 0; i < n; i++) {
        y[i] = x[order[i]];
        for (int j = 0; j < i; j++) y[i] -= L[i * n + j] * y[j];
        y[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) y[i] -= L[j * n + i] * y[j];
        y[i] /= L[i * n + i];
    }
    for (int i = 0; i < n; i++) x[order[i]] = y[i];
}

/* A^-1, symmetric to the last digit. */
static inline void cholesky_inverse(int n, const real *L, const int *order, real *inverse) {
    for (int k = 0; k < n; k++) {
        real x[CHOLESKY_MAX] = {0};
        x[k] = 1;
        cholesky_solve(n, L, order, x);
        for (int i = 0; i < n; i++) inverse[k * n + i] = x[i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            inverse[i * n + j] = inverse[j * n + i] = 0.5 * (inverse[i * n + j] + inverse[j * n + i]);
    }
}

#endif
