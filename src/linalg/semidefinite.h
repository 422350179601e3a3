/* Symmetric matrices that may be singular: Cholesky with diagonal pivoting of the matrix scaled to unit diagonal,
 *   P S A S P^T = U^T U,    S = diag(scale),  row i of the left is row order[i] of A,
 * rows whose pivot is not above the floor left out. Where rows have units, pivots are compared in them: of rows that
 * repeat each other those that are worth most stay, and not a slight one that rounding may prefer; with S of unit
 * diagonal the slightest row counts as much as the others. Matrices are row-major; A has rows of `stride` numbers. The
 * factor lies over A: U above the diagonal, the inverses of its diagonal on it; what is below is not looked at. */
#ifndef ZI_LINALG_SEMIDEFINITE_H
#define ZI_LINALG_SEMIDEFINITE_H

#include <math.h>
#include <stddef.h>

/* One step of the elimination: the pivot d = A[k][k] takes row k out of the rows below it. */
static inline void semidefinite_step(int n, size_t stride, double *A, int k, double d) {
    double *restrict pivot = A + (size_t)k * stride;
    const double inverse = 1 / d, root = sqrt(inverse);
    for (int i = k + 1; i < n; i++) {
        double *restrict row = A + (size_t)i * stride;
        const double f = inverse * pivot[i];
        for (int j = i; j < n; j++) row[j] -= f * pivot[j];
    }
    for (int j = k + 1; j < n; j++) pivot[j] *= root;
    pivot[k] = root;
}

/* Rows and columns i < j of A change places, upper triangle. */
static inline void semidefinite_swap(int n, size_t stride, double *A, int i, int j) {
    double *a = A + (size_t)i * stride, *b = A + (size_t)j * stride, t;
    for (int k = 0; k < i; k++) {
        double *row = A + (size_t)k * stride;
        t = row[i], row[i] = row[j], row[j] = t;
    }
    for (int k = i + 1; k < j; k++) {
        double *other = A + (size_t)k * stride + j;
        t = a[k], a[k] = *other, *other = t;
    }
    for (int k = j + 1; k < n; k++) t = a[k], a[k] = b[k], b[k] = t;
    t = a[i], a[i] = b[j], b[j] = t;
}

/* The unit of a row in the scaled matrix; 1 where it has none. */
static inline double semidefinite_unit(const double *scale, const double *unit, int row) {
    return unit && unit[row] > 0 ? scale[row] * scale[row] * unit[row] : 1;
}

/* Pivots that are left out: not above `repeats` in the matrix scaled to unit diagonal, where rounding tells no better,
 * or not above `weak` in units. */
struct semidefinite_floor {
    double repeats, weak;
};

/* U over the upper triangle of A as it stands, scaled already; order is (n); unit (n; 0: none) or NULL as above.
 * Returns the rank: how many pivots are above the floor. Columns of U for the rows left out are there, the triangle
 * between them is what remained of A. */
static inline int semidefinite_pivot(int n, int stride, double *A, int *order, const double *scale, const double *unit,
                                     struct semidefinite_floor floor) {
    const size_t width = (size_t)stride;
    for (int k = 0; k < n; k++) order[k] = k;
    for (int k = 0; k < n; k++) {
        int best = -1;
        double largest = 0, of = 1;
        for (int i = k; i < n; i++) {
            const double d = A[(size_t)i * (width + 1)], u = semidefinite_unit(scale, unit, order[i]);
            if (d > floor.repeats && d > floor.weak * u && (best < 0 || d * of > largest * u))
                largest = d, of = u, best = i;
        }
        if (best < 0) return k;
        if (best != k) {
            semidefinite_swap(n, width, A, k, best);
            const int row = order[k];
            order[k] = order[best];
            order[best] = row;
        }
        semidefinite_step(n, width, A, k, largest);
    }
    return n;
}

/* scale (n) that gives A unit diagonal, zero for a row that is not positive; scales the upper triangle. */
static inline void semidefinite_scale(int n, int stride, double *A, double *scale) {
    for (int i = 0; i < n; i++) {
        const double d = A[(size_t)i * ((size_t)stride + 1)];
        scale[i] = d > 0 ? 1 / sqrt(d) : 0;
    }
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)stride;
        for (int j = i; j < n; j++) row[j] *= scale[i] * scale[j];
    }
}

