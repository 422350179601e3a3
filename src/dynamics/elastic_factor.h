/* J_ee of an elastic body as factors: M of the body alone is constant and factored once, when the model is frozen; what
 * hangs on its sections adds Psi^T M_s Psi, six products z z^T each. O(n^2) where a new factorisation takes O(n^3).
 *
 *   L D L^T + z z^T, column after column, from alpha = 1:     [Gill, Golub, Murray, Saunders 1974], method C1
 *     p = z_j,  D' = D + alpha p^2,  gamma = D / D',  beta = alpha p / D',  alpha' = alpha gamma
 *     L'_ij = gamma L_ij + beta z_i,  z'_i = z_i - p L_ij
 * Nothing cancels that did not in the sum itself: entries of L' and D' are sums weighted by gamma and 1 - gamma.
 * Rows here are those of L^T: row j holds D_j, then L_ij for i > j. Pivots: double only. */
#ifndef ZI_DYNAMICS_ELASTIC_FACTOR_H
#define ZI_DYNAMICS_ELASTIC_FACTOR_H

#include "linalg/cholesky.h"
#include "spatial/inertia.h"

enum { ELASTIC_RANKS = 6 };

/* Rows of L^T from the lower triangle of M's factors. */
static inline void factor_copy(int n, const double *lower, real *A) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) A[(size_t)j * (size_t)n + (size_t)i] = lower[(size_t)i * (size_t)n + (size_t)j];
}

/* M = sum c_m c_m^T of a symmetric matrix without negative eigenvalues; forces beyond its rank are zero. Diagonal
 * entries are scaled to one first: mass and moment of inertia do not compare. */
static inline void inertia_shares(const articulated *M, force c[ELASTIC_RANKS]) {
    real A[36], size[6], k[6], columns[3][9];
    int order[6];
    m3_to(columns[0], M->A);
    m3_to(columns[1], M->B);
    m3_to(columns[2], M->C);
    for (int i = 0; i < 3; i++) {
        size[i] = sqrt(fmax(columns[0][4 * i], 0));
        size[3 + i] = sqrt(fmax(columns[2][4 * i], 0));
    }
    for (int i = 0; i < 6; i++) k[i] = size[i] > 0 ? 1 / size[i] : 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[6 * i + j] = k[i] * k[j] * columns[0][3 * j + i];
            A[6 * i + 3 + j] = A[6 * (3 + j) + i] = k[i] * k[3 + j] * columns[1][3 * j + i];
            A[6 * (3 + i) + 3 + j] = k[3 + i] * k[3 + j] * columns[2][3 * j + i];
        }
    }
    int rank = cholesky_factor(6, A, order, 1e-15);
    for (int m = 0; m < ELASTIC_RANKS; m++) {
        real x[6] = {0};
        for (int i = m; i < 6 && m < rank; i++) x[order[i]] = size[order[i]] * A[6 * i + m];
        c[m] = force_of(v3_of(x), v3_of(x + 3));
    }
}

/* One column's step of an update. */
typedef struct FactorStep {
    real p, beta, gamma;
} FactorStep;

/* The entries of row j of L^T behind its diagonal, for three updates at a time. */
static inline void factor_row(int count, FactorStep a, FactorStep b, FactorStep c, real *restrict row,
                              real *restrict z0, real *restrict z1, real *restrict z2) {
    for (int i = 0; i < count; i++) {
        const real L0 = row[i], x0 = z0[i], x1 = z1[i], x2 = z2[i];
        const real L1 = a.gamma * L0 + a.beta * x0, L2 = b.gamma * L1 + b.beta * x1;
        z0[i] = x0 - a.p * L0;
        z1[i] = x1 - b.p * L1;
        z2[i] = x2 - c.p * L2;
        row[i] = c.gamma * L2 + c.beta * x2;
    }
}

/* L D L^T += sum of z_m z_m^T; z is (6 x n) and spoilt. */
static inline void factor_add(int n, real *A, real *z) {
    real alpha[ELASTIC_RANKS] = {1, 1, 1, 1, 1, 1};
    FactorStep step[ELASTIC_RANKS];
    for (int j = 0; j < n; j++) {
        real *row = A + (size_t)j * (size_t)n, D = row[j];
        for (int m = 0; m < ELASTIC_RANKS; m++) {
            const real p = z[m * n + j], sum = D + alpha[m] * p * p, k = 1 / sum;
            step[m].p = p;
            step[m].gamma = D * k;
            step[m].beta = alpha[m] * p * k;
            alpha[m] *= step[m].gamma;
            D = sum;
        }
        row[j] = D;
        for (int m = 0; m < ELASTIC_RANKS; m += 3) {
            real *next = z + m * n + j + 1;
            factor_row(n - j - 1, step[m], step[m + 1], step[m + 2], row + j + 1, next, next + n, next + 2 * n);
        }
    }
}

#endif
