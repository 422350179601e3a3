/* Loops in a set of drives: springs and dampers of joints of every type that close one, moving targets, controllers.
 *
 * A body on a free joint that a loop joins to a carriage by a joint of some type moves as a body that hangs on a
 * tree joint of that type: the tree judges the loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "actuate/robots.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvError error;
static const double DOWN[3] = {0.3, -0.2, -9.81}, NOWHERE[3] = {0};
static const zvInertia CARRIAGE = {.mass = 3, .com = {0.1, 0.05, -0.1}, .moment = {0.4, 0.02, 0.01, 0.5, -0.03, 0.6}};
static const zvInertia BODY = {.mass = 1.5, .com = {0.1, -0.2, 0.15}, .moment = {0.2, 0.01, 0.02, 0.15, -0.01, 0.12}};
static const double points[12] = {0, 0, 0, 0.4, 0.2, 0.1, 0.7, 0.1, -0.2, 1.1, 0.3, 0.2};

/* A turn about (1, 2, 3). */
static void tilt(zvPose *pose, double angle) {
    const double n = sqrt(14), e[3] = {1 / n, 2 / n, 3 / n}, c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) pose->R[3 * i + j] = (1 - c) * e[i] * e[j] + (i == j) * c;
    pose->R[1] -= s * e[2], pose->R[2] += s * e[1], pose->R[3] += s * e[2];
    pose->R[5] -= s * e[0], pose->R[6] -= s * e[1], pose->R[7] += s * e[0];
}

/* The joint on which the body hangs, or by which the loop joins it. */
static zvJoint joint_of(zvJointType type) {
    zvJoint joint = zv_joint_default("joint", type, "carriage", "body");
    const double axis[3] = {0.6, 0, 0.8}, axis2[3] = {0.1, 1, 0.4}, p[3] = {0.3, -0.1, 0.2};
    memcpy(joint.axis, axis, sizeof axis);
    memcpy(joint.axis2, axis2, sizeof axis2);
    memcpy(joint.origin.p, p, sizeof p);
    tilt(&joint.origin, 0.7);
    joint.pitch = 0.15;
    joint.curve = (zvCurve){.kind = ZV_CURVE_SPLINE, .count = 4, .points = points};
    for (int k = 0; k < zv_joint_type_nv(type); k++) {
        joint.dof[k].damping = 0.7 + 0.3 * k;
        joint.dof[k].lower = -9, joint.dof[k].upper = 9;
        if (type == ZV_JOINT_SPHERICAL) continue;
        joint.dof[k].stiffness = 5 + 2 * k;
        joint.dof[k].rest = 0.2;
    }
    return joint;
}

/* A carriage that slides and swings, and the body. */
typedef enum Closing { HANGS, JOINED, DRIVEN } Closing;

static zvModel *machine(zvJointType type, Closing closing) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    zvBuilder *b = new_robot(DOWN);
    add_part(b, "slide", "base", ZV_JOINT_PRISMATIC, x, NOWHERE, CARRIAGE);
    add_part(b, "carriage", "slide", ZV_JOINT_CONTINUOUS, y, z, CARRIAGE);
    zvJoint joint = joint_of(type);
    if (closing != HANGS) {
        add_part(b, "body", "base", ZV_JOINT_FREE, z, NOWHERE, BODY);
        zvLoop loop = zv_loop_default("closing", ZV_LOOP_JOINT, type, "carriage", "body");
        loop.origin = joint.origin;
        loop.pitch = joint.pitch;
        loop.driven = closing == DRIVEN;
        loop.curve = joint.curve;
        memcpy(loop.axis, joint.axis, sizeof loop.axis);
        memcpy(loop.axis2, joint.axis2, sizeof loop.axis2);
        memcpy(loop.dof, joint.dof, sizeof loop.dof);
        assert_int_equal(zv_builder_add_loop(b, &loop, &error), ZV_OK);
    } else {
        zvLink link = zv_link_default("body");
        link.inertia = BODY;
        assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    return freeze_robot(b);
}

/* The quaternion of a rotation whose angle is well below pi. */
static void quaternion(const double R[9], double e[4]) {
    e[3] = 0.5 * sqrt(1 + R[0] + R[4] + R[8]);
    e[0] = (R[7] - R[5]) / (4 * e[3]);
    e[1] = (R[2] - R[6]) / (4 * e[3]);
    e[2] = (R[3] - R[1]) / (4 * e[3]);
}

