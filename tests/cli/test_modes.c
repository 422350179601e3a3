/* "zveno modes" on robots whose frequencies and positions of rest can be written by hand. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

#include "support/near.h"

static const double g = 9.81;

/* One number of the answer; what gravity does to the stiffness is known to twelve digits. */
static void expect_near(const char *json, const char *path, double expected) {
    zvDocument *document = parse(json);
    double value = NAN;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), path), path, &value, NULL), ZV_OK);
    assert_named_near(path, value, expected, 1e-11 * fabs(expected));
    zv_document_destroy(document);
}

/* A point of 2 kg on a thread of 0.5 m that swings about y, with a spring, a damper, or neither. */
static void put_pendulum(const char *file, const char *dof) {
    char text[1024];
    snprintf(text, sizeof text,
             "zveno: 1\nname: pendulum\nlinks:\n  - {name: base}\n"
             "  - {name: bob, mass: 2, com: [0, 0, -0.5]}\n"
             "joints:\n  - {name: pivot, type: revolute, parent: base, child: bob, axis: [0, 1, 0]%s}\n"
             "frames:\n  - {name: tip, link: bob, pose: {xyz: [0, 0, -0.5]}}\n",
             dof);
    put_file(file, text);
}

static void pendulum(void **state) {
    (void)state;
    const double rate = sqrt(g / 0.5);
    put_pendulum("pendulum.yaml", "");
    Transcript t = zveno("modes pendulum.yaml --json");
    expect_silence(t);
    expect_text(t.out, "joints", "free");
    expect_near(t.out, "modes.0.frequency", rate);
    expect_near(t.out, "modes.0.hertz", rate / (2 * acos(-1)));
    expect_numbers(t.out, "modes.0.eigenvalue.0", 1, (double[]){0});
    expect_near(t.out, "modes.0.eigenvalue.1", rate);
    expect_near(t.out, "modes.0.shape.pivot", sqrt(2)); /* x M x = 1, M = 0.5 */
    assert_null(strstr(t.out, "equilibrium"));
    t = zveno("modes pendulum.yaml --shapes");
    expect_silence(t);
    expect_part(t.out, "joints free\n");
    expect_part(t.out, "pivot 100 %\n");
    expect_part(t.out, "\npivot  1.41421\n");
    t = zveno_with("{q: [3.141592653589793]}", "modes pendulum.yaml --state - ");
    expect_silence(t);
    expect_part(t.out, "unstable");
    assert_null(strstr(t.out, "no equilibrium"));
}

/* A thread held level falls; where it comes to rest may be beyond the limits of its joint. */
static void positions_are_judged(void **state) {
    (void)state;
    put_pendulum("limited.yaml", ", limits: {lower: 0.5, upper: 2}");
    Transcript t = zveno_with("{q: [pi/2]}", "modes limited.yaml --state -");
    expect_silence(t);
    expect_part(t.out, "this position is no equilibrium: the joints would start to move; --equilibrium finds one\n");
    t = zveno_with("{q: [0.6]}", "modes limited.yaml --state - --equilibrium");
    expect_code(t, 0);
    expect_part(t.err, "outside joint limits, first answer 1: q[0] of joint \"pivot\" is ");
    expect_part(t.err, "not in [0.5, 2]");
}

static void joints_are_chosen(void **state) {
    (void)state;
    const double stiffness = 40, damping = 0.3, J = 0.5, rate = sqrt((stiffness + g) / J);
    put_pendulum("sprung.yaml", ", spring: {stiffness: 40, rest: 0.2}, damping: 0.3");
    Transcript t = zveno("modes sprung.yaml --json");
    expect_silence(t);
    expect_text(t.out, "joints", "sprung");
    expect_near(t.out, "modes.0.frequency", rate);
    expect_near(t.out, "modes.0.damping", damping / (2 * J * rate));
    t = zveno("modes sprung.yaml --joints free --json");
    expect_near(t.out, "modes.0.frequency", sqrt(g / 0.5));
    t = zveno("modes sprung.yaml --joints locked");
    expect_silence(t);
    expect_part(t.out, "joints locked: nothing is left that could move\n");
    t = zveno("modes sprung.yaml --joints free --gravity 0,0,0");
    expect_silence(t);
    expect_part(t.out, "joints free: nothing vibrates; ");
    t = zveno("modes sprung.yaml --joints loose");
    expect_failure(t, 2, "expected --joints free|locked|sprung");
}

