/* Small robots for the tests of actuation, made by the builder. */
#ifndef ZV_TESTS_ACTUATE_ROBOTS_H
#define ZV_TESTS_ACTUATE_ROBOTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "zveno/zveno.h"

static inline zvModel *freeze_robot(zvBuilder *b) {
    zvModel *model = NULL;
    zvError error;
    if (zv_builder_freeze(b, &model, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    zv_builder_destroy(b);
    return model;
}

/* A link of the given inertia on a joint of the given type and axis, whose frame stands at p in the parent. */
static inline void add_part(zvBuilder *b, const char *name, const char *parent, zvJointType type, const double axis[3],
                            const double p[3], zvInertia inertia) {
    zvLink link = zv_link_default(name);
    char joint_name[40];
    snprintf(joint_name, sizeof joint_name, "j_%s", name);
    zvJoint joint = zv_joint_default(joint_name, type, parent, name);
    link.inertia = inertia;
    for (int i = 0; i < 3; i++) {
        joint.axis[i] = axis[i];
        joint.origin.p[i] = p[i];
    }
    zvError error;
    if (zv_builder_add_link(b, &link, &error) < 0 || zv_builder_add_joint(b, &joint, &error) < 0) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
}

static inline zvBuilder *new_robot(const double gravity[3]) {
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base");
    zv_builder_add_link(b, &base, NULL);
    zv_builder_set_gravity(b, gravity);
    return b;
}

/* Two links of 0.5 and 0.4 m in a vertical plane, x to the right, y up; 6 and 4 kg, centres half-way. */
static inline zvModel *two_link(void) {
    const double down[3] = {0, -9.81, 0}, z[3] = {0, 0, 1}, here[3] = {0}, elbow[3] = {0.5, 0, 0};
    zvBuilder *b = new_robot(down);
    add_part(b, "upper", "base", ZV_JOINT_CONTINUOUS, z, here,
             (zvInertia){.mass = 6, .com = {0.25, 0, 0}, .moment = {0.012, 0, 0, 0.125, 0, 0.125}});
    double across = 4 * 0.4 * 0.4 / 12;
    add_part(b, "fore", "upper", ZV_JOINT_CONTINUOUS, z, elbow,
             (zvInertia){.mass = 4, .com = {0.2, 0, 0}, .moment = {0.008, 0, 0, across, 0, across}});
    zvFrame tip = zv_frame_default("tip", "fore");
    tip.pose.p[0] = 0.4;
    zv_builder_add_frame(b, &tip, NULL);
    return freeze_robot(b);
}

/* M and C v + g of two_link in closed form. */
static inline void two_link_terms(const double q[2], const double v[2], double M[4], double bias[2]) {
    double c2 = cos(q[1]), s2 = sin(q[1]), i2 = 4 * 0.4 * 0.4 / 12, g = 9.81;
    double a = 0.125 + 6 * 0.0625 + i2 + 4 * (0.25 + 0.04), b = 4 * 0.5 * 0.2, c = i2 + 4 * 0.04;
    M[0] = a + 2 * b * c2;
    M[1] = M[2] = c + b * c2;
    M[3] = c;
    double g2 = 4 * 0.2 * g * cos(q[0] + q[1]);
    bias[0] = -b * s2 * v[1] * (2 * v[0] + v[1]) + (6 * 0.25 + 4 * 0.5) * g * cos(q[0]) + g2;
    bias[1] = b * s2 * v[0] * v[0] + g2;
}

/* A block of mass m that slides along x. */
static inline zvModel *block(double mass) {
    const double none[3] = {0}, x[3] = {1, 0, 0};
    zvBuilder *b = new_robot(none);
    add_part(b, "block", "base", ZV_JOINT_PRISMATIC, x, none, (zvInertia){.mass = mass, .moment = {1, 0, 0, 1, 0, 1}});
    return freeze_robot(b);
}

#endif
