/* Every verb on an arm whose equations can be written by hand.
 *
 * swing angle s about y, slide d along x, r = 1 + d, g = 9.81:
 *   M = diag(0.1 + 2/4 + 0.01 + r^2, 1)      V = -g (1 + r) sin s
 *   C v = (2 r s' d', -r s'^2)                gravity = (-g (1 + r) cos s, -g sin s) */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

#include "zveno/dynamics.h"

static const double g = 9.81;

static void info(void **state) {
    (void)state;
    const Transcript t = zveno("info arm.urdf --json");
    expect_silence(t);
    expect_text(t.out, "name", "arm");
    expect_numbers(t.out, "nq", 1, (double[]){2});
    expect_numbers(t.out, "nv", 1, (double[]){2});
    expect_numbers(t.out, "nbody", 1, (double[]){4});
    expect_numbers(t.out, "nlink", 1, (double[]){4});
    expect_numbers(t.out, "mass", 1, (double[]){3});
    expect_numbers(t.out, "gravity", 3, (double[]){0, 0, -g});
    expect_part(t.out, "{\"name\": \"slide\", \"type\": \"prismatic\", \"parent\": \"beam\", \"child\": \"tip\", "
                       "\"q_index\": 1, \"nq\": 1, \"v_index\": 1, \"nv\": 1}");
    expect_text(t.out, "joints.2.type", "fixed");
    expect_numbers(t.out, "joints.2.nq", 1, (double[]){0});
    expect_part(t.out, "\"frames\": [\"base\", \"beam\", \"tip\", \"tool\"]");
}

static void info_for_people(void **state) {
    (void)state;
    const Transcript t = zveno("info arm.urdf");
    expect_silence(t);
    expect_part(t.out, "robot arm: nq 2, nv 2, 4 links, moving mass 3 kg");
    expect_part(t.out, "  0  0  angle [rad]\n");
    expect_part(t.out, "  1  1  displacement [m]\n");
    expect_part(t.out, "\nbase\n└─ beam  <- swing, continuous, q[0]\n   └─ tip  <- slide, prismatic, q[1]\n"
                       "      └─ tool  <- mount, fixed\n");
}

static void free_base(void **state) {
    (void)state;
    const Transcript t = zveno("info arm.urdf --json --base free");
    expect_silence(t);
    expect_numbers(t.out, "nq", 1, (double[]){9});
    expect_numbers(t.out, "nv", 1, (double[]){8});
    expect_numbers(t.out, "nbody", 1, (double[]){4});
    expect_numbers(t.out, "nlink", 1, (double[]){5}); /* with the ground link */
    expect_text(t.out, "joints.0.type", "free");
    expect_text(t.out, "joints.0.name", "root_joint");
}

static void inverse(void **state) {
    (void)state;
    const double s = 0.3, w = 1.5, u = -0.4, r = 1.2;
    const Transcript t = zveno_with("{q: [0.3, 0.2], v: [1.5, -0.4], a: [2, 3]}", "inverse arm.urdf --state - --json");
    expect_silence(t);
    const double tau[2] = {(0.61 + r * r) * 2 + 2 * r * w * u - g * (1 + r) * cos(s), 3 - r * w * w - g * sin(s)};
    expect_numbers(t.out, "tau", 2, tau);
}

static void reactions(void **state) {
    (void)state;
    const Transcript t = zveno("inverse arm.urdf --json --reactions");
    expect_silence(t);
    expect_numbers(t.out, "reactions.swing", 6, (double[]){0, 0, 3 * g, 0, -2 * g, 0});
    expect_numbers(t.out, "reactions.slide", 6, (double[]){0, 0, g, 0, 0, 0});
    expect_numbers(t.out, "reactions.mount", 6, (double[]){0, 0, 0, 0, 0, 0});
}

static void external_force(void **state) {
    (void)state;
    const Transcript t =
        zveno_with("fext: {tool: [5, 0, 7, 0, 3, 0]}", "inverse arm.urdf --state - --json --gravity 0,0,0");
    expect_silence(t);
    /* J of the tool: swing (0.1, 0, -1, 0, 1, 0), slide (1, 0, 0, 0, 0, 0) */
    expect_numbers(t.out, "tau", 2, (double[]){-(0.5 - 7 + 3), -5});
}

