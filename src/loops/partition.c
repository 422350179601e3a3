/* Coordinate partitioning: the equations in independent accelerations, then the multipliers from the dense G. */
#include <math.h>
#include <string.h>

#include "linalg/echelon.h"
#include "linalg/ltdl.h"
#include "linalg/qr.h"
#include "loops/closed.h"
#include "loops/reduction.h"
#include "model/tree.h"

bool zi_fits_dense(const zvModel *m) {
    return m->tree.nv <= ZI_SCRATCH_MATRIX_MAX &&
           (!m->tree.closed || m->tree.closed->rows <= 2 * ZI_SCRATCH_MATRIX_MAX);
}

/* Entries below this part of what they could be are rounding; rows are when no entry is above the second. */
#define ROUNDING 1e-13
#define INERT 1e-12

/* Conditions of the loops that are closed. */
int zi_closed_rows(const zvModel *m, const zvClosing *closing) {
    int rows = 0;
    for (int i = 0; i < m->nloop; i++) rows += zi_is_open(m, closing, i) ? 0 : m->tree.closed->constraint[i].rows;
    return rows;
}

/* G with its rows in comparable units, those of open loops zero. */
void zi_dense_jacobian(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, double *G,
                       double *unit) {
    const int rows = zv_model_nloop_rows(m);
    if (rows == 0) return;
    zv_loop_jacobian(m, work, q, G);
    zi_row_units(m, work, q, unit);
    for (int i = 0; i < rows; i++) {
        double *row = G + (size_t)i * (size_t)m->nv, most = 0;
        for (int j = 0; j < m->nv; j++) {
            const double reach = zi_velocity_reach(m, j);
            row[j] *= unit[i];
            most = fmax(most, fabs(row[j]) / reach);
            if (fabs(row[j]) < ROUNDING * reach) row[j] = 0;
        }
        if (most < INERT) memset(row, 0, (size_t)m->nv * sizeof *row);
    }
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        double *first = G + (size_t)constraint->row * (size_t)m->nv;
        if (zi_is_open(m, closing, i)) memset(first, 0, (size_t)constraint->rows * (size_t)m->nv * sizeof *G);
    }
}

/* Of least norm, by QR with pivots: redundant conditions share the force. */
zvStatus zi_least_multipliers(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, double *forces,
                              double *lambda) {
    const int rows = zv_model_nloop_rows(m);
    if (rows == 0) return ZV_OK;
    const size_t count = (size_t)rows;
    zvWork below = *work;
    double *G = zi_scratch_doubles(&below.scratch, count * (size_t)m->nv), *buffer;
    double *scale = zi_scratch_doubles(&below.scratch, count), *beta = zi_scratch_doubles(&below.scratch, count);
    double *unit = zi_scratch_doubles(&below.scratch, count);
    int *order = zi_scratch_take(&below.scratch, count * sizeof *order);
    zi_dense_jacobian(m, &below, closing, q, G, unit);
    buffer = zi_scratch_doubles(&below.scratch, semidefinite_doubles(rows));
    const int rank = qr_factor(rows, m->nv, G, order, scale, beta, ZI_REDUCTION_FLOOR);
    for (int i = 0; i < rows; i++) scale[i] *= unit[i]; /* least in lambda's own units */
    qr_solve(rows, m->nv, G, order, scale, beta, rank, forces, lambda, buffer);
    return rank < zi_closed_rows(m, closing) ? ZV_DEGRADED : ZV_OK;
}

zvStatus zi_solve_reduced(int n, double *D, double *scratch, double *x) {
    real_ok ok = 1;
    ltdl_factor(ltdl_dense(n), D, scratch, &ok);
    if (!ok) return ZV_SINGULAR;
    ltdl_solve(ltdl_dense(n), D, x);
    return ZV_OK;
}

void zi_project_columns(int nv, int n, const double *P, int m, const double *X, double *Y) {
    memset(Y, 0, (size_t)n * (size_t)m * sizeof *Y);
    for (int i = 0; i < nv; i++) {
        const double *p = P + (size_t)i * (size_t)n, *restrict x = X + (size_t)i * (size_t)m;
        for (int r = 0; r < n; r++) {
            double *restrict y = Y + (size_t)r * (size_t)m;
            if (p[r] == 0) continue;
            for (int c = 0; c < m; c++) y[c] += p[r] * x[c];
        }
    }
}

void zi_multiply(int rows, int inner, const double *A, int m, const double *X, double *Y) {
    memset(Y, 0, (size_t)rows * (size_t)m * sizeof *Y);
    for (int i = 0; i < rows; i++) {
        double *restrict y = Y + (size_t)i * (size_t)m;
        for (int k = 0; k < inner; k++) {
            const double f = A[(size_t)i * (size_t)inner + (size_t)k], *restrict x = X + (size_t)k * (size_t)m;
            if (f == 0) continue;
            for (int c = 0; c < m; c++) y[c] += f * x[c];
        }
    }
}

