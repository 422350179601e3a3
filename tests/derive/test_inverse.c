/* Derivatives of inverse dynamics against those of the reference in long double, on random trees of all joint types
 * with loads and coupled joints; test_complex.c has all columns of larger trees without these.
 *
 * tau is quadratic in v, so central differences by v are exact with any step; v is rounded so that v + 1 is. Those by q
 * are extrapolated from three steps (Richardson): what is left is h^6 and the rounding of long double over h, both
 * below a double's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "derive/uncancelled.h"
#include "support/run_tests.h"

enum { CASES = 180, DEEPEST = 10, SEED = 70000 };

/* Roundings on the way of one term through a joint; eps counts the joints. */
enum { TOLERANCE = 12 };
static const exact step = 0x1p-10L;

/* Splines have jumps of their third derivative at knots: a case next to one is moved away. */
static void leave_knots(rtCase *c) {
    for (int j = 0; j < c->ref->njoint; j++) {
        const refCurve *path = &c->ref->joints[j].path;
        zvJointPlace place = zv_model_joint_place(c->model, j);
        if (place.nq == 0 || zv_model_joint(c->model, j)->type != ZV_JOINT_CURVE || path->segments == 0) continue;
        double *q = c->q + place.q_index, length = (double)path->knots[path->segments];
        for (int i = 0; i <= path->segments; i++) {
            double off = remainder(*q - (double)path->knots[i], length);
            if (fabs(off) < 8 * (double)step) *q += 16 * (double)step;
        }
    }
}

/* tau of the reference at q moved by t along coordinate k. */
static void tau_at(rtCase *c, int k, exact t, exact *tau) {
    c->x[k] = 1;
    ref_place_along(c->ref, c->q, c->x, t);
    c->x[k] = 0;
    ref_move(c->ref, c->v, c->a);
    ref_inverse(c->ref, c->fext, true, tau);
}

/* (f(h) - f(-h)) / 2h for h, h/2, h/4, freed of h^2 and h^4. */
static void column_by_q(rtCase *c, int k, exact *column) {
    exact *plus = lin_numbers(c->nv), *minus = lin_numbers(c->nv);
    const exact weight[3] = {1 / 45.0L, -20 / 45.0L, 64 / 45.0L};
    for (int i = 0; i < c->nv; i++) column[i] = c->x[i] = 0;
    for (int level = 0; level < 3; level++) {
        exact h = ldexpl(step, -level);
        tau_at(c, k, h, plus);
        tau_at(c, k, -h, minus);
        for (int i = 0; i < c->nv; i++) column[i] += weight[level] * (plus[i] - minus[i]) / (2 * h);
    }
    free(plus);
    free(minus);
}

/* All columns of small trees, some of large ones: each takes the reference six times to where it has not been. */
static bool check_by_q(rtCase *c, const double *dq) {
    enum { COLUMNS = 3 };
    exact *column = lin_numbers(c->nv), *scale = lin_numbers(c->nv);
    bool good = true;
    scale_by_q(c, c->a, c->fext, c->S);
    for (int i = 0; i < COLUMNS && i < c->nv && good; i++) {
        const int k = c->nv <= COLUMNS ? i : rt_below(&c->random, c->nv);
        column_by_q(c, k, column);
        for (int l = 0; l < c->nv; l++) c->y[l] = dq[l * c->nv + k], scale[l] = c->S[l * c->nv + k];
        good = rt_near(c, "column of dq", c->nv, c->y, column, scale, TOLERANCE);
    }
    free(column);
    free(scale);
    return good;
}

static bool check_by_v(rtCase *c, const double *dv) {
    exact *plus = lin_numbers(c->nv), *minus = lin_numbers(c->nv), *least = lin_numbers(c->nv);
    ref_place(c->ref, c->q);
    ref_error_scale(c->ref, c->v, NULL, NULL, false, c->error_scale);
    for (int i = 0; i < c->nv; i++) least[i] = c->error_scale->tau[i], c->x[i] = fabs(c->v[i]);
    for (int k = 0; k < c->nv; k++) {
        c->v[k] += 1;
        ref_move(c->ref, c->v, c->a);
        ref_inverse(c->ref, c->fext, true, plus);
        c->v[k] -= 2;
        ref_move(c->ref, c->v, c->a);
        ref_inverse(c->ref, c->fext, true, minus);
        c->v[k] += 1;
        c->x[k] += 1;
        ref_error_scale(c->ref, c->x, NULL, NULL, false, c->error_scale);
        c->x[k] -= 1;
        for (int i = 0; i < c->nv; i++) {
            c->M[i * c->nv + k] = (plus[i] - minus[i]) / 2;
            c->S[i * c->nv + k] = c->error_scale->tau[i] - least[i];
        }
    }
    free(plus);
    free(minus);
    free(least);
    return rt_near(c, "dv", c->nv * c->nv, dv, c->M, c->S, TOLERANCE);
}

static bool check_by_a(rtCase *c, const double *da) {
    ref_place(c->ref, c->q);
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    const bool coupled = c->ref->freedoms > c->nv; /* then sums are taken in another order */
    for (int i = 0; i < c->nv && !coupled; i++)
        for (int k = 0; k < i; k++) assert_true(da[i * c->nv + k] == da[k * c->nv + i]);
    return rt_near(c, "da", c->nv * c->nv, da, c->M, c->S, TOLERANCE);
}

static bool agrees(rtCase *c) {
    const size_t square = (size_t)c->nv * (size_t)c->nv;
    double *X = malloc((3 * square + 1) * sizeof *X);
    assert_non_null(X);
    leave_knots(c);
    for (int i = 0; i < c->nv; i++) c->v[i] = (float)c->v[i];
    for (size_t i = 0; i < 3 * square; i++) X[i] = NAN;
    bool good =
        zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, c->fext, X, X + square, X + 2 * square) == ZV_OK;
    good = good && check_by_a(c, X + 2 * square) && check_by_v(c, X + square) && check_by_q(c, X);
    free(X);
    return good;
}

static void one_type(void **state) {
    (void)state;
    assert_true(rt_each_type(SEED + 5000, agrees));
}

static void all_types(void **state) {
    (void)state;
    assert_true(rt_each(SEED, CASES, DEEPEST, NULL, agrees));
}

TESTS(one_type, all_types)
