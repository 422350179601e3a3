/* Newmark and generalised alpha through scenarios: the system as a structure, its reduced iteration matrix against
 * differences, runs against Runge-Kutta, pieces of runs, and what the reader refuses. */
#include "simulate/structural_runs.h"
#include "simulate/system.h"
#include "support/count_allocations.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = STRUCTURAL_MOST };

/* A free base, a ball joint with dampers, a flexible joint, a spring and damper, an elastic link with damping, a
 * prescribed and a stuck joint, a load on a frame of the elastic link. */
#define EVERYTHING                                                                                                   \
    "{zveno_scenario: 1, gravity: %s, duration: 1, model: {inline: {base: free, links: [{name: a, mass: 3, com: "    \
    "[0.1, 0, 0], inertia: [0.3, 0.4, 0.5]}, {name: b, mass: 2, com: [0, 0.1, 0.2], inertia: [0.2, 0.2, 0.1]}, "     \
    "{name: c, mass: 1, com: [0.3, 0, 0], inertia: [0.05, 0.06, 0.02]}, {name: d, beam: {length: 1, material: {E: "  \
    "7e10, poisson: 0.3, density: 2700}, section: {tube: [0.02, 0.018]}, modes: {y: 2, z: 1, twist: 1}, damping: "   \
    "{ratio: 0.05}}}, "                                                                                              \
    "{name: e, mass: 0.7, com: [0, 0.1, 0], inertia: [0.01, 0.02, 0.03]}, {name: f, mass: 0.8, com: [0.1, 0.1, 0], " \
    "inertia: [0.02, 0.02, 0.03]}], frames: [{name: middle, link: d, pose: {xyz: [0.5, 0, 0]}}], joints: [{name: "   \
    "ball, type: spherical, parent: a, child: b, origin: {xyz: [0.2, 0, 0.3]}, dofs: [{damping: 4}, {damping: 5}, "  \
    "{damping: 6}]}, {name: gear, type: continuous, parent: b, child: c, origin: {xyz: [0, 0, 0.4]}, axis: [0, 1, "  \
    "0]}, {name: spring, type: continuous, parent: c, child: d, origin: {xyz: [0.5, 0, 0]}, axis: [1, 1, 0]}, "      \
    "{name: driven, type: continuous, parent: d, child: e, origin: {xyz: [1, 0, 0]}, axis: [0, 0, 1]}, {name: "      \
    "stuck, type: prismatic, parent: e, child: f, axis: [1, 0, 0]}]}}, joints: {gear: {flexible: {stiffness: 5e3, "  \
    "damping: 20, inertia: 2e-4, ratio: 50, motor_damping: 1e-3}}, spring: {spring: {stiffness: 3e4, rest: 0}, "     \
    "damping: 40}, stuck: {friction: {coulomb: 5, stick_slip: true}}}, drives: [{type: motion, joint: driven, law: " \
    "%s}], loads: [{frame: middle, force: [0, 0, %g]}]}"

typedef struct Case {
    zvScenario *scenario;
    ziSystem *system;
    zvOde ode;
    double y[MOST];
} Case;

static Case open_case(const char *gravity, const char *law, double load) {
    Case c = {.scenario = scenario_of(EVERYTHING, gravity, law, load)};
    zvError error = {0};
    c.system = zi_system_create(c.scenario, &error);
    if (!c.system || zi_system_begin(c.system, c.y, &error) < 0) fail_msg("%s", error.text);
    c.ode = zi_system_ode(c.system);
    assert_true(c.ode.size <= MOST);
    return c;
}

static void close_case(Case *c) {
    zi_system_destroy(c->system);
    zv_scenario_destroy(c->scenario);
}

