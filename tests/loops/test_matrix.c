/* Jacobians of loops against the motions of their frames; what known mechanisms leave free. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "along.h"
#include "support/reference_joint.h"
#include "support/run_tests.h"

static const uint64_t SEED = 20261101;
static const double PI = 3.14159265358979323846;

/* --- Jacobians -----------------------------------------------------------------------------------------------------
 */

/* G v is what the sweep over all constraints says the rates are; so are its columns. */
static bool jacobian_is(const rcCase *c, bool smooth) {
    double *G = numbers(c->rows * c->nv), *gaps = numbers(c->rows), *rates = numbers(c->rows), *got = numbers(c->rows);
    double *unit = numbers(c->nv);
    bool good = true;
    (void)smooth;
    zv_loop_jacobian(c->model, c->work, c->q, G);
    for (int k = -1; k < c->nv && good; k++) {
        const double *v = k < 0 ? c->v : unit;
        if (k >= 0) unit[k] = 1;
        if (k > 0) unit[k - 1] = 0;
        zv_loop_gaps(c->model, c->work, NULL, c->q, v, gaps, rates);
        double size = reach_of(c);
        for (int i = 0; i < c->rows; i++) {
            got[i] = 0;
            for (int d = 0; d < c->nv; d++) got[i] += G[i * c->nv + d] * v[d];
            for (int d = 0; d < c->nv; d++) size = fmax(size, reach_of(c) * fabs(v[d]));
        }
        good = near(c, "G v", c->rows, got, rates, 1e-13 * size);
    }
    free(G);
    free(gaps);
    free(rates);
    free(got);
    free(unit);
    return good;
}

static void test_jacobian(void **state) {
    (void)state;
    assert_true(each_kind(SEED, 20, RT_ALL_CURVES, jacobian_is));
}

/* Motion of the child's frame against the parent's from those of both in the world, axes of the parent's. */
static void relative_motion(const rcCase *c, const double *v, int loop, double out[6]) {
    const zvLoopPlace place = zv_model_loop_place(c->model, loop);
    double a[6], b[6], d[3], world[6];
    zvPose A, B;
    zv_frame_pose(c->model, c->work, c->q, place.parent_frame, &A);
    zv_frame_pose(c->model, c->work, c->q, place.child_frame, &B);
    zv_frame_velocity(c->model, c->work, c->q, v, place.parent_frame, ZV_AXES_WORLD, a);
    zv_frame_velocity(c->model, c->work, c->q, v, place.child_frame, ZV_AXES_WORLD, b);
    for (int i = 0; i < 3; i++) d[i] = B.p[i] - A.p[i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        world[i] = b[i] - a[i] - (a[3 + j] * d[k] - a[3 + k] * d[j]);
        world[3 + i] = b[3 + i] - a[3 + i];
    }
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++) out[i] += A.R[3 * k + i % 3] * world[i / 3 * 3 + k];
    }
}

static bool matrix_is(const rcCase *c, bool smooth) {
    double *U = numbers(6 * c->nv), most = 1;
    bool good = true;
    (void)smooth;
    for (int d = 0; d < c->nv; d++) most += fabs(c->v[d]);
    for (int i = 0; i < c->loops && good; i++) {
        double got[6] = {0}, want[6] = {0};
        zv_loop_matrix(c->model, c->work, c->q, i, U);
        for (int k = 0; k < 6 * c->nv; k++) got[k / c->nv] += U[k] * c->v[k % c->nv];
        if (c->loop[i].loop.kind != ZV_LOOP_COUPLING) relative_motion(c, c->v, i, want);
        good = near(c, "U v", 6, got, want, 1e-13 * reach_of(c) * most);
    }
    free(U);
    return good;
}

static void test_matrix(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 1, 20, RT_ALL_CURVES, matrix_is));
}