static void forward_by_every_method(void **state) {
    (void)state;
    const double r = 1.2, w = 1.5, u = -0.4, s = 0.3;
    const double a[2] = {(4 - 2 * r * w * u + g * (1 + r) * cos(s)) / (0.61 + r * r), -2 + r * w * w + g * sin(s)};
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t i = 0; i <= count; i++) { /* the last without --method */
        char words[128];
        snprintf(words, sizeof words, "forward arm.urdf --state - --json %s%s", i < count ? "--method=" : "",
                 i < count ? methods[i].name : "");
        const Transcript t = zveno_with("{q: [0.3, 0.2], v: [1.5, -0.4], tau: [4, -2]}", words);
        expect_silence(t);
        expect_numbers(t.out, "a", 2, a);
    }
}

static void mixed(void **state) {
    (void)state;
    /* at rest at q = 0: the swing accelerates by 2, the slide is pushed by 3 */
    Transcript t = zveno_with("{given: [a, tau], a: [2, 9], tau: [9, 3]}", "mixed arm.urdf --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "tau", 2, (double[]){1.61 * 2 - 2 * g, 3});
    expect_numbers(t.out, "a", 2, (double[]){2, 3});
    t = zveno_with("{given: [locked, tau], a: [9, 9], tau: [9, 3]}", "mixed arm.urdf --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "tau", 2, (double[]){-2 * g, 3});
    expect_numbers(t.out, "a", 2, (double[]){0, 3});
    t = zveno_with("{tau: [0, 3]}", "mixed arm.urdf --state - --json");
    expect_numbers(t.out, "a", 2, (double[]){2 * g / 1.61, 3});
}

static void mass_matrix_by_every_method(void **state) {
    (void)state;
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_MASS, &count);
    for (size_t i = 0; i <= count; i++) {
        char words[128];
        snprintf(words, sizeof words, "mass arm.urdf --state - --json %s %s", i < count ? "--method" : "",
                 i < count ? methods[i].name : "");
        const Transcript t = zveno_with("{\"q\": [0.7, 0.5]}", words);
        expect_silence(t);
        expect_numbers(t.out, "mass.0", 2, (double[]){0.61 + 2.25, 0});
        expect_numbers(t.out, "mass.1", 2, (double[]){0, 1});
    }
}

static void terms(void **state) {
    (void)state;
    const double r = 1.2, w = 1.5, u = -0.4, s = 0.3, m1 = 0.61 + r * r;
    const Transcript t = zveno_with("{q: [0.3, 0.2], v: [1.5, -0.4]}", "terms arm.urdf --state - --json");
    expect_silence(t);
    const double gravity[2] = {-g * (1 + r) * cos(s), -g * sin(s)};
    expect_numbers(t.out, "mass.0", 2, (double[]){m1, 0});
    expect_numbers(t.out, "coriolis.0", 2, (double[]){r * u, r * w});
    expect_numbers(t.out, "coriolis.1", 2, (double[]){-r * w, 0});
    expect_numbers(t.out, "gravity", 2, gravity);
    expect_numbers(t.out, "bias", 2, (double[]){2 * r * w * u + gravity[0], -r * w * w + gravity[1]});
    expect_numbers(t.out, "momentum", 2, (double[]){m1 * w, u});
    expect_numbers(t.out, "energy.kinetic", 1, (double[]){0.5 * m1 * w * w + 0.5 * u * u});
    expect_numbers(t.out, "energy.potential", 1, (double[]){-g * (1 + r) * sin(s)});
    const double c = (1 + r) / 3;
    expect_numbers(t.out, "com", 3, (double[]){c * cos(s), 0, -c * sin(s)});
    const double along = u, across = -(1 + r) * w; /* momentum along the beam and along its z */
    expect_numbers(
        t.out, "centroidal_momentum", 6,
        (double[]){along * cos(s) + across * sin(s), 0, -along * sin(s) + across * cos(s), 0, (m1 - 3 * c * c) * w, 0});
}

static void frame(void **state) {
    (void)state;
    Transcript t = zveno_with("{v: [1.5, -0.4], a: [2, 3]}", "frame arm.urdf --frame tool --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "position", 3, (double[]){1, 0, 0.1});
    for (int i = 0; i < 3; i++) {
        char path[32];
        snprintf(path, sizeof path, "rotation.%d", i);
        expect_numbers(t.out, path, 3, (double[]){i == 0, i == 1, i == 2});
    }
    static const double J[6][2] = {{0.1, 1}, {0, 0}, {-1, 0}, {0, 0}, {1, 0}, {0, 0}};
    for (int i = 0; i < 6; i++) {
        char path[32];
        snprintf(path, sizeof path, "jacobian.%d", i);
        expect_numbers(t.out, path, 2, J[i]);
    }
    const double w = 1.5, u = -0.4;
    expect_numbers(t.out, "jdot_v", 6, (double[]){-w * w, 0, -0.1 * w * w - 2 * w * u, 0, 0, 0});
    expect_numbers(t.out, "velocity", 6, (double[]){0.1 * w + u, 0, -w, 0, w, 0});
    expect_numbers(t.out, "acceleration", 6, (double[]){0.2 + 3 - w * w, 0, -2 - 0.1 * w * w - 2 * w * u, 0, 2, 0});
    t = zveno_with("{q: [1.1, 0], v: [1.5, -0.4]}", "frame arm.urdf --frame tool --axes local --state - --json");
    expect_numbers(t.out, "velocity", 6, (double[]){0.1 * w + u, 0, -w, 0, w, 0});
    for (int i = 0; i < 6; i++) {
        char path[32];
        snprintf(path, sizeof path, "jacobian.%d", i);
        expect_numbers(t.out, path, 2, J[i]);
    }
}

static void convert_keeps_every_number(void **state) {
    (void)state;
    Transcript t = shell("\"$Z\" convert arm.urdf -o arm.yaml && \"$Z\" terms arm.urdf --json >a.json && "
                         "\"$Z\" terms arm.yaml --json >b.json && cmp a.json b.json && "
                         "\"$Z\" convert arm.yaml >again.yaml && cmp arm.yaml again.yaml");
    expect_silence(t);
    t = zveno("convert arm.urdf");
    expect_silence(t);
    expect_part(t.out, "zveno: 1");
    t = zveno("convert arm.urdf --json");
    expect_silence(t);
    expect_text(t.out, "format", "native");
    expect_failure(zveno("convert arm.urdf -o nowhere/arm.yaml"), 1, "nowhere/arm.yaml");
}

static void check_good_and_bad(void **state) {
    (void)state;
    Transcript t = zveno("check arm.urdf --json");
    expect_silence(t);
    expect_numbers(t.out, "errors", 1, (double[]){0});
    put_file("bad.urdf", "<robot name=\"bad\">\n<link name=\"base\"/>\n<link name=\"arm\"><inertial>\n"
                         "<mass value=\"-1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\n"
                         "</inertial></link>\n<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/>\n"
                         "<child link=\"arm\"/><axis xyz=\"0 0 1\"/></joint>\n</robot>\n");
    t = zveno("check bad.urdf --json");
    expect_code(t, 1);
    expect_text(t.out, "findings.0.severity", "error");
    expect_text(t.out, "findings.0.fatal", "true");
    expect_text(t.out, "findings.0.file", "bad.urdf");
    expect_part(t.out, "link \\\"arm\\\"");
    t = zveno("check bad.urdf");
    expect_code(t, 1);
    expect_part(t.out, "bad.urdf:");
    expect_part(t.out, "error: ");
    expect_failure(zveno("info bad.urdf"), 1, "bad.urdf:");
}

static void unreadable_file_is_a_finding(void **state) {
    (void)state;
    put_file("broken.urdf", "<robot name=\"x\"><link name=\"a\">\n</robot>\n");
    Transcript t = zveno("check broken.urdf --json");
    expect_code(t, 1);
    assert_string_equal(t.err, "");
    expect_numbers(t.out, "errors", 1, (double[]){1});
    expect_text(t.out, "findings.0.rule", "syntax");
    expect_text(t.out, "findings.0.file", "broken.urdf");
    expect_text(t.out, "findings.0.element", "");
    expect_text(t.out, "findings.0.fatal", "true");
    expect_part(t.out, "reading stopped here; mend this and run check again\"");
    put_file("key.yaml", "zveno: 1\nlinkss: []\n");
    expect_part(zveno("check key.yaml").out, "key.yaml:2:1: error: expected a key of the robot file, found \"linkss\" "
                                             "[schema]\n    did you mean \"links\"? Reading stopped here; mend this");
    t = zveno("check nowhere.urdf");
    expect_code(t, 1);
    assert_null(strstr(t.out, "stopped"));
    expect_part(t.out, "1 error, 0 warnings, 0 notes");
}

static void tables_have_names_and_units(void **state) {
    (void)state;
    Transcript t = zveno("inverse arm.urdf --reactions");
    expect_silence(t);
    expect_part(t.out, "tau [unit]");
    expect_part(t.out, "  0  swing      -19.62  N m\n");
    expect_part(t.out, "  1  slide           0  N\n");
    expect_part(t.out, "mz [N m]");
    expect_part(zveno("forward arm.urdf").out, "rad/s^2");
    expect_part(zveno("mass arm.urdf").out, "kg m^2");
    expect_part(zveno("terms arm.urdf").out, "kinetic energy [J]");
    expect_part(zveno("frame arm.urdf --frame tool").out, "position [m]");
    expect_part(zveno("mixed arm.urdf").out, "swing");
}

static void singular_equations_have_their_own_code(void **state) {
    (void)state;
    put_file("empty.urdf",
             "<robot name=\"e\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"><inertial>"
             "<mass value=\"1\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"
             "</inertial></link><joint name=\"j\" type=\"prismatic\"><parent link=\"a\"/><child link=\"b\"/>"
             "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>"
             "<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/>"
             "<axis xyz=\"0 0 1\"/></joint></robot>");
    Transcript t = zveno("forward empty.urdf --json");
    expect_failure(t, 3, "singular");
    t = zveno("check empty.urdf --json");
    expect_code(t, 1);
    expect_part(t.out, "\"rule\": \"singular\"");
    expect_part(t.out, "\"element\": \"robot \\\"e\\\"\"");
    expect_part(t.out, "forward dynamics is singular at the neutral position");
    expect_numbers(t.out, "errors", 1, (double[]){1});
    expect_code(zveno("check arm.urdf"), 0);
}

static void coordinates_have_names(void **state) {
    (void)state;
    put_file("kinds.yaml", "zveno: 1\nlinks: [{name: a, mass: 1, inertia: [1, 1, 1]}]\nchain:\n  convention: standard\n"
                           "  parent: a\n  rows: [{joint: j, link: b, mass: 1, inertia: [1, 1, 1]}]\n"
                           "joints: []\n");
    expect_part(zveno("info kinds.yaml").out, "2 links,");
    put_file("one.yaml", "zveno: 1\nlinks: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n");
    Transcript t = zveno("info one.yaml --base free");
    expect_silence(t);
    expect_part(t.out, " 1 link, ");
    expect_part(t.out, "  0..6  0..5  x, y, z [m], qx, qy, qz, qw\n");
    put_file("many.yaml", "zveno: 1\nlinks: [{name: a}, {name: b}, {name: c}, {name: d}]\njoints:\n"
                          "  - {name: p, type: planar, parent: a, child: b}\n"
                          "  - {name: c, type: cylindrical, parent: b, child: c}\n"
                          "  - {name: u, type: universal, parent: c, child: d}\n");
    t = zveno("info many.yaml");
    expect_silence(t);
    expect_part(t.out, "  x, y [m], angle [rad]\n");
    expect_part(t.out, "  displacement [m], angle [rad]\n");
    expect_part(t.out, "  angle1, angle2 [rad]\n");
}

/* Told once, however many states there are; the answers come all the same. */
static void states_outside_limits(void **state) {
    (void)state;
    const Transcript t =
        zveno_with("[{q: [9, 0.5]}, {q: [0, 0.7]}, {q: [0, -3]}]", "inverse arm.urdf --state - --json");
    expect_code(t, 0);
    assert_string_equal(t.err, "zveno: warning: 2 of 3 states lie outside joint limits, first state 2: q[1] of joint "
                               "\"slide\" is 0.7, not in [-0.5, 0.5]\n");
    expect_numbers(t.out, "2.tau.1", 1, (double[]){0});
}

static void misspelt_urdf(void **state) {
    (void)state;
    put_file("slip.urdf", "<robot name='r'><link name='a'/>\n<link name='b'><inertial><mass value='1'/>"
                          "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
                          "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n"
                          "<axes xyz='0 0 1'/></joint></robot>\n");
    const Transcript t = zveno("check slip.urdf");
    expect_code(t, 0);
    assert_string_equal(t.out,
                        "slip.urdf:4:1: warning: joint \"j\": <axes> is not an element of <joint> and is left out "
                        "[unknown-element]\n    did you mean <axis>?\n0 errors, 1 warning, 0 notes\n");
}

TESTS_BETWEEN(make_folder, remove_folder, info, info_for_people, free_base, inverse, reactions, external_force,
              forward_by_every_method, mixed, mass_matrix_by_every_method, terms, frame, convert_keeps_every_number,
              check_good_and_bad, unreadable_file_is_a_finding, tables_have_names_and_units,
              singular_equations_have_their_own_code, coordinates_have_names, states_outside_limits, misspelt_urdf)
