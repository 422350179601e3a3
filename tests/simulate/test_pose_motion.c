/* Prescribed motions of free and ball joints: against a chain of sliding and turning joints that follow the same laws,
 * against closed forms, and what the reader refuses. */
#include "simulate/runs.h"
#include "simulate/scenario_refused.h"
#include "support/run_tests.h"

#define PI 3.14159265358979323846

/* A platform with a pendulum and a sprung slide on it. */
#define ON_BOARD                                                                                                    \
    "{name: deck, mass: 3, com: [0.1, -0.2, 0.3], inertia: [0.4, 0.5, 0.6, 0.02, 0.03, -0.04]}, {name: bob, mass: " \
    "0.8, com: [0, 0.1, -0.6], inertia: [0.05, 0.06, 0.02]}, {name: block, mass: 0.5, inertia: [0.01, 0.01, 0.01]}"
#define BOARD_JOINTS                                                                                                 \
    "{name: hinge, type: continuous, parent: deck, child: bob, axis: [0, 1, 0], origin: {xyz: [0.4, 0.1, 0.2]}, "    \
    "damping: 0.05}, {name: slide, type: prismatic, parent: deck, child: block, axis: [1, 1, 0], origin: {xyz: [0, " \
    "0, 0.5]}, spring: {stiffness: 40}}"
#define X "{type: harmonic, amplitude: 0.3, hertz: 0.7}"
#define Y "{type: polynomial, coefficients: [0.1, 0.2, -0.3]}"
#define Z "{type: quintic, from: 0, to: 0.5, duration: 1}"
#define YAW "{type: polynomial, coefficients: [0.2, 1.5, 0.4]}"
#define PITCH "{type: harmonic, amplitude: 0.6, hertz: 0.5, phase: 0.3}"
#define ROLL "{type: quintic, from: -0.3, to: 0.9, duration: 1}"
#define FLOATING                                                                                                      \
    "{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: ground}, " ON_BOARD "], joints: [{name: base, " \
    "type: free, parent: ground, child: deck, origin: {xyz: [0.2, 0.1, 0], rpy: [0.3, 0, 0.5]}}, " BOARD_JOINTS       \
    "]}}, %s drives: [{type: motion, name: lead, joint: base, %s}], integrator: {%s}, output: {rate: 10, channels: "  \
    "[q, v, tau, energy, forces, power, reactions base, pose deck]}}"
/* The same freedoms one by one; links between are massless. */
#define STAGES "{name: s1}, {name: s2}, {name: s3}, {name: s4}, {name: s5}, "
#define STAGE(name, type, parent, child, axis) \
    "{name: " name ", type: " type ", parent: " parent ", child: " child ", axis: [" axis "]"
