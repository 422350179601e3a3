/* LAPACK (through LAPACKE), included here alone; what this folder needs of it is in dense.h. */

#include "modes/dense.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#undef I /* <complex.h> takes it */

/* The problems of dense.h in LAPACK's words. A symmetric matrix is the same by rows and by columns; the lower triangle
 * by rows is the upper one by columns, which is how LAPACK sees it here. */

static size_t square(int n) { return (size_t)n * (size_t)n; }

/* LAPACK's info; positive values mean what the caller says. */
static zvStatus status_of(lapack_int info, zvStatus positive) {
    if (info == 0) return ZV_OK;
    if (info > 0) return positive;
    return info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR ? ZV_MEMORY : ZV_NUMBER;
}

zvStatus zi_dense_factor(int n, double *A, int *pivots) {
    return n ? status_of(LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, A, n, pivots), ZV_SINGULAR) : ZV_OK;
}

void zi_dense_solve(int n, const double *factors, const int *pivots, double *b) {
    if (n) LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'T', n, 1, factors, n, pivots, b, n);
}

/* K = W W^T for a K without negative eigenvalues. */
typedef struct Root {
    int rank;
    double *W;     /* n x rank by columns */
    double *U;     /* n x n: K scaled to a diagonal of ones, then its factor */
    double *scale; /* n */
    int *pivots;   /* n */
} Root;

static bool root_create(int n, Root *r) {
    *r = (Root){0};
    r->W = calloc(square(n), sizeof(double));
    r->U = malloc(square(n) * sizeof(double));
    r->scale = malloc((size_t)n * sizeof(double));
    r->pivots = malloc((size_t)n * sizeof(int));
    return r->W && r->U && r->scale && r->pivots;
}

static void root_free(Root *r) {
    free(r->W);
    free(r->U);
    free(r->scale);
    free(r->pivots);
}

/* Largest entry of K - W W^T, in the scale of K's diagonal. */
static double root_gap(size_t n, const double *K, const Root *r) {
    double gap = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double rest = K[i * n + j];
            for (size_t k = 0; k < (size_t)r->rank; k++) rest -= r->W[k * n + i] * r->W[k * n + j];
            gap = fmax(gap, fabs(rest) / (r->scale[i] * r->scale[j]));
        }
    }
    return gap;
}

static void root_scale(size_t n, const double *K, Root *r) {
    for (size_t i = 0; i < n; i++) {
        const double d = fabs(K[i * n + i]);
        r->scale[i] = d > 0 ? sqrt(d) : 1;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) r->U[i * n + j] = K[i * n + j] / (r->scale[i] * r->scale[j]);
    }
}

/* Cholesky with pivoting finds the rank; *found is false when K has a negative eigenvalue. */
static zvStatus root_take(int order, const double *K, Root *r, bool *found) {
    const size_t n = (size_t)order;
    root_scale(n, K, r);
    lapack_int rank = 0;
    const lapack_int info = LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'U', order, r->U, order, r->pivots, &rank, -1);
    r->rank = rank;
    if (info < 0) return status_of(info, ZV_NUMBER);
    for (size_t k = 0; k < (size_t)r->rank; k++) {
        for (size_t j = k; j < n; j++) {
            const size_t i = (size_t)r->pivots[j] - 1;
            r->W[k * n + i] = r->scale[i] * r->U[j * n + k];
        }
    }
    *found = root_gap(n, K, r) <= 64 * order * DBL_EPSILON;
    return ZV_OK;
}

/* With M = L L^T and K = W W^T the frequencies are the singular values of L^-1 W: no squares, so no digits are lost
 * between the slowest and the fastest. */