/* v = P v_r, a = P a_r + gamma, [Kolyubin] 3.3. */
typedef struct Partition {
    int n, rank;
    double *P, *gamma;
} Partition;

/* From G and the bias: P is (nv x n). E, the conditions, lies in scratch memory only as long as this. */
static Partition divide(const zvModel *m, zvWork below, const zvClosing *closing, const double *q, const double *v,
                        double *P, double *gamma) {
    const int rows = zv_model_nloop_rows(m), nv = m->nv;
    const size_t count = (size_t)rows, width = (size_t)nv + 1;
    double *E = zi_scratch_doubles(&below.scratch, count * width), *bias = zi_scratch_doubles(&below.scratch, count),
           least;
    double *unit = zi_scratch_doubles(&below.scratch, count);
    int *taken = zi_scratch_take(&below.scratch, (size_t)nv * sizeof *taken);
    zi_dense_jacobian(m, &below, closing, q, E, unit);
    zv_loop_bias(m, &below, closing, q, v, bias);
    for (int i = rows - 1; i >= 0; i--) { /* from rows of nv to rows of nv + 1 */
        memmove(E + (size_t)i * width, E + (size_t)i * (size_t)nv, (size_t)nv * sizeof *E);
        E[(size_t)i * width + (size_t)nv] = unit[i] * bias[i];
    }
    const int rank = echelon_reduce(rows, nv, nv + 1, E, NULL, ZI_REDUCTION_FLOOR, taken, &least);
    const Partition parts = {nv - rank, rank, P, gamma};
    memset(P, 0, (size_t)nv * (size_t)parts.n * sizeof *P);
    for (int j = 0, column = 0; j < nv; j++) { /* an independent one gives its column, and one in its own row */
        gamma[j] = taken[j] < 0 ? 0 : -E[(size_t)taken[j] * width + (size_t)nv];
        if (taken[j] >= 0) continue;
        P[(size_t)j * (size_t)parts.n + (size_t)column] = 1;
        for (int i = 0; i < nv; i++) {
            if (taken[i] >= 0)
                P[(size_t)i * (size_t)parts.n + (size_t)column] = -E[(size_t)taken[i] * width + (size_t)j];
        }
        column++;
    }
    return parts;
}

/* a from P^T M P a_r = P^T x with x = tau - bias - M gamma; three matrices in scratch memory besides P. */
static zvStatus accelerate(const zvModel *m, zvWork below, const double *q, const Partition *parts, const double *x,
                           double *a) {
    const int n = parts->n, nv = m->nv;
    const size_t size = (size_t)nv;
    double *MP = zi_scratch_doubles(&below.scratch, size * (size_t)n),
           *D = zi_scratch_doubles(&below.scratch, (size_t)n * (size_t)n);
    double *a_r = zi_scratch_doubles(&below.scratch, size), *scratch = zi_scratch_doubles(&below.scratch, size);
    double *M = zi_scratch_doubles(&below.scratch, size * size);
    zv_mass_matrix(m, &below, q, M);
    zi_multiply(nv, nv, M, n, parts->P, MP);
    zi_project_columns(nv, n, parts->P, n, MP, D);
    zi_project_columns(nv, n, parts->P, 1, x, a_r);
    if (zi_solve_reduced(n, D, scratch, a_r) != ZV_OK) return ZV_SINGULAR;
    zi_multiply(nv, n, parts->P, 1, a_r, a);
    for (int i = 0; i < nv; i++) a[i] += parts->gamma[i];
    return ZV_OK;
}

/* Independent accelerations first, then the multipliers. */
zvStatus zi_partition_dynamics(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                               const double *v, const double *tau, const double *fext, double *a, double *lambda) {
    if (m->nloop == 0) return zv_forward_dynamics(m, work, q, v, tau, fext, a);
    if (!zi_fits_dense(m)) return ZV_SIZE;
    const size_t nv = (size_t)m->nv;
    zvWork below = *work;
    double *P = zi_scratch_doubles(&below.scratch, nv * nv), *gamma = zi_scratch_doubles(&below.scratch, nv);
    double *x = zi_scratch_doubles(&below.scratch, nv), *answer = zi_scratch_doubles(&below.scratch, nv);
    const Partition parts = divide(m, below, closing, q, v, P, gamma);
    zv_inverse_dynamics(m, &below, q, v, gamma, fext, x);
    for (int i = 0; i < m->nv; i++) x[i] = (tau ? tau[i] : 0) - x[i];
    if (accelerate(m, below, q, &parts, x, answer) != ZV_OK) return ZV_SINGULAR;
    if (lambda) {
        zv_inverse_dynamics(m, &below, q, v, answer, fext, x);
        for (int i = 0; i < m->nv; i++) x[i] -= tau ? tau[i] : 0;
        zi_least_multipliers(m, &below, closing, q, x, lambda);
    }
    memcpy(a, answer, nv * sizeof *a); /* last: it may be v or tau */
    return parts.rank < zi_closed_rows(m, closing) ? ZV_DEGRADED : ZV_OK;
}
