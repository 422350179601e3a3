/* Native files that include others, and the section modify. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "read/native.h"
#include "support/own_folder.h"
#include "support/run_tests.h"

static zvBuilder *read_named(const char *name, const char *text) {
    zvError error = {0};
    char line[900];
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zi_native_read(builder, name, text, strlen(text), &error) != ZV_OK) {
        fail_msg("%s", zv_error_line(&error, line, sizeof line));
    }
    return builder;
}

static void assert_numbers(const double *got, const double *wanted, int count) {
    for (int i = 0; i < count; i++) {
        if (got[i] != wanted[i]) fail_msg("number %d is %.17g, not %.17g", i, got[i], wanted[i]);
    }
}
#define NUMBERS(...) ((const double[]){__VA_ARGS__})

static const char arm_urdf[] =
    "<robot name=\"arm\">\n"
    "  <link name=\"base\"/>\n"
    "  <link name=\"arm\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\""
    " ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <joint name=\"shoulder\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/>"
    "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"6\"/></joint>\n"
    "</robot>\n";

static void includes(void **state) {
    (void)state;
    save("arm.urdf", arm_urdf);
    save("hand.yaml", "zveno: 1\nname: hand\ngravity: [0, 0, -1]\nbase: free\nlinks: [{name: hand, mass: 1}]\n"
                      "joints: [{name: wrist, type: spherical, parent: arm, child: hand}]\n");
    zvBuilder *builder = read_named(
        in_folder("robot.yaml"), "zveno: 1\n"
                                 "include: [arm.urdf, hand.yaml]\n"
                                 "base: fixed\n"
                                 "modify:\n"
                                 "  links: [{name: hand, mass: 0.7}, {name: arm, inertia: [4, 5, 6]},\n"
                                 "          {name: base, mass: 9}]\n"
                                 "  joints: [{name: shoulder, armature: 0.3, limits: {upper: 2, effort: 8}},\n"
                                 "           {name: wrist, origin: {xyz: [0, 0, 1]}, dofs: [{}, {}, {damping: 4}]}]\n"
                                 "links: [{name: tool}]\n");
    assert_int_equal(zv_builder_nlink(builder), 4);
    assert_string_equal(zv_builder_name(builder), "hand");
    double g[3];
    zv_builder_gravity(builder, g);
    assert_true(g[2] == -1);
    assert_false(zv_builder_free_base(builder));
    const zvLink *arm = zv_builder_link(builder, 1), *hand = zv_builder_link(builder, 2);
    assert_string_equal(arm->name, "arm");
    assert_true(arm->inertia.mass == 2);
    assert_numbers(arm->inertia.moment, NUMBERS(4, 0, 0, 5, 0, 6), 6);
    assert_true(hand->inertia.mass == 0.7);
    assert_true(zv_builder_link(builder, 0)->has_inertia && zv_builder_link(builder, 0)->inertia.mass == 9);
    const zvJoint *shoulder = zv_builder_joint(builder, 0), *wrist = zv_builder_joint(builder, 1);
    assert_true(shoulder->dof[0].armature == 0.3 && shoulder->dof[0].effort == 8 && shoulder->dof[0].velocity == 6);
    assert_true(shoulder->dof[0].lower == -1 && shoulder->dof[0].upper == 2);
    assert_true(wrist->origin.p[2] == 1 && wrist->dof[2].damping == 4);
    assert_string_equal(zv_builder_link(builder, 3)->name, "tool");
    zv_builder_destroy(builder);
}

static void marks_name_the_included_file(void **state) {
    (void)state;
    save("a.yaml", "zveno: 1\nlinks:\n  - {name: x}\n");
    zvBuilder *builder = read_named(in_folder("robot.yaml"), "zveno: 1\ninclude: a.yaml\nlinks: [{name: y}]\n");
    assert_string_equal(zv_builder_link(builder, 0)->mark.file, in_folder("a.yaml"));
    assert_int_equal(zv_builder_link(builder, 0)->mark.line, 3);
    assert_string_equal(zv_builder_link(builder, 1)->mark.file, in_folder("robot.yaml"));
    zv_builder_destroy(builder);
}

static zvError read_refused(const char *name, const char *text) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_true(zi_native_read(builder, name, text, strlen(text), &error) < 0);
    zv_builder_destroy(builder);
    return error;
}

static void include_cycles_are_refused(void **state) {
    (void)state;
    save("a.yaml", "zveno: 1\ninclude: b.yaml\n");
    save("b.yaml", "zveno: 1\ninclude: ./a.yaml\n"); /* another spelling of the same file */
    zvError error = read_refused(in_folder("a.yaml"), "zveno: 1\ninclude: b.yaml\n");
    assert_int_equal(error.status, ZV_SCHEMA);
    assert_string_equal(error.file, in_folder("b.yaml"));
    assert_int_equal(error.line, 2);
    assert_string_equal(error.token, "./a.yaml");
    assert_non_null(strstr(error.text, "includes itself through other files"));
    error = read_refused(in_folder("a.yaml"), "zveno: 1\ninclude: a.yaml\n");
    assert_non_null(strstr(error.text, "\"a.yaml\" includes itself; remove"));
}

static void includes_are_not_endless(void **state) {
    (void)state;
    char name[32], text[80];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "deep%d.yaml", i);
        snprintf(text, sizeof text, i < 19 ? "zveno: 1\ninclude: deep%d.yaml\n" : "zveno: 1\n", i + 1);
        save(name, text);
    }
    zvError error = read_refused(in_folder("robot.yaml"), "zveno: 1\ninclude: deep0.yaml\n");
    assert_int_equal(error.status, ZV_SIZE);
    assert_non_null(strstr(error.text, "nested more than 16 deep"));
    zvBuilder *builder = read_named(in_folder("robot.yaml"), "zveno: 1\ninclude: deep4.yaml\n"); /* 16 levels */
    zv_builder_destroy(builder);
    save("a.yaml", "zveno: 1\n");
    static char many[300 * 8 + 40];
    strcpy(many, "zveno: 1\ninclude: [");
    for (int i = 0; i < 300; i++) strcat(many, "a.yaml, ");
    strcat(many, "]");
    error = read_refused(in_folder("robot.yaml"), many);
    assert_int_equal(error.status, ZV_SIZE);
    assert_non_null(strstr(error.text, "more than 256 files"));
}

static void missing_include_points_at_the_include(void **state) {
    (void)state;
    zvError error = read_refused(in_folder("robot.yaml"), "zveno: 1\nname: x\ninclude: nowhere.urdf\n");
    assert_int_equal(error.status, ZV_IO);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 10);
    assert_string_equal(error.token, "nowhere.urdf");
    assert_non_null(strstr(error.text, "the included file cannot be read: there is no such file"));
    save("b.yaml", "zveno: 1\nlinks: [{name: a, mas: 1}]\n");
    error = read_refused(in_folder("robot.yaml"), "zveno: 1\ninclude: b.yaml\n");
    assert_string_equal(error.file, in_folder("b.yaml"));
    assert_int_equal(error.line, 2);
    assert_string_equal(error.token, "mas");
}

TESTS_BETWEEN(make_folder, remove_folder, includes, marks_name_the_included_file, include_cycles_are_refused,
              includes_are_not_endless, missing_include_points_at_the_include)
