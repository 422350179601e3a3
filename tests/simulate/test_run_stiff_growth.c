/* What implicit methods cost as robots grow: below and above the size up to which their matrices are dense, on elastic
 * links in closed loops, under controllers, with mimic joints; and how near the preconditioner is to the matrix. */
#include "runs.h"
#include "simulate/system.h"
#include "support/growing_scenarios.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

typedef void (*Write)(char *text, int links, const char *damping, double duration, const char *integrator);

static zvScenario *grown(Write write, int links, const char *damping, double duration, const char *integrator) {
    static char text[GS_TEXT];
    zvScenario *scenario = NULL;
    zvError error = {0};
    write(text, links, damping, duration, integrator);
    if (zv_scenario_read_memory("test", text, strlen(text), 0, NULL, &scenario, &error) < 0) fail_msg("%s", error.text);
    return scenario;
}

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Preconditioner ----------------------------------------------------------------------------------------------------
 */

/* J x by central differences of f along x. */
static void times_jacobian(const zvOde *ode, const double *y, const double *x, double *Jx) {
    double *moved = numbers(ode->size), *up = numbers(ode->size), most = 0;
    for (int i = 0; i < ode->size; i++) most = fmax(most, fabs(x[i]));
    const double h = 1e-7 / most;
    for (int i = 0; i < ode->size; i++) moved[i] = y[i] + h * x[i];
    assert_int_equal(ode->rate(ode->context, 0, moved, up), 0);
    for (int i = 0; i < ode->size; i++) moved[i] = y[i] - h * x[i];
    assert_int_equal(ode->rate(ode->context, 0, moved, Jx), 0);
    for (int i = 0; i < ode->size; i++) Jx[i] = (up[i] - Jx[i]) / (2 * h);
    free(moved);
    free(up);
}

