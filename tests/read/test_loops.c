/* Loops of native files: every key arrives where it belongs, joints may be cut, beside included files too, and what is
 * written reads well. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/read_text.h"
#include "support/own_folder.h"
#include "support/run_tests.h"
#include "support/same_description.h"

#define NUMBERS(...) ((const double[]){__VA_ARGS__})

static const char robot[] =
    "zveno: 1\n"
    "loops:\n"
    "  - name: close\n"
    "    type: revolute\n"
    "    parent: coupler\n"
    "    child: rocker\n"
    "    origin: {xyz: [0.1, 0.2, 0.3]}\n"
    "    child_origin: {xyz: [0.4, 0.5, 0.6], rpy: [0, 0, 90 deg]}\n"
    "    axis: [0, 1, 0]\n"
    "    damping: 0.5\n"
    "    spring: {stiffness: 7, rest: 0.25}\n"
    "    driven: true\n"
    "    value: 0.3\n"
    "  - {name: rail, type: curve, parent: a, child: b, ball: true, curve: {spline: {points: [[0, 0, 0], [1, 2, "
    "3]]}}}\n"
    "  - {name: cross, type: universal, parent: a, child: b, axis2: [0, 2, 0], damping: 1, dofs: [{}, {damping: 2}]}\n"
    "  - {name: screw, type: helical, parent: a, child: b, pitch: 0.01, driven: true}\n"
    "  - {name: rod1, type: rod, parent: a, child: b, origin: {xyz: [1, 0, 0]}, child_origin: {xyz: [0, 1, 0]}, "
    "length: 0.3}\n"
    "  - {name: gears, type: coupling, terms: {motor: 1, wheel: -3, \"a: b\": pi/2}, offset: 0.125}\n";

static void joints_that_close(void **state) {
    (void)state;
    zvBuilder *builder = read_named("robot.yaml", robot);
    assert_int_equal(zv_builder_nloop(builder), 6);
    const zvLoop *loop = zv_builder_loop(builder, 0);
    assert_string_equal(loop->name, "close");
    assert_int_equal(loop->kind, ZV_LOOP_JOINT);
    assert_int_equal(loop->type, ZV_JOINT_REVOLUTE);
    assert_string_equal(loop->parent, "coupler");
    assert_string_equal(loop->child, "rocker");
    expect_numbers(loop->origin.p, NUMBERS(0.1, 0.2, 0.3), 3);
    expect_numbers(loop->origin.R, NUMBERS(1, 0, 0, 0, 1, 0, 0, 0, 1), 9);
    expect_numbers(loop->child_origin.p, NUMBERS(0.4, 0.5, 0.6), 3);
    assert_true(loop->child_origin.R[1] == -1 && loop->child_origin.R[3] == 1);
    expect_numbers(loop->axis, NUMBERS(0, 1, 0), 3);
    expect_numbers(&loop->dof[0].damping, NUMBERS(0.5), 1);
    expect_numbers(&loop->dof[0].stiffness, NUMBERS(7, 0.25), 2);
    assert_true(loop->driven && loop->value == 0.3 && !loop->was_joint && !loop->ball);
    assert_string_equal(loop->mark.file, "robot.yaml");
    assert_int_equal(loop->mark.line, 3);
    assert_int_equal(loop->parent_spot.line, 5);
    assert_int_equal(loop->child_spot.line, 6);
    assert_int_equal(loop->axis_spot.line, 9);
    assert_int_equal(loop->axis_spot.column, 11);
    zv_builder_destroy(builder);
}

static void other_types(void **state) {
    (void)state;
    zvBuilder *builder = read_named("robot.yaml", robot);
    const zvLoop *rail = zv_builder_loop(builder, 1), *cross = zv_builder_loop(builder, 2);
    assert_int_equal(rail->type, ZV_JOINT_CURVE);
    assert_true(rail->ball);
    assert_int_equal(rail->curve.count, 2);
    expect_numbers(rail->curve.points, NUMBERS(0, 0, 0, 1, 2, 3), 6);
    expect_numbers(cross->axis, NUMBERS(0, 0, 1), 3);
    expect_numbers(cross->axis2, NUMBERS(0, 2, 0), 3);
    assert_true(cross->dof[0].damping == 1 && cross->dof[1].damping == 2 && cross->dof[2].damping == 0);
    const zvLoop *screw = zv_builder_loop(builder, 3);
    assert_true(screw->pitch == 0.01 && screw->driven && screw->value == 0);
    zv_builder_destroy(builder);
}

static void rods_and_couplings(void **state) {
    (void)state;
    zvBuilder *builder = read_named("robot.yaml", robot);
    const zvLoop *rod = zv_builder_loop(builder, 4), *gears = zv_builder_loop(builder, 5);
    assert_int_equal(rod->kind, ZV_LOOP_ROD);
    assert_true(rod->length == 0.3 && rod->origin.p[0] == 1 && rod->child_origin.p[1] == 1);
    assert_int_equal(gears->kind, ZV_LOOP_COUPLING);
    assert_int_equal(gears->term_count, 3);
    static const char *const joints[] = {"motor", "wheel", "a: b"};
    static const double ratios[] = {1, -3, 1.57079632679489661923};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(gears->terms[i].joint, joints[i]);
        expect_numbers(&gears->terms[i].ratio, &ratios[i], 1);
    }
    assert_true(gears->offset == 0.125);
    assert_null(gears->parent);
    zv_builder_destroy(builder);
}

static void every_type_of_joint_but_free(void **state) {
    (void)state;
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        if (type == ZV_JOINT_FREE) continue;
        char text[300];
        snprintf(text, sizeof text, "zveno: 1\nloops: [{name: x, type: %s, parent: a, child: b%s}]\n",
                 zv_joint_type_word((zvJointType)type),
                 type == ZV_JOINT_HELICAL ? ", pitch: 1"
                 : type == ZV_JOINT_CURVE ? ", curve: {line: {direction: [1, 0, 0]}}"
                                          : "");
        zvBuilder *builder = read_named("robot.yaml", text);
        assert_int_equal(zv_builder_loop(builder, 0)->type, type);
        zv_builder_destroy(builder);
    }
}

/* Cutting --------------------------------------------------------------------------------------- */

