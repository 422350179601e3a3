/* The questions of dynamics.h: their tables, mixed dynamics with one mask, the Coriolis matrix, generated programs. */
#include <math.h>
#include <string.h>

#include "agree/roster.h"

/* "O(n depth^2)" and "O(n^2 depth)"; of those that factor a mass matrix one stays as an independent check. */
static bool is_cubic(const zvMethod *row) {
    return strstr(row->cost, "^2") && strstr(row->cost, "depth") && strcmp(row->name, "mass") != 0;
}

/* Rows that need no external forces have nothing to say in states that have them. */
static zvStatus inverse_by(ziTrial *t, const void *row, double *tau) {
    return ((const zvMethod *)row)->run(t->model, t->work, t->q, t->v, t->a, t->load, tau);
}

static zvStatus forward_by(ziTrial *t, const void *row, double *a) {
    return ((const zvMethod *)row)->run(t->model, t->work, t->q, t->v, t->tau, t->load, a);
}

static zvStatus unloaded_by(ziTrial *t, const void *row, double *answer) {
    return ((const zvMethod *)row)->run(t->model, t->work, t->q, t->v, NULL, NULL, answer);
}

/* Rows outside of whose domain the robot lies keep their place in the list, with the reason. */
void zi_roster_add_table(ziRoster *r, zvQuestion question) {
    static const ziAnswer answers[ZV_QUESTIONS] = {
        [ZV_QUESTION_INVERSE] = inverse_by, [ZV_QUESTION_FORWARD] = forward_by};
    size_t count;
    const zvMethod *rows = zv_methods(question, &count);
    for (size_t i = 0; i < count; i++) {
        const char *obstacle = zv_domain_obstacle(rows[i].domain, r->model, false);
        if (obstacle)
            zi_roster_excuse(r, rows[i].name, obstacle);
        else
            zi_roster_add(r, rows[i].name, answers[question] ? answers[question] : unloaded_by, &rows[i])->cubic =
                question == ZV_QUESTION_INVERSE_MASS || is_cubic(&rows[i]);
    }
}

/* Mass matrix ----------------------------------------------------------------------------------------- */

static bool mass_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    memcpy(sizes, t->S, t->nv * t->nv * sizeof *sizes);
    return true;
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
    zi_roster_add_table(r, ZV_QUESTION_MASS);
    zi_roster_add_derivative(r, ZI_LANED_MASS);
    zi_roster_add_lanes(r, ring, ZI_LANED_MASS);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_MASS, mass_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_MASS, "mass-single", nv * nv, mass_sizes);
    zi_roster_ask(r, "bias", "forces C v + g + k at a = 0", nv, bias_sizes);
    zi_roster_add_table(r, ZV_QUESTION_BIAS);
    zi_roster_add(r, "coriolis-matrix", bias_coriolis, NULL);
    zi_roster_add_lanes(r, ring, ZI_LANED_BIAS);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_BIAS, bias_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_BIAS, "bias-single", nv, bias_sizes);
    zi_roster_ask(r, "inverse", "forces tau of a motion", nv, inverse_sizes);
    zi_roster_add_table(r, ZV_QUESTION_INVERSE);
    zi_roster_add(r, "mixed", inverse_mixed, NULL);
    zi_roster_add_lanes(r, ring, ZI_LANED_INVERSE);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_INVERSE, inverse_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_INVERSE, "inverse-single", nv, inverse_sizes);
    zi_roster_ask(r, "forward", "accelerations a of forces", nv, forward_sizes);
    zi_roster_add_table(r, ZV_QUESTION_FORWARD);
    zi_roster_add(r, "mixed", forward_mixed, NULL);
    zi_roster_add(r, "inverse-mass", forward_inverse_mass, NULL)->cubic = true;
    zi_roster_add_derivative(r, ZI_LANED_FORWARD);
    zi_roster_add_lanes(r, ring, ZI_LANED_FORWARD);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_FORWARD, forward_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_FORWARD, "forward-single", nv, forward_sizes);
}
