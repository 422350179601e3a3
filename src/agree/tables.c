/* The questions of dynamics.h: their tables, mixed dynamics with one mask, the Coriolis matrix, generated programs. */
#include <math.h>
#include <string.h>

#include "agree/roster.h"

static const char elastic_links[] = "defined for rigid links only";

/* "O(n depth^2)" and "O(n^2 depth)"; of those that factor a mass matrix one is a witness that remains. */
static bool is_cubic(const char *name, const char *cost) {
    return strstr(cost, "^2") && strstr(cost, "depth") && strcmp(name, "mass") != 0;
}

/* Adds the rows of a table whose domain holds. */
#define ADD_TABLE(roster, type, table, answer)                                         \
    do {                                                                               \
        size_t count_;                                                                 \
        const type *rows_ = table(&count_);                                            \
        for (size_t i_ = 0; i_ < count_; i_++) {                                       \
            if (zv_domain_holds(rows_[i_].domain, (roster)->model))                    \
                zi_roster_add((roster), rows_[i_].name, (answer), &rows_[i_])->cubic = \
                    is_cubic(rows_[i_].name, rows_[i_].cost);                          \
            else                                                                       \
                zi_roster_excuse((roster), rows_[i_].name, elastic_links);             \
        }                                                                              \
    } while (0)

/* Mass matrix ----------------------------------------------------------------------------------------- */

static bool mass_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    memcpy(sizes, t->S, t->nv * t->nv * sizeof *sizes);
    return true;
}

static zvStatus mass_by(ziTrial *t, const void *row, double *M) {
    return ((const zvMassMethod *)row)->run(t->model, t->work, t->q, M);
}

static zvStatus mass_generated(ziTrial *t, const void *row, double *M) {
    return zi_recorded_run(row, t->q, NULL, NULL, M);
}

/* Forces at a = 0 ------------------------------------------------------------------------------------- */

static bool bias_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    zi_error_scale_forces(&t->error_scale, t->v, NULL, NULL, sizes);
    return true;
}

static zvStatus bias_by(ziTrial *t, const void *row, double *bias) {
    return ((const zvBiasMethod *)row)->run(t->model, t->work, t->q, t->v, bias);
}

static zvStatus bias_generated(ziTrial *t, const void *row, double *bias) {
    return zi_recorded_run(row, t->q, t->v, NULL, bias);
}

/* C v + g + k */
static zvStatus bias_coriolis(ziTrial *t, const void *row, double *bias) {
    (void)row;
    zv_coriolis_matrix(t->model, t->work, t->q, t->v, t->square);
    zv_gravity_force(t->model, t->work, t->q, bias);
    zv_elastic_force(t->model, t->q, t->v, t->x);
    for (size_t i = 0; i < t->nv; i++) {
        bias[i] += t->x[i];
        for (size_t j = 0; j < t->nv; j++) bias[i] += t->square[i * t->nv + j] * t->v[j];
    }
    return ZV_OK;
}

/* Inverse dynamics ------------------------------------------------------------------------------------ */

static bool inverse_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    zi_error_scale_forces(&t->error_scale, t->v, t->a, t->load, sizes);
    return true;
}

static zvStatus inverse_by(ziTrial *t, const void *row, double *tau) {
    return ((const zvInverseMethod *)row)->run(t->model, t->work, t->q, t->v, t->a, t->load, tau);
}

static zvStatus inverse_mixed(ziTrial *t, const void *row, double *tau) {
    (void)row;
    memset(t->mask, ZV_GIVEN_ACCELERATION, t->nv);
    memcpy(t->x, t->a, t->nv * sizeof *t->x);
    return zv_mixed_dynamics(t->model, t->work, t->q, t->v, t->mask, t->load, tau, t->x);
}

static zvStatus inverse_generated(ziTrial *t, const void *row, double *tau) {
    if (t->load) return ZV_NOT_SUPPORTED;
    return zi_recorded_run(row, t->q, t->v, t->a, tau);
}

/* Forward dynamics ------------------------------------------------------------------------------------ */

bool zi_sizes_accelerated(const ziTrial *t, const double *forces, double *sizes) {
    for (size_t i = 0; i < t->nv; i++) {
        sizes[i] = 0;
        for (size_t j = 0; j < t->nv; j++) sizes[i] += fabs(t->X[i * t->nv + j]) * forces[j];
    }
    return t->regular;
}

