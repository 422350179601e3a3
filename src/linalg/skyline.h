/* Symmetric semidefinite systems by blocks of at most six rows, with nothing far from the diagonal: block row i holds
 * the columns from block first[i] to its own, (row[i+1] - row[i]) x (row[i+1] - row[first[i]]) row-major at at[i], its
 * own square full. Linear in the number of blocks when each is coupled with a few before it.
 *
 * Singular systems: a block whose own square is singular is first turned to an orthonormal basis Q of its range, which
 * costs nothing elsewhere and keeps norms; then
 *   S Q^T A Q S = L L^T,     S scales to unit diagonal,
 * pivoted inside blocks, pivots not above the floor left out. The null vector of each row left out across blocks is
 * kept as long as there are at most SKYLINE_NULL: solutions are then those of least norm. With more of them they are
 * basic ones: zero where a row was left out. */
#ifndef ZI_LINALG_SKYLINE_H
#define ZI_LINALG_SKYLINE_H

#include <string.h>

#include "linalg/semidefinite.h"

enum { SKYLINE_BLOCK = 6, SKYLINE_NULL = 32 };

struct skyline {
    int blocks;
    const int *row, *first; /* (blocks + 1), (blocks) */
    const size_t *at;       /* (blocks + 1) */
};

/* What skyline_factor leaves for skyline_solve, in the caller's buffer. */
struct skyline_parts {
    double *scale;          /* rows: S, in the order of L */
    double *inverse;        /* rows: inverses of the diagonal of L, zero where a row was left out */
    double *Q;              /* SKYLINE_BLOCK x rows: block i (n x n) at SKYLINE_BLOCK row[i], of which `rank` columns */
    double *y;              /* rows */
    double *null;           /* nulls x rows: orthonormal */
    double *nulls;          /* one: how many, negative: too many */
    unsigned char *order;   /* rows: inside each block, the row (or column of Q) at each place */
    unsigned char *rank;    /* blocks: of its own square */
    unsigned char *dropped; /* rows: 1 for rows that others repeat, and for inert ones */
};

static inline int skyline_rows(const struct skyline *sky) { return sky->row[sky->blocks]; }

/* Doubles that factor and solve need, the same buffer for both. */
static inline size_t skyline_doubles(const struct skyline *sky) {
    const size_t rows = (size_t)skyline_rows(sky);
    return (3 + SKYLINE_BLOCK + SKYLINE_NULL) * rows + 1 + (2 * rows + (size_t)sky->blocks) / sizeof(double) + 1;
}

static inline struct skyline_parts skyline_parts(const struct skyline *sky, double *buffer) {
    const size_t rows = (size_t)skyline_rows(sky);
    struct skyline_parts parts = {
        .scale = buffer, .inverse = buffer + rows, .y = buffer + 2 * rows, .Q = buffer + 3 * rows};
    parts.null = parts.Q + SKYLINE_BLOCK * rows;
    parts.nulls = parts.null + SKYLINE_NULL * rows;
    parts.order = (unsigned char *)(parts.nulls + 1);
    parts.dropped = parts.order + rows;
    parts.rank = parts.dropped + rows;
    return parts;
}

/* After skyline_factor: (rows), 1 for each row left out. */
static inline const unsigned char *skyline_dropped(const struct skyline *sky, double *buffer) {
    return skyline_parts(sky, buffer).dropped;
}

/* The unit of direction r of block i: of one of its rows, or of what Q makes of them; zero: its own diagonal. */
static inline double skyline_unit(const struct skyline *sky, const struct skyline_parts *parts, int i, int r,
                                  const double *unit) {
    const int from = sky->row[i], n = sky->row[i + 1] - from, rank = parts->rank[i];
    const double *Q = parts->Q + SKYLINE_BLOCK * (size_t)from;
    double sum = 0;
    if (rank == n) return unit[from + r];
    for (int k = 0; k < n && r < rank; k++) sum += Q[k * rank + r] * Q[k * rank + r] * unit[from + k];
    return sum;
}

