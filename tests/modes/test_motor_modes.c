/* Modes of robots with motors behind gears: closed forms of two masses and a spring, and small motions of random trees
 * by forward dynamics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/geared_tree.h"
#include "support/near.h"
#include "support/read_model.h"
#include "support/run_tests.h"
#include "zveno/flexible.h"
#include "zveno/modes.h"

enum { N = GEARED_MOST };
static zvError error;

/* A rotor J1, a gear, a link J2 that turns about the vertical. */
static zvModel *two_masses(double J1, double J2, double stiffness, double damping, double cubic) {
    const zvFlexibleJoint gear = {
        .stiffness = stiffness, .damping = damping, .inertia = J1 / 400, .ratio = -20, .cubic = cubic};
    zvBuilder *b = zv_builder_create(&error);
    const zvLink ground = zv_link_default("ground");
    zvLink arm = zv_link_default("arm");
    arm.inertia = (zvInertia){1, {0, 0, 0}, {J2, 0, 0, J2, 0, J2}};
    zvJoint joint = zv_joint_default("turn", ZV_JOINT_REVOLUTE, "ground", "arm");
    joint.flexible = &gear;
    zvModel *model = NULL;
    assert_int_equal(zv_builder_add_link(b, &ground, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &arm, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    assert_int_equal(zv_builder_freeze(b, &model, &error), ZV_OK);
    zv_builder_destroy(b);
    return model;
}

/* omega^2 = k (1/J1 + 1/J2), decay d/2 (1/J1 + 1/J2); locked k/J2; of a cubic gear the tangent where it stands. */
static void closed_forms(void **state) {
    (void)state;
    const double J1 = 0.02, J2 = 0.5, k = 100;
    for (int n = 0; n < 3; n++) {
        const double d = n == 1 ? 0.03 : 0, cubic = n == 2 ? 300 : 0, twist = n == 2 ? 0.4 : 0;
        zvModel *model = two_masses(J1, J2, k, d, cubic);
        zvWork *work = zv_work_create(model, &error);
        const double q = 0.1, theta = q + twist, tangent = k + 3 * cubic * twist * twist, mobility = 1 / J1 + 1 / J2;
        const unsigned char locked = 1;
        const zvRest rest = {.q = &q, .theta = &theta};
        zvMode modes[2];
        double shapes[4];
        int count;
        assert_int_equal(zv_motor_modes(model, work, &rest, NULL, modes, shapes, &count, &error), ZV_OK);
        assert_int_equal(count, 2);
        assert_true(modes[0].frequency == 0);
        assert_near_relative(modes[1].frequency, sqrt(tangent * mobility), 1e-13);
        assert_near(modes[1].real, -0.5 * d * mobility, 1e-12);
        assert_near_relative(shapes[2] / shapes[3], -J1 / J2, 1e-12);
        assert_near_relative(shapes[0] / shapes[1], 1, 1e-12);
        assert_int_equal(zv_motor_modes(model, work, &rest, &locked, modes, shapes, &count, &error), ZV_OK);
        assert_int_equal(count, 1);
        assert_near_relative(modes[0].frequency, sqrt(tangent / J2), 1e-13);
        assert_true(shapes[1] == 0);
        assert_int_equal(zv_modes(model, work, &rest, modes, shapes, &count, &error), ZV_OK); /* the same question */
        assert_near_relative(modes[0].frequency, sqrt(tangent / J2), 1e-13);
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

/* Accelerations of links and motors, (2 nv), displaced by e x from rest. */
static void accelerate(const GearedTree *g, const double *q0, const double *theta0, const double *motor,
                       const double *x, double e, double *out) {
    double q[N], theta[N], tau[N];
    for (int i = 0; i < g->nv; i++) {
        q[i] = q0[i] + e * x[i];
        theta[i] = theta0[i] + e * x[g->nv + i];
    }
    assert_int_equal(
        zv_motor_forward_dynamics(g->model, g->work, q, NULL, theta, NULL, motor, NULL, NULL, out, out + g->nv, tau),
        ZV_OK);
}

/* Displaced along a mode all accelerate towards rest by omega^2 times as much. */
static void small_motions(void **state) {
    (void)state;
    const double e = 1e-5;
    for (int n = 0; n < 25; n++) {
        GearedTree g = geared_tree_of(884000u + (unsigned)n, 2 + n % 5, 0, n % 2 ? GEARED_AXES : 0);
        double q[N], theta[N], motor[N], shapes[4 * N * N], a[2][2 * N], slope[2 * N], wanted[2 * N];
        unsigned char locked[N] = {0};
        zvMode modes[2 * N];
        int count, freedoms = 0;
        near_about("seed %d", 884000 + n);
        rt_vector(&g.random, 1, g.nv, q);
        zv_gravity_force(g.model, g.work, q, motor); /* what carries the weight */
        zv_gear_rest(g.model, q, motor, theta);
        const zvRest rest = {.q = q, .theta = theta};
        assert_int_equal(zv_motor_modes(g.model, g.work, &rest, locked, modes, shapes, &count, &error), ZV_OK);
        for (int j = 0; j < zv_model_njoint(g.model); j++)
            freedoms += zv_model_joint_place(g.model, j).nv * (zv_model_joint(g.model, j)->flexible ? 2 : 1);
        assert_int_equal(count, freedoms);
        for (int k = 0; k < count; k++) {
            const double *x = shapes + 2 * k * g.nv;
            const double square = modes[k].frequency * modes[k].frequency * (modes[k].real > 0 ? -1 : 1);
            double most = 1;
            if (modes[k].frequency > 0 && modes[k].damping > 0) continue;
            accelerate(&g, q, theta, motor, x, -e, a[0]);
            accelerate(&g, q, theta, motor, x, e, a[1]);
            for (int i = 0; i < 2 * g.nv; i++) {
                slope[i] = (a[1][i] - a[0][i]) / (2 * e);
                wanted[i] = -square * x[i];
                most = fmax(most, fabs(wanted[i]));
            }
            assert_all_near("acceleration", 2 * g.nv, slope, wanted, 1e-5 * most);
        }
        geared_tree_end(&g);
    }
}

/* A wheel of 0.2 kg m^2 behind a rotor of 0.05 kg m^2 on a carrier of 0.5 kg m^2 that turns about all axes: with the
 * motor locked all turn together about z; what the spin of the wheel does is not among the matrices. */
static void rotor_with_an_axis(void **state) {
    (void)state;
    zvModel *model = read_model("zveno: 1\ngravity: [0, 0, 0]\nlinks: [{name: base}, {name: carrier, mass: 2, inertia: "
                                "[0.4, 0.4, 0.5]}, {name: wheel, mass: 1, inertia: [0.1, 0.1, 0.2]}]\njoints: [{name: "
                                "turn, type: spherical, parent: base, child: carrier}, {name: spin, type: continuous, "
                                "parent: carrier, child: wheel, axis: z, flexible: {stiffness: 100, inertia: 0.05, "
                                "ratio: 10, rotor_axis: z}}]\n");
    zvWork *work = zv_work_create(model, &error);
    const double q[5] = {0, 0, 0, 1, 0}, theta[4] = {0}, v[4] = {0, 0, 0, 20};
    double M[16], C[16], K[16];
    zvMode modes[8];
    int count;
    zvRest rest = {.q = q, .theta = theta};
    assert_int_equal(zv_linearize(model, work, &rest, M, C, K, &error), ZV_OK);
    assert_near(M[2 * 4 + 2], 0.7, 1e-14);
    assert_near(M[2 * 4 + 3], 0.2, 1e-14);
    assert_near(M[0], 0.5, 1e-14);
    rest.v = v;
    assert_int_equal(zv_linearize(model, work, &rest, M, C, K, &error), ZV_NOT_SUPPORTED);
    assert_int_equal(zv_modes(model, work, &rest, modes, NULL, &count, &error), ZV_NOT_SUPPORTED);
    assert_int_equal(zv_motor_modes(model, work, &rest, NULL, modes, NULL, &count, &error), ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "rotors have axes of their own"));
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(closed_forms, small_motions, rotor_with_an_axis)