#define CHAIN                                                                                                                                                                                                                     \
    "{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: ground}, " STAGES ON_BOARD "], joints: [" STAGE("x", "prismatic", "ground", "s1", "1, 0, 0") ", origin: {xyz: [0.2, 0.1, 0], rpy: [0.3, 0, 0.5]}}, " STAGE( \
        "y", "prismatic", "s1", "s2",                                                                                                                                                                                             \
        "0, 1, 0") "}, " STAGE("z", "prismatic", "s2", "s3",                                                                                                                                                                      \
                               "0, 0, 1") "}, " STAGE("yaw", "continuous", "s3", "s4",                                                                                                                                            \
                                                      "0, 0, 1") "}, " STAGE("pitch", "continuous", "s4", "s5",                                                                                                                   \
                                                                             "0, 1, 0") "}, " STAGE("roll",                                                                                                                       \
                                                                                                    "continuous",                                                                                                                 \
                                                                                                    "s5", "deck",                                                                                                                 \
                                                                                                    "1, 0, 0") "},"                                                                                                               \
                                                                                                               " " BOARD_JOINTS                                                                                                   \
                                                                                                               "]}}, "                                                                                                            \
                                                                                                               "drive"                                                                                                            \
                                                                                                               "s: "                                                                                                              \
                                                                                                               "[{"                                                                                                               \
                                                                                                               "type:"                                                                                                            \
                                                                                                               " moti"                                                                                                            \
                                                                                                               "on, "                                                                                                             \
                                                                                                               "name:"                                                                                                            \
                                                                                                               " lead"                                                                                                            \
                                                                                                               ", "                                                                                                               \
                                                                                                               "joint"                                                                                                            \
                                                                                                               "s: "                                                                                                              \
                                                                                                               "[x, "                                                                                                             \
                                                                                                               "y, "                                                                                                              \
                                                                                                               "z, "                                                                                                              \
                                                                                                               "yaw, "                                                                                                            \
                                                                                                               "pitch"                                                                                                            \
                                                                                                               ", "                                                                                                               \
                                                                                                               "roll]"                                                                                                            \
                                                                                                               ", "                                                                                                               \
                                                                                                               "law: "                                                                                                            \
                                                                                                               "[" X                                                                                                              \
                                                                                                               ", " Y                                                                                                             \
                                                                                                               ", " Z                                                                                                             \
                                                                                                               ","                                                                                                                \
                                                                                                               " " YAW                                                                                                            \
                                                                                                               ","                                                                                                                \
                                                                                                               " " PITCH                                                                                                          \
                                                                                                               ","                                                                                                                \
                                                                                                               " " ROLL                                                                                                           \
                                                                                                               "]}], "                                                                                                            \
                                                                                                               "integ"                                                                                                            \
                                                                                                               "rator"                                                                                                            \
                                                                                                               ": "                                                                                                               \
                                                                                                               "{%s},"                                                                                                            \
                                                                                                               " outp"                                                                                                            \
                                                                                                               "ut: "                                                                                                             \
                                                                                                               "{rate"                                                                                                            \
                                                                                                               ": "                                                                                                               \
                                                                                                               "10, "                                                                                                             \
                                                                                                               "chann"                                                                                                            \
                                                                                                               "els: "                                                                                                            \
                                                                                                               "[q, "                                                                                                             \
                                                                                                               "v, "                                                                                                              \
                                                                                                               "tau, "                                                                                                            \
                                                                                                               "energ"                                                                                                            \
                                                                                                               "y, "                                                                                                              \
                                                                                                               "force"                                                                                                            \
                                                                                                               "s, "                                                                                                              \
                                                                                                               "power"                                                                                                            \
                                                                                                               ", "                                                                                                               \
                                                                                                               "react"                                                                                                            \
                                                                                                               "ions "                                                                                                            \
                                                                                                               "roll,"                                                                                                            \
                                                                                                               " pose"                                                                                                            \
                                                                                                               " deck"                                                                                                            \
                                                                                                               "]}}"
#define POSE_LAWS \
    "position: [" X ", " Y ", " Z "], orientation: {type: angles, axes: zyx, law: [" YAW ", " PITCH ", " ROLL "]}"
#define TIGHT "method: erk, order: 8, rtol: 1e-12, atol: 1e-13"

/* Rows of a channel after a run, to be freed; the ledger of the run must close. */
static double *record(const zvScenario *scenario, const char *path, const char *channel, uint64_t *rows, int *width) {
    zvRunSummary *summary = run_of(scenario, path);
    assert_true(zv_run_largest_gap(summary) < 1e-9);
    zv_run_summary_destroy(summary);
    return rows_of(path, channel, rows, width);
}

static void expect_near(const double *a, const double *b, int count, double tolerance, const char *what) {
    for (int i = 0; i < count; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance)) fail_msg("%s %d: %.17g and %.17g", what, i, a[i], b[i]);
}

