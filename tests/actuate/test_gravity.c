/* Gravity compensation of machines with closed loops. The judge is virtual work in reduced coordinates: forces tau hold
 * the machine when P^T tau = P^T g for the motions v = P v_r that the loops allow (zv_reduce, which knows no drives).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "actuate/robots.h"
#include "loops/five_bar.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvError error;

typedef struct Machine {
    zvModel *model;
    zvWork *work;
    zvDrives *drives;
    int nv;
    double q[8];
} Machine;

/* The five-bar at the first of its published rows. */
static Machine five_bar_machine(void) {
    Machine m = {.model = five_bar(&general, ZV_JOINT_REVOLUTE), .nv = FIVE_BAR_NV};
    m.work = zv_work_create(m.model, &error);
    m.drives = zv_drives_create(m.model, &error);
    five_bar_relative(general_rows[0].q, m.q);
    return m;
}

static void release_machine(Machine *m) {
    zv_drives_destroy(m->drives);
    zv_work_destroy(m->work);
    zv_model_destroy(m->model);
}

static void compensate(Machine *m, const char *name, int count, const int *dofs) {
    assert_int_equal(zv_drives_add_gravity_compensation(m->drives, name, count, dofs, &error), ZV_OK);
}

static zvStatus check(const Machine *m) { return zv_drives_check_gravity(m->drives, m->work, m->q, &error); }

/* Forces of the drives at rest, and accelerations a (nv) under them. */
static void at_rest(Machine *m, double *tau, double *a) {
    const double v[8] = {0};
    zvEfforts *efforts = zv_efforts_create(m->drives, &error);
    assert_int_equal(zv_drives_accelerate(m->drives, efforts, m->work, 0, m->q, v, NULL, NULL), ZV_OK);
    memcpy(tau, efforts->tau, (size_t)m->nv * sizeof *tau);
    memcpy(a, efforts->a, (size_t)m->nv * sizeof *a);
    zv_efforts_destroy(efforts);
}

/* P^T tau against P^T g; P (nv x n) for the caller, at most 64 numbers. */
static int assert_virtual_work(Machine *m, const double *tau, double *P) {
    double g[8];
    zvReduction *r = zv_reduction_create(m->model, &error);
    assert_true(zv_reduce(m->model, m->work, r, m->q, NULL, NULL) >= 0);
    const int n = zv_reduction_freedoms(r);
    memcpy(P, zv_reduction_P(r), (size_t)(m->nv * n) * sizeof *P);
    zv_reduction_destroy(r);
    zv_gravity_force(m->model, m->work, m->q, g);
    for (int k = 0; k < n; k++) {
        double done = 0, wanted = 0;
        for (int i = 0; i < m->nv; i++) done += P[i * n + k] * tau[i], wanted += P[i * n + k] * g[i];
        assert_named_near("virtual work", done, wanted, 1e-11);
        assert_true(fabs(wanted) > 0.1);
    }
    return n;
}

/* Two motors, each with a drive of its own, hold the machine together: the published moments at rest. */
static void two_drives(void **state) {
    (void)state;
    static const int motors[2] = {MOTOR1, MOTOR2};
    static const double gains[1] = {3};
    for (int with_pd = 0; with_pd < 2; with_pd++) {
        Machine m = five_bar_machine();
        double tau[8], a[8], P[64];
        compensate(&m, "first", 1, &motors[0]);
        zvPid pd = {.kp = gains, .gravity = true};
        if (with_pd)
            assert_int_equal(zv_drives_add_pid(m.drives, "second", 1, &motors[1], &pd,
                                               zv_law_constant(1, &m.q[MOTOR2], &error), NULL, &error),
                             ZV_OK);
        else
            compensate(&m, "second", 1, &motors[1]);
        assert_int_equal(check(&m), ZV_OK);
        at_rest(&m, tau, a);
        assert_int_equal(assert_virtual_work(&m, tau, P), 2);
        assert_near(tau[MOTOR1], general_rows[0].bias[0], 1e-11);
        assert_near(tau[MOTOR2], general_rows[0].bias[1], 1e-11);
        for (int i = 0; i < m.nv; i++) assert_named_near("at rest", a[i], 0, 1e-10);
        release_machine(&m);
    }
}

