/* Springs and dampers of joints as matrices: closed forms, gradients and tangents by differences, small oscillations,
 * and what makes a matrix no spring. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model/joint_spring.h"
#include "support/near.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "zveno/zveno.h"

static zvError error;

/* One body on one joint, without weight. */
typedef struct Carried {
    zvModel *model;
    zvWork *work;
    double q[7], v[6];
} Carried;

static const zvInertia brick = {.mass = 2, .com = {0.1, -0.2, 0.3}, .moment = {0.5, 0.05, -0.02, 0.7, 0.03, 0.9}};
static const zvInertia centred = {.mass = 2, .moment = {0.5, 0, 0, 0.7, 0, 0.9}};

static Carried carried_by(zvJointType type, const zvInertia *inertia, const double *K, const double *D,
                          const double *rest) {
    static const double none[3];
    Carried c = {0};
    zvBuilder *b = zv_builder_create(&error);
    const zvLink ground = zv_link_default("ground");
    zvLink body = zv_link_default("body");
    body.inertia = *inertia;
    zvJoint joint = zv_joint_default("mount", type, "ground", "body");
    joint.stiffness_matrix = K;
    joint.damping_matrix = D;
    joint.axis2[0] = 0.6, joint.axis2[1] = 0.8;
    for (int k = 0; rest && k < zv_joint_type_nv(type); k++) joint.dof[k].rest = rest[k];
    zv_builder_set_gravity(b, none);
    assert_int_equal(zv_builder_add_link(b, &ground, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &body, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &joint, &error), ZV_OK);
    if (zv_builder_freeze(b, &c.model, &error) != ZV_OK) fail_msg("%s", error.text);
    c.work = zv_work_create(c.model, &error);
    zv_neutral(c.model, c.q);
    zv_builder_destroy(b);
    return c;
}

static void free_carried(Carried *c) {
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
}

static void about_axis(const double axis[3], double angle, double q[4]) {
    for (int k = 0; k < 3; k++) q[k] = sin(0.5 * angle) * axis[k];
    q[3] = cos(0.5 * angle);
}

/* A stiffness alike all round answers a turn t about any axis with -k t about it, up to half a turn, and of a general
 * one the component along the axis is that of the store k_axis t^2/2. */
static void turns_of_a_ball(void **state) {
    (void)state;
    static const double round[9] = {5, 0, 0, 0, 5, 0, 0, 0, 5};
    static const double K[9] = {5, 1, 0.5, 1, 4, -0.3, 0.5, -0.3, 2};
    static const double axis[3] = {2 / 3.0, -1 / 3.0, 2 / 3.0};
    Carried c = carried_by(ZV_JOINT_SPHERICAL, &brick, round, NULL, NULL);
    Carried general = carried_by(ZV_JOINT_SPHERICAL, &brick, K, NULL, NULL);
    double k_axis = 0;
    for (int i = 0; i < 9; i++) k_axis += axis[i / 3] * K[i] * axis[i % 3];
    for (double t = -3.14; t < 3.142; t += 0.314) {
        double F[3], along = 0;
        about_axis(axis, t, c.q);
        zv_passive_forces(c.model, c.work, c.q, NULL, 0, F, NULL, NULL);
        for (int k = 0; k < 3; k++) assert_element_near("ball", k, F[k], -5 * t * axis[k], 1e-13);
        assert_near(zv_passive_energy(c.model, c.work, c.q), 2.5 * t * t, 1e-13);
        zv_passive_forces(general.model, general.work, c.q, NULL, 0, F, NULL, NULL);
        for (int k = 0; k < 3; k++) along += F[k] * axis[k];
        assert_near(along, -k_axis * t, 1e-13);
        assert_near(zv_passive_energy(general.model, general.work, c.q), 0.5 * k_axis * t * t, 1e-13);
    }
    double before[3], after[3]; /* across half a turn: the store goes on, the force along the axis is turned back */
    about_axis(axis, 3.14159265358979 - 1e-9, c.q);
    const double store = zv_passive_energy(general.model, general.work, c.q);
    zv_passive_forces(general.model, general.work, c.q, NULL, 0, before, NULL, NULL);
    about_axis(axis, 3.14159265358979 + 1e-9, c.q);
    assert_near(zv_passive_energy(general.model, general.work, c.q), store, 1e-7);
    zv_passive_forces(general.model, general.work, c.q, NULL, 0, after, NULL, NULL);
    assert_near(after[0] * axis[0] + after[1] * axis[1] + after[2] * axis[2],
                -(before[0] * axis[0] + before[1] * axis[1] + before[2] * axis[2]), 1e-6);
    free_carried(&c);
    free_carried(&general);
}

