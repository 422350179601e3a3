/* Laws in scenarios: against closed formulas, paths of frames against forward kinematics. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/good_scenario.h"
#include "support/near.h"
#include "support/run_tests.h"

/* Laws ------------------------------------------------------------------------------------------------- */

typedef struct LawCase {
    const char *law;
    double t, wanted;
} LawCase;

static const LawCase laws[] = {
    {"0.3", 1, 0.3},
    {"[0.3]", 1, 0.3},
    {"{type: constant, value: 0.3}", 1, 0.3},
    {"{type: polynomial, coefficients: [0.1, 0.2, 0.3], start: 0.5}", 1, 0.1 + 0.2 * 0.5 + 0.3 * 0.25},
    {"{type: cubic, to: 1, duration: 2}", 0.5, 0.2 + 0.8 * (3 * 0.0625 - 2 * 0.015625)},
    {"{type: cubic, from: 0, to: 1, duration: 2, from_velocity: 1}", 1, 0.5 + 2 * 0.125},
    {"{type: quintic, to: 1, duration: 2}", 0.5, 0.2 + 0.8 * (10 * 0.015625 - 15 * 0.00390625 + 6 * 0.0009765625)},
    {"{type: septic, from: 0, to: 1, duration: 2}", 1, 0.5},
    {"{type: boundary, start: 0, duration: 1, from: [0, 0.2], to: [1]}", 0.5, 0.2 * 0.5 + 0.8 * 0.25},
    {"{type: cycloidal, from: 0, to: 1, duration: 2}", 0.5, 0.25 - 1 / (2 * 3.14159265358979323846)},
    {"{type: trapezoidal, from: 0, to: 1, duration: 1.5}", 0.5, 0.25},
    {"{type: trapezoidal, from: 0, to: 1, velocity: 1, acceleration: 2}", 0.5, 0.25},
    {"{type: harmonic, offset: 0.1, amplitude: 0.5, hertz: 0.25}", 1, 0.6},
    {"{type: harmonic, amplitude: 0.5, frequency: 2, phase: 90 deg, start: 1}", 1, 0.5},
    {"{type: spline, times: [0, 1, 2], points: [0, 1, 0]}", 0.5, 0.5},
    {"{type: spline, times: [0, 1, 2], points: [[0], [1], [0]], ends: natural}", 0.5, 0.6875},
    {"{type: table, times: [0, 1, 2], points: [0, 1, 0]}", 1.25, 0.75},
    {"{type: table, times: [0, 1, 2], points: [0.5, 1, 0], mode: hold}", 0.9, 0.5},
    {"{type: sum, parts: [{type: cubic, to: 1, duration: 1}, 0.25]}", 1.5, 1.25},
    {"{type: sequence, start: 0.5, parts: [{duration: 1, law: {type: cubic, to: 1, duration: 1}}, {law: {type: cubic, "
     "to: 0, duration: 0.4}}]}",
     1.7, 0.5},
    {"{type: sequence, parts: [{duration: 1, law: 0.1}, 0.4]}", 1.5, 0.4},
    {"[{type: harmonic, amplitude: 0.5, hertz: 0.25}]", 1, 0.5},
};

/* The elbow begins at 0.2; its reference shows the law. */
static void laws_of_one_entry(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        char text[8192];
        double r[6];
        snprintf(text, sizeof text,
                 "%sinitial: {q: {elbow: 0.2}}\ndrives: [{type: pd, joint: elbow, kp: 1, reference: %s}]\n", HEAD,
                 laws[i].law);
        zvScenario *s = read_text(text);
        reference_at(s, laws[i].t, r);
        assert_named_near(laws[i].law, r[1], laws[i].wanted, 1e-14);
        assert_true(isnan(r[0]));
        zv_scenario_destroy(s);
    }
}

static void laws_of_several_entries(void **state) {
    (void)state;
    zvScenario *s = read_text(HEAD "initial: {q: {shoulder: 0.1, elbow: 0.2, slide: 0.3}}\ndrives:\n"
                                   " - {type: pd, name: a, joints: [elbow, shoulder], kp: [1, 2], kd: 3, reference: "
                                   "{type: quintic, to: [1, 0], duration: 1}}\n"
                                   " - {type: computed_torque, joint: slide, kp: 1}\n");
    double r[6];
    reference_at(s, 0.5, r);
    assert_named_near("shoulder", r[0], 0.05, 1e-15);
    assert_named_near("elbow", r[1], 0.6, 1e-15);
    assert_named_near("slide stays", r[2], 0.3, 0);
    zv_scenario_destroy(s);
    s = read_text(HEAD
                  "drives: [{type: pd, joints: all, kp: 1, reference: [0.5, {type: polynomial, coefficients: [0, 1]}, "
                  "0]}]\n");
    reference_at(s, 0.5, r);
    assert_true(r[0] == 0.5 && r[1] == 0.5 && r[2] == 0 && isnan(r[3]));
    zv_scenario_destroy(s);
}

