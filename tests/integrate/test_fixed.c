/* Fixed steps: the grid, stops between, and runs in pieces that have the same bits as a run in whole. */
#include <stdlib.h>

#include "problem.h"
#include "support/run_tests.h"

static const uint64_t seed = 20240611;

static uint64_t next_random(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static int rotor_project(void *context, double t, double *y) {
    (void)context, (void)t;
    double norm = hypot(y[0], y[1]);
    y[0] /= norm;
    y[1] /= norm;
    return 0;
}

static int rotor_rate(void *context, double t, const double *y, double *dy) {
    (void)context;
    double w = 1 + 0.5 * sin(3 * t);
    dy[0] = -w * y[1];
    dy[1] = w * y[0];
    return 0;
}

static int rotor_position_rate(void *context, double t, const double *y, double *dy) {
    return rotor_rate(context, t, y, dy);
}

static int rotor_events(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = y[0];
    g[1] = y[1] - 0.3;
    return 0;
}

static const unsigned char rotor_positions[2] = {1, 0};

static zvOde rotor(void) {
    return (zvOde){.size = 2,
                   .rate = rotor_rate,
                   .is_position = rotor_positions,
                   .position_rate = rotor_position_rate,
                   .project = rotor_project,
                   .event_count = 2,
                   .events = rotor_events};
}

/* Steps end at origin + k step, not at sums of steps, and at stops between. */
static void grid(void **state) {
    (void)state;
    zvOde ode = {.size = 2, .rate = oscillator_rate};
    zvIntegrationOptions o = {.method = "rk4", .step = 0.1};
    zvIntegrator *in = make(&ode, &o);
    const double start = 0.7;
    begin(in, start, (double[]){1, 0});
    for (int k = 1; k <= 1000; k++) {
        assert_int_equal(step(in, 1e6), ZV_STEP_INSIDE);
        assert_true(fabs(zv_integrator_time(in) - (start + k * 0.1)) <= 1.5e-14); /* an ulp at 100 */
    }
    double here = zv_integrator_time(in);
    assert_int_equal(step(in, here + 0.04), ZV_STEP_STOP);
    assert_true(zv_integrator_time(in) == here + 0.04);
    assert_int_equal(step(in, here + 0.04), ZV_STEP_STOP); /* nothing to do */
    assert_true(zv_integrator_time_before(in) == here + 0.04);
    step(in, 1e6);
    assert_true(fabs(zv_integrator_time(in) - (start + 1001 * 0.1)) <= 1.5e-14);
    /* a stop that rounding alone tells from a grid point makes no extra step */
    double near = start + 1002 * 0.1 + 3e-14;
    assert_int_equal(step(in, near), ZV_STEP_STOP);
    assert_true(zv_integrator_time(in) == near);
    step(in, 1e6);
    assert_true(fabs(zv_integrator_time(in) - (start + 1003 * 0.1)) <= 1.5e-14);
    zv_integrator_destroy(in);
}

/* Steps recorded: time and state at each end. */
enum { MOST = 4000 };
typedef struct Trace {
    int count, event_count, events[MOST]; /* which steps ended at events */
    double t[MOST], y[MOST][2];
} Trace;

static const double stops[] = {0.55, 1.3, 1.3000001, 4.2, 7.77, 10};

static double stop_after(double t) {
    int i = 0;
    while (stops[i] <= t) i++;
    return stops[i];
}

static void follow(zvIntegrator *in, Trace *trace, int most) {
    trace->count = trace->event_count = 0;
    while (trace->count < most && zv_integrator_time(in) < 10) {
        zvStepEnd end = step(in, stop_after(zv_integrator_time(in)));
        if (end == ZV_STEP_EVENT) trace->events[trace->event_count++] = trace->count;
        trace->t[trace->count] = zv_integrator_time(in);
        memcpy(trace->y[trace->count++], zv_integrator_state(in), sizeof trace->y[0]);
        assert_true(trace->count < MOST);
    }
}

/* Resumed from (t, y) alone at the end of any step, events included. */
static void in_pieces(void **state) {
    (void)state;
    static const char *const names[] = {"rk4", "euler"};
    Trace *whole = malloc(sizeof *whole), *piece = malloc(sizeof *piece);
    uint64_t random = seed;
    for (int m = 0; m < 2; m++) {
        zvOde ode = rotor();
        zvIntegrationOptions o = {.method = names[m], .step = 0.01};
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0.003, (double[]){1, 0});
        follow(in, whole, MOST);
        zv_integrator_destroy(in);
        assert_in_range(whole->count, 1005, 1100);
        assert_in_range(whole->event_count, 6, 8);
        for (int trial = 0; trial < 60; trial++) {
            int cut = trial < whole->event_count ? whole->events[trial]
                                                 : (int)(next_random(&random) % (uint64_t)(whole->count - 1));
            in = make(&ode, &o);
            zv_integrator_set_origin(in, 0.003);
            begin(in, whole->t[cut], whole->y[cut]);
            follow(in, piece, MOST);
            zv_integrator_destroy(in);
            assert_int_equal(piece->count, whole->count - cut - 1);
            size_t count = (size_t)piece->count;
            if (memcmp(piece->t, whole->t + cut + 1, count * sizeof *piece->t) != 0 ||
                memcmp(piece->y, whole->y + cut + 1, count * sizeof *piece->y) != 0) {
                fail_msg("%s resumed after step %d differs (seed %llu)", names[m], cut, (unsigned long long)seed);
            }
        }
    }
    free(whole);
    free(piece);
}

/* Looking at states inside changes nothing. */
static void looking_inside(void **state) {
    (void)state;
    double end[2][2];
    for (int look = 0; look < 2; look++) {
        zvOde ode = rotor();
        zvIntegrationOptions o = {.method = "rk4", .step = 0.05};
        zvIntegrator *in = make(&ode, &o);
        double y[2];
        begin(in, 0, (double[]){1, 0});
        while (zv_integrator_time(in) < 10) {
            step(in, 10);
            double t = zv_integrator_time(in), before = zv_integrator_time_before(in);
            for (int k = 0; look && k <= 4; k++) zv_integrator_at(in, before + 0.25 * k * (t - before), y);
        }
        memcpy(end[look], zv_integrator_state(in), sizeof end[look]);
        zv_integrator_destroy(in);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

/* The projection works after every step of a one-step method, and is seen. */
static void projected(void **state) {
    (void)state;
    static const char *const names[] = {"rk4", "euler", "erk", "dirk"};
    for (int m = 0; m < 4; m++) {
        if (!have(names[m])) continue;
        zvOde ode = rotor();
        zvIntegrationOptions o = {.method = names[m], .rtol = 1e-4, .atol = 1e-4};
        if (m < 2) o.step = 0.05;
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){1, 0});
        int events = 0;
        while (zv_integrator_time(in) < 10) {
            events += step(in, 10) == ZV_STEP_EVENT;
            const double *y = zv_integrator_state(in);
            assert_true(fabs(hypot(y[0], y[1]) - 1) < 4e-16);
        }
        assert_true(events >= 6);
        /* angle = t + (1 - cos 3t) / 6 */
        double angle = 10 + (1 - cos(30)) / 6;
        const double *y = zv_integrator_state(in);
        double error = hypot(y[0] - cos(angle), y[1] - sin(angle));
        if (error > (m == 1 ? 0.2 : 0.02)) fail_msg("%s: error %g", names[m], error);
        zv_integrator_destroy(in);
    }
}

TESTS(grid, in_pieces, looking_inside, projected)
