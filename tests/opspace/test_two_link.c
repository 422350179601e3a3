/* The two-link arm in the space of its tip: published example with figures, and what happens as the arm is stretched.
 *
 * The figures are an independent computation (Kane's equations) along the quintic path of the example. */
#include <float.h>

#include "oracle/robot.h"
#include "support/run_tests.h"

typedef struct Row {
    double t, q[2], v[2], Lambda[4], mu[2], rho[2], xdd[2], force[2];
} Row;

static const Row rows[] = {
    {0.25,
     {-0.475921630859375, 0.275921630859375},
     {0.26916503906250017, -0.26916503906250017},
     {46.66971198633027, -6.8356233360206735, -6.835623336020674, 2.2416988435332543},
     {1.5517808941935225, -0.224113461296791},
     {156.8455601916399, -12.174169075824956},
     {0.3906124243514705, 0.8368925763753678},
     {170.90642800378484, -13.192300819736037}},
    {0.5,
     {-0.34472656249999994, 0.14472656249999993},
     {0.7910156250000004, -0.7910156250000004},
     {158.32689582989173, -27.24998932192109, -27.249989321921078, 5.929947181349628},
     {48.91100889665357, -8.439174221226416},
     {313.7116255078087, -43.97249474617131},
     {0.06197333028980806, 1.0983633008638514},
     {342.5042911933584, -47.58720519598342}},
    {1.0,
     {0.2500000000000003, -0.45000000000000023},
     {1.4062500000000004, -1.4062500000000004},
     {18.999713863196686, -4.96125753205246, -4.96125753205246, 2.6187911386352947},
     {15.072604161042644, -4.601666827018464},
     {-107.08392198604625, 41.32698562819934},
     {-0.9580310810371371, -0.24462549682149004},
     {-108.99998414812043, 40.83773463455635}},
    {1.75,
     {0.9759216308593741, -1.1759216308593734},
     {0.2691650390624982, -0.2691650390624982},
     {6.263736062301808, -1.2772852829823325, -1.277285282982332, 1.6485734774040977},
     {0.04823518107346924, -0.036473233054793844},
     {-29.185948264330612, 25.536284609016718},
     {0.7440223262511922, -0.5471727592723323},
     {-23.77845789449249, 23.647428109936605}},
};

enum { XY = ZV_TASK_X | ZV_TASK_Y };

typedef struct Arm {
    Robot robot;
    zvTaskWork *work;
    zvTask tip;
} Arm;

static Arm open_arm(void) {
    Arm arm = {.robot = open_robot("two_link.yaml")};
    arm.work = zv_task_work_create(arm.robot.model, NULL);
    assert_non_null(arm.work);
    arm.tip = (zvTask){zv_model_find_frame(arm.robot.model, "link2_dh"), ZV_AXES_WORLD, XY};
    return arm;
}

static void close_arm(Arm *arm) {
    zv_task_work_destroy(arm->work);
    close_robot(&arm->robot);
}

static zvStatus ask(const Arm *arm, double q1, double q2, unsigned task_rows, zvTaskDynamics *d) {
    const double q[2] = {q1, q2}, v[2] = {0.7, -0.4};
    zvTask task = arm->tip;
    task.rows = task_rows;
    return zv_task_dynamics(arm->robot.model, arm->work, q, v, &task, d);
}

/* Forces of some 350 N and J with a condition of some 30, whose square Lambda has. */
static void published_rows(void **state) {
    (void)state;
    Arm arm = open_arm();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *r = &rows[i];
        const double bound = 350 * 1000 * 8 * DBL_EPSILON;
        zvTaskDynamics d;
        double force[2], tau[2], again[2];
        assert_int_equal(zv_task_dynamics(arm.robot.model, arm.work, r->q, r->v, &arm.tip, &d), ZV_OK);
        assert_all_near("Lambda", 4, d.Lambda, r->Lambda, bound);
        assert_all_near("mu", 2, d.mu, r->mu, bound);
        assert_all_near("rho", 2, d.rho, r->rho, bound);
        for (int k = 0; k < 2; k++)
            force[k] = d.Lambda[2 * k] * r->xdd[0] + d.Lambda[2 * k + 1] * r->xdd[1] + d.mu[k] + d.rho[k];
        assert_all_near("force", 2, force, r->force, bound);
        assert_true(d.damping[0] == 0 && d.damping[1] == 0);
        assert_int_equal(zv_task_force(arm.robot.model, arm.work, r->q, r->v, &arm.tip, r->xdd, NULL, tau), ZV_OK);
        double J[4];
        zv_task_jacobian(arm.robot.model, arm.work, r->q, &arm.tip, J);
        for (int k = 0; k < 2; k++) again[k] = J[k] * r->force[0] + J[2 + k] * r->force[1];
        assert_all_near("tau", 2, tau, again, bound);
    }
    close_arm(&arm);
}

