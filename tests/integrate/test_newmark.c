/* Newmark and generalised alpha on systems whose steps can be written down: formulas, orders, energy, damping,
 * stability. */
#include "structures.h"
#include "support/run_tests.h"

static const uint64_t seed = 20250317;

static double next_random(uint64_t *x) {
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return (double)(*x >> 11) / 9007199254740992.0;
}

/* Parameters as [Chung] has them; am = af = 0 is Newmark. */
typedef struct Rule {
    double beta, gamma, am, af;
} Rule;

static Rule alpha_rule(double rho) {
    const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), d = 1 - am + af;
    return (Rule){d * d / 4, 0.5 - am + af, am, af};
}

/* A step of one mass, solved by hand for the new acceleration. s = (x, v, a). */
static void by_hand(Rule p, const Linear *l, double t, double h, double *s) {
    const double K = l->K[0][0], D = l->D[0][0], M = l->M[0], to = 1 - p.af;
    const double x = s[0] + h * s[1] + h * h * (0.5 - p.beta) * s[2], v = s[1] + h * (1 - p.gamma) * s[2];
    const double force = l->force[0] * cos(l->pace * (t + to * h));
    const double known = M * p.am * s[2] + D * (to * v + p.af * s[1]) + K * (to * x + p.af * s[0]);
    const double a = (force - known) / (M * (1 - p.am) + to * (p.gamma * h * D + p.beta * h * h * K));
    s[0] = x + h * h * p.beta * a;
    s[1] = v + h * p.gamma * a;
    s[2] = a;
}

/* Hundred steps of a damped and driven oscillator, from slow to very stiff ones. */
static void formulas(void **state) {
    (void)state;
    uint64_t random = seed;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 200; trial++) {
        const bool alpha = trial % 2;
        Linear l = oscillator_of(pow(10, 4 * next_random(&random) - 1));
        zvStructure structure;
        zvStructural s = zv_structural_default();
        s.rho = next_random(&random);
        s.gamma = 0.5 + 0.4 * next_random(&random);
        s.beta = s.gamma * (0.5 + 0.3 * next_random(&random));
        s.iteration = trial % 4 < 2 ? ZV_ITERATION_REDUCED : ZV_ITERATION_FULL;
        s.predictor = trial % 8 < 4 ? ZV_PREDICTOR_CONSTANT : ZV_PREDICTOR_ZERO;
        s.corrector_tolerance = 1e-13;
        l.M[0] = 0.3 + next_random(&random);
        l.D[0][0] = 2 * next_random(&random) * sqrt(l.K[0][0] * l.M[0]);
        l.force[0] = 1;
        l.pace = 3;
        const double h = 0.01 + 0.2 * next_random(&random);
        const Rule p = alpha ? alpha_rule(s.rho) : (Rule){s.beta, s.gamma, 0, 0};
        zvOde ode = linear_ode(&l, &structure);
        zvIntegrationOptions o = options_of(alpha ? "generalized-alpha" : "newmark", &s, h);
        zvIntegrator *in = make(&ode, &o);
        double hand[3] = {1, -0.5, (l.force[0] + 0.5 * l.D[0][0] - l.K[0][0]) / l.M[0]};
        double t = 0, size = 1;
        begin(in, 0, hand);
        for (int k = 0; k < 100; k++) {
            step(in, 1e6);
            by_hand(p, &l, t, zv_integrator_time(in) - t, hand);
            t = zv_integrator_time(in);
            /* the corrector's tolerance a step, none of which grows */
            size = fmax(size, 1 + fabs(hand[1]) + h * fabs(hand[2]));
            const double most = 1e-13 * (k + 10) * size;
            if (greatest_gap(hand, zv_integrator_state(in), 2) > most)
                fail_msg("trial %d, step %d: off by %g", trial, k, greatest_gap(hand, zv_integrator_state(in), 2));
        }
        zv_integrator_destroy(in);
    }
}

