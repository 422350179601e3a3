/* State files: shapes, sizes, names, quaternions, and the words of refusal. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

static void the_answer_has_the_shape_of_the_question(void **state) {
    (void)state;
    Transcript t = zveno_with("{}", "forward arm.urdf --state - --json");
    expect_silence(t);
    assert_int_equal(t.out[0], '{');
    t = zveno_with("[{}]", "forward arm.urdf --state - --json");
    expect_silence(t);
    assert_int_equal(t.out[0], '[');
    expect_numbers(t.out, "0.a", 2, (double[]){19.62 / 1.61, 0});
    t = zveno_with("[]", "forward arm.urdf --state - --json");
    expect_silence(t);
    assert_string_equal(t.out, "[]\n");
    t = zveno_with("[]", "forward arm.urdf --state -");
    expect_silence(t);
    assert_string_equal(t.out, "");
}

static void yaml_and_json_files_are_states(void **state) {
    (void)state;
    put_file("s.yaml", "- q: [30 deg, 0]\n- q:\n  - pi/6\n  - 0\n");
    put_file("s.json", "[{\"q\": [0.52359877559829882, 0]}, {\"q\": [0.52359877559829882, 0]}]");
    const Transcript t = shell("\"$Z\" inverse arm.urdf --state s.yaml --json >a && "
                               "\"$Z\" inverse arm.urdf --state s.json --json >b && cmp a b");
    expect_silence(t);
}

/* q, v and a of joints that turn; no lengths and no forces. */
static void degrees_are_of_angles(void **state) {
    (void)state;
    expect_silence(zveno_with("{v: [90 deg, 0], a: [-10 deg, 0]}", "inverse arm.urdf --state -"));
    expect_failure(zveno_with("{q: [0, 30 deg]}", "inverse arm.urdf --state -"), 1, "only angles are written in deg");
    expect_failure(zveno_with("{tau: [5 deg, 0]}", "forward arm.urdf --state -"), 1, "only angles are written in deg");
}

static void tables_number_the_states(void **state) {
    (void)state;
    const Transcript t = zveno_with("[{}, {}]", "inverse arm.urdf --state -");
    expect_silence(t);
    expect_part(t.out, "state 1 of 2\n");
    expect_part(t.out, "\nstate 2 of 2\n");
}

static void wrong_sizes_say_which_joints(void **state) {
    (void)state;
    Transcript t = zveno_with("{\n  q: [1]}", "inverse arm.urdf --state -");
    expect_failure(t, 1, "q: expected 2 entries, found 1; in the order swing, slide");
    expect_part(t.err, ":2:6: ");
    t = zveno_with("{v: [1, 2, 3]}", "inverse arm.urdf --state -");
    expect_failure(t, 1, "v: expected 2 entries, found 3");
    t = zveno_with("{q: [1]}", "inverse arm.urdf --state - --base free");
    expect_failure(t, 1, "root_joint.x, root_joint.y, root_joint.z, root_joint.qx");
    t = zveno_with("{given: [tau]}", "mixed arm.urdf --state -");
    expect_failure(t, 1, "given: expected 2 entries, found 1");
}

static void null_is_missing(void **state) {
    (void)state;
    const Transcript none = zveno_with("{}", "mixed arm.urdf --state - --json");
    expect_silence(none);
    char neutral[1024]; /* the next run writes over it */
    snprintf(neutral, sizeof neutral, "%s", none.out);
    expect_part(neutral, "\"tau\"");
    const Transcript t =
        zveno_with("{\"q\": null, \"v\": ~, \"a\": null, \"tau\": NULL, \"fext\": null, \"given\": null}",
                   "mixed arm.urdf --state - --json");
    expect_silence(t);
    assert_string_equal(t.out, neutral);
    expect_silence(zveno_with("q:\nv: [0, 0]\n", "inverse arm.urdf --state -"));
    expect_failure(zveno_with("{q: \"null\"}", "inverse arm.urdf --state -"), 1, "q: expected a list");
    expect_failure(zveno_with("{q: [null, 0]}", "inverse arm.urdf --state -"), 1, "q[0], ");
}

