/* Native robot files: every key, its default and its effect. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/native.h"
#include "support/run_tests.h"

static const double PI = 3.14159265358979323846;

static zvBuilder *read_text(const char *text) {
    zvError error = {0};
    char line[900];
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zi_native_read(builder, "robot.yaml", text, strlen(text), &error) != ZV_OK) {
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

static void settings(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\nname: arm\ngravity: [1, 2, 3]\nbase: free\nmimic_joints: independent\n");
    double g[3];
    zv_builder_gravity(builder, g);
    assert_string_equal(zv_builder_name(builder), "arm");
    assert_numbers(g, NUMBERS(1, 2, 3), 3);
    assert_true(zv_builder_free_base(builder));
    assert_false(zv_builder_mimic_coupled(builder));
    zv_builder_destroy(builder);
}

static void settings_default(void **state) {
    (void)state;
    zvBuilder *builder = read_text("{\"zveno\": 1}");
    double g[3];
    zv_builder_gravity(builder, g);
    assert_numbers(g, NUMBERS(0, 0, -9.81), 3);
    assert_false(zv_builder_free_base(builder));
    assert_true(zv_builder_mimic_coupled(builder));
    assert_int_equal(zv_builder_nlink(builder), 0);
    zv_builder_destroy(builder);
}

static void links(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\n"
                                   "links:\n"
                                   "  - name: base\n"
                                   "  - {name: arm, mass: 1.5, com: [0.1, 0.2, 0.3], inertia: [1, 2, 3]}\n"
                                   "  - {name: fore, mass: 2, inertia: [1, 0.1, 0.2, 2, 0.3, 3]}\n"
                                   "  - {name: hand, mass: 2, com: [1, 2, 3], inertia: [40, 1, 2, 30, 3, 20],\n"
                                   "     inertia_about: origin}\n"
                                   "  - {name: same, inertia: [1, 1, 1], inertia_about: com}\n");
    const zvLink *base = zv_builder_link(builder, 0), *arm = zv_builder_link(builder, 1);
    const zvLink *fore = zv_builder_link(builder, 2), *hand = zv_builder_link(builder, 3);
    assert_false(base->has_inertia);
    assert_true(arm->has_inertia && arm->inertia.mass == 1.5);
    assert_numbers(arm->inertia.com, NUMBERS(0.1, 0.2, 0.3), 3);
    assert_numbers(arm->inertia.moment, NUMBERS(1, 0, 0, 2, 0, 3), 6);
    assert_numbers(fore->inertia.moment, NUMBERS(1, 0.1, 0.2, 2, 0.3, 3), 6);
    /* 40 - 2 (4 + 9), 1 + 2 * 1 * 2, ... */
    assert_numbers(hand->inertia.moment, NUMBERS(14, 5, 8, 10, 15, 10), 6);
    assert_true(zv_builder_link(builder, 4)->has_inertia);
    assert_string_equal(arm->mark.file, "robot.yaml");
    assert_int_equal(arm->mark.line, 4);
    assert_int_equal(arm->mark.column, 5);
    zv_builder_destroy(builder);
}

