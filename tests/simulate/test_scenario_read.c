/* Good scenarios: what the reader makes of every section, laws against closed formulas, paths of frames against
 * forward kinematics, changes, files beside the scenario, fingerprints. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "simulate/scenario.h"
#include "simulate/scenario_text.h"
#include "support/near.h"

static const double PI = 3.14159265358979323846;

static zvScenario *read_changed(const char *name, const char *text, int count, const char *const *changes) {
    zvError error = {0};
    zvScenario *scenario = NULL;
    char line[1024];
    if (zv_scenario_read_memory(name, text, strlen(text), count, changes, &scenario, &error) != ZV_OK)
        fail_msg("%s\n%s", zv_error_line(&error, line, sizeof line), text);
    return scenario;
}

static zvScenario *read_named(const char *name, const char *text) { return read_changed(name, text, 0, NULL); }
static zvScenario *read_text(const char *text) { return read_named("s.yaml", text); }

/* Settings, initial state, defaults -------------------------------------------------------------------- */

static void defaults(void **state) {
    (void)state;
    zvScenario *s = read_text(HEAD);
    assert_string_equal(zv_scenario_title(s), "arm");
    assert_string_equal(zv_scenario_method(s), "adams");
    assert_true(zv_scenario_start(s) == 0 && zv_scenario_duration(s) == 2);
    assert_null(zv_scenario_output(s));
    assert_int_equal(zv_model_nq(s->model), 7);
    for (int i = 0; i < 7; i++) assert_true(s->q[i] == (i == 6));
    for (int i = 0; i < 6; i++) assert_true(s->v[i] == 0);
    assert_int_equal(s->channel_count, 4);
    assert_int_equal(s->channels[3].kind, ZI_CHANNEL_ENERGY);
    assert_true(s->interval == 0.01 && s->ledger && s->checkpoint == 5 && s->event_count == 0);
    assert_true(s->integration.rtol == 1e-8 && s->integration.atol == 1e-8 && s->integration.step == 0);
    /* shoulder: damper, friction; elbow: damper; springs are stores */
    assert_int_equal(zv_drives_naccount(s->drives), 3);
    assert_int_equal(zv_drives_nstore(s->drives), 1);
    zv_scenario_destroy(s);
}

static void initial_states(void **state) {
    (void)state;
    zvScenario *s =
        read_text(HEAD "start: 1\ngravity: [1, 2, 3]\ninitial: {q: {elbow: 30 deg, ball: [0, 0, 0.6, 0.8]}, "
                       "v: {ball.wy: 2, slide: [-1]}}\n");
    double g[3];
    zv_model_gravity(s->model, g);
    assert_true(g[0] == 1 && g[1] == 2 && g[2] == 3 && s->start == 1);
    assert_named_near("elbow", s->q[1], PI / 6, 1e-15);
    assert_true(s->q[0] == 0 && s->q[5] == 0.6 && s->q[6] == 0.8);
    assert_true(s->v[2] == -1 && s->v[4] == 2 && s->v[3] == 0);
    zv_scenario_destroy(s);
    s = read_text(HEAD "initial: {q: [1, 2, 0.1, 0, 0, 0, 1.0000005], v: [1, 2, 3, 4, 5, 6]}\n");
    assert_true(s->q[1] == 2 && s->q[6] == 1 && s->v[5] == 6);
    zv_scenario_destroy(s);
}