/* Pendulum with a damper: x'' = -sin x - 0.3 x'. */
static int pendulum_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    (void)context, (void)t, (void)rest;
    r[0] = a[0] + sin(y[0]) + 0.3 * y[1];
    return 0;
}

static int pendulum_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -sin(y[0]) - 0.3 * y[1];
    return 0;
}

/* Half of it: not even the mass matrix is right. */
static int pendulum_reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                            const double *r, double *x) {
    (void)context, (void)t, (void)y, (void)lag;
    x[0] = r[0] / (1.2 + damping * 0.3 + stiffness);
    return 0;
}

static void pendulum_move(void *context, const double *q, const double *x, double *moved) {
    (void)context;
    moved[0] = q[0] + x[0];
}

static double pendulum_error(const char *method, const zvStructural *s, double h, const double *exact_end) {
    const zvStructure structure = {
        .nq = 1, .nv = 1, .move = pendulum_move, .residual = pendulum_residual, .reduced = pendulum_reduced};
    const zvOde ode = {.size = 2, .rate = pendulum_rate, .structure = &structure};
    zvIntegrationOptions o = options_of(method, s, h);
    double y[2];
    march(&ode, &o, 5, (double[]){2, 0.5}, y);
    return greatest_gap(y, exact_end, 2);
}

static void orders(void **state) {
    (void)state;
    const zvOde plain = {.size = 2, .rate = pendulum_rate};
    const zvIntegrationOptions fine = {.method = "rk4", .step = 1e-3};
    double end[2];
    march(&plain, &fine, 5, (double[]){2, 0.5}, end);
    static const struct {
        double beta, gamma, rho;
        int order;
    } cases[] = {{0.25, 0.5, -1, 2},   {1.0 / 6, 0.5, -1, 2}, {0.1, 0.5, -1, 2}, {0, 0.5, -1, 2},
                 {0.3025, 0.6, -1, 1}, {0, 0.6, -1, 1},       {0, 0, -1, 1},     {0.25, 0.45, -1, 1},
                 {0, 0, 0, 2},         {0, 0, 0.5, 2},        {0, 0, 0.8, 2},    {0, 0, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int full = 0; full < 2; full++) {
            const bool alpha = cases[i].rho >= 0;
            zvStructural s = newmark_of(cases[i].beta, cases[i].gamma);
            if (alpha) s.rho = cases[i].rho;
            s.iteration = full ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
            s.corrector_tolerance = 1e-12;
            const char *method = alpha ? "generalized-alpha" : "newmark";
            const double coarse = pendulum_error(method, &s, 0.005, end),
                         half = pendulum_error(method, &s, 0.0025, end);
            const double order = log2(coarse / half);
            if (fabs(order - cases[i].order) > 0.05)
                fail_msg("beta %g, gamma %g, rho %g: order %.3f (%g, %g)", cases[i].beta, cases[i].gamma, cases[i].rho,
                         order, coarse, half);
        }
    }
}

static Linear chain(void) {
    Linear l = {.n = 4, .M = {1, 2, 0.5, 1}, .share = 1};
    const double k[5] = {100, 3e4, 20, 5e5, 10};
    for (int i = 0; i < 4; i++) {
        l.K[i][i] = k[i] + k[i + 1];
        if (i < 3) l.K[i][i + 1] = l.K[i + 1][i] = -k[i + 1];
    }
    return l;
}

static double energy_of(const Linear *l, const double *y) {
    double sum = 0;
    for (int i = 0; i < l->n; i++) {
        sum += 0.5 * l->M[i] * y[l->n + i] * y[l->n + i];
        for (int j = 0; j < l->n; j++) sum += 0.5 * y[i] * l->K[i][j] * y[j];
    }
    return sum;
}

