/* Stiff problems: published values, a manifold that attracts fast, heat conduction through Krylov iterations. */
#include "problem.h"
#include "support/run_tests.h"

/* [Robertson], chemical kinetics. */
static int robertson_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    double a = 0.04 * y[0], b = 1e4 * y[1] * y[2], c = 3e7 * y[1] * y[1];
    dy[0] = b - a;
    dy[1] = a - b - c;
    dy[2] = c;
    return 0;
}

static void robertson(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    static const double at_40[3] = {0.7158270688, 9.185534765e-6, 0.2841637457}, scale[3] = {1, 1e-4, 1};
    static const struct {
        const char *name;
        int order;
    } rows[] = {{"bdf", 0}, {"dirk", 3}, {"dirk", 4}, {"dirk", 5}};
    for (int r = 0; r < 4; r++) {
        zvOde ode = {.size = 3, .rate = robertson_rate};
        zvIntegrationOptions o = {
            .method = rows[r].name, .order = rows[r].order, .rtol = 1e-9, .atol = 1e-9, .scale = scale};
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){1, 0, 0});
        run_to(in, 40);
        for (int i = 0; i < 3; i++) {
            double error = fabs(zv_integrator_state(in)[i] / at_40[i] - 1);
            if (error > 1e-7) fail_msg("%s %d: entry %d off by %g", rows[r].name, rows[r].order, i, error);
        }
        assert_true(zv_integrator_statistics(in).rates < 20000); /* an explicit method takes 200 000 */
        zv_integrator_destroy(in);
    }
}

/* With loose tolerances a stiff method takes few steps: slopes that f gives at states solved to the tolerance only
 * would cost ten times as many. */
static void few_steps(void **state) {
    (void)state;
    if (!have("dirk")) skip();
    static const double scale[3] = {1, 1e-4, 1};
    for (int order = 3; order <= 5; order++) {
        zvOde ode = {.size = 3, .rate = robertson_rate};
        zvIntegrationOptions o = {.method = "dirk", .order = order, .rtol = 1e-4, .atol = 1e-4, .scale = scale};
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){1, 0, 0});
        run_to(in, 40);
        assert_true(zv_integrator_statistics(in).steps < 60);
        zv_integrator_destroy(in);
    }
}

static void prothero_robinson(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    double rate = 1e6;
    for (int m = 0; m < 2; m++) {
        zvOde ode = {.size = 1, .context = &rate, .rate = prothero_rate};
        zvIntegrationOptions o = {.method = m ? "dirk" : "bdf", .rtol = 1e-7, .atol = 1e-7};
        zvIntegrator *in = make(&ode, &o);
        double worst = 0;
        begin(in, 0, (double[]){1});
        while (zv_integrator_time(in) < 10) {
            step(in, 10);
            worst = fmax(worst, fabs(zv_integrator_state(in)[0] - cos(zv_integrator_time(in))));
        }
        assert_true(worst < 1e-6);
        assert_true(zv_integrator_statistics(in).steps < 1000);
        zv_integrator_destroy(in);
    }
}

/* u_t = u_xx on (0, 1), u = 0 at both ends, n interior points, started with the first and the fifth mode. */
enum { POINTS = 200 };
typedef struct Heat {
    double gamma;
    int prepared, conditioned;
    double diagonal[POINTS]; /* factors of the tridiagonal 1 - gamma A */
} Heat;

static double heat_factor(void) { return (POINTS + 1.0) * (POINTS + 1.0); }

static int heat_rate(void *context, double t, const double *u, double *du) {
    (void)context, (void)t;
    for (int i = 0; i < POINTS; i++) {
        double left = i > 0 ? u[i - 1] : 0, right = i < POINTS - 1 ? u[i + 1] : 0;
        du[i] = heat_factor() * (left - 2 * u[i] + right);
    }
    return 0;
}

static int heat_prepare(void *context, double t, const double *u, double gamma) {
    Heat *h = context;
    (void)t, (void)u;
    double side = -gamma * heat_factor(), middle = 1 + 2 * gamma * heat_factor();
    h->prepared++;
    h->gamma = gamma;
    for (int i = 0; i < POINTS; i++) h->diagonal[i] = middle - (i ? side * side / h->diagonal[i - 1] : 0);
    return 0;
}

static int heat_precondition(void *context, double t, const double *u, double gamma, const double *r, double *z) {
    Heat *h = context;
    (void)t, (void)u, (void)gamma;
    double side = -h->gamma * heat_factor();
    h->conditioned++;
    for (int i = 0; i < POINTS; i++) z[i] = r[i] - (i ? side / h->diagonal[i - 1] * z[i - 1] : 0);
    for (int i = POINTS - 1; i >= 0; i--) z[i] = (z[i] - (i < POINTS - 1 ? side * z[i + 1] : 0)) / h->diagonal[i];
    return 0;
}

