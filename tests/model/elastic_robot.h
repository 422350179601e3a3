/* A robot with an elastic arm that carries several things, for tests of frozen models. */
#ifndef ZV_TEST_ELASTIC_ROBOT_H
#define ZV_TEST_ELASTIC_ROBOT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "freeze.h"
#include "zveno/builder.h"

static const double L = 2; /* of the arm */

static inline zvBeam beam(int y, int z, int twist, int axial) {
    zvBeam b = zv_beam_default();
    b.length = L;
    b.EIy = 300;
    b.EIz = 200;
    b.GJ = 100;
    b.EA = 1e6;
    b.rhoA = 1.5;
    b.rhoIy = 0.002;
    b.rhoIz = 0.003;
    b.modes[ZV_BEAM_BEND_Y] = y;
    b.modes[ZV_BEAM_BEND_Z] = z;
    b.modes[ZV_BEAM_TWIST] = twist;
    b.modes[ZV_BEAM_EXTEND] = axial;
    return b;
}

static inline void add_link(zvBuilder *b, const char *name, double mass, const zvBeam *elastic) {
    zvLink link = zv_link_default(name);
    if (mass > 0) link.inertia = (zvInertia){mass, {0.1, 0.02, 0}, {0.3, 0, 0, 0.4, 0.01, 0.5}};
    link.beam = elastic;
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
}

static inline zvJoint *add_joint(zvBuilder *b, const char *name, zvJointType type, const char *parent,
                                 const char *child, double x, double y, double z) {
    zvJoint joint = zv_joint_default(name, type, parent, child);
    joint.origin = zv_pose_from_rpy((double[]){x, y, z}, (double[]){0.1, -0.2, 0.3});
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
    return zv_builder_joint(b, zv_builder_njoint(b) - 1);
}

static inline void add_frame(zvBuilder *b, const char *name, const char *link, double x, double y, double z) {
    zvFrame frame = zv_frame_default(name, link);
    frame.pose = zv_pose_from_rpy((double[]){x, y, z}, (double[]){0, 0.4, 0});
    assert_int_equal(zv_builder_add_frame(b, &frame, NULL), ZV_OK);
}

/* base -shoulder(about y)- arm, elastic, which carries: hand (revolute, off the axis of the tip), box (fixed, at 0.5)
 * with lid (fixed to it) and flap (revolute on it), slide (prismatic, at mid-length); and frames at mid-length, where
 * the slide is, and alone at 1.5 and on the hand. */
static inline zvBuilder *robot(const zvBeam *arm) {
    zvBuilder *b = zv_builder_create(NULL);
    add_link(b, "base", 0, NULL);
    add_link(b, "arm", 2, arm);
    add_link(b, "hand", 1, NULL);
    add_link(b, "box", 1, NULL);
    add_link(b, "lid", 1, NULL);
    add_link(b, "flap", 1, NULL);
    add_link(b, "slide", 1, NULL);
    zvJoint *shoulder = add_joint(b, "shoulder", ZV_JOINT_REVOLUTE, "base", "arm", 0, 0, 1);
    memcpy(shoulder->axis, (double[]){0, 1, 0}, sizeof shoulder->axis);
    shoulder->dof[0].armature = 0.7;
    zvJoint *wrist = add_joint(b, "wrist", ZV_JOINT_REVOLUTE, "arm", "hand", L, 0.1, -0.2);
    memcpy(wrist->axis, (double[]){1, 0, 0}, sizeof wrist->axis);
    add_joint(b, "mount", ZV_JOINT_FIXED, "arm", "box", 0.5, 0, 0);
    add_joint(b, "cover", ZV_JOINT_FIXED, "box", "lid", 0, 0, 0.1);
    add_joint(b, "hinge", ZV_JOINT_REVOLUTE, "box", "flap", 0, 0.3, 0);
    add_joint(b, "rail", ZV_JOINT_PRISMATIC, "arm", "slide", L / 2, 0, 0);
    add_frame(b, "middle", "arm", L / 2, 0.3, 0);
    add_frame(b, "mark", "arm", 1.5, 0, 0);
    add_frame(b, "other", "arm", 0.3 / 0.2, 0.5, 0); /* 1.5 but for rounding */
    add_frame(b, "tool", "hand", 0, 0, 0.2);
    return b;
}

#endif