/* After skyline_factor: the smallest pivot that was not left out, each in the unit (rows) of its row, and its block; 1
 * when all are larger. */
static inline double skyline_margin(const struct skyline *sky, const double *unit, double *buffer, int *weakest) {
    const struct skyline_parts parts = skyline_parts(sky, buffer);
    double margin = 1;
    for (int i = 0; i < sky->blocks; i++) {
        for (int r = sky->row[i]; r < sky->row[i + 1]; r++) {
            if (!(parts.inverse[r] > 0)) continue;
            const double u = skyline_unit(sky, &parts, i, parts.order[r], unit), s = parts.scale[r];
            const double pivot = 1 / (parts.inverse[r] * parts.inverse[r] * (u > 0 ? s * s * u : 1));
            if (!(pivot < margin)) continue;
            margin = pivot;
            *weakest = i;
        }
    }
    return margin;
}

/* Q (n x rank, columns orthonormal) spans the range of a block from its factor: the complement of its null vectors. */
static inline void skyline_range(int n, const double *U, const int *order, const double *scale, int rank, double *Q) {
    double W[SKYLINE_BLOCK * SKYLINE_BLOCK];
    semidefinite_null(n, n, U, order, scale, rank, W);
    memset(Q, 0, (size_t)(n * rank) * sizeof *Q);
    for (int k = 0; k < rank; k++) {
        Q[order[k] * rank + k] = 1;
        for (int j = rank; j < n; j++) Q[order[j] * rank + k] = W[(j - rank) * rank + k];
    }
    for (int k = 0; k < rank; k++) { /* Gram and Schmidt, twice */
        for (int pass = 0; pass < 2; pass++) {
            for (int l = 0; l < k; l++) {
                double dot = 0;
                for (int i = 0; i < n; i++) dot += Q[i * rank + k] * Q[i * rank + l];
                for (int i = 0; i < n; i++) Q[i * rank + k] -= dot * Q[i * rank + l];
            }
            double norm = 0;
            for (int i = 0; i < n; i++) norm += Q[i * rank + k] * Q[i * rank + k];
            norm = 1 / sqrt(norm);
            for (int i = 0; i < n; i++) Q[i * rank + k] *= norm;
        }
    }
}

/* x (n) := Q^T x, zeros behind. */
static inline void skyline_turn(int n, int rank, const double *Q, double *x, size_t stride) {
    double y[SKYLINE_BLOCK] = {0};
    for (int k = 0; k < rank; k++) {
        for (int i = 0; i < n; i++) y[k] += Q[i * rank + k] * x[(size_t)i * stride];
    }
    for (int k = 0; k < n; k++) x[(size_t)k * stride] = y[k];
}

/* A factor of block i's square (scaled, pivoted) becomes its part of L: `own`, rows of stride. */
static inline void skyline_store(const struct skyline *sky, const struct skyline_parts *parts, int i, const double *U,
                                 const int *order, const double *scale, int rank, double *own, size_t stride) {
    const int from = sky->row[i], n = sky->row[i + 1] - from;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) own[(size_t)r * stride + (size_t)c] = c < r && c < rank ? U[c * n + r] : 0;
        parts->inverse[from + r] = r < rank ? U[r * n + r] : 0;
        parts->scale[from + r] = scale[order[r]];
        parts->order[from + r] = (unsigned char)order[r];
    }
}

/* The range of block i: its rank, Q if that is less than its rows, which rows are repeated. True when the block stands
 * alone and is regular: then it is factored. */
static inline int skyline_reveal(const struct skyline *sky, const struct skyline_parts *parts, int i, double *own,
                                 size_t stride, const double *unit, struct semidefinite_floor floor) {
    const int n = sky->row[i + 1] - sky->row[i];
    double A[SKYLINE_BLOCK * SKYLINE_BLOCK], scale[SKYLINE_BLOCK];
    int order[SKYLINE_BLOCK];
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) A[r * n + c] = own[(size_t)r * stride + (size_t)c];
    }
    const int rank = semidefinite_factor(n, n, A, order, scale, unit ? unit + sky->row[i] : NULL, floor);
    for (int k = 0; k < n; k++) parts->dropped[sky->row[i] + order[k]] = k >= rank;
    parts->rank[i] = (unsigned char)rank;
    if (rank < n) {
        skyline_range(n, A, order, scale, rank, parts->Q + SKYLINE_BLOCK * (size_t)sky->row[i]);
        return 0;
    }
    if (sky->first[i] == i) skyline_store(sky, parts, i, A, order, scale, rank, own, stride);
    return sky->first[i] == i;
}

