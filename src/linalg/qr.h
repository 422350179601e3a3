/* Orthogonal factors of a set of vectors, the rows of V (count x length, row-major), for systems V^T x = f:
 *   V^T S P = Q R
 * by Householder reflections with pivoting; S = diag(scale) gives the vectors unit length, those that add less than the
 * floor to the ones before them are left out. Over V, in the order of pivoting: row i holds column i of R up to its
 * diagonal, rows before `rank` behind it their reflection (its leading 1 left out). */
#ifndef ZI_LINALG_QR_H
#define ZI_LINALG_QR_H

#include "linalg/semidefinite.h"

static inline double qr_dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* A vector so much shorter than the longest is rounding. */
#define QR_INERT 1e-12

/* Rows to unit length, or to zero. */
static inline void qr_scale(int count, int length, double *V, int *order, double *scale) {
    double longest = 0;
    for (int i = 0; i < count; i++) {
        const double *row = V + (size_t)i * (size_t)length;
        order[i] = i;
        scale[i] = sqrt(qr_dot(length, row, row));
        longest = fmax(longest, scale[i]);
    }
    for (int i = 0; i < count; i++) {
        double *row = V + (size_t)i * (size_t)length;
        scale[i] = scale[i] > QR_INERT * longest ? 1 / scale[i] : 0;
        for (int k = 0; k < length; k++) row[k] *= scale[i];
    }
}

/* The row that has most left from component k on goes to place k; returns how much. */
static inline double qr_choose(int count, int length, double *V, int *order, int k) {
    const size_t width = (size_t)length;
    double most = -1;
    int best = k;
    for (int i = k; i < count; i++) {
        const double *row = V + (size_t)i * width + k, square = qr_dot(length - k, row, row);
        if (square > most) most = square, best = i;
    }
    for (int j = 0; j < length && best != k; j++) {
        const double t = V[(size_t)k * width + (size_t)j];
        V[(size_t)k * width + (size_t)j] = V[(size_t)best * width + (size_t)j];
        V[(size_t)best * width + (size_t)j] = t;
    }
    const int index = order[k];
    order[k] = order[best];
    order[best] = index;
    return sqrt(most);
}

/* x := H x, the reflection E - beta u u^T with u = (1, tail) from component k on. */
static inline void qr_reflect(int length, int k, const double *row, double beta, double *x) {
    const double along = beta * (x[k] + qr_dot(length - k - 1, row + k + 1, x + k + 1));
    x[k] -= along;
    for (int j = k + 1; j < length; j++) x[j] -= along * row[j];
}

/* order, scale, beta are (count). Returns the rank. */
static inline int qr_factor(int count, int length, double *V, int *order, double *scale, double *beta, double floor) {
    qr_scale(count, length, V, order, scale);
    for (int k = 0; k < count; k++) {
        double *row = V + (size_t)k * (size_t)length;
        const double left = k < length ? qr_choose(count, length, V, order, k) : 0;
        if (!(left > floor)) return k;
        const double diagonal = -copysign(left, row[k]), head = row[k] - diagonal;
        beta[k] = -head / diagonal;
        for (int j = k + 1; j < length; j++) row[j] /= head;
        row[k] = diagonal;
        for (int i = k + 1; i < count; i++) qr_reflect(length, k, row, beta[k], V + (size_t)i * (size_t)length);
    }
    return count;
}

/* y (rank) := R11^-1 y */
static inline void qr_back(int length, const double *V, int rank, double *y) {
    for (int k = rank - 1; k >= 0; k--) {
        const double *row = V + (size_t)k * (size_t)length;
        y[k] /= row[k];
        for (int j = 0; j < k; j++) y[j] -= row[j] * y[k];
    }
}

/* What of V^T x = 0, as semidefinite_null: -W[j][k] at order[k] and 1 at order[rank + j]. */
static inline void qr_null(int count, int length, const double *V, const int *order, const double *scale, int rank,
                           double *W) {
    for (int j = rank; j < count; j++, W += rank) {
        const double s = scale[order[j]];
        for (int k = 0; k < rank; k++) W[k] = s > 0 ? V[(size_t)j * (size_t)length + (size_t)k] : 0;
        qr_back(length, V, rank, W);
        for (int k = 0; k < rank && s > 0; k++) W[k] *= scale[order[k]] / s;
    }
}

/* x (count) that brings V^T x nearest to f (length, spent), of all such the one of least norm; buffer is
 * (semidefinite_doubles of count). Returns |f - V^T x|. */
static inline double qr_solve(int count, int length, const double *V, const int *order, const double *scale,
                              const double *beta, int rank, double *f, double *x, double *buffer) {
    double *y = buffer;
    for (int k = 0; k < rank; k++) qr_reflect(length, k, V + (size_t)k * (size_t)length, beta[k], f);
    for (int k = 0; k < rank; k++) y[k] = f[k];
    qr_back(length, V, rank, y);
    for (int k = 0; k < rank; k++) y[k] *= scale[order[k]];
    if (rank < count) {
        qr_null(count, length, V, order, scale, rank, y + count);
        semidefinite_least(count, rank, y, y + count);
    }
    for (int k = 0; k < count; k++) x[order[k]] = y[k];
    return sqrt(qr_dot(length - rank, f + rank, f + rank));
}

#endif