static void passive_elements(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int accounts, stores, modes;
    } cases[] = {{"passive: false\n", 0, 0, 0},
                 {"passive: {springs: false}\n", 3, 0, 0},
                 {"passive: {friction: false}\n", 2, 1, 0},
                 {"passive: {smoothing: 0}\n", 3, 1, 1},
                 {"joints: {shoulder: {friction: {coulomb: 1, stick_slip: true}}}\n", 3, 1, 1},
                 {"joints: {shoulder: {friction: 0, damping: 0}, elbow: {spring: {stiffness: 5}}}\n", 2, 2, 0},
                 {"joints: {elbow: {flexible: {stiffness: 10, inertia: 1}}}\n", 4, 3, 0},
                 {"joints: {ball: {damping: 1}, ball.wx: {friction: 2}}\n", 7, 1, 0},
                 {"springs: [{from: base, to: tool, stiffness: 5, damping: 1, length: 1}]\n", 4, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[8192];
        snprintf(text, sizeof text, "%s%s", HEAD, cases[i].text);
        zvScenario *s = read_text(text);
        if (zv_drives_naccount(s->drives) != cases[i].accounts || zv_drives_nstore(s->drives) != cases[i].stores ||
            zv_drives_nmode(s->drives) != cases[i].modes)
            fail_msg("%s: %d accounts, %d stores, %d modes", cases[i].text, zv_drives_naccount(s->drives),
                     zv_drives_nstore(s->drives), zv_drives_nmode(s->drives));
        zv_scenario_destroy(s);
    }
}

static void motors(void **state) {
    (void)state;
#define FLEXIBLE \
    "joints: {elbow: {flexible: {stiffness: 10, inertia: 1}}}\ndrives: [{type: pid, joint: elbow, kp: 1, ki: 1}]\n"
    zvScenario *s = read_text(HEAD FLEXIBLE "initial: {q: {elbow: 0.5}}\n");
    assert_int_equal(zv_drives_nstate(s->drives), 3);
    assert_true(s->z[0] == 0.5 && s->z[1] == 0 && s->z[2] == 0 && !s->motors_at_equilibrium);
    zv_scenario_destroy(s);
    s = read_text(HEAD FLEXIBLE "initial: {motors: {elbow: {theta: 0.7, rate: -2}}}\n");
    assert_true(s->z[0] == 0.7 && s->z[1] == -2 && s->z[2] == 0);
    zv_scenario_destroy(s);
    s = read_text(HEAD FLEXIBLE "initial: {motors: equilibrium}\n");
    assert_true(s->motors_at_equilibrium);
    zv_scenario_destroy(s);
}

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

static void reference_at(const zvScenario *s, double t, double *r) {
    zvEfforts *efforts = zv_efforts_create(s->drives, NULL);
    assert_non_null(efforts);
    zv_drives_reference(s->drives, efforts, t, r);
    zv_efforts_destroy(efforts);
}

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

/* Events, output, integrator --------------------------------------------------------------------------- */

static void events(void **state) {
    (void)state;
    zvScenario *s =
        read_text(HEAD "events:\n - {type: limit, joints: all, action: bounce, restitution: 0.5}\n"
                       " - {name: hit, type: limit, joint: elbow, action: stop}\n"
                       " - {type: plane, frame: tool, normal: [0, 0, 2], offset: -3}\n"
                       " - {type: threshold, channel: v.ball.wy, value: 3, direction: falling}\n"
                       " - {type: threshold, channel: pose tool.z, value: 0.5}\n"
                       " - {name: all, type: threshold, channel: reactions.elbow.fz, value: 1, direction: rising}\n"
                       " - {type: threshold, channel: reactions elbow.fz, value: 1}\n");
    assert_int_equal(s->event_count, 8 + 2 + 5);
    const ziEventSpec *e = s->events;
    assert_string_equal(e[0].name, "limit shoulder lower");
    assert_string_equal(e[5].name, "limit slide upper");
    assert_true(e[5].q_index == 2 && e[5].v_index == 2 && e[5].side == 1 && e[5].value == 0.5);
    assert_string_equal(e[7].name, "limit nail_joint upper"); /* it follows the elbow */
    assert_true(e[7].q_index == 1 && e[7].v_index == 1 && e[7].ratio == 2 && e[7].offset == 0 && e[7].value == 9);
    assert_true(e[5].ratio == 1 && e[5].offset == 0);
    assert_true(e[0].side == -1 && e[0].value == -2 && e[0].action == ZI_EVENT_BOUNCE && e[0].restitution == 0.5);
    assert_string_equal(e[9].name, "hit upper");
    assert_true(e[9].action == ZI_EVENT_STOP);
    assert_string_equal(e[10].name, "touch tool");
    assert_true(e[10].kind == ZI_EVENT_PLANE && e[10].normal[2] == 1 && e[10].value == -3 && e[10].restitution == 1);
    assert_true(e[11].channel.kind == ZI_CHANNEL_V && e[11].entry == 4 && e[11].direction == -1 && e[11].value == 3);
    assert_true(e[12].channel.kind == ZI_CHANNEL_POSE && e[12].entry == 2 && e[12].direction == 0);
    assert_int_equal(e[12].channel.index, zv_model_find_frame(s->model, "tool"));
    assert_true(e[13].channel.index == -1 && e[13].entry == 6 * zv_model_find_joint(s->model, "elbow") + 2);
    assert_true(e[14].channel.index == zv_model_find_joint(s->model, "elbow") && e[14].entry == 2);
    zv_scenario_destroy(s);
}

