/* In place of LAPACK, when a build is to do without it. */
#include "modes/dense.h"

zvStatus zi_dense_factor(int n, double *A, int *pivots) {
    (void)n, (void)A, (void)pivots;
    return ZV_NOT_SUPPORTED;
}

void zi_dense_solve(int n, const double *factors, const int *pivots, double *b) {
    (void)n, (void)factors, (void)pivots, (void)b;
}

zvStatus zi_dense_symmetric(int n, double *M, double *K, double *squares, double *shapes) {
    (void)n, (void)M, (void)K, (void)squares, (void)shapes;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_general(int n, double *A, double *real, double *imag, double *vectors) {
    (void)n, (void)A, (void)real, (void)imag, (void)vectors;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_singular(int rows, int n, double *B, double *values, double *right) {
    (void)rows, (void)n, (void)B, (void)values, (void)right;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_eigenvalues(int n, double *A, double *real, double *imag) {
    (void)n, (void)A, (void)real, (void)imag;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_decompose(int rows, int columns, double *X, double *U, double *values, double *Vt) {
    (void)rows, (void)columns, (void)X, (void)U, (void)values, (void)Vt;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_hessenberg(int n, double *A, double *Q) {
    (void)n, (void)A, (void)Q;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_schur(int n, double *A, double *Q, double least, int *first) {
    (void)n, (void)A, (void)Q, (void)least, (void)first;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_sylvester(int m, int n, const double *T, int t_stride, const double *S, int s_stride, bool transpose,
                            int sign, double *X) {
    (void)m, (void)n, (void)T, (void)t_stride, (void)S, (void)s_stride, (void)transpose, (void)sign, (void)X;
    return ZV_NOT_SUPPORTED;
}

zvStatus zi_dense_complex_singular(int rows, int columns, double *X, double *values) {
    (void)rows, (void)columns, (void)X, (void)values;
    return ZV_NOT_SUPPORTED;
}
