/* Dense linear algebra on n x n matrices, by LAPACK; a build without it answers ZV_NOT_SUPPORTED.
 *
 * ZV_NUMBER: a number is not finite. ZV_NO_CONVERGENCE: LAPACK gave up. */
#ifndef ZI_MODES_DENSE_H
#define ZI_MODES_DENSE_H

#include <stdbool.h>

#include "zveno/status.h"

/* A (row-major) := its factors; ZV_SINGULAR when a pivot is zero. */
zvStatus zi_dense_factor(int n, double *A, int *pivots);
/* b := A^-1 b with the factors of A */
void zi_dense_solve(int n, const double *factors, const int *pivots, double *b);

/* K x = square M x, both symmetric, M positive definite (else ZV_SINGULAR); both are destroyed. squares ascend; row k
 * of shapes is x of squares[k], x^T M x = 1. When K has no negative eigenvalue the roots of the squares are right to
 * rounding of the largest root, and those of a singular K are zero exactly. */
zvStatus zi_dense_symmetric(int n, double *M, double *K, double *squares, double *shapes);

/* A x = lambda x for any A, stored by columns and destroyed. Column k of vectors is x of lambda k; of a complex pair k,
 * k + 1 (positive imaginary part first) columns k and k + 1 are the real and the imaginary part. */
zvStatus zi_dense_general(int n, double *A, double *real, double *imag, double *vectors);

/* Singular values of B (rows x n by columns, rows >= n, destroyed), which descend; row k of right (n x n) is the vector
 * of values[k]. */
zvStatus zi_dense_singular(int rows, int n, double *B, double *values, double *right);

/* Of general matrices by rows. */

/* All eigenvalues of A, which is destroyed. */
zvStatus zi_dense_eigenvalues(int n, double *A, double *real, double *imag);
/* X (rows x columns, destroyed) = U diag(values) V^T: U (rows x rows), V^T (columns x columns), values descend. */
zvStatus zi_dense_decompose(int rows, int columns, double *X, double *U, double *values, double *Vt);
/* A := Q^T A Q, zero below the first subdiagonal. */
zvStatus zi_dense_hessenberg(int n, double *A, double *Q);
/* A := T = Q^T A Q, triangular but for pairs, eigenvalues with real parts below `least` first: *first of them. */
zvStatus zi_dense_schur(int n, double *A, double *Q, double least, int *first);
/* X (m x n) := the solution of T X + sign X S = X, or with transpose T X + sign X S^T = X, T and S as Schur gives them. */
zvStatus zi_dense_sylvester(int m, int n, const double *T, int t_stride, const double *S, int s_stride, bool transpose,
                            int sign, double *X);
/* Singular values of a complex matrix (rows x columns x 2, destroyed). */
zvStatus zi_dense_complex_singular(int rows, int columns, double *X, double *values);

/* Fills error with what the status means to who asked for modes; returns it. */
zvStatus zi_dense_fail(zvStatus status, zvError *error);

#endif