static void wrong_kinds_are_refused(void **state) {
    (void)state;
    expect_failure(zveno_with("{q: 1}", "inverse arm.urdf --state -"), 1, "q: expected a list");
    expect_failure(zveno_with("{q: {a: 1}}", "inverse arm.urdf --state -"), 1, "q: expected a list");
    expect_failure(zveno_with("[[1, 2]]", "inverse arm.urdf --state -"), 1, "expected a state, a map");
    expect_failure(zveno_with("hello", "inverse arm.urdf --state -"), 1, "expected a state, a map");
    expect_failure(zveno_with("", "inverse arm.urdf --state -"), 1, "empty");
    expect_failure(zveno_with("# nothing\n", "inverse arm.urdf --state -"), 1, "zveno: error: ");
    expect_failure(zveno_with("{q: [1, x]}", "inverse arm.urdf --state -"), 1, "q[1], slide");
    expect_failure(zveno_with("{q: [1, .nan]}", "inverse arm.urdf --state -"), 1, "q[1], slide");
    expect_failure(zveno_with("{q: [1, 1e999]}", "inverse arm.urdf --state -"), 1, "q[1], slide");
    expect_failure(zveno_with("{q: [1, 2", "inverse arm.urdf --state -"), 1, "zveno: error: ");
    expect_failure(zveno_with("{fext: [1]}", "inverse arm.urdf --state -"), 1, "fext: expected a map");
    expect_failure(zveno_with("{fext: {tool: [1, 2]}}", "inverse arm.urdf --state -"), 1, "tool");
    expect_failure(zveno_with("{given: [tau, b]}", "mixed arm.urdf --state -"), 1,
                   "given[1]: expected tau, a or locked, found \"b\"");
}

static void unknown_names_get_suggestions(void **state) {
    (void)state;
    Transcript t = zveno_with("{taus: [1, 2]}", "inverse arm.urdf --state -");
    expect_failure(t, 1, "taus");
    expect_part(t.err, "tau");
    t = zveno_with("{fext: {tol: [0, 0, 0, 0, 0, 0]}}", "inverse arm.urdf --state -");
    expect_failure(t, 1, "did you mean \"tool\"?");
    expect_part(t.err, ":1:9: ");
}

static void a_bad_state_in_a_list_prints_nothing(void **state) {
    (void)state;
    expect_failure(zveno_with("[{}, {}, {q: [1]}]", "inverse arm.urdf --state - --json"), 1, ":1:14: ");
}

static void quaternions_are_scaled_or_refused(void **state) {
    (void)state;
    static const char form[] = "{q: [0, 0, 0, 0, 0, 0, %s, 0, 0]}";
    char text[128];
    snprintf(text, sizeof text, form, "1.0000000001");
    expect_silence(zveno_with(text, "inverse arm.urdf --base free --state - --json"));
    snprintf(text, sizeof text, form, "1.0005");
    Transcript t = zveno_with(text, "inverse arm.urdf --base free --state - --json");
    expect_code(t, 0);
    expect_part(t.err, "zveno: warning: ");
    expect_part(t.err, "unit length");
    expect_numbers(t.out, "tau", 8, (double[]){0, 0, 3 * 9.81, 0, -2 * 9.81, 0, -2 * 9.81, 0});
    snprintf(text, sizeof text, form, "1.01");
    t = zveno_with(text, "inverse arm.urdf --base free --state - --json");
    expect_failure(t, 1, "quaternion of joint \"root_joint\" (q[3..6]: x, y, z, w): expected length 1, found 1.01");
    expect_part(t.err, ":1:15: ");
    snprintf(text, sizeof text, form, "0");
    expect_failure(zveno_with(text, "inverse arm.urdf --base free --state - --json"), 1, "found 0");
}

static void overflow_is_a_numerical_failure(void **state) {
    (void)state;
    static const char huge[] = "{v: [1e300, 1e300]}";
    expect_failure(zveno_with(huge, "inverse arm.urdf --state - --json"), 3, "expected a finite answer, found another");
    expect_failure(zveno_with(huge, "inverse arm.urdf --state -"), 3, "expected a finite answer, found another");
}

