/* Task control with some of the degrees of freedom: a floating arm whose base nobody pushes, against dense matrices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "actuate/robots.h"
#include "support/linear.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

static zvError error;

enum { BASE = 6, ARM = 4, NV = BASE + ARM };

/* A free base of 8 kg with an arm of four joints, and a finger that follows the last one. */
static zvModel *floating_arm(bool finger) {
    const double none[3] = {0}, axes[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, at[3] = {0.3, 0.05, 0};
    zvBuilder *b = new_robot(none);
    char parent[8] = "hull", name[8];
    add_part(b, "hull", "base", ZV_JOINT_FREE, axes[0], none,
             (zvInertia){.mass = 8, .com = {0, 0.02, 0.1}, .moment = {0.3, 0, 0, 0.4, 0, 0.5}});
    for (int i = 0; i < ARM; i++) {
        snprintf(name, sizeof name, "l%d", i);
        add_part(b, name, parent, ZV_JOINT_REVOLUTE, axes[i % 3], at,
                 (zvInertia){.mass = 4.0 - i, .com = {0.15, 0, 0.02}, .moment = {0.01, 0, 0, 0.02, 0, 0.02}});
        memcpy(parent, name, sizeof parent);
    }
    zvFrame tip = zv_frame_default("tip", parent);
    tip.pose.p[0] = 0.3;
    zv_builder_add_frame(b, &tip, NULL);
    if (finger) {
        add_part(b, "finger", parent, ZV_JOINT_REVOLUTE, axes[1], at,
                 (zvInertia){.mass = 0.5, .com = {0.1, 0, 0}, .moment = {0.01, 0, 0, 0.02, 0, 0.02}});
        zvJoint *joint = zv_builder_joint(b, ARM + 1);
        joint->mimic = zv_builder_keep(b, "j_l3");
        joint->ratio = -1.5;
    }
    return freeze_robot(b);
}

static const double goal[3] = {0.7, 0.7, -0.2};

static zvRoute *steady(void) {
    const zvPose place = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {goal[0], goal[1], goal[2]}};
    const double one = 1;
    return zv_route_line(&place, &place, zv_law_constant(1, &one, &error), &error);
}

/* What the tip is asked for: kp times its distance from the place, -kd times its velocity. */
static void asked(const zvModel *model, zvWork *work, int tip, const double *q, const double *v, double x[3]) {
    zvPose pose;
    double velocity[6];
    zv_frame_pose(model, work, q, tip, &pose);
    zv_frame_velocity(model, work, q, v, tip, ZV_AXES_WORLD, velocity);
    for (int i = 0; i < 3; i++) x[i] = 30 * (goal[i] - pose.p[i]) - 8 * velocity[i];
}

/* The forces of reduced dynamics from full matrices: tau = M_r S M^-1 J^T F + (1 - J_r^T Lambda J_r M_r^-1) tau0. */
typedef struct Dense {
    exact M_r[ARM * ARM], J_r[3 * ARM], Lambda[9], tau[ARM];
} Dense;

static void dense_force(const zvModel *model, zvWork *work, int tip, const double *q, const double *v, double damping,
                        Dense *out) {
    double M[NV * NV], J[6 * NV], idle[6], a[NV], x[3];
    exact full[NV * NV], inverse[NV * NV], M_r_inverse[ARM * ARM], B[9] = {0}, tau0[ARM] = {0}, F[3] = {0}, want[3];
    zv_mass_matrix(model, work, q, M);
    zv_frame_jacobian(model, work, q, tip, ZV_AXES_WORLD, J);
    for (int i = 0; i < NV * NV; i++) full[i] = M[i];
    assert_true(lin_inverse(NV, full, inverse));
    for (int i = 0; i < ARM; i++) {
        for (int k = 0; k < ARM; k++) M_r_inverse[i * ARM + k] = inverse[(BASE + i) * NV + BASE + k];
    }
    assert_true(lin_inverse(ARM, M_r_inverse, out->M_r));
    exact JMS[3 * ARM] = {0}; /* J M^-1 S^T */
    for (int i = 0; i < 3 * ARM; i++) {
        for (int k = 0; k < NV; k++) JMS[i] += J[i / ARM * NV + k] * inverse[k * NV + BASE + i % ARM];
    }
    for (int i = 0; i < 3 * ARM; i++) {
        out->J_r[i] = 0;
        for (int k = 0; k < ARM; k++) out->J_r[i] += JMS[i / ARM * ARM + k] * out->M_r[k * ARM + i % ARM];
    }
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < ARM; k++) B[i] += out->J_r[i / 3 * ARM + k] * JMS[i % 3 * ARM + k];
    }
    assert_true(lin_inverse(3, B, out->Lambda));
    for (int i = 0; i < ARM * ARM; i++) tau0[i / ARM] -= damping * out->M_r[i] * v[BASE + i % ARM];
    asked(model, work, tip, q, v, x);
    assert_int_equal(zv_forward_dynamics(model, work, q, v, NULL, NULL, a), ZV_OK);
    zv_frame_acceleration(model, work, q, v, a, tip, ZV_AXES_WORLD, idle);
    for (int i = 0; i < 3; i++) {
        want[i] = x[i] - idle[i];
        for (int k = 0; k < ARM; k++) want[i] -= JMS[i * ARM + k] * tau0[k];
    }
    for (int i = 0; i < 9; i++) F[i / 3] += out->Lambda[i] * want[i % 3];
    for (int k = 0; k < ARM; k++) {
        out->tau[k] = tau0[k];
        for (int i = 0; i < 3; i++) out->tau[k] += out->J_r[i * ARM + k] * F[i];
    }
}

