/* A closed loop on a base whose pose is prescribed, against one whose base is led by a slide and a hinge. */
#include "simulate/runs.h"
#include "support/run_tests.h"

#define X "{type: harmonic, amplitude: 0.3, hertz: 0.7}"
#define PITCH "{type: harmonic, amplitude: 0.6, hertz: 0.5, phase: 0.3}"
#define TIGHT "method: erk, order: 8, rtol: 1e-12, atol: 1e-13"

/* A five-bar on a base that is led: by a pose, and by a slide and a hinge. */
#define FIVE_BAR                                                                                                      \
    "{name: crank1, mass: 2, com: [0.15, 0, 0], inertia: [2e-4, 0.016, 0.016]}, {name: arm4, mass: 2.2, com: [0.16, " \
    "0, 0], inertia: [2e-4, 0.024, 0.024]}, {name: crank2, mass: 1.5, com: [0.12, 0, 0], inertia: [2e-4, 0.009, "     \
    "0.009]}, {name: arm3, mass: 1.8, com: [0.2, 0, 0], inertia: [2e-4, 0.026, 0.026]}], joints: [{name: motor1, "    \
    "type: continuous, parent: base, child: crank1}, {name: elbow4, type: continuous, parent: crank1, child: arm4, "  \
    "origin: {xyz: [0.3, 0, 0]}}, {name: motor2, type: continuous, parent: base, child: crank2}, {name: elbow3, "     \
    "type: continuous, parent: crank2, child: arm3, origin: {xyz: [0.25, 0, 0]}}, "
#define FIVE_BAR_LOOP                                                                                               \
    "], loops: [{name: hinge, type: revolute, parent: arm3, child: arm4, origin: {xyz: [0.4, 0, 0]}, "              \
    "child_origin: {xyz: [0.35, 0, 0]}}]}}, initial: {q: {motor1: 0.3, motor2: 1.9}, guess: {elbow4: 1.3, elbow3: " \
    "-1.4}}, duration: 0.4, integrator: {" TIGHT "}, "
static void with_loops(void **state) {
    (void)state;
    zvScenario *pose = scenario_of("{zveno_scenario: 1, model: {inline: {links: [{name: g}, {name: base}, " FIVE_BAR
                                   "{name: free, type: free, parent: g, child: base}" FIVE_BAR_LOOP
                                   "drives: [{type: motion, joint: free, position: [" X
                                   ", 0, 0], orientation: {type: vector, law: [" PITCH ", 0, 0]}}]}");
    zvScenario *chain =
        scenario_of("{zveno_scenario: 1, model: {inline: {links: [{name: g}, {name: s}, {name: base}, " FIVE_BAR
                    "{name: slide, type: prismatic, parent: g, child: s, axis: [1, 0, 0]}, {name: tilt, "
                    "type: continuous, parent: s, child: base, axis: [1, 0, 0]}" FIVE_BAR_LOOP
                    "drives: [{type: motion, joints: [slide, tilt], law: [" X ", " PITCH "]}]}");
    zvRunSummary *one = run_of(pose, NULL), *other = run_of(chain, NULL);
    const double *q = zv_run_position(one), *r = zv_run_position(other);
    assert_true(zv_run_largest_gap(one) < 1e-8 && zv_run_loop_gap(one) < 1e-8);
    assert_all_near("five-bar", 4, q + 7, r + 2, 1e-8);
    assert_true(fabs(q[7] - 0.3) > 0.01);
    zv_run_summary_destroy(one);
    zv_run_summary_destroy(other);
    zv_scenario_destroy(pose);
    zv_scenario_destroy(chain);
}

TESTS(with_loops)
