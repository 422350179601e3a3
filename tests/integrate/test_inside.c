/* States inside steps: as accurate as the steps where zv_integrator_interpolates says so. */
#include "problem.h"
#include "support/run_tests.h"

/* What the inside adds to the error at the ends, as a multiple of the tolerance (of the step error for rk4). */
static double excess(zvIntegrator *in, double T, double *at_ends) {
    double y[4], before[4], exact[4], worst = 0;
    kepler_exact(0, y);
    begin(in, 0, y);
    memset(before, 0, sizeof before);
    while (zv_integrator_time(in) < T) {
        step(in, T);
        double a = zv_integrator_time_before(in), b = zv_integrator_time(in), after[4];
        kepler_exact(b, exact);
        for (int i = 0; i < 4; i++) after[i] = zv_integrator_state(in)[i] - exact[i];
        for (int k = 1; k < 8; k++) {
            double part = k / 8.0, t = a + part * (b - a);
            zv_integrator_at(in, t, y);
            kepler_exact(t, exact);
            for (int i = 0; i < 4; i++) {
                double straight = before[i] + part * (after[i] - before[i]);
                worst = fmax(worst, fabs(y[i] - exact[i] - straight));
            }
        }
        memcpy(before, after, sizeof before);
        for (int i = 0; i < 4; i++) *at_ends = fmax(*at_ends, fabs(after[i]));
    }
    return worst;
}

static void variable_steps(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const struct {
        const char *name;
        int order;
    } rows[] = {{"adams", 0}, {"bdf", 0}, {"erk", 2}, {"erk", 3},  {"erk", 4},
                {"erk", 5},   {"erk", 6}, {"erk", 8}, {"dirk", 4}, {"dirk", 5}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        zvIntegrationOptions o = {.method = rows[r].name, .order = rows[r].order, .rtol = 1e-8, .atol = 1e-8};
        zvOde ode = kepler();
        zvIntegrator *in = make(&ode, &o);
        double ends = 0, added = excess(in, rows[r].order == 2 ? 1 : 10, &ends);
        double most = zv_integrator_interpolates(in) ? 5 : 500;
        if (added > most * 1e-8) fail_msg("%s %d: %g more inside", rows[r].name, rows[r].order, added);
        assert_int_equal(zv_integrator_interpolates(in), strcmp(rows[r].name, "dirk") != 0);
        zv_integrator_destroy(in);
    }
}

/* One step of length h from a point of the ellipse, by the continuous extension of erk of order 8: its errors at the
 * end and inside. */
static void one_step(double h, double *at_end, double *inside) {
    const double t0 = 0.7;
    zvIntegrationOptions o = {.method = "erk", .order = 8, .rtol = 0.9, .atol = 1e9, .step = h, .max_step = h};
    zvOde ode = kepler();
    zvIntegrator *in = make(&ode, &o);
    double y[4], exact[4];
    kepler_exact(t0, y);
    begin(in, t0, y);
    step(in, t0 + 2 * h);
    assert_true(fabs(zv_integrator_time(in) - t0 - h) < 1e-14);
    kepler_exact(t0 + h, exact);
    *at_end = greatest_gap(zv_integrator_state(in), exact, 4);
    *inside = 0;
    for (int k = 1; k < 16; k++) {
        zv_integrator_at(in, t0 + k * h / 16, y);
        kepler_exact(t0 + k * h / 16, exact);
        *inside = fmax(*inside, greatest_gap(y, exact, 4));
    }
    zv_integrator_destroy(in);
}

/* The extension has order 7, a local error of h^8; the step h^9. Looking inside costs four calls of f, once. */
static void extension_of_order_7(void **state) {
    (void)state;
    if (!have("erk")) skip();
    double end[2], inside[2];
    for (int i = 0; i < 2; i++) one_step(0.25 / (1 << i), &end[i], &inside[i]);
    print_message("    errors %g, %g at the end, %g, %g inside\n", end[0], end[1], inside[0], inside[1]);
    assert_true(log2(end[0] / end[1]) > 8.1 && log2(inside[0] / inside[1]) > 7.5 && log2(inside[0] / inside[1]) < 8.7);
}