static zvDrives *driven(const zvModel *model, int tip, double null_damping, const double *limit) {
    const double kp[6] = {30, 30, 30}, kd[6] = {8, 8, 8};
    const zvTask task = {tip, ZV_AXES_WORLD, ZV_TASK_POSITION};
    const zvTaskControl control = {.kp = kp, .kd = kd, .null_damping = null_damping, .limit = limit};
    zvDrives *drives = zv_drives_create(model, &error);
    assert_int_equal(zv_drives_add_task_control(drives, "tip", &task, steady(), &control, &error), ZV_OK);
    assert_int_equal(zv_drives_naccount(drives), ARM); /* none on the base */
    assert_string_equal(zv_drives_account(drives, 0).name, "tip j_l0");
    return drives;
}

/* Random states: the tip is accelerated as asked, the base is not pushed, the forces are those of dense matrices, and
 * null damping takes energy from the joints. */
static void forces_of_a_floating_arm(void **state) {
    (void)state;
    for (int finger = 0; finger < 2; finger++) {
        zvModel *model = floating_arm(finger);
        int tip = zv_model_find_frame(model, "tip");
        assert_int_equal(zv_model_nv(model), NV);
        zvWork *work = zv_work_create(model, &error);
        rtRandom random = {970000};
        for (int n = 0; n < 100; n++) {
            double damping = n % 2 ? 3 : 0, q[NV + 1], v[NV], x[3], got[6];
            rt_vector(&random, 2, NV + 1, q);
            rt_vector(&random, 1, NV, v);
            zv_position_normalize(model, q);
            zvDrives *drives = driven(model, tip, damping, NULL);
            zvEfforts *efforts = zv_efforts_create(drives, &error);
            zvStatus status = zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL);
            assert_true(status >= 0);
            Dense dense;
            dense_force(model, work, tip, q, v, damping, &dense);
            exact worst = 0, size = lin_norm(3, dense.Lambda);
            for (int i = 0; i < ARM; i++) worst = fmaxl(worst, fabsl(dense.tau[i]));
            if (status == ZV_OK && size < 1e3L) { /* away from singular positions */
                for (int i = 0; i < ARM; i++)
                    assert_near(efforts->force[i], dense.tau[i], 1e-13 * (double)((1 + size) * (1 + worst)));
                asked(model, work, tip, q, v, x);
                zv_frame_acceleration(model, work, q, v, efforts->a, tip, ZV_AXES_WORLD, got);
                for (int i = 0; i < 3; i++) assert_near(got[i], x[i], 1e-12 * (double)((1 + size) * (1 + worst)));
            }
            for (int i = 0; i < BASE; i++) assert_true(efforts->tau[i] == 0);
            zv_efforts_destroy(efforts);
            zv_drives_destroy(drives);
        }
        zv_work_destroy(work);
        zv_model_destroy(model);
    }
}

/* Velocity with the rate of q, as one vector of NV + 1 + NV. */
typedef struct Swim {
    const zvModel *model;
    zvDrives *drives;
    zvEfforts *efforts;
    zvWork *work;
} Swim;

static void rate(const Swim *s, const double *y, double *dy) {
    double q[NV + 1];
    memcpy(q, y, sizeof q);
    zv_position_rate(s->model, q, y + NV + 1, dy);
    assert_true(zv_drives_accelerate(s->drives, s->efforts, s->work, 0, q, y + NV + 1, NULL, NULL) >= 0);
    memcpy(dy + NV + 1, s->efforts->a, NV * sizeof *dy);
}

