/* Guards: what leaves zero downwards at a start fires there, what dips below zero inside a step is found, what rises
 * is left alone; times against parabolas in closed form. */
#include "problem.h"
#include "support/run_tests.h"

/* y'' = -pull; a guard of the kind level + sign y, where the context has them. */
typedef struct Fall {
    double pull, level, sign;
} Fall;

static int fall_rate(void *context, double t, const double *y, double *dy) {
    (void)t;
    dy[0] = y[1];
    dy[1] = -((const Fall *)context)->pull;
    return 0;
}

static int fall_position_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    return 0;
}

static int level_event(void *context, double t, const double *y, double *g) {
    const Fall *f = context;
    (void)t;
    g[0] = f->level + f->sign * y[0];
    return 0;
}

static const unsigned char positions[2] = {1, 0}, guarded[2] = {1, 1};

static zvOde falling(Fall *f) {
    return (zvOde){.size = 2,
                   .context = f,
                   .rate = fall_rate,
                   .is_position = positions,
                   .position_rate = fall_position_rate,
                   .event_count = 1,
                   .events = level_event,
                   .guards = guarded};
}

static zvIntegrationOptions options(const zvIntegrationMethod *row, double step) {
    zvIntegrationOptions o = {.method = row->name, .rtol = 1e-8, .atol = 1e-8};
    if (row->family == ZV_FAMILY_FIXED_STEP) o.step = step;
    return o;
}

static bool step_to_event(zvIntegrator *in, double T) {
    zvStepEnd end = ZV_STEP_INSIDE;
    while (end == ZV_STEP_INSIDE) end = step(in, T);
    return end == ZV_STEP_EVENT;
}

/* g = 0.49 - y dips to -0.01 between 0.859 and 1.141: adams steps over it. */
static void shallow_dip(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        bool euler = strcmp(rows[m].name, "euler") == 0;
        Fall f = {1, 0.49, -1};
        zvOde ode = falling(&f);
        zvIntegrationOptions o = options(&rows[m], euler ? 1e-3 : 2);
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){0, 1});
        if (!step_to_event(in, 2)) fail_msg("%s steps over the dip", rows[m].name);
        assert_int_equal(zv_integrator_fired(in)[0], -1);
        assert_true(fabs(zv_integrator_state(in)[0] - 0.49) < 1e-14);
        double gap = fabs(zv_integrator_time(in) - (1 - sqrt(0.02)));
        if (gap > (euler ? 1e-2 : 1e-6)) fail_msg("%s: the dip is met %g s off", rows[m].name, gap);
        assert_false(step_to_event(in, 2)); /* rising again is no event */
        zv_integrator_destroy(in);
    }
}

/* Depths over six decades, wherever the step's ends are; dips that do not reach zero do not fire. The floor lies where
 * the error of the parabola does not matter: 100 tolerances. */
static void random_dips(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    uint64_t seed = 20240611;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 200; trial++) {
        double u[3];
        for (int k = 0; k < 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            u[k] = (double)(seed >> 11) / 9007199254740992.0;
        }
        double speed = 0.3 + 2 * u[0], top = 0.5 * speed * speed,
               depth = pow(10, -6 + 5 * u[1]) * (u[2] < 0.3 ? -1 : 1);
        for (size_t m = 0; m < count; m++) {
            if (rows[m].structural) continue;
            if (strcmp(rows[m].name, "euler") == 0) continue;
            Fall f = {1, top - depth, -1};
            zvOde ode = falling(&f);
            zvIntegrationOptions o = options(&rows[m], 0.7 + u[2]);
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, (double[]){0, speed});
            bool fired = step_to_event(in, 2 * speed);
            if (fired != (depth > 0 && depth < top)) {
                fail_msg("%s: depth %g of %g: fired %d", rows[m].name, depth, top, fired);
            }
            double gap = fired ? fabs(zv_integrator_time(in) - (speed - sqrt(2 * depth))) * sqrt(depth) : 0;
            if (gap > 1e-6) fail_msg("%s: depth %g: off by %g s", rows[m].name, depth, gap);
            zv_integrator_destroy(in);
        }
    }
}

static int two_events(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = 0.499 - y[0];                             /* from 0.955 to 1.045 */
    g[1] = 0.005 + (t - 0.5) * (t - 0.5) / 2 - 0.01; /* from 0.4 to 0.6 */
    return 0;
}

/* Of two dips in one step the earlier one is met first, the other one afterwards. */
static void two_dips(void **state) {
    (void)state;
    Fall f = {1, 0, 0};
    zvOde ode = falling(&f);
    ode.event_count = 2;
    ode.events = two_events;
    zvIntegrationOptions o = {.method = "rk4", .step = 2};
    zvIntegrator *in = make(&ode, &o);
    begin(in, 0, (double[]){0, 1});
    assert_int_equal(step(in, 2), ZV_STEP_EVENT);
    assert_true(fabs(zv_integrator_time(in) - 0.4) < 1e-14);
    assert_int_equal(zv_integrator_fired(in)[1], -1);
    assert_int_equal(step(in, 2), ZV_STEP_EVENT);
    assert_true(fabs(zv_integrator_time(in) - (1 - sqrt(0.002))) < 1e-13);
    assert_int_equal(zv_integrator_fired(in)[0], -1);
    assert_int_equal(step(in, 2), ZV_STEP_STOP);
    zv_integrator_destroy(in);
}

