/* The system f(t, y): its parts, its preconditioner against differences of f, no allocation, long stiff chains. */
#include "simulate/runs.h"
#include "simulate/system.h"
#include "support/count_allocations.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

/* A free base with a ball joint that is sprung, a flexible joint, a spring, a damper, a prescribed and a stuck joint.
 * At rest, without gravity and with springs unstretched, f is linear to first order with no part of M's own change. */
#define STIFF_WITH(LINK, JOINT)                                                                                        \
    "{zveno_scenario: 1, gravity: [0, 0, 0], duration: 1, model: {inline: {base: free, links: [{name: a, mass: 3, "    \
    "com: "                                                                                                            \
    "[0.1, 0, 0], inertia: [0.3, 0.4, 0.5]}, {name: b, mass: 2, com: [0, 0.1, 0.2], inertia: [0.2, 0.2, 0.1]}, "       \
    "{name: c, "                                                                                                       \
    "mass: 1, com: [0.3, 0, 0], inertia: [0.05, 0.06, 0.02]}, {name: d, mass: 1.2, com: [0.2, 0, 0.1], inertia: "      \
    "[0.05, "                                                                                                          \
    "0.04, 0.03]}, {name: e, mass: 0.7, com: [0, 0.1, 0], inertia: [0.01, 0.02, 0.03]}, {name: f, mass: 0.8, com: "    \
    "[0.1, "                                                                                                           \
    "0.1, 0], inertia: [0.02, 0.02, 0.03]}" LINK                                                                       \
    "], joints: [{name: ball, type: spherical, parent: a, child: b, origin: "                                          \
    "{xyz: "                                                                                                           \
    "[0.2, 0, 0.3]}, spring: {stiffness: [300, 500, 800]}, dofs: [{damping: 4}, {damping: 5}, {damping: 6}]}, {name: " \
    "gear, type: continuous, parent: b, "                                                                              \
    "child: "                                                                                                          \
    "c, origin: {xyz: [0, 0, 0.4]}, axis: [0, 1, 0]}, {name: spring, type: continuous, parent: c, child: d, origin: "  \
    "{xyz: [0.5, 0, 0]}, axis: [1, 1, 0]}, {name: driven, type: continuous, parent: d, child: e, origin: {xyz: [0.3, " \
    "0, "                                                                                                              \
    "0]}, axis: [0, 0, 1]}, {name: stuck, type: prismatic, parent: e, child: f, axis: [1, 0, 0]}" JOINT                \
    "]}}, joints: {gear: "                                                                                             \
    "{flexible: {stiffness: 5e3, damping: 20, inertia: 2e-4, ratio: 50, motor_damping: 1e-3}}, spring: {spring: "      \
    "{stiffness: 3e4, rest: 0}, damping: 40}, stuck: {friction: {coulomb: 5, stick_slip: true}}}, drives: [{type: "    \
    "motion, "                                                                                                         \
    "joint: driven, law: 0}]}"

#define STIFF STIFF_WITH("", "")
/* The same with a follower: the preconditioner keeps factors of a matrix. */
#define FOLLOWED                                                                                                  \
    STIFF_WITH(                                                                                                   \
        ", {name: g, mass: 0.4, com: [0.1, 0, 0.05], inertia: [0.01, 0.01, 0.02]}",                               \
        ", {name: follower, type: continuous, parent: c, child: g, axis: [0, 1, 0], origin: {xyz: [0, 0.2, 0]}, " \
        "mimic: {joint: spring, ratio: -0.5}}")

/* J x by central differences of f; positions without a metric of their own (quaternions) are moved as they stand. */
static void times_jacobian(zvOde *ode, const double *y, const double *x, double *Jx) {
    const double h = 1e-6;
    double up[64], down[64], plus[64], minus[64];
    for (int i = 0; i < ode->size; i++) {
        plus[i] = y[i] + h * x[i];
        minus[i] = y[i] - h * x[i];
    }
    assert_int_equal(ode->rate(ode->context, 0, plus, up), 0);
    assert_int_equal(ode->rate(ode->context, 0, minus, down), 0);
    for (int i = 0; i < ode->size; i++) Jx[i] = (up[i] - down[i]) / (2 * h);
}

static void check_preconditioner(const char *text) {
    rtRandom random = {41};
    zvError error = {0};
    zvScenario *scenario = scenario_of(text);
    ziSystem *system = zi_system_create(scenario, &error);
    zvOde ode = zi_system_ode(system);
    double y[64], r[64], x[64], Jx[64];
    assert_true(ode.size <= 64);
    assert_int_equal(zi_system_begin(system, y, &error), ZV_OK);
    for (int n = 0; n < 20; n++) {
        const double gamma = rt_decades(&random, -4, 0);
        rt_vector(&random, 1, ode.size, r);
        assert_int_equal(ode.prepare(ode.context, 0, y, gamma), 0);
        assert_int_equal(ode.precondition(ode.context, 0, y, gamma, r, x), 0);
        times_jacobian(&ode, y, x, Jx);
        double size = 1; /* of the terms that cancel */
        for (int i = 0; i < ode.size; i++) size = fmax(size, fabs(gamma * Jx[i]) + fabs(x[i]));
        for (int i = 0; i < ode.size; i++) {
            if (!(fabs(x[i] - gamma * Jx[i] - r[i]) <= 1e-6 * size)) {
                fail_msg("seed 41, gamma %g, entry %d: (1 - gamma J) x = %.9g, r = %.9g", gamma, i,
                         x[i] - gamma * Jx[i], r[i]);
            }
        }
    }
    zi_system_destroy(system);
    zv_scenario_destroy(scenario);
}

