/* Flexible arms: poles and zeros of a beam on a hub against its equation, and the step of a flexible arm of seven
 * joints against its simulation. */
#include <math.h>
#include <stdlib.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/linear.h"
#include "zveno/response.h"

static zvScenario *scenario_of(const char *text) {
    zvScenario *scenario = NULL;
    zvError error = {0};
    if (zv_scenario_read_memory(ZV_SOURCE_DIR "/scenarios/here.yaml", text, strlen(text), 0, NULL, &scenario, &error) <
        0)
        fail_msg("%s", error.text);
    return scenario;
}

static zvLinear *linear_of(const zvScenario *scenario, const char *input, const char *output) {
    zvLinear *l = NULL;
    zvError error = {0};
    if (zv_linear_create(scenario, 1, &input, 1, &output, &l, &error) < 0) fail_msg("%s", error.text);
    if (zv_linear_at(l, zv_scenario_start(scenario), NULL, NULL, NULL, &error) < 0) fail_msg("%s", error.text);
    return l;
}

static zvStateSpace system_of(const zvLinear *l) {
    zvStateSpace s = {zv_linear_states(l), zv_linear_inputs(l), zv_linear_outputs(l), NULL, NULL, NULL, NULL};
    s.A = zv_linear_matrix(l, ZV_LINEAR_A, NULL, NULL);
    s.B = zv_linear_matrix(l, ZV_LINEAR_B, NULL, NULL);
    s.C = zv_linear_matrix(l, ZV_LINEAR_C, NULL, NULL);
    s.D = zv_linear_matrix(l, ZV_LINEAR_D, NULL, NULL);
    return s;
}

/* A beam of L = 1.2 m, EI = 90 N m^2, rho A = 0.8 kg/m, clamped to a hub of 0.1 rho A L^3 that a torque turns. */
#define LENGTH 1.2
#define STIFFNESS 90.0
#define LINE_MASS 0.8

