/* Closing from far: long chains whose hand is welded to a place that another position reaches, from random positions;
 * places out of reach. And loops on the ground under a free base: a robot whose base is welded to "world" is the robot
 * that stands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "zveno/zveno.h"

enum { LINKS = 100, STARTS = 47 };

static const double pitch_m = 0.1;

/* A chain of revolute joints about x, y, z in turn, its links along z. */
static zvBuilder *build_chain(int links) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    char name[16], before[16] = "base", joint_name[16];
    zvLink base = zv_link_default("base");
    base.inertia = (zvInertia){.mass = 2, .com = {0.1, 0, 0}, .moment = {0.03, 0, 0, 0.04, 0, 0.05}};
    assert_int_equal(zv_builder_add_link(builder, &base, &error), ZV_OK);
    for (int i = 1; i <= links; i++) {
        snprintf(name, sizeof name, "l%d", i);
        snprintf(joint_name, sizeof joint_name, "j%d", i);
        zvLink link = zv_link_default(name);
        link.inertia = (zvInertia){.mass = 1, .com = {0.01, 0, 0.05}, .moment = {0.004, 0, 0, 0.004, 0, 0.003}};
        zvJoint joint = zv_joint_default(joint_name, ZV_JOINT_REVOLUTE, before, name);
        joint.origin.p[2] = pitch_m;
        memset(joint.axis, 0, sizeof joint.axis);
        joint.axis[i % 3] = 1;
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
        memcpy(before, name, sizeof before);
    }
    return builder;
}

static zvModel *freeze(zvBuilder *builder) {
    zvError error = {0};
    zvModel *model = NULL;
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    return model;
}

static void weld(zvBuilder *builder, const char *parent, const char *child, const zvPose *at) {
    zvError error = {0};
    zvLoop loop = zv_loop_default("weld", ZV_LOOP_JOINT, ZV_JOINT_FIXED, parent, child);
    loop.origin = *at;
    assert_int_equal(zv_builder_add_loop(builder, &loop, &error), ZV_OK);
}

/* -- long chains --------------------------------------------------------------------------------------------------- */

typedef struct Chain {
    zvModel *model;
    zvWork *work;
    zvPose target;
    int tip;
} Chain;

/* Its hand is to be where q puts it, moved by `away` along x. */
static Chain open_chain(const double *q, double away) {
    zvBuilder *builder = build_chain(LINKS);
    Chain c;
    char tip[16];
    snprintf(tip, sizeof tip, "l%d", LINKS);
    zvModel *open = freeze(builder);
    zvWork *work = zv_work_create(open, NULL);
    zv_frame_pose(open, work, q, zv_model_find_frame(open, tip), &c.target);
    c.target.p[0] += away;
    zv_work_destroy(work);
    zv_model_destroy(open);
    weld(builder, "base", tip, &c.target);
    c.model = freeze(builder);
    c.work = zv_work_create(c.model, NULL);
    c.tip = zv_model_find_frame(c.model, tip);
    zv_builder_destroy(builder);
    return c;
}

static void close_chain(Chain *c) {
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
}

/* The hand is where it should be, by the kinematics of the tree. */
static void long_chains(void **state) {
    (void)state;
    static const double spreads[] = {0.1, 1, 3};
    for (int s = 0; s < 3; s++) {
        rtRandom random = {91000 + (uint64_t)s};
        double q[LINKS];
        rt_vector(&random, spreads[s], LINKS, q);
        Chain c = open_chain(q, 0);
        for (int k = 0; k < STARTS; k++) {
            double gap = -1;
            zvPose hand;
            near_about("seed %d, start %d", 91000 + s, k);
            rt_vector(&random, spreads[s], LINKS, q);
            assert_int_equal(zv_close_position(c.model, c.work, NULL, NULL, q, &gap), ZV_OK);
            assert_true(gap >= 0 && gap < 1e-12);
            zv_frame_pose(c.model, c.work, q, c.tip, &hand);
            assert_all_near("place of the hand", 3, hand.p, c.target.p, 1e-10);
            assert_all_near("turn of the hand", 9, hand.R, c.target.R, 1e-10);
        }
        close_chain(&c);
    }
}

