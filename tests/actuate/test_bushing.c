/* Bushings and joint matrices by four ways: a free joint with matrices, a bushing between frames, a free joint that
 * closes a loop by its spring alone, and a ball that closes a loop against a ball joint of the tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/near.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "zveno/zveno.h"

static zvError error;

static void add_link(zvBuilder *b, const char *name, rtRandom *r) {
    zvLink link = zv_link_default(name);
    if (r) rt_inertia(r, false, &link.inertia);
    assert_int_equal(zv_builder_add_link(b, &link, &error), ZV_OK);
}

static zvModel *frozen(zvBuilder *b) {
    zvModel *model = NULL;
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

/* Where the matrices of the mount are. */
typedef enum Place { IN_JOINT, IN_LOOP, NOWHERE } Place;

/* A carrier on a revolute joint, and a body that a free joint hangs on it. */
static zvModel *carrier(uint64_t seed, const zvPose *origin, Place place, const double *K, const double *D,
                        const double *rest) {
    rtRandom r = {seed};
    zvBuilder *b = zv_builder_create(&error);
    add_link(b, "ground", NULL);
    add_link(b, "carrier", &r);
    add_link(b, "body", &r);
    zvJoint hinge = zv_joint_default("hinge", ZV_JOINT_REVOLUTE, "ground", "carrier");
    zvJoint mount = zv_joint_default("mount", ZV_JOINT_FREE, "carrier", "body");
    mount.origin = *origin;
    zvLoop loop = zv_loop_default("rubber", ZV_LOOP_JOINT, ZV_JOINT_FREE, "carrier", "body");
    loop.origin = *origin;
    *(place == IN_LOOP ? &loop.stiffness_matrix : &mount.stiffness_matrix) = K;
    *(place == IN_LOOP ? &loop.damping_matrix : &mount.damping_matrix) = D;
    for (int k = 0; rest && k < 6; k++) (place == IN_LOOP ? loop.dof : mount.dof)[k].rest = rest[k];
    zvFrame seat = zv_frame_default("seat", "carrier");
    seat.pose = *origin;
    assert_int_equal(zv_builder_add_joint(b, &hinge, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &mount, &error), ZV_OK);
    assert_int_equal(zv_builder_add_frame(b, &seat, &error), ZV_OK);
    if (place == IN_LOOP) assert_int_equal(zv_builder_add_loop(b, &loop, &error), ZV_OK);
    return frozen(b);
}

typedef struct Answer {
    double a[7], stored, power;
} Answer;

static Answer answer_of(const zvModel *model, zvDrives *drives, const double *q, const double *v) {
    Answer x = {.stored = 0};
    double stored[8];
    zvWork *work = zv_work_create(model, &error);
    assert_int_equal(zv_drives_add_passive(drives, 0.01, NULL, &error), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    assert_true(zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL) >= 0);
    zv_drives_stored(drives, work, q, v, NULL, stored);
    for (int i = 0; i < zv_drives_nstore(drives); i++) x.stored += stored[i];
    for (int i = 0; i < zv_drives_naccount(drives); i++) x.power += efforts->power[i];
    memcpy(x.a, efforts->a, (size_t)zv_model_nv(model) * sizeof *x.a);
    zv_efforts_destroy(efforts);
    zv_drives_destroy(drives);
    zv_work_destroy(work);
    return x;
}

