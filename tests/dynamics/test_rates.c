/* Derivatives of inverse dynamics by time, and the motors of flexible joints: against differences along a motion, and
 * against the motion that forward dynamics with rotors makes of the torques that come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static zvError error;
enum { MOST = 64 };

/* q(t) = sum of c_n t^n, n up to 6, for each coordinate: position and derivatives. */
typedef struct Path {
    int n;
    double c[MOST][7];
} Path;

static void path_at(const Path *path, double t, double x[5][MOST]) {
    for (int i = 0; i < path->n; i++) {
        double c[7];
        memcpy(c, path->c[i], sizeof c);
        for (int order = 0; order < 5; order++) {
            x[order][i] = 0;
            for (int k = 6; k >= 0; k--) x[order][i] = c[k] + t * x[order][i];
            for (int k = 0; k < 6; k++) c[k] = (k + 1) * c[k + 1];
            c[6] = 0;
        }
    }
}

static Path draw_path(rtCase *c) {
    Path path = {.n = c->nv};
    for (int i = 0; i < c->nv; i++) rt_vector(&c->random, 0.7, 7, path.c[i]);
    return path;
}

static void plain_joints(int index, rtOptions *options) {
    options->types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC) | RT_TYPE(HELICAL) |
                     RT_TYPE(CYLINDRICAL) | RT_TYPE(PLANAR) | RT_TYPE(FIXED);
    options->wild = false;
    options->free_base = false;
    if (index % 3 == 0) options->mimics = 2;
    options->coupled = true;
}

/* tau is that of inverse dynamics; its derivatives are eighth-order differences of inverse dynamics along the path,
 * whose rounding is eps/h and eps/h^2 of the largest force there. */
static bool rates_are_differences(rtCase *c) {
    static const double first[5] = {0, 4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0};
    static const double second[5] = {-205 / 72.0, 8 / 5.0, -1 / 5.0, 8 / 315.0, -1 / 560.0};
    const double h = 0.02;
    double x[5][MOST], tau[3][MOST], at[MOST], slope[MOST] = {0}, bend[MOST] = {0}, most = 1;
    if (c->nv > MOST || c->nv == 0) return true;
    const Path path = draw_path(c);
    near_about("seed %llu", (unsigned long long)c->seed);
    path_at(&path, 0, x);
    assert_int_equal(zv_inverse_dynamics_rates(c->model, c->work, x[0], x[1], x[2], x[3], x[4], tau[0], tau[1], tau[2]),
                     ZV_OK);
    zv_inverse_dynamics(c->model, c->work, x[0], x[1], x[2], NULL, at);
    for (int i = 0; i < c->nv; i++) most = fmax(most, fabs(at[i]));
    assert_all_near("tau", c->nv, tau[0], at, 1e-13 * most * (1 + c->nv));
    for (int k = -4; k <= 4; k++) {
        path_at(&path, k * h, x);
        zv_inverse_dynamics(c->model, c->work, x[0], x[1], x[2], NULL, at);
        for (int i = 0; i < c->nv; i++) {
            most = fmax(most, fabs(at[i]));
            slope[i] += (k < 0 ? -first[-k] : first[k]) * at[i] / h;
            bend[i] += second[abs(k)] * at[i] / (h * h);
        }
    }
    for (int i = 0; i < c->nv; i++) { most = fmax(most, fmax(fabs(tau[1][i]), fabs(tau[2][i]))); }
    assert_all_near("tau'", c->nv, tau[1], slope, 1e-8 * most);
    assert_all_near("tau''", c->nv, tau[2], bend, 1e-8 * most);
    return true;
}

static void differences(void **state) {
    (void)state;
    assert_true(rt_each(620000, 200, 8, plain_joints, rates_are_differences));
}

/* An arm of two links with gears in its joints. */
static zvModel *arm(double cubic, double damping) {
    const zvFlexibleJoint shoulder = {.stiffness = 1200,
                                      .damping = damping,
                                      .inertia = 8e-5,
                                      .ratio = 100,
                                      .motor_damping = 1e-4,
                                      .cubic = cubic},
                          elbow = {.stiffness = 700, .inertia = 5e-5, .ratio = -80};
    zvBuilder *b = zv_builder_create(&error);
    const zvLink ground = zv_link_default("ground");
    zvLink upper = zv_link_default("upper"), fore = zv_link_default("fore");
    upper.inertia = (zvInertia){4, {0.2, 0, 0}, {0.01, 0, 0, 0.08, 0, 0.08}};
    fore.inertia = (zvInertia){3, {0.15, 0, 0}, {0.01, 0, 0, 0.05, 0, 0.05}};
    zvJoint first = zv_joint_default("shoulder", ZV_JOINT_REVOLUTE, "ground", "upper");
    zvJoint second = zv_joint_default("elbow", ZV_JOINT_REVOLUTE, "upper", "fore");
    first.axis[1] = second.axis[1] = -1;
    first.axis[2] = second.axis[2] = 0;
    first.flexible = &shoulder;
    second.flexible = &elbow;
    second.origin.p[0] = 0.4;
    assert_int_equal(zv_builder_add_link(b, &ground, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &upper, &error), ZV_OK);
    assert_int_equal(zv_builder_add_link(b, &fore, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &first, &error), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &second, &error), ZV_OK);
    zvModel *model = NULL;
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

