/* What native files are refused for: status, place, token and words of each error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/native.h"
#include "support/error_case.h"
#include "support/run_tests.h"

/* Texts of the cases: after "zveno: 1\n", unless it begins with '!'. */
#define JOINT "joints:\n - {name: j, parent: a, child: b, "
#define ROBOT "zveno: 1\n"

static const ErrorCase cases[] = {
    /* the file */
    {"!name: arm\n", ZV_SCHEMA, 1, 1, "zveno",
     "the key zveno is missing; a native robot file begins with \"zveno: 1\""},
    {"!zveno: 2\nfuture: 3\n", ZV_NOT_SUPPORTED, 1, 8, "2", "the file is of format 2, and this version reads format 1"},
    {"!zveno: one\n", ZV_NUMBER, 1, 8, "one", "the format version after zveno: expected a whole number"},
    {"![1, 2]\n", ZV_SCHEMA, 1, 1, "[...]", "the robot file: expected a map"},
    {"!# nothing\n", ZV_SCHEMA, 1, 1, "", "the file is empty; begin it with \"zveno: 1\""},
    {"!zveno: 1\nname: [", ZV_SYNTAX, 3, 1, NULL, ""},
    {"grvity: [0, 0, 0]\n", ZV_SCHEMA, 2, 1, "grvity", "did you mean \"gravity\"?"},
    {"gravity: [0, 0]\n", ZV_SCHEMA, 2, 10, NULL, "gravity of the robot file: expected 3 numbers, found 2"},
    {"gravity: [0, 0, x]\n", ZV_NUMBER, 2, 17, "x", "number 3 of gravity of the robot file"},
    {"gravity: [0, 0, .inf]\n", ZV_NUMBER, 2, 17, ".inf", "finite"},
    {"base: floating\n", ZV_SCHEMA, 2, 7, "floating", "expected fixed or free"},
    {"mimic_joints: couple\n", ZV_SCHEMA, 2, 15, "couple", "; did you mean coupled?"},
    {"name: [a]\n", ZV_SCHEMA, 2, 7, NULL, "name of the robot file: expected a word"},
    {"links: {name: a}\n", ZV_SCHEMA, 2, 8, "{...}", "links of the robot file: expected a list"},
    {"frames:\n", ZV_SCHEMA, 2, 8, "", "frames of the robot file: expected a list"},
    {"include: {a: b}\n", ZV_SCHEMA, 2, 10, NULL, "include: expected a word"},
    {"include: ''\n", ZV_SCHEMA, 2, 10, "", "include: expected the path of a file, found \"\""},
    /* links */
    {"links: [arm]\n", ZV_SCHEMA, 2, 9, "arm", "link: expected a map, found \"arm\"; write key: value pairs"},
    {"links:\n - {mass: 1}\n", ZV_SCHEMA, 3, 4, "name",
     "link: expected the key name, found none; add it, followed by a name"},
    {"links:\n - {name: arm, masss: 1}\n", ZV_SCHEMA, 3, 16, "masss",
     "expected a key of link \"arm\", found \"masss\"; did you mean \"mass\"?"},
    {"links:\n - {name: arm, mass: heavy}\n", ZV_NUMBER, 3, 22, "heavy", "mass of link \"arm\""},
    {"links:\n - {name: arm, mass: \"1\"}\n", ZV_NUMBER, 3, 22, "1", "without quotes"},
    {"links:\n - {name: arm, inertia: [1, 2]}\n", ZV_SCHEMA, 3, 25, "[...]",
     "inertia of link \"arm\": expected a list of 3 numbers (xx yy zz) or 6"},
    {"links:\n - {name: arm, inertia: 3}\n", ZV_SCHEMA, 3, 25, "3", "expected a list of 3 numbers"},
    {"links:\n - {name: arm, inertia: [1, 1, 1], inertia_about: center}\n", ZV_SCHEMA, 3, 51, "center",
     "inertia_about of link \"arm\": expected com or origin, found \"center\""},
    {"links:\n - {name: arm, inertia_about: com}\n", ZV_SCHEMA, 3, 31, "com", "add inertia"},
    /* shapes */
    {"links:\n - {name: arm, shapes: [{size: [1, 1, 1]}]}\n", ZV_SCHEMA, 3, 25, "kind",
     "shape of link \"arm\": expected the key kind, found none; add kind: box, cylinder, sphere or mesh"},
    {"links:\n - {name: arm, shapes: [{kind: bax}]}\n", ZV_SCHEMA, 3, 32, "bax", "; did you mean box?"},
    {"links:\n - {name: arm, shapes: [{kind: box}]}\n", ZV_SCHEMA, 3, 25, "size",
     "expected the key size, found none; add size: [x, y, z]"},
    {"links:\n - {name: arm, shapes: [{kind: sphere, radius: 1, length: 2}]}\n", ZV_SCHEMA, 3, 59, "2",
     "expected a key of a sphere, found another"},
    {"links:\n - {name: arm, shapes: [{kind: mesh}]}\n", ZV_SCHEMA, 3, 25, "file",
     "add file, the name of the mesh file"},
    {"links:\n - {name: arm, shapes: [{kind: sphere, radius: 1, file: a.stl}]}\n", ZV_SCHEMA, 3, 57, "a.stl",
     "expected kind: mesh beside it"},
    {"links:\n - {name: arm, shapes: [{kind: sphere, radius: 1, color: [1, 1]}]}\n", ZV_SCHEMA, 3, 58, NULL,
     "[red, green, blue, alpha]"},
    {"links:\n - {name: arm, shapes: [{kind: sphere, radius: 1, collision: maybe}]}\n", ZV_SCHEMA, 3, 62, "maybe",
     "true or false"},
    {"links:\n - {name: arm, shapes: [{kind: sphere, radius: 1, link: arm}]}\n", ZV_SCHEMA, 3, 51, "link",
     "expected a key of shape of link, found"},
    {"shapes: [{kind: sphere, radius: 1}]\n", ZV_SCHEMA, 2, 10, "link", "shape: expected the key link, found none"},
    /* joints */
    {JOINT "}\n", ZV_SCHEMA, 3, 4, "type",
     "joint \"j\": expected the key type, found none; add type, for example type: revolute"},
    {JOINT "type: revolut}\n", ZV_SCHEMA, 3, 41, "revolut", "; did you mean revolute?"},
    {"joints:\n - {name: j, type: fixed, child: b}\n", ZV_SCHEMA, 3, 4, "parent",
     "joint \"j\": expected the key parent, found none"},
    {"joints:\n - {name: j, type: fixed, parent: b}\n", ZV_SCHEMA, 3, 4, "child",
     "joint \"j\": expected the key child, found none"},
    {JOINT "type: revolute, amature: 1}\n", ZV_SCHEMA, 3, 51, "amature", "did you mean \"armature\"?"},
    {JOINT "type: helical}\n", ZV_SCHEMA, 3, 4, "pitch",
     "joint \"j\": expected the key pitch, found none; add pitch, the advance in m/rad"},
    {JOINT "type: curve}\n", ZV_SCHEMA, 3, 4, "curve", "add curve with line, circle or spline"},
    {JOINT "type: revolute, pitch: 1}\n", ZV_SCHEMA, 3, 58, "1", "expected a helical joint, found a revolute one"},
    {JOINT "type: revolute, axis2: [1, 0, 0]}\n", ZV_SCHEMA, 3, 58, NULL, "expected a universal joint"},
    {JOINT "type: fixed, damping: 1}\n", ZV_SCHEMA, 3, 57, "1", "expected a joint that moves, found a fixed one"},
    {JOINT "type: revolute, limits: {lower: 1}}\n", ZV_SCHEMA, 3, 67, "1",
     "lower of limits of joint \"j\": expected both lower and upper, found one"},
    {JOINT "type: revolute, limits: {min: 1}}\n", ZV_SCHEMA, 3, 60, "min", "expected a key of limits of joint \"j\""},
    {JOINT "type: spherical, limits: {lower: 1, upper: 2}}\n", ZV_SCHEMA, 3, 68, "1",
     "expected no limits of a quaternion, found one"},
    {JOINT "type: free, dofs: [{}, {}, {}, {}, {}, {limits: {upper: 2}}]}\n", ZV_SCHEMA, 3, 91, "2",
     "upper of limits of freedom 6 of joint \"j\": expected no limits of a quaternion"},
    {JOINT "type: planar, dofs: [{}, {}]}\n", ZV_SCHEMA, 3, 55, NULL,
     "expected one map for each of the 3 freedoms of a planar joint, found a list of 2"},
    {JOINT "type: planar, dofs: [{}, {}, {mass: 1}]}\n", ZV_SCHEMA, 3, 65, "mass",
     "expected a key of freedom 3 of joint"},
    {JOINT "type: revolute, armature: 1, rotor: {inertia: 1}}\n", ZV_SCHEMA, 3, 71, NULL, "keep one"},
    {JOINT "type: revolute, rotor: {ratio: 1}}\n", ZV_SCHEMA, 3, 58, "inertia",
     "rotor of joint \"j\": expected the key inertia, found none"},
    {JOINT "type: revolute, spring: 5}\n", ZV_SCHEMA, 3, 59, "5", "spring of joint \"j\": expected a map"},
    {JOINT "type: revolute, mimic: {ratio: 2}}\n", ZV_SCHEMA, 3, 58, "joint",
     "add joint, the name of the joint to follow"},
    {JOINT "type: planar, mimic: {joint: k}}\n", ZV_SCHEMA, 3, 56, NULL, "expected a joint with one coordinate"},
    {JOINT "type: curve, curve: {}}\n", ZV_SCHEMA, 3, 55, NULL, "exactly one of line, circle and spline"},
    {JOINT "type: curve, curve: {circle: {center: [0, 0, 0]}}}\n", ZV_SCHEMA, 3, 64, "radius",
     "expected the key radius, found none"},
    {JOINT "type: curve, curve: {line: {}}}\n", ZV_SCHEMA, 3, 62, "direction", "add direction: [x, y, z]"},
    {JOINT "type: curve, curve: {spline: {points: [[0, 0, 0]]}}}\n", ZV_SCHEMA, 3, 73, NULL,
     "expected at least two points, found a list of 1"},
    {JOINT "type: curve, curve: {spline: {points: [[0, 0, 0], [1, 2]]}}}\n", ZV_SCHEMA, 3, 85, NULL,
     "expected 3 numbers, found 2"},
    /* poses */
    {JOINT "type: fixed, origin: {xyz: [0, 0, 0], rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}}\n", ZV_SCHEMA, 3, 101,
     NULL, "quaternion of origin of joint \"j\": expected one rotation, found two: rpy is given, too"},
    {JOINT "type: fixed, origin: {quaternion: [1, 0, 0, 1]}}\n", ZV_SCHEMA, 3, 69, NULL,
     "expected a quaternion of length 1, found 1.41421; the order is x, y, z, w"},
    {JOINT "type: fixed, origin: {quaternion: [0, 0, 0.7, 0.716]}}\n", ZV_SCHEMA, 3, 69, NULL,
     "expected a quaternion of length 1, found 1.00133"},
    {JOINT "type: fixed, origin: {quaternion: [0, 0, 0, 0]}}\n", ZV_SCHEMA, 3, 69, NULL,
     "expected a quaternion of length 1, found 0"},
    {JOINT "type: fixed, origin: {rotation: [1, 0, 0, 0, 1, 0, 0, 0, 2]}}\n", ZV_SCHEMA, 3, 67, NULL,
     "expected orthonormal rows, found them off by 3"},
    {JOINT "type: fixed, origin: {rotation: [1, 0, 0, 0, 1, 0, 0, 0, -1]}}\n", ZV_SCHEMA, 3, 67, NULL,
     "found a reflection"},
    {JOINT "type: fixed, origin: {xyz: [1, 2]}}\n", ZV_SCHEMA, 3, 62, NULL,
     "xyz of origin of joint \"j\": expected 3 numbers"},
    {JOINT "type: fixed, origin: [0, 0, 1]}\n", ZV_SCHEMA, 3, 56, "[...]", "origin of joint \"j\": expected a map"},
    {"frames: [{name: tool}]\n", ZV_SCHEMA, 2, 10, "link", "frame \"tool\": expected the key link, found none"},
    {"frames: [{name: tool, link: hand, pose: {xzy: [0, 0, 1]}}]\n", ZV_SCHEMA, 2, 42, "xzy",
     "expected a key of pose of frame \"tool\", found \"xzy\"; did you mean \"xyz\"?"},
    /* modify */
    {"modify: {links: [{name: arm, mass: 1}]}\n", ZV_NAME, 2, 25, "arm",
     "no included link is called \"arm\"; modify changes what include brings in"},
    {"modify: {joint: []}\n", ZV_SCHEMA, 2, 10, "joint", "did you mean \"joints\"?"},
    /* chains */
    {"chain: {parent: a, rows: []}\n", ZV_SCHEMA, 2, 8, "convention",
     "chain: expected the key convention, found none; add convention: standard, modified or screw"},
    {"chain: {convention: classic, parent: a, rows: []}\n", ZV_SCHEMA, 2, 21, "classic",
     "expected standard, modified or screw"},
    {"chain: {convention: screw, rows: []}\n", ZV_SCHEMA, 2, 8, "parent", "chain: expected the key parent, found none"},
    {"chain: {convention: screw, parent: a}\n", ZV_SCHEMA, 2, 8, "rows", "chain: expected the key rows, found none"},
    {"chain: {convention: screw, parent: a, rows: []}\n", ZV_SCHEMA, 2, 45, NULL,
     "rows of chain: expected one map for each joint, found none"},
    {"chain: {convention: screw, parent: a, rows: [{joint: j, link: b, d: 1}]}\n", ZV_SCHEMA, 2, 66, "d",
     "expected a key of row of joint \"j\""},
    {"chain: {convention: standard, parent: a, rows: [{joint: j, link: b, nu: 1}]}\n", ZV_SCHEMA, 2, 69, "nu",
     "expected a key of row of joint \"j\""},
    {"chain: {convention: standard, parent: a, rows: [{joint: j}]}\n", ZV_SCHEMA, 2, 49, "link",
     "row of joint \"j\": expected the key link, found none"},
    {"chain: {convention: screw, parent: a, rows: [{joint: j, link: b, nu: 2}]}\n", ZV_SCHEMA, 2, 70, "2",
     "expected 0 (revolute) or 1 (prismatic)"},
    {"chain: {convention: screw, parent: a, rows: [{joint: j, link: b, nu: 1, type: revolute}]}\n", ZV_SCHEMA, 2, 70,
     "1", "found it contradicting type"},
    {"chain: {convention: standard, parent: a, rows: [{joint: j, link: b, type: planar}]}\n", ZV_SCHEMA, 2, 75,
     "planar", "expected revolute, continuous, prismatic or fixed"},
    {"chain: {convention: standard, parent: a, rows: [{joint: j, link: b, alpha: right}]}\n", ZV_NUMBER, 2, 76, "right",
     "alpha of row of joint \"j\""},
};

