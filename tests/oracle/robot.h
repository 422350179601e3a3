/* A robot with its workspace, comparisons that print both numbers, and a classical Runge-Kutta integrator of order
 * four with a fixed step: enough to follow short motions that are known to many digits. */
#ifndef ZV_TESTS_ORACLE_ROBOT_H
#define ZV_TESTS_ORACLE_ROBOT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/near.h"
#include "zveno/zveno.h"

enum { MAX = 16, MAX_LINKS = 16 };

typedef struct Robot {
    zvModel *model;
    zvWork *work;
    int nq, nv;
} Robot;

/* Freezes and destroys the builder. */
static inline Robot robot_from(zvBuilder *builder) {
    char line[1024];
    zvError error = {0};
    Robot robot = {0};
    if (zv_builder_freeze(builder, &robot.model, &error) < 0) fail_msg("%s", zv_error_line(&error, line, sizeof line));
    zv_builder_destroy(builder);
    robot.work = zv_work_create(robot.model, &error);
    assert_non_null(robot.work);
    robot.nq = zv_model_nq(robot.model);
    robot.nv = zv_model_nv(robot.model);
    assert_true(robot.nq <= MAX && zv_model_nlink(robot.model) <= MAX_LINKS);
    return robot;
}

/* A file of models/, to be changed before it is frozen. */
static inline zvBuilder *read_model(const char *file) {
    char path[512], line[1024];
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    snprintf(path, sizeof path, "%s/models/%s", ZV_SOURCE_DIR, file);
    if (zv_read_file(builder, path, ZV_FORMAT_AUTO, &error) < 0)
        fail_msg("%s", zv_error_line(&error, line, sizeof line));
    return builder;
}

static inline Robot open_robot(const char *file) { return robot_from(read_model(file)); }

static inline void close_robot(Robot *robot) {
    zv_work_destroy(robot->work);
    zv_model_destroy(robot->model);
}

/* A link with moments about its centre of mass, and the joint above it: revolute or prismatic, by axis and offset. */
static inline void add_body(zvBuilder *b, const char *name, const char *parent, zvJointType type, const double axis[3],
                            const double at[3], double mass, const double com[3], const double moments[3]) {
    zvError error = {0};
    zvLink link = zv_link_default(name);
    zvJoint joint = zv_joint_default(name, type, parent, name);
    link.inertia.mass = mass;
    link.has_inertia = mass > 0;
    for (int i = 0; i < 3; i++) {
        link.inertia.com[i] = com[i];
        link.inertia.moment[i == 0 ? 0 : i == 1 ? 3 : 5] = moments[i];
        joint.axis[i] = axis[i];
        joint.origin.p[i] = at[i];
    }
    assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
}

/* A builder with the ground link "base". */
static inline zvBuilder *new_builder(const double gravity[3]) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    zvLink base = zv_link_default("base");
    assert_int_equal(zv_builder_add_link(builder, &base, &error), ZV_OK);
    zv_builder_set_gravity(builder, gravity);
    return builder;
}

/* Accelerations at a state: of free motion, or with the forces of a case. */
typedef void (*Accelerate)(const Robot *robot, double t, const double *q, const double *v, double *a);

static inline void fall(const Robot *robot, double t, const double *q, const double *v, double *a) {
    static const double none[MAX] = {0};
    (void)t;
    assert_int_equal(zv_forward_dynamics(robot->model, robot->work, q, v, none, NULL, a), ZV_OK);
}

/* Rates of q: v, but for a free joint at the root its position and quaternion turn with the body. */
static inline void rates(const Robot *robot, const double *q, const double *v, double *dq) {
    const bool free_root = robot->nq != robot->nv;
    for (int i = free_root ? 7 : 0; i < robot->nq; i++) dq[i] = v[i - (free_root ? 1 : 0)];
    if (!free_root) return;
    zvPose pose;
    const double *e = q + 3, *w = v + 3;
    zv_frame_pose(robot->model, robot->work, q, zv_model_joint_place(robot->model, 0).child, &pose);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        dq[i] = pose.R[3 * i] * v[0] + pose.R[3 * i + 1] * v[1] + pose.R[3 * i + 2] * v[2];
        dq[3 + i] = 0.5 * (e[3] * w[i] + e[j] * w[k] - e[k] * w[j]);
    }
    dq[6] = -0.5 * (e[0] * w[0] + e[1] * w[1] + e[2] * w[2]);
}

/* One step of length h from time t, in place. */
static inline void step(const Robot *robot, Accelerate accelerate, double t, double h, double *q, double *v) {
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double dq[MAX] = {0}, dv[MAX] = {0}, x[MAX], y[MAX], sum_q[MAX] = {0}, sum_v[MAX] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < robot->nq; i++) x[i] = q[i] + node[s] * h * dq[i];
        for (int i = 0; i < robot->nv; i++) y[i] = v[i] + node[s] * h * dv[i];
        rates(robot, x, y, dq);
        accelerate(robot, t + node[s] * h, x, y, dv);
        for (int i = 0; i < robot->nq; i++) sum_q[i] += weight[s] * dq[i];
        for (int i = 0; i < robot->nv; i++) sum_v[i] += weight[s] * dv[i];
    }
    for (int i = 0; i < robot->nq; i++) q[i] += h * sum_q[i];
    for (int i = 0; i < robot->nv; i++) v[i] += h * sum_v[i];
    zv_position_normalize(robot->model, q);
}

/* From time t0 to t1 in equal steps not longer than h. */
static inline void run(const Robot *robot, Accelerate accelerate, double t0, double t1, double h, double *q,
                       double *v) {
    const int steps = (int)ceil((t1 - t0) / h - 1e-9);
    for (int i = 0; i < steps; i++) step(robot, accelerate, t0 + (t1 - t0) * i / steps, (t1 - t0) / steps, q, v);
}

#endif