/* Pivots of the scaled matrix above this are no question of rank: the order of rows may stay. */
#define SEMIDEFINITE_REGULAR 1e-4

/* U without pivoting; false as soon as a pivot is too small. */
static inline int semidefinite_regular(int n, int stride, double *A) {
    for (int k = 0; k < n; k++) {
        const double d = A[(size_t)k * ((size_t)stride + 1)];
        if (!(d > SEMIDEFINITE_REGULAR)) return 0;
        semidefinite_step(n, (size_t)stride, A, k, d);
    }
    return 1;
}

/* Factor of A (n x n, both triangles given); order, scale and unit (or NULL) are (n). Returns the rank. */
static inline int semidefinite_factor(int n, int stride, double *A, int *order, double *scale, const double *unit,
                                      struct semidefinite_floor floor) {
    const size_t width = (size_t)stride;
    semidefinite_scale(n, stride, A, scale);
    for (int i = 0; i < n; i++) order[i] = i;
    if (!(floor.weak > 0) && semidefinite_regular(n, stride, A)) return n;
    for (int i = 0; i < n; i++) { /* again, from the lower triangle */
        for (int j = i + 1; j < n; j++)
            A[(size_t)i * width + (size_t)j] = A[(size_t)j * width + (size_t)i] * (scale[i] * scale[j]);
        A[(size_t)i * (width + 1)] = scale[i] > 0;
    }
    return semidefinite_pivot(n, stride, A, order, scale, unit, floor);
}

/* The smallest pivot that was not left out, each in the unit of its row (unit zero: its own diagonal), and that row; 1
 * when all are larger. */
static inline double semidefinite_margin(int stride, const double *A, const int *order, const double *scale, int rank,
                                         const double *unit, int *weakest) {
    double margin = 1;
    for (int k = 0; k < rank; k++) {
        const double inverse = A[(size_t)k * ((size_t)stride + 1)];
        const double pivot = 1 / (inverse * inverse * semidefinite_unit(scale, unit, order[k]));
        if (!(pivot < margin)) continue;
        margin = pivot;
        *weakest = order[k];
    }
    return margin;
}

/* X (n x columns, rows of xstride) := U^-T P S X, rows from rank on zero: X^T X = B^T A^+ B for B in the range of A. */
static inline void semidefinite_half(int n, int stride, const double *A, const int *order, const double *scale,
                                     int rank, int columns, int xstride, double *X) {
    const size_t width = (size_t)xstride;
    for (int i = 0; i < n; i++) { /* rows into their order: what stood at `from` may have been swapped away before */
        int from = order[i];
        while (from < i) from = order[from];
        double *restrict a = X + (size_t)i * width, *restrict b = X + (size_t)from * width;
        if (from == i) continue;
        for (int c = 0; c < columns; c++) {
            const double t = a[c];
            a[c] = b[c];
            b[c] = t;
        }
    }
    for (int k = 0; k < rank; k++) {
        double *restrict x = X + (size_t)k * width;
        const double s = scale[order[k]];
        for (int c = 0; c < columns; c++) x[c] *= s;
    }
    for (int k = 0; k < rank; k++) {
        const double *row = A + (size_t)k * (size_t)stride;
        double *restrict x = X + (size_t)k * width;
        for (int c = 0; c < columns; c++) x[c] *= row[k];
        for (int i = k + 1; i < rank; i++) {
            double *restrict below = X + (size_t)i * width;
            for (int c = 0; c < columns; c++) below[c] -= row[i] * x[c];
        }
    }
    for (int k = rank; k < n; k++) {
        for (int c = 0; c < columns; c++) X[(size_t)k * width + (size_t)c] = 0;
    }
}

/* y (rank) := U11^-1 y */
static inline void semidefinite_back(int stride, const double *A, int rank, double *y) {
    for (int k = rank - 1; k >= 0; k--) {
        const double *row = A + (size_t)k * (size_t)stride;
        double sum = y[k];
        for (int j = k + 1; j < rank; j++) sum -= row[j] * y[j];
        y[k] = sum * row[k];
    }
}

