/* Accelerations at and near singular positions: those of the branch that the velocity belongs to, in closed form from
 * the reduced equation of each mechanism, whichever side of a loop is called its parent. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "support/singular_mechanisms.h"

enum { MOST = 32 };

static const Mechanism mechanisms[] = {{"four-bar", FOUR_BARS, 1, 0, 0, false},
                                       {"three four-bars", FOUR_BARS, 3, 0, 0, false},
                                       {"unequal cranks", UNEQUAL, 1, 0, 0, false},
                                       {"slider-crank", SLIDER_CRANK, 1, 0, 0, false}};

typedef struct Case {
    const Mechanism *mechanism;
    zvScenario *scenario;
    const zvModel *model;
    zvWork *work;
    double singular; /* x of a singular position */
    int redundant;
} Case;

static Case open_case(const Mechanism *m, bool swapped) {
    zvError error = {0};
    Case c = {.mechanism = m, .scenario = mechanism_scenario(m, swapped, "duration: 1", &error)};
    if (!c.scenario) fail_msg("%s", error.text);
    c.model = zv_scenario_model(c.scenario);
    c.work = zv_work_create(c.model, &error);
    c.singular = m->kind == SLIDER_CRANK ? 1.5707963267948966 : 0;
    c.redundant = 3 * m->bars; /* in a plane a revolute joint has two conditions of five */
    assert_non_null(c.work);
    assert_true(zv_model_nv(c.model) <= MOST);
    return c;
}

static void close_case(Case *c) {
    zv_work_destroy(c->work);
    zv_scenario_destroy(c->scenario);
}

/* Forward dynamics at x beside the singular position, against the reduced equation. */
static void compare(const Case *c, double beside, double rate, double bound) {
    const Reduced r = mechanism_reduce(c->mechanism);
    const double x = c->singular + beside;
    double q[MOST], v[MOST], a[MOST], expected[MOST], lambda[MOST * 5];
    zvSingularity near = {0};
    const zvClosing closing = {.singularity = &near, .redundant = c->redundant};
    mechanism_state(c->mechanism, c->model, x, rate, (double)mechanism_acceleration(&r, x, rate), q, v, expected);
    assert_true(zv_closed_forward_dynamics(c->model, c->work, &closing, q, v, NULL, NULL, a, lambda) >= 0);
    for (int i = 0; i < zv_model_nv(c->model); i++) {
        if (!(fabs(a[i] - expected[i]) <= bound))
            fail_msg("%s, %g beside: a[%d] = %.12g, expected %.12g", c->mechanism->label, beside, i, a[i], expected[i]);
    }
    assert_true(near.resolved);
    assert_true(fabs(beside) > 0.1 || near.margin < 0.1);
    assert_true(fabs(beside) > 1e-2 || near.loop >= 0);
}

static void of_the_branch(void **state) {
    (void)state;
    static const double beside[] = {0, 1e-14, -1e-12, 1e-10, -1e-8, 1e-6, -1e-5, 1e-4, -1e-3, 3e-3, 1e-2, -0.03, 0.3};
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            Case c = open_case(&mechanisms[i], swapped);
            const double bound = mechanisms[i].kind == SLIDER_CRANK ? 5e-8 : 1e-8; /* its inertia changes swiftly */
            for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) compare(&c, beside[k], -2.5, bound);
            close_case(&c);
        }
    }
}

/* A given acceleration of the first crank: its torque is what the reduced equation lacks. */
static void given_accelerations(void **state) {
    (void)state;
    static const double beside[] = {1e-5, -1e-4, 5e-3};
    const double rate = 2, wanted = 1.5;
    for (size_t i = 2; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        Case c = open_case(&mechanisms[i], false);
        const Reduced r = mechanism_reduce(c.mechanism);
        const int first = mechanism_coordinate(c.model, "pivot", 0);
        for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
            const double x = c.singular + beside[k], s = sin(x);
            double q[MOST], v[MOST], a[MOST] = {0}, tau[MOST] = {0}, lambda[MOST * 5];
            unsigned char given[MOST] = {0};
            for (int d = 0; d < zv_model_nv(c.model); d++) given[d] = ZV_GIVEN_FORCE;
            given[first] = ZV_GIVEN_ACCELERATION;
            mechanism_state(c.mechanism, c.model, x, rate, 0, q, v, NULL);
            a[first] = wanted;
            assert_true(zv_closed_mixed_dynamics(c.model, c.work, NULL, q, v, given, NULL, tau, a, lambda) >= 0);
            const double inertia = (double)(r.inertia + r.swing * s * s);
            assert_named_near("torque", tau[first], inertia * (wanted - (double)mechanism_acceleration(&r, x, rate)),
                              1e-7);
        }
        close_case(&c);
    }
}

/* At rest nothing tells which way it goes on, and that is said; beside the position there is no question. */
static void at_rest(void **state) {
    (void)state;
    Case c = open_case(&mechanisms[2], false);
    for (int i = 0; i < 2; i++) {
        double q[MOST], v[MOST], a[MOST], lambda[MOST * 5];
        zvSingularity near = {0};
        const zvClosing closing = {.singularity = &near, .redundant = c.redundant};
        mechanism_state(c.mechanism, c.model, i ? 0.05 : 0, 0, 0, q, v, NULL);
        assert_true(zv_closed_forward_dynamics(c.model, c.work, &closing, q, v, NULL, NULL, a, lambda) >= 0);
        assert_int_equal(near.resolved, i);
    }
    close_case(&c);
}

/* A velocity whose squares are below the rounding of accelerations is rest, though it is no motion that the loops
 * allow: difference quotients about rest ask for such, one coordinate at a time. */
static void next_to_rest(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        Case c = open_case(&mechanisms[i], i % 2);
        double q[MOST], v[MOST], a[MOST], rest[MOST], lambda[MOST * 5];
        zvSingularity near = {0};
        const zvClosing closing = {.singularity = &near, .redundant = c.redundant};
        mechanism_state(c.mechanism, c.model, c.singular + 5e-3, 0, 0, q, v, NULL);
        assert_true(zv_closed_forward_dynamics(c.model, c.work, &closing, q, v, NULL, NULL, rest, lambda) >= 0);
        assert_true(near.margin < 1e-2);
        for (int k = 0; k < 2 * zv_model_nv(c.model); k++) {
            const int d = k / 2;
            v[d] = k % 2 ? 1e-10 : 1e-23;
            assert_true(zv_closed_forward_dynamics(c.model, c.work, &closing, q, v, NULL, NULL, a, lambda) >= 0);
            for (int j = 0; j < zv_model_nv(c.model); j++) assert_named_near(c.mechanism->label, a[j], rest[j], 1e-12);
            v[d] = 0;
        }
        close_case(&c);
    }
}

TESTS(of_the_branch, given_accelerations, at_rest, next_to_rest)