static zvStatus by_singular_values(int n, const double *L, Root *r, double *squares, double *shapes) {
    double *values = calloc(2 * (size_t)n, sizeof *values), *all = malloc(square(n) * sizeof *all), none;
    zvStatus status = values && all ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK && r->rank) {
        status = status_of(LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'T', 'N', n, r->rank, L, n, r->W, n), ZV_SINGULAR);
        if (status == ZV_OK)
            status = status_of(
                LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, r->rank, r->W, n, values, all, n, &none, 1, values + n),
                ZV_NO_CONVERGENCE);
    } else if (status == ZV_OK) {
        memset(all, 0, square(n) * sizeof *all);
        for (int i = 0; i < n; i++) all[(size_t)i * (size_t)(n + 1)] = 1;
    }
    if (status == ZV_OK)
        status = status_of(LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, n, L, n, all, n), ZV_SINGULAR);
    for (int k = 0; status == ZV_OK && k < n; k++) {
        int from = n - 1 - k; /* they descend, the zeros last */
        squares[k] = from < r->rank ? values[from] * values[from] : 0;
        memcpy(shapes + (size_t)k * (size_t)n, all + (size_t)from * (size_t)n, (size_t)n * sizeof *shapes);
    }
    free(values);
    free(all);
    return status;
}

/* For a K with negative eigenvalues; what is rounding beside the largest is zero. */
static zvStatus by_squares(int n, double *M, double *K, double *squares, double *shapes) {
    zvStatus status =
        status_of(LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', n, K, n, M, n, squares), ZV_NO_CONVERGENCE);
    if (status < 0) return status;
    double largest = fmax(fabs(squares[0]), fabs(squares[n - 1]));
    for (int k = 0; k < n; k++) {
        if (fabs(squares[k]) <= 8 * n * DBL_EPSILON * largest) squares[k] = 0;
    }
    memcpy(shapes, K, square(n) * sizeof *shapes);
    return ZV_OK;
}

/* Singular values of the root of K where it has one, which halves the digits lost; else eigenvalues. */
zvStatus zi_dense_symmetric(int n, double *M, double *K, double *squares, double *shapes) {
    if (!n) return ZV_OK;
    Root root;
    bool found = false;
    double *L = malloc(square(n) * sizeof *L);
    zvStatus status = root_create(n, &root) && L ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) {
        memcpy(L, M, square(n) * sizeof *L);
        status = status_of(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, L, n), ZV_SINGULAR);
    }
    if (status == ZV_OK) status = root_take(n, K, &root, &found);
    if (status == ZV_OK)
        status = found ? by_singular_values(n, L, &root, squares, shapes) : by_squares(n, M, K, squares, shapes);
    root_free(&root);
    free(L);
    return status;
}

zvStatus zi_dense_general(int n, double *A, double *real, double *imag, double *vectors) {
    double none;
    if (!n) return ZV_OK;
    return status_of(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, real, imag, &none, 1, vectors, n),
                     ZV_NO_CONVERGENCE);
}

/* Singular values and right vectors; left ones are not wanted. */
zvStatus zi_dense_singular(int rows, int n, double *B, double *values, double *right) {
    double none, *rest = malloc((size_t)(n + 1) * sizeof *rest), *by_columns = malloc(square(n) * sizeof *right);
    zvStatus status = rest && by_columns ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK && n)
        status = status_of(
            LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'A', rows, n, B, rows, values, &none, 1, by_columns, n, rest),
            ZV_NO_CONVERGENCE);
    for (int k = 0; status == ZV_OK && k < n; k++) {
        for (int i = 0; i < n; i++)
            right[(size_t)k * (size_t)n + (size_t)i] = by_columns[(size_t)i * (size_t)n + (size_t)k];
    }
    free(rest);
    free(by_columns);
    return status;
}

/* General matrices by rows: LAPACKE turns them about by itself. */

zvStatus zi_dense_eigenvalues(int n, double *A, double *real, double *imag) {
    double none;
    if (!n) return ZV_OK;
    return status_of(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, real, imag, &none, 1, &none, 1),
                     ZV_NO_CONVERGENCE); /* those of the transpose */
}