static void ten_thousand_states_are_quick(void **state) {
    (void)state;
    enum { STATES = 10000 };
    char path[256];
    snprintf(path, sizeof path, "%s/many.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < STATES; i++)
        fprintf(file, "%c{\"q\": [%.3f, 0.1], \"v\": [1, 2], \"a\": [3, 4]}", i ? ',' : '[', i * 1e-3);
    fprintf(file, "]\n");
    assert_int_equal(fclose(file), 0);
    const Transcript t = zveno("inverse arm.urdf --state many.json --json");
    expect_silence(t);
    int answers = 0;
    for (const char *at = t.out; (at = strstr(at, "\"tau\"")); at++) answers++;
    assert_int_equal(answers, STATES);
}

/* A planar arm without weight, links of 1 m: a force f along the second link, at its origin, turns the first joint by
 * f sin q2; a moment about the axis acts on both. In world axes it needs the angle of the link. */
static void wrenches_in_local_axes(void **state) {
    (void)state;
    put_file("planar.yaml",
             "zveno: 1\n"
             "gravity: [0, 0, 0]\n"
             "links: [{name: ground}, {name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: "
             "[1, 1, 1]}]\n"
             "joints: [{name: j1, type: continuous, parent: ground, child: a}, {name: j2, type: "
             "continuous, parent: a, child: b, origin: {xyz: [1, 0, 0]}}]\n");
    const double q2 = 0.7;
    Transcript t = zveno_with("{q: [0.4, 0.7], fext: {b: {axes: local, wrench: [3, 0, 0, 0, 0, 2]}}}",
                              "inverse planar.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "tau", 2, (double[]){-3 * sin(q2) - 2, -2});
    t = zveno_with("{q: [0.4, 0.7], fext: {b: {axes: world, wrench: [3, 0, 0, 0, 0, 2]}}}",
                   "inverse planar.yaml --state - --json");
    expect_numbers(t.out, "tau", 2, (double[]){3 * sin(0.4) - 2, -2});
    t = zveno_with("{fext: {b: {axes: body, wrench: [3, 0, 0, 0, 0, 2]}}}", "inverse planar.yaml --state -");
    assert_int_equal(t.code, 1);
    expect_part(t.err, "expected world or local, found body");
    t = zveno_with("{fext: {b: {axes: local}}}", "inverse planar.yaml --state -");
    assert_int_equal(t.code, 1);
    expect_part(t.err, "found no wrench");
}

/* Silence would look like an answer. */
static void robots_without_mass(void **state) {
    (void)state;
    put_file("empty.yaml", "zveno: 1\nlinks: [{name: ground}, {name: a}]\njoints: [{name: j, type: continuous, parent: "
                           "ground, child: a}]\n");
    Transcript t = zveno_with("{}", "inverse empty.yaml --state -");
    assert_int_equal(t.code, 0);
    expect_part(t.err, "warning: no link that moves has mass");
    t = zveno("check empty.yaml");
    expect_part(t.out, "expected links with mass, found none in the whole robot");
    expect_part(t.out, "[no-mass]");
}

/* A ball on a joint with this spring and damping. */
static void put_ball(const char *type, const char *keys) {
    char text[512];
    snprintf(
        text, sizeof text,
        "zveno: 1\nlinks: [{name: ground}, {name: a, mass: 1, inertia: [1, 1, 1]}]\njoints: [{name: ball, type: %s, "
        "parent: ground, child: a, %s}]\n",
        type, keys);
    put_file("ball.yaml", text);
}

/* Matrices of joints: which entry is wrong, and what their springs do. */
static void matrices_of_joints(void **state) {
    (void)state;
    static const struct {
        const char *type, *keys, *message;
    } bad[] = {
        {"spherical", "damping: [[1, 0.5, 0], [0.4, 1, 0], [0, 0, 1]]",
         "expected a symmetric damping matrix, found 0.4 in row 2, column 1 and 0.5 in row 1, column 2"},
        {"spherical", "spring: {stiffness: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}",
         "expected a stiffness matrix that is not negative, with at least 4 in row 2, column 2 for the rows before it, "
         "found 1"},
        {"planar", "spring: {stiffness: [[0, 1, 0], [1, 5, 0], [0, 0, 1]]}",
         "with 0 in row 2, column 1, whose diagonal holds no more, found 1"},
        {"revolute", "damping: [3]", "expected a damping matrix of a joint with several freedoms"},
        {"planar", "damping: [[1, 0], [0, 1]]", "damping of joint \"ball\": expected 3 rows, one for each freedom"},
        {"planar", "damping: [[1, 0, 0], [0, 1], [0, 0, 1]]",
         "row 2 of damping of joint \"ball\": expected 3 numbers, one for each freedom, found 2"},
        {"planar", "spring: {stiffness: [1, 2, 3], rest: [1, 2]}", "rest of spring of joint \"ball\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_ball(bad[i].type, bad[i].keys);
        const Transcript t = zveno("inverse ball.yaml");
        assert_int_equal(t.code, 1);
        expect_part(t.err, bad[i].message);
    }
    put_ball("spherical", "spring: {stiffness: 3, rest: [0, 0, 0.5]}");
    Transcript t = zveno("check ball.yaml");
    assert_int_equal(t.code, 0);
    t = zveno("inverse ball.yaml --passive --json"); /* 3 (0 - 0.5) taken off */
    assert_int_equal(t.code, 0);
    expect_part(t.out, "-1.5]");
}

TESTS_BETWEEN(make_folder, remove_folder, wrenches_in_local_axes, robots_without_mass, matrices_of_joints,
              the_answer_has_the_shape_of_the_question, yaml_and_json_files_are_states, degrees_are_of_angles,
              tables_number_the_states, wrong_sizes_say_which_joints, null_is_missing, wrong_kinds_are_refused,
              unknown_names_get_suggestions, a_bad_state_in_a_list_prints_nothing, quaternions_are_scaled_or_refused,
              overflow_is_a_numerical_failure, ten_thousand_states_are_quick)