/* Reactions, the pose, what moves freely on board, and the power of the drives together. */
static void like_a_chain(void **state) {
    (void)state;
    char name[2][512];
    zvScenario *floating = scenario_of(FLOATING, "", POSE_LAWS, TIGHT), *chain = scenario_of(CHAIN, TIGHT);
    const char *one = file_of("pose_one" ZV_RECORDING, name[0]), *two = file_of("pose_two" ZV_RECORDING, name[1]);
    uint64_t rows, others;
    int width, other;
    double *a = record(floating, one, "reactions base", &rows, &width);
    double *b = record(chain, two, "reactions roll", &others, &other);
    assert_true(rows == others && rows == 11 && width == other);
    expect_near(a, b, (int)rows * 6, 1e-8, "reactions");
    double *tau = rows_of(one, "tau", &rows, &width); /* a free joint carries its whole reaction by its drive */
    for (uint64_t r = 0; r < rows; r++) expect_near(tau + r * (size_t)width, a + 6 * r, 6, 1e-11, "tau");
    free(tau);
    double *p = rows_of(one, "power", &rows, &width), *s = rows_of(two, "power", &rows, &other);
    for (uint64_t r = 0; r < rows; r++) {
        double led = 0, stages = 0;
        for (int k = 0; k < 6; k++) {
            led += p[r * (size_t)width + (size_t)k + (size_t)width - 6];
            stages += s[r * (size_t)other + (size_t)k + (size_t)other - 6];
        }
        if (!(fabs(led - stages) < 1e-8)) fail_msg("power %.12g and %.12g", led, stages);
    }
    double *x = rows_of(one, "pose deck", &rows, NULL), *y = rows_of(two, "pose deck", &rows, NULL);
    expect_near(x, y, 7 * (int)rows, 1e-12, "pose");
    double *q = rows_of(one, "q", &rows, &width), *r = rows_of(two, "q", &rows, &other);
    expect_near(q + (rows - 1) * (size_t)width + 7, r + (rows - 1) * (size_t)other + 6, 2, 1e-9, "on board");
    double *const all[] = {a, b, p, s, x, y, q, r};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    zv_scenario_destroy(floating);
    zv_scenario_destroy(chain);
}

/* Where the hinge and the slide are at the end. */
static void end_on_board(const char *laws, const char *integrator, double end[2]) {
    zvScenario *scenario = scenario_of(FLOATING, "", laws, integrator);
    zvRunSummary *summary = run_of(scenario, NULL);
    memcpy(end, zv_run_position(summary) + 7, 2 * sizeof *end);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

static void every_integrator(void **state) {
    (void)state;
    static const struct {
        const char *integrator;
        double tolerance;
    } list[] = {{"method: adams, rtol: 1e-10, atol: 1e-10", 1e-7},
                {"method: bdf, rtol: 1e-9, atol: 1e-9", 1e-4},
                {"method: dirk, rtol: 1e-9, atol: 1e-9", 1e-5},
                {"method: auto", 1e-5},
                {"method: rk4, step: 1e-3", 1e-8},
                {"method: euler, step: 1e-4", 2e-3},
                {"method: newmark, step: 1e-3", 1e-4},
                {"method: newmark, step: 1e-3, iteration: mass", 1e-4},
                {"method: newmark, step: 1e-3, iteration: full", 1e-4},
                {"method: newmark, step: 1e-3, beta: 0, forward: mass", 1e-4},
                {"method: generalized-alpha, step: 1e-3, rho: 1", 1e-4},
                {"method: energy-momentum, step: 1e-3", 1e-4}};
    double want[2], end[2];
    end_on_board(POSE_LAWS, TIGHT, want);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        end_on_board(POSE_LAWS, list[i].integrator, end);
        expect_near(end, want, 2, list[i].tolerance, list[i].integrator);
    }
}

/* The chain with other laws, all else as it is. */
static zvScenario *chain_led(const char *laws) {
    char text[sizeof CHAIN + 512];
    snprintf(text, sizeof text, "%s", CHAIN);
    char *place = strstr(text, "joints: [x, y, z, yaw");
    assert_non_null(place);
    snprintf(place, sizeof text - (size_t)(place - text), "%s}], integrator: {" TIGHT "}}", laws);
    return scenario_of("%s", text);
}

