/* Forward dynamics and its relatives with elastic links, on random trees: coupled joints, M^-1 by sweeps, drive forces
 * of prescribed joints, what NULL and shared arrays mean, what is singular. Second computations: Newton-Euler, the
 * dense matrix, products by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/kernels.h"
#include "support/bent_tree.h"
#include "support/run_tests.h"

static const double rounding = 1e-12;

static rtOptions spread(int i) {
    rtOptions options = rt_options_default(1 + i % 6);
    options.shape = i % 3 == 0 ? RT_BUSHY : i % 3 == 1 ? RT_DEEP : RT_CHAIN;
    options.free_base = i % 4 == 1;
    return options;
}

static void each(uint64_t seed, int count, int mimics, int modes, void (*check)(btCase *c)) {
    for (int i = 0; i < count; i++) {
        btCase c;
        rtOptions options = spread(i);
        options.mimics = mimics;
        bt_case_open(&c, seed + (uint64_t)i, options, modes);
        check(&c);
        bt_case_close(&c);
    }
}

/* The forces Newton-Euler finds for accelerations a must be tau, to rounding of the terms they are made of. */
static void expect_motion(btCase *c, const double *a, const double *tau) {
    int n = c->nv;
    exact *M = lin_numbers(n * n), *want = lin_numbers(n), *size = lin_numbers(n);
    double *found = calloc((size_t)n + 1, sizeof *found);
    if (!found) abort();
    bt_mass(c, M);
    bt_bias(c, c->v, c->fext, size);
    for (int i = 0; i < n; i++) {
        want[i] = tau[i];
        size[i] = fabsl(size[i]) + fabs(tau[i]);
        for (int j = 0; j < n; j++) size[i] += sqrtl(M[i * (n + 1)] * M[j * (n + 1)]) * fabs(a[j]);
    }
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, a, c->fext, found);
    assert_true(bt_near(c, "force", n, found, want, size, rounding));
    free(M);
    free(want);
    free(size);
    free(found);
}

static void forward_and_mixed(btCase *c) {
    unsigned char *given = calloc((size_t)c->nv + 1, 1);
    assert_non_null(given);
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->x), ZV_OK);
    expect_motion(c, c->x, c->tau);
    for (int i = 0; i < c->nv; i++) {
        given[i] = (unsigned char)rt_below(&c->random, 3);
        c->x[i] = c->tau[i];
        c->y[i] = c->a[i];
    }
    assert_int_equal(zv_mixed_dynamics(c->model, c->work, c->q, c->v, given, c->fext, c->x, c->y), ZV_OK);
    for (int i = 0; i < c->nv; i++) {
        if (given[i] == ZV_GIVEN_FORCE) assert_true(c->x[i] == c->tau[i]);
        if (given[i] == ZV_GIVEN_ACCELERATION) assert_true(c->y[i] == c->a[i]);
        if (given[i] == ZV_GIVEN_LOCKED) assert_true(c->y[i] == 0);
    }
    expect_motion(c, c->y, c->x);
    free(given);
}

static void coupled_joints(void **state) {
    (void)state;
    each(71000, 120, 2, 2, forward_and_mixed);
}

/* M^-1 column by column through the sweeps, as deep trees do, against the inverse of the dense matrix. Entries of M
 * are rounded to a part of sqrt(M_kk M_ll); that reaches entry ij through |M^-1| on both sides. */
static void inverse_by_sweeps(btCase *c) {
    int n = c->nv;
    exact *M = lin_numbers(n * n), *inverse = lin_numbers(n * n), *scale = lin_numbers(n * n), *reach = lin_numbers(n);
    double *found = calloc((size_t)(n * n) + 1, sizeof *found);
    assert_non_null(found);
    bt_mass(c, M);
    assert_true(lin_inverse(n, M, inverse));
    for (int k = 0; k < n * n; k++) reach[k / n] += fabsl(inverse[k]) * sqrtl(M[k % n * (n + 1)]);
    for (int k = 0; k < n * n; k++) scale[k] = reach[k / n] * reach[k % n];
    ziScratch scratch = zi_scratch_of(c->model, c->work);
    assert_int_equal(zi_kernels(c->model)->articulated_inverse(&c->model->tree, scratch, c->q, found), ZV_OK);
    assert_true(bt_near(c, "M^-1", n * n, found, inverse, scale, rounding));
    free(M);
    free(inverse);
    free(scale);
    free(reach);
    free(found);
}

