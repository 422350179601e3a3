/* Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi rotations. Entries that are small against
 * their two diagonal entries count as zero, so that small eigenvalues of a scaled, positive definite matrix keep their
 * digits and blocks of the matrix stay blocks. */
#ifndef ZI_LINALG_JACOBI_H
#define ZI_LINALG_JACOBI_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { JACOBI_SWEEPS = 60 };

/* Rows i and j of A (n columns) are turned by sine s and cosine c. */
static inline void jacobi_turn(int n, double *A, int i, int j, double s, double c) {
    for (int k = 0; k < n; k++) {
        const double a = A[i * n + k], b = A[j * n + k];
        A[i * n + k] = c * a - s * b;
        A[j * n + k] = s * a + c * b;
    }
}

/* Makes A[i][j] vanish; V^T collects the rotations. */
static inline void jacobi_rotate(int n, double *A, double *Vt, int i, int j) {
    const double slope = 0.5 * (A[j * n + j] - A[i * n + i]) / A[i * n + j];
    const double t = (slope < 0 ? -1 : 1) / (fabs(slope) + hypot(1, slope));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    const double ii = A[i * n + i] - t * A[i * n + j], jj = A[j * n + j] + t * A[i * n + j];
    jacobi_turn(n, A, i, j, s, c);
    jacobi_turn(n, Vt, i, j, s, c);
    for (int k = 0; k < n; k++) {
        A[k * n + i] = A[i * n + k];
        A[k * n + j] = A[j * n + k];
    }
    A[i * n + i] = ii;
    A[j * n + j] = jj;
    A[i * n + j] = A[j * n + i] = 0;
}

/* A (n x n, both triangles) becomes diagonal, its eigenvalues in no order; row k of Vt is the unit eigenvector of the
 * k-th. False when it does not converge (numbers that are not finite). */
static inline bool jacobi_eigen(int n, double *A, double *Vt) {
    double largest = 0;
    for (int i = 0; i < n * n; i++) {
        Vt[i] = 0;
        largest = fmax(largest, fabs(A[i]));
    }
    for (int i = 0; i < n; i++) Vt[i * n + i] = 1;
    for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
        bool turned = false;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                const double small = DBL_EPSILON * sqrt(fabs(A[i * n + i])) * sqrt(fabs(A[j * n + j]));
                if (fabs(A[i * n + j]) <= small + DBL_EPSILON * DBL_EPSILON * largest) continue;
                jacobi_rotate(n, A, Vt, i, j);
                turned = true;
            }
        }
        if (!turned) return true;
    }
    return false;
}

#endif
