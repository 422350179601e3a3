/* Inverse dynamics with loops: drive forces of least norm, dense.
 *   tau + G^T lambda = t,  t = M a + C v + g + k - J^T fext - beside,   tau = 0 where no drive acts
 * Unknowns are the multipliers: where no drive acts G_u^T lambda = t_u settles some of them, the others make
 * tau = t - G^T lambda smallest where drives act; what is held by something else takes what comes. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "linalg/qr.h"
#include "loops/closed.h"
#include "loops/reduction.h"
#include "model/tree.h"

/* Accelerations that miss the loops by more than this part of their terms contradict them. */
#define CONTRADICTION 1e-6
/* Forces missing below this part of all are rounding. */
#define MISSING 1e-9
/* Sums below this part of their terms are rounding. */
#define CANCELLED 1e-11

typedef struct LeastForceProblem {
    int rows, nv;
    const unsigned char *actuated; /* zvActuation; NULL: drives everywhere */
    double *G, *unit;              /* rows x nv, and what its rows were multiplied by */
    double *V;                     /* rows x nv: vectors that are being factored */
    double *t, *f, *lambda, *z;    /* nv, nv, rows, rows; lambda goes with these rows of G */
    double *scale, *beta, *W, *buffer;
    int *order;
} LeastForceProblem;

static zvActuation acts(const LeastForceProblem *p, int i) {
    return p->actuated ? (zvActuation)p->actuated[i] : ZV_ACTUATION_DRIVE;
}

/* Entries of a row of G in whose degrees of freedom acts what is wanted, one after another; how many. */
static int part_of_row(const LeastForceProblem *p, const double *row, zvActuation wanted, double *part) {
    int n = 0;
    for (int j = 0; j < p->nv; j++) {
        if (acts(p, j) == wanted) part[n++] = row[j];
    }
    return n;
}

/* lambda that meets G_u^T lambda = t_u as nearly as any; returns how much is missing. The factor stays in V: its null
 * vectors are W. */
static double least_multipliers(const LeastForceProblem *p, int *rank) {
    const int n = part_of_row(p, p->t, ZV_ACTUATION_NONE, p->f);
    for (int i = 0; i < p->rows; i++)
        part_of_row(p, p->G + (size_t)i * (size_t)p->nv, ZV_ACTUATION_NONE, p->V + (size_t)i * (size_t)n);
    *rank = qr_factor(p->rows, n, p->V, p->order, p->scale, p->beta, ZI_REDUCTION_FLOOR);
    qr_null(p->rows, n, p->V, p->order, p->scale, *rank, p->W);
    return qr_solve(p->rows, n, p->V, p->order, p->scale, p->beta, *rank, p->f, p->lambda, p->buffer);
}

/* tau = t - G^T lambda */
static void left_over(const LeastForceProblem *p, double *tau) {
    memcpy(tau, p->t, (size_t)p->nv * sizeof *tau);
    for (int i = 0; i < p->rows; i++) {
        const double *row = p->G + (size_t)i * (size_t)p->nv;
        for (int j = 0; j < p->nv; j++) tau[j] -= row[j] * p->lambda[i];
    }
}

/* f := the j-th null vector of what is settled, times G; what cancels is zero. */
static void free_forces(const LeastForceProblem *p, int rank, int j) {
    const double *w = p->W + (size_t)j * (size_t)rank, *own = p->G + (size_t)p->order[rank + j] * (size_t)p->nv;
    double most = 0;
    for (int c = 0; c < p->nv; c++) most = fmax(most, fabs(own[c]));
    memcpy(p->f, own, (size_t)p->nv * sizeof *p->f);
    for (int k = 0; k < rank; k++) {
        const double *row = p->G + (size_t)p->order[k] * (size_t)p->nv;
        for (int c = 0; c < p->nv; c++) {
            p->f[c] -= w[k] * row[c];
            most = fmax(most, fabs(w[k] * row[c]));
        }
    }
    for (int c = 0; c < p->nv; c++) {
        if (fabs(p->f[c]) < CANCELLED * most) p->f[c] = 0;
    }
}

/* The multipliers that are free, lambda + N z with N from W (order and rank as settled), make |tau| least. */
static void relieve(const LeastForceProblem *p, int rank, double *tau) {
    const int free = p->rows - rank;
    int *order = p->order, *inner = order + p->rows, n = 0;
    if (free == 0) return;
    for (int j = 0; j < free; j++) { /* V := N^T G, driven columns */
        free_forces(p, rank, j);
        n = part_of_row(p, p->f, ZV_ACTUATION_DRIVE, p->V + (size_t)j * (size_t)n);
    }
    part_of_row(p, tau, ZV_ACTUATION_DRIVE, p->f);
    const int inner_rank = qr_factor(free, n, p->V, inner, p->scale, p->beta, ZI_REDUCTION_FLOOR);
    qr_solve(free, n, p->V, inner, p->scale, p->beta, inner_rank, p->f, p->z, p->buffer);
    for (int j = 0; j < free; j++) {
        p->lambda[order[rank + j]] += p->z[j];
        for (int k = 0; k < rank; k++) p->lambda[order[k]] -= p->W[(size_t)j * (size_t)rank + (size_t)k] * p->z[j];
    }
    left_over(p, tau);
}

