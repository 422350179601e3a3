/* The flexible spatial arm of [Gevorkian] in one state: mass matrix, bias, four mixed problems and the wrenches in its
 * joints, against a dense model of point masses that agrees with the source's recursion to 1e-12. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "oracle/flexible_arm_state.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/builder.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

static const double PI = 3.14159265358979323846, RHO = 2699, RADIUS = 0.05;
enum { N = 12 };

static zvInertia rod(double length, int axis) {
    double m = RHO * PI * RADIUS * RADIUS * length;
    double along = m * RADIUS * RADIUS / 2, across = m * (3 * RADIUS * RADIUS + length * length) / 12;
    zvInertia x = {.mass = m, .moment = {across, 0, 0, across, 0, across}};
    x.com[axis] = length / 2;
    x.moment[axis == 0 ? 0 : axis == 1 ? 3 : 5] = along;
    return x;
}

static zvBeam boom(double length) {
    zvBeam beam = zv_beam_default();
    const double size[3] = {0.05, 0.04, 0};
    zv_section_fill(&beam, 6.895e10, 2.6e10, RHO, ZV_SECTION_TUBE, size, false);
    beam.length = length;
    beam.shapes = ZV_SHAPES_GEVORKIAN;
    beam.modes[ZV_BEAM_BEND_Y] = beam.modes[ZV_BEAM_BEND_Z] = 2;
    beam.stiffening = ZV_STIFFENING_OFF;
    return beam;
}

/* Source axes: Y up, link 1 along Y, links 2 to 4 along X at q = 0. */
static zvModel *arm(void) {
    zvBuilder *b = zv_builder_create(NULL);
    zvError error;
    const zvBeam booms[2] = {boom(4), boom(5)};
    const double reach[4] = {0, 0.3, 4, 5};
    zvLink links[6] = {zv_link_default("c0"), zv_link_default("c1"), zv_link_default("c2"),
                       zv_link_default("c3"), zv_link_default("c4"), zv_link_default("payload")};
    links[1].inertia = rod(0.3, 1);
    links[2].beam = &booms[0];
    links[3].beam = &booms[1];
    links[4].inertia = rod(0.5, 0);
    links[5].inertia.mass = 200;
    for (int i = 0; i < 6; i++) assert_int_equal(zv_builder_add_link(b, &links[i], &error), ZV_OK);
    for (int i = 0; i < 5; i++) {
        zvJoint joint = zv_joint_default((const char *[]){"joint1", "joint2", "joint3", "joint4", "hold"}[i],
                                         i < 4 ? ZV_JOINT_REVOLUTE : ZV_JOINT_FIXED, links[i].name, links[i + 1].name);
        if (i == 0) memcpy(joint.axis, (double[3]){0, 1, 0}, sizeof joint.axis);
        if (i < 4) joint.origin.p[i == 1 ? 1 : 0] = reach[i];
        if (i == 4) joint.origin.p[0] = 0.25;
        assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    }
    zv_builder_set_gravity(b, state_gravity);
    zvModel *model = NULL;
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

/* Model order: q1, q2, e2 (4), q3, e3 (4), q4. place[i]: where the reference's entry i lies in ours. */
static const int place[N] = {0, 1, 6, 11, 2, 3, 4, 5, 7, 8, 9, 10};

static void lay(const double *joints, const double *elastic, double *x) {
    for (int i = 0; i < 4; i++) x[place[i]] = joints[i];
    for (int i = 0; i < 8; i++) x[place[4 + i]] = elastic[i];
}

static double friction(int i) { return state_Fs[i] * (state_qd[i] > 0 ? 1 : -1) + state_Fv[i] * state_qd[i]; }

typedef struct Arm {
    zvModel *model;
    zvWork *work;
    double q[N], v[N];
} Arm;

static void open_arm(Arm *x) {
    zvError error;
    x->model = arm();
    assert_int_equal(zv_model_nv(x->model), N);
    x->work = zv_work_create(x->model, &error);
    assert_non_null(x->work);
    lay(state_q, state_qe, x->q);
    lay(state_qd, state_qed, x->v);
}

static void close_arm(Arm *x) {
    zv_work_destroy(x->work);
    zv_model_destroy(x->model);
}

static void matrix_and_bias(void **state) {
    (void)state;
    Arm x;
    double M[N * N], bias[N];
    open_arm(&x);
    zv_mass_matrix(x.model, x.work, x.q, M);
    zv_bias(x.model, x.work, x.q, x.v, bias);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            assert_element_near("M", N * i + j, M[N * place[i] + place[j]], state_M[N * i + j], 1e-11 * 2e4);
        assert_element_near("bias", i, bias[place[i]] + (i < 4 ? friction(i) : 0), state_bias[i], 1e-11 * 2e4);
    }
    close_arm(&x);
}

/* Wrenches in joint axes: the source's frame j is our link frame. */
static void check_wrenches(Arm *x, int k, const double *a) {
    double reactions[5 * 6];
    zv_joint_reactions(x->model, x->work, x->q, x->v, a, NULL, reactions);
    for (int i = 0; i < 24; i++) assert_element_near("wrench", i, reactions[i], state_wrench[24 * k + i], 1e-10 * 1e4);
}

static void masks(void **state) {
    (void)state;
    Arm x;
    open_arm(&x);
    for (int k = 0; k < STATE_CASES; k++) {
        unsigned char given[N] = {0};
        double a[N] = {0}, tau[N] = {0};
        for (int i = 0; i < 4; i++) {
            given[place[i]] = state_chi[4 * k + i] > 0 ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
            a[place[i]] = state_qdd[4 * k + i];
            tau[place[i]] = state_gamma[4 * k + i] - friction(i);
            if (given[place[i]] == ZV_GIVEN_FORCE) a[place[i]] = NAN;
            if (given[place[i]] != ZV_GIVEN_FORCE) tau[place[i]] = NAN;
        }
        assert_int_equal(zv_mixed_dynamics(x.model, x.work, x.q, x.v, given, NULL, tau, a), ZV_OK);
        for (int i = 0; i < 4; i++) {
            assert_element_near("qdd", i, a[place[i]], state_qdd[4 * k + i], 1e-10 * 2e3);
            assert_element_near("Gamma", i, tau[place[i]] + friction(i), state_gamma[4 * k + i], 1e-10 * 1e4);
        }
        for (int i = 0; i < 8; i++) assert_element_near("qedd", i, a[place[4 + i]], state_qedd[8 * k + i], 1e-10 * 2e3);
        check_wrenches(&x, k, a);
    }
    close_arm(&x);
}

TESTS(matrix_and_bias, masks)