static zvScenario *beam_on_hub(int modes) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{zveno_scenario: 1, duration: 1, gravity: [0, 0, 0], model: {inline: {links: [{name: ground}, {name: arm, "
        "beam: {length: %.17g, EI: %.17g, GJ: 70, EA: 3e6, rhoA: %.17g, shapes: clamped-free, modes: {y: %d}}}], "
        "joints: [{name: hub, type: continuous, parent: ground, child: arm, axis: [0, 0, 1], armature: %.17g}], "
        "frames: [{name: tip, link: arm, pose: {xyz: [%.17g, 0, 0]}}]}}}",
        LENGTH, STIFFNESS, LINE_MASS, modes, 0.1 * LINE_MASS * LENGTH * LENGTH * LENGTH, LENGTH);
    return scenario_of(text);
}

static double rate_of(double beta) { return beta * beta * sqrt(STIFFNESS / LINE_MASS) / (LENGTH * LENGTH); }

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The k-th by size of numbers that come in pairs, with a part that is zero. */
static double kth_of(int count, const double *numbers, const double *none, int k) {
    double sizes[64];
    assert_true(count <= 64);
    for (int i = 0; i < count; i++) {
        assert_true(fabs(none[i]) <= 1e-6 * (1 + fabs(numbers[i])));
        sizes[i] = fabs(numbers[i]);
    }
    qsort(sizes, (size_t)count, sizeof *sizes, by_size);
    return sizes[k];
}

/* Poles: 0, 0 and those of the equation of a pinned beam with a rotor (tests/modes/test_beams.c has its roots). Zeros
 * of the hub's angle: the clamped beam, 1 + cos b cosh b = 0. Zeros of the tip: sin b + sinh b = 0 with b = (1 + i) x,
 * tan x = - tanh x, real in pairs s = +- 2 x^2 sqrt(EI / rho A) / L^2: half of them in the right half plane. */
static void beam_on_a_hub(void **state) {
    (void)state;
    static const double poles[2] = {2.63892469629659451, 4.79377085045777748},
                        clamped[2] = {1.87510406871196117, 4.69409113297417457},
                        tip[2] = {2.36502037243135202, 5.49780391900083734};
    double real[64], imag[64];
    int count;
    zvScenario *scenario = beam_on_hub(12);
    zvLinear *l = linear_of(scenario, "tau.hub", "q.hub");
    zvStateSpace s = system_of(l);
    assert_int_equal(zv_poles(&s, real, imag, NULL), ZV_OK);
    for (int k = 0; k < 2; k++) assert_near_relative(kth_of(s.nx, imag, real, 2 + 2 * k), rate_of(poles[k]), 2e-9);
    assert_int_equal(zv_zeros(&s, &count, real, imag, NULL), ZV_OK);
    assert_int_equal(count, s.nx - 2);
    for (int k = 0; k < 2; k++) assert_near_relative(kth_of(count, imag, real, 2 * k), rate_of(clamped[k]), 1e-9);
    zv_linear_destroy(l);
    l = linear_of(scenario, "tau.hub", "pose tip.y");
    s = system_of(l);
    assert_int_equal(zv_zeros(&s, &count, real, imag, NULL), ZV_OK);
    int right = 0;
    double smallest = INFINITY;
    for (int k = 0; k < count; k++) {
        right += real[k] > 1e-3;
        if (real[k] > 1e-3) smallest = fmin(smallest, hypot(real[k], imag[k]));
    }
    assert_true(right > 0);
    assert_near_relative(smallest, 2 * rate_of(tip[0]), 1e-4);
    zv_linear_destroy(l);
    zv_scenario_destroy(scenario);
}

/* Steps --------------------------------------------------------------------------------------------------------- */

enum { ROWS = 9 };

/* The arm with elastic booms on a base that is held, all joints under PD control, the third one asked to be `step`
 * further. */
static zvScenario *held_arm(double step) {
    static const double q[7] = {0.2, -0.4, 0.6, -1.0, 0.5, 0.3, -0.2};
    static const char *const joints[7] = {"shoulder_roll_joint", "shoulder_yaw_joint", "shoulder_pitch_joint",
                                          "elbow_pitch_joint",   "wrist_pitch_joint",  "wrist_yaw_joint",
                                          "wrist_roll_joint"};
    char text[4096];
    int used = snprintf(
        text, sizeof text,
        "{zveno_scenario: 1, duration: 2, model: ../models/ssrms_flexible.yaml, gravity: [0, 0, 0], initial: {q: {");
    for (int i = 0; i < 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s: %.17g", i ? ", " : "", joints[i], q[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, "}}, drives: [{name: hold, type: pd, joints: [");
    for (int i = 0; i < 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", i ? ", " : "", joints[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, "], kp: 2000, kd: 900, reference: [");
    for (int i = 0; i < 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.17g", i ? ", " : "", q[i] + (i == 2 ? step : 0));
    snprintf(
        text + used, sizeof text - (size_t)used,
        "]}], integrator: {method: erk, order: 8, rtol: 1e-13, atol: 1e-15}, output: {interval: 0.25, ledger: false, "
        "channels: [pose end_effector]}}");
    return scenario_of(text);
}

/* z of the end effector at all rows. */
static void simulate(double step, double *z) {
    zvScenario *scenario = held_arm(step);
    zvRunSummary *run = NULL;
    zvError error = {0};
    const zvRunOptions options = {.keep = true};
    uint64_t rows;
    if (zv_simulate(scenario, &options, &run, &error) < 0) fail_msg("%s", error.text);
    const double *numbers = zv_recorder_rows(zv_run_kept(run), &rows);
    assert_int_equal(rows, ROWS);
    for (int k = 0; k < ROWS; k++) z[k] = numbers[8 * k + 3];
    zv_run_summary_destroy(run);
    zv_scenario_destroy(scenario);
}

/* Odd parts of runs with steps of +-e and +-2e, extrapolated, are the linear answer but for e^4. */
static void step_of_an_arm(void **state) {
    (void)state;
    const double e = 2e-3;
    double runs[4][ROWS], y[ROWS], scale = 0;
    zvScenario *scenario = held_arm(0);
    zvLinear *l = linear_of(scenario, "reference hold.shoulder_pitch_joint", "pose end_effector.z");
    const zvStateSpace s = system_of(l);
    assert_int_equal(zv_time_response(&s, ZV_STIMULUS_STEP, 0.25, ROWS, y, NULL), ZV_OK);
    simulate(e, runs[0]);
    simulate(-e, runs[1]);
    simulate(2 * e, runs[2]);
    simulate(-2 * e, runs[3]);
    for (int k = 0; k < ROWS; k++) scale = fmax(scale, fabs(y[k]));
    for (int k = 0; k < ROWS; k++) {
        const double once = (runs[0][k] - runs[1][k]) / (2 * e), twice = (runs[2][k] - runs[3][k]) / (4 * e);
        assert_element_near("z", (size_t)k, y[k], (4 * once - twice) / 3, 1e-8 * scale);
    }
    zv_linear_destroy(l);
    zv_scenario_destroy(scenario);
}

TESTS(beam_on_a_hub, step_of_an_arm)
