/* Limits of controllers: integrals that do not wind up, forces that are cut, and laws of any width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "actuate/march.h"
#include "actuate/robots.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvError error;

/* A PI controller that reaches its limit again and again: a block of 1 kg, damped, is to go 3 m with at most 5 N. The
 * linear loop s^3 + 5 s^2 + 10 s + 50 = (s + 5)(s^2 + 10) never calms down. */
static const double kp = 10, ki = 50, damping = 5, limit = 5, target = 3;

static zvDrives *windup_drives(const zvModel *model, const double *tracking) {
    const int dof = 0;
    zvDrives *drives = zv_drives_create(model, &error);
    const zvPid pid = {.kp = &kp, .ki = &ki, .limit = &limit, .tracking = tracking};
    assert_int_equal(zv_drives_add_damper(drives, NULL, 0, damping, &error), ZV_OK);
    assert_int_equal(zv_drives_add_pid(drives, "pid", 1, &dof, &pid, zv_law_constant(1, &target, &error), NULL, &error),
                     ZV_OK);
    return drives;
}

/* The same in plain numbers, with the tracking time T. */
static void plain_rate(double T, const double y[3], double dy[3]) {
    double e = target - y[0], u = kp * e + ki * y[2], force = fmin(fmax(u, -limit), limit);
    dy[0] = y[1];
    dy[1] = force - damping * y[1];
    dy[2] = e + (force - u) / (ki * T);
}