/* 60 N sideways against a weight of 19.62 N. */
static void loads_are_borne(void **state) {
    (void)state;
    const double F = 60, weight = 2 * g, pull = hypot(F, weight);
    put_pendulum("pendulum.yaml", "");
    Transcript t = zveno("modes pendulum.yaml --equilibrium --load tip=60,0,0 --json");
    expect_silence(t);
    expect_near(t.out, "equilibrium.0", -atan2(F, weight));
    expect_near(t.out, "modes.0.frequency", sqrt(pull * 0.5 / 0.5));
    t = zveno("modes pendulum.yaml --equilibrium --load tip=20,0,0 --load=tip=40,0,0,0,0,0 --json");
    expect_near(t.out, "equilibrium.0", -atan2(F, weight));
    t = zveno_with("{tau: [4.905]}", "modes pendulum.yaml --equilibrium --state -");
    expect_silence(t);
    expect_part(t.out, "pivot        0.523599  rad\n"); /* sin = 4.905 / 9.81 */
}

static void refusals(void **state) {
    (void)state;
    put_pendulum("pendulum.yaml", "");
    Transcript t = zveno_with("{tau: [40]}", "modes pendulum.yaml --equilibrium --state -");
    expect_failure(t, 3, "no equilibrium after");
    expect_part(t.err, "left in \"pivot\"");
    t = zveno("modes pendulum.yaml --load tipp=1,0,0");
    expect_failure(t, 1, "did you mean \"tip\"?");
    t = zveno("modes pendulum.yaml --load tip=1,0");
    expect_failure(t, 2, "expected --load FRAME=fx,fy,fz");
    t = zveno("modes pendulum.yaml --load tip=1e300,0,0");
    expect_failure(t, 1, "not finite");
    t = zveno("modes pendulum.yaml --count 0");
    expect_code(t, 2);
    t = zveno_with("{fext: {tip: [1, 0, 0, 0, 0, 0]}}", "modes pendulum.yaml --state -");
    expect_failure(t, 1, "write --load");
    t = zveno("modes pendulum.yaml --equilibrium --gravity 0,0,0 --load bob=0,0,0,0,1,0");
    expect_failure(t, 3, "nothing holds a part of the robot");
}

/* A cantilever of one metre: (beta L)^2 sqrt(EI / rho A), and F L^3 / 3 EI. */
static void cantilever(void **state) {
    (void)state;
    put_file("cantilever.yaml", "zveno: 1\nname: cantilever\ngravity: [0, 0, 0]\nlinks:\n  - {name: base}\n"
                                "  - name: boom\n    beam: {length: 1, EIy: 200, EIz: 100, EA: 1e6, rhoA: 1, "
                                "shapes: clamped-free, modes: {y: 3, z: 1}}\n"
                                "joints:\n  - {name: root, type: continuous, parent: base, child: boom}\n"
                                "frames:\n  - {name: tip, link: boom, pose: {xyz: [1, 0, 0]}}\n");
    const double betaL = 1.87510406871196117;
    Transcript t = zveno("modes cantilever.yaml --count 2 --json");
    expect_silence(t);
    expect_text(t.out, "joints", "locked");
    expect_near(t.out, "modes.0.frequency", 10 * betaL * betaL);
    expect_near(t.out, "modes.1.frequency", sqrt(200) * betaL * betaL);
    assert_null(strstr(strstr(t.out, "\"frequency\"") + 1, "\"frequency\": 220"));
    expect_part(zveno("modes cantilever.yaml").out, "boom.y1 100 %");
    t = zveno("modes cantilever.yaml --joints free --json");
    expect_near(t.out, "modes.0.frequency", 0);
    t = zveno("modes cantilever.yaml --equilibrium --load tip=0,300,0 --count 1");
    expect_code(t, 0);
    expect_part(t.err, "link \"boom\" of 1 m is displaced by");
}