/* 11 m away from a chain of 10 m: the gap that is told is that of a position found, and q comes back. */
static void out_of_reach(void **state) {
    (void)state;
    double q[LINKS] = {0}, before[LINKS], gap = 0;
    rtRandom random = {92000};
    Chain c = open_chain(q, 11);
    rt_vector(&random, 0.5, LINKS, q);
    memcpy(before, q, sizeof q);
    assert_int_equal(zv_close_position(c.model, c.work, NULL, NULL, q, &gap), ZV_CLOSURE);
    assert_memory_equal(q, before, sizeof q);
    assert_true(gap > 0.01 && gap < 2);
    close_chain(&c);
}

/* -- the ground ---------------------------------------------------------------------------------------------------- */

/* The same accelerations and the same forces of the joints, whichever way the base is held. */
static void welded_to_the_world(void **state) {
    (void)state;
    enum { JOINTS = 5 };
    const zvPose here = zv_pose_identity();
    rtRandom random = {93000};
    zvBuilder *builder = build_chain(JOINTS);
    zvModel *standing = freeze(builder);
    zv_builder_set_free_base(builder, true);
    weld(builder, "world", "base", &here);
    zvModel *held = freeze(builder);
    zvWork *on_standing = zv_work_create(standing, NULL), *on_held = zv_work_create(held, NULL);
    double q[7 + JOINTS], v[6 + JOINTS] = {0}, tau[6 + JOINTS] = {0}, a[6 + JOINTS], want[JOINTS], lambda[6];
    assert_int_equal(zv_model_nv(held), 6 + JOINTS);
    assert_string_equal(zv_model_loop(held, 0)->parent, "world");
    for (int k = 0; k < 20; k++) {
        near_about("seed 93000, state %d", k);
        zv_neutral(held, q);
        rt_vector(&random, 2, JOINTS, q + 7);
        rt_vector(&random, 2, JOINTS, v + 6);
        rt_vector(&random, 5, JOINTS, tau + 6);
        assert_int_equal(zv_forward_dynamics(standing, on_standing, q + 7, v + 6, tau + 6, NULL, want), ZV_OK);
        assert_int_equal(zv_closed_forward_dynamics(held, on_held, NULL, q, v, tau, NULL, a, lambda), ZV_OK);
        assert_all_near_scaled("a", JOINTS, a + 6, want, 1e-10);
        for (int i = 0; i < 6; i++) assert_near(a[i], 0, 1e-9);
    }
    q[0] = 0.3, q[4] = 0.4; /* lifted and turned: put down again */
    assert_int_equal(zv_close_position(held, on_held, NULL, NULL, q, NULL), ZV_OK);
    zvPose base;
    zv_frame_pose(held, on_held, q, zv_model_find_frame(held, "base"), &base);
    assert_all_near("place of the base", 3, base.p, here.p, 1e-12);
    assert_all_near("turn of the base", 9, base.R, here.R, 1e-12);
    zv_work_destroy(on_standing), zv_work_destroy(on_held);
    zv_model_destroy(standing), zv_model_destroy(held);
    zv_builder_destroy(builder);
}

static void refuse(zvBuilder *builder, zvStatus status, const char *text) {
    zvError error = {0};
    zvModel *model = NULL;
    assert_int_equal(zv_builder_freeze(builder, &model, &error), status);
    if (!strstr(error.text, text)) fail_msg("expected \"%s\" in \"%s\"", text, error.text);
    zv_builder_destroy(builder);
}

/* "world" is the ground of free bases alone, and the ground is not welded to itself. */
static void the_ground_has_its_rules(void **state) {
    (void)state;
    const zvPose here = zv_pose_identity();
    zvBuilder *fixed = build_chain(2), *twice = build_chain(2);
    weld(fixed, "world", "l2", &here);
    refuse(fixed, ZV_NAME, "found \"world\", which does not exist");
    zv_builder_set_free_base(twice, true);
    weld(twice, "world", "world", &here);
    refuse(twice, ZV_TOPOLOGY, "both on the ground");
}

TESTS(long_chains, out_of_reach, welded_to_the_world, the_ground_has_its_rules)