static void sweeps(void **state) {
    (void)state;
    each(72000, 100, 0, 2, inverse_by_sweeps);
    each(72500, 12, 0, 8, inverse_by_sweeps);
}

/* Joints prescribed: accelerations of elastic coordinates and drive forces, none on elastic coordinates. */
static void prescribed_joints(btCase *c) {
    for (int i = 0; i < c->nv; i++) {
        c->x[i] = bt_elastic(c, i) ? NAN : c->a[i];
        c->y[i] = NAN;
    }
    assert_int_equal(zv_flexible_inverse_dynamics(c->model, c->work, c->q, c->v, c->fext, c->x, c->y), ZV_OK);
    for (int i = 0; i < c->nv; i++) assert_true(bt_elastic(c, i) ? c->y[i] == 0 : c->x[i] == c->a[i]);
    expect_motion(c, c->x, c->y);
}

static void flexible_inverse(void **state) {
    (void)state;
    each(73000, 100, 0, 2, prescribed_joints);
    each(73500, 60, 2, 2, prescribed_joints);
}

/* k = K e + D de/dt; a force fext on an elastic coordinate is tau there. */
static void elastic_forces(btCase *c) {
    exact *want = lin_numbers(c->nv), *size = lin_numbers(c->nv);
    for (int link = 0; link < zv_model_nlink(c->model); link++) {
        zvElasticPlace place = zv_model_elastic_place(c->model, link);
        int n = place.count;
        double *K = calloc((size_t)(2 * n * n) + 1, sizeof *K), *D = K + n * n;
        assert_non_null(K);
        zv_model_elastic_matrices(c->model, link, NULL, K, D);
        for (int k = 0; k < n * n; k++) {
            const exact bent = (exact)K[k] * c->q[place.q_index + k % n];
            const exact damped = (exact)D[k] * c->v[place.v_index + k % n];
            want[place.v_index + k / n] += bent + damped;
            size[place.v_index + k / n] += fabsl(bent) + fabsl(damped);
        }
        free(K);
    }
    zv_elastic_force(c->model, c->q, c->v, c->x);
    assert_true(bt_near(c, "K e + D de", c->nv, c->x, want, size, 1e-14));
    free(size);
    free(want);
    int first = 6 * zv_model_nlink(c->model), e = 0;
    memset(c->fext, 0, (size_t)c->nexternal * sizeof *c->fext);
    for (int i = 0; i < c->nv; i++) c->y[i] = c->tau[i];
    for (int i = 0; i < c->nv; i++) {
        if (!bt_elastic(c, i)) continue;
        c->fext[first + e++] = c->tau[i];
        c->y[i] = 0;
    }
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, c->v, c->y, c->fext, c->x), ZV_OK);
    memset(c->fext, 0, (size_t)c->nexternal * sizeof *c->fext);
    expect_motion(c, c->x, c->tau);
}

static void forces_of_elastic_coordinates(void **state) {
    (void)state;
    each(74000, 60, 0, 2, elastic_forces);
    each(74500, 30, 2, 2, elastic_forces);
}