/* (1/4, 1/2) keeps the energy of a linear system at any step: four masses, periods from 0.006 to 1 s. */
static void keeps_energy(void **state) {
    (void)state;
    for (double h = 1e-3; h < 2; h *= 10) {
        for (int full = 0; full < 2; full++) {
            Linear l = chain();
            zvStructure structure;
            zvStructural s = newmark_of(0.25, 0.5);
            s.iteration = full ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
            s.corrector_tolerance = 1e-13;
            zvOde ode = linear_ode(&l, &structure);
            zvIntegrationOptions o = options_of("newmark", &s, h);
            const double start[8] = {0.1, -0.1, 0.2, 0.05, 1, 0, -1, 0.5}, energy = energy_of(&l, start);
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, start);
            double gap = 0;
            for (int k = 0; k < 2000; k++) {
                step(in, 1e9);
                gap = fmax(gap, fabs(energy_of(&l, zv_integrator_state(in)) / energy - 1));
            }
            if (gap > 1e-9) fail_msg("step %g, %s: energy changes by %g", h, full ? "full" : "reduced", gap);
            assert_int_equal(zv_integrator_statistics(in).newton_failures, 0);
            zv_integrator_destroy(in);
        }
    }
}

/* What a step leaves of a vibration ten thousand times faster than the step, and of one that takes sixty steps. */
static void damps(void **state) {
    (void)state;
    static const double rhos[] = {0.3, 0.5, 0.8, 0.9};
    for (size_t i = 0; i < sizeof rhos / sizeof *rhos; i++) {
        zvStructural s = zv_structural_default();
        zvStructure structure;
        Linear fast = oscillator_of(1e6), slow = oscillator_of(10);
        double y[2], early[2], late[2];
        s.rho = rhos[i];
        s.corrector_tolerance = 1e-13;
        zvOde ode = linear_ode(&fast, &structure);
        zvIntegrationOptions o = options_of("generalized-alpha", &s, 0.01);
        /* from far above what the corrector takes for zero */
        march(&ode, &o, 0.60, (double[]){1e150, 0}, early);
        march(&ode, &o, 1.20, (double[]){1e150, 0}, late);
        /* a triple root, [Chung]: k^2 rho^k */
        const double left = pow(fabs(late[0] / early[0]) / 4, 1.0 / 60);
        if (fabs(left / rhos[i] - 1) > 0.01) /* lower powers of k count, too */
            fail_msg("rho %g: a step leaves %g", rhos[i], left);
        ode = linear_ode(&slow, &structure);
        o.step = 2 * PI / 10 / 60;
        march(&ode, &o, 2 * PI / 10 * 10, (double[]){1, 0}, y);
        const double amplitude = hypot(y[0], y[1] / 10);
        if (!(amplitude < 1 && amplitude > 0.97)) fail_msg("rho %g: %g left after ten periods", rhos[i], amplitude);
    }
}

static zvIntegrator *explicit_of(Linear *l, zvStructure *structure, double gamma, double h) {
    const zvStructural s = newmark_of(0, gamma);
    zvOde ode = linear_ode(l, structure);
    structure->residual = NULL; /* rates are enough */
    structure->reduced = NULL;
    zvIntegrationOptions o = options_of("newmark", &s, h);
    zvIntegrator *in = make(&ode, &o);
    begin(in, 0, (double[]){1, 0});
    return in;
}

