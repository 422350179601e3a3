/* Derivatives of inverse dynamics against complex steps of the Newton-Euler kernel, exact to rounding, on random trees
 * of all joint types without loads and coupled joints (test_inverse.c has those). Quaternions move by zv_position_rate:
 * kernels take them with any length, so that their first change is enough. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "derive/complex_step.h"
#include "derive/uncancelled.h"
#include "support/run_tests.h"

enum { CASES = 400, DEEPEST = 30, SEED = 77000 };

/* Roundings on the way of one term through a joint, in either computation; eps counts the joints. */
enum { TOLERANCE = 24 };

/* Column k of d tau/d q and d tau/d v, and scales of the latter: what one more unit of v_k adds to the terms of tau. */
static void columns(rtCase *c, int k, double *dq, double *by_q, double *by_v) {
    const int n = c->nv;
    for (int i = 0; i < n; i++) c->x[i] = c->y[i] = 0;
    for (int i = 0; i < c->nq; i++) dq[i] = 0;
    c->x[k] = 1;
    complex_step(c->model, c->q, dq, c->v, c->x, c->a, by_v);
    zv_position_rate(c->model, c->q, c->x, dq);
    complex_step(c->model, c->q, dq, c->v, c->y, c->a, by_q);
}

static void scale_by_v(rtCase *c, const exact *least, int k, exact *scale) {
    for (int i = 0; i < c->nv; i++) c->x[i] = fabs(c->v[i]) + (i == k);
    ref_error_scale(c->ref, c->x, NULL, NULL, false, c->error_scale);
    for (int i = 0; i < c->nv; i++) scale[i] = c->error_scale->tau[i] - least[i];
}

static bool column_near(rtCase *c, const char *what, int k, const double *X, const double *want, const exact *scale) {
    for (int i = 0; i < c->nv; i++) c->y[i] = X[i * c->nv + k], c->want[i] = want[i];
    return rt_near(c, what, c->nv, c->y, c->want, scale, TOLERANCE);
}

static bool agrees(rtCase *c) {
    const int n = c->nv;
    const size_t square = (size_t)n * (size_t)n;
    double *X = malloc((2 * square + 2 * (size_t)n + (size_t)c->nq + 1) * sizeof *X);
    double *by_q = X + 2 * square, *by_v = by_q + n, *dq = by_v + n;
    exact *least = lin_numbers(n);
    assert_non_null(X);
    bool good = zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, NULL, X, X + square, NULL) == ZV_OK;
    scale_by_q(c, c->a, NULL, c->S);
    for (int i = 0; i < n; i++) c->x[i] = fabs(c->v[i]);
    ref_error_scale(c->ref, c->x, NULL, NULL, false, c->error_scale);
    for (int i = 0; i < n; i++) least[i] = c->error_scale->tau[i];
    for (int k = 0; k < n && good; k++) {
        columns(c, k, dq, by_q, by_v);
        for (int i = 0; i < n; i++) c->scale[i] = c->S[i * n + k];
        good = column_near(c, "column of dq", k, X, by_q, c->scale);
        scale_by_v(c, least, k, c->scale);
        good = good && column_near(c, "column of dv", k, X + square, by_v, c->scale);
    }
    free(least);
    free(X);
    return good;
}

/* The kernel of derivatives reads as C++ on another scalar, one column at a time, and says the same. */
static bool same_text(rtCase *c) {
    const size_t square = (size_t)c->nv * (size_t)c->nv;
    double *X = malloc((4 * square + 1) * sizeof *X);
    assert_non_null(X);
    zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, NULL, X, X + square, NULL);
    complex_derive(c->model, c->q, c->v, c->a, X + 2 * square, X + 3 * square);
    scale_by_q(c, c->a, NULL, c->S);
    for (size_t i = 0; i < square; i++) c->M[i] = X[2 * square + i];
    const bool good = rt_near(c, "dq", (int)square, X, c->M, c->S, TOLERANCE);
    free(X);
    return good;
}

static void uncouple(int index, rtOptions *options) {
    (void)index;
    options->coupled = false;
}

static void all_types(void **state) {
    (void)state;
    assert_true(rt_each(SEED, CASES, DEEPEST, uncouple, agrees));
}
static void another_scalar(void **state) {
    (void)state;
    assert_true(rt_each(SEED + 5000, 100, DEEPEST, uncouple, same_text));
}

TESTS(all_types, another_scalar)