static void output_and_integrator(void **state) {
    (void)state;
    zvScenario *s =
        read_text(HEAD "output: {file: a.csv, interval: 0.5, channels: [a, pose tool, reactions], ledger: false, "
                       "checkpoint: 60}\nintegrator: {method: rk4, step: 1e-2, max_steps: 1e6}\n");
    assert_string_equal(zv_scenario_output(s), "a.csv");
    assert_string_equal(zv_scenario_method(s), "rk4");
    assert_true(s->interval == 0.5 && !s->ledger && s->checkpoint == 60 && s->channel_count == 3);
    assert_true(s->integration.step == 1e-2 && s->integration.max_steps == 1000000);
    zv_scenario_destroy(s);
    s = read_text(HEAD "output: {every_step: true}\nintegrator: {method: euler}\n");
    assert_true(s->interval == 0 && s->integration.step == 1e-3);
    zv_scenario_destroy(s);
}

static void loads_and_controllers(void **state) {
    (void)state;
    zvScenario *s = read_text(
        HEAD
        "passive: false\nloads: [{frame: tool, axes: local, force: [1, {type: harmonic, amplitude: 1, hertz: 1}, 0], "
        "moment: {type: table, times: [0, 1], points: [[0, 0, 0], [1, 2, 3]]}}]\n"
        "drives:\n - {type: gravity_compensation}\n - {type: torque, joint: ball, law: 0.1}\n"
        " - {type: operational_space, frame: tool, task: xyz, kp: 100, kd: [1, 1, 1, 2, 2, 2], null_damping: 1, route: "
        "{type: arc, center: [0, 0, 0], axis: [0, 1, 0], angle: 1, turn: false, progress: {type: cubic, from: 0, to: "
        "1, "
        "duration: 1}}}\n");
    /* gravity of three joints, torque of three freedoms, operational space of six, one load */
    assert_int_equal(zv_drives_naccount(s->drives), 3 + 3 + 6 + 1);
    assert_string_equal(zv_drives_account(s->drives, 12).name, "tool");
    zv_scenario_destroy(s);
}

/* Changes ---------------------------------------------------------------------------------------------- */