/* The state of the joined machine that looks like (q, v) of the other. */
static void same_state(const zvModel *tree, zvWork *work, const double *q, const double *v, double *q_joined,
                       double *v_joined) {
    zvPose pose;
    double velocity[6];
    const int frame = zv_model_find_frame(tree, "body");
    zv_frame_pose(tree, work, q, frame, &pose);
    zv_frame_velocity(tree, work, q, v, frame, ZV_AXES_LOCAL, velocity);
    memcpy(q_joined, q, 2 * sizeof *q);
    memcpy(v_joined, v, 2 * sizeof *v);
    memcpy(q_joined + 2, pose.p, sizeof pose.p);
    quaternion(pose.R, q_joined + 5);
    memcpy(v_joined + 2, velocity, sizeof velocity);
}

static double total(const zvDrives *drives, const zvEfforts *efforts) {
    double sum = 0;
    for (int i = 0; i < zv_drives_naccount(drives); i++) sum += efforts->power[i];
    return sum;
}

static void passive_of_type(zvJointType type) {
    zvModel *models[2] = {machine(type, HANGS), machine(type, JOINED)};
    zvDrives *drives[2];
    zvEfforts *efforts[2];
    zvWork *works[2];
    double q[2][10] = {{0.2, 0.4}}, v[2][10] = {{-0.6, 0.9}}, x[2][6], stored[2][8] = {{0}}, energy[2] = {0};
    for (int i = 0; i < 2; i++) {
        drives[i] = zv_drives_create(models[i], &error);
        assert_int_equal(zv_drives_add_passive(drives[i], 0.01, NULL, &error), ZV_OK);
        efforts[i] = zv_efforts_create(drives[i], &error);
        works[i] = zv_work_create(models[i], &error);
    }
    zv_neutral(models[0], q[0]);
    q[0][0] = 0.2, q[0][1] = 0.4;
    for (int k = 0; k < zv_joint_type_nv(type); k++) v[0][2 + k] = 0.8 - 0.5 * k;
    for (int k = 0; k < zv_joint_type_nq(type) && type != ZV_JOINT_SPHERICAL; k++) q[0][2 + k] = 0.5 - 0.3 * k;
    if (type == ZV_JOINT_SPHERICAL)
        q[0][2] = 0.3, q[0][3] = -0.2, q[0][4] = 0.1, zv_position_normalize(models[0], q[0]);
    same_state(models[0], works[0], q[0], v[0], q[1], v[1]);
    for (int i = 0; i < 2; i++) {
        zvStatus status = zv_drives_accelerate(drives[i], efforts[i], works[i], 0, q[i], v[i], NULL, NULL);
        assert_true(status == ZV_OK);
        zv_frame_acceleration(models[i], works[i], q[i], v[i], efforts[i]->a, zv_model_find_frame(models[i], "body"),
                              ZV_AXES_WORLD, x[i]);
        zv_drives_stored(drives[i], works[i], q[i], v[i], NULL, stored[i]);
        for (int k = 0; k < zv_drives_nstore(drives[i]); k++) energy[i] += stored[i][k];
    }
    /* condition of these small machines: below a hundred */
    for (int k = 0; k < 6; k++) assert_near(x[1][k], x[0][k], 1e-11);
    for (int k = 0; k < 2; k++) assert_near(efforts[1]->a[k], efforts[0]->a[k], 1e-11);
    assert_near(total(drives[1], efforts[1]), total(drives[0], efforts[0]), 1e-12);
    assert_near(energy[1], energy[0], 1e-12);
    if (zv_joint_type_nv(type) > 0) {
        assert_true(total(drives[1], efforts[1]) < -0.1);
        assert_string_equal(zv_drives_account(drives[1], 0).name, "damper closing");
    }
    for (int i = 0; i < 2; i++) {
        zv_efforts_destroy(efforts[i]);
        zv_work_destroy(works[i]);
        zv_drives_destroy(drives[i]);
        zv_model_destroy(models[i]);
    }
}

