/* A loose body joined to the ground by one loop: put anywhere, it shows what the loop makes of any pose. */
#ifndef ZV_TEST_LOOPS_LOOSE_H
#define ZV_TEST_LOOPS_LOOSE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_joint.h"
#include "support/reference_joint.h"
#include "zveno/zveno.h"

typedef struct Loose {
    zvLoop loop;
    double points[3 * RT_MAX_POINTS];
    zvJoint joint; /* the same as a joint */
    refJoint ref;
    zvModel *model;
    zvWork *work;
} Loose;

/* Quaternion x, y, z, w of a rotation (row-major), by the largest of its squares. */
static inline void quaternion_of(const double R[9], double q[4]) {
    const double square[4] = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8],
                              1 + R[0] + R[4] + R[8]};
    const double product[4][4] = {{square[0], R[1] + R[3], R[2] + R[6], R[7] - R[5]},
                                  {R[1] + R[3], square[1], R[5] + R[7], R[2] - R[6]},
                                  {R[2] + R[6], R[5] + R[7], square[2], R[3] - R[1]},
                                  {R[7] - R[5], R[2] - R[6], R[3] - R[1], square[3]}};
    int best = 0;
    for (int i = 1; i < 4; i++) best = square[i] > square[best] ? i : best;
    for (int i = 0; i < 4; i++) q[i] = product[best][i] / (2 * sqrt(square[best]));
}

static inline void loose_draw(Loose *l, rtRandom *random, zvJointType type, unsigned curves) {
    rtTree *scratch = calloc(1, sizeof *scratch);
    if (!scratch) abort();
    rtOptions options = rt_options_default(1);
    options.types = 1u << type;
    options.curves = curves;
    rt_draw_joint(scratch, random, &options, 0);
    memcpy(l->points, scratch->points[0], sizeof l->points);
    l->loop = zv_loop_default("loop", ZV_LOOP_JOINT, type, "ground", "body");
    l->joint = zv_joint_default("loop", type, "ground", "body");
    memcpy(l->joint.axis, scratch->joints[0].axis, sizeof l->joint.axis);
    memcpy(l->joint.axis2, scratch->joints[0].axis2, sizeof l->joint.axis2);
    l->joint.pitch = scratch->joints[0].pitch;
    l->joint.curve = scratch->joints[0].curve;
    if (l->joint.curve.points) l->joint.curve.points = l->points;
    free(scratch);
    rt_origin(random, false, &l->loop.origin);
    rt_origin(random, false, &l->loop.child_origin);
}

/* After changes of loop and joint; what the loop has of axes and curves comes from the joint. */
static inline bool loose_freeze(Loose *l) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvLink ground = zv_link_default("ground"), body = zv_link_default("body");
    zvJoint floating = zv_joint_default("floating", ZV_JOINT_FREE, "ground", "body");
    body.has_inertia = true;
    body.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
    memcpy(l->loop.axis, l->joint.axis, sizeof l->loop.axis);
    memcpy(l->loop.axis2, l->joint.axis2, sizeof l->loop.axis2);
    l->loop.pitch = l->joint.pitch;
    l->loop.curve = l->joint.curve;
    bool good = zv_builder_add_link(builder, &ground, &error) == ZV_OK &&
                zv_builder_add_link(builder, &body, &error) == ZV_OK &&
                zv_builder_add_joint(builder, &floating, &error) == ZV_OK &&
                zv_builder_add_loop(builder, &l->loop, &error) == ZV_OK &&
                zv_builder_freeze(builder, &l->model, &error) >= 0;
    if (!good) fprintf(stderr, "refused: %s\n", error.text);
    zv_builder_destroy(builder);
    l->work = good ? zv_work_create(l->model, &error) : NULL;
    ref_joint_open(&l->ref, &l->joint);
    return l->work;
}

static inline void loose_close(Loose *l) {
    ref_joint_close(&l->ref);
    zv_work_destroy(l->work);
    zv_model_destroy(l->model);
}

/* The joint's own pose at its coordinates, from the reference. */
static inline zvPose loose_joint(const Loose *l, const double *qc) {
    const exact zero[7] = {0};
    exact q[7];
    refPose pose;
    zvPose out;
    for (int i = 0; i < zv_joint_type_nq(l->loop.type); i++) q[i] = qc[i];
    ref_joint_pose(&l->ref, q, zero, zero, &pose);
    for (int i = 0; i < 9; i++) out.R[i] = (double)pose.R[i].x;
    for (int i = 0; i < 3; i++) out.p[i] = (double)pose.p[i].x;
    return out;
}

/* q that puts the child's frame at `pose` of the parent's. */
static inline void loose_put(const Loose *l, const zvPose *pose, double q[7]) {
    const zvPose back = rt_pose_inverse(&l->loop.child_origin), frame = zv_pose_compose(&l->loop.origin, pose),
                 body = zv_pose_compose(&frame, &back);
    memcpy(q, body.p, sizeof body.p);
    quaternion_of(body.R, q + 3);
}

/* Distance and angle between two poses. */
static inline void apart(const zvPose *a, const zvPose *b, double *distance, double *angle) {
    double square = 0, sine = 0, trace = 0, d[9];
    for (int i = 0; i < 3; i++) square += (a->p[i] - b->p[i]) * (a->p[i] - b->p[i]);
    for (int i = 0; i < 9; i++) {
        d[i] = 0;
        for (int k = 0; k < 3; k++) d[i] += a->R[3 * (i / 3) + k] * b->R[3 * (i % 3) + k];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sine += (d[3 * j + k] - d[3 * k + j]) * (d[3 * j + k] - d[3 * k + j]);
        trace += d[4 * i];
    }
    *distance = sqrt(square);
    *angle = atan2(sqrt(sine), trace - 1);
}

#endif
