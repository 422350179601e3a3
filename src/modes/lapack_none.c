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