/* The accelerations that forward dynamics finds leave no residual, and rates and powers are the same by both ways. */
static void residual_is_rate(void **state) {
    (void)state;
    rtRandom random = {43};
    Case c = open_case("[0, 0.4, -9.81]", "{type: harmonic, amplitude: 0.3, frequency: 0.5}", 3);
    const zvStructure *s = c.ode.structure;
    const int rest = c.ode.size - s->nq - s->nv;
    const int joint = s->coordinate[zv_drives_state(c.scenario->drives, 0).dof];
    for (int n = 0; n < 50; n++) {
        double y[MOST], moved[MOST], dy[MOST], r[MOST], off[MOST], dz[MOST];
        rt_vector(&random, 0.3, s->nv, moved);
        s->move(c.ode.context, c.y, moved, y);
        rt_vector(&random, 1, c.ode.size - s->nq, y + s->nq);
        y[s->nq + s->nv] = y[joint] + 1e-3 * y[s->nq + s->nv]; /* the motor, not far from its joint */
        const double t = rt_uniform(&random, 0.1, 0.9);
        s->impose(c.ode.context, t, y);
        assert_int_equal(c.ode.rate(c.ode.context, t, y, dy), 0);
        assert_int_equal(s->residual(c.ode.context, t, y, dy + s->nq, r, dz), 0);
        double size = 1, gap = 0;
        for (int i = 0; i < s->nv; i++) off[i] = dy[s->nq + i] * (1 + 1e-6);
        for (int i = 0; i < s->nv; i++) size = fmax(size, fabs(c.system->efforts->tau[i]));
        zv_mass_times(c.scenario->model, c.system->work, y, off, moved);
        for (int i = 0; i < s->nv; i++) {
            size = fmax(size, fabs(moved[i]));
            gap = fmax(gap, fabs(r[i]));
        }
        if (gap > 1e-9 * size) fail_msg("seed 43, state %d: residual %g of %g", n, gap, size);
        for (int i = 0; i < rest; i++) {
            const double rate = dy[s->nq + s->nv + i];
            assert_named_near("rate", dz[i], rate, 1e-9 * (size + fabs(rate)));
        }
    }
    close_case(&c);
}

/* What the corrector makes zero, moved along x by the amount e. */
static void balance(const Case *c, const double c3[3], const double *x, double e, double *f) {
    const zvStructure *s = c->ode.structure;
    double y[MOST], increment[MOST], a[MOST], dz[MOST];
    const int nz = c->ode.size - s->nq - s->nv - c->ode.quadratures;
    memcpy(y, c->y, (size_t)c->ode.size * sizeof *y);
    for (int i = 0; i < s->nv; i++) {
        increment[i] = e * c3[1] * x[i];
        y[s->nq + i] += e * c3[0] * x[i];
        a[i] = e * x[i];
    }
    s->move(c->ode.context, c->y, increment, y);
    for (int i = 0; i < nz; i++) y[s->nq + s->nv + i] += e * x[s->nv + i];
    s->impose(c->ode.context, 0, y);
    assert_int_equal(s->residual(c->ode.context, 0, y, a, f, dz), 0);
    for (int i = 0; i < nz; i++) f[s->nv + i] = y[s->nq + s->nv + i] - c3[2] * dz[i];
}

