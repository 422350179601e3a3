/* Velocities that runs begin with in a singular position of loops: along one of the motions that go on from it, or
 * aside of all. */
#include "simulate/runs.h"
#include "support/run_tests.h"

#include <stdio.h>
#include <string.h>

/* n four-bars, all bars alike and in one line: either a and b turn alike and d against them, or a rests and b turns
 * with d. */
static zvScenario *rhombs(int n, const char *rest, const char *integrator) {
    char links[1200] = "", joints[1200] = "", loops[600] = "";
    const char *bar = "mass: 1, com: [0.5, 0, 0], inertia: [1e-6, 0.1, 0.1]";
    for (int i = 0; i < n; i++) {
        snprintf(links + strlen(links), sizeof links - strlen(links),
                 ", {name: a%d, %s}, {name: b%d, %s}, {name: d%d, %s}", i, bar, i, bar, i, bar);
        snprintf(joints + strlen(joints), sizeof joints - strlen(joints),
                 "%s{name: a%d, type: continuous, parent: ground, child: a%d}, {name: b%d, type: continuous, parent: "
                 "ground, child: b%d, origin: {xyz: [1, 0, 0]}}, {name: d%d, type: continuous, parent: a%d, child: "
                 "d%d, origin: {xyz: [1, 0, 0]}}",
                 i ? ", " : "", i, i, i, i, i, i, i);
        snprintf(loops + strlen(loops), sizeof loops - strlen(loops),
                 "%s{name: loop%d, type: revolute, parent: d%d, child: b%d, origin: {xyz: [1, 0, 0]}, child_origin: "
                 "{xyz: [1, 0, 0]}}",
                 i ? ", " : "", i, i, i);
    }
    return scenario_of("{zveno_scenario: 1, duration: 0.1, model: {inline: {gravity: [0, -9.81, 0], links: [{name: "
                       "ground}%s], joints: [%s], loops: [%s]}}, %s, integrator: {%s}}",
                       links, joints, loops, rest, integrator);
}

static const char *const methods[] = {"method: auto", "method: rk4, step: 1e-3", "method: energy-momentum, step: 1e-3"};

/* The run must fail before it begins, with all parts in the error. */
static void expect_aside(zvScenario *scenario, const char *what, const char *const *parts) {
    zvRunSummary *summary = NULL;
    zvError error = {0};
    const zvStatus status = zv_simulate(scenario, NULL, &summary, &error);
    if (status != ZV_CLOSURE) fail_msg("%s: ended with %d", what, (int)status);
    for (; *parts; parts++)
        if (!strstr(error.text, *parts)) fail_msg("%s: \"%s\" is not in: %s", what, *parts, error.text);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

static void expect_run(zvScenario *scenario) {
    zv_run_summary_destroy(run_of(scenario, NULL));
    zv_scenario_destroy(scenario);
}

/* What lies between the branches obeys the conditions of velocities and is no motion; one nearby is named. */
static void aside_of_both(void **state) {
    (void)state;
    static const char *const parts[] = {"along one of the motions", "loop \"loop0\"", "t = 0 s",
                                        "one such motion has a0 = ", NULL};
    static const char *const between[] = {"initial: {v: {a0: 1, b0: 1.5, d0: -0.5}}",
                                          "initial: {v: {a0: -3, b0: -2.9, d0: 3.1}}",
                                          "initial: {v: {a0: 0.05, b0: 1, d0: 0.9}}"};
    for (int i = 0; i < 9; i++) expect_aside(rhombs(1, between[i / 3], methods[i % 3]), between[i / 3], parts);
}

static void along_one(void **state) {
    (void)state;
    static const char *const along[] = {"initial: {v: {a0: 1, b0: 1, d0: -1}}",
                                        "initial: {v: {a0: 1.00001, b0: 1, d0: -1.00002}}",
                                        "initial: {v: {b0: 2, d0: 2}}"};
    for (int i = 0; i < 9; i++) expect_run(rhombs(1, along[i / 3], methods[i % 3]));
    expect_run(rhombs(2, "initial: {v: {a0: 1, b0: 1, d0: -1, b1: 2, d1: 2}}", methods[0]));
    expect_run(rhombs(1, "initial: {v: {a0: 1, b0: 1.001, d0: -0.999}}, loops: {branch: any}", methods[0]));
}

/* Of two in line the one is named whose velocities are aside. */
static void one_of_two_aside(void **state) {
    (void)state;
    static const char *const parts[][4] = {{"loop \"loop0\"", "a0 = 0 rad", "one such motion has a0 = ", NULL},
                                           {"loop \"loop1\"", "a1 = 0 rad", "one such motion has a1 = ", NULL}};
    for (int i = 0; i < 2; i++) {
        char initial[120];
        snprintf(initial, sizeof initial, "initial: {v: {a%d: 1, b%d: 1, d%d: -1, a%d: 1, b%d: 1.5, d%d: -0.5}}", 1 - i,
                 1 - i, 1 - i, i, i, i);
        expect_aside(rhombs(2, initial, methods[0]), initial, parts[i]);
    }
}

TESTS(aside_of_both, along_one, one_of_two_aside)