/* Of velocities that obey G v = 0 it makes motions of the joint: those of the reference at the loop's coordinates. */
static bool motions_are_the_joints(const rcCase *c, bool smooth) {
    double *U = numbers(6 * c->nv), *v = numbers(c->nv), most = 1;
    bool good = true;
    (void)smooth;
    memcpy(v, c->v, (size_t)c->nv * sizeof *v);
    rc_fit_velocity(c, NULL, v);
    for (int d = 0; d < c->nv; d++) most += fabs(v[d]);
    for (int i = 0; i < c->loops && good; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        double qc[7] = {0}, vc[6] = {0}, got[6] = {0}, want[6] = {0};
        if (loop->kind != ZV_LOOP_JOINT || loop->ball) continue;
        zvJoint joint = zv_joint_default("j", loop->type, "a", "b");
        memcpy(joint.axis, loop->axis, sizeof joint.axis);
        memcpy(joint.axis2, loop->axis2, sizeof joint.axis2);
        joint.pitch = loop->pitch;
        joint.curve = loop->curve;
        refJoint ref;
        refPose pose;
        exact q[7], rate[6];
        const exact zero[6] = {0};
        zv_loop_coordinates(c->model, c->work, c->q, v, i, qc, vc);
        zv_loop_matrix(c->model, c->work, c->q, i, U);
        for (int k = 0; k < 6 * c->nv; k++) got[k / c->nv] += U[k] * v[k % c->nv];
        for (int k = 0; k < 7; k++) q[k] = qc[k];
        for (int k = 0; k < 6; k++) rate[k] = vc[k];
        ref_joint_open(&ref, &joint);
        ref_joint_pose(&ref, q, rate, zero, &pose);
        ref_joint_close(&ref);
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            want[k] = (double)pose.p[k].d;
            for (int m = 0; m < 3; m++) want[3 + k] += (double)(pose.R[3 * b + m].d * pose.R[3 * a + m].x);
        }
        good = near(c, "motion of the joint", 6, got, want, 1e-12 * reach_of(c) * most / finest(loop));
    }
    free(U);
    free(v);
    return good;
}

static void test_motions(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 2, 20, RT_ALL_CURVES, motions_are_the_joints));
}

/* --- mobility ------------------------------------------------------------------------------------------------------
 */

static bool mobility_is(const rcCase *c, bool smooth) {
    double *G = numbers(c->rows * c->nv);
    exact *A = lin_numbers(c->rows * c->nv), *Q = lin_numbers(c->nv * c->nv);
    zvLoopMobility got;
    (void)smooth;
    zv_loop_jacobian(c->model, c->work, c->q, G);
    /* robots here are about 1 m large: what is smaller is rounding, such as that of a ball joint closed by a ball joint
     */
    for (int i = 0; i < c->rows * c->nv; i++) A[i] = fabs(G[i]) < 1e-11 ? 0 : G[i];
    const int rank = rc_row_basis(c->rows, c->nv, A, 1e-9L, Q);
    const zvStatus status = zv_loop_mobility(c->model, c->work, c->q, &got);
    const bool good = status == ZV_OK && got.rank == rank && got.rows == c->rows && got.freedoms == c->nv - rank &&
                      got.redundant == c->rows - rank;
    if (!good) fprintf(stderr, "seed %llu: rank %d, not %d\n", (unsigned long long)c->seed, got.rank, rank);
    free(G);
    free(A);
    free(Q);
    return good;
}

static void test_random_mobility(void **state) {
    (void)state;
    assert_true(each_kind(SEED + 3, 20, RT_ALL_CURVES, mobility_is));
}

/* A ring: revolute joints about z, each on the link before, the end of the last link joined to the ground. Bars of 1 m
 * beside the first link go from the ground to the second one. */
typedef struct Ring {
    int count;
    zvPose pose[4]; /* of each joint on the link before, then of the loop's end on the last link */
    zvJointType type;
    zvPose ground; /* the loop's end there */
    int bars;
} Ring;

static void must(zvStatus status, const zvError *error) {
    if (status < 0) fprintf(stderr, "%s\n", error->text);
    assert_true(status >= 0);
}