static bool forward_sizes(ziTrial *t, const double *median, double *sizes) {
    zi_error_scale_forces(&t->error_scale, t->v, median, t->load, t->forces);
    for (size_t i = 0; i < t->nv; i++) t->forces[i] += fabs(t->tau[i]);
    return zi_sizes_accelerated(t, t->forces, sizes);
}

static zvStatus forward_by(ziTrial *t, const void *row, double *a) {
    return ((const zvForwardMethod *)row)->run(t->model, t->work, t->q, t->v, t->tau, t->load, a);
}

static zvStatus forward_mixed(ziTrial *t, const void *row, double *a) {
    (void)row;
    memset(t->mask, ZV_GIVEN_FORCE, t->nv);
    memcpy(t->x, t->tau, t->nv * sizeof *t->x);
    return zv_mixed_dynamics(t->model, t->work, t->q, t->v, t->mask, t->load, t->x, a);
}

/* M^-1 (tau - bias) with the whole inverse */
static zvStatus forward_inverse_mass(ziTrial *t, const void *row, double *a) {
    (void)row;
    const zvStatus status = zv_mass_inverse(t->model, t->work, t->q, t->square);
    if (status < 0) return status;
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, NULL, t->load, t->x);
    for (size_t i = 0; i < t->nv; i++) {
        a[i] = 0;
        for (size_t j = 0; j < t->nv; j++) a[i] += t->square[i * t->nv + j] * (t->tau[j] - t->x[j]);
    }
    return ZV_OK;
}

static zvStatus forward_generated(ziTrial *t, const void *row, double *a) {
    if (t->load) return ZV_NOT_SUPPORTED;
    return zi_recorded_run(row, t->q, t->v, t->tau, a);
}

/* A question for every table, with whatever else answers it. */
void zi_roster_tables(ziRoster *r, const ziRing *ring, const ziRecordedSet *generated) {
    const size_t nv = (size_t)r->model->nv;
    zi_roster_ask(r, "mass", "M(q)", nv * nv, mass_sizes);
    ADD_TABLE(r, zvMassMethod, zv_mass_methods, mass_by);
    zi_roster_add_forced(r, ZI_LANED_MASS);
    zi_roster_add_derivative(r, ZI_LANED_MASS);
    zi_roster_add_lanes(r, ring, ZI_LANED_MASS);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_MASS, mass_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_MASS, "mass-single", nv * nv, mass_sizes);
    zi_roster_ask(r, "bias", "forces C v + g + k at a = 0", nv, bias_sizes);
    ADD_TABLE(r, zvBiasMethod, zv_bias_methods, bias_by);
    zi_roster_add(r, "coriolis-matrix", bias_coriolis, NULL);
    zi_roster_add_forced(r, ZI_LANED_BIAS);
    zi_roster_add_lanes(r, ring, ZI_LANED_BIAS);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_BIAS, bias_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_BIAS, "bias-single", nv, bias_sizes);
    zi_roster_ask(r, "inverse", "forces tau of a motion", nv, inverse_sizes);
    ADD_TABLE(r, zvInverseMethod, zv_inverse_methods, inverse_by);
    zi_roster_add(r, "mixed", inverse_mixed, NULL);
    zi_roster_add_forced(r, ZI_LANED_INVERSE);
    zi_roster_add_lanes(r, ring, ZI_LANED_INVERSE);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_INVERSE, inverse_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_INVERSE, "inverse-single", nv, inverse_sizes);
    zi_roster_ask(r, "forward", "accelerations a of forces", nv, forward_sizes);
    ADD_TABLE(r, zvForwardMethod, zv_forward_methods, forward_by);
    zi_roster_add(r, "mixed", forward_mixed, NULL);
    zi_roster_add(r, "inverse-mass", forward_inverse_mass, NULL)->cubic = true;
    zi_roster_add_forced(r, ZI_LANED_FORWARD);
    zi_roster_add_derivative(r, ZI_LANED_FORWARD);
    zi_roster_add_lanes(r, ring, ZI_LANED_FORWARD);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_FORWARD, forward_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_FORWARD, "forward-single", nv, forward_sizes);
}