/* Rows of block i in terms of its range, scaled to unit diagonal. */
static inline void skyline_scale(const struct skyline *sky, const struct skyline_parts *parts, int i, double *rows,
                                 size_t width) {
    const int from = sky->row[i], n = sky->row[i + 1] - from, rank = parts->rank[i];
    double *own = rows + (width - (size_t)n), *scale = parts->scale + from;
    if (rank < n) {
        const double *Q = parts->Q + SKYLINE_BLOCK * (size_t)from;
        for (size_t c = 0; c < width; c++) skyline_turn(n, rank, Q, rows + c, width);
        for (int r = 0; r < n; r++) skyline_turn(n, rank, Q, own + (size_t)r * width, 1);
    }
    for (int r = 0; r < n; r++) {
        const double d = own[(size_t)r * (width + 1)];
        scale[r] = r < rank && d > 0 ? 1 / sqrt(d) : 0;
    }
    for (int r = 0; r < n; r++) {
        for (size_t c = 0; c < width; c++) rows[(size_t)r * width + c] *= scale[r];
        for (int c = 0; c < n; c++) own[(size_t)r * width + (size_t)c] *= scale[c];
    }
}

/* x, the columns of block k in one row of a later block, becomes those of L's variables: (x Q S) in the order of L. */
static inline void skyline_take(const struct skyline *sky, const struct skyline_parts *parts, int k, double *x) {
    const int from = sky->row[k], n = sky->row[k + 1] - from, rank = parts->rank[k];
    double y[SKYLINE_BLOCK];
    if (rank < n) skyline_turn(n, rank, parts->Q + SKYLINE_BLOCK * (size_t)from, x, 1);
    for (int c = 0; c < n; c++) y[c] = x[parts->order[from + c]] * parts->scale[from + c];
    memcpy(x, y, (size_t)n * sizeof *x);
}

static inline double skyline_dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* One row of block i before its own square: L_ac = (A_ac - sum L_am L_cm) / L_cc; start is the row's first column. */
static inline void skyline_substitute(const struct skyline *sky, const struct skyline_parts *parts, const double *A,
                                      int i, double *row) {
    const int start = sky->row[sky->first[i]];
    for (int k = sky->first[i]; k < i; k++) {
        const int from = sky->row[k], first = sky->row[sky->first[k]], left = first > start ? first : start;
        const size_t width = (size_t)(sky->row[k + 1] - first);
        skyline_take(sky, parts, k, row + (from - start));
        for (int c = from; c < sky->row[k + 1]; c++) {
            const double *other = A + sky->at[k] + (size_t)(c - from) * width;
            row[c - start] -= skyline_dot(row + (left - start), other + (left - first), c - left);
            row[c - start] *= parts->inverse[c];
        }
    }
}

/* A direction of block i that others repeat: the row that has most of it counts as left out. */
static inline void skyline_drop(const struct skyline *sky, const struct skyline_parts *parts, int i, int direction) {
    const int from = sky->row[i], n = sky->row[i + 1] - from, rank = parts->rank[i];
    const double *Q = parts->Q + SKYLINE_BLOCK * (size_t)from;
    int most = direction;
    for (int r = 0; r < n && rank < n; r++) {
        if (parts->dropped[from + r]) continue;
        if (parts->dropped[from + most] || fabs(Q[r * rank + direction]) > fabs(Q[most * rank + direction])) most = r;
    }
    parts->dropped[from + most] = 1;
}

/* The square of block i without what came before it, pivoted; its rows go into that order. Returns how many of its
 * directions others repeat. */
