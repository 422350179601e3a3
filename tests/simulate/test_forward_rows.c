/* The key forward of the integrator, and iteration: mass: the same motion whichever row of forward dynamics finds the
 * accelerations, to the rounding that grows with the run; and what the reader refuses. */
#include "simulate/runs.h"
#include "simulate/scenario_refused.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"

/* An arm that branches: an elastic link between joints, one led, one with a spring, a free one, a follower. */
#define ARM                                                                                                           \
    "{zveno_scenario: 1, duration: 0.3, model: {inline: {links: [{name: a}, {name: b, mass: 2, com: [0.1, 0, 0.2], "  \
    "inertia: [0.05, 0.06, 0.02]}, {name: c, beam: {length: 0.8, material: {E: 7e10, poisson: 0.3, density: 2700}, "  \
    "section: {tube: [0.02, 0.018]}, modes: {y: 1, z: 1}, damping: {ratio: 0.02}}}, {name: d, mass: 0.7, com: [0, "   \
    "0.1, 0], inertia: [0.01, 0.02, 0.03]}, {name: e, mass: 0.5, com: [0.1, 0.1, 0], inertia: [0.01, 0.02, 0.02]}], " \
    "joints: [{name: turn, type: continuous, parent: a, child: b, axis: [0, 0, 1]}, {name: lift, type: continuous, "  \
    "parent: b, child: c, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.4]}}, {name: ball, type: spherical, parent: c, "    \
    "child: d, origin: {xyz: [0.8, 0, 0]}}, {name: side, type: continuous, parent: b, child: e, axis: [1, 0, 0], "    \
    "mimic: {joint: turn, ratio: -0.5}}]}}, initial: {v: {lift: 1, ball: [0.3, -2, 1]}}, drives: [{type: motion, "    \
    "joint: turn, law: {type: harmonic, amplitude: 0.4, hertz: 1}}], joints: {lift: {spring: {stiffness: 50}}}, "     \
    "integrator: %s}"

static double *end_of(const char *integrator, int *nq) {
    zvScenario *scenario = scenario_of(ARM, integrator);
    zvRunSummary *summary = run_of(scenario, NULL);
    *nq = zv_model_nq(zv_scenario_model(scenario));
    double *q = malloc((size_t)*nq * sizeof *q);
    assert_non_null(q);
    memcpy(q, zv_run_position(summary), (size_t)*nq * sizeof *q);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return q;
}

static double difference(const char *one, const char *other) {
    int n;
    double worst = 0, *a = end_of(one, &n), *b = end_of(other, &n);
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    free(a);
    free(b);
    return worst;
}

/* Rounding of 300 steps, times the growth of what this arm does in 0.3 s. */
static void every_row_moves_alike(void **state) {
    (void)state;
    size_t count;
    const zvMethod *rows = zv_methods(ZV_QUESTION_FORWARD, &count);
    int tried = 0, apart_by_rounding = 0; /* the key is not ignored */
    for (size_t i = 0; i < count; i++) {
        char integrator[96];
        if (rows[i].domain != ZV_DOMAIN_TREES) continue;
        snprintf(integrator, sizeof integrator, "{method: rk4, step: 1e-3, forward: %s}", rows[i].name);
        const double apart = difference(integrator, "{method: rk4, step: 1e-3}");
        if (apart > 1e-11) fail_msg("%s is off by %g", rows[i].name, apart);
        if (i == 0) assert_true(apart == 0); /* auto is what is done without the key */
        apart_by_rounding += apart > 0;
        tried++;
    }
    assert_true(tried >= 8 && apart_by_rounding >= 4);
    assert_true(difference("{method: adams, rtol: 1e-10, atol: 1e-10, forward: mass-dense}",
                           "{method: adams, rtol: 1e-10, atol: 1e-10}") < 1e-7);
}

/* The same iteration by another solution of the same equations. */
static void global_matrix_iterates_alike(void **state) {
    (void)state;
    const double apart = difference("{method: newmark, step: 0.01, iteration: mass}", "{method: newmark, step: 0.01}");
    assert_true(apart > 0 && apart < 1e-10); /* other roundings: the key is not ignored */
    assert_true(difference("{method: generalized-alpha, step: 0.01, iteration: mass, forward: mass-dense}",
                           "{method: generalized-alpha, step: 0.01, iteration: reduced}") < 1e-10);
    assert_true(difference("{method: newmark, step: 0.01, iteration: mass, forward: columns, adaptive: true}",
                           "{method: newmark, step: 0.01, adaptive: true}") < 1e-6);
    assert_true(difference("{method: newmark, step: 1e-3, beta: 0, forward: mass}",
                           "{method: newmark, step: 1e-3, beta: 0}") < 1e-10);
}

static void refused_rows(void **state) {
    (void)state;
#define ROD "!{zveno_scenario: 1, duration: 1, model: " PENDULUM
#define BEAM                                                                                                           \
    "!{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: a}, {name: b, beam: {length: 1, material: {E: " \
    "7e10, poisson: 0.3, density: 2700}, section: {tube: [0.02, 0.018]}, modes: {y: 1}}}], joints: [{name: j, type: "  \
    "continuous, parent: a, child: b, axis: [0, 0, 1]}]}}"
    static const Refusal list[] = {
        {ROD ",\nintegrator: {forward: massive}}", ZV_SCHEMA, 2, 23, "massive",
         "expected auto, articulated, mass, mass-dense, mass-reduced, mass-reduced-ldl, columns, mass-yaskevich"},
        {BEAM ",\nintegrator: {forward: mass-reduced}}", ZV_SCHEMA, 2, 23, "mass-reduced",
         "found \"mass-reduced\", defined for rigid links only; write one of auto, articulated, mass"},
        {ROD ",\nloads: [{frame: rod, force: [1, 0, 0]}], integrator: {forward: mass-reduced-ldl}}", ZV_SCHEMA, 2, 64,
         "mass-reduced-ldl", "defined without external forces only"},
        {ROD ",\nintegrator: {method: newmark, iteration: half}}", ZV_SCHEMA, 2, 42, "half",
         "expected reduced, full or mass"},
        {ROD ",\nintegrator: {method: rk4, iteration: mass}}", ZV_SCHEMA, 2, 38, "iteration", "one of newmark"},
        {"!{zveno_scenario: 1, duration: 1, model: " ZV_SOURCE_DIR
         "/models/five_bar.yaml,\nintegrator: {forward: mass}}",
         ZV_SCHEMA, 2, 23, "mass", "of a model with closed loops"},
    };
    expect_refusals(list, sizeof list / sizeof *list);
}

TESTS(every_row_moves_alike, global_matrix_iterates_alike, refused_rows)