/* Whether a, which is given, contradicts the loops: |G a + bias|, in turns per s^2, against its terms. */
static bool contradicts(const LeastForceProblem *p, const double *a, const double *bias) {
    double worst = 0, size = 0;
    for (int i = 0; i < p->rows; i++) {
        double sum = p->unit[i] * bias[i], terms = fabs(sum);
        for (int j = 0; a && j < p->nv; j++) {
            const double term = p->G[(size_t)i * (size_t)p->nv + (size_t)j] * a[j];
            sum += term;
            terms += fabs(term);
        }
        worst = fmax(worst, fabs(sum));
        size = fmax(size, terms);
    }
    return worst > CONTRADICTION * size + 1e-9; /* at rest both are rounding */
}

/* Dense arrays from scratch memory, as large as the rows of G ask for. */
static LeastForceProblem lay_out_problem(const zvModel *m, ziScratch *scratch, const unsigned char *actuated) {
    const size_t rows = (size_t)zv_model_nloop_rows(m), nv = (size_t)m->nv;
    LeastForceProblem p = {.rows = (int)rows, .nv = m->nv, .actuated = actuated};
    p.G = zi_scratch_doubles(scratch, rows * nv);
    p.unit = zi_scratch_doubles(scratch, rows);
    p.V = zi_scratch_doubles(scratch, rows * nv);
    p.t = zi_scratch_doubles(scratch, nv);
    p.f = zi_scratch_doubles(scratch, nv);
    p.lambda = zi_scratch_doubles(scratch, rows);
    p.z = zi_scratch_doubles(scratch, rows);
    p.scale = zi_scratch_doubles(scratch, rows);
    p.beta = zi_scratch_doubles(scratch, rows);
    p.order = zi_scratch_take(scratch, 2 * rows * sizeof *p.order);
    p.W = zi_scratch_doubles(scratch, rows * rows);
    p.buffer = zi_scratch_doubles(scratch, semidefinite_doubles((int)rows));
    return p;
}

static double norm(int n, const double *x) { return sqrt(qr_dot(n, x, x)); }

static bool finite_numbers(int n, const double *x) {
    for (int i = 0; x && i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

/* t: what drives and loops have to give together. */
static void needed_forces(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                          const double *fext, const double *beside, double *t) {
    zv_inverse_dynamics(m, work, q, v, a, fext, t);
    for (int i = 0; beside && i < m->nv; i++) t[i] -= beside[i];
}

/* Without loops nothing is to be chosen. */
static zvStatus open_inverse(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                             const double *fext, const double *beside, const unsigned char *actuated, double *tau,
                             double *left) {
    double missing = 0, all;
    needed_forces(m, work, q, v, a, fext, beside, tau);
    all = norm(m->nv, tau);
    for (int i = 0; i < m->nv && actuated; i++) {
        if (actuated[i]) continue;
        missing = hypot(missing, tau[i]);
        tau[i] = 0;
    }
    if (!(missing > MISSING * all)) missing = 0;
    if (left) *left = missing;
    return missing > 0 ? ZV_DEGRADED : ZV_OK;
}

/* left: what no drive can give, zero where the motion is possible. */
zvStatus zi_closed_inverse_dynamics(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q,
                                    const double *v, const double *a, const double *fext, const double *beside,
                                    const unsigned char *actuated, double *tau, double *lambda, double *left) {
    if (!zi_fits_dense(m)) return ZV_SIZE;
    if (!finite_numbers(m->nq, q) || !finite_numbers(m->nv, v) || !finite_numbers(m->nv, a)) return ZV_NUMBER;
    if (!finite_numbers(zv_model_nexternal(m), fext) || !finite_numbers(m->nv, beside)) return ZV_NUMBER;
    if (m->nloop == 0) return open_inverse(m, work, q, v, a, fext, beside, actuated, tau, left);
    zvWork below = *work;
    const LeastForceProblem p = lay_out_problem(m, &below.scratch, actuated);
    zi_dense_jacobian(m, &below, closing, q, p.G, p.unit);
    zv_loop_bias(m, &below, closing, q, v, p.z);
    if (contradicts(&p, a, p.z)) return ZV_CLOSURE;
    needed_forces(m, &below, q, v, a, fext, beside, p.t);
    int rank;
    double missing = least_multipliers(&p, &rank);
    left_over(&p, tau);
    relieve(&p, rank, tau);
    for (int i = 0; i < m->nv; i++) {
        if (acts(&p, i) == ZV_ACTUATION_NONE) tau[i] = 0;
        p.f[i] = p.t[i] - tau[i];
    }
    if (!(missing > MISSING * norm(m->nv, p.t))) missing = 0;
    if (left) *left = missing;
    /* the multipliers of this tau, of least norm in their own units; G is factored in its place */
    rank = qr_factor(p.rows, p.nv, p.G, p.order, p.scale, p.beta, ZI_REDUCTION_FLOOR);
    for (int i = 0; i < p.rows; i++) p.scale[i] *= p.unit[i];
    qr_solve(p.rows, p.nv, p.G, p.order, p.scale, p.beta, rank, p.f, p.lambda, p.buffer);
    if (lambda) memcpy(lambda, p.lambda, (size_t)p.rows * sizeof *lambda);
    return missing > 0 || rank < zi_closed_rows(m, closing) ? ZV_DEGRADED : ZV_OK;
}

zvStatus zv_closed_inverse_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                                    const double *fext, const unsigned char *actuated, double *tau, double *lambda,
                                    double *left) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv));
    return zi_closed_inverse_dynamics(m, work, NULL, q, v, a, fext, NULL, actuated, tau, lambda, left);
}

zvStatus zv_closed_inverse_beside(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                                  const double *fext, const double *beside, const unsigned char *actuated, double *tau,
                                  double *lambda, double *left) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv));
    return zi_closed_inverse_dynamics(m, work, NULL, q, v, a, fext, beside, actuated, tau, lambda, left);
}
