/* Positions: neutral, moved by velocities, quaternions of unit length. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"
#include "zveno/builder.h"
#include "zveno/kinematics.h"

enum { NQ = 7 + 4 + 1 + 3, NV = 6 + 3 + 1 + 3 };

/* free, spherical, revolute and planar, one after another */
static zvModel *make(void) {
    static const zvJointType types[4] = {ZV_JOINT_FREE, ZV_JOINT_SPHERICAL, ZV_JOINT_REVOLUTE, ZV_JOINT_PLANAR};
    static const char *const names[5] = {"a", "b", "c", "d", "e"};
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    for (int i = 0; i < 5; i++) {
        zvLink link = zv_link_default(names[i]);
        link.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], types[i - 1], names[i - 1], names[i]);
        assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
    }
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    assert_int_equal(zv_model_nq(model), NQ);
    assert_int_equal(zv_model_nv(model), NV);
    return model;
}

static void draw(rtRandom *random, double *q) {
    rt_vector(random, 2, NQ, q);
    rt_quaternion(random, q + 3);
    rt_quaternion(random, q + 7);
}

/* Quaternions e and -e are the same orientation. */
static void align(const double *like, double *e) {
    double dot = 0;
    for (int i = 0; i < 4; i++) dot += like[i] * e[i];
    for (int i = 0; i < 4 && dot < 0; i++) e[i] = -e[i];
}

static void neutral(void **state) {
    (void)state;
    zvModel *model = make();
    double q[NQ], expected[NQ] = {0};
    expected[6] = expected[10] = 1;
    zv_neutral(model, q);
    assert_all_near("neutral", NQ, q, expected, 0);
    zv_model_destroy(model);
}

/* In parts: a constant velocity for a third of the time, three times, in place. */
static void parts_make_the_whole(void **state) {
    (void)state;
    rtRandom random = {21};
    zvModel *model = make();
    for (int n = 0; n < 200; n++) {
        double q[NQ], v[NV], third[NV], whole[NQ];
        draw(&random, q);
        rt_vector(&random, n % 2 ? 3 : 1e-3, NV, v);
        for (int i = 0; i < NV; i++) third[i] = v[i] / 3;
        zv_position_add(model, q, v, whole);
        for (int k = 0; k < 3; k++) zv_position_add(model, q, third, q);
        align(whole + 3, q + 3);
        align(whole + 7, q + 7);
        assert_all_near("position in parts", NQ, q, whole, 4e-15);
    }
    zv_model_destroy(model);
}

static void there_and_back(void **state) {
    (void)state;
    rtRandom random = {22};
    zvModel *model = make();
    for (int n = 0; n < 200; n++) {
        double q[NQ], v[NV], back[NV], there[NQ];
        draw(&random, q);
        rt_vector(&random, rt_decades(&random, -9, 0.5), NV, v);
        for (int i = 0; i < NV; i++) back[i] = -v[i];
        zv_position_add(model, q, v, there);
        zv_position_add(model, there, back, there);
        align(q + 3, there + 3);
        align(q + 7, there + 7);
        assert_all_near("position after going back", NQ, there, q, 4e-15);
    }
    zv_model_destroy(model);
}

/* A body that turns about its z by w and moves along its x by u runs on a circle of radius u / w. */
static void screw_motion(void **state) {
    (void)state;
    zvModel *model = make();
    for (int n = 1; n < 60; n++) {
        const double w = 3.1 * pow(2, -n), u = 0.7;
        double q[NQ], v[NV] = {u, 0, 0.25, 0, 0, w}, out[NQ];
        zv_neutral(model, q);
        zv_position_add(model, q, v, out);
        const double half = sin(0.5 * w);
        const double place[3] = {u * sin(w) / w, 2 * u * half * half / w, 0.25};
        const double turned[4] = {0, 0, sin(0.5 * w), cos(0.5 * w)};
        assert_all_near("place", 3, out, place, 2e-16 + 1e-15 * u);
        assert_all_near("quaternion", 4, out + 3, turned, 2e-16);
    }
    zv_model_destroy(model);
}

