/* Rotors with an axis of their own in runs: a floating arm keeps momentum and energy, also through impacts and jumps of
 * prescribed velocities; methods agree; a scenario cannot take such rotors away. */
#include "simulate/capture.h"
#include "simulate/structural_runs.h"
#include "support/run_tests.h"

#define GEAR(axis) \
    "flexible: {stiffness: 900, damping: 3, inertia: 4e-3, ratio: -20, motor_damping: 1e-4, rotor_axis: " axis "}"
/* Rotors along the joint and across it; %s: limits of the elbow, then the rest of the scenario. */
#define GEARED_ARM                                                                                                    \
    "{zveno_scenario: 1, model: {inline: {gravity: [0, 0, 0], links: [{name: world}, {name: base, mass: 40, com: "    \
    "[0.1, 0, 0.05], inertia: [4, 5, 6]}, {name: upper, mass: 4, com: [0.5, 0, 0], inertia: [0.02, 0.4, 0.4]}, "      \
    "{name: fore, mass: 3, com: [0.4, 0, 0.1], inertia: [0.02, 0.2, 0.2]}], joints: [{name: root, type: free, "       \
    "parent: world, child: base}, {name: shoulder, type: continuous, parent: base, child: upper, axis: [0, 0, 1], "   \
    "origin: {xyz: [0.4, 0.1, 0]}, " GEAR(                                                                            \
        "z") "}, {name: elbow, type: revolute, parent: upper, child: fore, axis: [0, "                                \
             "1, 0], origin: {xyz: [1, 0, 0]}, %s, " GEAR(                                                            \
                 "[1, 0, 2]") "}]}}, initial: {v: {root: [0.1, -0.05, 0.02, 0.3, "                                    \
                              "0.2, -0.4], shoulder: 0.4, elbow: -0.6}}, drives: [{type: torque, joints: [shoulder, " \
                              "elbow], law: {type: "                                                                  \
                              "harmonic, offset: [0, 0], amplitude: [30, 20], hertz: [2, 3]}}], %s}"
#define SHARP_ROWS \
    "integrator: {method: erk, order: 8, rtol: 1e-12, atol: 1e-13}, output: {rate: 50, channels: [momentum]}"

static void expect_momentum(const char *path, double share) {
    uint64_t rows;
    double *h = rows_of(path, "momentum", &rows, NULL), size = 0;
    for (int k = 0; k < 6; k++) size = fmax(size, fabs(h[k]));
    assert_true(rows > 10 && size > 0);
    for (uint64_t r = 1; r < rows; r++)
        for (int k = 0; k < 6; k++) assert_near(h[6 * r + k], h[k], share * size);
    free(h);
}

/* Linear and angular momentum of links and spins together; the ledger closes. */
static void momentum_stays(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("spins.csv", name);
    zvScenario *scenario = scenario_of(GEARED_ARM, "limits: {lower: -9, upper: 9}", "duration: 1.5, " SHARP_ROWS);
    zvRunSummary *summary = run_of(scenario, path);
    expect_momentum(path, 1e-9);
    assert_true(fabs(zv_run_ledger_gap(summary)) < 1e-8 * zv_run_energy_exchanged(summary));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The elbow strikes its limit: no impulse turns a rotor about its axis, but its link's velocity jumps. */
static void impacts_leave_spins(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("struck.csv", name);
    zvScenario *scenario =
        scenario_of(GEARED_ARM, "limits: {lower: -0.03, upper: 0.03}",
                    "duration: 1.5, events: [{type: limit, joint: elbow, action: bounce, restitution: "
                    "0.6}], " SHARP_ROWS);
    zvRunSummary *summary = run_of(scenario, path);
    assert_true(zv_run_events(summary) > 1);
    expect_momentum(path, 1e-9);
    assert_true(fabs(zv_run_ledger_gap(summary)) < 1e-8 * zv_run_energy_exchanged(summary));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Multistep, implicit and structural methods, to what each is good for. */
static void methods_agree(void **state) {
    (void)state;
    static const struct {
        const char *integrator;
        double allowed;
    } runs[] = {{"method: erk, order: 5, rtol: 1e-9, atol: 1e-10", 1e-7},
                {"method: bdf, rtol: 1e-9, atol: 1e-10", 1e-6},
                {"method: dirk, rtol: 1e-9, atol: 1e-10", 1e-6},
                {"method: newmark, step: 1e-3", 1e-2},
                {"method: newmark, step: 5e-4", 2.5e-3},
                {"method: generalized-alpha, step: 5e-4", 2.5e-3},
                {"method: energy-momentum, step: 5e-4", 2.5e-3}};
    double wanted[9];
    for (size_t i = 0; i <= sizeof runs / sizeof *runs; i++) {
        char rest[160];
        snprintf(rest, sizeof rest, "duration: 0.6, integrator: {%s}, output: {rate: 1}",
                 i ? runs[i - 1].integrator : "method: erk, order: 8, rtol: 1e-12, atol: 1e-13");
        zvScenario *scenario = scenario_of(GEARED_ARM, "limits: {lower: -9, upper: 9}", rest);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double *q = zv_run_position(summary);
        if (i == 0) memcpy(wanted, q, sizeof wanted);
        for (int k = 0; i && k < 9; k++)
            assert_named_near(runs[i - 1].integrator, q[k], wanted[k], runs[i - 1].allowed);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

static void refused(const char *rest, const char *expected) {
    char text[4096];
    zvError error = {0};
    zvScenario *scenario = NULL;
    snprintf(text, sizeof text, GEARED_ARM, "limits: {lower: -9, upper: 9}", rest);
    assert_true(zv_scenario_read_memory("rotors", text, strlen(text), 0, NULL, &scenario, &error) < 0);
    if (!strstr(error.text, expected)) fail_msg("%s", error.text);
}

/* The links of the model lack what the rotors took. */
static void rotors_stay(void **state) {
    (void)state;
    refused("duration: 1, joints: {elbow: {flexible: false}}", "expected the gear of the model");
    refused("duration: 1, joints: {elbow: {flexible: {stiffness: 900, inertia: 1e-3}}}",
            "expected the rotor of the model");
    refused("duration: 1, joints: {elbow: {flexible: {stiffness: 900, inertia: 1e-3, rotor_axis: z}}}", "rotor_axis");
}

TESTS(momentum_stays, impacts_leave_spins, methods_agree, rotors_stay)