/* Rows and events share one polynomial: however often one looks, a step costs sixteen calls at the most, and the slope
 * at its end is the next one's first. */
static void looking_costs_little(void **state) {
    (void)state;
    if (!have("erk")) skip();
    zvIntegrationOptions o = {.method = "erk", .order = 8, .rtol = 0.9, .atol = 1e9, .step = 0.1, .max_step = 0.1};
    zvOde ode = kepler();
    zvIntegrator *in = make(&ode, &o);
    double y[4];
    kepler_exact(0, y);
    begin(in, 0, y);
    for (int n = 0; n < 20; n++) {
        step(in, 10);
        for (int k = 1; k < 100; k++) zv_integrator_at(in, (n + k / 100.0) * 0.1, y);
    }
    assert_int_equal(zv_integrator_statistics(in).rates, 20 * 15 + 1);
    zv_integrator_destroy(in);
}

/* Fourth order inside too: the local error of a shorter step. */
static void fixed_steps(void **state) {
    (void)state;
    double added[2];
    for (int i = 0; i < 2; i++) {
        zvIntegrationOptions o = {.method = "rk4", .step = 0.02 / (1 << i)};
        zvOde ode = kepler();
        zvIntegrator *in = make(&ode, &o);
        double ends = 0;
        added[i] = excess(in, 4, &ends);
        assert_true(added[i] < 0.1 * ends);
        zv_integrator_destroy(in);
    }
    assert_true(log2(added[0] / added[1]) > 4.6); /* fifth */
}

/* At its ends the interpolant is the state. */
static void ends(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        zvIntegrationOptions o = {.method = rows[m].name, .rtol = 1e-6, .atol = 1e-6, .step = 1e-3};
        zvOde ode = kepler();
        zvIntegrator *in = make(&ode, &o);
        double y[4], last[4], tiny = 1e-13;
        kepler_exact(0, last);
        begin(in, 0, last);
        zv_integrator_at(in, 0, y); /* before any step: the start */
        assert_memory_equal(y, last, sizeof y);
        for (int k = 0; k < 50; k++) {
            step(in, 10);
            zv_integrator_at(in, zv_integrator_time_before(in), y);
            if (greatest_gap(y, last, 4) > tiny)
                fail_msg("%s: %g at the beginning", rows[m].name, greatest_gap(y, last, 4));
            zv_integrator_at(in, zv_integrator_time(in), y);
            memcpy(last, zv_integrator_state(in), sizeof last);
            assert_memory_equal(y, last, sizeof y);
        }
        zv_integrator_destroy(in);
    }
}

/* Steps of variable-step methods do not depend on what is looked at. */
static void looking_changes_nothing(void **state) {
    (void)state;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    for (size_t m = 0; m < count; m++) {
        if (rows[m].structural) continue;
        double end[2][4];
        for (int look = 0; look < 2; look++) {
            zvIntegrationOptions o = {.method = rows[m].name, .rtol = 1e-6, .atol = 1e-6};
            zvOde ode = kepler();
            zvIntegrator *in = make(&ode, &o);
            double y[4];
            kepler_exact(0, y);
            begin(in, 0, y);
            while (zv_integrator_time(in) < 5) {
                step(in, 5);
                if (look) zv_integrator_at(in, 0.5 * (zv_integrator_time(in) + zv_integrator_time_before(in)), y);
            }
            memcpy(end[look], zv_integrator_state(in), sizeof end[look]);
            zv_integrator_destroy(in);
        }
        assert_memory_equal(end[0], end[1], sizeof end[0]);
    }
}

TESTS(variable_steps, extension_of_order_7, looking_costs_little, fixed_steps, ends, looking_changes_nothing)