#define LINKS "links: [{name: base}, {name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"

static const char triangle[] = "zveno: 1\n" LINKS "joints:\n"
                               "  - {name: j1, type: revolute, parent: base, child: a}\n"
                               "  - {name: j2, type: revolute, parent: a, child: b, origin: {xyz: [1, 0, 0]}}\n"
                               "  - {name: j3, type: revolute, parent: base, child: b, origin: {xyz: [1, 0, 0]}%s}\n";

static const char urdf[] =
    "<robot name='r'><link name='base'/>"
    "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<joint name='j1' type='continuous'><parent link='base'/><child link='a'/></joint>"
    "<joint name='j2' type='continuous'><parent link='a'/><child link='b'/><origin xyz='1 0 0'/></joint>"
    "<joint name='j3' type='continuous'><parent link='base'/><child link='b'/><origin xyz='1 0 0'/></joint></robot>";

/* The one loop of the frozen robot. */
static void expect_cut(zvBuilder *builder, const char *name) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(builder, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_int_equal(zv_model_nloop(model), 1);
    assert_int_equal(zv_model_nv(model), 2);
    assert_true(zv_model_loop(model, 0)->was_joint);
    if (name) assert_string_equal(zv_model_loop(model, 0)->name, name);
    zv_model_destroy(model);
}

static void joints_may_be_cut(void **state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, triangle, ", cut: true");
    zvBuilder *builder = read_named("robot.yaml", text);
    assert_false(zv_builder_joint(builder, 0)->cut || zv_builder_joint(builder, 1)->cut);
    assert_true(zv_builder_joint(builder, 2)->cut);
    expect_cut(builder, "j3");
    zv_builder_destroy(builder);
    snprintf(text, sizeof text, triangle, "");
    builder = read_named("robot.yaml", text);
    assert_true(zv_builder_cutting(builder));
    expect_cut(builder, NULL);
    zv_builder_destroy(builder);
}

