/* What the headers promise of arrays: a vector answer may overwrite v, a, tau or x, a new position the old one, and a
 * missing input is zero. The answers must be the same bits as with arrays of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { MAX_NV = 6 * RT_MAX_JOINTS + 6, MAX_NQ = 7 * RT_MAX_JOINTS + 7 };

static bool same(const rtCase *c, const char *what, int count, const double *got, const double *want) {
    if (memcmp(got, want, (size_t)count * sizeof *got) == 0) return true;
    print_error("seed %llu: %s\n", (unsigned long long)c->seed, what);
    return false;
}

static void copy(int count, const double *from, double *to) { memcpy(to, from, (size_t)count * sizeof *to); }

static bool inverse_in_place(rtCase *c) {
    double x[MAX_NV];
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->y);
    copy(c->nv, c->a, x);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, x, c->fext, x);
    bool good = same(c, "tau over a", c->nv, x, c->y);
    copy(c->nv, c->v, x);
    zv_inverse_dynamics(c->model, c->work, c->q, x, c->a, c->fext, x);
    return good && same(c, "tau over v", c->nv, x, c->y);
}

static bool terms_in_place(rtCase *c) {
    double x[MAX_NV];
    zv_bias(c->model, c->work, c->q, c->v, c->y);
    copy(c->nv, c->v, x);
    zv_bias(c->model, c->work, c->q, x, x);
    bool good = same(c, "bias over v", c->nv, x, c->y);
    zv_mass_times(c->model, c->work, c->q, c->a, c->y);
    copy(c->nv, c->a, x);
    zv_mass_times(c->model, c->work, c->q, x, x);
    good = good && same(c, "M x over x", c->nv, x, c->y);
    zvStatus status = zv_mass_inverse_times(c->model, c->work, c->q, c->tau, c->y);
    copy(c->nv, c->tau, x);
    good = good && zv_mass_inverse_times(c->model, c->work, c->q, x, x) == status;
    return good && (status < 0 || same(c, "M^-1 x over x", c->nv, x, c->y));
}

static bool forward_in_place(rtCase *c) {
    double x[MAX_NV];
    zvStatus status = zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->y);
    if (status < 0) return true; /* undefined outputs */
    copy(c->nv, c->tau, x);
    zv_forward_dynamics(c->model, c->work, c->q, c->v, x, c->fext, x);
    bool good = same(c, "a over tau", c->nv, x, c->y);
    copy(c->nv, c->v, x);
    zv_forward_dynamics(c->model, c->work, c->q, x, c->tau, c->fext, x);
    return good && same(c, "a over v", c->nv, x, c->y);
}

/* tau and a are inputs and answers at once; the one input they may share an array with is v, where they are answers
 * only. */
static bool mixed_in_place(rtCase *c) {
    double x[MAX_NV], other[MAX_NV];
    unsigned char given[MAX_NV];
    memset(given, ZV_GIVEN_FORCE, sizeof given);
    copy(c->nv, c->tau, other);
    memset(c->y, 0, (size_t)c->nv * sizeof *c->y);
    if (zv_mixed_dynamics(c->model, c->work, c->q, c->v, given, c->fext, other, c->y) < 0) return true;
    copy(c->nv, c->v, x);
    zv_mixed_dynamics(c->model, c->work, c->q, x, given, c->fext, other, x);
    bool good = same(c, "mixed: a over v", c->nv, x, c->y) && same(c, "mixed: given tau", c->nv, other, c->tau);
    memset(given, ZV_GIVEN_ACCELERATION, sizeof given);
    copy(c->nv, c->a, other);
    zv_mixed_dynamics(c->model, c->work, c->q, c->v, given, c->fext, c->y, other);
    copy(c->nv, c->v, x);
    zv_mixed_dynamics(c->model, c->work, c->q, x, given, c->fext, x, other);
    return good && same(c, "mixed: tau over v", c->nv, x, c->y) && same(c, "mixed: given a", c->nv, other, c->a);
}

static bool position_in_place(rtCase *c) {
    double q[MAX_NQ], out[MAX_NQ];
    zv_position_add(c->model, c->q, c->v, out);
    copy(c->nq, c->q, q);
    zv_position_add(c->model, q, c->v, q);
    return same(c, "q_out over q", c->nq, q, out);
}

/* Differences of sign of zero do not count, hence no bits here. */
static bool equal(const rtCase *c, const char *what, const double *got) {
    for (int i = 0; i < c->nv; i++) {
        if (got[i] == c->y[i]) continue;
        print_error("seed %llu: %s\n", (unsigned long long)c->seed, what);
        return false;
    }
    return true;
}

static bool missing_is_zero(rtCase *c) {
    double zero[MAX_NV] = {0}, x[MAX_NV];
    zv_inverse_dynamics(c->model, c->work, c->q, zero, zero, NULL, c->y);
    zv_inverse_dynamics(c->model, c->work, c->q, NULL, NULL, NULL, x);
    bool good = equal(c, "inverse without v, a", x);
    if (zv_forward_dynamics(c->model, c->work, c->q, zero, zero, NULL, c->y) < 0) return good;
    zv_forward_dynamics(c->model, c->work, c->q, NULL, NULL, NULL, x);
    return good && equal(c, "forward without v, tau", x);
}

static void answers_over_inputs(void **state) {
    (void)state;
    assert_true(rt_each(101, 100, 40, NULL, inverse_in_place));
    assert_true(rt_each(102, 100, 40, NULL, terms_in_place));
    assert_true(rt_each(103, 100, 40, NULL, forward_in_place));
    assert_true(rt_each(104, 100, 40, NULL, mixed_in_place));
    assert_true(rt_each(105, 100, 40, NULL, position_in_place));
}

static void missing_inputs(void **state) {
    (void)state;
    assert_true(rt_each(106, 100, 40, NULL, missing_is_zero));
}

TESTS(answers_over_inputs, missing_inputs)
