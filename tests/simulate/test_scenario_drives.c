/* Drives and joints of a scenario as the set of drives sees them: limits, joints of a task, what followers carry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/good_scenario.h"
#include "support/run_tests.h"

/* A hull, an arm of two joints in a horizontal plane, and a finger that follows the second one. */
#define LINK "mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]"
#define MODEL(base)                                                                                                   \
    "zveno_scenario: 1\nduration: 1\nmodel: {inline: {gravity: [0, 0, 0], links: [{name: ground}, {name: hull, " LINK \
    "}, {name: upper, " LINK "}, {name: lower, " LINK "}, {name: nail, " LINK "}], joints: ["                         \
    "{name: root, type: " base ", parent: ground, child: hull}, "                                                     \
    "{name: shoulder, type: revolute, parent: hull, child: upper, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}, "      \
    "limits: {lower: -2, upper: 2, effort: 7}}, "                                                                     \
    "{name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}, "        \
    "limits: {lower: -2, upper: 2}, damping: 2, friction: 3}, "                                                       \
    "{name: knuckle, type: revolute, parent: lower, child: nail, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}, "       \
    "limits: {lower: -9, upper: 9}, mimic: {joint: elbow, ratio: 2}, damping: 0.5, spring: {stiffness: 4}}], "        \
    "frames: [{name: tool, link: lower, pose: {xyz: [0.5, 0, 0]}}]}}\ninitial: {q: {shoulder: 0.3, elbow: 1}}\n"

/* Evaluates the set at the initial position with the velocity 0 or, of the elbow, given. */
static zvEfforts *evaluate(const zvScenario *s, double elbow) {
    double v[8] = {0}, z[8] = {0};
    v[zv_model_nv(s->model) - 1] = elbow;
    zvWork *work = zv_work_create(s->model, NULL);
    zvEfforts *efforts = zv_efforts_create(s->drives, NULL);
    assert_true(zv_drives_accelerate(s->drives, efforts, work, 0, s->q, v, z, NULL) >= 0);
    zv_work_destroy(work);
    return efforts;
}

#define ROUTE "route: {type: line, to: {xyz: [0.9, 0.9, 0]}, duration: 1}"

/* Forces of 1000 per rad are asked for: the shoulder gets the model's 7 or what is written, the elbow as written. */
static void limits(void **state) {
    (void)state;
    static const struct {
        const char *drive;
        double shoulder, elbow; /* greatest force; 0: none */
    } cases[] = {{"{type: pd, joints: all, kp: 1000, reference: [2, 2], limit: model}", 7, 0},
                 {"{type: pid, joints: all, kp: 1000, ki: 5, reference: [2, 2], limit: [3, 4], tracking: 0.1}", 3, 4},
                 {"{type: computed_torque, kp: 1000, reference: [2, 2], limit: model}", 7, 0},
                 {"{type: computed_torque, kp: 1000, reference: [2, 2], limit: 5}", 5, 5},
                 {"{type: operational_space, frame: tool, task: [x, y], kp: 10000, limit: model, " ROUTE "}", 7, 0},
                 {"{type: operational_space, frame: tool, task: [x, y], kp: 10000, limit: [2, 3], " ROUTE "}", 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%spassive: false\ndrives: [%s]\n", MODEL("fixed"), cases[i].drive);
        zvScenario *s = read_text(text);
        s->q[0] -= 0.5; /* away from where the route begins */
        zvEfforts *efforts = evaluate(s, 0);
        assert_int_equal(zv_drives_naccount(s->drives), 2);
        assert_true(fabs(efforts->force[0]) == cases[i].shoulder);
        if (cases[i].elbow > 0)
            assert_true(fabs(efforts->force[1]) <= cases[i].elbow);
        else
            assert_true(fabs(efforts->force[1]) > 7);
        zv_efforts_destroy(efforts);
        zv_scenario_destroy(s);
    }
}

/* On a free base a task uses the joints, all of them or those named, and does not push the base. */
static void joints_of_a_task(void **state) {
    (void)state;
    static const char *const joints[] = {"", "joints: [elbow, shoulder], ", "joint: elbow, "};
    static const char *const names[] = {"operational_space shoulder", "operational_space elbow",
                                        "operational_space elbow"};
    for (int i = 0; i < 3; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "%sdrives: [{type: operational_space, %sframe: tool, task: [x], kp: 100, " ROUTE "}]\n", MODEL("free"),
                 joints[i]);
        zvScenario *s = read_text(text);
        const int dampers = 3; /* of elbow and knuckle, and friction */
        assert_int_equal(zv_drives_naccount(s->drives), dampers + (i < 2 ? 2 : 1));
        assert_string_equal(zv_drives_account(s->drives, dampers).name, names[i]);
        s->q[7] -= 0.3;
        zvEfforts *efforts = evaluate(s, 0);
        for (int k = 0; k < 6; k++) assert_true(efforts->tau[k] == 0);
        assert_true(efforts->force[dampers] != 0);
        zv_efforts_destroy(efforts);
        zv_scenario_destroy(s);
    }
}

