/* Loops that close on elastic links with modes in both planes. Axes of the parent turn with its end: conditions that
 * repeat others in the plane of the mechanism are slight or seem to count for themselves as soon as the link bends or
 * the loop is a little open, which depends on the side that is called the parent and is none of the motion's. So every
 * method must give the motion of modes in the plane alone, for both parents, and find no singular position. */
#include "simulate/structural_runs.h"
#include "support/run_tests.h"

static const struct {
    const char *integrator;
    double bound; /* rad, m */
} runs[] = {{"method: auto, rtol: 1e-7, atol: 1e-8", 1e-6},
            {"method: dirk, rtol: 1e-7, atol: 1e-8", 1e-6},
            {"method: bdf, rtol: 1e-7, atol: 1e-8", 1e-5},
            {"method: adams, rtol: 1e-7, atol: 1e-8", 1e-5},
            {"method: rk4, step: 5e-4", 1e-7},
            {"method: newmark, step: 1e-3", 1e-4},
            {"method: energy-momentum, step: 1e-3", 1e-4}};
enum { RUNS = sizeof runs / sizeof *runs };

/* How many conditions repeat others a hair beside where a run ended. */
static int redundant_beside(const zvModel *model, const double *end) {
    zvError error = {0};
    zvWork *work = zv_work_create(model, &error);
    zvLoopMobility mobility = {0};
    double q[STRUCTURAL_MOST];
    assert_non_null(work);
    for (int i = 0; i < zv_model_nq(model); i++) q[i] = end[i] + 1e-13 * sin(1.0 + i);
    assert_int_equal(zv_loop_mobility(model, work, q, &mobility), ZV_OK);
    zv_work_destroy(work);
    return mobility.redundant;
}

/* Runs to the end without a warning; joints that are named, in this order, into end. Returns redundant_beside. */
static int end_of_joints(const char *scenario_text, const char *integrator, const char *const *joint, int count,
                         double *end) {
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, integrator: {%s}, %s}", integrator, scenario_text);
    zvRunSummary *summary = run_of(scenario, NULL);
    const zvModel *model = zv_scenario_model(scenario);
    for (int i = 0; i < count; i++) {
        const zvJointPlace place = zv_model_joint_place(model, zv_model_find_joint(model, joint[i]));
        end[i] = zv_run_position(summary)[place.q_index];
    }
    if (zv_run_warnings(summary) > 0) fail_msg("%s: %s", integrator, zv_run_warning(summary, 0));
    const int redundant = redundant_beside(model, zv_run_position(summary));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return redundant;
}

/* All methods, both parents and some modes against those in the plane; format takes modes and the loop. */
static void expect_plane_motion(const char *format, const char *in_plane, const char *const *modes, int count,
                                const char *const loops[2], const char *const *joint, int joints) {
    double wanted[8], end[8];
    char text[4096];
    int redundant = 0;
    snprintf(text, sizeof text, format, in_plane, loops[1]);
    end_of_joints(text, "method: erk, order: 8, rtol: 1e-10, atol: 1e-10", joint, joints, wanted);
    for (int i = 0; i < 2 * count; i++) {
        snprintf(text, sizeof text, format, modes[i / 2], loops[i % 2]);
        for (int k = 0; k < RUNS; k++) {
            const int repeat = end_of_joints(text, runs[k].integrator, joint, joints, end);
            if (i % 2 == 0 && k == 0) redundant = repeat;
            if (repeat != redundant) fail_msg("%s, parent %d: %d redundant conditions", modes[i / 2], i % 2, repeat);
            for (int j = 0; j < joints; j++) {
                if (!(fabs(end[j] - wanted[j]) <= runs[k].bound))
                    fail_msg("%s, parent %d, %s: %s = %.12g, expected %.12g", modes[i / 2], i % 2, runs[k].integrator,
                             joint[j], end[j], wanted[j]);
            }
        }
    }
}

/* A four-bar in the x-z plane whose coupler is a beam. */
static void four_bar(void **state) {
    (void)state;
    static const char *const loops[2] = {"{name: L, type: revolute, axis: [0, -1, 0], parent: c, child: r, origin: "
                                         "{xyz: [0.9, 0, 0]}, child_origin: {xyz: [1, 0, 0]}}",
                                         "{name: L, type: revolute, axis: [0, -1, 0], parent: r, child: c, origin: "
                                         "{xyz: [1, 0, 0]}, child_origin: {xyz: [0.9, 0, 0]}}"};
    static const char *const modes[] = {"y: 2, z: 2", "y: 1, z: 2", "y: 3, z: 2"}, *const joint[] = {"A", "C", "B"};
    expect_plane_motion(
        "duration: 0.25, initial: {q: {A: 1.2}, guess: {C: -0.8, B: 1.3}}, model: {inline: {zveno: 1, name: el, links: "
        "[{name: ground}, {name: b, mass: 1, com: [0.2, 0, 0], inertia: [0.001, 0.02, 0.02]}, {name: c, beam: {length: "
        "0.9, EI: 1e3, rhoA: 2, GJ: 500, shapes: powers, modes: {%s}, damping: {ratio: 0.02}}}, {name: r, mass: 2, "
        "com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}], joints: [{name: A, type: revolute, parent: ground, child: b, "
        "axis: [0, -1, 0]}, {name: C, type: revolute, parent: b, child: c, axis: [0, -1, 0], origin: {xyz: [0.4, 0, "
        "0]}}, {name: B, type: revolute, parent: ground, child: r, axis: [0, -1, 0], origin: {xyz: [0.8, 0, 0]}}], "
        "loops: [%s]}}",
        "z: 2", modes, sizeof modes / sizeof *modes, loops, joint, 3);
}

