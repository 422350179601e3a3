/* Structures with known motions: linear ones with up to four masses, a pendulum, a body that turns freely. */
#ifndef ZV_TESTS_INTEGRATE_STRUCTURES_H
#define ZV_TESTS_INTEGRATE_STRUCTURES_H

#include "problem.h"
#include "support/linear.h"

enum { MASSES = 4 };

/* M a + D v + K q = force cos(pace t); the last entry of y, if wanted, is the energy that the dampers took. */
typedef struct Linear {
    int n;
    bool books;
    double M[MASSES], D[MASSES][MASSES], K[MASSES][MASSES], force[MASSES], pace;
    double share; /* of D and K that the reduced matrix has */
    long rates, residuals, solves;
} Linear;

static inline void add_move(void *context, const double *q, const double *x, double *moved) {
    const Linear *l = context;
    for (int i = 0; i < l->n; i++) moved[i] = q[i] + x[i];
}

static inline double linear_loss(const Linear *l, const double *v) {
    double loss = 0;
    for (int i = 0; i < l->n; i++) {
        for (int j = 0; j < l->n; j++) loss += v[i] * l->D[i][j] * v[j];
    }
    return loss;
}

static inline int linear_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    Linear *l = context;
    const double *v = y + l->n;
    l->residuals++;
    for (int i = 0; i < l->n; i++) {
        r[i] = l->M[i] * a[i] - l->force[i] * cos(l->pace * t);
        for (int j = 0; j < l->n; j++) r[i] += l->D[i][j] * v[j] + l->K[i][j] * y[j];
    }
    if (l->books) rest[0] = linear_loss(l, v);
    return 0;
}

static inline int linear_reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                                 const double *r, double *x) {
    Linear *l = context;
    exact S[MASSES * MASSES], right[MASSES], answer[MASSES];
    int rows[MASSES];
    (void)t, (void)y, (void)lag;
    l->solves++;
    for (int i = 0; i < l->n; i++) {
        for (int j = 0; j < l->n; j++)
            S[i * l->n + j] = (i == j ? l->M[i] : 0) + l->share * (damping * l->D[i][j] + stiffness * l->K[i][j]);
        right[i] = r[i];
    }
    if (!lin_lu(l->n, S, rows)) return 1;
    lin_lu_solve(l->n, S, rows, right, answer);
    for (int i = 0; i < l->n; i++) x[i] = (double)answer[i];
    return 0;
}

static inline int linear_rate(void *context, double t, const double *y, double *dy) {
    Linear *l = context;
    double zero[MASSES] = {0}, r[MASSES];
    l->residuals--;
    linear_residual(context, t, y, zero, r, dy + 2 * l->n);
    l->rates++;
    for (int i = 0; i < l->n; i++) {
        dy[i] = y[l->n + i];
        dy[l->n + i] = -r[i] / l->M[i];
    }
    return 0;
}

static inline zvOde linear_ode(Linear *l, zvStructure *structure) {
    *structure =
        (zvStructure){.nq = l->n, .nv = l->n, .move = add_move, .residual = linear_residual, .reduced = linear_reduced};
    return (zvOde){.size = 2 * l->n + l->books,
                   .context = l,
                   .rate = linear_rate,
                   .quadratures = l->books,
                   .structure = structure};
}

/* x'' + omega^2 x = 0 */
static inline Linear oscillator_of(double omega) {
    return (Linear){.n = 1, .M = {1}, .K = {{omega * omega}}, .share = 1};
}

static inline zvStructural newmark_of(double beta, double gamma) {
    zvStructural s = zv_structural_default();
    s.beta = beta;
    s.gamma = gamma;
    return s;
}

static inline zvIntegrationOptions options_of(const char *method, const zvStructural *structural, double h) {
    return (zvIntegrationOptions){.method = method, .step = h, .rtol = 1e-6, .atol = 1e-6, .structural = structural};
}

/* The state at t_end of a run from 0. */
static inline void march(const zvOde *ode, const zvIntegrationOptions *o, double t_end, const double *from, double *y) {
    zvIntegrator *in = make(ode, o);
    begin(in, 0, from);
    run_to(in, t_end);
    memcpy(y, zv_integrator_state(in), (size_t)ode->size * sizeof *y);
    zv_integrator_destroy(in);
}

#endif
