/* Motions of free and ball joints along routes. */
#include "actuate/element.h"
#include "base/require.h"
#include "spatial/quaternion.h"

#include <math.h>

/* The motion of a free or a ball joint along a route. Its velocities are those of the child in the child's axes:
 *   v = R^T p',  a = R^T p'' - w x v,      w = R^T omega,  dw/dt = R^T alpha
 * docs/actuation.md 4. Where only the position is led, R and w are those of the motion. */

static void to_body(const double R[9], const double *x, double *y) {
    for (int i = 0; i < 3; i++) y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}

static zvPose pose_at(const ziElement *e, double t, const double *q, double velocity[6], double acceleration[6]) {
    zvPose pose;
    zv_route_at(e->route, t, &pose, velocity, acceleration);
    if (!e->of.pose.turns) zi_rotation_of(q + e->of.pose.at_turn, pose.R);
    return pose;
}

/* Of the two quaternions of a rotation the one nearer to what stands there: it goes on without jumps of sign. */
static void set_turn(const double R[9], double *turn) {
    double e[4], square = 0, along = 0;
    zi_quaternion_of(R, e);
    for (int i = 0; i < 4; i++) {
        square += e[i] * e[i];
        along += e[i] * turn[i];
    }
    for (int i = 0; i < 4; i++) turn[i] = (along < 0 ? -e[i] : e[i]) / sqrt(square);
}

/* The turn first: the velocity of the place is told in its axes. */
static void pose_impose(const zvDrives *d, const ziElement *e, ziEffortsScratch *scratch, double t, double *q,
                        double *v) {
    const ziPoseData *x = &e->of.pose;
    double velocity[6];
    const zvPose pose = pose_at(e, t, q, velocity, NULL);
    (void)d, (void)scratch;
    if (x->turns) {
        set_turn(pose.R, q + x->at_turn);
        to_body(pose.R, velocity + 3, v + x->at_w);
    }
    if (!x->places) return;
    for (int i = 0; i < 3; i++) q[x->at_p + i] = pose.p[i];
    to_body(pose.R, velocity, v + x->at_v);
}

/* R and w are imposed where the route leads them, else those of the state. */
static void pose_give(const ziElement *e, const ziInstant *now) {
    const ziPoseData *x = &e->of.pose;
    double velocity[6], acceleration[6], v[3], *a = now->out->a;
    const double *w = now->v + x->at_w;
    const zvPose pose = pose_at(e, now->t, now->q, velocity, acceleration);
    if (x->turns) to_body(pose.R, acceleration + 3, a + x->at_w);
    if (x->places) {
        to_body(pose.R, velocity, v);
        to_body(pose.R, acceleration, a + x->at_v);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            a[x->at_v + i] -= w[j] * v[k] - w[k] * v[j];
        }
    }
    for (int k = 0; k < e->count; k++) now->out->given[e->dofs[k]] = ZV_GIVEN_ACCELERATION;
    now->out->mixed = true;
}

const ziElementKind zi_pose_kind = {.word = "prescribed motion",
                                    .actuates = true,
                                    .claim = zi_prescribed_claim,
                                    .impose = pose_impose,
                                    .give = pose_give,
                                    .conclude = zi_prescribed_conclude};

/* A free joint, or a ball joint of which the orientation is led. */
static zvStatus pose_check_joint(const zvDrives *d, const char *name, int joint, const zvRoute *route, zvError *error) {
    if (!route)
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, name,
                       "prescribed motion \"%s\": expected a route, found none; give one", name);
    if (joint < 0 || joint >= zv_model_njoint(d->model))
        return zv_fail(error, ZV_NAME, (zvMark){0}, name,
                       "prescribed motion \"%s\": expected one of %d joints, counted from 0, found %d", name,
                       zv_model_njoint(d->model), joint);
    const zvJoint *it = zv_model_joint(d->model, joint);
    if (it->type != ZV_JOINT_FREE && it->type != ZV_JOINT_SPHERICAL)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, (zvMark){0}, it->name,
            "prescribed motion \"%s\": expected a free or ball joint for a pose, found \"%s\"; give a law of "
            "its coordinates",
            name, it->name);
    if (it->type == ZV_JOINT_SPHERICAL && zv_route_places(route))
        return zv_fail(error, ZV_SCHEMA, (zvMark){0}, it->name,
                       "prescribed motion \"%s\": expected an orientation alone for ball joint \"%s\", found a "
                       "position; leave it out",
                       name, it->name);
    return ZV_OK;
}

/* The degrees of freedom that the route leads, and where they lie. */
static int pose_lay_out(const zvDrives *d, int joint, const zvRoute *route, ziPoseData *x, int dofs[6]) {
    const zvJointPlace place = zv_model_joint_place(d->model, joint);
    const int linear = zv_model_joint(d->model, joint)->type == ZV_JOINT_FREE ? 3 : 0;
    int count = 0;
    *x = (ziPoseData){.places = zv_route_places(route),
                      .turns = zv_route_turns(route),
                      .at_p = place.q_index,
                      .at_turn = place.q_index + linear,
                      .at_v = place.v_index,
                      .at_w = place.v_index + linear};
    for (int k = 0; x->places && k < 3; k++) dofs[count++] = x->at_v + k;
    for (int k = 0; x->turns && k < 3; k++) dofs[count++] = x->at_w + k;
    return count;
}

zvStatus zv_drives_add_pose_motion(zvDrives *d, const char *name, int joint, zvRoute *route, zvError *error) {
    ZI_REQUIRE(d);
    ziElement e = {.kind = &zi_pose_kind, .route = route};
    int dofs[6], count = 0;
    zvStatus status = pose_check_joint(d, name ? name : "", joint, route, error);
    if (status == ZV_OK) count = pose_lay_out(d, joint, route, &e.of.pose, dofs);
    if (status == ZV_OK) status = zi_drives_open(d, &e, name, count, dofs, error);
    for (int k = 0; status == ZV_OK && k < count; k++) status = zi_prescribed_check_place(d, &e, dofs[k], error);
    return zi_drives_close(d, &e, status, error);
}
