/* The corrector of structural methods: stiff systems, wrong matrices, failures, laws, quaternions and
 * states besides. */
#include <stdlib.h>

#include "structures.h"
#include "support/count_allocations.h"
#include "support/run_tests.h"

/* Two masses, the stiff spring between them a hundred times faster than the step; the exact slow motion is that of both
 * as one. Both matrices, and a reduced one that has only most of the stiffness. */
static void stiff(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const double slow = 1, fast = 2 * PI * 100 / 0.02; /* period a hundredth of the step */
        Linear l = {.n = 2, .M = {1, 1}, .share = kind == 2 ? 0.9 : 1};
        l.K[0][0] = 2 * slow * slow + fast * fast / 2;
        l.K[1][1] = fast * fast / 2;
        l.K[0][1] = l.K[1][0] = -fast * fast / 2;
        zvStructure structure;
        zvStructural s = zv_structural_default();
        s.iteration = kind == 0 ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
        zvOde ode = linear_ode(&l, &structure);
        for (int alpha = 0; alpha < 2; alpha++) {
            zvIntegrationOptions o = options_of(alpha ? "generalized-alpha" : "newmark", &s, 0.02);
            zvIntegrator *in = make(&ode, &o);
            begin(in, 0, (double[]){1, 1, 0, 0});
            run_to(in, 10);
            const double *y = zv_integrator_state(in), gap = fmax(fabs(y[0] - cos(10)), fabs(y[1] - cos(10)));
            const zvIntegrationStatistics counts = zv_integrator_statistics(in);
            /* h^2 t / 12 of phase, up to four times that for rho = 0.8, and the start that has no fast part */
            if (gap > 0.02 * 0.02 * 10 / 12 * 4) fail_msg("matrix %d, %s: off by %g", kind, o.method, gap);
            assert_int_equal(counts.steps, 500);
            assert_int_equal(counts.newton_failures, 0);
            if (kind < 2) assert_true(counts.newton_iterations <= 3 * counts.steps);
            if (kind == 0) assert_int_equal(counts.preparations, 1); /* kept while it converges */
            zv_integrator_destroy(in);
        }
    }
}

/* A spring that hardens: x'' = -x - 1e4 x^3. A full matrix is made anew when the old one converges slowly. */
typedef struct Hard {
    double factor; /* of the reduced matrix */
} Hard;

static int hard_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    (void)context, (void)t, (void)rest;
    r[0] = a[0] + y[0] + 1e4 * y[0] * y[0] * y[0];
    return 0;
}

static int hard_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -y[0] - 1e4 * y[0] * y[0] * y[0];
    return 0;
}

static int hard_reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                        const double *r, double *x) {
    const Hard *hard = context;
    (void)t, (void)y, (void)damping, (void)lag;
    x[0] = r[0] * hard->factor / (1 + stiffness);
    return 0;
}

static void hard_move(void *context, const double *q, const double *x, double *moved) {
    (void)context;
    moved[0] = q[0] + x[0];
}

static const zvStructure hard_structure = {
    .nq = 1, .nv = 1, .move = hard_move, .residual = hard_residual, .reduced = hard_reduced};

static void renews_matrix(void **state) {
    (void)state;
    Hard hard = {1};
    const zvOde ode = {.size = 2, .context = &hard, .rate = hard_rate, .structure = &hard_structure};
    zvStructural s = zv_structural_default();
    s.iteration = ZV_ITERATION_FULL;
    zvIntegrationOptions o = options_of("newmark", &s, 0.01);
    const zvIntegrationOptions fine = {.method = "rk4", .step = 1e-4};
    double wanted[2];
    march(&ode, &fine, 1, (double[]){0.5, 0}, wanted);
    double gap[2];
    for (int k = 0; k < 2; k++) {
        o.step = k ? 2.5e-4 : 5e-4;
        zvIntegrator *in = make(&ode, &o);
        begin(in, 0, (double[]){0.5, 0});
        run_to(in, 1);
        const zvIntegrationStatistics counts = zv_integrator_statistics(in);
        gap[k] = greatest_gap(zv_integrator_state(in), wanted, 1);
        assert_true(counts.preparations > 0 && counts.preparations < counts.steps);
        assert_int_equal(counts.newton_failures, 0);
        zv_integrator_destroy(in);
    }
    assert_true(fabs(log2(gap[0] / gap[1]) - 2) < 0.1);
}

/* The reduced matrix knows nothing of the hardening: the corrector diverges, and says so; the state stays. With error
 * control the step is halved until it converges. */