static void add_link(zvBuilder *b, const char *name) {
    zvError error = {0};
    zvLink link = zv_link_default(name);
    link.has_inertia = true;
    link.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
    must(zv_builder_add_link(b, &link, &error), &error);
}

static void add_bar(zvBuilder *b, int i) {
    static const char *const bars[] = {"b0", "b1", "b2", "b3"}, *const roots[] = {"r0", "r1", "r2", "r3"},
                             *const constraints[] = {"t0", "t1", "t2", "t3"};
    zvError error = {0};
    zvJoint root = zv_joint_default(roots[i], ZV_JOINT_REVOLUTE, "l0", bars[i]);
    zvLoop constraint = zv_loop_default(constraints[i], ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, bars[i], "l2");
    root.origin.p[0] = constraint.child_origin.p[0] = 0.7 * (i + 1);
    constraint.origin.p[0] = 1;
    add_link(b, bars[i]);
    must(zv_builder_add_joint(b, &root, &error), &error);
    must(zv_builder_add_loop(b, &constraint, &error), &error);
}

static zvModel *make_ring(const Ring *ring) {
    static const char *const links[] = {"l0", "l1", "l2", "l3"}, *const joints[] = {"j1", "j2", "j3"};
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *b = zv_builder_create(&error);
    for (int i = 0; i <= ring->count; i++) add_link(b, links[i]);
    for (int i = 0; i < ring->count; i++) {
        zvJoint joint = zv_joint_default(joints[i], ZV_JOINT_REVOLUTE, links[i], links[i + 1]);
        joint.origin = ring->pose[i];
        must(zv_builder_add_joint(b, &joint, &error), &error);
    }
    zvLoop loop = zv_loop_default("loop", ZV_LOOP_JOINT, ring->type, links[0], links[ring->count]);
    loop.child_origin = ring->pose[ring->count];
    loop.origin = ring->ground;
    must(zv_builder_add_loop(b, &loop, &error), &error);
    for (int i = 0; i < ring->bars; i++) add_bar(b, i);
    must(zv_builder_freeze(b, &model, &error), &error);
    zv_builder_destroy(b);
    return model;
}

/* False when the ring is not closed at q. */
static bool mobility_at(const Ring *ring, const double *q, zvLoopMobility *got) {
    zvModel *model = make_ring(ring);
    zvWork *work = zv_work_create(model, NULL);
    double gap;
    zv_loop_residual(model, work, NULL, q, NULL, -1, &gap, NULL);
    assert_int_equal(zv_loop_mobility(model, work, q, got), ZV_OK);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return gap < 1e-12;
}

static zvPose along_x(double x) {
    zvPose pose = zv_pose_identity();
    pose.p[0] = x;
    return pose;
}

/* A rhombus of 1 m: revolute joints close three conditions too many, a spherical one one. With all links in one line
 * one condition more does not count. */
static void test_four_bar(void **state) {
    const double turn = PI - 1.2, square[3] = {1.2, -1.2, -turn}, flat[3] = {0, 0, -PI};
    Ring ring = {.count = 3, .type = ZV_JOINT_REVOLUTE, .ground = along_x(1)};
    zvLoopMobility got;
    (void)state;
    ring.pose[0] = zv_pose_identity();
    for (int i = 1; i < 4; i++) ring.pose[i] = along_x(1);
    assert_true(mobility_at(&ring, square, &got));
    assert_int_equal(got.freedoms, 1);
    assert_int_equal(got.rows, 5);
    assert_int_equal(got.rank, 2);
    assert_int_equal(got.redundant, 3);
    assert_true(mobility_at(&ring, flat, &got));
    assert_int_equal(got.rank, 1);
    assert_int_equal(got.freedoms, 2);
    ring.type = ZV_JOINT_SPHERICAL;
    assert_true(mobility_at(&ring, square, &got));
    assert_int_equal(got.freedoms, 1);
    assert_int_equal(got.redundant, 1);
    ring.type = ZV_JOINT_FIXED;
    ring.pose[3].R[0] = ring.pose[3].R[4] = cos(turn);
    ring.pose[3].R[1] = -(ring.pose[3].R[3] = sin(turn));
    assert_true(mobility_at(&ring, square, &got));
    assert_int_equal(got.freedoms, 0);
    assert_int_equal(got.redundant, 3);
}

