/* What loops leave free: the rank of G, its rows brought to one scale. When there are more rows than degrees of freedom
 * they are first packed into a triangle of the same rank (Householder, a loop at a time); then the largest row left is
 * taken and taken out of the others, again and again. */
#include <math.h>
#include <string.h>

#include "loops/ends.h"
#include "work/coupling.h"
#include "zveno/loops.h"

/* A row so much smaller than the first one, or than a turn for a turn and the robot's size for a turn, is rounding. */
#define RANK_TOLERANCE 1e-9

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void axpy(int n, double k, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] += k * x[i];
}

/* Rows to unit length; those that are rounding to zero. */
static void scale_rows(int rows, int n, double *X) {
    for (int i = 0; i < rows; i++) {
        double *row = X + (size_t)i * (size_t)n;
        const double length = sqrt(dot(n, row, row)), by = length > RANK_TOLERANCE ? 1 / length : 0;
        for (int k = 0; k < n; k++) row[k] *= by;
    }
}

/* R (n x n, upper triangle) takes in `rows` rows of X, which are spent: [R; X] = Q [R'; 0]. */
static void pack_rows(int n, double *R, int rows, double *X) {
    for (int k = 0; k < n; k++) {
        double *top = R + (size_t)k * (size_t)n, below = 0;
        for (int i = 0; i < rows; i++) below += X[i * n + k] * X[i * n + k];
        if (below == 0) continue;
        const double norm = sqrt(top[k] * top[k] + below), pivot = top[k] + copysign(norm, top[k]);
        const double factor = 1 / (pivot * copysign(norm, top[k])); /* of (1, x / pivot) scaled to (pivot, x) */
        for (int j = k + 1; j < n; j++) {
            double along = pivot * top[j];
            for (int i = 0; i < rows; i++) along += X[i * n + k] * X[i * n + j];
            along *= factor;
            top[j] -= along * pivot;
            for (int i = 0; i < rows; i++) X[i * n + j] -= along * X[i * n + k];
        }
        top[k] = -copysign(norm, top[k]);
    }
}

static void swap_rows(int n, double *a, double *b) {
    for (int i = 0; i < n; i++) {
        const double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* Gram-Schmidt with pivoting; what was chosen is made orthogonal once more before it is taken out of the rest. */
static int rank_of(int rows, int n, double *X) {
    double first = 0;
    for (int k = 0; k < rows; k++) {
        double *pivot = X + (size_t)k * (size_t)n, most = -1;
        int best = k;
        for (int i = k; i < rows; i++) {
            const double *row = X + (size_t)i * (size_t)n, square = dot(n, row, row);
            if (square > most) most = square, best = i;
        }
        if (best != k) swap_rows(n, pivot, X + (size_t)best * (size_t)n);
        for (int i = 0; i < k; i++)
            axpy(n, -dot(n, X + (size_t)i * (size_t)n, pivot), X + (size_t)i * (size_t)n, pivot);
        const double length = sqrt(dot(n, pivot, pivot));
        if (k == 0) first = length;
        if (!(length > RANK_TOLERANCE * first)) return k;
        for (int i = 0; i < n; i++) pivot[i] /= length;
        for (int i = k + 1; i < rows; i++) {
            double *row = X + (size_t)i * (size_t)n;
            axpy(n, -dot(n, row, pivot), pivot, row);
        }
    }
    return rows;
}

/* The scaled rows of all loops, packed when they are more than nv; returns how many there are. X is (nv x nv). */
static int gather_rows(const zvModel *m, ziScratch scratch, const double *q, double *X) {
    const int nv = m->nv, all = m->tree.closed->loop_rows;
    const double *tq = zi_tree_q(m, &scratch, q);
    double *few = zi_scratch_doubles(&scratch, ZV_MAX_DOF * (size_t)nv);
    memset(X, 0, (size_t)nv * (size_t)nv * sizeof *X);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        double *rows = all > nv ? few : X + (size_t)constraint->row * (size_t)nv;
        zi_ends_jacobian(m, scratch, i, tq, m->tree.closed->size, rows);
        scale_rows(constraint->rows, nv, rows);
        if (all > nv) pack_rows(nv, X, constraint->rows, rows);
    }
    return all > nv ? nv : all;
}

zvStatus zv_loop_mobility(const zvModel *m, zvWork *work, const double *q, zvLoopMobility *mobility) {
    *mobility = (zvLoopMobility){.freedoms = m->nv};
    if (m->nloop == 0) return ZV_OK;
    if (m->tree.nv > ZI_SCRATCH_MATRIX_MAX) return ZV_SIZE;
    ziScratch scratch = zi_scratch_of(m, work);
    double *X = zi_scratch_doubles(&scratch, (size_t)m->nv * (size_t)m->nv);
    mobility->rows = m->tree.closed->loop_rows;
    mobility->rank = rank_of(gather_rows(m, scratch, q, X), m->nv, X);
    mobility->freedoms = m->nv - mobility->rank;
    mobility->redundant = mobility->rows - mobility->rank;
    return ZV_OK;
}