/* Null vectors of A: W (n - rank rows of rank numbers); the j-th has -W[j][k] at order[k] and 1 at order[rank + j]. */
static inline void semidefinite_null(int n, int stride, const double *A, const int *order, const double *scale,
                                     int rank, double *W) {
    for (int j = rank; j < n; j++, W += rank) {
        const double s = scale[order[j]];
        for (int k = 0; k < rank; k++) W[k] = s > 0 ? A[(size_t)k * (size_t)stride + (size_t)j] : 0;
        semidefinite_back(stride, A, rank, W);
        for (int k = 0; k < rank && s > 0; k++) W[k] *= scale[order[k]] / s;
    }
}

/* z := (E + W W^T)^-1 z with W (m x r); buffer is (m x m). */
static inline void semidefinite_gram_solve(int m, int r, const double *W, double *z, double *buffer) {
    for (int i = 0; i < m; i++) { /* row by row: L below the diagonal, its inverses on it */
        double *row = buffer + (size_t)i * (size_t)m;
        for (int j = 0; j <= i; j++) {
            const double *other = buffer + (size_t)j * (size_t)m;
            double sum = i == j;
            for (int k = 0; k < r; k++)
                sum += W[(size_t)i * (size_t)r + (size_t)k] * W[(size_t)j * (size_t)r + (size_t)k];
            for (int k = 0; k < j; k++) sum -= row[k] * other[k];
            row[j] = i == j ? 1 / sqrt(sum) : sum * other[j];
        }
    }
    for (int i = 0; i < m; i++) {
        const double *row = buffer + (size_t)i * (size_t)m;
        for (int k = 0; k < i; k++) z[i] -= row[k] * z[k];
        z[i] *= row[i];
    }
    for (int i = m - 1; i >= 0; i--) {
        z[i] *= buffer[(size_t)i * (size_t)(m + 1)];
        for (int k = 0; k < i; k++) z[k] -= buffer[(size_t)i * (size_t)m + (size_t)k] * z[i];
    }
}

/* Of the solutions (y - W^T z, z) the one of least norm; y is (rank), z comes behind it. buffer: W and (m x m), m = n -
 * rank. The second round takes away what rounding left of the first when W is large. */
static inline void semidefinite_least(int n, int rank, double *y, double *W) {
    const int m = n - rank;
    double *buffer = W + (size_t)m * (size_t)rank, *step = buffer + (size_t)m * (size_t)m, *z = y + rank;
    for (int j = 0; j < m; j++) z[j] = 0;
    for (int round = 0; round < 2; round++) {
        for (int j = 0; j < m; j++) {
            step[j] = -z[j];
            for (int k = 0; k < rank; k++) step[j] += W[(size_t)j * (size_t)rank + (size_t)k] * y[k];
        }
        semidefinite_gram_solve(m, rank, W, step, buffer);
        for (int j = 0; j < m; j++) {
            z[j] += step[j];
            for (int k = 0; k < rank; k++) y[k] -= W[(size_t)j * (size_t)rank + (size_t)k] * step[j];
        }
    }
}

/* Doubles that semidefinite_solve works in. */
static inline size_t semidefinite_doubles(int n) { return (size_t)n * ((size_t)n + 2); }

/* x := of all that solve A x = b (b given in x) the one of least Euclidean norm, in the units of x as it stands, not
 * scaled. Rows that were left out are not asked. Returns by how much they are missed, |b - A x| at most: rounding when
 * b is in the range of A. */
static inline double semidefinite_solve(int n, int stride, const double *A, const int *order, const double *scale,
                                        int rank, double *x, double *buffer) {
    double *y = buffer, missed = 0;
    for (int i = 0; i < n; i++) y[i] = scale[order[i]] * x[order[i]];
    for (int k = 0; k < rank; k++) {
        const double *row = A + (size_t)k * (size_t)stride;
        y[k] *= row[k];
        for (int i = k + 1; i < n; i++) y[i] -= row[i] * y[k];
    }
    for (int i = rank; i < n; i++) {
        const double s = scale[order[i]];
        missed = fmax(missed, s > 0 ? fabs(y[i]) / s : fabs(x[order[i]]));
    }
    semidefinite_back(stride, A, rank, y);
    for (int k = 0; k < rank; k++) y[k] *= scale[order[k]];
    if (rank < n) {
        semidefinite_null(n, stride, A, order, scale, rank, y + n);
        semidefinite_least(n, rank, y, y + n);
    }
    for (int i = 0; i < n; i++) x[order[i]] = y[i];
    return missed;
}

#endif