static void preconditioner(void **state) {
    (void)state;
    check_preconditioner(STIFF);
    check_preconditioner(FOLLOWED);
}

static void nobody_allocates(void **state) {
    (void)state;
    zvError error = {0};
    zvScenario *scenario = scenario_of(FOLLOWED);
    ziSystem *system = zi_system_create(scenario, &error);
    zvOde ode = zi_system_ode(system);
    double y[64], dy[64], x[64];
    assert_int_equal(zi_system_begin(system, y, &error), ZV_OK);
    const long before = allocations;
    int status = ode.rate(ode.context, 0, y, dy) || ode.position_rate(ode.context, 0, y, dy) ||
                 ode.prepare(ode.context, 0, y, 0.01) || ode.precondition(ode.context, 0, y, 0.01, dy, x) ||
                 ode.project(ode.context, 0, y);
    const long after = allocations;
    assert_int_equal(status, 0);
    assert_int_equal(after, before);
    zi_system_destroy(system);
    zv_scenario_destroy(scenario);
}

/* Semi-implicit Euler asks for positions alone: they are those of f. */
static void position_rates(void **state) {
    (void)state;
    rtRandom random = {42};
    zvError error = {0};
    zvScenario *scenario = scenario_of(STIFF);
    ziSystem *system = zi_system_create(scenario, &error);
    zvOde ode = zi_system_ode(system);
    double y[64], dy[64], moved[64];
    assert_int_equal(zi_system_begin(system, y, &error), ZV_OK);
    rt_vector(&random, 0.1, system->nv + system->nz, y + system->at_v);
    for (int i = 0; i < ode.size; i++) moved[i] = NAN;
    assert_int_equal(ode.rate(ode.context, 0, y, dy), 0);
    assert_int_equal(ode.position_rate(ode.context, 0, y, moved), 0);
    int positions = 0;
    for (int i = 0; i < ode.size; i++) {
        positions += ode.is_position[i];
        if (ode.is_position[i]) assert_named_near("rate", moved[i], dy[i], 0);
    }
    assert_int_equal(positions, system->nq + 1); /* and the rotor's angle */
    zi_system_destroy(system);
    zv_scenario_destroy(scenario);
}

/* A break seen from before: laws end just before the horizon. */
static void horizon(void **state) {
    (void)state;
    zvError error = {0};
    zvScenario *scenario =
        scenario_of("{zveno_scenario: 1, model: " FALLING
                    ", gravity: [0, 0, 0], duration: 1, drives: [{type: torque, joint: slide, law: {type: table, "
                    "mode: hold, times: [0, 0.5, 2], points: [2, -6, 0]}}]}");
    ziSystem *system = zi_system_create(scenario, &error);
    zvOde ode = zi_system_ode(system);
    double y[8], dy[8];
    assert_int_equal(zi_system_begin(system, y, &error), ZV_OK);
    assert_named_near("horizon", system->horizon, 0.5, 0);
    assert_int_equal(ode.rate(ode.context, 0.5, y, dy), 0);
    assert_named_near("before the break", dy[1], 1, 0);
    system->horizon = INFINITY;
    assert_int_equal(ode.rate(ode.context, 0.5, y, dy), 0);
    assert_named_near("after the break", dy[1], -3, 0);
    zi_system_destroy(system);
    zv_scenario_destroy(scenario);
}

/* A chain of 60 stiff joints: with the preconditioner bdf takes long steps with few iterations. */
static void stiff_chain(void **state) {
    (void)state;
    static char links[16384], joints[16384], text[40000];
    size_t l = 0, j = 0;
    l += (size_t)snprintf(links + l, sizeof links - l, "{name: l0}");
    for (int i = 1; i <= 60; i++) {
        l += (size_t)snprintf(links + l, sizeof links - l,
                              ", {name: l%d, mass: 1, com: [0, 0, -0.1], inertia: [0.01, 0.01, 0.01]}", i);
        j += (size_t)snprintf(
            joints + j, sizeof joints - j,
            "%s{name: j%d, type: continuous, parent: l%d, child: l%d, origin: {xyz: [0, 0, -0.2]}, axis: [0, 1, "
            "0], damping: 200, spring: {stiffness: 20000}}",
            i > 1 ? ", " : "", i, i - 1, i);
    }
    snprintf(text, sizeof text,
             "{zveno_scenario: 1, gravity: [9.81, 0, 0], duration: 2, model: {inline: {links: [%s], joints: [%s]}}, "
             "integrator: {method: bdf, rtol: 1e-5, atol: 1e-6}}",
             links, joints);
    zvScenario *scenario = NULL;
    zvError error = {0};
    if (zv_scenario_read_memory("chain", text, strlen(text), 0, NULL, &scenario, &error) < 0)
        fail_msg("%s", error.text);
    zvRunSummary *summary = run_of(scenario, NULL);
    const zvIntegrationStatistics s = zv_run_statistics(summary);
    print_message("steps %ld, iterations %ld, Krylov iterations %ld, evaluations %ld\n", s.steps, s.newton_iterations,
                  s.linear_iterations, s.rates);
    assert_true(s.linear_iterations > 0); /* the Krylov path was taken */
    assert_true(s.steps < 1000 && s.linear_iterations < 8 * s.newton_iterations);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(preconditioner, nobody_allocates, position_rates, horizon, stiff_chain)