static void shapes(void **state) {
    (void)state;
    zvBuilder *builder =
        read_text("zveno: 1\n"
                  "links:\n"
                  "  - name: arm\n"
                  "    shapes:\n"
                  "      - {kind: box, size: [0.1, 0.2, 0.4], pose: {xyz: [0, 0, 0.2]}, color: [0.8, 0.2, 0.1, 0.5],\n"
                  "         collision: true, name: shell}\n"
                  "      - {kind: cylinder, radius: 0.05, length: 0.4, color: [1, 0, 0]}\n"
                  "      - {kind: sphere, radius: 0.06}\n"
                  "      - {kind: mesh, file: arm.stl, scale: [1, 2, 3]}\n"
                  "      - {kind: mesh, file: 'package://x/y z.dae'}\n"
                  "shapes: [{link: arm, kind: sphere, radius: 2}]\n");
    assert_int_equal(zv_builder_nshape(builder), 6);
    const zvShape *box = zv_builder_shape(builder, 0), *rod = zv_builder_shape(builder, 1);
    assert_int_equal(box->kind, ZV_SHAPE_BOX);
    assert_numbers(box->size, NUMBERS(0.1, 0.2, 0.4), 3);
    assert_numbers(box->pose.p, NUMBERS(0, 0, 0.2), 3);
    assert_numbers(box->color, NUMBERS(0.8, 0.2, 0.1, 0.5), 4);
    assert_true(box->collision && box->has_color);
    assert_string_equal(box->name, "shell");
    assert_string_equal(box->link, "arm");
    assert_int_equal(box->mark.line, 5);
    assert_int_equal(rod->kind, ZV_SHAPE_CYLINDER);
    assert_true(rod->size[0] == 0.05 && rod->size[1] == 0.4 && rod->color[3] == 1 && !rod->collision);
    assert_null(rod->name);
    assert_int_equal(zv_builder_shape(builder, 2)->kind, ZV_SHAPE_SPHERE);
    assert_true(zv_builder_shape(builder, 2)->size[0] == 0.06 && !zv_builder_shape(builder, 2)->has_color);
    assert_string_equal(zv_builder_shape(builder, 3)->mesh, "arm.stl");
    assert_numbers(zv_builder_shape(builder, 3)->size, NUMBERS(1, 2, 3), 3);
    assert_string_equal(zv_builder_shape(builder, 4)->mesh, "package://x/y z.dae");
    assert_numbers(zv_builder_shape(builder, 4)->size, NUMBERS(1, 1, 1), 3);
    assert_string_equal(zv_builder_shape(builder, 5)->link, "arm");
    zv_builder_destroy(builder);
}

static void joint_types(void **state) {
    (void)state;
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        char text[400];
        const char *more = type == ZV_JOINT_HELICAL ? "pitch: 0.1"
                           : type == ZV_JOINT_CURVE ? "curve: {line: {direction: [0, 1, 0]}}"
                                                    : "";
        snprintf(text, sizeof text, "zveno: 1\njoints:\n - {name: j, type: %s, parent: a, child: b, %s}\n",
                 zv_joint_type_word((zvJointType)type), more);
        zvBuilder *builder = read_text(text);
        const zvJoint *joint = zv_builder_joint(builder, 0);
        assert_int_equal(joint->type, type);
        assert_string_equal(joint->name, "j");
        assert_string_equal(joint->parent, "a");
        assert_string_equal(joint->child, "b");
        assert_numbers(joint->axis, NUMBERS(0, 0, 1), 3);
        assert_null(joint->mimic);
        assert_int_equal(joint->mark.line, 3);
        zv_builder_destroy(builder);
    }
}

