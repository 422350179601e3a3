/* Forward dynamics with loops. The answer is (a, G^T lambda): where conditions repeat each other lambda is not one
 * number, but the forces it makes are.
 *
 * With X = M^-1, H = X G^T (G X G^T)^-1 of the conditions that count and W = X - H G X, errors s of forces and c of
 * conditions move a by |W| s + |H| c, and G^T lambda = M a + bias - tau with it. c holds what elimination through the
 * open tree's motion makes of s, |G X| s. */
#include <math.h>
#include <string.h>

#include "agree/roster.h"
#include "dynamics/mass.h"
#include "linalg/semidefinite.h"

static zvStatus closed_by(ziTrial *t, const void *row, double *answer) {
    const zvClosedMethod *method = row;
    const zvStatus status = method->run(t->model, t->work, NULL, t->q, t->v, t->tau, t->load, answer, t->lambda);
    if (status >= 0) zv_loop_forces(t->model, t->work, t->q, t->lambda, answer + t->nv);
    return status;
}

static double row_size(const ziTrial *t, size_t k) {
    double most = 0;
    for (size_t j = 0; j < t->nv; j++) most = fmax(most, fabs(t->G[k * t->nv + j]));
    return most;
}

/* G X, G X G^T */
static void set_system(ziTrial *t) {
    const size_t n = t->nv, r = t->rows;
    memset(t->GX, 0, r * n * sizeof *t->GX);
    for (size_t k = 0; k < r; k++) {
        double *row = t->GX + k * n;
        for (size_t i = 0; i < n; i++) {
            const double g = t->G[k * n + i];
            for (size_t j = 0; j < n && g != 0; j++) row[j] += g * t->X[i * n + j];
        }
        for (size_t l = 0; l < r; l++) {
            t->A[k * r + l] = 0;
            for (size_t j = 0; j < n; j++) t->A[k * r + l] += row[j] * t->G[l * n + j];
        }
    }
}

/* Y (rank x nv) := H^T, rows in the order of the factor. Returns the rank. */
static int set_answers(ziTrial *t) {
    const int n = (int)t->nv, r = (int)t->rows;
    const int rank = semidefinite_factor(r, r, t->A, t->order, t->unit, 1e-9);
    memcpy(t->Y, t->GX, t->rows * t->nv * sizeof *t->Y);
    semidefinite_half(r, r, t->A, t->order, t->unit, rank, n, n, t->Y);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < rank; k++) t->row[k] = t->Y[k * n + j];
        semidefinite_back(r, t->A, rank, t->row);
        for (int k = 0; k < rank; k++) t->Y[k * n + j] = t->row[k] * t->unit[t->order[k]];
    }
    return rank;
}

/* s into forces, c into row. */
static void set_errors(ziTrial *t, const double *a) {
    double speed = 0, boost = 0;
    zi_error_scale_forces(&t->error_scale, t->v, a, t->load, t->forces);
    for (size_t i = 0; i < t->nv; i++) {
        t->forces[i] += fabs(t->tau[i]);
        for (size_t k = 0; k < t->rows; k++) t->forces[i] += row_size(t, k) * fabs(t->lambda[k]);
        speed += fabs(t->v[i]);
        boost += fabs(a[i]);
    }
    for (size_t k = 0; k < t->rows; k++) {
        t->row[k] = fabs(t->bias[k]) + row_size(t, k) * (speed * speed + boost);
        for (size_t j = 0; j < t->nv; j++) t->row[k] += fabs(t->GX[k * t->nv + j]) * t->forces[j];
    }
}

/* Errors of forces and conditions, carried through elimination (file head). */
static bool closed_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t n = t->nv;
    if (!t->regular) return false;
    zv_closed_forward_dynamics(t->model, t->work, NULL, t->q, t->v, t->tau, t->load, t->x, t->lambda);
    zv_loop_jacobian(t->model, t->work, t->q, t->G);
    zv_loop_bias(t->model, t->work, NULL, t->q, t->v, t->bias);
    set_system(t);
    const size_t rank = (size_t)set_answers(t);
    set_errors(t, median);
    for (size_t i = 0; i < n; i++) {
        sizes[i] = 0;
        for (size_t j = 0; j < n; j++) {
            double W = t->X[i * n + j];
            for (size_t k = 0; k < rank; k++) W -= t->Y[k * n + i] * t->GX[(size_t)t->order[k] * n + j];
            sizes[i] += fabs(W) * t->forces[j];
        }
        for (size_t k = 0; k < rank; k++) sizes[i] += fabs(t->Y[k * n + i]) * t->row[t->order[k]];
    }
    for (size_t i = 0; i < n; i++) {
        sizes[n + i] = t->forces[i];
        for (size_t j = 0; j < n; j++) sizes[n + i] += t->S[i * n + j] * sizes[j];
    }
    return true;
}