/* NULL is zero; a may be the array of v or of tau, tau of the mixed problem that of v. */
static void arrays(btCase *c) {
    size_t bytes = (size_t)c->nv * sizeof *c->x;
    double *zeros = calloc((size_t)c->nv + (size_t)c->nexternal + 1, sizeof *zeros);
    assert_non_null(zeros);
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, NULL, NULL, NULL, c->x), ZV_OK);
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, zeros, zeros, zeros, c->y), ZV_OK);
    for (int i = 0; i < c->nv; i++) assert_true(fabs(c->x[i] - c->y[i]) <= 1e-9 * (1 + fabs(c->x[i])));
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, c->fext, c->x), ZV_OK);
    memcpy(c->y, c->tau, bytes);
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, c->v, c->y, c->fext, c->y), ZV_OK);
    assert_memory_equal(c->x, c->y, bytes);
    memcpy(c->y, c->v, bytes);
    assert_int_equal(zv_forward_dynamics(c->model, c->work, c->q, c->y, c->tau, c->fext, c->y), ZV_OK);
    assert_memory_equal(c->x, c->y, bytes);
    free(zeros);
}

static void null_and_shared_arrays(void **state) {
    (void)state;
    each(75000, 60, 0, 2, arrays);
    each(75500, 30, 2, 2, arrays);
}

/* ground - hinge - beam - joint - tip at the end of the beam */
static zvModel *beam_with_tip(zvJointType type, double tip_mass) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    zvBeam beam = zv_beam_default();
    beam.EIz = beam.EIy = beam.GJ = 100;
    beam.rhoA = 2;
    beam.rhoIy = beam.rhoIz = 1e-3;
    beam.modes[ZV_BEAM_BEND_Y] = beam.modes[ZV_BEAM_BEND_Z] = 2;
    beam.modes[ZV_BEAM_TWIST] = 1;
    zvLink ground = zv_link_default("ground"), arm = zv_link_default("arm"), tip = zv_link_default("tip");
    arm.beam = &beam;
    if (tip_mass > 0)
        tip.inertia = (zvInertia){.mass = tip_mass, .com = {0, 0.1, 0}, .moment = {0.01, 0, 0, 0.01, 0, 0.01}};
    zvJoint root = zv_joint_default("root", ZV_JOINT_REVOLUTE, "ground", "arm"),
            end = zv_joint_default("end", type, "arm", "tip");
    end.origin.p[0] = 1;
    const zvLink *links[] = {&ground, &arm, &tip};
    for (int i = 0; i < 3; i++) assert_int_equal(zv_builder_add_link(builder, links[i], &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &root, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(builder, &end, &error), ZV_OK);
    if (zv_builder_freeze(builder, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    return model;
}

static zvStatus solvable(zvJointType type, double tip_mass, const unsigned char *given) {
    zvModel *model = beam_with_tip(type, tip_mass);
    zvWork *work = zv_work_create(model, NULL);
    double q[7] = {0.3, 0.02, -0.01, 0.03, 0, 0.1, 0.2}, v[7] = {1, 0.1, 0.2, 0, 0.1, 0.3, 0.5}, tau[7] = {0},
           a[7] = {0};
    assert_non_null(work);
    zvStatus status = given ? zv_mixed_dynamics(model, work, q, v, given, NULL, tau, a)
                            : zv_forward_dynamics(model, work, q, v, tau, NULL, a);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return status;
}

static void massless_parts(void **state) {
    (void)state;
    const unsigned char locked[7] = {0, 0, 0, 0, 0, 0, ZV_GIVEN_LOCKED}, stiff[7] = {0, 1, 1, 2, 2, 1, 0};
    assert_int_equal(solvable(ZV_JOINT_FIXED, 0, NULL), ZV_OK);
    assert_int_equal(solvable(ZV_JOINT_FIXED, 3, NULL), ZV_OK);
    assert_int_equal(solvable(ZV_JOINT_REVOLUTE, 3, NULL), ZV_OK);
    assert_int_equal(solvable(ZV_JOINT_REVOLUTE, 3, stiff), ZV_OK);
    assert_int_equal(solvable(ZV_JOINT_REVOLUTE, 0, NULL), ZV_SINGULAR);
    assert_int_equal(solvable(ZV_JOINT_REVOLUTE, 0, stiff), ZV_SINGULAR);
    assert_int_equal(solvable(ZV_JOINT_REVOLUTE, 0, locked), ZV_OK);
}

TESTS(coupled_joints, sweeps, flexible_inverse, forces_of_elastic_coordinates, null_and_shared_arrays, massless_parts)