static void passive_of_all_types(void **state) {
    (void)state;
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        if (type == ZV_JOINT_FREE) continue;
        print_message("%s\n", zv_joint_type_word((zvJointType)type));
        passive_of_type((zvJointType)type);
    }
}

/* A driven joint that follows a law: its force is the torque of a prescribed motion of the tree. */
static void driven_loop(void **state) {
    (void)state;
    static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_PRISMATIC, ZV_JOINT_HELICAL, ZV_JOINT_CURVE};
    static const double coefficients[3] = {0.3, 0.8, -1.5}; /* 0.3 + 0.8 t - 1.5 t^2 */
    for (int i = 0; i < 4; i++) {
        zvModel *tree = machine(types[i], HANGS), *joined = machine(types[i], DRIVEN);
        zvDrives *drives[2] = {zv_drives_create(tree, &error), zv_drives_create(joined, &error)};
        const int dof = 2;
        assert_int_equal(
            zv_drives_add_motion(drives[0], "motor", 1, &dof, zv_law_polynomial(1, 0, 3, coefficients, &error), &error),
            ZV_OK);
        assert_int_equal(
            zv_drives_add_loop_motion(drives[1], "motor", 0, zv_law_polynomial(1, 0, 3, coefficients, &error), &error),
            ZV_OK);
        assert_int_equal(
            zv_drives_add_loop_motion(drives[1], "twice", 0, zv_law_polynomial(1, 0, 3, coefficients, &error), &error),
            ZV_SCHEMA);
        zvEfforts *efforts[2] = {zv_efforts_create(drives[0], &error), zv_efforts_create(drives[1], &error)};
        zvWork *works[2] = {zv_work_create(tree, &error), zv_work_create(joined, &error)};
        double q[2][10] = {{0.2, 0.4}}, v[2][10] = {{-0.6, 0.9}};
        zv_drives_impose(drives[0], efforts[0], 0.1, NULL, q[0], v[0]);
        same_state(tree, works[0], q[0], v[0], q[1], v[1]);
        assert_int_equal(zv_drives_accelerate(drives[0], efforts[0], works[0], 0.1, q[0], v[0], NULL, NULL), ZV_OK);
        assert_int_equal(zv_drives_accelerate(drives[1], efforts[1], works[1], 0.1, q[1], v[1], NULL, NULL), ZV_OK);
        assert_near(efforts[1]->a[0], efforts[0]->a[0], 1e-11);
        assert_near(efforts[1]->a[1], efforts[0]->a[1], 1e-11);
        assert_near(efforts[1]->force[0], efforts[0]->force[0], 1e-10);
        assert_near(efforts[1]->power[0], efforts[0]->power[0], 1e-10);
        assert_true(fabs(efforts[0]->power[0]) > 1e-2);
        assert_string_equal(zv_drives_account(drives[1], 0).name, "motor closing");
        for (int k = 0; k < 2; k++) {
            zv_efforts_destroy(efforts[k]);
            zv_work_destroy(works[k]);
            zv_drives_destroy(drives[k]);
        }
        zv_model_destroy(tree);
        zv_model_destroy(joined);
    }
}

static void refusals(void **state) {
    (void)state;
    zvModel *model = machine(ZV_JOINT_REVOLUTE, JOINED);
    zvDrives *drives = zv_drives_create(model, &error);
    const double zero = 0;
    const zvTask task = {.frame = zv_model_find_frame(model, "body"), .rows = ZV_TASK_FULL};
    const zvTaskControl control = {0};
    assert_int_equal(zv_drives_add_task_control(drives, NULL, &task, NULL, &control, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "expected a model without closed loops, found 1"));
    zvLaw *law = zv_law_constant(1, &zero, &error);
    assert_int_equal(zv_drives_add_loop_motion(drives, "m", 0, law, &error), ZV_SCHEMA);
    assert_non_null(strstr(error.text, "write driven: true"));
    law = zv_law_constant(1, &zero, &error);
    assert_int_equal(zv_drives_add_loop_motion(drives, "m", 7, law, &error), ZV_NAME);
    assert_non_null(strstr(error.text, "expected one of 1 loops, counted from 0, found 7"));
    assert_int_equal(zv_drives_naccount(drives), 0);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

TESTS(passive_of_all_types, driven_loop, refusals)
