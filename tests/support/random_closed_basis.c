/* Velocities that fit the loops, by an orthonormal basis of the rows of G. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_closed.h"

static exact dot(int n, const exact *a, const exact *b) {
    exact sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* a -= (a.b) b, twice: once is not enough when little is left. */
static void take_off(int n, exact *a, const exact *b) {
    const exact part = dot(n, a, b);
    for (int i = 0; i < n; i++) a[i] -= part * b[i];
}

int rc_row_basis(int rows, int columns, const exact *A, exact floor, exact *Q) {
    exact *left = lin_numbers(rows * columns);
    int rank = 0;
    for (int i = 0; i < rows; i++) {
        const exact norm = sqrtl(dot(columns, A + i * columns, A + i * columns));
        for (int k = 0; k < columns && norm > 0; k++) left[i * columns + k] = A[i * columns + k] / norm;
    }
    while (rank < rows && rank < columns) {
        int best = 0;
        for (int i = 1; i < rows; i++) {
            if (dot(columns, left + i * columns, left + i * columns) >
                dot(columns, left + best * columns, left + best * columns))
                best = i;
        }
        exact *q = Q + rank * columns, norm = sqrtl(dot(columns, left + best * columns, left + best * columns));
        if (!(norm > floor)) break;
        for (int k = 0; k < columns; k++) q[k] = left[best * columns + k] / norm;
        for (int twice = 0; twice < 2; twice++) {
            for (int j = 0; j < rank; j++) take_off(columns, q, Q + j * columns);
        }
        norm = sqrtl(dot(columns, q, q));
        for (int k = 0; k < columns; k++) q[k] /= norm;
        rank++;
        for (int i = 0; i < rows; i++) take_off(columns, left + i * columns, q);
    }
    free(left);
    return rank;
}

int rc_fit_velocity(const rcCase *c, const double *rest, double *v) {
    double *G = calloc((size_t)(c->rows * c->nv) + 1, sizeof *G);
    exact *A = lin_numbers(c->rows * c->nv), *Q = lin_numbers(c->nv * c->nv), *B = lin_numbers(c->rows * c->rows);
    if (!G) abort();
    zv_loop_jacobian(c->model, c->work, c->q, G);
    for (int i = 0; i < c->rows * c->nv; i++) A[i] = G[i];
    const int rank = rc_row_basis(c->rows, c->nv, A, 1e-9L, Q);
    exact *x = lin_numbers(c->nv);
    for (int i = 0; i < c->nv; i++) x[i] = v[i];
    for (int k = 0; k < rank; k++) take_off(c->nv, x, Q + k * c->nv);
    if (rest && rank == c->rows) { /* v += G^T (G G^T)^-1 rest */
        exact *b = lin_numbers(c->rows), *y = lin_numbers(c->rows);
        for (int i = 0; i < c->rows; i++) {
            b[i] = rest[i];
            for (int j = 0; j < c->rows; j++) B[i * c->rows + j] = dot(c->nv, A + i * c->nv, A + j * c->nv);
        }
        if (lin_cholesky(c->rows, B, B)) lin_cholesky_solve(c->rows, B, b, y);
        for (int i = 0; i < c->rows; i++)
            for (int k = 0; k < c->nv; k++) x[k] += A[i * c->nv + k] * y[i];
        free(b);
        free(y);
    }
    for (int i = 0; i < c->nv; i++) v[i] = (double)x[i];
    free(G);
    free(A);
    free(Q);
    free(B);
    free(x);
    return rank;
}