static void failure(void **state) {
    (void)state;
    Hard hard = {1};
    const zvOde ode = {.size = 2, .context = &hard, .rate = hard_rate, .structure = &hard_structure};
    zvStructural s = zv_structural_default();
    zvIntegrationOptions o = options_of("newmark", &s, 0.25);
    zvIntegrator *in = make(&ode, &o);
    zvError error = {0};
    zvStepEnd end;
    begin(in, 0.5, (double[]){0.5, 0});
    assert_int_equal(zv_integrator_step(in, 10, &end, &error), ZV_NO_CONVERGENCE);
    static const char *const parts[] = {"at t = 0.5:",    "iterations with the reduced matrix",
                                        "step 0.25 s",    "the residual is",
                                        "a shorter step", "iteration: full",
                                        "adaptive"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(error.text, parts[i])) fail_msg("\"%s\" lacks \"%s\"", error.text, parts[i]);
    }
    assert_true(zv_integrator_time(in) == 0.5 && zv_integrator_state(in)[0] == 0.5);
    assert_int_equal(zv_integrator_statistics(in).newton_failures, 1);
    assert_true(zv_integrator_statistics(in).newton_iterations <= s.corrector_iterations);
    zv_integrator_destroy(in);

    s.adaptive = true;
    o.rtol = o.atol = 1e-4;
    in = make(&ode, &o);
    begin(in, 0.5, (double[]){0.5, 0});
    run_to(in, 1);
    const zvIntegrationStatistics counts = zv_integrator_statistics(in);
    assert_true(counts.newton_failures > 0 && counts.rejected >= counts.newton_failures);
    zv_integrator_destroy(in);

    s.adaptive = false; /* a matrix that leads away: an end all the same */
    hard.factor = -1;
    o.step = 1e-3;
    in = make(&ode, &o);
    begin(in, 0, (double[]){0.5, 0});
    assert_int_equal(zv_integrator_step(in, 10, &end, &error), ZV_NO_CONVERGENCE);
    zv_integrator_destroy(in);
}

/* Mass 0 is led as sin t, mass 1 hangs on it by a spring: x'' = w^2 (sin t - x). */
static void lead(void *context, double t, double *y) {
    (void)context;
    y[0] = sin(t);
    y[2] = cos(t);
}

static const double w2 = 9;

static int led_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    (void)context, (void)rest;
    assert_true(y[0] == sin(t) && y[2] == cos(t)); /* imposed wherever it is asked */
    r[0] = 0;
    r[1] = a[1] + w2 * (y[1] - y[0]);
    return 0;
}

static int led_reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                       const double *r, double *x) {
    (void)context, (void)t, (void)y, (void)damping, (void)lag;
    x[0] = 0;
    x[1] = r[1] / (1 + stiffness * w2);
    return 0;
}

static int led_rate(void *context, double t, const double *y, double *dy) {
    (void)context;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -sin(t);
    dy[3] = -w2 * (y[1] - y[0]);
    return 0;
}

static void led_move(void *context, const double *q, const double *x, double *moved) {
    (void)context;
    for (int i = 0; i < 2; i++) moved[i] = q[i] + x[i];
}

static void prescribed(void **state) {
    (void)state;
    const zvStructure structure = {
        .nq = 2, .nv = 2, .move = led_move, .impose = lead, .residual = led_residual, .reduced = led_reduced};
    const zvOde ode = {.size = 4, .rate = led_rate, .structure = &structure};
    static const char *const methods[] = {"newmark", "newmark", "newmark", "generalized-alpha", "generalized-alpha"};
    for (int m = 0; m < 5; m++) {
        double gap[2];
        for (int fine = 0; fine < 2; fine++) {
            zvStructural s = newmark_of(m == 2 ? 0 : 0.25, 0.5);
            s.iteration = m % 2 ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
            s.corrector_tolerance = 1e-12;
            zvIntegrationOptions o = options_of(methods[m], &s, fine ? 0.005 : 0.01);
            double y[4];
            march(&ode, &o, 7, (double[]){0, 0, 1, 1}, y);
            /* w^2 / (w^2 - 1) sin t + C sin(w t), v(0) = 1 */
            const double w = sqrt(w2), A = w2 / (w2 - 1), C = (1 - A) / w;
            gap[fine] = fabs(y[1] - A * sin(7) - C * sin(w * 7));
            assert_true(y[0] == sin(7) && y[2] == cos(7));
        }
        if (!(gap[0] < 1e-3 && fabs(log2(gap[0] / gap[1]) - 2) < 0.1)) fail_msg("%d: %g, %g", m, gap[0], gap[1]);
    }
}

/* A free body: q its quaternion (x y z w), v the angular velocity in body axes, I a + v x I v = 0. */
static const double inertia[3] = {1, 2, 3.5};