/* All vectors on both sides. */
zvStatus zi_dense_decompose(int rows, int columns, double *X, double *U, double *values, double *Vt) {
    if (!rows || !columns) return ZV_OK;
    double *rest = malloc((size_t)(rows + columns) * sizeof *rest);
    const zvStatus status = rest ? status_of(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', rows, columns, X, columns,
                                                            values, U, rows, Vt, columns, rest),
                                             ZV_NO_CONVERGENCE)
                                 : ZV_MEMORY;
    free(rest);
    return status;
}

zvStatus zi_dense_hessenberg(int n, double *A, double *Q) {
    if (!n) return ZV_OK;
    double *tau = malloc((size_t)n * sizeof *tau);
    zvStatus status = tau ? status_of(LAPACKE_dgehrd(LAPACK_ROW_MAJOR, n, 1, n, A, n, tau), ZV_NUMBER) : ZV_MEMORY;
    if (status == ZV_OK) memcpy(Q, A, square(n) * sizeof *Q);
    if (status == ZV_OK) status = status_of(LAPACKE_dorghr(LAPACK_ROW_MAJOR, n, 1, n, Q, n, tau), ZV_NUMBER);
    for (int i = 2; i < n; i++) memset(A + (size_t)i * (size_t)n, 0, (size_t)(i - 1) * sizeof *A);
    free(tau);
    return status;
}

/* The order is brought about afterwards, since the limit of what comes first is no constant. (LAPACKE_dtrsen itself
 * gives dtrsen no room for the integer that it writes.) */
zvStatus zi_dense_schur(int n, double *A, double *Q, double least, int *first) {
    *first = 0;
    if (!n) return ZV_OK;
    double *parts = malloc(3 * (size_t)n * sizeof *parts), s, sep;
    lapack_logical *chosen = malloc((size_t)n * sizeof *chosen);
    lapack_int count = 0, spare;
    zvStatus status =
        parts && chosen
            ? status_of(LAPACKE_dgees(LAPACK_ROW_MAJOR, 'V', 'N', NULL, n, A, n, &count, parts, parts + n, Q, n),
                        ZV_NO_CONVERGENCE)
            : ZV_MEMORY;
    for (int i = 0; status == ZV_OK && i < n; i++) chosen[i] = parts[i] < least;
    if (status == ZV_OK)
        status = status_of(LAPACKE_dtrsen_work(LAPACK_ROW_MAJOR, 'N', 'V', chosen, n, A, n, Q, n, parts, parts + n,
                                               &count, &s, &sep, parts + 2 * n, n, &spare, 1),
                           ZV_NO_CONVERGENCE);
    *first = (int)count;
    free(parts);
    free(chosen);
    return status;
}

zvStatus zi_dense_sylvester(int m, int n, const double *T, int t_stride, const double *S, int s_stride, bool transpose,
                            int sign, double *X) {
    double scale = 1;
    if (!m || !n) return ZV_OK;
    const zvStatus status = status_of(LAPACKE_dtrsyl(LAPACK_ROW_MAJOR, 'N', transpose ? 'T' : 'N', sign, m, n, T,
                                                     t_stride, S, s_stride, X, n, &scale),
                                      ZV_SINGULAR);
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) X[i] /= scale;
    return status;
}

zvStatus zi_dense_complex_singular(int rows, int columns, double *X, double *values) {
    lapack_complex_double none;
    if (!rows || !columns) return ZV_OK;
    double *rest = malloc((size_t)(rows + columns) * sizeof *rest);
    const zvStatus status = rest ? status_of(LAPACKE_zgesvd(LAPACK_ROW_MAJOR, 'N', 'N', rows, columns, (void *)X,
                                                            columns, values, &none, rows, &none, columns, rest),
                                             ZV_NO_CONVERGENCE)
                                 : ZV_MEMORY;
    free(rest);
    return status;
}