/* Only the place is led, or only the turn: what the other does is that of the chain whose other joints are free. */
static void one_half(void **state) {
    (void)state;
    zvScenario *floating =
        scenario_of(FLOATING, "", "orientation: {type: angles, axes: zyx, law: [" YAW ", " PITCH ", " ROLL "]}", TIGHT);
    const double start[3] = {0};
    zvRunSummary *summary = run_of(floating, NULL);
    assert_true(zv_run_largest_gap(summary) < 1e-9);
    const double *q = zv_run_position(summary);
    assert_true(fabs(q[0] - start[0]) + fabs(q[1]) + fabs(q[2]) > 0.1); /* it falls */
    zvScenario *chain = chain_led("joints: [yaw, pitch, roll], law: [" YAW ", " PITCH ", " ROLL "]");
    zvRunSummary *other = run_of(chain, NULL);
    expect_near(q, zv_run_position(other), 3, 1e-9, "place");
    expect_near(q + 7, zv_run_position(other) + 6, 2, 1e-9, "on board");
    zv_run_summary_destroy(other);
    zv_scenario_destroy(chain);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(floating);
}

/* A body on a circle that turns at a constant rate about an axis askew: f = -m w^2 r, moment = w x J w, constant in
 * its axes but for the force. */
static void orbit(void **state) {
    (void)state;
    char name[512];
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, duration: 4, gravity: [0, 0, 0], model: {inline: {base: free, links: [{name: body, mass: "
        "5, "
        "inertia: [1, 2, 4]}]}}, drives: [{type: motion, joint: root_joint, position: [{type: harmonic, amplitude: 10, "
        "frequency: 0.5, phase: 90 deg}, {type: harmonic, amplitude: 10, frequency: 0.5}, 3], orientation: {type: "
        "vector, "
        "law: {type: polynomial, coefficients: [[0, 0, 0], [0.3, -0.4, 1.2]]}}}], output: {rate: 20, channels: [tau, "
        "pose "
        "body, energy]}}");
    const char *path = file_of("orbit" ZV_RECORDING, name);
    uint64_t rows;
    int width;
    double *tau = record(scenario, path, "tau", &rows, &width), *pose = rows_of(path, "pose body", &rows, NULL);
    static const double w[3] = {0.3, -0.4, 1.2}, J[3] = {1, 2, 4};
    for (uint64_t r = 0; r < rows; r++) {
        const double *p = pose + 7 * r, *e = p + 3, *f = tau + 6 * r;
        const double out[3] = {-5 * 0.25 * p[0], -5 * 0.25 * p[1], 0};
        double world[3], cross[3]; /* R f = f + 2 u x (u x f + w f), u and w of the quaternion */
        for (int i = 0; i < 3; i++)
            cross[i] = e[(i + 1) % 3] * f[(i + 2) % 3] - e[(i + 2) % 3] * f[(i + 1) % 3] + e[3] * f[i];
        for (int i = 0; i < 3; i++)
            world[i] = f[i] + 2 * (e[(i + 1) % 3] * cross[(i + 2) % 3] - e[(i + 2) % 3] * cross[(i + 1) % 3]);
        expect_near(world, out, 3, 1e-12, "force");
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            const double moment = w[j] * J[k] * w[k] - w[k] * J[j] * w[j];
            expect_near(f + 3 + i, &moment, 1, 1e-13, "moment");
        }
        assert_true(fabs(hypot(p[0], p[1]) - 10) < 1e-13 && p[2] == 3);
    }
    free(tau);
    free(pose);
    zv_scenario_destroy(scenario);
}

/* A pendulum (1 kg, 0.5 m) in a radial plane of a platform that turns at a constant rate W, hinged 2 m off the axis:
 * the energy in the turning axes, l^2 a'^2 / 2 - g l cos a - W^2 (2 + l sin a)^2 / 2, stays. */
static void pendulum_on_a_platform(void **state) {
    (void)state;
    char name[512];
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, duration: 5, model: {inline: {base: free, links: [{name: deck, mass: 9, inertia: [1, 1, "
        "2]}, "
        "{name: bob, mass: 1, com: [0, 0, -0.5], inertia: [0, 0, 0]}], joints: [{name: hinge, type: continuous, "
        "parent: "
        "deck, child: bob, axis: [0, -1, 0], origin: {xyz: [2, 0, 0]}}]}}, initial: {q: {hinge: 0.3}}, drives: [{type: "
        "motion, joint: root_joint, position: [0, 0, 1], orientation: {type: vector, law: [0, 0, {type: polynomial, "
        "coefficients: [0, 1.5]}]}}], integrator: {" TIGHT "}, output: {rate: 20, channels: [q, v, energy]}}");
    const char *path = file_of("deck" ZV_RECORDING, name);
    uint64_t rows;
    int nq, nv;
    double *q = record(scenario, path, "q", &rows, &nq), *v = rows_of(path, "v", &rows, &nv), first = 0, spread = 0;
    for (uint64_t r = 0; r < rows; r++) {
        const double a = q[r * (size_t)nq + 7], rate = v[r * (size_t)nv + 6], l = 0.5, out = 2 + l * sin(a);
        const double energy = l * l * rate * rate / 2 - 9.81 * l * cos(a) - 1.5 * 1.5 * out * out / 2;
        if (r == 0) first = energy;
        if (!(fabs(energy - first) < 1e-9)) fail_msg("row %d: %.12g, at first %.12g", (int)r, energy, first);
        spread = fmax(spread, fabs(a - 0.3));
    }
    assert_true(spread > 0.1);
    free(q);
    free(v);
    zv_scenario_destroy(scenario);
}

/* A ball joint that turns from one quaternion to others in stages; rest between them. */
static void stages(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, duration: 3, model: {inline: {links: [{name: a}, {name: b, "
                                       "mass: 2, com: [0.3, 0, 0], inertia: "
                                       "[0.1, 0.2, 0.3]}], joints: [{name: ball, type: spherical, parent: a, child: "
                                       "b}]}}, drives: [{type: motion, joint: "
                                       "ball, orientation: {type: slerp, quaternions: [[0, 0, 0, 1], [0, 0, 0.6, 0.8], "
                                       "[0.6, 0, 0, 0.8]], times: [0, 1, "
                                       "2.5], profile: septic}}], integrator: {" TIGHT "}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    const double *q = zv_run_position(summary), *v = zv_run_velocity(summary);
    expect_near(q, (double[4]){0.6, 0, 0, 0.8}, 4, 1e-12, "end");
    for (int i = 0; i < 3; i++) assert_true(fabs(v[i]) < 1e-12);
    assert_true(zv_run_largest_gap(summary) < 1e-9);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

/* Laws whose velocity jumps at 0.4 s: what moves on board gets the impulse that the chain gets. */
static void impulses(void **state) {
    (void)state;
#define KINK "{type: table, times: [0, 0.4, 1], points: [0, 0.3, -0.1]}"
    zvScenario *chain =
        chain_led("joints: [x, y, z, yaw, pitch, roll], law: [" KINK ", " Y ", " Z ", " KINK ", " PITCH ", " KINK "]");
    zvRunSummary *summary = run_of(chain, NULL);
    double end[2];
    end_on_board("position: [" KINK ", " Y ", " Z "], orientation: {type: angles, axes: zyx, law: [" KINK ", " PITCH
                 ", " KINK "]}",
                 TIGHT, end);
    expect_near(end, zv_run_position(summary) + 6, 2, 1e-9, "after the jump");
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(chain);
}

static bool before_half(void *context, const zvProgress *progress) {
    (void)context;
    return progress->t < 0.5;
}

/* Fixed steps go on from a checkpoint to the last bit. */
static void resumed(void **state) {
    (void)state;
    char name[512];
    zvScenario *scenario = scenario_of(FLOATING, "", POSE_LAWS, "method: rk4, step: 1e-3");
    const char *path = file_of("pose_resumed" ZV_RECORDING, name);
    zvRunSummary *whole = run_of(scenario, NULL), *part = NULL;
    zvError error = {0};
    zvRunOptions options = {.output = path, .progress = before_half, .progress_interval = 1e-9};
    remove(path);
    zv_simulate(scenario, &options, &part, &error);
    if (part) {
        assert_true(zv_run_time(part) < 0.9);
        zv_run_summary_destroy(part);
    }
    options = (zvRunOptions){.output = path, .resume = true};
    if (zv_simulate(scenario, &options, &part, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_memory_equal(zv_run_position(part), zv_run_position(whole), 9 * sizeof(double));
    assert_memory_equal(zv_run_velocity(part), zv_run_velocity(whole), 8 * sizeof(double));
    zv_run_summary_destroy(part);
    zv_run_summary_destroy(whole);
    zv_scenario_destroy(scenario);
}

/* From C: the joint and the route must fit, and the set takes the route over also when it refuses. */
static void refused_from_c(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(FLOATING, "", POSE_LAWS, TIGHT);
    const zvModel *model = zv_scenario_model(scenario);
    const double zero[4] = {0, 0, 0, 1};
    zvError error = {0};
    zvDrives *drives = zv_drives_create(model, &error);
    assert_non_null(drives);
    static const struct {
        int joint;
        zvStatus status;
        const char *words;
    } list[] = {{-1, ZV_NAME, "counted from 0"}, {1, ZV_NOT_SUPPORTED, "expected a free or ball joint"}};
    assert_int_equal(zv_drives_add_pose_motion(drives, "lead", 0, NULL, &error), ZV_SCHEMA);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        zvRoute *route = zv_route_slerp(NULL, 1, zero, zv_law_constant(1, zero, &error), &error);
        assert_int_equal(zv_drives_add_pose_motion(drives, "lead", list[i].joint, route, &error), list[i].status);
        assert_non_null(strstr(error.text, list[i].words));
    }
    for (int twice = 0; twice < 2; twice++) {
        zvRoute *route = zv_route_slerp(NULL, 1, zero, zv_law_constant(1, zero, &error), &error);
        assert_int_equal(zv_drives_add_pose_motion(drives, "lead", 0, route, &error), twice ? ZV_SCHEMA : ZV_OK);
    }
    assert_true(!zv_drives_prescribes(drives, 0) && zv_drives_prescribes(drives, 5));
    zv_drives_destroy(drives);
    zv_scenario_destroy(scenario);
}

/* Joints with coordinates need no pose: a law with an entry for each. */
static void laws_of_coordinates(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: g}, {name: a, mass: 1, com: [0.1, 0, 0], "
        "inertia: [0.1, 0.2, 0.2]}, {name: b, mass: 1, com: [0, 0.2, 0], inertia: [0.1, 0.1, 0.2]}, {name: c, mass: 1, "
        "inertia: [0.1, 0.1, 0.1]}], joints: [{name: flat, type: planar, parent: g, child: a, axis: [0, 0, 1]}, {name: "
        "cross, type: universal, parent: a, child: b, axis: [1, 0, 0], axis2: [0, 1, 0]}, {name: screw, type: "
        "cylindrical, "
        "parent: b, child: c, axis: [0, 0, 1]}]}}, drives: [{type: motion, joints: [flat, cross, screw], law: [" X
        ", " Y ", " YAW ", " PITCH ", " ROLL ", " Z ", " YAW "]}], integrator: {" TIGHT "}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_true(zv_run_largest_gap(summary) < 1e-9);
    const double *q = zv_run_position(summary);
    expect_near(q, (double[3]){0.3 * sin(1.4 * PI), 0, 2.1}, 3, 1e-13, "planar");
    expect_near(q + 3, (double[4]){0.6 * sin(PI + 0.3), 0.9, 0.5, 2.1}, 4, 1e-13, "the others");
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

static void refused_poses(void **state) {
    (void)state;
#define BALL "drives:\n  - {type: motion, joint: ball, "
#define ROOT                                                                                                         \
    "!zveno_scenario: 1\nmodel: {inline: {base: free, links: [{name: b, mass: 1, inertia: [1, 1, 1]}]}}\nduration: " \
    "2\ndrives:\n  - {type: motion, joint: root_joint, "
    static const Refusal list[] = {
        {BALL "position: [0, 0, 0]}\n", ZV_SCHEMA, 5, 43, "[...]", "an orientation alone for a ball joint"},
        {BALL "orientation: [0, 0, 1]}\n", ZV_SIZE, 5, 46, "[", "expected 4 numbers, found 3"},
        {BALL "orientation: [0, 0, 0.6, 0.7]}\n", ZV_NUMBER, 5, 46, "", "quaternion 1: expected unit length"},
        {BALL "orientation: {type: spin, law: 1}}\n", ZV_SCHEMA, 5, 53, "spin", "expected vector, angles or slerp"},
        {BALL "orientation: {type: angles, axes: zw, law: [1, 2]}}\n", ZV_SCHEMA, 5, 67, "zw", "letters x, y, z"},
        {BALL "orientation: {type: angles, axes: zyx, law: [1, 2]}}\n", ZV_SIZE, 5, 77, "[",
         "expected 3 numbers, found 2"},
        {BALL "orientation: {type: slerp, from: [0, 0, 0, 1]}}\n", ZV_SCHEMA, 5, 46, "to", "to: [x, y, z, w]"},
        {BALL "law: 1, orientation: [0, 0, 0, 1]}\n", ZV_SCHEMA, 5, 38, "1", "found both"},
        {"drives:\n  - {type: motion, joint: slide, orientation: [0, 0, 0, 1]}\n", ZV_SCHEMA, 5, 27, "slide",
         "one free or ball joint"},
        {BALL "orientation: {type: vector, law: [0, 0, {type: table, times: [0, 1, 1.5], points: [0, 1, 0.5], mode: "
              "hold}]}}\n",
         ZV_PHYSICS, 5, 46, "ball.wz", "without jumps, found one at t = 1 s"},
        {ROOT "position: [0, {type: table, times: [0, 1], points: [0, 1], mode: hold}, 0]}\n", ZV_PHYSICS, 5, 49,
         "root_joint.vy", "found one at t = 1 s from 0 to 1"},
        {ROOT "position: [1, 0]}\n", ZV_SIZE, 5, 49, "[", "expected 3 numbers, found 2"},
        {ROOT "position: [1, 0, 0]}\ninitial: {q: {root_joint: [0, 0, 0, 0, 0, 0, 1]}}\n", ZV_NUMBER, 5, 49,
         "root_joint", "to begin at its initial position, found it 1 m away"},
        {ROOT "orientation: [0, 0, 0.6, 0.8]}\ninitial: {q: {root_joint: [0, 0, 0, 0, 0, 0, 1]}}\n", ZV_NUMBER, 5, 52,
         "root_joint", "to begin at its initial orientation"},
        {ROOT "position: [0, {type: harmonic, amplitude: 1, frequency: 3}, 0]}\ninitial: {v: {root_joint: [0, 1, 0, 0, "
              "0, 0]}}\n",
         ZV_NUMBER, 5, 49, "root_joint.vy", "to begin with its initial velocity 1, found it with 3"},
        {ROOT "orientation: {type: vector, law: [0, 0, {type: harmonic, amplitude: 1, frequency: 3}]}}\ninitial: {v: "
              "{root_joint.wz: 1}}\n",
         ZV_NUMBER, 5, 52, "root_joint.wz", "to begin with its initial velocity 1, found it with 3"},
        {ROOT "position: [1, 0, 0]}\n  - {type: motion, name: again, joint: root_joint, position: [1, 0, 0]}\n",
         ZV_SCHEMA, 6, 5, "root_joint.vx", "prescribed already"},
    };
    expect_refusals(list, sizeof list / sizeof *list);
}

TESTS(like_a_chain, every_integrator, one_half, orbit, pendulum_on_a_platform, stages, impulses, resumed,
      refused_from_c, laws_of_coordinates, refused_poses)
