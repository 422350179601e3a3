/* Friction along a rail is -D V whatever its curve: a bead without weight that damping slows down goes
 *   V = V0 exp(-D t/m),  s = V0 m/D (1 - exp(-D t/m))
 * along any curve, whether its joint or a loop keeps it there. Where that leaves the bead is told by the reference,
 * which measures the curve by itself. */
#include "simulate/runs.h"
#include "support/reference_curve.h"
#include "support/run_tests.h"

static const double POINTS[15] = {0, 0, 0, 0.6, 0.1, 0, 0.7, 0.8, 0.3, 0.1, 0.9, 0.2, -0.5, 0.5, -0.2};
#define SPLINE "{spline: {points: [[0, 0, 0], [0.6, 0.1, 0], [0.7, 0.8, 0.3], [0.1, 0.9, 0.2], [-0.5, 0.5, -0.2]], "
static const double MASS = 2, DAMPING = 0.8, SPEED = 1.5, TIME = 2.5;

#define RUN(bead)                                                                                                      \
    "{zveno_scenario: 1, model: {inline: {gravity: [0, 0, 0], links: [{name: ground}, " bead "}}, duration: 2.5, "     \
    "integrator: {method: erk, rtol: 1e-12, atol: 1e-13}, output: {interval: 0.5, channels: [v, pose bead, energy]}, " \
    "initial: {"
#define ON_JOINT                                                                                                \
    RUN("{name: bead, mass: 2, inertia: [0.1, 0.1, 0.1]}], joints: [{name: rail, type: curve, parent: ground, " \
        "child: bead, damping: %g, curve: " SPLINE "closed: %s}}}]")                                            \
    "v: {rail: 1.5}}}"
#define IN_LOOP                                                                                                     \
    RUN("{name: x, mass: 0}, {name: y, mass: 0}, {name: bead, mass: 2, inertia: [0.1, 0.1, 0.1]}], joints: ["       \
        "{name: jx, type: prismatic, axis: [1, 0, 0], parent: ground, child: x}, "                                  \
        "{name: jy, type: prismatic, axis: [0, 1, 0], parent: x, child: y}, "                                       \
        "{name: jz, type: prismatic, axis: [0, 0, 1], parent: y, child: bead}], loops: [{name: rail, type: curve, " \
        "parent: ground, child: bead, ball: true, damping: %g, curve: " SPLINE "closed: %s}}}]")                    \
    "v: {jx: %.17g, jy: %.17g, jz: %.17g}}}"

/* The bead after TIME: its speed, and its place by the reference. */
static void expect_end(const char *what, const zvRunSummary *summary, const char *path, const refCurve *rail,
                       double damping, double bound) {
    const double decay = damping > 0 ? exp(-damping * TIME / MASS) : 1;
    const double distance = damping > 0 ? SPEED * MASS / damping * (1 - decay) : SPEED * TIME;
    uint64_t rows;
    int width;
    double *v = rows_of(path, "v", &rows, &width), *pose = rows_of(path, "pose bead", &rows, NULL);
    double square = 0;
    for (int k = 0; k < width; k++) square += pow(v[((int)rows - 1) * width + k], 2);
    assert_named_near(what, sqrt(square), SPEED * decay, bound);
    exact c[3], dc[3], ddc[3];
    ref_curve_at(rail, distance, c, dc, ddc);
    for (int k = 0; k < 3; k++) assert_named_near(what, pose[((int)rows - 1) * 7 + k], (double)c[k], bound);
    assert_named_near("time", zv_run_time(summary), TIME, 0);
    free(v);
    free(pose);
}

/* Open and closed, with friction and without: then speed and energy stay. */
static void expect_rail(bool loop) {
    char name[512];
    const char *path = file_of(loop ? "rail_loop.csv" : "rail_joint.csv", name);
    for (int closed = 0; closed < 2; closed++) {
        const zvCurve curve = {.kind = ZV_CURVE_SPLINE, .closed = closed, .count = 5, .points = POINTS};
        refCurve rail;
        ref_curve_open(&rail, &curve);
        exact c[3], t[3], k[3];
        ref_curve_at(&rail, 0, c, t, k);
        for (int damped = 0; damped < 2; damped++) {
            const double damping = damped ? DAMPING : 0;
            const char *word = closed ? "true" : "false";
            zvScenario *scenario = loop ? scenario_of(IN_LOOP, damping, word, SPEED * (double)t[0],
                                                      SPEED * (double)t[1], SPEED * (double)t[2])
                                        : scenario_of(ON_JOINT, damping, word);
            zvRunSummary *summary = run_of(scenario, path);
            expect_end(loop ? "bead held by a loop" : "bead on a joint", summary, path, &rail, damping, 2e-10);
            zv_run_summary_destroy(summary);
            zv_scenario_destroy(scenario);
        }
        ref_curve_close(&rail);
    }
    remove(path);
}

static void joint_on_a_spline(void **state) {
    (void)state;
    expect_rail(false);
}

static void loop_on_a_spline(void **state) {
    (void)state;
    expect_rail(true);
}

TESTS(joint_on_a_spline, loop_on_a_spline)