static void joint_keys(void **state) {
    (void)state;
    zvBuilder *builder =
        read_text("zveno: 1\n"
                  "joints:\n"
                  "  - name: shoulder\n"
                  "    type: revolute\n"
                  "    parent: base\n"
                  "    child: arm\n"
                  "    origin: {xyz: [1, 2, 3], rpy: [0.1, 0.2, 0.3]}\n"
                  "    axis: [0, 2, 0]\n"
                  "    limits: {lower: -90 deg, upper: pi/2, effort: 80, velocity: 2}\n"
                  "    armature: 0.3\n"
                  "    damping: 0.1\n"
                  "    friction: 0.5\n"
                  "    spring: {stiffness: 100, rest: 0.2}\n"
                  "    mimic: {joint: elbow, ratio: -2, offset: 0.7}\n"
                  "  - {name: screw, type: helical, parent: arm, child: nut, pitch: 0.005,\n"
                  "     rotor: {inertia: 2e-4, ratio: 100}, limits: {effort: 3}}\n"
                  "  - {name: cross, type: universal, parent: nut, child: c, axis: [1, 0, 0], axis2: [0, 3, 0]}\n"
                  "  - {name: m, type: prismatic, parent: c, child: d, mimic: {joint: elbow}}\n");
    const zvJoint *joint = zv_builder_joint(builder, 0);
    const zvPose origin = zv_pose_from_rpy(NUMBERS(1, 2, 3), NUMBERS(0.1, 0.2, 0.3));
    assert_memory_equal(&joint->origin, &origin, sizeof origin);
    assert_numbers(joint->axis, NUMBERS(0, 2, 0), 3);
    const zvDof *dof = &joint->dof[0];
    assert_true(dof->has_limits && fabs(dof->lower + PI / 2) < 1e-15 && dof->upper == PI / 2);
    assert_true(dof->effort == 80 && dof->velocity == 2 && dof->armature == 0.3 && dof->damping == 0.1);
    assert_true(dof->friction == 0.5 && dof->stiffness == 100 && dof->rest == 0.2);
    assert_string_equal(joint->mimic, "elbow");
    assert_true(joint->ratio == -2 && joint->offset == 0.7);
    const zvJoint *screw = zv_builder_joint(builder, 1), *cross = zv_builder_joint(builder, 2);
    assert_true(screw->pitch == 0.005 && screw->dof[0].armature == 2e-4 * 100 * 100);
    assert_true(!screw->dof[0].has_limits && screw->dof[0].effort == 3);
    assert_numbers(cross->axis, NUMBERS(1, 0, 0), 3);
    assert_numbers(cross->axis2, NUMBERS(0, 3, 0), 3);
    const zvJoint *follower = zv_builder_joint(builder, 3);
    assert_true(follower->ratio == 1 && follower->offset == 0);
    zv_builder_destroy(builder);
}

static void freedoms(void **state) {
    (void)state;
    zvBuilder *builder =
        read_text("zveno: 1\n"
                  "joints:\n"
                  "  - {name: c, type: cylindrical, parent: a, child: b, damping: 0.5, dofs: [{armature: 0.1,\n"
                  "     limits: {lower: 0, upper: 1}}, {damping: 0.2, rotor: {inertia: 3}}]}\n"
                  "  - {name: f, type: free, parent: b, child: d, armature: 2}\n"
                  "  - {name: s, type: spherical, parent: d, child: e, limits: {effort: 4, velocity: 5}}\n"
                  "  - {name: r, type: revolute, parent: e, child: f, dofs: [{friction: 9}]}\n");
    const zvDof *c = zv_builder_joint(builder, 0)->dof;
    assert_true(c[0].damping == 0.5 && c[0].armature == 0.1 && c[0].has_limits && c[0].upper == 1);
    assert_true(c[1].damping == 0.2 && c[1].armature == 3 && !c[1].has_limits);
    for (int i = 0; i < 6; i++) assert_true(zv_builder_joint(builder, 1)->dof[i].armature == 2);
    for (int i = 0; i < 3; i++) {
        const zvDof *s = &zv_builder_joint(builder, 2)->dof[i];
        assert_true(s->effort == 4 && s->velocity == 5 && !s->has_limits);
    }
    assert_true(zv_builder_joint(builder, 3)->dof[0].friction == 9);
    zv_builder_destroy(builder);
}