/* That of another coupler beside it, whose loop shares the rocker. */
static void two_four_bars(void **state) {
    (void)state;
    static const char *const loops[2] = {
        "{name: L, type: revolute, axis: [0, -1, 0], parent: c, child: r, origin: {xyz: [0.9, 0, 0]}, child_origin: "
        "{xyz: [1, 0, 0]}}, {name: M, type: revolute, axis: [0, -1, 0], parent: d, child: s, origin: {xyz: [0.9, 0, "
        "0]}, child_origin: {xyz: [1, 0, 0]}}",
        "{name: L, type: revolute, axis: [0, -1, 0], parent: r, child: c, origin: {xyz: [1, 0, 0]}, child_origin: "
        "{xyz: [0.9, 0, 0]}}, {name: M, type: revolute, axis: [0, -1, 0], parent: s, child: d, origin: {xyz: [1, 0, "
        "0]}, child_origin: {xyz: [0.9, 0, 0]}}"};
    static const char *const modes[] = {"y: 2, z: 2"}, *const joint[] = {"A", "C", "B", "D", "E"};
    expect_plane_motion(
        "duration: 0.2, initial: {q: {A: 1.2}, guess: {C: -0.8, B: 1.3, D: -1.2, E: 1.3}}, model: {inline: {zveno: 1, "
        "name: two, links: [{name: ground}, {name: b, mass: 1, com: [0.2, 0, 0], inertia: [0.001, 0.02, 0.02]}, {name: "
        "c, beam: {length: 0.9, EI: 1e3, rhoA: 2, shapes: powers, modes: {%s}, damping: {ratio: 0.02}}}, {name: r, "
        "mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}, {name: d, mass: 1.8, com: [0.45, 0, 0], inertia: "
        "[0.01, 0.1, 0.1]}, {name: s, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}], joints: [{name: A, type: "
        "revolute, parent: ground, child: b, axis: [0, -1, 0]}, {name: C, type: revolute, parent: b, child: c, axis: "
        "[0, -1, 0], origin: {xyz: [0.4, 0, 0]}}, {name: B, type: revolute, parent: ground, child: r, axis: [0, -1, "
        "0], origin: {xyz: [0.8, 0, 0]}}, {name: D, type: revolute, parent: r, child: d, axis: [0, -1, 0], origin: "
        "{xyz: [1, 0, 0]}}, {name: E, type: revolute, parent: ground, child: s, axis: [0, -1, 0], origin: {xyz: [1.6, "
        "0, 0]}}], loops: [%s]}}",
        "z: 2", modes, 1, loops, joint, 5);
}

/* A boom that a cylinder lifts by an eye near its foot, on a column that may turn. */
static void crane(void **state) {
    (void)state;
    static const char *const loops[2] = {"{name: eye, type: revolute, axis: [0, -1, 0], parent: boom, child: rod, "
                                         "origin: {xyz: [1, 0, -0.1]}, child_origin: {xyz: [0.8, 0, 0]}}",
                                         "{name: eye, type: revolute, axis: [0, -1, 0], parent: rod, child: boom, "
                                         "origin: {xyz: [0.8, 0, 0]}, child_origin: {xyz: [1, 0, -0.1]}}"};
    static const char *const modes[] = {"y: 1, z: 2"}, *const joint[] = {"slew", "lift", "pivot", "stroke"};
    expect_plane_motion(
        "duration: 0.05, initial: {q: {lift: 0.35}, guess: {pivot: 1, stroke: 0.5}}, model: {inline: {zveno: 1, name: "
        "crane, links: [{name: ground}, {name: column, mass: 300, com: [0, 0, 0.6], inertia: [40, 40, 15]}, {name: "
        "boom, beam: {length: 4, material: {E: 2.1e11, G: 8e10, density: 7850}, section: {frame: [0.12, 0.2, 0.008]}, "
        "shapes: powers, modes: {%s}, damping: {ratio: 0.02}}}, {name: load, mass: 200, inertia: [8, 8, 8]}, {name: "
        "barrel, mass: 20, com: [0.3, 0, 0], inertia: [0.1, 1.5, 1.5]}, {name: rod, mass: 10, com: [0.4, 0, 0], "
        "inertia: [0.05, 0.8, 0.8]}], joints: [{name: slew, type: revolute, parent: ground, child: column, axis: [0, "
        "0, 1], damping: 50}, {name: lift, type: revolute, parent: column, child: boom, axis: [0, -1, 0], origin: "
        "{xyz: [0, 0, 1.5]}}, {name: hook, type: fixed, parent: boom, child: load, origin: {xyz: [4, 0, 0]}}, {name: "
        "pivot, type: revolute, parent: column, child: barrel, axis: [0, -1, 0], origin: {xyz: [0.3, 0, 0.5]}}, {name: "
        "stroke, type: prismatic, parent: barrel, child: rod, axis: [1, 0, 0], origin: {xyz: [0.3, 0, 0]}, friction: "
        "500}], loops: [%s]}}",
        "z: 2", modes, 1, loops, joint, 4);
}

TESTS(four_bar, two_four_bars, crane)