/* S^-1 r against differences: at rest, without gravity and loads, S is exact. */
static void iteration_matrix(void **state) {
    (void)state;
    rtRandom random = {44};
    Case c = open_case("[0, 0, 0]", "0", 0);
    const zvStructure *s = c.ode.structure;
    const int nu = c.ode.size - s->nq - c.ode.quadratures;
    int prescribed = 0;
    for (int n = 0; n < 20; n++) {
        const double h = rt_decades(&random, -4, 0),
                     c3[3] = {h * rt_uniform(&random, 0.3, 1), h * h * rt_uniform(&random, 0.1, 0.5), 0.5 * h};
        double r[MOST], x[MOST], high[MOST], low[MOST], start[MOST], dz[MOST];
        const double zero[MOST] = {0};
        rt_vector(&random, 1, nu, r);
        /* as the corrector asks: right after a residual */
        assert_int_equal(s->residual(c.ode.context, 0, c.y, zero, start, dz), 0);
        assert_int_equal(s->reduced(c.ode.context, 0, c.y, c3[0], c3[1], c3[2], r, x), 0);
        double most = 0;
        for (int i = 0; i < nu; i++) most = fmax(most, fabs(x[i]));
        const double e = 1e-5 / (most * fmax(1, h));
        balance(&c, c3, x, e, high);
        balance(&c, c3, x, -e, low);
        prescribed = 0;
        for (int i = 0; i < nu; i++) {
            if (i < s->nv && c.system->efforts->given[i] != ZV_GIVEN_FORCE) {
                assert_true(x[i] == 0);
                prescribed++;
                continue;
            }
            const double found = (high[i] - low[i]) / (2 * e);
            if (!(fabs(found - r[i]) <= 1e-5)) fail_msg("seed 44, h %g, row %d: %.9g, not %.9g", h, i, found, r[i]);
        }
    }
    assert_int_equal(prescribed, 2); /* driven and stuck */
    close_case(&c);
}

static void nobody_allocates(void **state) {
    (void)state;
    Case c = open_case("[0, 0, -9.81]", "0", 2);
    const zvStructure *s = c.ode.structure;
    double r[MOST], x[MOST] = {0}, rest[MOST], y[MOST];
    const long before = allocations;
    s->impose(c.ode.context, 0, c.y);
    s->move(c.ode.context, c.y, x, y);
    const int answer =
        s->residual(c.ode.context, 0, c.y, x, r, rest) || s->reduced(c.ode.context, 0, c.y, 0.01, 1e-4, 0.01, r, x);
    const long after = allocations;
    assert_int_equal(answer, 0);
    assert_int_equal(after, before);
    close_case(&c);
}

/* Runs --------------------------------------------------------------------------------------------------- */