void zi_roster_closed(ziRoster *r) {
    size_t count;
    const zvClosedMethod *methods = zv_closed_methods(&count);
    if (r->model->nloop == 0) return;
    zi_roster_ask(r, "closed", "a and G^T lambda with loops", 2 * (size_t)r->model->nv, closed_sizes);
    for (size_t i = 0; i < count; i++) zi_roster_add(r, methods[i].name, closed_by, &methods[i]);
}

/* The two sets of recursions that stand behind dynamics.h, each by itself: reduced ones (dynamics/reduced_*.h), which
 * the library takes for rigid trees without external forces, and general ones, which it takes for everything else.
 * Which of them a call would be sent to does not matter here. */

static zvStatus mass_reduced(ziTrial *t, const void *row, double *M) {
    (void)row;
    return zi_mass_by_kernel(t->model, t->work, zi_kernels(t->model)->reduced_mass, t->q, M);
}

static zvStatus mass_general(ziTrial *t, const void *row, double *M) {
    (void)row;
    return zi_mass_by_kernel(t->model, t->work, zi_kernels(t->model)->composite, t->q, M);
}

/* External forces of zero are external forces. */
static zvStatus bias_general(ziTrial *t, const void *row, double *bias) {
    (void)row;
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, NULL, t->no_load, bias);
    return ZV_OK;
}

static zvStatus inverse_general(ziTrial *t, const void *row, double *tau) {
    (void)row;
    if (t->load) return ZV_NOT_SUPPORTED; /* newton-euler is it then */
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, t->a, t->no_load, tau);
    return ZV_OK;
}

static zvStatus forward_general(ziTrial *t, const void *row, double *a) {
    (void)row;
    if (t->load) return ZV_NOT_SUPPORTED;
    return zv_forward_dynamics(t->model, t->work, t->q, t->v, t->tau, t->no_load, a);
}

/* Factors of M, however long the arm. */
static zvStatus forward_reduced(ziTrial *t, const void *row, double *a) {
    const zvModel *m = t->model;
    (void)row;
    if (t->load) return ZV_NOT_SUPPORTED;
    return zi_kernels(m)->reduced_forward(&m->tree, zi_scratch_of(m, t->work), t->q, t->v, t->tau, m->tree.gravity, a);
}

static zvStatus minv_reduced(ziTrial *t, const void *row, double *X) {
    (void)row;
    return zi_kernels(t->model)->reduced_minv(&t->model->tree, zi_scratch_of(t->model, t->work), t->q, X);
}

static zvStatus minv_factors(ziTrial *t, const void *row, double *X) {
    const zvModel *m = t->model;
    (void)row;
    zi_kernels(m)->composite(&m->tree, zi_scratch_of(m, t->work), t->q, X);
    return zi_kernels(m)->invert(&m->tree, zi_scratch_of(m, t->work), X);
}

static zvStatus minv_sweeps(ziTrial *t, const void *row, double *X) {
    (void)row;
    return zi_kernels(t->model)->articulated_inverse(&t->model->tree, zi_scratch_of(t->model, t->work), t->q, X);
}

/* The list ------------------------------------------------------------------------------------------------ */

enum { REDUCED = 1, TREES = 2, CUBIC = 4, ELASTIC = 8 };

typedef struct Forced {
    const char *name;
    ziAnswer answer;
    unsigned
        traits; /* needs the reduced tree; not with coupled mimic joints; grows with the cube; new to elastic links */
} Forced;

static const Forced rows[ZI_LANED][3] = {
    [ZI_LANED_MASS] = {{"lean", mass_reduced, REDUCED}, {"general", mass_general, 0}},
    [ZI_LANED_BIAS] = {{"general", bias_general, 0}},
    [ZI_LANED_INVERSE] = {{"general", inverse_general, 0}},
    [ZI_LANED_FORWARD] = {{"lean", forward_reduced, REDUCED | TREES | CUBIC}, {"general", forward_general, 0}},
    [ZI_LANED_MINV] = {{"lean", minv_reduced, REDUCED | TREES | CUBIC},
                       {"factors", minv_factors, TREES | CUBIC},
                       {"sweeps", minv_sweeps, TREES | CUBIC | ELASTIC}}};

/* Why not, or NULL. */
static const char *obstacle(const zvModel *m, unsigned traits) {
    if (!m->tree.reduced && traits & REDUCED) return "defined for rigid links only";
    if (!m->tree.reduced && !(traits & ELASTIC))
        return "elastic links have this recursion only: it is among the others";
    return m->coupling.count && traits & TREES ? "not with coupled mimic joints" : NULL;
}

void zi_roster_add_forced(ziRoster *r, ziLaned what) {
    for (int k = 0; k < 3 && rows[what][k].name; k++) {
        const Forced *row = &rows[what][k];
        const char *why = obstacle(r->model, row->traits);
        if (why)
            zi_roster_excuse(r, row->name, why);
        else
            zi_roster_add(r, row->name, row->answer, NULL)->cubic = row->traits & CUBIC;
    }
}