static void product(const double *a, const double *b, double *ab) {
    ab[0] = a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1];
    ab[1] = a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2];
    ab[2] = a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0];
    ab[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void turn_by(void *context, const double *q, const double *x, double *moved) {
    (void)context;
    const double angle = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), half = 0.5 * angle;
    const double part = angle > 1e-8 ? sin(half) / angle : 0.5,
                 turn[4] = {part * x[0], part * x[1], part * x[2], cos(half)};
    product(q, turn, moved);
}

static void gyroscopic(const double *v, double *r) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = v[j] * inertia[k] * v[k] - v[k] * inertia[j] * v[j];
    }
}

static int body_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    (void)context, (void)t, (void)rest;
    gyroscopic(y + 4, r);
    for (int i = 0; i < 3; i++) r[i] += inertia[i] * a[i];
    return 0;
}

static int body_reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                        const double *r, double *x) {
    (void)context, (void)t, (void)y, (void)damping, (void)stiffness, (void)lag;
    for (int i = 0; i < 3; i++) x[i] = r[i] / inertia[i];
    return 0;
}

static int body_rate(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t;
    const double spin[4] = {0.5 * y[4], 0.5 * y[5], 0.5 * y[6], 0};
    product(y, spin, dy);
    gyroscopic(y + 4, dy + 4);
    for (int i = 0; i < 3; i++) dy[4 + i] /= -inertia[i];
    return 0;
}

/* Angular momentum in the world: q (0, I v) q*. */
static void momentum(const double *y, double *L) {
    const double own[4] = {inertia[0] * y[4], inertia[1] * y[5], inertia[2] * y[6], 0};
    const double back[4] = {-y[0], -y[1], -y[2], y[3]};
    double half[4], whole[4];
    product(y, own, half);
    product(half, back, whole);
    memcpy(L, whole, 3 * sizeof *L);
}

static void free_body(void **state) {
    (void)state;
    const zvStructure structure = {
        .nq = 4, .nv = 3, .move = turn_by, .residual = body_residual, .reduced = body_reduced};
    const zvOde ode = {.size = 7, .rate = body_rate, .structure = &structure};
    const double start[7] = {0, 0, 0, 1, 0.1, 2, 0.2}; /* about the middle axis: it tumbles */
    const zvIntegrationOptions fine = {.method = "rk4", .step = 1e-3};
    double wanted[7], L0[3];
    march(&ode, &fine, 6, start, wanted);
    momentum(start, L0);
    for (int m = 0; m < 4; m++) {
        double gap[2], drift[2];
        for (int k = 0; k < 2; k++) {
            zvStructural s = newmark_of(m == 2 ? 0 : 0.25, 0.5);
            s.iteration = m == 1 ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
            s.corrector_tolerance = 1e-12;
            zvIntegrationOptions o = options_of(m == 3 ? "generalized-alpha" : "newmark", &s, k ? 1e-3 : 2e-3);
            double y[7], L[3];
            march(&ode, &o, 6, start, y);
            momentum(y, L);
            gap[k] = greatest_gap(y, wanted, 7);
            drift[k] = greatest_gap(L, L0, 3);
            const double norm = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3];
            assert_true(fabs(norm - 1) < 1e-12); /* moved by rotations */
        }
        if (!(gap[0] < 1e-3 && fabs(log2(gap[0] / gap[1]) - 2) < 0.1)) fail_msg("%d: off by %g, %g", m, gap[0], gap[1]);
        if (!(drift[0] < 1e-4 && drift[1] < 0.3 * drift[0])) fail_msg("%d: momentum %g, %g", m, drift[0], drift[1]);
    }
}

/* A mass on a stiff spring whose other end is z = (theta, omega), of inertia J; and the energy book of a damper. */
static const double J = 0.5, k_spring = 5e4, d_spring = 3;

static int motor_residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    (void)context, (void)t;
    const double torque = k_spring * (y[2] - y[0]) + d_spring * (y[3] - y[1]);
    r[0] = a[0] + y[0] - torque;
    rest[0] = y[3];
    rest[1] = -torque / J;
    rest[2] = d_spring * (y[3] - y[1]) * (y[3] - y[1]);
    return 0;
}

static int motor_rate(void *context, double t, const double *y, double *dy) {
    const double zero = 0;
    double r;
    motor_residual(context, t, y, &zero, &r, dy + 2);
    dy[0] = y[1];
    dy[1] = -r;
    return 0;
}