/* Modes of the discrete operator decay with their own rates 4 (n + 1)^2 sin^2(k pi / (2 (n + 1))). */
static double mode_rate(int k) {
    double s = sin(k * PI / (2 * (POINTS + 1.0)));
    return 4 * heat_factor() * s * s;
}

static void heat_modes(double t, double *u) {
    for (int i = 0; i < POINTS; i++) {
        double x = (i + 1) / (POINTS + 1.0);
        u[i] = exp(-mode_rate(1) * t) * sin(PI * x) + 0.5 * exp(-mode_rate(5) * t) * sin(5 * PI * x);
    }
}

static void heat(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    for (int m = 0; m < 4; m++) {
        bool preconditioned = m % 2;
        Heat h = {0};
        zvOde ode = {.size = POINTS, .context = &h, .rate = heat_rate};
        if (preconditioned) ode.prepare = heat_prepare, ode.precondition = heat_precondition;
        zvIntegrationOptions o = {.method = m / 2 ? "dirk" : "bdf", .rtol = 1e-6, .atol = 1e-8};
        zvIntegrator *in = make(&ode, &o);
        double u[POINTS], exact[POINTS];
        heat_modes(0, u);
        heat_modes(0.2, exact);
        begin(in, 0, u);
        run_to(in, 0.2);
        double error = greatest_gap(zv_integrator_state(in), exact, POINTS);
        zvIntegrationStatistics s = zv_integrator_statistics(in);
        if (error > 2e-6) fail_msg("%s, preconditioned %d: error %g", o.method, preconditioned, error);
        assert_true(s.linear_iterations > 0);
        assert_int_equal(s.preparations, h.prepared);
        if (preconditioned) {
            assert_true(h.prepared > 0 && h.conditioned > 0);
            assert_true(s.linear_iterations <= s.preparations); /* P is exact: one product tells so */
        }
        /* a dense matrix by difference quotients would take 200 calls each time */
        long most = preconditioned ? 4000 : 40000;
        if (s.rates > most) fail_msg("%s, preconditioned %d: %ld calls", o.method, preconditioned, s.rates);
        zv_integrator_destroy(in);
    }
}

/* P of a medium that conducts a third as well is not near the matrix: GMRES runs, led by it, and the answer stays. */
static int poor_prepare(void *context, double t, const double *u, double gamma) {
    return heat_prepare(context, t, u, gamma / 3);
}

static void poor_preconditioner(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    for (int m = 0; m < 2; m++) {
        Heat h = {0};
        zvOde ode = {.size = POINTS,
                     .context = &h,
                     .rate = heat_rate,
                     .prepare = poor_prepare,
                     .precondition = heat_precondition};
        zvIntegrationOptions o = {.method = m ? "dirk" : "bdf", .rtol = 1e-6, .atol = 1e-8};
        zvIntegrator *in = make(&ode, &o);
        double u[POINTS], exact[POINTS];
        heat_modes(0, u);
        heat_modes(0.2, exact);
        begin(in, 0, u);
        run_to(in, 0.2);
        const double error = greatest_gap(zv_integrator_state(in), exact, POINTS);
        const zvIntegrationStatistics s = zv_integrator_statistics(in);
        if (error > 2e-6) fail_msg("%s: error %g", o.method, error);
        print_message("%s: %ld products for %ld iterations\n", o.method, s.linear_iterations, s.newton_iterations);
        assert_true(s.linear_iterations > s.newton_iterations && s.linear_iterations < 8 * s.newton_iterations);
        zv_integrator_destroy(in);
    }
}

/* Up to 64 unknowns a dense matrix: Krylov iterations are not used. */
static void small_is_dense(void **state) {
    (void)state;
    if (!have("bdf")) skip();
    double rate = 1e3;
    zvOde ode = {.size = 1, .context = &rate, .rate = prothero_rate};
    zvIntegrationOptions o = {.method = "bdf", .rtol = 1e-6, .atol = 1e-6};
    zvIntegrator *in = make(&ode, &o);
    begin(in, 0, (double[]){1});
    run_to(in, 10);
    assert_int_equal(zv_integrator_statistics(in).linear_iterations, 0);
    assert_true(zv_integrator_statistics(in).newton_iterations > 0);
    zv_integrator_destroy(in);
}

TESTS(robertson, few_steps, prothero_robinson, heat, poor_preconditioner, small_is_dense)