/* A parallelogram with bars across it: far more conditions than joints, and still one freedom. */
static void test_bars(void **state) {
    (void)state;
    for (int bars = 0; bars <= 4; bars++) {
        Ring ring = {.count = 3, .type = ZV_JOINT_REVOLUTE, .ground = along_x(3), .bars = bars};
        const double q[7] = {0.8, -0.8, PI + 0.8, 0.8, 0.8, 0.8, 0.8};
        zvLoopMobility got;
        ring.pose[0] = zv_pose_identity();
        ring.pose[1] = ring.pose[3] = along_x(1);
        ring.pose[2] = along_x(3);
        assert_true(mobility_at(&ring, q, &got));
        assert_int_equal(got.rows, 5 * (bars + 1));
        assert_int_equal(got.freedoms, 1);
    }
}

/* A link of Denavit and Hartenberg. */
static zvPose dh_link(double length, double twist) {
    const double s = sin(twist), c = cos(twist);
    return (zvPose){{1, 0, 0, 0, c, -s, 0, s, c}, {length, 0, 0}};
}

/* Bennett's linkage: links a, b, a, b with twists alpha, beta, alpha, beta and a / sin alpha = b / sin beta move with
 * one freedom, though five conditions meet three joints. tan(q1/2) tan(q2/2) is one of two numbers, q3 = -q1. */
static void test_bennett(void **state) {
    const double alpha = 0.9, beta = 0.5, a = sin(alpha), b = sin(beta), q1 = 1.1;
    const double product = sin((beta + alpha) / 2) / sin((beta - alpha) / 2);
    Ring ring = {.count = 3, .type = ZV_JOINT_REVOLUTE, .ground = dh_link(-b, -beta)};
    int closed = 0;
    (void)state;
    ring.pose[0] = zv_pose_identity();
    ring.pose[1] = ring.pose[3] = dh_link(a, alpha);
    ring.pose[2] = dh_link(b, beta);
    for (int sign = -1; sign <= 1; sign += 2) {
        const double q[3] = {q1, 2 * atan(sign * product / tan(q1 / 2)), -q1};
        zvLoopMobility got;
        if (!mobility_at(&ring, q, &got)) continue;
        closed++;
        assert_int_equal(got.freedoms, 1);
        assert_int_equal(got.redundant, 3);
    }
    assert_int_equal(closed, 1);
}

/* Models without loops have no rows, and keep all they have. */
static void test_no_loops(void **state) {
    (void)state;
    rtOptions options = rt_options_default(5);
    rtTree *tree = rt_tree_create(SEED, &options);
    zvModel *model = rt_tree_freeze(tree);
    zvWork *work = zv_work_create(model, NULL);
    double *q = numbers(zv_model_nq(model)), gap = 1, rate = 1, none[1];
    zvLoopMobility got;
    zv_neutral(model, q);
    zv_loop_residual(model, work, NULL, q, NULL, -1, &gap, &rate);
    zv_loop_gaps(model, work, NULL, q, NULL, none, none);
    zv_loop_jacobian(model, work, q, none);
    zv_loop_bias(model, work, NULL, q, NULL, none);
    assert_int_equal(zv_loop_mobility(model, work, q, &got), ZV_OK);
    assert_true(gap == 0 && rate == 0 && got.freedoms == zv_model_nv(model) && got.rows == 0);
    free(q);
    free(tree);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(test_jacobian, test_matrix, test_motions, test_bars, test_random_mobility, test_four_bar, test_bennett,
      test_no_loops)
