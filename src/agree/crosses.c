/* Questions whose answer two functions must give together: the inverse of the mass matrix, round trips, and the mixed
 * problem against a motion that solves it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "agree/roster.h"

/* |M^-1| S, into scratch. */
static void spread_mass(ziTrial *t) {
    const size_t n = t->nv;
    memset(t->square, 0, n * n * sizeof *t->square);
    for (size_t i = 0; i < n; i++) {
        double *row = t->square + i * n;
        for (size_t k = 0; k < n; k++) {
            const double x = fabs(t->X[i * n + k]), *S = t->S + k * n;
            for (size_t j = 0; j < n && x > 0; j++) row[j] += x * S[j];
        }
    }
}

/* sizes (+)= (|M^-1| S) |B|, with the product in scratch. */
static void spread_times(const ziTrial *t, const double *B, double *sizes) {
    const size_t n = t->nv;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            const double x = t->square[i * n + k];
            for (size_t j = 0; j < n && x > 0; j++) sizes[i * n + j] += x * fabs(B[k * n + j]);
        }
    }
}

/* The inverse of the mass matrix ---------------------------------------------------------------------- */

/* dX = X dM X - X dM X dM X. Where terms cancel exactly, as those of grippers whose fingers push a free base by
 * opposite forces, the first is zero, and what is left is the square of rounding. */
static bool minv_sizes(ziTrial *t, double epsilon, double *sizes) {
    const size_t nn = t->nv * t->nv;
    const double eps = zi_trial_depth(t) * epsilon;
    memset(sizes, 0, nn * sizeof *sizes);
    memset(t->second, 0, nn * sizeof *sizes);
    spread_mass(t);
    spread_times(t, t->X, sizes);
    spread_times(t, sizes, t->second);
    for (size_t i = 0; i < nn; i++) sizes[i] += eps * t->second[i];
    return t->regular;
}

bool zi_sizes_minv(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    return minv_sizes(t, DBL_EPSILON, sizes);
}

static bool single_minv_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    return minv_sizes(t, FLT_EPSILON / 2, sizes);
}

static zvStatus minv_solves(ziTrial *t, const void *row, double *X) {
    (void)row;
    zvStatus status = ZV_OK;
    memset(t->x, 0, t->nv * sizeof *t->x);
    for (size_t k = 0; k < t->nv && status >= 0; k++) {
        t->x[k] = 1;
        status = zv_mass_inverse_times(t->model, t->work, t->q, t->x, X + k * t->nv);
        t->x[k] = 0;
    }
    return status;
}

static zvStatus minv_generated(ziTrial *t, const void *row, double *X) {
    return zi_recorded_run(row, t->q, NULL, NULL, X);
}

/* M^-1 M: errors of the inverse, |M^-1| S |M^-1|, times |M|, and those of M. */
static bool unit_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t n = t->nv;
    if (!zi_sizes_minv(t, median, sizes)) return false;
    for (size_t i = 0; i < n; i++) { /* row by row over itself */
        memcpy(t->x, sizes + i * n, n * sizeof *t->x);
        for (size_t j = 0; j < n; j++) sizes[i * n + j] = t->square[i * n + j];
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) sizes[i * n + j] += t->x[k] * fabs(t->M[k * n + j]);
    }
    return true;
}

static zvStatus unit_known(ziTrial *t, const void *row, double *one) {
    (void)row;
    for (size_t i = 0; i < t->nv * t->nv; i++) one[i] = i % (t->nv + 1) == 0;
    return ZV_OK;
}

/* M^-1 M, which no method computes on its way. */
static zvStatus unit_product(ziTrial *t, const void *row, double *one) {
    (void)row;
    const size_t n = t->nv;
    zv_mass_matrix(t->model, t->work, t->q, t->M);
    const zvStatus status = zv_mass_inverse(t->model, t->work, t->q, t->square);
    memset(one, 0, n * n * sizeof *one);
    for (size_t i = 0; i < n && status >= 0; i++) {
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) one[i * n + j] += t->square[i * n + k] * t->M[k * n + j];
    }
    return status;
}

/* Round trips ----------------------------------------------------------------------------------------- */

static bool back_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    zi_error_scale_forces(&t->error_scale, t->v, t->a, t->load, t->forces);
    return zi_sizes_accelerated(t, t->forces, sizes);
}

static zvStatus back_known(ziTrial *t, const void *row, double *a) {
    (void)row;
    memcpy(a, t->a, t->nv * sizeof *a);
    return ZV_OK;
}

static zvStatus back_found(ziTrial *t, const void *row, double *a) {
    (void)row;
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, t->a, t->load, t->x);
    return zv_forward_dynamics(t->model, t->work, t->q, t->v, t->x, t->load, a);
}

/* An error of the accelerations comes back as S times it. */
static bool forth_sizes(ziTrial *t, const double *median, double *sizes) {
    (void)median;
    if (zv_forward_dynamics(t->model, t->work, t->q, t->v, t->tau, t->load, t->y) < 0) return false;
    zi_error_scale_forces(&t->error_scale, t->v, t->y, t->load, t->forces);
    for (size_t i = 0; i < t->nv; i++) t->forces[i] += fabs(t->tau[i]);
    if (!zi_sizes_accelerated(t, t->forces, t->y)) return false;
    for (size_t i = 0; i < t->nv; i++) {
        sizes[i] = t->forces[i];
        for (size_t j = 0; j < t->nv; j++) sizes[i] += t->S[i * t->nv + j] * t->y[j];
    }
    return true;
}