static void motions_decide_where_joints_begin(void **state) {
    (void)state;
    zvScenario *s =
        read_text(HEAD "start: 1\ndrives: [{type: motion, joint: elbow, law: {type: polynomial, coefficients: "
                       "[0.25, 0.5]}}]\n");
    assert_true(s->q[1] == 0.75 && s->v[1] == 0.5);
    zv_scenario_destroy(s);
}

/* Paths of frames -------------------------------------------------------------------------------------- */

/* Greatest distance in the plane of the arm between the tool and the line, with positions from the reference. */
static double farthest_from_line(const zvScenario *s, const double to[2], double duration, double *speed) {
    zvError error;
    zvWork *work = zv_work_create(s->model, &error);
    double q[7], r[6], before[6], worst = 0, fastest = 0;
    zvPose start, pose;
    const int frame = zv_model_find_frame(s->model, "tool");
    memcpy(q, s->q, sizeof q);
    zv_frame_pose(s->model, work, q, frame, &start);
    for (int i = 0; i <= 997; i++) { /* no multiple of the knots */
        const double t = 1.1 * duration * i / 997, x = fmin(t / duration, 1);
        const double f = x * x * x * (10 - 15 * x + 6 * x * x);
        reference_at(s, t, r);
        for (int k = 0; k < 3; k++)
            if (!isnan(r[k])) q[k] = r[k];
        for (int k = 0; k < 3 && i > 0; k++)
            if (!isnan(r[k])) fastest = fmax(fastest, fabs(r[k] - before[k]) * 997 / (1.1 * duration));
        memcpy(before, r, sizeof before);
        zv_frame_pose(s->model, work, q, frame, &pose);
        worst = fmax(worst, hypot(pose.p[0] - start.p[0] - f * (to[0] - start.p[0]),
                                  pose.p[2] - start.p[2] - f * (to[1] - start.p[2])));
    }
    zv_work_destroy(work);
    *speed = fastest;
    return worst;
}

static void lines(void **state) {
    (void)state;
    static const char *const joints[] = {"[shoulder, elbow]", "[shoulder, elbow, slide]"};
    /* quintic pieces leave h^6, cubic ones h^4 / 384 of the fourth derivative: q'''' of the profile alone is 360 / T^4,
     * and the arm multiplies it by some ten */
    static const double tolerances[] = {1e-11, 4000 * 1.6e-11 / 384};
    const double to[2] = {0.5, 0.6};
    for (int i = 0; i < 2; i++) {
        char text[8192];
        double speed;
        snprintf(
            text, sizeof text,
            "%sinitial: {q: {shoulder: 0.3, elbow: 1, slide: 0.05}}\ndrives: [{type: pd, kp: 1, joints: %s, reference: "
            "{type: line, frame: tool, task: [x, z], to: {xyz: [0.5, 0, 0.6]}, duration: 1.5}}]\n",
            HEAD, joints[i]);
        zvScenario *s = read_text(text);
        assert_named_near(joints[i], farthest_from_line(s, to, 1.5, &speed), 0, tolerances[i]);
        assert_true(speed > 0.1 && speed < 10);
        zv_scenario_destroy(s);
    }
}

/* The joints stay on the circle about the shoulder: only the shoulder turns, by the progress. */
static void arcs(void **state) {
    (void)state;
    static const char *const progress[] = {"duration: 1, profile: trapezoidal",
                                           "progress: {type: trapezoidal, from: 0, to: 1, duration: 1}"};
    for (int i = 0; i < 2; i++) {
        char text[8192];
        double r[6];
        snprintf(
            text, sizeof text,
            "%sinitial: {q: {shoulder: 0.3, elbow: 1}}\ndrives: [{type: motion, joints: [shoulder, elbow], law: {type: "
            "arc, frame: tool, task: [x, z], center: [0, 0, 0], axis: [0, 2, 0], angle: 0.9, %s}}]\n",
            HEAD, progress[i]);
        zvScenario *s = read_text(text);
        for (int k = 0; k <= 20; k++) {
            const double t = k / 16.0, x = fmin(t, 1);
            const double f = x < 1.0 / 3 ? 2.25 * x * x : x < 2.0 / 3 ? 1.5 * x - 0.25 : 1 - 2.25 * (1 - x) * (1 - x);
            reference_at(s, t, r);
            assert_named_near("shoulder", r[0], 0.3 + 0.9 * f, 1e-11);
            assert_named_near("elbow", r[1], 1, 1e-11);
        }
        zv_scenario_destroy(s);
    }
}

TESTS(laws_of_one_entry, laws_of_several_entries, motions_decide_where_joints_begin, lines, arcs)