static void double_pendulum(void **state) {
    (void)state;
    const char *text = "model: " TWO_RODS ", duration: 1.5, initial: {q: {shoulder: 1, elbow: 0.5}}, joints: {elbow: "
                       "{damping: 0.2}}";
    double wanted[2];
    end_of(text, "method: rk4, step: 1e-4", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(text, 2, methods[i], 4e-3, 2e-3, wanted);
}

/* A motor behind a gear of 100 Hz and a controller with an integral: z is part of the step. A step far beyond the
 * period of the gear converges in a few iterations and stays near. */
static void flexible_joint(void **state) {
    (void)state;
    const char *text =
        "model: " TWO_RODS ", duration: 1, initial: {q: {shoulder: 1, elbow: 0.5}, motors: equilibrium}, joints: "
        "{shoulder: {flexible: {stiffness: 5e3, damping: 2, inertia: 1e-3, ratio: 20}}}, drives: [{type: pid, joint: "
        "shoulder, kp: 60, ki: 20, kd: 8, reference: 0.3}]";
    double wanted[2], coarse[2];
    zvIntegrationStatistics counts;
    end_of(text, "method: rk4, step: 5e-5", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(text, 2, methods[i], 5e-4, 2e-3, wanted);
    end_of(text, "method: generalized-alpha, step: 0.02", coarse, &counts);
    for (int i = 0; i < 2; i++) assert_named_near("a coarse step", coarse[i], wanted[i], 0.02);
    assert_true(counts.newton_iterations < 8 * counts.steps && counts.newton_failures == 0);
    if (zv_integration_method_find("adams")) {
        double adams[2];
        end_of(text, "method: adams, rtol: 1e-9, atol: 1e-9", adams, NULL);
        for (int i = 0; i < 2; i++) assert_named_near("adams", adams[i], wanted[i], 1e-6);
    }
}

/* Gears that are ten times as stiff where they stand as at rest, by a cubic and by a law through points: the iteration
 * has the tangent, so that steps far beyond the gear's period converge. */
static void stiffening_gear(void **state) {
    (void)state;
    static const char *const laws[] = {"cubic: 3e4", "law: [[0.01, 2], [0.1, 60]]"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char text[2048];
        double wanted[2], coarse[2];
        zvIntegrationStatistics counts;
        snprintf(text, sizeof text,
                 "model: " TWO_RODS
                 ", duration: 1, initial: {q: {shoulder: 1, elbow: 0.5}, motors: equilibrium}, joints: {shoulder: "
                 "{flexible: {stiffness: 60, damping: 0.5, inertia: 1e-5, ratio: 20, %s}}}, drives: [{type: pid, joint: "
                 "shoulder, kp: 60, ki: 20, kd: 8, reference: 0.3}]",
                 laws[k]);
        end_of(text, "method: rk4, step: 1e-4", wanted, NULL);
        end_of(text, "method: generalized-alpha, step: 0.005", coarse, &counts);
        for (int i = 0; i < 2; i++) assert_named_near(laws[k], coarse[i], wanted[i], 0.02);
        assert_true(counts.newton_iterations < 8 * counts.steps && counts.newton_failures == 0);
    }
}

/* Stiffness and damping matrices of a planar and a ball joint, whose couplings the iteration does not have. */
static void matrices(void **state) {
    (void)state;
    const char *text =
        "model: {inline: {zveno: 1, links: [{name: g}, {name: a, mass: 2, com: [0.1, 0, 0.2], inertia: [0.5, 0.4, "
        "0.3]}, "
        "{name: b, mass: 1, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.02]}], joints: [{name: slab, type: planar, "
        "parent: "
        "g, child: a, damping: [[3, 1, 0], [1, 4, 0.5], [0, 0.5, 1]], spring: {stiffness: [[400, 150, 20], [150, 300, "
        "-30], [20, -30, 60]], rest: [0.02, 0, 0.1]}}, {name: ball, type: spherical, parent: a, child: b, spring: "
        "{stiffness: [[20, 5, 0], [5, 15, -3], [0, -3, 8]], rest: [0.2, 0.1, 0]}, damping: [0.1, 0.1, 0.1]}]}}, "
        "duration: "
        "1, initial: {q: {slab: [0.05, 0, 0.3]}}";
    double wanted[7], adams[7];
    end_of(text, "method: rk4, step: 1e-4", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(text, 7, methods[i], 2e-3, 2e-3, wanted);
    static const char *const implicit[] = {"bdf", "dirk"};
    for (int m = 0; m < 2 && zv_integration_method_find("bdf"); m++) {
        char method[80];
        snprintf(method, sizeof method, "method: %s, rtol: 1e-9, atol: 1e-9", implicit[m]);
        end_of(text, method, adams, NULL);
        for (int i = 0; i < 7; i++) assert_named_near(implicit[m], adams[i], wanted[i], 1e-6);
    }
}

/* The publication's arm: joints led, links elastic. A quick motion shows the order; the published one, 15 s long, is
 * resolved by steps of 0.1 s to 1 mm, as an independent program found. */
#define LED_ARM(to, duration)                                                                                     \
    "model: " ZV_SOURCE_DIR                                                                                       \
    "/models/flexible_arm.yaml, duration: 4, drives: [{type: motion, joints: all, law: {type: cycloidal, to: " to \
    ", duration: " duration "}}]"

static void elastic_arm(void **state) {
    (void)state;
    const char *quick = LED_ARM("[0.4, 0.2, 0.2, 0.4]", "2");
    const char *published = LED_ARM("[90 deg, 45 deg, 45 deg, 90 deg]", "15");
    double wanted[MOST], end[MOST];
    zvIntegrationStatistics counts;
    end_of(quick, "method: rk4, step: 1e-3", wanted, NULL);
    for (int i = 0; i < METHODS; i++) expect_second_order(quick, 8, methods[i], 0.01, 1e-3, wanted);
    end_of(published, "method: rk4, step: 1e-3", wanted, NULL);
    end_of(published, "method: newmark, step: 0.1", end, &counts);
    assert_true(counts.steps == 40 && counts.newton_iterations <= 4 * counts.steps);
    for (int i = 0; i < 8; i++) assert_named_near("a step of 0.1 s", end[i], wanted[i], 1e-3);
    end_of(published, "method: newmark, adaptive: true, rtol: 1e-6, atol: 1e-7", end, &counts);
    for (int i = 0; i < 8; i++) assert_named_near("with error control", end[i], wanted[i], 1e-4);
    assert_true(counts.greatest_step > 1.5 * counts.least_step);
}

/* Sticking, breaks of laws and bounces: the same story as Runge-Kutta tells, to the error of the steps. */
#define BUSY                                                                                                           \
    "model: " TWO_RODS ", start: 0.3, duration: 1, initial: {q: {shoulder: 0.8, elbow: 0.3}, v: {elbow: 9}}, joints: " \
    "{shoulder: {friction: {coulomb: 1.5, stick_slip: true}, damping: 0.1}}, drives: [{type: torque, name: push, "     \
    "joint: shoulder, law: {type: table, mode: hold, times: [0, 0.51, 0.93], points: [0, 6, -4]}}, {type: pid, name: " \
    "hold, joint: elbow, kp: 3, ki: 1, kd: 0.1, reference: 1}], events: [{type: limit, joint: elbow, action: bounce, " \
    "restitution: 0.7}, {type: threshold, name: slow, channel: v.elbow, value: 0}]"

static void events(void **state) {
    (void)state;
    zvScenario *scenario[2];
    zvRunSummary *summary[2];
    for (int m = 0; m < 4; m++) {
        for (int k = 0; k < 2; k++) {
            scenario[k] = scenario_of("{zveno_scenario: 1, integrator: {method: %s, step: %g}, " BUSY "}",
                                      k ? methods[m < 3 ? m : 4] : "rk4", 1e-4);
            summary[k] = run_of(scenario[k], NULL);
        }
        assert_int_equal(zv_run_events(summary[0]), zv_run_events(summary[1]));
        assert_true(zv_run_events(summary[0]) > 4);
        for (int i = 0; i < zv_run_events(summary[0]); i++) {
            assert_string_equal(zv_run_event(summary[1], i).name, zv_run_event(summary[0], i).name);
            assert_named_near("event", zv_run_event(summary[1], i).t, zv_run_event(summary[0], i).t, 1e-5);
        }
        for (int i = 0; i < 2; i++)
            assert_named_near("position", zv_run_position(summary[1])[i], zv_run_position(summary[0])[i], 1e-5);
        for (int k = 0; k < 2; k++) {
            zv_run_summary_destroy(summary[k]);
            zv_scenario_destroy(scenario[k]);
        }
    }
}

/* Broken off every seventy steps and resumed: the same bits, whatever the method remembers. */
static void in_pieces(void **state) {
    (void)state;
    static const char *const integrators[] = {"method: newmark, step: 0.004",
                                              "method: newmark, step: 0.004, iteration: full",
                                              "method: generalized-alpha, step: 0.004, rho: 0.7",
                                              "method: newmark, step: 0.002, beta: 0",
                                              "method: generalized-alpha, adaptive: true, rtol: 1e-5, atol: 1e-5",
                                              "method: energy-momentum, step: 0.004",
                                              "method: energy-momentum, adaptive: true, rtol: 1e-5, atol: 1e-5"};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
        expect_same_in_pieces("structural" ZV_RECORDING, integrators[i], BUSY ", output: {interval: 0.0137}", 70, 2);
}

/* The reader ----------------------------------------------------------------------------------------------- */

static void options(void **state) {
    (void)state;
    zvScenario *s =
        scenario_of("{zveno_scenario: 1, model: " PENDULUM ", duration: 1, integrator: {method: newmark, step: "
                    "0.1, beta: 0.3, gamma: 0.6, iteration: full, predictor: zero, corrector_tolerance: "
                    "1e-7, corrector_iterations: 9, adaptive: true, rtol: 1e-3}}");
    const zvStructural *o = s->integration.structural;
    assert_true(o->beta == 0.3 && o->gamma == 0.6 && o->iteration == ZV_ITERATION_FULL && o->adaptive);
    assert_true(o->predictor == ZV_PREDICTOR_ZERO && o->corrector_tolerance == 1e-7 && o->corrector_iterations == 9);
    assert_true(s->integration.step == 0.1 && s->integration.rtol == 1e-3);
    zv_scenario_destroy(s);
    s = scenario_of("{zveno_scenario: 1, model: " PENDULUM ", duration: 1, integrator: {method: generalized-alpha}}");
    o = s->integration.structural;
    assert_true(o->rho == 0.8 && o->iteration == ZV_ITERATION_REDUCED && !o->adaptive && s->integration.step == 1e-3);
    zv_scenario_destroy(s);
    static const struct {
        const char *text, *part;
    } bad[] = {{"method: rk4, beta: 0.25", "expected options of rk4, found beta, one of newmark;"},
               {"method: energy-momentum, rho: 0.5",
                "expected options of energy-momentum, found rho, one of generalized-alpha;"},
               {"method: generalized-alpha, gamma: 0.5",
                "expected options of generalized-alpha, found gamma, one of newmark;"},
               {"method: newmark, rho: 0.5", "expected options of newmark, found rho, one of generalized-alpha;"},
               {"method: rk4, adaptive: true",
                "expected options of rk4, found adaptive, one of newmark, generalized-alpha and "
                "energy-momentum;"},
               {"method: newmark, beta: -1", "beta"},
               {"method: newmark, gamma: 1.5", "between 0 and 1"},
               {"method: generalized-alpha, rho: 2", "between 0 and 1"},
               {"method: newmark, iteration: fll", "full"},
               {"method: newmark, predictor: linear", "predictor"},
               {"method: newmark, corrector_tolerance: 1", "corrector_tolerance"},
               {"method: newmark, corrector_iterations: 0", "corrector_iterations"},
               {"method: newmark, corrector_iterations: 2.5", "corrector_iterations"},
               {"method: newmark, adaptive: 3", "adaptive"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[2048];
        zvScenario *scenario = NULL;
        zvError error = {0};
        const int size = snprintf(
            text, sizeof text, "{zveno_scenario: 1, model: " PENDULUM ", duration: 1,\nintegrator: {%s}}", bad[i].text);
        assert_true(zv_scenario_read_memory("test", text, (size_t)size, 0, NULL, &scenario, &error) < 0);
        if (!strstr(error.text, bad[i].part) || error.line != 2) fail_msg("%s: %s", bad[i].text, error.text);
    }
}

/* A failure of the corrector ends the run with a text; what grows by the method's fault is told. */
static void told(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " TWO_RODS
                                       ", duration: 5, initial: {q: {shoulder: 1, elbow: 0.5}, v: {elbow: 15}}, "
                                       "integrator: {method: newmark, step: 0.5, corrector_iterations: 8}}");
    zvRunSummary *summary = NULL;
    zvError error = {0};
    const zvRunOptions none = {0};
    assert_int_equal(zv_simulate(scenario, &none, &summary, &error), ZV_NO_CONVERGENCE);
    if (!strstr(error.text, "the corrector does not converge at t = ") ||
        !strstr(error.text, "; try a shorter step, adaptive: true, iteration: full, or for friction a wider smoothing"))
        fail_msg("%s", error.text);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    scenario =
        scenario_of("{zveno_scenario: 1, model: " PENDULUM ", duration: 1, integrator: {method: newmark, beta: 0, "
                    "gamma: 0, step: 0.01}}");
    summary = run_of(scenario, NULL);
    assert_non_null(strstr(zv_run_advice(summary), "gamma below 1/2"));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(residual_is_rate, iteration_matrix, nobody_allocates, double_pendulum, flexible_joint, stiffening_gear, matrices,
      elastic_arm, events, in_pieces, options, told)
