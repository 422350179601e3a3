/* Unknowns that feed nothing back: the same results, and difference quotients for the others only. */
#include <stdlib.h>

#include "problem.h"
#include "support/run_tests.h"

enum { BOOKS = 9, MANY = 60, LONG = MANY + 40 };

/* [Prothero and Robinson] around cos t and around sin t, coupled, and BOOKS integrals of products of both. */
static int books_rate(void *context, double t, const double *y, double *dy) {
    (void)context;
    double a = y[0] - cos(t), b = y[1] - sin(t);
    dy[0] = -1e4 * a + 3e3 * b - sin(t);
    dy[1] = -5e3 * b + cos(t);
    for (int k = 0; k < BOOKS; k++) dy[2 + k] = y[0] * y[0] + k * y[0] * y[1];
    return 0;
}

/* int cos^2 = (t + sin t cos t)/2, int cos sin = sin^2 t / 2. */
static double book(double t, int k) { return 0.5 * (t + sin(t) * cos(t)) + 0.5 * k * sin(t) * sin(t); }

static void books(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    for (int m = 0; m < 2; m++) {
        zvIntegrationStatistics s[2];
        double end[2][2 + BOOKS], start[2 + BOOKS] = {1};
        for (int k = 0; k < 2; k++) {
            zvOde ode = {.size = 2 + BOOKS, .rate = books_rate, .quadratures = k ? BOOKS : 0};
            zvIntegrationOptions o = {.method = m ? "dirk" : "bdf", .rtol = 1e-8, .atol = 1e-8};
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, start);
            run_to(in, 5);
            memcpy(end[k], zv_integrator_state(in), sizeof end[k]);
            s[k] = zv_integrator_statistics(in);
            zv_integrator_destroy(in);
        }
        for (int k = 0; k < BOOKS; k++) { /* bdf is off by up to a thousand tolerances */
            double error = fabs(end[1][2 + k] - book(5, k));
            if (error > 1e-5) fail_msg("%s: integral %d is off by %g", m ? "dirk" : "bdf", k, error);
        }
        assert_true(greatest_gap(end[0], end[1], 2 + BOOKS) < 1e-8);
        assert_true(labs(s[0].steps - s[1].steps) <= s[0].steps / 20);
        long saved = s[0].rates - s[1].rates; /* the first matrix and two more at the least */
        if (saved < 3 * BOOKS) fail_msg("%s: only %ld calls saved", m ? "dirk" : "bdf", saved);
    }
}

/* A chain that conducts heat, slowly enough for few steps, and integrals of it. */
static int long_rate(void *context, double t, const double *u, double *du) {
    (void)context, (void)t;
    for (int i = 0; i < MANY; i++) {
        double left = i > 0 ? u[i - 1] : 0, right = i < MANY - 1 ? u[i + 1] : 0;
        du[i] = 1e3 * (left - 2 * u[i] + right);
    }
    for (int i = MANY; i < LONG; i++) du[i] = u[i - MANY];
    return 0;
}

/* The limit of the dense matrix counts what feeds back. */
static void many(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    for (int m = 0; m < 4; m++) {
        zvOde ode = {.size = LONG, .rate = long_rate, .quadratures = m % 2 ? LONG - MANY : 0};
        zvIntegrationOptions o = {.method = m / 2 ? "dirk" : "bdf", .rtol = 1e-6, .atol = 1e-6};
        zvIntegrator *in = make(&ode, &o);
        double u[LONG] = {1};
        begin(in, 0, u);
        run_to(in, 0.01);
        assert_int_equal(zv_integrator_statistics(in).linear_iterations == 0, m % 2);
        zv_integrator_destroy(in);
    }
}

static void refused(void **state) {
    (void)state;
    for (int bad = -1; bad <= 3; bad += 4) {
        zvOde ode = {.size = 2, .rate = oscillator_rate, .quadratures = bad};
        zvIntegrationOptions o = {.method = "rk4"};
        zvError error = {0};
        assert_null(zv_integrator_create(&ode, &o, &error));
        assert_non_null(strstr(error.text, "expected 0 to 2 quadratures among 2 unknowns, found"));
    }
}

TESTS(books, many, refused)