static double norm(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

/* |P^-1 (r - (1 - gamma J) x)| / |x| with x = P^-1 r, in speeds: what an iteration with P in place of the matrix leaves
 * over. The worst of several random r; gamma as of steps that follow the motion and not the vibrations. */
static double worst_left(Write write, int links, const char *damping, rtRandom *random) {
    zvError error = {0};
    zvScenario *scenario = grown(write, links, damping, 1, "method: dirk");
    ziSystem *s = zi_system_create(scenario, &error);
    assert_non_null(s);
    zvOde ode = zi_system_ode(s);
    double *y = numbers(ode.size), *r = numbers(ode.size), *x = numbers(ode.size), *e = numbers(ode.size), worst = 0;
    assert_int_equal(zi_system_begin(s, y, &error), ZV_OK);
    for (int n = 0; n < 10; n++) {
        const double gamma = rt_decades(random, -5, -4);
        if (!s->loops) rt_vector(random, 0.3, s->nv, y + s->at_v);
        rt_vector(random, 1, s->nv, r + s->at_v);
        assert_int_equal(ode.prepare(ode.context, 0, y, gamma), 0);
        assert_int_equal(ode.precondition(ode.context, 0, y, gamma, r, x), 0);
        times_jacobian(&ode, y, x, e);
        for (int i = 0; i < ode.size; i++) e[i] = r[i] - x[i] + gamma * e[i];
        const double size = norm(x + s->at_v, s->nv);
        assert_int_equal(ode.precondition(ode.context, 0, y, gamma, e, x), 0);
        worst = fmax(worst, norm(x + s->at_v, s->nv) / size);
    }
    free(y);
    free(r);
    free(x);
    free(e);
    zi_system_destroy(s);
    zv_scenario_destroy(scenario);
    return worst;
}

static void near_the_matrix(void **state) {
    (void)state;
    rtRandom random = {5101};
    static const struct {
        Write write;
        const char *what, *damping;
        int links;
    } rows[] = {{gs_coupler, "coupler", "ratio: 0.01", 4},
                {gs_coupler, "coupler", "ratio: 0.01", 16},
                {gs_arm, "arm", "ratio: 0.02", 4},
                {gs_arm, "arm", "rayleigh: {stiffness: 1e-4}", 16},
                {gs_chain, "chain with mimic joints", "20", 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double left = worst_left(rows[i].write, rows[i].links, rows[i].damping, &random);
        print_message("seed 5101: %s of %d links, P^-1 A - 1 is %.3g\n", rows[i].what, rows[i].links, left);
        assert_true(left < 0.02);
    }
}

/* With coupled mimic joints P keeps factors of a matrix; sweeps and multipliers give the same to rounding, which the
 * inertia of a chain, as heavy at its root as its links are many, enlarges by up to n^3. */
static void factors_do_what_sweeps_do(void **state) {
    (void)state;
    rtRandom random = {5102};
    static const int links[] = {3, 20, 60};
    for (int i = 0; i < 3; i++) {
        zvError error = {0};
        zvScenario *scenario = grown(gs_chain, links[i], "20", 1, "method: dirk");
        ziSystem *s = zi_system_create(scenario, &error);
        assert_non_null(s);
        zvOde ode = zi_system_ode(s);
        double *y = numbers(ode.size), *r = numbers(ode.size), *x = numbers(ode.size), *z = numbers(ode.size);
        assert_int_equal(zi_system_begin(s, y, &error), ZV_OK);
        for (int n = 0; n < 10; n++) {
            const double gamma = rt_decades(&random, -5, 0);
            rt_vector(&random, 0.3, ode.size, y);
            rt_vector(&random, 1, ode.size, r);
            assert_int_equal(ode.prepare(ode.context, 0, y, gamma), 0);
            assert_true(s->factored);
            assert_int_equal(ode.precondition(ode.context, 0, y, gamma / 2, r, x), 0); /* the step has changed */
            assert_true(s->factored);
            s->factored = false;
            assert_int_equal(ode.precondition(ode.context, 0, y, gamma / 2, r, z), 0);
            const double size = norm(z, ode.size), grown_rounding = 1e-15 * pow(links[i] + 2, 3);
            for (int k = 0; k < ode.size; k++) {
                if (!(fabs(x[k] - z[k]) <= grown_rounding * size))
                    fail_msg("seed 5102: %d links, gamma %g, entry %d: %.15g by factors, %.15g by sweeps", links[i],
                             gamma, k, x[k], z[k]);
            }
        }
        free(y);
        free(r);
        free(x);
        free(z);
        zi_system_destroy(s);
        zv_scenario_destroy(scenario);
    }
}

/* Runs --------------------------------------------------------------------------------------------------------------
 */

typedef struct Cost {
    double steps, rates; /* rates: per step */
} Cost;

static Cost cost_of(Write write, int links, const char *damping, double duration, const char *integrator) {
    zvScenario *scenario = grown(write, links, damping, duration, integrator);
    zvRunSummary *summary = run_of(scenario, NULL);
    const zvIntegrationStatistics s = zv_run_statistics(summary);
    const Cost cost = {(double)s.steps, (double)s.rates / (double)s.steps};
    print_message("%d links, %s: %ld steps, %.2f evaluations each\n", links, integrator, s.steps, cost.rates);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return cost;
}

/* Matrices are dense up to 32 unknowns where there is a preconditioner, else up to 64: 4 links of the coupler have 30
 * unknowns, 5 have 36, 10 have 66. */
static void no_step_in_cost(void **state) {
    (void)state;
    static const char *const integrators[] = {"method: dirk, rtol: 1e-6, atol: 1e-9",
                                              "method: bdf, rtol: 1e-6, atol: 1e-9"};
    for (int m = 0; m < 2; m++) {
        const Cost dense = cost_of(gs_coupler, 4, "ratio: 0.01", 0.004, integrators[m]);
        static const int links[] = {5, 10, 16};
        for (int i = 0; i < (SANITIZED ? 1 : 3); i++) {
            const Cost large = cost_of(gs_coupler, links[i], "ratio: 0.01", 0.004, integrators[m]);
            assert_true(large.rates < 1.15 * dense.rates);
        }
    }
}

/* Problems that do not get harder with more links: evaluations in all do not grow. */
static void as_many_evaluations(void **state) {
    (void)state;
    static const struct {
        Write write;
        const char *damping;
        double duration;
        int few, many;
    } rows[] = {{gs_coupler, "rayleigh: {stiffness: 1e-5}", 0.05, 5, 32},
                {gs_arm, "rayleigh: {stiffness: 1e-4}", 0.1, 5, 32},
                {gs_chain, "20", 0.3, 20, 50}};
    static const char *const methods[] = {"bdf", "dirk"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int m = 0; m < 2; m++) {
            char integrator[64];
            snprintf(integrator, sizeof integrator, "method: %s, rtol: 1e-6, atol: 1e-6", methods[m]);
            const double duration = SANITIZED ? rows[i].duration / 5 : rows[i].duration;
            const Cost few = cost_of(rows[i].write, rows[i].few, rows[i].damping, duration, integrator);
            const Cost many = cost_of(rows[i].write, rows[i].many, rows[i].damping, duration, integrator);
            assert_true(many.steps * many.rates < 1.6 * few.steps * few.rates);
        }
    }
}

/* The same f with and without its preconditioner, which below 64 unknowns means a dense matrix. */
static void as_with_dense_matrices(void **state) {
    (void)state;
    static const Write writes[] = {gs_coupler, gs_arm, gs_chain};
    static const char *const dampings[] = {"ratio: 0.01", "rayleigh: {stiffness: 1e-4}", "20"};
    static const int links[] = {8, 6, 24};
    static const char *const methods[] = {"bdf", "dirk"};
    for (int i = 0; i < 6; i++) {
        double end[2][64] = {{0}};
        zvError error = {0};
        char integrator[64];
        snprintf(integrator, sizeof integrator, "method: %s, rtol: 1e-8, atol: 1e-8", methods[i % 2]);
        zvScenario *scenario = grown(writes[i / 2], links[i / 2], dampings[i / 2], 0.01, integrator);
        ziSystem *s = zi_system_create(scenario, &error);
        assert_true(s && s->nq + s->nv > 32 && s->nq + s->nv <= 64);
        for (int dense = 0; dense < 2; dense++) {
            zvOde ode = zi_system_ode(s);
            const zvIntegrationOptions options = {.method = methods[i % 2], .rtol = 1e-8, .atol = 1e-8};
            if (dense) ode.precondition = NULL;
            double *y = numbers(ode.size);
            zvStepEnd reached;
            assert_int_equal(zi_system_begin(s, y, &error), ZV_OK);
            zvIntegrator *in = zv_integrator_create(&ode, &options, &error);
            assert_non_null(in);
            assert_int_equal(zv_integrator_start(in, 0, y, &error), ZV_OK);
            while (zv_integrator_time(in) < 0.01) assert_true(zv_integrator_step(in, 0.01, &reached, &error) >= 0);
            memcpy(end[dense], zv_integrator_state(in), (size_t)s->nq * sizeof(double));
            assert_int_equal(zv_integrator_statistics(in).preparations == 0, dense);
            zv_integrator_destroy(in);
            free(y);
        }
        double most = 0;
        for (int k = 0; k < s->nq; k++) most = fmax(most, fabs(end[0][k] - end[1][k]));
        print_message("%s: ends differ by %.2g\n", methods[i % 2], most);
        assert_true(most < 2e-6);
        zi_system_destroy(s);
        zv_scenario_destroy(scenario);
    }
}

TESTS(near_the_matrix, factors_do_what_sweeps_do, no_step_in_cost, as_many_evaluations, as_with_dense_matrices)