/* Central differences: below h = 2 / omega the motion is bounded by 1 / sqrt(1 - (h omega / 2)^2), above it grows. */
static void stability_limit(void **state) {
    (void)state;
    zvStructure structure;
    Linear l = oscillator_of(10);
    zvIntegrator *in = explicit_of(&l, &structure, 0.5, 0.199);
    double most = 0;
    for (int k = 0; k < 100000; k++) {
        step(in, 1e9);
        most = fmax(most, fabs(zv_integrator_state(in)[0]));
    }
    assert_true(most <= 1 + 1e-9);
    assert_null(zv_integrator_advice(in));
    assert_int_equal(zv_integrator_statistics(in).newton_iterations, 0);
    zv_integrator_destroy(in);

    zvError error = {0};
    zvStepEnd end;
    zvStatus status = ZV_OK;
    in = explicit_of(&l, &structure, 0.5, 0.22);
    int steps = 0;
    for (; status >= 0 && steps < 10000; steps++) status = zv_integrator_step(in, 1e9, &end, &error);
    assert_int_equal(status, ZV_NO_CONVERGENCE);
    assert_non_null(strstr(error.text, "runs away"));
    assert_non_null(strstr(zv_integrator_advice(in), "the step is too long"));
    assert_true(steps > 300 && isfinite(zv_integrator_state(in)[0])); /* the state before the failure stays */
    zv_integrator_destroy(in);
}

/* beta = gamma = 0, the explicit scheme of [Gevorkian]: |y| grows by sqrt(1 + (omega h)^2 / 2 ...) at any step, and the
 * advice says why; the amplitude is that of exp(omega^2 h t / 4). */
static void published_explicit(void **state) {
    (void)state;
    zvStructure structure;
    Linear l = oscillator_of(10);
    const double h = 1e-4;
    zvIntegrator *in = explicit_of(&l, &structure, 0, h);
    run_to(in, 4);
    const double *y = zv_integrator_state(in), growth = hypot(y[0], y[1] / 10), wanted = exp(100 * h * 4 / 4);
    if (fabs(growth / wanted - 1) > 5e-4) /* half of h omega: which combination is the amplitude */
        fail_msg("grows by %.9g, not %.9g", growth, wanted);
    assert_non_null(strstr(zv_integrator_advice(in), "gamma below 1/2"));
    zv_integrator_destroy(in);
}

/* With a quadrature and without: implicit steps never ask for rates, which only starts do. */
static void books(void **state) {
    (void)state;
    double gaps[2];
    for (int fine = 0; fine < 2; fine++) {
        Linear l = chain();
        zvStructure structure;
        l.books = true;
        for (int i = 0; i < 4; i++) l.D[i][i] = 2;
        zvOde ode = linear_ode(&l, &structure);
        const zvStructural s = newmark_of(0.25, 0.5);
        zvIntegrationOptions o = options_of("newmark", &s, fine ? 5e-5 : 1e-4);
        const double start[9] = {0.1, -0.1, 0.2, 0.05, 1, 0, -1, 0.5};
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, start);
        run_to(in, 0.2);
        const double *y = zv_integrator_state(in);
        gaps[fine] = fabs(energy_of(&l, y) + y[8] - energy_of(&l, start)) / energy_of(&l, start);
        assert_true(y[8] > 0.1);
        assert_int_equal(l.rates, 1);
        assert_int_equal(zv_integrator_statistics(in).newton_iterations, l.residuals);
        zv_integrator_destroy(in);
    }
    if (!(gaps[0] < 5e-3 && fabs(log2(gaps[0] / gaps[1]) - 2) < 0.1)) fail_msg("books: %g, %g", gaps[0], gaps[1]);
}

/* A global matrix is asked of a system that has none. */
static void no_assembled_matrix(void **state) {
    (void)state;
    zvError error = {0};
    zvStructure structure;
    Linear l = oscillator_of(10);
    zvStructural s = zv_structural_default();
    s.iteration = ZV_ITERATION_MASS;
    const zvOde ode = linear_ode(&l, &structure);
    const zvIntegrationOptions o = {.method = "newmark", .structural = &s, .step = 0.01};
    assert_null(zv_integrator_create(&ode, &o, &error));
    assert_int_equal(error.status, ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "a system that assembles one"));
    structure.assembled = structure.reduced;
    zvIntegrator *in = zv_integrator_create(&ode, &o, &error);
    assert_non_null(in);
    zv_integrator_destroy(in);
}

TESTS(no_assembled_matrix, formulas, orders, keeps_energy, damps, stability_limit, published_explicit, books)
