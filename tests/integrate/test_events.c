/* Events: bounces in closed form, several in a step, signs, zeros at a start, going on without a start. */
#include "problem.h"
#include "support/run_tests.h"

/* A ball of height y[0] over the floor; the second function is its speed. */
static int ball_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -9.81;
    return 0;
}

static int ball_events(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = y[0];
    g[1] = y[1];
    return 0;
}

/* Restitution 0.8 from 1 m at rest: bounce k at sqrt(2/g) (1 + 2 (0.8 + ... + 0.8^k)); between two, an apex. */
static void bounce(const char *method, double tolerance) {
    const double first = sqrt(2 / 9.81), v = sqrt(2 * 9.81);
    zvOde ode = {.size = 2, .rate = ball_rate, .event_count = 2, .events = ball_events};
    zvIntegrationOptions o = {.method = method, .rtol = 1e-10, .atol = 1e-10};
    if (zv_integration_method_find(method)->family == ZV_FAMILY_FIXED_STEP) o.step = 0.37;
    zvIntegrator *in = make(&ode, &o);
    double y[2] = {1, 0}, impact = first, speed = v;
    begin(in, 0, y);
    for (int k = 0; k < 12; k++) {
        while (step(in, 100) != ZV_STEP_EVENT) {}
        const int *fired = zv_integrator_fired(in);
        if (fired[0] != -1 || fired[1] != 0) fail_msg("%s: bounce %d: fired %d %d", method, k, fired[0], fired[1]);
        double gap = fabs(zv_integrator_time(in) - impact);
        if (gap > tolerance) fail_msg("%s: bounce %d is off by %g s", method, k, gap);
        assert_true(fabs(zv_integrator_state(in)[1] + speed) < 10 * tolerance);
        speed *= 0.8;
        y[0] = zv_integrator_state(in)[0];
        y[1] = -0.8 * zv_integrator_state(in)[1];
        begin(in, zv_integrator_time(in), y);
        assert_int_equal(fired[0], 0);
        while (step(in, 100) != ZV_STEP_EVENT) {} /* the apex */
        fired = zv_integrator_fired(in);
        if (fired[0] != 0 || fired[1] != -1) fail_msg("%s: apex %d: fired %d %d", method, k, fired[0], fired[1]);
        assert_true(fabs(zv_integrator_time(in) - impact - speed / 9.81) < 2 * tolerance);
        impact += 2 * speed / 9.81;
    }
    assert_int_equal(zv_integrator_statistics(in).restarts, 12);
    zv_integrator_destroy(in);
}

/* Parabolas are exact for one-step methods of order 2 and more: what remains is rounding over 24 events. Multistep
 * methods start with order 1, and implicit ones iterate: a hundred times the tolerance. */
static void bouncing_ball(void **state) {
    (void)state;
    bounce("rk4", 1e-13);
    static const struct {
        const char *name;
        double tolerance;
    } rows[] = {{"adams", 1e-8}, {"bdf", 1e-8}, {"erk", 1e-13}, {"dirk", 1e-8}};
    for (int i = 0; have("adams") && i < 4; i++) bounce(rows[i].name, rows[i].tolerance);
}

static int clock_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t, (void)y;
    dy[0] = 1;
    return 0;
}

/* y = t: zeros at 0.7, 0.3 (falling), 0.3, never, 1 */
static int clock_events(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = y[0] - 0.7;
    g[1] = 0.3 - y[0];
    g[2] = 10 * (y[0] - 0.3);
    g[3] = y[0] + 1;
    g[4] = y[0] - 1;
    return 0;
}

static void expect_fired(zvIntegrator *in, double t, const int *wanted) {
    assert_true(fabs(zv_integrator_time(in) - t) < 1e-13);
    for (int i = 0; i < 5; i++) assert_int_equal(zv_integrator_fired(in)[i], wanted[i]);
}