static const zvJointType types[] = {ZV_JOINT_CYLINDRICAL, ZV_JOINT_UNIVERSAL, ZV_JOINT_PLANAR, ZV_JOINT_SPHERICAL,
                                    ZV_JOINT_FREE};

/* The force is -dU along each degree of freedom, and the tangent -dF, both by sixth-order differences; the stiffness of
 * zv_linearize is the tangent, its damping D. */
static void gradients_and_tangents(void **state) {
    (void)state;
    static const double weight[4] = {0, 3 / 4.0, -3 / 20.0, 1 / 60.0}, h = 0.01;
    for (int seed = 0; seed < 100; seed++) {
        const zvJointType type = types[seed % 5];
        const int n = zv_joint_type_nv(type), at = zv_joint_type_quaternion(type);
        rtRandom r = {5100 + (uint64_t)seed};
        double K[36], D[36], rest[6], F[6], T[36], tangent[36], damping[36], step[6] = {0}, q[7], moved[6];
        rt_positive_matrix(&r, n, K);
        rt_positive_matrix(&r, n, D);
        rt_vector(&r, 0.7, n, rest);
        Carried c = carried_by(type, &brick, K, D, rest);
        rt_vector(&r, 0.7, n, step);
        zv_position_add(c.model, c.q, step, c.q); /* at most about 0.7 sqrt 3 and as much from the rest */
        memset(step, 0, sizeof step);
        near_about("seed %d, %s", seed, zv_joint_type_word(type));
        zv_passive_forces(c.model, c.work, c.q, NULL, 0, F, NULL, NULL);
        const ziJointSpring spring = zi_joint_spring_of(c.model, 0);
        zi_joint_spring_tangent(&spring, c.q, T);
        for (int j = 0; j < n; j++) {
            double slope = 0, change[6] = {0};
            for (int k = -3; k <= 3; k++) {
                const double w = (k < 0 ? -weight[-k] : weight[k]) / h;
                step[j] = k * h;
                zv_position_add(c.model, c.q, step, q);
                slope += w * zv_passive_energy(c.model, c.work, q);
                zv_passive_forces(c.model, c.work, q, NULL, 0, moved, NULL, NULL);
                for (int i = 0; i < n; i++) change[i] += w * moved[i];
            }
            step[j] = 0;
            assert_element_near("force", j, F[j], -slope, 2e-10);
            for (int i = 0; i < n; i++) assert_element_near("tangent", i * n + j, T[i * n + j], -change[i], 1e-9);
        }
        const zvRest about = {.q = c.q, .joint_matrices = true};
        assert_int_equal(zv_linearize(c.model, c.work, &about, NULL, damping, tangent, &error), ZV_OK);
        assert_all_near("K", n * n, tangent, T, 0);
        assert_all_near("C", n * n, damping, D, 0);
        for (int k = 0; k < n; k++) c.v[k] = rt_uniform(&r, -1, 1);
        zv_passive_forces(c.model, c.work, c.q, c.v, 0, NULL, F, NULL);
        for (int i = 0; i < n; i++) {
            double want = 0;
            for (int j = 0; j < n; j++) want -= D[i * n + j] * c.v[j];
            assert_element_near("damper", i, F[i], want, 1e-13);
        }
        (void)at;
        free_carried(&c);
    }
}

/* A ball joint at the centre of mass: omega_k^2 = k_k/J_k about the three axes. A body on a bushing: its six
 * frequencies are those of K x = omega^2 M x with the K of the file, whose shapes solve it and are orthogonal. */
