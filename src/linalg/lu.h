/* LU with row pivoting for dense matrices of any size: A[order] = L U. Matrices are (n x n) row-major. */
#ifndef ZI_LINALG_LU_H
#define ZI_LINALG_LU_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline void lu_swap(int n, double *A, int i, int j) {
    double *a = A + (size_t)i * (size_t)n, *b = A + (size_t)j * (size_t)n;
    for (int k = 0; k < n; k++) {
        double t = a[k];
        a[k] = b[k];
        b[k] = t;
    }
}

/* L (unit diagonal) and U over A; order is (n). Pivots are chosen among rows scaled to their greatest entry, so that
 * rows in different units do no harm; scale is (n), scratch. false: singular, or not a number. */
static inline bool lu_factor(int n, double *A, int *order, double *scale) {
    for (int i = 0; i < n; i++) {
        order[i] = i;
        scale[i] = 0;
        for (int k = 0; k < n; k++) scale[i] = fmax(scale[i], fabs(A[(size_t)i * (size_t)n + (size_t)k]));
        if (!(scale[i] > 0)) return false;
    }
    for (int k = 0; k < n; k++) {
        const size_t width = (size_t)n, column = (size_t)k;
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(A[(size_t)i * width + column]) * scale[best] > fabs(A[(size_t)best * width + column]) * scale[i])
                best = i;
        }
        if (best != k) {
            lu_swap(n, A, k, best);
            const int row = order[k];
            const double size = scale[k];
            order[k] = order[best];
            scale[k] = scale[best];
            order[best] = row;
            scale[best] = size;
        }
        const double *pivot = A + column * width;
        if (!(fabs(pivot[k]) > 1e-16 * scale[k])) return false;
        for (int i = k + 1; i < n; i++) {
            double *row = A + (size_t)i * width, factor = row[k] / pivot[k];
            row[k] = factor;
            if (factor == 0) continue;
            for (int j = k + 1; j < n; j++) row[j] -= factor * pivot[j];
        }
    }
    return true;
}

/* x = A^-1 r; x and r are different arrays. */
static inline void lu_solve(int n, const double *LU, const int *order, const double *r, double *x) {
    for (int i = 0; i < n; i++) {
        const double *row = LU + (size_t)i * (size_t)n;
        x[i] = r[order[i]];
        for (int j = 0; j < i; j++) x[i] -= row[j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = LU + (size_t)i * (size_t)n;
        for (int j = i + 1; j < n; j++) x[i] -= row[j] * x[j];
        x[i] /= row[i];
    }
}

#endif