static void plain_march(double T, int steps, double y[3]) {
    const double h = 10.0 / steps, at[4] = {0, 0.5, 0.5, 1};
    for (int n = 0; n < steps; n++) {
        double k[4][3], middle[3];
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < 3; i++) middle[i] = y[i] + (j ? at[j] * h * k[j - 1][i] : 0);
            plain_rate(T, middle, k[j]);
        }
        for (int i = 0; i < 3; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static int system_rate(void *context, double t, const double *y, double *dy) {
    March *m = context;
    double state[MARCH_MAX], rate[MARCH_MAX];
    memcpy(state, y, 3 * sizeof *y);
    if (!march_rate(m, t, state, rate)) return -1;
    memcpy(dy, rate, 3 * sizeof *dy);
    return 0;
}

/* Steps of 1e-10; what the kinks at the limit cost beyond that stays below 1e-7. A rate that jumps there would take
 * millions of steps. */
static void run_method(const char *method, March *m, const double wanted[3]) {
    const zvOde ode = {.size = 3, .context = m, .rate = system_rate};
    zvIntegrationOptions options = zv_integration_default();
    options.method = method;
    options.rtol = options.atol = 1e-10;
    const double start[3] = {0};
    zvIntegrator *integrator = zv_integrator_create(&ode, &options, &error);
    assert_non_null(integrator);
    assert_int_equal(zv_integrator_start(integrator, 0, start, &error), ZV_OK);
    zvStepEnd end = ZV_STEP_INSIDE;
    for (int steps = 0; end != ZV_STEP_STOP; steps++) {
        if (steps == 20000) print_error("%s is at %g s\n", method, zv_integrator_time(integrator));
        assert_true(steps < 20000);
        assert_int_equal(zv_integrator_step(integrator, 10, &end, &error), ZV_OK);
    }
    for (int i = 0; i < 3; i++) assert_near(zv_integrator_state(integrator)[i], wanted[i], 1e-6);
    zv_integrator_destroy(integrator);
}

static void integral_does_not_wind_up(void **state) {
    (void)state;
    zvModel *model = block(1);
    for (int own = 0; own < 2; own++) {
        const double T = own ? 0.05 : kp / ki, zero = 0;
        double coarse[3] = {0}, wanted[3] = {0};
        plain_march(T, 100000, coarse);
        plain_march(T, 400000, wanted);
        for (int i = 0; i < 3; i++) assert_near(coarse[i], wanted[i], 1e-9);
        zvDrives *drives = windup_drives(model, own ? &T : NULL);
        March m = march_open(model, drives, &zero, &zero, false);
        size_t count;
        const zvIntegrationMethod *methods = zv_integration_methods(&count);
        for (size_t i = 0; i < count; i++) {
            if (strcmp(methods[i].name, "euler") != 0 && !methods[i].structural)
                run_method(methods[i].name, &m, wanted);
        }
        march_close(&m);
        zv_drives_destroy(drives);
    }
    zv_model_destroy(model);
}

/* Where neither kp nor kd gives a time it is 1 s; with kd it is sqrt(kd/ki). */
static void tracking_times(void **state) {
    (void)state;
    zvModel *model = block(1);
    zvWork *work = zv_work_create(model, &error);
    const double gains[3][3] = {{0, 2, 0}, {0, 2, 8}, {1, 2, 8}}, times[3] = {1, 2, 2}, one = 1, zero = 0, z = 10;
    const int dof = 0;
    for (int i = 0; i < 3; i++) {
        zvDrives *drives = zv_drives_create(model, &error);
        const zvPid pid = {.kp = &gains[i][0], .ki = &gains[i][1], .kd = &gains[i][2], .limit = &one};
        assert_int_equal(
            zv_drives_add_pid(drives, "pid", 1, &dof, &pid, zv_law_constant(1, &zero, &error), NULL, &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, &zero, &zero, &z, NULL), ZV_OK);
        assert_near(efforts->rate[0], (1 - 20) / (2 * times[i]), 1e-13);
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* The same controller with and without limits: forces beyond them are cut, the others are as they were. */
static void limits_cut(void **state) {
    (void)state;
    zvModel *model = two_link();
    zvWork *work = zv_work_create(model, &error);
    const int tip = zv_model_find_frame(model, "tip"), dofs[2] = {0, 1};
    const double gains[6] = {30, 40, 0, 0, 0, 0}, goal[2] = {1, 1}, q[2] = {0.5, 1.1}, v[2] = {0.7, -0.4};
    const double place_at = 1, limits[2] = {0.5, INFINITY};
    const zvPose place = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.3, 0.6, 0}};
    const zvTask task = {tip, ZV_AXES_WORLD, ZV_TASK_X | ZV_TASK_Y};
    for (int kind = 0; kind < 2; kind++) {
        double forces[2][2];
        for (int cut = 0; cut < 2; cut++) {
            const zvTaskControl control = {.kp = gains, .kd = gains, .limit = cut ? limits : NULL};
            zvDrives *drives = zv_drives_create(model, &error);
            zvStatus status = kind ? zv_drives_add_task_control(
                                         drives, "tip", &task,
                                         zv_route_line(&place, &place, zv_law_constant(1, &place_at, &error), &error),
                                         &control, &error)
                                   : zv_drives_add_computed_torque(drives, "ct", 2, dofs, gains, gains, control.limit,
                                                                   zv_law_constant(2, goal, &error), &error);
            assert_int_equal(status, ZV_OK);
            zvEfforts *efforts = zv_efforts_create(drives, &error);
            assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL), ZV_OK);
            memcpy(forces[cut], efforts->force, sizeof forces[cut]);
            for (int i = 0; i < 2; i++) assert_true(efforts->tau[i] == efforts->force[i]);
            zv_efforts_destroy(efforts);
            zv_drives_destroy(drives);
        }
        assert_true(fabs(forces[0][0]) > 1);
        assert_near(forces[1][0], copysign(0.5, forces[0][0]), 0);
        assert_near(forces[1][1], forces[0][1], 0);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* All joints of a long chain in one element of each kind that has a law. */
enum { LONG = 1000 };

static zvModel *long_chain(void) {
    const double none[3] = {0}, z[3] = {0, 0, 1}, at[3] = {0.1, 0, 0};
    zvBuilder *b = new_robot(none);
    char parent[8] = "base", name[8];
    for (int i = 0; i < LONG; i++) {
        snprintf(name, sizeof name, "l%d", i);
        add_part(b, name, parent, ZV_JOINT_REVOLUTE, z, at,
                 (zvInertia){.mass = 0.1, .com = {0.05, 0, 0}, .moment = {1e-4, 0, 0, 1e-4, 0, 1e-4}});
        memcpy(parent, name, sizeof parent);
    }
    return freeze_robot(b);
}

static void laws_of_any_width(void **state) {
    (void)state;
    zvModel *model = long_chain();
    zvWork *work = zv_work_create(model, &error);
    int dofs[LONG];
    double x[LONG], one[LONG], q[LONG] = {0}, v[LONG] = {0}, r[LONG];
    for (int i = 0; i < LONG; i++) {
        dofs[i] = LONG - 1 - i;
        x[i] = 0.001 * i;
        one[i] = 1;
    }
    for (int kind = 0; kind < 4; kind++) {
        zvDrives *drives = zv_drives_create(model, &error);
        zvLaw *law = zv_law_constant(LONG, x, &error);
        const zvPid pd = {.kp = one};
        zvStatus status = kind == 0   ? zv_drives_add_torque(drives, "t", LONG, dofs, law, &error)
                          : kind == 1 ? zv_drives_add_motion(drives, "m", LONG, dofs, law, &error)
                          : kind == 2
                              ? zv_drives_add_pid(drives, "pd", LONG, dofs, &pd, law, NULL, &error)
                              : zv_drives_add_computed_torque(drives, "c", LONG, dofs, one, NULL, NULL, law, &error);
        assert_int_equal(status, ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        memset(q, 0, sizeof q);
        zv_drives_impose(drives, efforts, 0, NULL, q, v);
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL), ZV_OK);
        zv_drives_reference(drives, efforts, 0, r);
        for (int i = 0; i < LONG; i++) {
            int dof = LONG - 1 - i;
            if (kind > 0) assert_true(r[dof] == x[i]);
            if (kind == 1) assert_true(q[dof] == x[i] && efforts->a[dof] == 0);
            if (kind != 1 && kind != 3) assert_true(efforts->tau[dof] == x[i]);
        }
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(integral_does_not_wind_up, tracking_times, limits_cut, laws_of_any_width)
