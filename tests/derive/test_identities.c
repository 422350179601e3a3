/* What derivatives obey by themselves, which of them are asked for, and where there are none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "derive/tangents.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { CASES = 200, DEEPEST = 60, SEED = 72000 };

/* At rest nothing depends on v to first order. */
static bool still(rtCase *c) {
    if (zv_inverse_derivatives(c->model, c->work, c->q, NULL, c->a, c->fext, NULL, c->A, NULL) != ZV_OK) return false;
    for (int i = 0; i < c->nv * c->nv; i++)
        if (c->A[i] != 0) return false;
    return true;
}

static void at_rest(void **state) {
    (void)state;
    assert_true(rt_each(SEED, CASES, DEEPEST, NULL, still));
}

/* Weight has a potential: its derivative by true coordinates is symmetric. */
static bool potential(rtCase *c) {
    if (zv_inverse_derivatives(c->model, c->work, c->q, NULL, NULL, NULL, c->A, NULL, NULL) != ZV_OK) return false;
    ref_error_scale(c->ref, NULL, NULL, NULL, true, c->error_scale);
    for (int i = 0; i < c->nv; i++) {
        for (int k = 0; k < i; k++) {
            exact size = c->error_scale->tau[i] + c->error_scale->tau[k];
            if (!(fabsl((exact)c->A[i * c->nv + k] - c->A[k * c->nv + i]) <= 40 * c->eps * size)) return false;
        }
    }
    return true;
}

static void only_hinges(int index, rtOptions *options) {
    (void)index;
    options->types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(UNIVERSAL) | RT_TYPE(FIXED);
    options->free_base = false;
}

static void of_weight(void **state) {
    (void)state;
    assert_true(rt_each(SEED + 1000, CASES, DEEPEST, only_hinges, potential));
}

/* dv v is twice the part of tau that is quadratic in v (Euler), which the bias has besides weight. */
static bool homogeneous(rtCase *c) {
    if (zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, c->fext, NULL, c->A, NULL) != ZV_OK) return false;
    zv_bias(c->model, c->work, c->q, c->v, c->x);
    zv_gravity_force(c->model, c->work, c->q, c->y);
    ref_error_scale(c->ref, c->v, NULL, NULL, true, c->error_scale);
    for (int i = 0; i < c->nv; i++) {
        c->want[i] = 2 * ((exact)c->x[i] - c->y[i]);
        c->scale[i] = c->error_scale->tau[i];
        exact sum = 0;
        for (int k = 0; k < c->nv; k++) {
            sum += (exact)c->A[i * c->nv + k] * c->v[k];
            c->scale[i] += fabsl((exact)c->A[i * c->nv + k] * c->v[k]);
        }
        c->x[i] = (double)sum;
    }
    return rt_near(c, "dv v", c->nv, c->x, c->want, c->scale, 40);
}

static void quadratic_in_v(void **state) {
    (void)state;
    assert_true(rt_each(SEED + 2000, CASES, DEEPEST, NULL, homogeneous));
}

/* Each answer is the same whatever else is asked for, and nothing else is written. */
static bool alone(rtCase *c) {
    const size_t square = (size_t)c->nv * (size_t)c->nv;
    double *X = malloc((4 * square + 3) * sizeof *X), *Y = X + 3 * square + 1;
    assert_non_null(X);
    double *x[3] = {X, X + square, X + 2 * square};
    X[3 * square] = 7;
    bool good = zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, NULL, x[0], x[1], x[2]) == ZV_OK;
    good = good && X[3 * square] == 7;
    for (int i = 0; i < 3; i++) {
        double *only[3] = {NULL, NULL, NULL};
        only[i] = Y + 1;
        Y[0] = Y[square + 1] = 7;
        zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, NULL, only[0], only[1], only[2]);
        good = good && memcmp(only[i], x[i], square * sizeof *X) == 0 && Y[0] == 7 && Y[square + 1] == 7;
    }
    zv_forward_derivatives(c->model, c->work, c->q, c->v, c->tau, c->fext, c->x, x[0], x[1], x[2]);
    for (int i = 0; i < 3; i++) {
        double *only[3] = {NULL, NULL, NULL};
        only[i] = Y + 1;
        zv_forward_derivatives(c->model, c->work, c->q, c->v, c->tau, c->fext, NULL, only[0], only[1], only[2]);
        good = good && memcmp(only[i], x[i], square * sizeof *X) == 0 && Y[0] == 7 && Y[square + 1] == 7;
    }
    free(X);
    return good;
}

static void one_at_a_time(void **state) {
    (void)state;
    assert_true(rt_each(SEED + 3000, CASES, DEEPEST, NULL, alone));
}

static zvModel *two_links(bool elastic, bool massless) {
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), arm = zv_link_default("arm");
    zvJoint hinge = zv_joint_default("hinge", ZV_JOINT_REVOLUTE, "base", "arm");
    zvBeam beam = zv_beam_default();
    zvModel *model = NULL;
    arm.has_inertia = !massless;
    if (!massless) arm.inertia = (zvInertia){.mass = 1, .com = {0.5, 0, 0}, .moment = {0.01, 0, 0, 0.1, 0, 0.1}};
    zv_section_fill(&beam, 7e10, 3e10, 2700, ZV_SECTION_CIRCLE, (double[3]){0.02}, false);
    beam.modes[0] = 1;
    if (elastic) arm.beam = &beam;
    assert_int_equal(zv_builder_add_link(b, &base, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &arm, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &hinge, NULL), ZV_OK);
    assert_true(zv_builder_freeze(b, &model, NULL) >= 0);
    zv_builder_destroy(b);
    return model;
}

static zvStatus ask(bool elastic, bool massless, bool forward) {
    zvModel *model = two_links(elastic, massless);
    zvWork *work = zv_work_create(model, NULL);
    double q[8] = {0.3}, X[64];
    assert_non_null(work);
    zvStatus status = forward ? zv_forward_derivatives(model, work, q, NULL, NULL, NULL, NULL, X, NULL, NULL)
                              : zv_inverse_derivatives(model, work, q, NULL, NULL, NULL, X, NULL, NULL);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return status;
}

static void statuses(void **state) {
    (void)state;
    assert_int_equal(ask(false, false, false), ZV_OK);
    assert_int_equal(ask(false, false, true), ZV_OK);
    const zvStatus elastic = zi_tangents_there() ? ZV_OK : ZV_NOT_SUPPORTED;
    assert_int_equal(ask(true, false, false), elastic);
    assert_int_equal(ask(true, false, true), elastic);
    assert_int_equal(ask(false, true, false), ZV_OK);
    assert_int_equal(ask(false, true, true), ZV_SINGULAR);
}

TESTS(at_rest, of_weight, quadratic_in_v, one_at_a_time, statuses)