static void changes(void **state) {
    (void)state;
    static const char text[] = HEAD "initial: {q: {ball.qw: 1}}\ndrives: [{type: pd, joint: elbow, kp: 1}]\n";
    static const char *const sets[] = {"duration=3",           "integrator.rtol=1e-6",
                                       "initial.q.ball.qw=-1", "drives.0.reference={type: constant, value: 30 deg}",
                                       "title=a = b: c",       "output.channels=[q, v]"};
    static const char *const last[] = {"initial.q.elbow=0.5", "initial.q={slide: 0.1}"};
    zvScenario *s = read_changed("s.yaml", text, 4, sets);
    double r[6];
    reference_at(s, 0, r);
    assert_named_near("reference", r[1], PI / 6, 1e-15);
    assert_true(s->duration == 3 && s->integration.rtol == 1e-6 && s->q[6] == -1);
    assert_string_equal(s->changes, "duration=3\nintegrator.rtol=1e-6\ninitial.q.ball.qw=-1\ndrives.0.reference={type: "
                                    "constant, value: 30 deg}\n");
    zv_scenario_destroy(s);
    s = read_changed("s.yaml", text, 1, &sets[5]);
    assert_int_equal(s->channel_count, 2);
    zv_scenario_destroy(s);
    s = read_changed("s.yaml", text, 2, last); /* the later one wins */
    assert_true(s->q[1] == 0 && s->q[2] == 0.1);
    zv_scenario_destroy(s);
}

/* A value shared by aliases changes only where the path leads. */
static void changes_leave_aliases_alone(void **state) {
    (void)state;
    static const char text[] =
        HEAD "drives:\n - &a {type: pd, joint: elbow, kp: 1, reference: 0.5}\n"
             " - {type: pd, joint: shoulder, kp: 1, reference: &r {type: cubic, to: 1, duration: 1}}\n"
             " - {type: pd, joint: slide, kp: 1, reference: *r}\n";
    static const char *const sets[] = {"drives.1.reference.to=0.25"};
    zvScenario *s = read_changed("s.yaml", text, 1, sets);
    double r[6];
    reference_at(s, 2, r);
    assert_true(r[0] == 0.25 && r[1] == 0.5 && r[2] == 1);
    zv_scenario_destroy(s);
}

/* Files ------------------------------------------------------------------------------------------------ */

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file) fail_msg("cannot write %s", path);
    fputs(text, file);
    fclose(file);
}

#define FOLDER ZV_BINARY_DIR "/scenario_read"

static void make_files(void) {
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/data", 0777);
    write_text(FOLDER "/data/two.yaml", "zveno: 1\nlinks: [{name: a}, {name: b, " INERTIA "}, {name: c, " INERTIA
                                        "}]\njoints: [{name: j, type: revolute, parent: a, child: b}, {name: k, type: "
                                        "revolute, parent: b, child: c, axis: [0, 1, 0]}]\n");
    write_text(FOLDER "/data/push.csv", "time; one; two\n0; 0; 1\n1; 2; 3\n2; 0; 1\n");
    write_text(FOLDER "/data/state.json", "{\"q\": [0.1, 0.2], \"v\": [1, 2], \"tau\": [0, 0]}\n");
}

static void files_are_beside_the_scenario(void **state) {
    (void)state;
    make_files();
    write_text(
        FOLDER "/s.yaml",
        "zveno_scenario: 1\nmodel: {file: data/two.yaml, base: free}\nduration: 1\n"
        "drives:\n - {type: pd, name: a, joint: k, kp: 1, reference: {type: csv, file: data/push.csv, mode: linear, "
        "columns: [two], scale: 0.5}}\n"
        " - {type: pd, name: b, joint: j, kp: 1, reference: {type: csv, file: data/push.csv, time: 1, columns: [2], "
        "mode: hold}}\n");
    zvError error = {0};
    zvScenario *s = NULL;
    assert_int_equal(zv_scenario_read_file(FOLDER "/s.yaml", 0, NULL, &s, &error), ZV_OK);
    double r[8];
    assert_int_equal(zv_model_nv(s->model), 8);
    reference_at(s, 0.5, r);
    assert_true(r[7] == 1 && r[6] == 0);
    assert_string_equal(s->file, FOLDER "/s.yaml");
    zv_scenario_destroy(s);
    s = read_named(FOLDER "/t.yaml", "zveno_scenario: 1\nmodel: data/two.yaml\nduration: 1\ninitial: {state: "
                                     "data/state.json, q: {k: 0.5}}\n");
    assert_true(s->q[0] == 0.1 && s->q[1] == 0.5 && s->v[1] == 2);
    zv_scenario_destroy(s);
}

