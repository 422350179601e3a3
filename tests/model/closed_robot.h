/* Robots with closed loops, built in code, for tests of frozen models. */
#ifndef ZV_TEST_CLOSED_ROBOT_H
#define ZV_TEST_CLOSED_ROBOT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "freeze.h"
#include "zveno/builder.h"

static inline void add_link(zvBuilder *b, const char *name) {
    zvLink link = zv_link_default(name);
    link.inertia = (zvInertia){1, {0.1, 0.02, 0}, {0.03, 0, 0, 0.04, 0.001, 0.05}};
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
}

static inline zvJoint *add_joint(zvBuilder *b, const char *name, zvJointType type, const char *parent,
                                 const char *child) {
    zvJoint joint = zv_joint_default(name, type, parent, child);
    joint.origin = zv_pose_from_rpy((double[]){0.3, 0.1, -0.2}, (double[]){0.1, -0.2, 0.3});
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
    return zv_builder_joint(b, zv_builder_njoint(b) - 1);
}

static inline zvLoop *add_loop(zvBuilder *b, const char *name, zvLoopKind kind, zvJointType type, const char *parent,
                               const char *child) {
    zvLoop loop = zv_loop_default(name, kind, type, parent, child);
    loop.origin = zv_pose_from_rpy((double[]){0.2, 0, 0.1}, (double[]){0.5, 0, -0.3});
    loop.child_origin = zv_pose_from_rpy((double[]){0, 0.4, 0}, (double[]){0, 0.7, 0});
    loop.length = 0.5;
    assert_int_equal(zv_builder_add_loop(b, &loop, NULL), ZV_OK);
    return zv_builder_loop(b, zv_builder_nloop(b) - 1);
}

static inline void add_coupling(zvBuilder *b, const char *name, int count, const zvLoopTerm *terms) {
    zvLoop loop = zv_loop_default(name, ZV_LOOP_COUPLING, ZV_JOINT_FIXED, NULL, NULL);
    loop.offset = 0.25;
    loop.term_count = count;
    loop.terms = terms;
    assert_int_equal(zv_builder_add_loop(b, &loop, NULL), ZV_OK);
}

/* base -a- one -b- two, base -c- three, and a frame "hole" on three. */
static inline zvBuilder *robot(void) {
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base");
    add_link(b, "one");
    add_link(b, "two");
    add_link(b, "three");
    add_joint(b, "a", ZV_JOINT_REVOLUTE, "base", "one");
    add_joint(b, "b", ZV_JOINT_REVOLUTE, "one", "two");
    add_joint(b, "c", ZV_JOINT_REVOLUTE, "base", "three");
    zvFrame hole = zv_frame_default("hole", "three");
    hole.pose = zv_pose_from_rpy((double[]){0.1, 0.2, 0.3}, (double[]){0.4, -0.5, 0.6});
    assert_int_equal(zv_builder_add_frame(b, &hole, NULL), ZV_OK);
    return b;
}

static const double tight = 1e-14;

static inline void expect_pose(const zvPose *found, const zvPose *expected) {
    for (int i = 0; i < 9; i++) assert_true(fabs(found->R[i] - expected->R[i]) < tight);
    for (int i = 0; i < 3; i++) assert_true(fabs(found->p[i] - expected->p[i]) < tight);
}

#endif