/* Passive forces, modes of small motions and what has to do with loops: one without conditions asks for nothing. */
static void ask_both(const zvModel *closed, const zvModel *open, const double *q, const double *v) {
    zvWork *works[2] = {zv_work_create(closed, &error), zv_work_create(open, &error)};
    double p[2][3][7], a[2][7], moved[8], gap, rate;
    const double tau[7] = {1, -2, 3, -4, 5, -6, 7};
    for (int i = 0; i < 2; i++) zv_passive_forces(i ? open : closed, works[i], q, v, 0.01, p[i][0], p[i][1], p[i][2]);
    for (int k = 0; k < 3; k++) assert_all_near_scaled("passive", 7, p[0][k], p[1][k], 1e-11);
    assert_near_relative(zv_passive_energy(closed, works[0], q), zv_passive_energy(open, works[1], q), 1e-12);
    assert_int_equal(zv_model_nloop_rows(closed), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(zv_closed_forward_dynamics(i ? open : closed, works[i], NULL, q, v, tau, NULL, a[i], NULL),
                         ZV_OK);
    assert_all_near_scaled("closed", 7, a[0], a[1], 1e-12);
    memcpy(moved, q, sizeof moved);
    assert_int_equal(zv_close_position(closed, works[0], NULL, NULL, moved, NULL), ZV_OK);
    assert_all_near("position", 8, moved, q, 1e-15);
    zv_loop_residual(closed, works[0], NULL, q, v, 0, &gap, &rate);
    assert_true(gap == 0 && rate == 0);
    for (int i = 0; i < 2; i++) zv_work_destroy(works[i]);
}

static void bushings_are_free_joints(void **state) {
    (void)state;
    for (int seed = 0; seed < 50; seed++) {
        rtRandom r = {900 + (uint64_t)seed};
        double K[36], D[36], rest[6], q[8], v[7], step[7];
        zvPose origin;
        rt_positive_matrix(&r, 6, K);
        rt_positive_matrix(&r, 6, D);
        rt_vector(&r, 1, 6, rest);
        rt_origin(&r, false, &origin);
        zvModel *with = carrier((uint64_t)seed, &origin, IN_JOINT, K, D, rest);
        zvModel *closed = carrier((uint64_t)seed, &origin, IN_LOOP, K, D, rest);
        zvModel *without = carrier((uint64_t)seed, &origin, NOWHERE, NULL, NULL, NULL);
        near_about("seed %d", seed);
        zv_neutral(with, q);
        rt_vector(&r, 1, 7, step);
        zv_position_add(with, q, step, q);
        rt_vector(&r, 1, 7, v);
        const Answer joint = answer_of(with, zv_drives_create(with, &error), q, v);
        zvDrives *drives = zv_drives_create(without, &error);
        assert_int_equal(zv_drives_add_bushing(drives, "mount", zv_model_find_frame(without, "seat"),
                                               zv_model_find_frame(without, "body"), K, D, rest, &error),
                         ZV_OK);
        assert_string_equal(zv_drives_store_name(drives, 0), "mount");
        const Answer bushing = answer_of(without, drives, q, v);
        assert_all_near_scaled("a", 7, bushing.a, joint.a, 1e-11);
        assert_near_relative(bushing.stored, joint.stored, 1e-13);
        assert_near_relative(bushing.power, joint.power, 1e-13);
        assert_true(joint.power < 0);
        const Answer loop = answer_of(closed, zv_drives_create(closed, &error), q, v);
        assert_all_near_scaled("a", 7, loop.a, joint.a, 1e-11);
        assert_near_relative(loop.stored, joint.stored, 1e-12);
        assert_near_relative(loop.power, joint.power, 1e-12);
        ask_both(closed, with, q, v);
        zv_model_destroy(closed);
        zv_model_destroy(with);
        zv_model_destroy(without);
    }
}

/* A body on a ball joint with matrices, and the same body free, held by a ball that closes a loop, with them. */
static void balls_of_loops(void **state) {
    (void)state;
    for (int seed = 0; seed < 50; seed++) {
        rtRandom r = {4400 + (uint64_t)seed};
        double K[9], D[9], rest[3], q[7] = {0}, v[6] = {0};
        zvModel *models[2];
        rt_positive_matrix(&r, 3, K);
        rt_positive_matrix(&r, 3, D);
        rt_vector(&r, 1, 3, rest);
        near_about("seed %d", seed);
        for (int i = 0; i < 2; i++) {
            rtRandom same = {(uint64_t)seed};
            zvBuilder *b = zv_builder_create(&error);
            add_link(b, "ground", NULL);
            add_link(b, "body", &same);
            zvJoint joint = zv_joint_default("ball", i ? ZV_JOINT_FREE : ZV_JOINT_SPHERICAL, "ground", "body");
            zvLoop loop = zv_loop_default("socket", ZV_LOOP_JOINT, ZV_JOINT_SPHERICAL, "ground", "body");
            const double **stiffness = i ? &loop.stiffness_matrix : &joint.stiffness_matrix;
            const double **damping = i ? &loop.damping_matrix : &joint.damping_matrix;
            *stiffness = K;
            *damping = D;
            for (int k = 0; k < 3; k++) (i ? loop.dof : joint.dof)[k].rest = rest[k];
            assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
            if (i) assert_int_equal(zv_builder_add_loop(b, &loop, &error), ZV_OK);
            models[i] = frozen(b);
        }
        rt_quaternion(&r, q + 3);
        rt_vector(&r, 1, 3, v + 3);
        const Answer tree = answer_of(models[0], zv_drives_create(models[0], &error), q + 3, v + 3);
        const Answer loop = answer_of(models[1], zv_drives_create(models[1], &error), q, v);
        assert_all_near_scaled("a", 3, loop.a + 3, tree.a, 1e-10);
        assert_near_relative(loop.stored, tree.stored, 1e-12);
        assert_near_relative(loop.power, tree.power, 1e-12);
        zv_model_destroy(models[0]);
        zv_model_destroy(models[1]);
    }
}

/* What is wrong with a bushing: frames of one body, entries. */
static void refused(void **state) {
    (void)state;
    double K[36] = {0};
    const zvPose here = zv_pose_identity();
    zvModel *model = carrier(3, &here, NOWHERE, NULL, NULL, NULL);
    zvDrives *drives = zv_drives_create(model, &error);
    const int seat = zv_model_find_frame(model, "seat"), body = zv_model_find_frame(model, "body");
    for (int k = 0; k < 6; k++) K[7 * k] = 1;
    assert_int_equal(zv_drives_add_bushing(drives, "b", seat, 1, K, NULL, NULL, &error), ZV_SCHEMA);
    K[6 * 4 + 1] = 0.5;
    assert_int_equal(zv_drives_add_bushing(drives, "b", seat, body, K, NULL, NULL, &error), ZV_PHYSICS);
    assert_non_null(strstr(error.text, "stiffness of bushing \"b\": expected a symmetric matrix, found 0.5 in row 5, "
                                       "column 2 and 0 across the diagonal"));
    K[6 * 1 + 4] = 0.5;
    assert_int_equal(zv_drives_add_bushing(drives, "b", seat, body, K, NULL, NULL, &error), ZV_OK);
    K[6 * 4 + 1] = K[6 * 1 + 4] = 1.5;
    assert_int_equal(zv_drives_add_bushing(drives, "b", seat, body, NULL, K, NULL, &error), ZV_PHYSICS);
    assert_non_null(strstr(error.text, "with at least 2.25 in row 5, column 5, found 1"));
    K[0] = NAN;
    assert_int_equal(zv_drives_add_bushing(drives, "b", seat, body, NULL, K, NULL, &error), ZV_NUMBER);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

TESTS(bushings_are_free_joints, balls_of_loops, refused)