static zvStatus forth_known(ziTrial *t, const void *row, double *tau) {
    (void)row;
    memcpy(tau, t->tau, t->nv * sizeof *tau);
    return ZV_OK;
}

static zvStatus forth_found(ziTrial *t, const void *row, double *tau) {
    (void)row;
    const zvStatus status = zv_forward_dynamics(t->model, t->work, t->q, t->v, t->tau, t->load, t->x);
    if (status >= 0) zv_inverse_dynamics(t->model, t->work, t->q, t->v, t->x, t->load, tau);
    return status;
}

/* Mixed dynamics: (a, tau) ---------------------------------------------------------------------------- */

static bool is_free(const ziTrial *t, size_t i) { return t->given[i] == ZV_GIVEN_FORCE; }

/* With f the freedoms whose forces are given: sizes s of forces move a_f by |M_ff^-1| s_f, and tau of the others by
 * that times S. */
static bool mixed_sizes(ziTrial *t, const double *median, double *sizes) {
    const size_t n = t->nv;
    zi_error_scale_forces(&t->error_scale, t->v, median, t->load, t->forces);
    memset(sizes, 0, n * sizeof *sizes);
    memset(t->x, 0, n * sizeof *t->x);
    for (size_t j = 0; j < n; j++) { /* M_ff^-1 column by column */
        if (!is_free(t, j)) continue;
        t->x[j] = 1;
        if (zv_structural_inverse_times(t->model, t->work, t->q, t->given, NULL, 0, 0, t->x, t->y) < 0) return false;
        t->x[j] = 0;
        for (size_t i = 0; i < n; i++) sizes[i] += is_free(t, i) ? fabs(t->y[i]) * t->forces[j] : 0;
    }
    for (size_t i = 0; i < n; i++) {
        sizes[n + i] = is_free(t, i) ? 0 : t->forces[i];
        for (size_t j = 0; j < n && !is_free(t, i); j++) sizes[n + i] += t->S[i * n + j] * sizes[j];
    }
    return true;
}

void zi_mixed_motion(ziTrial *t, double *answer) {
    for (size_t i = 0; i < t->nv; i++) answer[i] = t->given[i] == ZV_GIVEN_LOCKED ? 0 : t->a[i];
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, answer, t->load, answer + t->nv);
}

static zvStatus mixed_known(ziTrial *t, const void *row, double *answer) {
    (void)row;
    zi_mixed_motion(t, answer);
    return ZV_OK;
}

static zvStatus mixed_found(ziTrial *t, const void *row, double *answer) {
    (void)row;
    zi_mixed_motion(t, answer);
    for (size_t i = 0; i < t->nv; i++) answer[is_free(t, i) ? i : t->nv + i] = (double)NAN; /* to be found */
    return zv_mixed_dynamics(t->model, t->work, t->q, t->v, t->given, t->load, answer + t->nv, answer);
}

/* Each question is followed by the methods that answer it. */
void zi_roster_crosses(ziRoster *r, const ziRing *ring, const ziRecordedSet *generated) {
    const size_t nv = (size_t)r->model->nv;
    zi_roster_ask(r, "inverse-mass", "M^-1", nv * nv, zi_sizes_minv);
    zi_roster_add_table(r, ZV_QUESTION_INVERSE_MASS);
    zi_roster_add(r, "solves", minv_solves, NULL)->cubic = true;
    zi_roster_add_derivative(r, ZI_LANED_MINV);
    zi_roster_add_lanes(r, ring, ZI_LANED_MINV);
    zi_roster_add_recorded(r, generated, ZI_RECORDED_MINV, minv_generated);
    zi_roster_ask_single(r, ring, ZI_LANED_MINV, "inverse-mass-single", nv * nv, single_minv_sizes);
    zi_roster_ask(r, "unit", "M^-1 M = 1", nv * nv, unit_sizes);
    ziContender *known = zi_roster_add(r, "unit matrix", unit_known, NULL);
    ziContender *product = zi_roster_add(r, "product", unit_product, NULL);
    known->known = product->untimed = known->cubic = product->cubic = true;
    zi_roster_ask(r, "back", "forward(inverse(a)) = a", nv, back_sizes);
    zi_roster_add(r, "given a", back_known, NULL)->known = true;
    zi_roster_add(r, "forward(inverse)", back_found, NULL);
    zi_roster_ask(r, "forth", "inverse(forward(tau)) = tau", nv, forth_sizes);
    zi_roster_add(r, "given tau", forth_known, NULL)->known = true;
    zi_roster_add(r, "inverse(forward)", forth_found, NULL);
    zi_roster_ask(r, "mixed", "a and tau of a random mask", 2 * nv, mixed_sizes);
    zi_roster_add(r, "inverse", mixed_known, NULL)->known = true;
    zi_roster_add(r, "mixed", mixed_found, NULL);
    zi_roster_add_lanes(r, ring, ZI_LANED_MIXED);
    zi_roster_ask_single(r, ring, ZI_LANED_MIXED, "mixed-single", 2 * nv, mixed_sizes);
}