/* Four seconds of it in steps of Runge-Kutta: the tip arrives, momentum and angular momentum stay what they were. */
static void momentum_stays(void **state) {
    (void)state;
    enum { SIZE = 2 * NV + 1 };
    zvModel *model = floating_arm(false);
    int tip = zv_model_find_frame(model, "tip");
    Swim s = {model, driven(model, tip, 2, NULL), NULL, zv_work_create(model, &error)};
    s.efforts = zv_efforts_create(s.drives, &error);
    double y[SIZE] = {0}, before[6], after[6], x[3], h = 2e-3;
    zv_neutral(model, y);
    for (int i = 0; i < ARM; i++) y[7 + i] = 0.5 + 0.3 * i; /* joints follow the seven numbers of the base */
    for (int i = 0; i < BASE; i++) y[NV + 1 + i] = 0.02 * (i - 2);
    zv_momentum(model, s.work, y, y + NV + 1, before, NULL);
    for (int n = 0; n < 2000; n++) {
        double k[4][SIZE], at[4] = {0, 0.5, 0.5, 1}, middle[SIZE];
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < SIZE; i++) middle[i] = y[i] + (j ? at[j] * h * k[j - 1][i] : 0);
            rate(&s, middle, k[j]);
        }
        for (int i = 0; i < SIZE; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        zv_position_normalize(model, y);
    }
    zv_momentum(model, s.work, y, y + NV + 1, after, NULL);
    for (int i = 0; i < 6; i++) assert_near(after[i], before[i], 1e-8); /* h^4 of a motion in 0.1 s */
    asked(model, s.work, tip, y, y + NV + 1, x);
    for (int i = 0; i < 3; i++) assert_near(x[i] / 30, 0, 2e-3); /* e'' + 8 e' + 30 e = 0: exp(-16) is left */
    zv_work_destroy(s.work);
    zv_efforts_destroy(s.efforts);
    zv_drives_destroy(s.drives);
    zv_model_destroy(model);
}

/* Of a robot on the ground: the two joints named do it alone, whatever the third does; limits cut. */
static void named_joints(void **state) {
    (void)state;
    const double down[3] = {0, -9.81, 0}, z[3] = {0, 0, 1}, at[3] = {0.4, 0, 0};
    zvBuilder *b = new_robot(down);
    zvInertia inertia = {.mass = 2, .com = {0.2, 0, 0}, .moment = {0.01, 0, 0, 0.03, 0, 0.03}};
    add_part(b, "one", "base", ZV_JOINT_REVOLUTE, z, at, inertia);
    add_part(b, "two", "one", ZV_JOINT_REVOLUTE, z, at, inertia);
    add_part(b, "three", "two", ZV_JOINT_REVOLUTE, z, at, inertia);
    zvModel *model = freeze_robot(b);
    zvWork *work = zv_work_create(model, &error);
    const int tip = zv_model_find_frame(model, "three"), dofs[2] = {2, 0};
    const zvTask task = {tip, ZV_AXES_WORLD, ZV_TASK_X | ZV_TASK_Y};
    const double kp[6] = {30, 30, 30}, kd[6] = {8, 8, 8}, q[3] = {0.4, 0.9, -0.5}, v[3] = {0.3, -0.2, 0.5};
    double forces[2], limit[2] = {INFINITY, INFINITY}, x[3], got[6];
    for (int cut = 0; cut < 2; cut++) {
        const zvTaskControl control = {.kp = kp, .kd = kd, .dofs = dofs, .count = 2, .limit = limit};
        zvDrives *drives = zv_drives_create(model, &error);
        assert_int_equal(zv_drives_add_task_control(drives, "tip", &task, steady(), &control, &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL), ZV_OK);
        assert_true(efforts->tau[1] == 0);
        assert_true(efforts->tau[2] == efforts->force[0] && efforts->tau[0] == efforts->force[1]);
        if (cut) {
            assert_near(efforts->force[0], copysign(limit[0], forces[0]), 0);
            assert_near(efforts->force[1], forces[1], 1e-12 * fabs(forces[1]));
        } else {
            asked(model, work, tip, q, v, x);
            zv_frame_acceleration(model, work, q, v, efforts->a, tip, ZV_AXES_WORLD, got);
            for (int i = 0; i < 2; i++) assert_near(got[i], x[i], 1e-11);
            memcpy(forces, efforts->force, sizeof forces);
            limit[0] = 0.5 * fabs(forces[0]);
        }
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(forces_of_a_floating_arm, momentum_stays, named_joints)
