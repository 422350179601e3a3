/* (M + diag(extra))^-1 x against the dense matrix of the reference: random trees, coupled ones too.
 * Tolerance: 16 x depth x eps (32 where joints follow others: their positions are rounded themselves) x the uncancelled
 * terms S + extra pushed through the inverse on both sides, the componentwise condition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

/* bound = |inverse| S |inverse x| */
static void error_bound(int n, const exact *inverse, const exact *sizes, const exact *solution, exact *bound) {
    for (int i = 0; i < n; i++) {
        bound[i] = 0;
        for (int k = 0; k < n; k++) {
            exact row = 0;
            for (int j = 0; j < n; j++) row += sizes[k * n + j] * fabsl(solution[j]);
            bound[i] += fabsl(inverse[i * n + k]) * row;
        }
    }
}

static bool coupled(const zvModel *model) {
    bool any = false;
    for (int j = 0; j < zv_model_njoint(model); j++) any = any || zv_model_joint_place(model, j).mimic >= 0;
    return any;
}

static bool augmented_agrees(rtCase *c) {
    int n = c->nv;
    exact *inverse = lin_numbers(n * n), *sizes = lin_numbers(n * n), *x = lin_numbers(n);
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, sizes);
    for (int i = 0; i < n; i++) {
        c->y[i] = rt_chance(&c->random, 0.3) ? 0 : rt_decades(&c->random, -3, 4);
        c->M[i * n + i] += c->y[i];
        sizes[i * n + i] += c->y[i];
        x[i] = c->tau[i];
    }
    bool good = lin_inverse(n, c->M, inverse);
    lin_times(n, inverse, x, c->want);
    error_bound(n, inverse, sizes, c->want, c->scale);
    good = good && zv_augmented_inverse_times(c->model, c->work, c->q, c->y, c->tau, c->x) == ZV_OK;
    good = good && rt_near(c, "(M + D)^-1 x", n, c->x, c->want, c->scale, coupled(c->model) ? 32 : 16);
    /* the answer may lie over x, and without extra it is M^-1 x to the last digit */
    good = good && zv_augmented_inverse_times(c->model, c->work, c->q, c->y, c->tau, c->tau) == ZV_OK;
    for (int i = 0; i < n; i++) good = good && c->tau[i] == c->x[i];
    for (int i = 0; i < n; i++) c->y[i] = 0;
    good = good && zv_augmented_inverse_times(c->model, c->work, c->q, c->y, c->v, c->x) == ZV_OK;
    good = good && zv_mass_inverse_times(c->model, c->work, c->q, c->v, c->a) == ZV_OK;
    for (int i = 0; i < n; i++) good = good && c->a[i] == c->x[i];
    free(inverse);
    free(sizes);
    free(x);
    return good;
}

static void augmented(void **state) {
    (void)state;
    assert_true(rt_each(61000, 600, 30, NULL, augmented_agrees));
}

/* A wheel without inertia has no acceleration of its own; any extra gives it one. */
static void massless_part_with_extra(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    zvLink base = zv_link_default("base"), wheel = zv_link_default("wheel");
    zvJoint joint = zv_joint_default("axle", ZV_JOINT_CONTINUOUS, "base", "wheel");
    assert_int_equal(zv_builder_add_link(builder, &base, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(builder, &wheel, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
    assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_OK);
    zv_builder_destroy(builder);
    zvWork *work = zv_work_create(model, &error);
    assert_non_null(work);
    const double q[1] = {0.3}, x[1] = {6}, none[1] = {0}, four[1] = {4};
    double y[1];
    assert_int_equal(zv_augmented_inverse_times(model, work, q, none, x, y), ZV_SINGULAR);
    assert_int_equal(zv_augmented_inverse_times(model, work, q, four, x, y), ZV_OK);
    assert_true(y[0] == 1.5);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(augmented, massless_part_with_extra)