/* A key of the elbow replaces that of the elbow: its friction and what the knuckle carries stay. */
static void followers_keep_what_they_carry(void **state) {
    (void)state;
    zvScenario *s = read_text(MODEL("fixed") "joints: {elbow: {damping: 0.1}}\n");
    const double v = 0.02, friction = 3 * tanh(v / 0.01), knuckle = 2 * (0.5 * 2 * v + 4 * 2 * s->q[1]);
    zvEfforts *efforts = evaluate(s, v);
    assert_true(fabs(efforts->tau[1] + 0.1 * v + friction + knuckle) < 1e-13);
    assert_int_equal(zv_drives_naccount(s->drives), 3);
    assert_string_equal(zv_drives_account(s->drives, 0).name, "damper knuckle");
    zv_efforts_destroy(efforts);
    zv_scenario_destroy(s);
}

/* Gears of the model, replaced, and left out. */
static void gears_of_the_model(void **state) {
    (void)state;
    static const char *const model =
        "zveno_scenario: 1\nduration: 1\nmodel: {inline: {links: [{name: ground}, {name: upper, " LINK
        "}], joints: [{name: shoulder, type: revolute, parent: ground, child: upper, axis: [0, -1, 0], flexible: "
        "{stiffness: 100, inertia: 1e-3, ratio: 50, cubic: 4e4}}]}}\ninitial: {motors: equilibrium}\n";
    static const char *const changes[] = {"", "joints: {shoulder: {flexible: {stiffness: 7, inertia: 1}}}\n",
                                          "joints: {shoulder: {flexible: false}}\n"};
    char text[2048];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s%s", model, changes[i]);
        zvScenario *s = read_text(text);
        assert_int_equal(zv_drives_nstate(s->drives), i < 2 ? 2 : 0);
        if (i < 2) { /* it carries the weight 1.962 N m: 100 d + 4e4 d^3, or 7 d */
            const double d[2] = {0.017482627908238443, 1.962 / 7}, q = 0;
            double z[2], stored[2];
            zvWork *work = zv_work_create(s->model, NULL);
            zvEfforts *efforts = zv_efforts_create(s->drives, NULL);
            zv_drives_initial(s->drives, efforts, work, &q, &(double){0}, true, z);
            assert_true(fabs(z[0] - d[i]) < 1e-12);
            assert_true(fabs((i ? 7 : 100 + 4e4 * z[0] * z[0]) * z[0] - 1.962) < 1e-12);
            zv_drives_stored(s->drives, work, &q, &q, z, stored);
            assert_true(fabs(stored[0] - (i ? 3.5 : 50 + 1e4 * z[0] * z[0]) * z[0] * z[0]) < 1e-14);
            zv_efforts_destroy(efforts);
            zv_work_destroy(work);
        }
        zv_scenario_destroy(s);
    }
}

TESTS(gears_of_the_model, limits, joints_of_a_task, followers_keep_what_they_carry)
