/* Good scenarios: what the reader makes of every section, and changes. */
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

static const double PI = 3.14159265358979323846;

/* Settings, initial state, defaults -------------------------------------------------------------------- */

static void defaults(void **state) {
    (void)state;
    zvScenario *s = read_text(HEAD);
    assert_string_equal(zv_scenario_title(s), "arm");
    assert_string_equal(zv_scenario_method(s), "auto");
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

TESTS(defaults, initial_states, passive_elements, motors, events, output_and_integrator, loads_and_controllers, changes,
      changes_leave_aliases_alone)