/* The velocity of a link is what moving the position makes of its pose. */
static void moves_as_the_frames_do(void **state) {
    (void)state;
    rtRandom random = {23};
    zvError error = {0};
    zvModel *model = make();
    zvWork *work = zv_work_create(model, &error);
    const int tip = zv_model_find_frame(model, "e");
    const double h = 1e-5;
    for (int n = 0; n < 50; n++) {
        double q[NQ], v[NV], step[NV], before[NQ], after[NQ], velocity[6], estimate[3];
        zvPose low, high;
        draw(&random, q);
        rt_vector(&random, 1, NV, v);
        for (int i = 0; i < NV; i++) step[i] = h * v[i];
        zv_position_add(model, q, step, after);
        for (int i = 0; i < NV; i++) step[i] = -h * v[i];
        zv_position_add(model, q, step, before);
        zv_frame_pose(model, work, before, tip, &low);
        zv_frame_pose(model, work, after, tip, &high);
        zv_frame_velocity(model, work, q, v, tip, ZV_AXES_WORLD, velocity);
        for (int i = 0; i < 3; i++) estimate[i] = (high.p[i] - low.p[i]) / (2 * h);
        assert_all_near("velocity", 3, velocity, estimate, 1e-8);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* dq/dt against differences of moved positions, in fourth order; quaternions of any length keep it. */
static void rate_of_position(void **state) {
    (void)state;
    rtRandom random = {25};
    zvModel *model = make();
    const double h = 1e-3, weights[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
    for (int n = 0; n < 50; n++) {
        double q[NQ], v[NV], step[NV], moved[NQ], estimate[NQ] = {0}, rate[NQ], length = 0;
        draw(&random, q);
        rt_vector(&random, 1, NV, v);
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < NV; i++) step[i] = at[k] * h * v[i];
            zv_position_add(model, q, step, moved);
            for (int i = 0; i < NQ; i++) estimate[i] += weights[k] * moved[i] / h;
        }
        zv_position_rate(model, q, v, rate);
        assert_all_near("rate of position", NQ, rate, estimate,
                        2e-11); /* h^4 / 30 of the fifth derivative, rounding / h */
        for (int i = 0; i < 4; i++) q[3 + i] *= 3;
        for (int i = 0; i < 4; i++) estimate[3 + i] *= 3;
        zv_position_rate(model, q, v, rate);
        assert_all_near("rate of a long quaternion", NQ, rate, estimate, 6e-11);
        for (int i = 0; i < 4; i++) length += q[3 + i] * rate[3 + i];
        assert_true(fabs(length) < 1e-14);
    }
    zv_model_destroy(model);
}

/* A coupled mimic joint has no coordinate: the rates are those of the others. */
static void rate_with_mimic(void **state) {
    (void)state;
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    static const char *const names[4] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        zvLink link = zv_link_default(names[i]);
        link.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
        assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
        if (i == 0) continue;
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_REVOLUTE, names[i - 1], names[i]);
        if (i == 2) joint.mimic = "b";
        if (i == 2) joint.ratio = -2;
        assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
    }
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    assert_int_equal(zv_model_nq(model), 2);
    const double q[2] = {0.1, 0.2}, v[2] = {0.3, -0.4};
    double rate[2] = {NAN, NAN};
    zv_position_rate(model, q, v, rate);
    assert_all_near("rate", 2, rate, v, 0);
    zv_model_destroy(model);
}

static void normalised(void **state) {
    (void)state;
    rtRandom random = {24};
    zvModel *model = make();
    double q[NQ], copy[NQ];
    draw(&random, q);
    memcpy(copy, q, sizeof q);
    assert_true(zv_position_normalize(model, q) < 1e-15);
    for (int i = 0; i < 4; i++) q[3 + i] *= 1.25;
    for (int i = 0; i < 4; i++) q[7 + i] *= 0.9;
    assert_true(fabs(zv_position_normalize(model, q) - 0.25) < 1e-15);
    assert_all_near("scaled back", NQ, q, copy, 1e-15);
    memset(q + 3, 0, 4 * sizeof *q);
    assert_true(zv_position_normalize(model, q) == 1); /* nothing can be made of zeros; no division either */
    for (int i = 0; i < 4; i++) assert_true(q[3 + i] == 0);
    q[8] = NAN;
    assert_false(zv_position_normalize(model, q) < 1e300);
    zv_model_destroy(model);
}

TESTS(neutral, parts_make_the_whole, there_and_back, screw_motion, normalised, moves_as_the_frames_do, rate_of_position,
      rate_with_mimic)
