/* The scenario of an MJCF file: actuators, keyframe and gravcomp, against an integration of the format's own formulas
 * for actuators, and texts that are lost or refused. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/dynamics.h"
#include "zveno/simulate.h"

typedef struct Written {
    char bytes[16384];
    size_t size;
    char lost[1024];
} Written;

static bool append(void *to, const char *text, size_t size) {
    Written *out = to;
    assert_true(out->size + size < sizeof out->bytes);
    memcpy(out->bytes + out->size, text, size);
    out->size += size;
    out->bytes[out->size] = '\0';
    return true;
}

static void note_loss(void *to, const zvRemark *loss) {
    Written *out = to;
    const size_t used = strlen(out->lost);
    snprintf(out->lost + used, sizeof out->lost - used, "%s;", loss->why);
}

static char path[] = "/tmp/zveno-mjcf-XXXXXX";

static void put_file(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_file(void **state) {
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return remove(path);
}

static zvScenario *scenario_with(const char *key, Written *out) {
    zvError error = {0};
    zvScenario *scenario;
    *out = (Written){0};
    if (zv_scenario_of_mjcf(path, path, key, append, out, note_loss, out, &error) < 0) fail_msg("%s", error.text);
    if (zv_scenario_read_memory("text", out->bytes, out->size, 0, NULL, &scenario, &error) < 0)
        fail_msg("%s\n%s", error.text, out->bytes);
    return scenario;
}

#define LINK(name, inside)                                                                                       \
    "<body name='" name "' pos='0 0 -0.4'><joint name='" name "_j' axis='0 1 0' damping='0.1' armature='0.05'/>" \
    "<inertial pos='0.02 0 -0.2' mass='1.5' diaginertia='0.03 0.02 0.01'/>" inside "</body>"

static const char arm[] =
    "<mujoco><compiler angle='radian'/><default><default class='servo'><position kp='40' kv='3' ctrlrange='-1 0.5'/>"
    "</default><default class='other'><general gainprm='7' biastype='affine' biasprm='0.5 -6 -0.4' forcerange='-2 "
    "2'/></default></default>"
    "<worldbody>" LINK(
        "a",
        LINK("b",
             LINK("c",
                  LINK("d", LINK("e", ""))))) "</worldbody>"
                                              "<tendon><fixed name='t'><joint joint='e_j' coef='0.5'/></fixed></tendon>"
                                              "<actuator><position name='p' class='servo' joint='a_j' "
                                              "gear='1.5'/><velocity name='v' joint='b_j' kv='2'/>"
                                              "<motor name='m' joint='c_j' gear='3' ctrlrange='-1 1'/><general "
                                              "name='g' class='other' joint='d_j' gear='2'/>"
                                              "<damper name='s' joint='c_j' kv='0.7' ctrlrange='0 2'/><position "
                                              "tendon='t' kp='30' kv='1'/></actuator>"
                                              "<keyframe><key name='one' qpos='0.1 0.2 0 -0.3 0.4' qvel='0.5 0 -0.2 0 "
                                              "0.3' ctrl='0.9 0.6 -0.8 0.25 1.5 0.2'/>"
                                              "<key name='two' qpos='0 0 0 0 1'/></keyframe></mujoco>";

static double within(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* [gain u + bias] of each actuator as the format's documentation has it. */
static void forces(const double *q, const double *v, double *tau) {
    double L = 1.5 * q[0], V = 1.5 * v[0], u = within(0.9, -1, 0.5);
    tau[0] = 1.5 * (40 * (u - L) - 3 * V);
    tau[1] = 2 * (0.6 - v[1]);
    tau[2] = 3 * within(-0.8, -1, 1) + -0.7 * v[2] * within(1.5, 0, 2);
    L = 2 * q[3], V = 2 * v[3];
    tau[3] = 2 * within(7 * 0.25 + 0.5 - 6 * L - 0.4 * V, -2, 2);
    L = 0.5 * q[4], V = 0.5 * v[4];
    tau[4] = 0.5 * (30 * (0.2 - L) - V);
    for (int i = 0; i < 5; i++) tau[i] -= 0.1 * v[i];
}

static void rates(const zvModel *model, zvWork *work, const double *y, double *dy) {
    double tau[5];
    forces(y, y + 5, tau);
    memcpy(dy, y + 5, 5 * sizeof *dy);
    assert_true(zv_forward_dynamics(model, work, y, y + 5, tau, NULL, dy + 5) >= 0);
}