static void check_case(const ErrorCase *c) {
    char text[400];
    bool whole = c->text[0] == '!';
    snprintf(text, sizeof text, "%s%s", whole ? "" : ROBOT, c->text + (whole ? 1 : 0));
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zi_native_read(builder, "robot.yaml", text, strlen(text), &error);
    zv_builder_destroy(builder);
    expect_error(c, "robot.yaml", status, &error);
}

static void every_error_says_where_and_what(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

/* Odd names neither break the sentence nor overflow it. */
static void long_and_odd_names(void **state) {
    (void)state;
    static char text[6000];
    strcpy(text, "zveno: 1\nlinks:\n - {mas: 1, name: \"a\\nb\\u0007");
    for (int i = 0; i < 1000; i++) strcat(text, "\xD0\xB7");
    strcat(text, "\"}\n");
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_int_equal(zi_native_read(builder, "robot.yaml", text, strlen(text), &error), ZV_SCHEMA);
    zv_builder_destroy(builder);
    assert_string_equal(error.token, "mas");
    assert_non_null(strstr(error.text, "expected a key of link \"a"));
    assert_non_null(strstr(error.text, "did you mean \"mass\"?"));
    for (const char *c = error.text; *c; c++) assert_true((unsigned char)*c >= 0x20);
}

static void nearest_included_name(void **state) {
    (void)state;
    static const char first[] = "zveno: 1\nlinks: [{name: shoulder_link}]\n"
                                "joints: [{name: elbow, type: revolute, parent: a, child: b}]\n";
    static const char *const texts[] = {
        "zveno: 1\nmodify: {links: [{name: shoulder_lnk, mass: 1}]}\n",
        "zveno: 1\nmodify: {joints: [{name: elbo, damping: 1}]}\n",
        "zveno: 1\nmodify: {joints: [{name: elbow, mimic: {ratio: 1}}]}\n",
        "zveno: 1\nmodify: {joints: [{name: elbow, curve: {}}]}\n",
    };
    static const char *const words[] = {"did you mean \"shoulder_link\"?", "did you mean \"elbow\"?",
                                        "modify adds no mimic", "expected a key of joint \"elbow\""};
    for (int i = 0; i < 4; i++) {
        zvError error = {0};
        zvBuilder *builder = zv_builder_create(&error);
        assert_int_equal(zi_native_read(builder, "first.yaml", first, sizeof first - 1, &error), ZV_OK);
        assert_true(zi_native_read(builder, "second.yaml", texts[i], strlen(texts[i]), &error) < 0);
        zv_builder_destroy(builder);
        if (!strstr(error.text, words[i])) fail_msg("\"%s\" does not say \"%s\"", error.text, words[i]);
    }
}

TESTS(every_error_says_where_and_what, long_and_odd_names, nearest_included_name)