/* Tables blank rounding beside the largest number of a column, never beside another column. */
static void small_numbers_are_told(void **state) {
    (void)state;
    put_file("far.yaml", "zveno: 1\nname: far\ngravity: [0, 0, 0]\nlinks:\n  - {name: base}\n"
                         "  - {name: disc, mass: 1, inertia: [1, 1, 1]}\n"
                         "joints:\n  - {name: axle, type: continuous, parent: base, child: disc, axis: [0, 0, 1], "
                         "spring: {stiffness: 1e18}}\n");
    Transcript t = zveno("modes far.yaml");
    expect_silence(t);
    expect_part(t.out, "1e+09");
    expect_part(t.out, "6.28319e-09");
    t = zveno("modes far.yaml --json");
    expect_near(t.out, "modes.0.frequency", 1e9);
}

/* Data are shown as they are, and what does not fit is named. */
static void recordings_are_shown(void **state) {
    (void)state;
    put_file("chain.yaml", "zveno_scenario: 1\nmodel: " ZV_SOURCE_DIR "/models/chain10.yaml\nduration: 0.01\n"
                           "initial: {q: {joint1: 1.25e-20, joint2: 0.3}}\n"
                           "output: {rate: 100, channels: [q, v, a, energy]}\n");
    Transcript t = zveno("simulate chain.yaml --quiet -o chain.csv");
    expect_code(t, 0);
    t = zveno("show chain.csv");
    expect_silence(t);
    expect_part(t.out, " 1.25e-20 ");
    expect_part(t.out, "\nnot shown: 4 more of v, 10 of a, ");
    expect_part(t.out, "; --channels chooses, zveno convert writes all of them as CSV\n");
    t = zveno("show chain.csv --json");
    expect_silence(t);
    t = zveno("show chain.csv --channels q,v");
    expect_failure(t, 2, "expected at most 16 columns, found more");
    t = zveno("show chain.csv --channels q");
    expect_silence(t);
    assert_null(strstr(t.out, "not shown"));
}

/* Where branches of closed positions meet there are none. */
static void singular_loops_are_refused(void **state) {
    (void)state;
    expect_failure(zveno("modes '" ZV_SOURCE_DIR "'/models/parallelogram.yaml --equilibrium"), 3,
                   "found a singular one of loop \"hinge\" (motor1 = -1.5708 rad, elbow4 = ");
}

/* Nothing bears a robot in the air: its base moves rigidly, and a note says what stands for the ground. */
static void floating_bases_are_told(void **state) {
    (void)state;
    Transcript t = zveno("modes '" ZV_SOURCE_DIR "'/models/quadruped.yaml --json");
    expect_code(t, 0);
    expect_part(t.err, "note: nothing bears the weight of joint \"root_joint\"");
    for (int k = 0; k < 6; k++) {
        char path[40];
        snprintf(path, sizeof path, "modes.%d.frequency", k);
        expect_numbers(t.out, path, 1, (double[]){0});
    }
    expect_silence(zveno("modes '" ZV_SOURCE_DIR "'/models/quadruped.yaml --gravity 0,0,0"));
    expect_silence(zveno("modes '" ZV_SOURCE_DIR "'/models/quadruped.yaml --base fixed"));
}

TESTS_BETWEEN(make_folder, remove_folder, pendulum, positions_are_judged, joints_are_chosen, loads_are_borne, refusals,
              cantilever, small_numbers_are_told, recordings_are_shown, singular_loops_are_refused,
              floating_bases_are_told)