/* Runge-Kutta of order 4. */
static void march(const zvModel *model, double *y, int steps, double h) {
    static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    zvWork *work = zv_work_create(model, NULL);
    for (int n = 0; n < steps; n++) {
        double k[4][10], at[10], sum[10] = {0};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 10; i++) at[i] = y[i] + (s ? h * share[s] * k[s - 1][i] : 0);
            rates(model, work, at, k[s]);
            for (int i = 0; i < 10; i++) sum[i] += weight[s] * k[s][i];
        }
        for (int i = 0; i < 10; i++) y[i] += h / 6 * sum[i];
    }
    zv_work_destroy(work);
}

static void actuators(void **state) {
    (void)state;
    Written out;
    zvError error = {0};
    zvRunSummary *summary = NULL;
    put_file(arm);
    zvScenario *scenario = scenario_with("one", &out);
    assert_string_equal(out.lost, "");
    if (zv_simulate(scenario, &(zvRunOptions){0}, &summary, &error) < 0) fail_msg("%s", error.text);
    double y[10] = {0.1, 0.2, 0, -0.3, 0.4, 0.5, 0, -0.2, 0, 0.3};
    march(zv_scenario_model(scenario), y, 4000, 1.0 / 4000);
    assert_all_near("q", 5, zv_run_position(summary), y, 1e-7);
    assert_all_near("v", 5, zv_run_velocity(summary), y + 5, 1e-6);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* The other keyframe, the first one without a name, and one that is not there. */
static void keyframes(void **state) {
    (void)state;
    Written out;
    zvError error = {0};
    put_file(arm);
    zvScenario *scenario = scenario_with("two", &out);
    assert_non_null(strstr(out.bytes, "q: {e_j: 1}"));
    zv_scenario_destroy(scenario);
    scenario = scenario_with(NULL, &out);
    assert_non_null(strstr(out.bytes, "a_j: 0.1"));
    zv_scenario_destroy(scenario);
    out = (Written){0};
    assert_int_equal(zv_scenario_of_mjcf(path, path, "three", append, &out, NULL, NULL, &error), ZV_NAME);
    assert_non_null(strstr(error.text, "\"three\""));
    put_file("<robot name='r'><link name='l'/></robot>");
    assert_int_equal(zv_scenario_of_mjcf(path, path, NULL, append, &out, NULL, NULL, &error), ZV_SCHEMA);
}

/* A free body that is held up by gravcomp and starts where the file puts it; quaternions change their order, and the
 * velocity its axes. */
static void weightless(void **state) {
    (void)state;
    Written out;
    zvError error = {0};
    zvRunSummary *summary = NULL;
    put_file("<mujoco><worldbody><body name='b' pos='1 2 3' quat='0.5 0.5 0.5 0.5' gravcomp='1'><freejoint name='f'/>"
             "<inertial pos='0.1 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody></mujoco>");
    zvScenario *scenario = scenario_with(NULL, &out);
    if (zv_simulate(scenario, &(zvRunOptions){0}, &summary, &error) < 0) fail_msg("%s", error.text);
    const double rest[7] = {1, 2, 3, 0.5, 0.5, 0.5, 0.5};
    assert_all_near("q", 7, zv_run_position(summary), rest, 1e-9);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    put_file("<mujoco><option gravity='0 0 0'/><worldbody><body name='b'><freejoint name='f'/>"
             "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"
             "<keyframe><key qpos='0 0 0 0.70710678118654757 0 0 0.70710678118654757' qvel='0.5 0 0 0 0 0'/></keyframe>"
             "</mujoco>");
    scenario = scenario_with(NULL, &out);
    if (zv_simulate(scenario, &(zvRunOptions){0}, &summary, &error) < 0) fail_msg("%s", error.text);
    const double moved[3] = {0.5, 0, 0}, turned[3] = {0, -0.5, 0}; /* a quarter about z */
    assert_all_near("p", 3, zv_run_position(summary), moved, 1e-9);
    assert_all_near("v", 3, zv_run_velocity(summary), turned, 1e-9);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Actuators of all kinds that are modelled, against MuJoCo: where they have brought the joints after one second
 * (tests/mjcf/golden.py --motion, whose extrapolation is good to some 1e-7). */
static void motion_of_another_program(void **state) {
    (void)state;
    const char *file = ZV_SOURCE_DIR "/tests/mjcf/actuators.xml";
    Written out = {0};
    zvError error = {0};
    zvScenario *scenario = NULL;
    zvRunSummary *summary = NULL;
    double q[32];
    int count = 0;
    FILE *golden = fopen(ZV_SOURCE_DIR "/tests/mjcf/motion.txt", "r");
    assert_non_null(golden);
    while (count < 32 && fscanf(golden, "%lf", &q[count]) == 1) count++;
    fclose(golden);
    assert_int_equal(zv_scenario_of_mjcf(file, file, NULL, append, &out, note_loss, &out, &error), ZV_OK);
    assert_string_equal(out.lost, "");
    if (zv_scenario_read_memory("text", out.bytes, out.size, 0, NULL, &scenario, &error) < 0)
        fail_msg("%s", error.text);
    if (zv_simulate(scenario, &(zvRunOptions){0}, &summary, &error) < 0) fail_msg("%s", error.text);
    assert_int_equal(zv_model_nq(zv_scenario_model(scenario)), count);
    assert_all_near("q", count, zv_run_position(summary), q, 2e-6);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* A damping ratio means the inertia along the length at the written positions: 2 ratio sqrt(kp/(J M^-1 J^T)). */
static void damping_ratio(void **state) {
    (void)state;
    Written out;
    put_file("<mujoco><worldbody><body name='b'><joint name='j' axis='0 0 1'/>"
             "<inertial pos='1 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"
             "<actuator><position joint='j' kp='12' dampratio='0.5'/></actuator></mujoco>");
    zv_scenario_destroy(scenario_with(NULL, &out));
    assert_non_null(strstr(out.bytes, "kd: 6,")); /* 2 0.5 sqrt(12 (1 + 2)) */
    /* two slides side by side: M^-1 = diag(1/2, 1/8); along 2 x - y it is 4/2 + 1/8 = 17/8, and kp 34 gives 2 sqrt(16)
     */
    put_file("<mujoco><worldbody><body name='b'><joint name='x' type='slide' axis='1 0 0'/>"
             "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body>"
             "<body name='c'><joint name='y' type='slide' axis='1 0 0'/>"
             "<inertial pos='0 0 0' mass='8' diaginertia='1 1 1'/></body></worldbody><tendon><fixed name='t'>"
             "<joint joint='x' coef='2'/><joint joint='y' coef='-1'/></fixed></tendon>"
             "<actuator><position tendon='t' kp='34' dampratio='1'/></actuator></mujoco>");
    zv_scenario_destroy(scenario_with(NULL, &out));
    assert_non_null(strstr(out.bytes, "ratios: [2, -1], kp: 34, kd: 8,"));
}

static void losses(void **state) {
    (void)state;
    static const struct {
        const char *actuator, *why;
    } cases[] = {
        {"<muscle joint='j'/>", "not modelled"},
        {"<position tendon='t' kp='2'/>", ""},
        {"<general joint='j' dyntype='integrator'/>", ""},
        {"<general joint='j' dyntype='user'/>", "neither a filter nor an integrator"},
        {"<general joint='j' dyntype='muscle'/>", "neither a filter nor an integrator"},
        {"<general joint='j' dyntype='filter' gaintype='affine' gainprm='0 -1'/><general joint='j'/>", ""},
        {"<position joint='j' delay='0.1' nsample='3'/>", "delay"},
        {"<motor joint='j' group='7'/>", "switches it off"},
        {"<pid joint='j'/>", "not modelled"},
        {"<motor site='s' refsite='s'/>", "neither on a joint"},
        {"<general joint='j' biastype='affine' biasprm='0 2'/>", "pushes away"},
        {"<general joint='j' gaintype='muscle'/>", "neither constant nor affine"},
        {"<motor body='b'/>", "neither on a joint"},
        {"<position joint='j' forcerange='-1 2'/>", ""},
        {"<motor tendon='t' gear='2'/>", ""},
        {"<motor site='s' gear='0 0 1 0 0 0.1'/>", ""},
        {"<position site='s'/>", "thruster"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        Written out;
        snprintf(
            text, sizeof text,
            "<mujoco><option actuatorgroupdisable='7'/><worldbody><body name='b'><joint name='j'/><site name='s'/>"
            "<inertial pos='1 0 0' mass='2' diaginertia='1 1 1'/>"
            "<body name='c' pos='1 0 0'><joint name='k'/><inertial pos='1 0 0' mass='2' diaginertia='1 1 1'/></body>"
            "</body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/><joint joint='k' coef='2'/>"
            "</fixed></tendon><actuator>%s</actuator></mujoco>",
            cases[i].actuator);
        put_file(text);
        zv_scenario_destroy(scenario_with(NULL, &out));
        if (*cases[i].why ? !strstr(out.lost, cases[i].why) : *out.lost)
            fail_msg("%s: lost \"%s\", expected \"%s\"", cases[i].actuator, out.lost, cases[i].why);
    }
}

TESTS_BETWEEN(make_file, remove_file, actuators, keyframes, weightless, damping_ratio, motion_of_another_program,
              losses)
