/* A four-bar of any size s (m; masses like s^2), its plane x-y or turned in space, weightless: what it does in turns
 * does not depend on either. */
#ifndef ZV_TEST_FOUR_BAR_H
#define ZV_TEST_FOUR_BAR_H

#include <stdio.h>
#include <stdlib.h>

#include "zveno/builder.h"
#include "zveno/loops.h"

typedef struct FourBar {
    zvModel *model;
    zvWork *work;
    double q[3], v[3]; /* closed */
} FourBar;

static inline void four_bar_add(zvBuilder *b, const char *name, const char *on, double s, double at, double length,
                                const double rpy[3]) {
    const double m = s * s, place[3] = {at * s, 0, 0}, none[3] = {0, 0, 0};
    const zvPose turn = zv_pose_from_rpy(none, rpy), origin = zv_pose_from_rpy(place, none);
    zvLink link = zv_link_default(name);
    zvJoint joint = zv_joint_default(name, ZV_JOINT_CONTINUOUS, on, name);
    const double J = 0.1 * m * length * length * s * s;
    link.inertia = (zvInertia){.mass = m, .com = {0.5 * length * s, 0, 0}, .moment = {J, 0, 0, J, 0, J}};
    joint.origin = zv_pose_compose(&turn, &origin);
    zv_builder_add_link(b, &link, NULL);
    zv_builder_add_joint(b, &joint, NULL);
}

static inline FourBar four_bar(double s, bool turned) {
    const double weightless[3] = {0, 0, 0}, rpy[3] = {0.3, 0.4, 0.5};
    FourBar x = {.q = {1, -0.5, 1.4}, .v = {1, 0.5, -0.3}};
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    zvLink ground = zv_link_default("ground");
    zvLoop loop = zv_loop_default("hinge", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "coupler", "rocker");
    zv_builder_add_link(b, &ground, NULL);
    four_bar_add(b, "crank", "ground", s, 0, 0.2, turned ? rpy : weightless);
    four_bar_add(b, "coupler", "crank", s, 0.2, 0.5, weightless);
    four_bar_add(b, "rocker", "ground", s, 0.5, 0.4, turned ? rpy : weightless);
    loop.origin.p[0] = 0.5 * s;
    loop.child_origin.p[0] = 0.4 * s;
    zv_builder_add_loop(b, &loop, NULL);
    zv_builder_set_gravity(b, weightless);
    if (zv_builder_freeze(b, &x.model, &error) >= 0) x.work = zv_work_create(x.model, &error);
    if (!x.work || zv_assemble(x.model, x.work, NULL, NULL, x.q, &error) < 0 ||
        zv_close_velocity(x.model, x.work, NULL, x.q, NULL, x.v, NULL) < 0) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    zv_builder_destroy(b);
    return x;
}

static inline void four_bar_end(FourBar *x) {
    zv_work_destroy(x->work);
    zv_model_destroy(x->model);
}

#endif
