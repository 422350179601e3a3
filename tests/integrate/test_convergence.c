/* Measured orders with fixed steps, and errors in proportion to tolerances with variable ones, on Kepler's ellipse. */
#include "problem.h"
#include "support/run_tests.h"

static double error_at_end(const zvIntegrationOptions *o, double T, long *steps) {
    double y[4], exact[4];
    zvOde ode = kepler();
    zvIntegrator *in = make(&ode, o);
    kepler_exact(0, y);
    kepler_exact(T, exact);
    begin(in, 0, y);
    run_to(in, T);
    double gap = greatest_gap(zv_integrator_state(in), exact, 4);
    if (steps) *steps = zv_integrator_statistics(in).steps;
    zv_integrator_destroy(in);
    return gap;
}

/* Tolerances so loose that every step is the greatest allowed. */
static zvIntegrationOptions with_step(const char *method, int order, double h) {
    return (zvIntegrationOptions){.method = method, .order = order, .rtol = 0.9, .atol = 1e9, .step = h, .max_step = h};
}

static void expect_order(const char *method, int order, int coarse) {
    const double T = 4;
    double e[2];
    for (int i = 0; i < 2; i++) {
        long steps, wanted = (long)coarse << i;
        zvIntegrationOptions o = with_step(method, order, T / (double)wanted);
        e[i] = error_at_end(&o, T, &steps);
        assert_in_range(steps, wanted, wanted + 1); /* the last may fall short by rounding */
    }
    double measured = log2(e[0] / e[1]);
    if (measured < order - 0.3 || measured > order + 0.9) {
        fail_msg("%s of order %d: errors %g, %g, measured order %.2f", method, order, e[0], e[1], measured);
    }
}

static void fixed_orders(void **state) {
    (void)state;
    expect_order("rk4", 4, 200);
    expect_order("euler", 1, 4000);
}

static void explicit_orders(void **state) {
    (void)state;
    if (!have("erk")) skip();
    expect_order("erk", 2, 800);
    expect_order("erk", 3, 400);
    expect_order("erk", 4, 200);
    expect_order("erk", 5, 160);
    expect_order("erk", 6, 128);
    expect_order("erk", 8, 44);
}

/* f of t alone: an estimate of the error that vanishes there would let the step grow without bounds. */
static int bell(void *context, double t, const double *y, double *dy) {
    (void)context, (void)y;
    dy[0] = exp(-t * t);
    return 0;
}

static void quadrature_is_controlled(void **state) {
    (void)state;
    if (!have("erk")) skip();
    for (int order = 2; order <= 8; order += order == 6 ? 2 : 1) {
        zvOde ode = {.size = 1, .rate = bell};
        zvIntegrationOptions o = {.method = "erk", .order = order, .rtol = 1e-9, .atol = 1e-9};
        zvError error;
        zvStepEnd end = ZV_STEP_INSIDE;
        double y = 0;
        zvIntegrator *in = zv_integrator_create(&ode, &o, &error);
        assert_non_null(in);
        assert_int_equal(zv_integrator_start(in, -6, &y, &error), ZV_OK);
        while (end == ZV_STEP_INSIDE) assert_int_equal(zv_integrator_step(in, 6, &end, &error), ZV_OK);
        const double gap = fabs(zv_integrator_state(in)[0] - sqrt(acos(-1)) * erf(6));
        if (gap > 1e-7) fail_msg("erk of order %d: error %g of an integral over t", order, gap);
        zv_integrator_destroy(in);
    }
}

/* Slope of log error over log tolerance, by least squares over 1e-3 ... 1e-10. */
static void expect_proportional(const char *method, int order, double most) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const int from = 3, to = 10, count = to - from + 1;
    for (int k = from; k <= to; k++) {
        zvIntegrationOptions o = {.method = method, .order = order, .rtol = pow(10, -k), .atol = pow(10, -k)};
        double error = error_at_end(&o, 10, NULL), x = -k, y = log10(error);
        if (error > most * o.rtol) fail_msg("%s %d: error %g at tolerance %g", method, order, error, o.rtol);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    if (slope < 0.8 || slope > 1.2) fail_msg("%s %d: error ~ tolerance^%.2f", method, order, slope);
}

static void tolerances(void **state) {
    (void)state;
    if (!have("adams")) skip();
    expect_proportional("adams", 0, 1000);
    expect_proportional("bdf", 0, 4000);
    expect_proportional("erk", 4, 100);
    expect_proportional("erk", 5, 500);
    expect_proportional("erk", 6, 500);
    expect_proportional("erk", 8, 100);
    expect_proportional("dirk", 4, 200);
    expect_proportional("dirk", 5, 200);
}

/* An order q method with tolerance per step needs error^(-1/q) steps. */
static void implicit_orders(void **state) {
    (void)state;
    if (!have("dirk")) skip();
    static const struct {
        int order;
        double coarse, fine;
    } rows[] = {{2, 1e-4, 1e-6}, {3, 1e-5, 1e-8}, {4, 1e-6, 1e-9}, {5, 1e-6, 1e-9}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double tolerance[2] = {rows[r].coarse, rows[r].fine}, e[2];
        long steps[2];
        for (int i = 0; i < 2; i++) {
            zvIntegrationOptions o = {
                .method = "dirk", .order = rows[r].order, .rtol = tolerance[i], .atol = tolerance[i]};
            e[i] = error_at_end(&o, 10, &steps[i]);
        }
        double measured = log(e[0] / e[1]) / log((double)steps[1] / (double)steps[0]);
        if (measured < rows[r].order - 0.6 || measured > rows[r].order + 1.2) {
            fail_msg("dirk of order %d: measured order %.2f", rows[r].order, measured);
        }
    }
}

/* Adams and BDF of limited order use no higher one, and need more steps. */
static void limited_order(void **state) {
    (void)state;
    if (!have("adams")) skip();
    static const char *const names[] = {"adams", "bdf"};
    for (int m = 0; m < 2; m++) {
        long limited, free;
        zvIntegrationOptions o = {.method = names[m], .order = 2, .rtol = 1e-6, .atol = 1e-6};
        error_at_end(&o, 10, &limited);
        o.order = 0;
        error_at_end(&o, 10, &free);
        assert_true(limited > 3 * free);
    }
}

/* Semi-implicit Euler is symplectic: its energy error does not grow from 10 to 200 turns. */
static void bounded_energy(void **state) {
    (void)state;
    zvOde ode = kepler();
    zvIntegrationOptions o = {.method = "euler", .step = 1e-3};
    zvIntegrator *in = make(&ode, &o);
    double y[4], worst[2] = {0, 0};
    kepler_exact(0, y);
    begin(in, 0, y);
    while (zv_integrator_time(in) < 200 * 2 * PI) {
        step(in, 200 * 2 * PI);
        const double *x = zv_integrator_state(in);
        double energy = 0.5 * (x[2] * x[2] + x[3] * x[3]) - 1 / hypot(x[0], x[1]);
        int late = zv_integrator_time(in) > 10 * 2 * PI;
        worst[late] = fmax(worst[late], fabs(energy + 0.5)); /* -1 / (2 a), a = 1 */
    }
    zv_integrator_destroy(in);
    assert_true(worst[0] > 1e-5 && worst[0] < 2e-3);
    assert_true(worst[1] < 1.05 * worst[0]);
}

TESTS(fixed_orders, explicit_orders, quadrature_is_controlled, tolerances, implicit_orders, limited_order,
      bounded_energy)