/* The motors' torques, put into the set of drives of the same model at the state that comes with them, give the
 * accelerations of the links and of the rotors that were asked for. */
static void motors_move_the_links(void **state) {
    (void)state;
    rtRandom r = {31};
    for (int n = 0; n < 40; n++) {
        zvModel *model = arm(n % 2 ? 4e4 : 0, 0);
        zvWork *work = zv_work_create(model, &error);
        double x[5][2], theta[3][2], tau[2], motor[2], z[4];
        for (int k = 0; k < 5; k++) rt_vector(&r, k < 2 ? 2 : 8, 2, x[k]);
        const zvMotorMotion motion = {theta[0], theta[1], theta[2], tau, motor};
        assert_int_equal(
            zv_motor_inverse_dynamics(model, work, x[0], x[1], x[2], x[3], x[4], NULL, NULL, &motion, &error), ZV_OK);
        zvDrives *drives = zv_drives_create(model, &error);
        const int dofs[2] = {0, 1};
        assert_int_equal(zv_drives_add_flexible_joints(drives, NULL, &error), ZV_OK);
        assert_int_equal(zv_drives_add_torque(drives, NULL, 2, dofs, zv_law_constant(2, motor, &error), &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        for (int i = 0; i < 2; i++) {
            z[2 * i] = theta[0][i];
            z[2 * i + 1] = theta[1][i];
        }
        assert_true(zv_drives_accelerate(drives, efforts, work, 0, x[0], x[1], z, NULL) >= 0);
        near_about("state %d", n);
        assert_all_near("a", 2, efforts->a, x[2], 1e-10);
        for (int i = 0; i < 2; i++)
            assert_element_near("theta''", i, efforts->rate[2 * i + 1], theta[2][i], 1e-9 * (1 + fabs(theta[2][i])));
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

/* theta(t) of a whole motion: its differences are the rates that are told with it, and the gear's law holds. */
static void motor_motions(void **state) {
    (void)state;
    static const double first[3] = {0, 2 / 3.0, -1 / 12.0}, h = 1e-3;
    zvModel *model = arm(4e4, 0);
    zvWork *work = zv_work_create(model, &error);
    Path path = {.n = 2, .c = {{0.3, 1, -2, 1, 0.5, 0.2, 0.1}, {-0.7, 0.5, 1, -1, 0.7, -0.3, 0.2}}};
    double x[5][MOST], theta[3][2], tau[2], slope[2][2] = {{0}}, wanted[2][2];
    const zvMotorMotion motion = {theta[0], theta[1], theta[2], tau, NULL};
    for (int k = -2; k <= 2; k++) {
        path_at(&path, k * h, x);
        assert_int_equal(
            zv_motor_inverse_dynamics(model, work, x[0], x[1], x[2], x[3], x[4], NULL, NULL, &motion, &error), ZV_OK);
        for (int i = 0; i < 2; i++) {
            for (int o = 0; o < 2; o++) slope[o][i] += (k < 0 ? -first[-k] : first[k]) * theta[o][i] / h;
            if (k == 0) wanted[0][i] = theta[1][i], wanted[1][i] = theta[2][i];
        }
        const double d = theta[0][0] - x[0][0];
        assert_near(1200 * d + 4e4 * d * d * d, tau[0], 1e-11);
    }
    for (int o = 0; o < 2; o++) assert_all_near(o ? "theta''" : "theta'", 2, slope[o], wanted[o], 1e-8);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* A gear with damping has a state; trees with quaternions and the like have no such series. */
static void refused(void **state) {
    (void)state;
    const double q[7] = {0, 0, 0, 0, 0, 0, 1};
    double tau[6];
    zvModel *damped = arm(0, 2);
    zvWork *work = zv_work_create(damped, &error);
    const zvMotorMotion motion = {.motor = tau};
    assert_int_equal(zv_motor_inverse_dynamics(damped, work, q, NULL, NULL, NULL, NULL, NULL, NULL, &motion, &error),
                     ZV_NOT_SUPPORTED);
    assert_non_null(strstr(
        error.text, "joint \"shoulder\": expected theta, where its motor stands, found none; its gear has damping (2"));
    zv_work_destroy(work);
    zv_model_destroy(damped);
    rtOptions options = rt_options_default(1);
    options.types = RT_TYPE(FREE);
    rtTree *tree = rt_tree_create(3, &options);
    zvModel *model = rt_tree_freeze(tree);
    work = zv_work_create(model, &error);
    assert_int_equal(zv_inverse_dynamics_rates(model, work, q, NULL, NULL, NULL, NULL, tau, NULL, NULL),
                     ZV_NOT_SUPPORTED);
    assert_int_equal(zv_motor_inverse_dynamics(model, work, q, NULL, NULL, NULL, NULL, NULL, NULL, &motion, &error),
                     ZV_NOT_SUPPORTED);
    assert_non_null(strstr(error.text, "expected rigid links and joints that slide along or turn about axes"));
    zv_work_destroy(work);
    zv_model_destroy(model);
    free(tree);
}

TESTS(differences, motors_move_the_links, motor_motions, refused)