static void states_besides(void **state) {
    (void)state;
    const zvStructure structure = {.nq = 1, .nv = 1, .move = hard_move, .residual = motor_residual};
    const zvOde ode = {.size = 5, .rate = motor_rate, .quadratures = 1, .structure = &structure};
    const double start[5] = {1, 0, 1.001, 0, 0};
    const zvIntegrationOptions fine = {.method = "rk4", .step = 1e-5};
    double wanted[5];
    march(&ode, &fine, 0.5, start, wanted);
    static const double rhos[] = {-1, 0, 0.8, 1};
    for (int m = 0; m < 4; m++) {
        double gap[2];
        for (int k = 0; k < 2; k++) {
            zvStructural s = zv_structural_default();
            if (m) s.rho = rhos[m];
            s.corrector_tolerance = 1e-12;
            zvIntegrationOptions o = options_of(m ? "generalized-alpha" : "newmark", &s, k ? 1.25e-5 : 2.5e-5);
            double y[5];
            march(&ode, &o, 0.5, start, y);
            gap[k] = greatest_gap(y, wanted, 5);
        }
        if (!(gap[0] < 0.02 && fabs(log2(gap[0] / gap[1]) - 2) < 0.1)) fail_msg("%d: off by %g, %g", m, gap[0], gap[1]);
    }
    /* a step of fifty periods of the spring: both as one, x'' = -x / (1 + J) */
    const zvStructural s = zv_structural_default();
    const zvIntegrationOptions o = options_of("generalized-alpha", &s, 0.8);
    double y[5];
    march(&ode, &o, 8, (double[]){1, 0, 1, 0, 0}, y);
    assert_true(fabs(y[0] - y[2]) < 1e-3 && fabs(y[0] - cos(8 / sqrt(1 + J))) < 0.5);
}

static void refusals(void **state) {
    (void)state;
    Linear l = oscillator_of(1);
    zvStructure structure;
    zvOde ode = linear_ode(&l, &structure);
    struct {
        double beta, gamma, rho, tolerance;
        int iterations;
        const char *part;
    } cases[] = {{-0.1, 0.5, 0.8, 1e-9, 20, "beta: expected a number from 0 to 1, found -0.1"},
                 {0.25, 1.5, 0.8, 1e-9, 20, "gamma: expected a number from 0 to 1, found 1.5"},
                 {0.25, 0.5, 1.1, 1e-9, 20, "rho: expected a number from 0 to 1, found 1.1"},
                 {0.25, 0.5, 0.8, 1e-20, 20, "corrector_tolerance: expected a number from 1e-14 to 0.1, found 1e-20"},
                 {0.25, 0.5, 0.8, 1e-9, 0, "corrector_iterations: expected a number from 1 to 1e+06, found 0"},
                 {NAN, 0.5, 0.8, 1e-9, 20, "beta: expected a number from 0 to 1, found "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const zvStructural s = {.beta = cases[i].beta,
                                .gamma = cases[i].gamma,
                                .rho = cases[i].rho,
                                .corrector_tolerance = cases[i].tolerance,
                                .corrector_iterations = cases[i].iterations};
        const zvIntegrationOptions o = options_of("newmark", &s, 0.1);
        zvError error = {0};
        assert_null(zv_integrator_create(&ode, &o, &error));
        if (!strstr(error.text, cases[i].part)) fail_msg("%s", error.text);
    }
    const zvIntegrationOptions o = {.method = "generalized-alpha"};
    zvError error = {0};
    ode.structure = NULL;
    assert_null(zv_integrator_create(&ode, &o, &error));
    assert_int_equal(error.status, ZV_NOT_SUPPORTED);
    structure.nq = 2;
    ode.structure = &structure;
    assert_null(zv_integrator_create(&ode, &o, &error));
    assert_int_equal(error.status, ZV_SIZE);
}

static void nobody_allocates(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Linear l = oscillator_of(3);
        zvStructure structure;
        zvStructural s = newmark_of(kind == 3 ? 0 : 0.25, 0.5);
        s.iteration = kind == 1 ? ZV_ITERATION_FULL : ZV_ITERATION_REDUCED;
        s.adaptive = kind == 2;
        zvOde ode = linear_ode(&l, &structure);
        const zvIntegrationOptions o = options_of("newmark", &s, 0.01);
        zvIntegrator *in = make(&ode, &o);
        double y[2];
        const long before = allocations;
        begin(in, 0, (double[]){1, 0});
        run_to(in, 1);
        zv_integrator_at(in, 0.9999, y);
        assert_int_equal(allocations, before);
        zv_integrator_destroy(in);
    }
}

TESTS(stiff, renews_matrix, failure, prescribed, free_body, refusals, states_besides, nobody_allocates)