/* More drives than freedoms: of the forces that hold, those of least norm, at right angles to all that do nothing. */
static void least_forces(void **state) {
    (void)state;
    static const int listed[3] = {MOTOR1, ELBOW4, ELBOW3};
    Machine m = five_bar_machine();
    double tau[8], a[8], P[64];
    compensate(&m, "first", 2, listed);
    compensate(&m, "second", 1, listed + 2);
    assert_int_equal(check(&m), ZV_OK);
    at_rest(&m, tau, a);
    assert_int_equal(assert_virtual_work(&m, tau, P), 2);
    assert_near(tau[MOTOR2], 0, 1e-300);
    /* the only forces in the three that do no work: the cross product of their columns of P^T */
    double idle[3], along = 0;
    for (int i = 0; i < 3; i++) {
        const int j = listed[(i + 1) % 3], k = listed[(i + 2) % 3];
        idle[i] = P[2 * j] * P[2 * k + 1] - P[2 * j + 1] * P[2 * k];
        along += idle[i] * tau[listed[i]];
    }
    assert_true(idle[0] * idle[0] + idle[1] * idle[1] + idle[2] * idle[2] > 1e-3);
    assert_named_near("least", along, 0, 1e-10);
    for (int i = 0; i < m.nv; i++) assert_named_near("at rest", a[i], 0, 1e-10);
    release_machine(&m);
}

/* One motor does not hold two freedoms, and a degree of freedom is compensated once. */
static void refused(void **state) {
    (void)state;
    static const int motors[2] = {MOTOR1, MOTOR2};
    Machine m = five_bar_machine();
    compensate(&m, "alone", 1, motors);
    assert_int_equal(check(&m), ZV_CLOSURE);
    assert_non_null(strstr(error.text, "compensate arm4 as well"));
    zvEfforts *efforts = zv_efforts_create(m.drives, &error);
    const double v[8] = {0};
    assert_int_equal(zv_drives_accelerate(m.drives, efforts, m.work, 0, m.q, v, NULL, NULL), ZV_SINGULAR);
    zv_efforts_destroy(efforts);
    compensate(&m, "both", 2, motors);
    assert_int_equal(check(&m), ZV_SCHEMA);
    assert_non_null(strstr(
        error.text,
        "gravity compensation \"both\": expected joints whose gravity no other drive compensates, found \"crank1\""));
    release_machine(&m);
}

/* What hangs on a loop without being on it takes its own weight, whoever holds the loop. */
static void beside_loops(void **state) {
    (void)state;
    static const double down[3] = {0, -9.81, 0}, z[3] = {0, 0, 1}, at[3] = {0.4, 0, 0}, here[3] = {0};
    const zvInertia bar = {.mass = 2, .com = {0.2, 0, 0}, .moment = {0.01, 0, 0, 0.03, 0, 0.03}};
    zvBuilder *b = new_robot(down);
    add_part(b, "crank", "base", ZV_JOINT_CONTINUOUS, z, here, bar);
    add_part(b, "coupler", "crank", ZV_JOINT_CONTINUOUS, z, at, bar);
    add_part(b, "hook", "coupler", ZV_JOINT_CONTINUOUS, z, at, bar);
    zvLoop loop = zv_loop_default("rod", ZV_LOOP_ROD, ZV_JOINT_FIXED, "base", "coupler");
    loop.origin.p[0] = 0.9;
    loop.child_origin.p[0] = 0.3;
    loop.length = 0.5;
    assert_int_equal(zv_builder_add_loop(b, &loop, &error), ZV_OK);
    Machine m = {.model = freeze_robot(b), .nv = 3, .q = {1.1, -0.9, 0.3}};
    m.work = zv_work_create(m.model, &error);
    m.drives = zv_drives_create(m.model, &error);
    assert_int_equal(zv_assemble(m.model, m.work, NULL, NULL, m.q, &error), ZV_OK);
    double tau[8], a[8], P[64];
    compensate(&m, "hook", 1, (const int[]){2});
    assert_int_equal(check(&m), ZV_OK);
    at_rest(&m, tau, a);
    assert_near(tau[2], 2 * 9.81 * 0.2 * cos(m.q[0] + m.q[1] + m.q[2]), 1e-12); /* m g x by hand */
    compensate(&m, "crank", 1, (const int[]){0});
    assert_int_equal(check(&m), ZV_OK);
    at_rest(&m, tau, a);
    assert_near(tau[2], 2 * 9.81 * 0.2 * cos(m.q[0] + m.q[1] + m.q[2]), 1e-12);
    assert_int_equal(assert_virtual_work(&m, tau, P), 2);
    for (int i = 0; i < m.nv; i++) assert_named_near("at rest", a[i], 0, 1e-10);
    release_machine(&m);
}

TESTS(two_drives, least_forces, refused, beside_loops)