/* Several zeros in one step of length 1, in their order, without starts between; the last at the step's very end. */
static void several_in_a_step(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    zvOde ode = {.size = 1, .rate = clock_rate, .event_count = 5, .events = clock_events};
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        if (strcmp(rows[m].name, "euler") == 0) continue;
        zvIntegrationOptions o = {.method = rows[m].name, .rtol = 1e-9, .atol = 1e-9, .step = 1};
        zvIntegrator *in = make(&ode, &o);
        double inside;
        begin(in, 0, (double[]){0});
        while (step(in, 2) == ZV_STEP_INSIDE) {}
        expect_fired(in, 0.3, (int[]){0, -1, 1, 0, 0});
        assert_true(zv_integrator_time_before(in) < 0.3);
        double event = zv_integrator_time(in);
        zvStepEnd end = step(in, 2);
        assert_true(zv_integrator_time_before(in) == event); /* goes on from the event */
        while (end == ZV_STEP_INSIDE) end = step(in, 2);
        expect_fired(in, 0.7, (int[]){1, 0, 0, 0, 0});
        double middle = 0.5 * (zv_integrator_time_before(in) + 0.7);
        zv_integrator_at(in, middle, &inside);
        assert_true(fabs(inside - middle) < 1e-13);
        while (step(in, 2) == ZV_STEP_INSIDE) {}
        expect_fired(in, 1, (int[]){0, 0, 0, 0, 1});
        end = step(in, 1.0000001); /* closer than a step of CVODE has gone already */
        while (end == ZV_STEP_INSIDE) end = step(in, 1.0000001);
        assert_int_equal(end, ZV_STEP_STOP);
        assert_true(zv_integrator_time(in) == 1.0000001);
        assert_true(fabs(zv_integrator_state(in)[0] - 1.0000001) < 1e-13);
        run_to(in, 2);
        for (int i = 0; i < 5; i++) assert_int_equal(zv_integrator_fired(in)[i], 0);
        assert_true(fabs(zv_integrator_state(in)[0] - 2) < 1e-12);
        zv_integrator_destroy(in);
    }
}

static int height(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = y[0];
    return 0;
}

/* sin t starts at a zero that does not count; the next are at k pi, by turns falling and rising. */
static void oscillator_zeros(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double tolerance; /* of the event's time; errors are about rtol times a hundred */
    } rows[] = {{"adams", 1e-7}, {"bdf", 1e-6}, {"erk", 1e-8}, {"dirk", 1e-7}, {"rk4", 1.7e-9}}; /* t h^4 / 120 */
    zvOde ode = {.size = 2, .rate = oscillator_rate, .event_count = 1, .events = height};
    for (int m = 0; m < 5; m++) {
        if (!have(rows[m].name)) continue;
        zvIntegrationOptions o = {.method = rows[m].name, .rtol = 1e-10, .atol = 1e-10};
        if (strcmp(rows[m].name, "rk4") == 0) o.step = 0.01;
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){0, 1});
        for (int k = 1; k <= 6; k++) {
            while (step(in, 30) != ZV_STEP_EVENT) {}
            assert_int_equal(zv_integrator_fired(in)[0], k % 2 ? -1 : 1);
            double gap = fabs(zv_integrator_time(in) - k * PI);
            if (gap > rows[m].tolerance) fail_msg("%s: zero %d is off by %g", rows[m].name, k, gap);
        }
        zv_integrator_destroy(in);
    }
}

static int always_zero(void *context, double t, const double *y, double *g) {
    (void)context, (void)t, (void)y;
    g[0] = 0;
    return 0;
}

/* A function that never leaves zero never fires. */
static void resting(void **state) {
    (void)state;
    zvOde ode = {.size = 1, .rate = clock_rate, .event_count = 1, .events = always_zero};
    zvIntegrationOptions o = {.method = "rk4", .step = 0.1};
    zvIntegrator *in = make(&ode, &o);
    begin(in, 0, (double[]){0});
    for (int k = 0; k < 20; k++) assert_int_not_equal(step(in, 3), ZV_STEP_EVENT);
    zv_integrator_destroy(in);
}

/* After a jump to the other side of zero, a crossing back is an event, be it the function that has just fired. */
static void jump_over_zero(void **state) {
    (void)state;
    zvOde ode = {.size = 1, .rate = clock_rate, .event_count = 1, .events = height};
    zvIntegrationOptions o = {.method = "rk4", .step = 1};
    zvIntegrator *in = make(&ode, &o);
    begin(in, 0, (double[]){-0.5});
    for (int k = 1; k <= 5; k++) { /* y = t - k/2 */
        assert_int_equal(step(in, 100), ZV_STEP_EVENT);
        assert_true(fabs(zv_integrator_time(in) - 0.5 * k) < 1e-13);
        begin(in, zv_integrator_time(in), (double[]){-0.5});
    }
    zv_integrator_destroy(in);
}

TESTS(bouncing_ball, several_in_a_step, oscillator_zeros, resting, jump_over_zero)