static void urdf_alone_has_no_loops(void **state) {
    (void)state;
    zvBuilder *builder = read_named("robot.urdf", urdf);
    zvModel *model = NULL;
    assert_false(zv_builder_cutting(builder));
    assert_true(zv_builder_freeze(builder, &model, NULL) < 0);
    assert_null(model);
    zv_builder_destroy(builder);
}

/* Included files -------------------------------------------------------------------------------- */

static zvBuilder *read_beside(const char *text) { return read_named(in_folder("outer.yaml"), text); }

static void beside_an_included_urdf(void **state) {
    (void)state;
    save("robot.urdf", urdf);
    zvBuilder *builder = read_beside("zveno: 1\ninclude: robot.urdf\nmodify: {joints: [{name: j2, cut: true}]}\n");
    assert_true(zv_builder_joint(builder, 1)->cut);
    expect_cut(builder, "j2");
    zv_builder_destroy(builder);
    builder = read_beside("zveno: 1\ninclude: robot.urdf\n"
                          "modify: {joints: [{name: j3, child_origin: {xyz: [0.5, 0, 0]}}]}\n");
    assert_true(zv_builder_joint(builder, 2)->cut && zv_builder_joint(builder, 2)->child_origin.p[0] == 0.5);
    expect_cut(builder, "j3");
    zv_builder_destroy(builder);
    builder = read_beside("zveno: 1\ninclude: robot.urdf\nmodify: {joints: [{name: j3, cut: true}]}\n"
                          "loops: [{name: gears, type: coupling, terms: {j1: 1, j2: 2}}]\n");
    zvModel *model = NULL;
    zvError error = {0};
    if (zv_builder_freeze(builder, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_int_equal(zv_model_nloop(model), 2);
    assert_string_equal(zv_model_loop(model, 0)->name, "gears");
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

static void loops_of_included_files_come_first(void **state) {
    (void)state;
    save("inner.yaml", "zveno: 1\nloops: [{name: inner, type: fixed, parent: a, child: b}]\n");
    zvBuilder *builder = read_beside("zveno: 1\nloops: [{name: outer, type: fixed, parent: a, child: b}]\n"
                                     "include: inner.yaml\n");
    assert_int_equal(zv_builder_nloop(builder), 2);
    assert_string_equal(zv_builder_loop(builder, 0)->name, "inner");
    assert_string_equal(zv_builder_loop(builder, 1)->name, "outer");
    assert_non_null(strstr(zv_builder_loop(builder, 0)->mark.file, "inner.yaml"));
    zv_builder_destroy(builder);
}

/* The text that is written ---------------------------------------------------------------------- */

typedef struct Text {
    char bytes[8000];
    size_t size;
} Text;

static bool append(void *context, const char *bytes, size_t size) {
    Text *text = context;
    if (size >= sizeof text->bytes - text->size) return false;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
    return true;
}

static void written_text_reads_well(void **state) {
    (void)state;
    static const char wanted[] = "# A robot in Zveno's native format: SI units, radians, Z up, quaternions x y z w.\n"
                                 "zveno: 1\n"
                                 "name: robot\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "base: fixed\n"
                                 "joints:\n"
                                 "  - name: j\n"
                                 "    type: revolute\n"
                                 "    parent: a\n"
                                 "    child: b\n"
                                 "    origin: {xyz: [0.5, 0, 0]}\n"
                                 "    child_origin: {xyz: [0, 0.25, 0]}\n"
                                 "    cut: true\n"
                                 "loops:\n"
                                 "  - name: close\n"
                                 "    type: revolute\n"
                                 "    parent: coupler\n"
                                 "    child: rocker\n"
                                 "    origin: {xyz: [0.1, 0, 0]}\n"
                                 "    child_origin: {xyz: [0, 0.2, 0]}\n"
                                 "    axis: [0, 1, 0]\n"
                                 "    spring: {stiffness: 7}\n"
                                 "    driven: true\n"
                                 "    value: 0.3\n"
                                 "  - name: rail\n"
                                 "    type: curve\n"
                                 "    parent: a\n"
                                 "    child: b\n"
                                 "    curve: {line: {direction: [1, 0, 0]}}\n"
                                 "    ball: true\n"
                                 "  - name: cross\n"
                                 "    type: universal\n"
                                 "    parent: a\n"
                                 "    child: b\n"
                                 "    axis2: [1, 0, 0]\n"
                                 "    dofs:\n"
                                 "      - {}\n"
                                 "      - {damping: 2}\n"
                                 "  - name: rod1\n"
                                 "    type: rod\n"
                                 "    parent: a\n"
                                 "    child: b\n"
                                 "    length: 0.3\n"
                                 "  - name: gears\n"
                                 "    type: coupling\n"
                                 "    terms: {motor: 1, \"on\": -3, \"a: b\": 0.5}\n"
                                 "    offset: 0.125\n";
    zvBuilder *builder = read_named("robot.yaml", wanted);
    Text text = {.size = 0};
    assert_int_equal(zv_write_native(builder, append, &text, NULL), ZV_OK);
    assert_string_equal(text.bytes, wanted);
    zv_builder_destroy(builder);
}

/* Freedoms of a loop have damping and spring; what else a program left there has no meaning. */
static void what_says_nothing_is_not_written(void **state) {
    (void)state;
    zvBuilder *builder = zv_builder_create(NULL);
    zvLoop loop = zv_loop_default("x", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "a", "b");
    loop.dof[0] = (zvDof){.has_limits = true, .upper = 1, .friction = 2, .armature = 3};
    loop.value = 5;
    loop.ball = true;
    assert_int_equal(zv_builder_add_loop(builder, &loop, NULL), ZV_OK);
    Text text = {.size = 0};
    assert_int_equal(zv_write_native(builder, append, &text, NULL), ZV_OK);
    assert_non_null(strstr(text.bytes, "  - name: x\n    type: revolute\n    parent: a\n    child: b\n"));
    assert_null(strstr(text.bytes, "limits"));
    assert_null(strstr(text.bytes, "value"));
    assert_null(strstr(text.bytes, "ball"));
    zv_builder_destroy(read_named("written.yaml", text.bytes));
    zv_builder_destroy(builder);
}

/* The judge of the other tests sees a difference in each number and text. */
static void differences_are_seen(void **state) {
    (void)state;
    static const char *const changes[][2] = {
        {"close", "clos"},
        {"coupler", "coupled"},
        {"rocker", "rocket"},
        {"0.1,", "0.2,"},
        {"0.6", "0.7"},
        {"damping", "#damping"},
        {"7,", "8,"},
        {"0.25", "0.5"},
        {"value: 0.3", "value: 1"},
        {"wheel", "while"},
        {"-3", "3"},
        {"0.125", "1"},
        {"length: 0.3", "length: 1"},
        {"[0, 2, 0]", "[0, 3, 0]"},
        {"0.01", "0.02"},
        {"2, 3]", "2, 4]"},
        {"ball: true", "ball: false"},
        {"pi/2", "pi/3"},
    };
    zvBuilder *first = read_named("robot.yaml", robot);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[2000], difference[200];
        const char *at = strstr(robot, changes[i][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - robot), robot, changes[i][1], at + strlen(changes[i][0]));
        zvBuilder *second = read_named("robot.yaml", text);
        if (same_description(first, second, difference, sizeof difference)) fail_msg("%s is not seen", changes[i][1]);
        zv_builder_destroy(second);
    }
    zv_builder_destroy(first);
}

TESTS_BETWEEN(make_folder, remove_folder, joints_that_close, other_types, rods_and_couplings,
              every_type_of_joint_but_free, joints_may_be_cut, urdf_alone_has_no_loops, beside_an_included_urdf,
              loops_of_included_files_come_first, written_text_reads_well, what_says_nothing_is_not_written,
              differences_are_seen)