/* At zero, or a last bit beyond it, and on the way down: by speed, or from rest by the pull alone. */
static void leaves_downwards(void **state) {
    (void)state;
    static const struct { double y, v; } starts[] = {{0.49, 1}, {0.49 + 6e-17, 1}, {0.49, 0}, {0.49 + 6e-17, 0}};
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        for (int k = 0; k < 4; k++) {
            Fall f = {-9.81, 0.49, -1};
            zvOde ode = falling(&f);
            zvIntegrationOptions o = options(&rows[m], 1e-2);
            zvIntegrator *in = make(&ode, &o);
            begin(in, 3, (double[]){starts[k].y, starts[k].v});
            for (int again = 0; again < 3; again++) { /* as often as one starts there */
                if (!step_to_event(in, 4)) fail_msg("%s, start %d: leaves unseen", rows[m].name, k);
                double after = zv_integrator_time(in) - 3, away = zv_integrator_state(in)[0] - 0.49;
                if (after > 1e-6 || away > 1e-14) fail_msg("%s, start %d: %g s late", rows[m].name, k, after);
                assert_int_equal(zv_integrator_fired(in)[0], -1);
                double y[2] = {zv_integrator_state(in)[0], zv_integrator_state(in)[1]};
                begin(in, zv_integrator_time(in), y);
            }
            assert_true(step_to_event(in, 4));
            assert_false(step_to_event(in, 4)); /* going on without a start it has fired once */
            assert_true(fabs(zv_integrator_state(in)[0] - 0.49 - starts[k].v - 4.905) < 0.06);
            zv_integrator_destroy(in);
        }
    }
}

/* After an impact the guard is zero and rises: nothing until the flight of 2 v / pull is over, however short. */
static void rises(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        if (strcmp(rows[m].name, "euler") == 0) continue;
        for (double v = 1; v > 1e-6; v /= 8) {
            Fall f = {9.81, 0, 1};
            zvOde ode = falling(&f);
            zvIntegrationOptions o = options(&rows[m], 1);
            o.rtol = o.atol = 1e-13;
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, (double[]){0, v});
            if (!step_to_event(in, 4)) fail_msg("%s: flight at %g m/s: no impact", rows[m].name, v);
            double gap = fabs(zv_integrator_time(in) * 9.81 / (2 * v) - 1);
            double most = 1e-9 + 10 * o.atol * 9.81 / (2 * v * v); /* ten tolerances of height at this speed */
            if (gap > most) fail_msg("%s: flight at %g m/s: off by %g", rows[m].name, v, gap);
            zv_integrator_destroy(in);
        }
    }
}

/* What rests at zero, exactly or but for rounding, does not leave it. */
static void rests(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        Fall f = {0, 0.3, -1};
        zvOde ode = falling(&f);
        zvIntegrationOptions o = options(&rows[m], 1e-2);
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){0.1 * 3, 0}); /* 0.30000000000000004 */
        assert_false(step_to_event(in, 1));
        f.sign = 0;
        f.level = 0;
        begin(in, 1, (double[]){0, 1});
        assert_false(step_to_event(in, 2));
        zv_integrator_destroy(in);
    }
}

/* Below zero at a start, on the way back: armed when above zero, without a word. */
static void comes_back(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        if (strcmp(rows[m].name, "euler") == 0) continue;
        Fall f = {1, 0, 1};
        zvOde ode = falling(&f);
        zvIntegrationOptions o = options(&rows[m], 0.1);
        o.max_step = 0.1;
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){-0.375, 1}); /* above zero from 0.5 to 1.5 */
        assert_true(step_to_event(in, 4));
        assert_int_equal(zv_integrator_fired(in)[0], -1);
        assert_true(fabs(zv_integrator_time(in) - 1.5) < 1e-6);
        zv_integrator_destroy(in);
    }
}

static int pendulum_events(void *context, double t, const double *y, double *g) {
    (void)context, (void)t;
    g[0] = y[0] + 1.5;
    g[1] = 1.5 - y[0];
    return 0;
}

/* Far from its guards a run looks at them once a step, and a few times at the start; swinging to 1e-4 from both of
 * them, a third more, or a dozen times a swing where steps are long. */
static void costs_little(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        if (strcmp(rows[m].name, "euler") == 0) continue;
        for (int near = 0; near < 2; near++) {
            zvIntegrationStatistics s[2];
            for (int k = 0; k < 2; k++) {
                zvOde ode = {.size = 2, .rate = oscillator_rate, .event_count = 2, .events = pendulum_events};
                if (k) ode.guards = guarded;
                zvIntegrationOptions o = options(&rows[m], 1e-2);
                zvIntegrator *in = make(&ode, &o);
                begin(in, 0, (double[]){near ? 1.4999 : 0.5, 0});
                run_to(in, 60);
                s[k] = zv_integrator_statistics(in);
                zv_integrator_destroy(in);
            }
            const long extra = s[1].event_calls - s[0].event_calls, swings = 19;
            const long most = near ? (long)fmax((double)s[0].event_calls / 3, 12.0 * (double)swings) : 6;
            if (extra > most) fail_msg("%s: %ld event calls more than %ld", rows[m].name, extra, s[0].event_calls);
        }
    }
}

TESTS(shallow_dip, random_dips, two_dips, leaves_downwards, rises, rests, comes_back, costs_little)
