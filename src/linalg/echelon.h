/* Which unknowns of G x + b = 0 follow from the others, and how: elimination with complete pivoting after Gauss and
 * Jordan. G is (rows x columns); behind each row lie further numbers (right sides) up to `stride`. */
#ifndef ZI_LINALG_ECHELON_H
#define ZI_LINALG_ECHELON_H

#include <math.h>
#include <stddef.h>

/* What may become of an unknown; passed as unsigned char. */
enum { ECHELON_FIRST, ECHELON_LATER, ECHELON_NEVER };

/* A row so much smaller than the largest is rounding. */
#define ECHELON_INERT 1e-12

static inline double echelon_most(int columns, const double *row) {
    double most = 0;
    for (int j = 0; j < columns; j++) most = fmax(most, fabs(row[j]));
    return most;
}

/* Rows to a greatest entry of one: what is a small pivot must not depend on units. */
static inline void echelon_scale(int rows, int columns, int stride, double *G) {
    double most = 0;
    for (int i = 0; i < rows; i++) most = fmax(most, echelon_most(columns, G + (size_t)i * (size_t)stride));
    for (int i = 0; i < rows && most > 0; i++) {
        double *row = G + (size_t)i * (size_t)stride, own = echelon_most(columns, row);
        if (!(own > ECHELON_INERT * most)) own = most;
        for (int j = 0; j < stride; j++) row[j] /= own;
    }
}

/* The greatest entry of rows from k on among columns of one kind that are not taken (taken[j] < 0); 0: none. */
static inline double echelon_choose(int rows, int columns, int stride, const double *G, const unsigned char *kinds,
                                    int kind, int k, const int *taken, int *row, int *column) {
    double most = 0;
    for (int i = k; i < rows; i++) {
        const double *g = G + (size_t)i * (size_t)stride;
        for (int j = 0; j < columns; j++) {
            if (taken[j] >= 0 || (kinds ? kinds[j] : ECHELON_FIRST) != kind || !(fabs(g[j]) > most)) continue;
            most = fabs(g[j]);
            *row = i;
            *column = j;
        }
    }
    return most;
}

/* Row `from` comes to place k, is divided by its pivot and taken out of all others. */
static inline void echelon_step(int rows, int stride, double *G, int k, int from, int column) {
    double *restrict pivot = G + (size_t)k * (size_t)stride;
    if (from != k) {
        double *other = G + (size_t)from * (size_t)stride;
        for (int j = 0; j < stride; j++) {
            const double t = pivot[j];
            pivot[j] = other[j];
            other[j] = t;
        }
    }
    const double inverse = 1 / pivot[column];
    for (int j = 0; j < stride; j++) pivot[j] *= inverse;
    pivot[column] = 1;
    for (int i = 0; i < rows; i++) {
        double *restrict row = G + (size_t)i * (size_t)stride;
        const double f = row[column];
        if (i == k || f == 0) continue;
        for (int j = 0; j < stride; j++) row[j] -= f * pivot[j];
        row[column] = 0;
    }
}

/* kinds is (columns) or NULL: all FIRST; LATER ones are taken when no FIRST one has a pivot above floor. Then
 *   x_j + sum over unknowns not taken G[k][i] x_i + (right sides of row k) = 0,     k = taken[j] >= 0,
 * and taken[j] = -1 for the others. Returns the rank; *least: the smallest pivot, 1 at most. Entries of right sides in
 * rows from the rank on are what contradicts. */
static inline int echelon_reduce(int rows, int columns, int stride, double *G, const unsigned char *kinds, double floor,
                                 int *taken, double *least) {
    int k = 0, kind = ECHELON_FIRST;
    *least = 1;
    for (int j = 0; j < columns; j++) taken[j] = -1;
    echelon_scale(rows, columns, stride, G);
    while (k < rows && kind <= ECHELON_LATER) {
        int row = k, column = 0;
        const double pivot = echelon_choose(rows, columns, stride, G, kinds, kind, k, taken, &row, &column);
        if (!(pivot > floor)) {
            kind++;
            continue;
        }
        *least = fmin(*least, pivot);
        echelon_step(rows, stride, G, k, row, column);
        taken[column] = k++;
    }
    return k;
}

#endif