static inline int skyline_settle(const struct skyline *sky, const struct skyline_parts *parts, int i, double *rows,
                                 size_t width, const double *unit, struct semidefinite_floor floor) {
    const int from = sky->row[i], n = sky->row[i + 1] - from, before = (int)width - n;
    double U[SKYLINE_BLOCK * SKYLINE_BLOCK], scale[SKYLINE_BLOCK], of[SKYLINE_BLOCK], x[SKYLINE_BLOCK];
    int order[SKYLINE_BLOCK], dropped = 0;
    for (int r = 0; r < n; r++) {
        for (int c = r; c < n; c++)
            U[r * n + c] = rows[(size_t)r * width + (size_t)(before + c)] -
                           skyline_dot(rows + (size_t)r * width, rows + (size_t)c * width, before);
        scale[r] = parts->scale[from + r];
        of[r] = unit ? skyline_unit(sky, parts, i, r, unit) : 0;
    }
    const int rank = semidefinite_pivot(n, n, U, order, scale, of, floor);
    for (int c = 0; c < before; c++) {
        for (int r = 0; r < n; r++) x[r] = rows[(size_t)order[r] * width + (size_t)c];
        for (int r = 0; r < n; r++) rows[(size_t)r * width + (size_t)c] = x[r];
    }
    skyline_store(sky, parts, i, U, order, scale, rank, rows + before, width);
    for (int r = rank; r < n; r++) {
        if (!(scale[order[r]] > 0)) continue; /* outside the range of the block itself */
        skyline_drop(sky, parts, i, order[r]);
        dropped++;
    }
    return dropped;
}

/* y := L^-T y from block `last` down; entries of rows left out are given and stay. */
static inline void skyline_back(const struct skyline *sky, const struct skyline_parts *parts, const double *A, int last,
                                double *y) {
    for (int i = last; i >= 0; i--) {
        const int from = sky->row[i], start = sky->row[sky->first[i]];
        const size_t width = (size_t)(sky->row[i + 1] - start);
        for (int r = sky->row[i + 1] - 1; r >= from; r--) {
            const double *row = A + sky->at[i] + (size_t)(r - from) * width;
            if (parts->inverse[r] > 0) y[r] *= parts->inverse[r];
            if (y[r] == 0) continue;
            for (int c = start; c < r; c++) y[c] -= row[c - start] * y[r];
        }
    }
}

/* x := Q S y */
static inline void skyline_expand(const struct skyline *sky, const struct skyline_parts *parts, const double *y,
                                  double *x) {
    for (int i = 0; i < sky->blocks; i++) {
        const int from = sky->row[i], n = sky->row[i + 1] - from, rank = parts->rank[i];
        const double *Q = parts->Q + SKYLINE_BLOCK * (size_t)from;
        double z[SKYLINE_BLOCK];
        for (int c = 0; c < n; c++) z[parts->order[from + c]] = parts->scale[from + c] * y[from + c];
        for (int r = 0; r < n; r++) x[from + r] = rank < n ? skyline_dot(Q + r * rank, z, rank) : z[r];
    }
}

/* x := x - N N^T x with the first `count` null vectors, twice. */
static inline void skyline_project(int rows, int count, const double *null, double *x) {
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            const double *vector = null + (size_t)k * (size_t)rows, dot = skyline_dot(vector, x, rows);
            for (int r = 0; r < rows; r++) x[r] -= dot * vector[r];
        }
    }
}

/* Orthonormal null vectors, one for each direction that was left out across blocks. */
static inline void skyline_nulls(const struct skyline *sky, const struct skyline_parts *parts, const double *A) {
    const int rows = skyline_rows(sky);
    int count = 0;
    for (int i = 0; i < sky->blocks; i++) {
        for (int d = sky->row[i]; d < sky->row[i + 1]; d++) {
            if (parts->inverse[d] > 0 || !(parts->scale[d] > 0)) continue;
            double *vector = parts->null + (size_t)count * (size_t)rows;
            memset(parts->y, 0, (size_t)rows * sizeof *vector);
            parts->y[d] = 1;
            skyline_back(sky, parts, A, i, parts->y);
            skyline_expand(sky, parts, parts->y, vector);
            const double before = skyline_dot(vector, vector, rows);
            skyline_project(rows, count, parts->null, vector);
            const double after = skyline_dot(vector, vector, rows), norm = 1 / sqrt(after);
            if (!(after > 1e-20 * before)) continue;
            for (int r = 0; r < rows; r++) vector[r] *= norm;
            count++;
        }
    }
    *parts->nulls = count;
}