/* The measure must not depend on where the arm points, nor a single row be blind to its singularity. */
static void measure_turns_with_the_arm(void **state) {
    (void)state;
    Arm arm = open_arm();
    zvTaskDynamics d, turned;
    for (double bend = 1; bend > 1e-4; bend /= 3) {
        const zvStatus status = ask(&arm, 0, bend, XY, &d);
        for (int k = 1; k < 12; k++) {
            assert_int_equal(ask(&arm, 0.55 * k, bend, XY, &turned), status);
            assert_true(fabs(turned.rcond - d.rcond) <= 1e-12 * (1 + bend / d.rcond) * d.rcond + 1e-15);
        }
    }
    assert_int_equal(ask(&arm, 0, 1e-5, ZV_TASK_X, &d), ZV_DEGRADED);
    assert_int_equal(ask(&arm, 0, 1e-5, ZV_TASK_Y, &d), ZV_OK);
    close_arm(&arm);
}

/* rcond falls, damping grows, and nothing jumps while the arm is stretched to the end. */
static void damping_grows_smoothly(void **state) {
    (void)state;
    Arm arm = open_arm();
    zvTaskDynamics last, d;
    int damped = 0;
    assert_int_equal(ask(&arm, 0.4, 0.1, XY, &last), ZV_OK);
    for (int i = 1; i <= 4000; i++) {
        const double bend = i == 4000 ? 0 : 0.1 * pow(0.997, i);
        const zvStatus status = ask(&arm, 0.4, bend, XY, &d);
        assert_int_equal(status, d.rcond < 1e-6 ? ZV_DEGRADED : ZV_OK);
        assert_true(d.rcond <= last.rcond && d.damping[0] >= last.damping[0]);
        assert_true((status == ZV_DEGRADED) == (d.damping[0] > 0));
        damped += status == ZV_DEGRADED;
        for (int k = 0; k < 4; k++) {
            assert_true(isfinite(d.Lambda[k]));
            /* a step of 0.3 % in the bend moves 1/bend^2 by 0.6 % */
            assert_true(fabs(d.Lambda[k] - last.Lambda[k]) <= 0.01 * fabs(last.Lambda[k]));
        }
        last = d;
    }
    assert_in_range(damped, 500, 3500);
    assert_true(last.rcond < 1e-15);
    close_arm(&arm);
}

/* Bounds: with damping d no effective mass exceeds 1/d. */
static void finite_at_the_end(void **state) {
    (void)state;
    Arm arm = open_arm();
    zvTaskDynamics d;
    assert_int_equal(ask(&arm, 0.4, 0, XY, &d), ZV_DEGRADED);
    assert_true(d.Lambda[0] + d.Lambda[3] <= 1.01 / d.damping[0] + 100);
    assert_int_equal(ask(&arm, 0.4, 0.9, ZV_TASK_FULL, &d), ZV_DEGRADED); /* six rows, two joints */
    for (int i = 0; i < 36; i++) assert_true(isfinite(d.Lambda[i]));
    assert_true(d.Lambda[14] > 1e3); /* nothing moves it along z */
    const double q[2] = {0.4, 0.9};
    const zvTask ground = {zv_model_find_frame(arm.robot.model, "base"), ZV_AXES_WORLD, ZV_TASK_FULL};
    assert_int_equal(zv_task_dynamics(arm.robot.model, arm.work, q, NULL, &ground, &d), ZV_DEGRADED);
    for (int i = 0; i < 36; i++) assert_true(isfinite(d.Lambda[i]));
    for (int i = 0; i < 6; i++) assert_true(d.mu[i] == 0 && d.rho[i] == 0);
    close_arm(&arm);
}

TESTS(published_rows, measure_turns_with_the_arm, damping_grows_smoothly, finite_at_the_end)
