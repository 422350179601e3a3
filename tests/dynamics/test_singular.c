/* When forward dynamics is singular and when it is not: every method must say the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/zveno.h"

enum { MOST = 16 };

typedef struct Robot {
    zvBuilder *builder;
    int links;
} Robot;

static Robot robot_start(void) {
    Robot r = {zv_builder_create(NULL), 0};
    assert_non_null(r.builder);
    zvLink base = zv_link_default("link0");
    assert_int_equal(zv_builder_add_link(r.builder, &base, NULL), ZV_OK);
    return r;
}

/* One more link on the last one; offset along x. Returns its joint for further settings. */
static zvJoint *robot_add(Robot *r, zvJointType type, double x, double mass, double moment, double com) {
    char parent[32], child[32], name[32];
    snprintf(parent, sizeof parent, "link%d", r->links);
    snprintf(child, sizeof child, "link%d", ++r->links);
    snprintf(name, sizeof name, "joint%d", r->links);
    zvLink link = zv_link_default(child);
    link.has_inertia = mass > 0;
    link.inertia = (zvInertia){.mass = mass, .com = {com, 0, 0}, .moment = {moment, 0, 0, moment, 0, moment}};
    zvJoint joint = zv_joint_default(name, type, parent, child);
    joint.origin.p[0] = x;
    assert_int_equal(zv_builder_add_link(r->builder, &link, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(r->builder, &joint, NULL), ZV_OK);
    return zv_builder_joint(r->builder, r->links - 1);
}

static zvModel *robot_freeze(Robot *r) {
    zvError error;
    zvModel *model;
    zvStatus status = zv_builder_freeze(r->builder, &model, &error);
    if (status != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(r->builder);
    return model;
}

/* All ways to accelerations at some ordinary position must report this status; answers must undo inverse dynamics. */
static void expect(zvModel *model, zvStatus wanted) {
    zvWork *work = zv_work_create(model, NULL);
    assert_non_null(work);
    int nv = zv_model_nv(model);
    double q[2 * MOST], v[MOST], tau[MOST], a[MOST], back[MOST], Minv[MOST * MOST];
    assert_true(nv <= MOST && zv_model_nq(model) <= 2 * MOST);
    for (int i = 0; i < nv; i++) v[i] = 0.3 + 0.1 * i, tau[i] = 1 - 0.2 * i;
    zv_neutral(model, q);
    zv_position_add(model, q, v, q);
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    for (size_t k = 0; k < count; k++) {
        zvStatus status = methods[k].run(model, work, q, v, tau, NULL, a);
        /* its tree is singular where the coupled robot is not */
        const bool loose = wanted == ZV_OK && !strcmp(methods[k].name, "articulated");
        if (status == ZV_NOT_SUPPORTED && (loose || zv_domain_obstacle(methods[k].domain, model, false))) continue;
        if (status != wanted) fail_msg("method %s: %s", methods[k].name, zv_status_name(status));
        if (status != ZV_OK) continue;
        zv_inverse_dynamics(model, work, q, v, a, NULL, back);
        for (int i = 0; i < nv; i++) assert_true(fabs(back[i] - tau[i]) < 1e-9);
    }
    unsigned char given[MOST] = {0};
    assert_int_equal(zv_mixed_dynamics(model, work, q, v, given, NULL, tau, a), wanted);
    assert_int_equal(zv_mass_inverse_times(model, work, q, tau, a), wanted);
    assert_int_equal(zv_mass_inverse(model, work, q, Minv), wanted);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static void massless_leaf(void **state) {
    (void)state;
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 1, 0.1, 0.2);
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.3, 0, 0, 0);
    expect(robot_freeze(&r), ZV_SINGULAR);
}

static void armature_on_a_massless_leaf(void **state) {
    (void)state;
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 1, 0.1, 0.2);
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.3, 0, 0, 0)->dof[0].armature = 0.01;
    expect(robot_freeze(&r), ZV_OK);
}

static void coaxial_around_a_massless_link(void **state) {
    (void)state;
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 0, 0, 0);
    robot_add(&r, ZV_JOINT_REVOLUTE, 0, 1, 0.1, 0.2);
    expect(robot_freeze(&r), ZV_SINGULAR);
}

static void crossed_around_a_massless_link(void **state) {
    (void)state;
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 0, 0, 0)->axis[0] = 1; /* (1, 0, 1) */
    robot_add(&r, ZV_JOINT_REVOLUTE, 0, 1, 0.1, 0.2);
    expect(robot_freeze(&r), ZV_OK);
}

/* The body beyond the ball joint takes all turning; the point mass before it has none to offer. */
static void point_mass_before_a_ball(void **state) {
    (void)state;
    for (int free_joint = 0; free_joint < 2; free_joint++) {
        Robot r = robot_start();
        robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 2, 0, 0);
        robot_add(&r, free_joint ? ZV_JOINT_FREE : ZV_JOINT_SPHERICAL, 0, 1, 0.1, 0.2);
        expect(robot_freeze(&r), ZV_SINGULAR);
    }
}