/* L over A. buffer is (skyline_doubles), kept for skyline_solve. Pivots are compared in units (rows; zero: the row's
 * own diagonal; NULL: all are) as in linalg/semidefinite.h. Returns how many rows were left out. */
static inline int skyline_factor(const struct skyline *sky, double *A, const double *unit,
                                 struct semidefinite_floor floor, double *buffer) {
    const struct skyline_parts parts = skyline_parts(sky, buffer);
    int across = 0, inside = 0;
    for (int i = 0; i < sky->blocks; i++) {
        const int n = sky->row[i + 1] - sky->row[i];
        const size_t width = (size_t)(sky->row[i + 1] - sky->row[sky->first[i]]);
        double *rows = A + sky->at[i];
        if (skyline_reveal(sky, &parts, i, rows + (width - (size_t)n), width, unit, floor)) continue;
        skyline_scale(sky, &parts, i, rows, width);
        for (int r = 0; r < n; r++) skyline_substitute(sky, &parts, A, i, rows + (size_t)r * width);
        inside += n - parts.rank[i];
        across += skyline_settle(sky, &parts, i, rows, width, unit, floor);
    }
    *parts.nulls = 0;
    if (across > 0 && across <= SKYLINE_NULL) skyline_nulls(sky, &parts, A);
    return inside + across;
}

/* How far b, the right side of block i, is from the range of its square. */
static inline double skyline_outside(const struct skyline *sky, const struct skyline_parts *parts, int i,
                                     const double *b) {
    const int from = sky->row[i], n = sky->row[i + 1] - from, rank = parts->rank[i];
    const double *Q = parts->Q + SKYLINE_BLOCK * (size_t)from;
    double y[SKYLINE_BLOCK] = {0}, missed = 0;
    for (int k = 0; k < rank; k++) {
        for (int r = 0; r < n; r++) y[k] += Q[r * rank + k] * b[r];
    }
    for (int r = 0; r < n; r++) missed = fmax(missed, fabs(b[r] - skyline_dot(Q + r * rank, y, rank)));
    return missed;
}

/* x := of all that solve A x = b (b given in x) the one of least Euclidean norm (see above). Directions that were left
 * out are not asked; returns by how much they are missed, |b - A x| at most: rounding when b is in the range of A. */
static inline double skyline_solve(const struct skyline *sky, const double *A, double *x, double *buffer) {
    const struct skyline_parts parts = skyline_parts(sky, buffer);
    double *y = parts.y, missed = 0;
    memcpy(y, x, (size_t)skyline_rows(sky) * sizeof *y);
    for (int i = 0; i < sky->blocks; i++) {
        const int from = sky->row[i], end = sky->row[i + 1], start = sky->row[sky->first[i]];
        const size_t width = (size_t)(end - start);
        if (parts.rank[i] < end - from) missed = fmax(missed, skyline_outside(sky, &parts, i, y + from));
        skyline_take(sky, &parts, i, y + from);
        for (int r = from; r < end; r++) {
            const double *row = A + sky->at[i] + (size_t)(r - from) * width;
            y[r] -= skyline_dot(row, y + start, r - start);
            if (!(parts.inverse[r] > 0) && parts.scale[r] > 0) missed = fmax(missed, fabs(y[r]) / parts.scale[r]);
            y[r] *= parts.inverse[r];
        }
    }
    skyline_back(sky, &parts, A, sky->blocks - 1, y);
    skyline_expand(sky, &parts, y, x);
    skyline_project(skyline_rows(sky), (int)*parts.nulls, parts.null, x);
    return missed;
}

#endif