/* The fingerprint, computed anew. */
static uint64_t fnv(uint64_t hash, const char *bytes, size_t size) {
    while (size--) {
        hash ^= (unsigned char)*bytes++;
        hash *= 1099511628211u;
    }
    return hash;
}

static void fingerprints(void **state) {
    (void)state;
    static const char text[] =
        "zveno_scenario: 1\nmodel: data/two.yaml\nduration: 1\ndrives: [{type: torque, joint: j, law: "
        "{type: csv, file: data/push.csv, columns: [one]}}]\n";
    static const char csv[] = "time; one; two\n0; 0; 1\n1; 2; 3\n2; 0; 1\n";
    static const char *const sets[] = {"start=1"};
    make_files();
    zvScenario *a = read_named(FOLDER "/s.yaml", text), *b = read_named(FOLDER "/other.yaml", text);
    zvScenario *c = read_changed(FOLDER "/s.yaml", text, 1, sets);
    uint64_t hash = fnv(14695981039346656037u, text, sizeof text);
    char wanted[17];
    hash = fnv(hash, "", 1);
    hash = fnv(hash, csv, strlen(csv));
    hash = fnv(hash, a->model_text, strlen(a->model_text));
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)hash);
    assert_string_equal(zv_scenario_fingerprint(a), wanted);
    assert_string_equal(zv_scenario_fingerprint(b), wanted);
    assert_string_not_equal(zv_scenario_fingerprint(c), wanted);
    write_text(FOLDER "/data/push.csv", "time; one; two\n0; 0; 1\n1; 2; 4\n2; 0; 1\n");
    zvScenario *d = read_named(FOLDER "/s.yaml", text);
    assert_string_not_equal(zv_scenario_fingerprint(d), wanted);
    zv_scenario_destroy(a);
    zv_scenario_destroy(b);
    zv_scenario_destroy(c);
    zv_scenario_destroy(d);
}

/* The page --------------------------------------------------------------------------------------------- */

static char *load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("there is no %s", path);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    const size_t size = fread(text, 1, (1 << 18) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* docs/scenarios.md: every scenario on the page can be read, and the first one is the file it names. */
static void scenarios_of_the_page(void **state) {
    (void)state;
    static const char fence[] = "```yaml\n";
    char *page = load(ZV_SOURCE_DIR "/docs/scenarios.md"), *file = load(ZV_SOURCE_DIR "/docs/scenarios/arm.yaml");
    int count = 0;
    for (char *at = page; (at = strstr(at, fence));) {
        at += strlen(fence);
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = '\0';
        if (strncmp(at, "zveno_scenario: 1", 17) == 0) {
            if (count++ == 0) assert_string_equal(at, file);
            zv_scenario_destroy(read_named(ZV_SOURCE_DIR "/docs/scenarios/page.yaml", at));
        }
        at = end + 1;
    }
    assert_true(count >= 2);
    free(page);
    free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(initial_states),
        cmocka_unit_test(passive_elements),
        cmocka_unit_test(motors),
        cmocka_unit_test(laws_of_one_entry),
        cmocka_unit_test(laws_of_several_entries),
        cmocka_unit_test(motions_decide_where_joints_begin),
        cmocka_unit_test(lines),
        cmocka_unit_test(arcs),
        cmocka_unit_test(events),
        cmocka_unit_test(output_and_integrator),
        cmocka_unit_test(loads_and_controllers),
        cmocka_unit_test(changes),
        cmocka_unit_test(changes_leave_aliases_alone),
        cmocka_unit_test(files_are_beside_the_scenario),
        cmocka_unit_test(fingerprints),
        cmocka_unit_test(scenarios_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