static void small_oscillations(void **state) {
    (void)state;
    static const double K[9] = {20, 0, 0, 0, 63, 0, 0, 0, 3.6};
    zvMode modes[6];
    double shapes[36], M[36], all[36];
    int count = 0;
    Carried ball = carried_by(ZV_JOINT_SPHERICAL, &centred, K, NULL, NULL);
    const zvRest rest = {.joint_matrices = true};
    assert_int_equal(zv_modes(ball.model, ball.work, &rest, modes, NULL, &count, &error), ZV_OK);
    assert_int_equal(count, 3);
    assert_near(modes[0].frequency, sqrt(3.6 / 0.9), 1e-14);
    assert_near(modes[1].frequency, sqrt(20 / 0.5), 1e-14);
    assert_near(modes[2].frequency, sqrt(63 / 0.7), 1e-14);
    free_carried(&ball);

    rtRandom r = {77};
    rt_positive_matrix(&r, 6, all);
    Carried c = carried_by(ZV_JOINT_FREE, &brick, all, NULL, NULL);
    zv_mass_matrix(c.model, c.work, c.q, M);
    assert_int_equal(zv_modes(c.model, c.work, &rest, modes, shapes, &count, &error), ZV_OK);
    assert_int_equal(count, 6);
    double trace = 0, sum = 0;
    for (int m = 0; m < 6; m++) {
        const double square = modes[m].frequency * modes[m].frequency;
        sum += square;
        for (int i = 0; i < 6; i++) {
            double left = 0, size = 0;
            for (int j = 0; j < 6; j++) {
                left += (all[6 * i + j] - square * M[6 * i + j]) * shapes[6 * m + j];
                size += fabs(all[6 * i + j] * shapes[6 * m + j]);
            }
            assert_element_near("K x - omega^2 M x", 6 * m + i, left, 0, 1e-12 * (1 + size) * (1 + square));
            for (int k = 0; k <= m; k++) {
                double product = 0;
                for (int j = 0; j < 36; j++) product += shapes[6 * m + j / 6] * M[j] * shapes[6 * k + j % 6];
                assert_near(product, k == m, 1e-11);
            }
        }
    }
    double inverse[36]; /* the sum of omega^2 is the trace of M^-1 K */
    assert_int_equal(zv_mass_inverse(c.model, c.work, c.q, inverse), ZV_OK);
    for (int i = 0; i < 36; i++) trace += inverse[i] * all[i % 6 * 6 + i / 6];
    assert_near_relative(sum, trace, 1e-11);
    free_carried(&c);
}

/* What is refused, and at which entry; singular matrices are none of it. */
static void faults_of_matrices(void **state) {
    (void)state;
    const struct {
        int n;
        double A[9];
        int what, row, column;
    } cases[] = {
        {2, {1, 1, 1, 1}, ZI_MATRIX_GOOD, 0, 0},
        {2, {0, 0, 0, 3}, ZI_MATRIX_GOOD, 0, 0},
        {3, {4, 2, -2, 2, 1, -1, -2, -1, 1}, ZI_MATRIX_GOOD, 0, 0},
        {2, {1e8, 1, 1, 1e-8}, ZI_MATRIX_GOOD, 0, 0},
        {2, {1, 2, 2.1, 5}, ZI_MATRIX_NOT_EVEN, 1, 0},
        {2, {1, NAN, 2, 5}, ZI_MATRIX_NOT_FINITE, 0, 1},
        {2, {-1, 0, 0, 1}, ZI_MATRIX_NEGATIVE, 0, 0},
        {2, {1, 2, 2, 3}, ZI_MATRIX_NEGATIVE, 1, 1},
        {2, {0, 1, 1, 3}, ZI_MATRIX_NEGATIVE, 1, 0},
        {3, {2, 0, 1, 0, 2, 1.5, 1, 1.5, 1.5}, ZI_MATRIX_NEGATIVE, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ziMatrixFault fault = zi_matrix_fault(cases[i].n, cases[i].A);
        near_about("case %zu", i);
        assert_int_equal(fault.what, cases[i].what);
        if (fault.what == ZI_MATRIX_GOOD) continue;
        assert_int_equal(fault.row, cases[i].row);
        assert_int_equal(fault.column, cases[i].column);
    }
    /* a spring along (1, 2, 3), its matrix typed with nine digits */
    const double along[9] = {71.4285714, 142.857143, 214.285714, 142.857143, 285.714286,
                             428.571429, 214.285714, 428.571429, 642.857143};
    assert_int_equal(zi_matrix_fault(3, along).what, ZI_MATRIX_GOOD);
    const double diagonal[4] = {9, -6, -6, 16}; /* diag(bound) - A is not negative: 9 + 6/4 3, 16 + 6/3 4 */
    double bound[2];
    zi_matrix_bound(2, diagonal, bound);
    assert_near(bound[0], 13.5, 1e-14);
    assert_near(bound[1], 24, 1e-14);
}

TESTS(turns_of_a_ball, gradients_and_tangents, small_oscillations, faults_of_matrices)