static void curves(void **state) {
    (void)state;
    zvBuilder *builder = read_text(
        "zveno: 1\n"
        "joints:\n"
        "  - {name: l, type: curve, parent: a, child: b, curve: {line: {direction: [1, 2, 3]}}}\n"
        "  - {name: c, type: curve, parent: b, child: c, curve: {circle: {center: [1, 2, 3],\n"
        "     normal: [0, 1, 0], start: [0, 0, 1], radius: 0.5}}}\n"
        "  - {name: d, type: curve, parent: c, child: d, curve: {circle: {radius: 2}}}\n"
        "  - {name: s, type: curve, parent: d, child: e, curve: {spline: {points: [[0, 0, 0], [1, 0, 0],\n"
        "     [1, 1, 0]], closed: true}}}\n"
        "  - {name: o, type: curve, parent: e, child: f, curve: {spline: {points: [[0, 0, 0], [1, 0, 0]]}}}\n");
    const zvCurve *line = &zv_builder_joint(builder, 0)->curve, *circle = &zv_builder_joint(builder, 1)->curve;
    assert_int_equal(line->kind, ZV_CURVE_LINE);
    assert_numbers(line->direction, NUMBERS(1, 2, 3), 3);
    assert_int_equal(circle->kind, ZV_CURVE_CIRCLE);
    assert_numbers(circle->center, NUMBERS(1, 2, 3), 3);
    assert_numbers(circle->normal, NUMBERS(0, 1, 0), 3);
    assert_numbers(circle->start, NUMBERS(0, 0, 1), 3);
    assert_true(circle->radius == 0.5);
    const zvCurve *plain = &zv_builder_joint(builder, 2)->curve;
    assert_numbers(plain->center, NUMBERS(0, 0, 0), 3);
    assert_numbers(plain->normal, NUMBERS(0, 0, 1), 3);
    assert_numbers(plain->start, NUMBERS(1, 0, 0), 3);
    const zvCurve *spline = &zv_builder_joint(builder, 3)->curve, *open = &zv_builder_joint(builder, 4)->curve;
    assert_int_equal(spline->kind, ZV_CURVE_SPLINE);
    assert_int_equal(spline->count, 3);
    assert_numbers(spline->points, NUMBERS(0, 0, 0, 1, 0, 0, 1, 1, 0), 9);
    assert_true(spline->closed && !open->closed && open->count == 2);
    zv_builder_destroy(builder);
}

static void poses(void **state) {
    (void)state;
    zvBuilder *builder =
        read_text("zveno: 1\n"
                  "frames:\n"
                  "  - {name: here, link: hand}\n"
                  "  - {name: tool, link: hand, pose: {xyz: [1, 2, 3]}}\n"
                  "  - {name: turned, link: hand, pose: {quaternion: [0, 0, 0.707, 0.707]}}\n"
                  "  - {name: kept, link: hand, pose: {rotation: [0.8, -0.6, 0, 0.6000000001, 0.8, 0, 0, 0, 1]}}\n"
                  "  - {name: yaw, link: hand, pose: {rpy: [0, 0, 0.5]}}\n");
    assert_int_equal(zv_builder_nframe(builder), 5);
    const zvPose identity = zv_pose_identity();
    assert_memory_equal(&zv_builder_frame(builder, 0)->pose, &identity, sizeof identity);
    assert_string_equal(zv_builder_frame(builder, 1)->link, "hand");
    assert_numbers(zv_builder_frame(builder, 1)->pose.p, NUMBERS(1, 2, 3), 3);
    const double *turned = zv_builder_frame(builder, 2)->pose.R; /* normalised: a quarter turn about z */
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) assert_true(fabs(turned[i] - quarter[i]) < 1e-15);
    assert_numbers(zv_builder_frame(builder, 3)->pose.R, NUMBERS(0.8, -0.6, 0, 0.6000000001, 0.8, 0, 0, 0, 1), 9);
    assert_true(zv_builder_frame(builder, 4)->pose.R[3] == sin(0.5));
    assert_int_equal(zv_builder_frame(builder, 4)->mark.line, 7);
    zv_builder_destroy(builder);
}

static void joints_and_chains_keep_their_order(void **state) {
    (void)state;
    zvBuilder *builder = read_text("zveno: 1\n"
                                   "chain: {convention: modified, parent: a, rows: [{joint: first, link: b}]}\n"
                                   "joints: [{name: second, type: fixed, parent: b, child: c}]\n"
                                   "links: [{name: a, mass: 1}, {name: c}]\n");
    assert_string_equal(zv_builder_joint(builder, 0)->name, "first");
    assert_string_equal(zv_builder_joint(builder, 1)->name, "second");
    assert_int_equal(zv_builder_nlink(builder), 3); /* the chain found its parent among the links */
    zv_builder_destroy(builder);
}

TESTS(settings, settings_default, links, shapes, joint_types, joint_keys, freedoms, curves, poses,
      joints_and_chains_keep_their_order)