static void thin_rod_about_itself(void **state) {
    (void)state;
    Robot r = robot_start();
    zvJoint *joint = robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 1, 0, 0);
    joint->axis[0] = 1, joint->axis[1] = 2, joint->axis[2] = 2;
    double J[6]; /* 0.3 (1 - e e^T), e along the axis */
    double e[3] = {1 / 3.0, 2 / 3.0, 2 / 3.0};
    for (int i = 0, k = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) J[k++] = 0.3 * ((i == j) - e[i] * e[j]);
    }
    for (int k = 0; k < 6; k++) zv_builder_link(r.builder, 1)->inertia.moment[k] = J[k];
    zvModel *model = robot_freeze(&r);
    zvWork *work = zv_work_create(model, NULL);
    double q = 0.4, v = 0, tau = 1, a; /* the method "mass" sees only the rounding that is left: it cannot know */
    assert_int_equal(zv_forward_dynamics(model, work, &q, &v, &tau, NULL, &a), ZV_SINGULAR);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static void locked_joint_between(void **state) {
    (void)state;
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 2, 0, 0);
    robot_add(&r, ZV_JOINT_REVOLUTE, 0, 2, 0, 0);
    robot_add(&r, ZV_JOINT_SPHERICAL, 0, 1, 0.1, 0.2);
    zvModel *model = robot_freeze(&r);
    zvWork *work = zv_work_create(model, NULL);
    double q[6], v[5] = {0}, tau[5] = {1, 0, 0.1, 0.2, 0.3}, a[5];
    unsigned char given[5] = {ZV_GIVEN_FORCE, ZV_GIVEN_LOCKED};
    zv_neutral(model, q);
    q[0] = 0.7;
    assert_int_equal(zv_mixed_dynamics(model, work, q, v, given, NULL, tau, a), ZV_SINGULAR);
    given[0] = ZV_GIVEN_LOCKED;
    assert_int_equal(zv_mixed_dynamics(model, work, q, v, given, NULL, tau, a), ZV_OK);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* Coupled robots that are regular although their trees without the couplings are not. */
static void massless_master_or_follower(void **state) {
    (void)state;
    for (int heavy = 0; heavy < 2; heavy++) {
        Robot r = robot_start();
        robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 1, 0.1, 0.2);
        robot_add(&r, ZV_JOINT_PRISMATIC, 0.3, heavy ? 1 : 0, 0, 0);
        zvJoint *follower = robot_add(&r, ZV_JOINT_PRISMATIC, 0, heavy ? 0 : 1, 0, 0);
        zv_builder_joint(r.builder, 1)->axis[0] = 1;
        follower->mimic = "joint2";
        follower->ratio = 0.5;
        expect(robot_freeze(&r), ZV_OK);
    }
}

/* A pair of coupled slides that have no mass between them. */
static Robot massless_pair(void) {
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0.1, 1, 0.1, 0.2);
    robot_add(&r, ZV_JOINT_PRISMATIC, 0.3, 0, 0, 0);
    zvJoint *follower = robot_add(&r, ZV_JOINT_PRISMATIC, 0, 0, 0, 0);
    follower->mimic = "joint2";
    follower->ratio = 0.5;
    return r;
}

/* Not the couplings are at fault: the row of sweeps says so as all others do. */
static void massless_master_and_follower(void **state) {
    (void)state;
    Robot r = massless_pair();
    expect(robot_freeze(&r), ZV_SINGULAR);
}

/* What is not solved is not written: neither accelerations nor the force of the joint that is held. */
static void outputs_of_coupled_singular_robots(void **state) {
    (void)state;
    Robot r = massless_pair();
    zvModel *model = robot_freeze(&r);
    zvWork *work = zv_work_create(model, NULL);
    const double q[2] = {0.4, 0.1}, v[2] = {0.3, -0.2}, before[2] = {41, 43};
    const unsigned char given[2] = {ZV_GIVEN_LOCKED, ZV_GIVEN_FORCE};
    double tau[2] = {41, 43}, a[2] = {41, 43};
    assert_int_equal(zv_model_nv(model), 2);
    assert_int_equal(zv_mixed_dynamics(model, work, q, v, given, NULL, tau, a), ZV_SINGULAR);
    assert_int_equal(zv_mass_inverse_times(model, work, q, before, a), ZV_SINGULAR);
    assert_int_equal(zv_forward_dynamics(model, work, q, v, tau, NULL, a), ZV_SINGULAR);
    assert_memory_equal(tau, before, sizeof tau);
    assert_memory_equal(a, before, sizeof a);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

static void far_along_its_own_axis(void **state) {
    (void)state;
    Robot r = robot_start();
    robot_add(&r, ZV_JOINT_REVOLUTE, 0, 1, 0.01, 0);
    zv_builder_link(r.builder, 1)->inertia.com[2] = 1e4; /* metres along the joint's axis: no inertia about it */
    expect(robot_freeze(&r), ZV_OK);
}

/* The inertia out of the plane grows with the cube of the length and must not drown the pivots. */
static void long_planar_chain(void **state) {
    (void)state;
    enum { BODIES = 100000 };
    Robot r = robot_start();
    for (int i = 0; i < BODIES; i++) robot_add(&r, ZV_JOINT_REVOLUTE, i ? 0.1 : 0, 1, 1e-3, 0.05);
    zvModel *model = robot_freeze(&r);
    zvWork *work = zv_work_create(model, NULL);
    double *x = calloc(4 * BODIES, sizeof *x);
    assert_true(work && x);
    assert_int_equal(zv_forward_dynamics(model, work, x, x + BODIES, x + 2 * BODIES, NULL, x + 3 * BODIES), ZV_OK);
    free(x);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(massless_leaf, armature_on_a_massless_leaf, coaxial_around_a_massless_link, crossed_around_a_massless_link,
      point_mass_before_a_ball, thin_rod_about_itself, locked_joint_between, massless_master_or_follower,
      massless_master_and_follower, outputs_of_coupled_singular_robots, far_along_its_own_axis, long_planar_chain)
