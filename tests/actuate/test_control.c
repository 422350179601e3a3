/* Controllers: PID with limits, gravity compensation, computed torque, operational space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "actuate/robots.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static zvError error;

static zvLaw *swing(int width, double scale) {
    double offset[16], amplitude[16], frequency[16], phase[16];
    for (int i = 0; i < width; i++) {
        offset[i] = 0.1 * i;
        amplitude[i] = scale * (1 + 0.2 * i);
        frequency[i] = 2 + 0.3 * i;
        phase[i] = 0.5 * i;
    }
    return zv_law_harmonic(width, 0, offset, amplitude, frequency, phase, &error);
}

static void pid_formula(void **state) {
    (void)state;
    zvModel *model = two_link();
    zvDrives *drives = zv_drives_create(model, &error);
    int dofs[2] = {0, 1};
    double kp[2] = {40, 30}, ki[2] = {0, 7}, kd[2] = {4, 3}, limit[2] = {1000, 25}, feed[2] = {1, 2};
    zvPid pid = {.kp = kp, .ki = ki, .kd = kd, .limit = limit, .gravity = true};
    assert_int_equal(
        zv_drives_add_pid(drives, "servo", 2, dofs, &pid, swing(2, 0.5), zv_law_constant(2, feed, &error), &error),
        ZV_OK);
    assert_int_equal(zv_drives_nstate(drives), 1);
    zvDriveState integral = zv_drives_state(drives, 0);
    assert_string_equal(integral.name, "servo j_fore integral");
    assert_string_equal(integral.unit, "rad s");
    assert_true(integral.is_position && integral.dof == 1);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    double q[2] = {0.3, -0.2}, v[2] = {0.5, 0.4}, rest[2] = {0}, t = 0.9, M[4], g[2], z = 9;
    zv_drives_initial(drives, efforts, work, q, v, true, &z);
    assert_true(z == 0);
    two_link_terms(q, rest, M, g);
    double r = 0.5 * sin(1.8), dr = cos(1.8), r2 = 0.1 + 0.6 * sin(2.3 * t + 0.5), dr2 = 1.38 * cos(2.3 * t + 0.5);
    double f1 = 40 * (r - 0.3) + 4 * (dr - 0.5) + 1 + g[0], e2 = r2 + 0.2, f2 = 30 * e2 + 3 * (dr2 - 0.4) + 2 + g[1];
    const double integrals[5] = {0, 0.11, -0.5, -12, 10}; /* free, free, free, beyond the lower and the upper limit */
    for (int i = 0; i < 5; i++) {
        z = integrals[i];
        double want = f2 + 7 * z, got = fmin(fmax(want, -25), 25);
        assert_true((got != want) == (i > 2));
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, t, q, v, &z, NULL), ZV_OK);
        assert_near(efforts->force[0], f1, 1e-12);
        assert_near(efforts->force[1], got, 1e-12);
        assert_near(efforts->rate[0], e2 + (got - want) / 30, 1e-13); /* tracking time kp/ki */
        assert_near(efforts->power[1], efforts->force[1] * v[1], 1e-13);
    }
    double k[2], d[2], ref[2];
    zv_drives_diagonal(drives, t, q, v, &z, NULL, k, d);
    assert_true(k[0] == 40 && k[1] == 30 && d[0] == 4 && d[1] == 3);
    zv_drives_reference(drives, efforts, t, ref);
    assert_near(ref[1], r2, 1e-15);
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* Random trees, every kind of joint. */
enum { MOST = 600, LISTED = 16 };

typedef struct Trial {
    zvDrives *drives;
    zvEfforts *efforts;
    int plain[LISTED], count; /* degrees of freedom with coordinates */
    int at[MOST];             /* coordinate of a degree of freedom, -1: none */
} Trial;

static Trial trial_open(const rtCase *c) {
    Trial t = {.drives = zv_drives_create(c->model, &error)};
    for (int j = 0; j < zv_model_njoint(c->model); j++) {
        zvJointPlace place = zv_model_joint_place(c->model, j);
        zvJointType type = zv_model_joint(c->model, j)->type;
        for (int k = 0; k < place.nv; k++) {
            int dof = place.v_index + k;
            t.at[dof] = type == ZV_JOINT_SPHERICAL || type == ZV_JOINT_FREE ? -1 : place.q_index + k;
            if (t.at[dof] >= 0 && t.count < LISTED) t.plain[t.count++] = dof;
        }
    }
    return t;
}

static void trial_close(Trial *t) {
    zv_efforts_destroy(t->efforts);
    zv_drives_destroy(t->drives);
}

static bool run(Trial *t, const rtCase *c, double time) {
    t->efforts = zv_efforts_create(t->drives, &error);
    return t->efforts && zv_drives_accelerate(t->drives, t->efforts, c->work, time, c->q, c->v, NULL, NULL) == ZV_OK;
}

/* Accelerations are as wanted, up to what rounding of the forces does through M^-1. */
static bool accelerated(rtCase *c, const Trial *t, const char *what, const double *wanted) {
    ref_mass(c->ref, c->M);
    if (!lin_inverse(c->nv, c->M, c->S)) return false;
    ref_error_scale(c->ref, c->v, wanted, NULL, true, c->error_scale);
    exact most = 0, spread = lin_norm(c->nv, c->S);
    for (int i = 0; i < c->nv; i++) most = fmaxl(most, c->error_scale->tau[i]);
    for (int i = 0; i < c->nv; i++) {
        c->want[i] = wanted[i];
        c->scale[i] = spread * most;
    }
    return rt_near(c, what, c->nv, t->efforts->a, c->want, c->scale, 16);
}

static bool compensation_holds(rtCase *c) {
    int all[MOST];
    double rest[MOST] = {0};
    for (int i = 0; i < c->nv; i++) all[i] = i;
    memset(c->v, 0, (size_t)c->nv * sizeof *c->v);
    Trial t = trial_open(c);
    bool good = zv_drives_add_gravity_compensation(t.drives, "hold", c->nv, all, &error) == ZV_OK && run(&t, c, 0) &&
                accelerated(c, &t, "a under gravity compensation", rest);
    trial_close(&t);
    return good;
}

/* The forces of the reference for a* = r'' + kd (r' - v) + kp (r - q) where listed and 0 elsewhere; and, when all are
 * listed, just this acceleration. */
static bool computed_torque_tracks(rtCase *c) {
    Trial t = trial_open(c);
    double kp[LISTED], kd[LISTED], r[LISTED], dr[LISTED], ddr[LISTED], wanted[MOST] = {0}, time = 0.8;
    if (t.count == 0) {
        trial_close(&t);
        return true;
    }
    zvLaw *law = swing(t.count, 0.7);
    zv_law_at(law, time, r, dr, ddr);
    for (int i = 0; i < t.count; i++) {
        int dof = t.plain[i];
        kp[i] = 20 + i;
        kd[i] = 5 + i;
        wanted[dof] = ddr[i] + kd[i] * (dr[i] - c->v[dof]) + kp[i] * (r[i] - c->q[t.at[dof]]);
    }
    bool good =
        zv_drives_add_computed_torque(t.drives, "track", t.count, t.plain, kp, kd, NULL, law, &error) == ZV_OK &&
        run(&t, c, time);
    ref_move(c->ref, c->v, wanted);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, wanted, NULL, true, c->error_scale);
    for (int i = 0; good && i < t.count; i++) {
        exact want = c->want[t.plain[i]], scale = c->error_scale->tau[t.plain[i]];
        good = rt_near(c, "computed torque", 1, &t.efforts->force[i], &want, &scale, 16);
    }
    if (good && t.count == c->nv) good = accelerated(c, &t, "a under computed torque", wanted);
    trial_close(&t);
    return good;
}

/* The elbow follows a law of its own; the shoulder's controller knows it and is exact all the same. */
static void computed_torque_beside_a_law(void **state) {
    (void)state;
    zvModel *model = two_link();
    zvDrives *drives = zv_drives_create(model, &error);
    const int shoulder = 0, elbow = 1;
    const double kp = 30, kd = 8, t = 0.4;
    assert_int_equal(zv_drives_add_computed_torque(drives, "ct", 1, &shoulder, &kp, &kd, NULL, swing(1, 0.5), &error),
                     ZV_OK);
    assert_int_equal(zv_drives_add_motion(drives, "law", 1, &elbow, swing(1, 0.9), &error), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    double q[2] = {0.2, 0}, v[2] = {0.3, 0};
    zv_drives_impose(drives, efforts, t, NULL, q, v);
    assert_int_equal(zv_drives_accelerate(drives, efforts, work, t, q, v, NULL, NULL), ZV_OK);
    double s = sin(0.8), c = cos(0.8);
    assert_near(efforts->a[0], -2 * s + 8 * (c - 0.3) + 30 * (0.5 * s - 0.2), 1e-12);
    assert_near(efforts->a[1], -3.6 * s, 1e-14);
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

static void tame(int index, rtOptions *options) {
    (void)index;
    options->wild = false;
    options->massless = false;
}

static void plain(int index, rtOptions *options) {
    tame(index, options);
    options->free_base = false;
    options->joints = 1 + index % 6;
    if (index % 2) options->types &= ~(RT_TYPE(SPHERICAL) | RT_TYPE(FREE));
}

/* Against its formula, with bounds that are not alike; and passive, where a rotor is driven. */
static void tendon_formula(void **state) {
    (void)state;
    zvModel *model = two_link();
    const int dofs[2] = {0, 1};
    const double ratios[2] = {2, -0.5}, feed = 1.5, q[2] = {0.3, -0.2}, v[2] = {0.5, 0.4}, t = 0.9;
    const zvFlexibleJoint gear = {.stiffness = 100, .inertia = 0.01, .ratio = 3};
    for (int kind = 0; kind < 4; kind++) { /* free, bounded below, bounded above, passive */
        zvDrives *drives = zv_drives_create(model, &error);
        zvTendon tendon = {ratios, 40, 4, 0, 0, kind == 3};
        const double s = 2 * 0.3 + 0.5 * 0.2, ds = 2 * 0.5 - 0.5 * 0.4, r = 0.5 * sin(1.8), dr = cos(1.8);
        const double want = 40 * (r - s) + 4 * (dr - ds) + feed;
        if (kind == 1) tendon.lower = want + 3, tendon.upper = want + 4;
        if (kind == 2) tendon.lower = want - 9, tendon.upper = want - 5;
        const double force = kind == 1 ? want + 3 : kind == 2 ? want - 5 : want;
        assert_int_equal(zv_drives_add_tendon(drives, "cord", 2, dofs, &tendon, swing(1, 0.5),
                                              zv_law_constant(1, &feed, &error), &error),
                         ZV_OK);
        if (kind == 3) assert_int_equal(zv_drives_add_flexible(drives, "gear", 0, &gear, &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        zvWork *work = zv_work_create(model, &error);
        double z[2] = {0.3, 0.5}, k[2], d[2];
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, t, q, v, z, NULL), ZV_OK);
        for (int i = 0; i < 2; i++) {
            assert_near(efforts->force[i], ratios[i] * force, 1e-12);
            assert_near(efforts->power[i], ratios[i] * force * v[i], 1e-12);
        }
        zv_drives_diagonal(drives, t, q, v, z, NULL, k, d);
        if (kind < 3) assert_true(k[0] == 2 * 4 * 40 && k[1] == 2 * 0.25 * 40 && d[0] == 2 * 4 * 4);
        zv_efforts_destroy(efforts);
        zv_work_destroy(work);
        zv_drives_destroy(drives);
    }
    zv_model_destroy(model);
}

static void gravity_compensation_holds(void **state) {
    (void)state;
    assert_true(rt_each(930000, 200, 12, tame, compensation_holds));
}

static void computed_torque(void **state) {
    (void)state;
    assert_true(rt_each(940000, 200, 6, plain, computed_torque_tracks));
}

/* The tip of the two-link arm is accelerated as asked, in world and in its own axes; the redundant motion is damped. */
static void task_control(void **state) {
    (void)state;
    for (int local = 0; local < 2; local++) {
        zvModel *model = two_link();
        zvDrives *drives = zv_drives_create(model, &error);
        int tip = zv_model_find_frame(model, "tip");
        double q[2] = {0.5, 1.1}, v[2] = {0.7, -0.4}, kp[6] = {30, 40, 0, 0, 0, 50}, kd[6] = {7, 8, 0, 0, 0, 9};
        zvPose from = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.6, 0.2, 0}}, to = from;
        to.p[0] = 0.3;
        to.p[1] = 0.7;
        double start[2] = {0, 0}, stop[2] = {1, 0}; /* s = 3 u^2 - 2 u^3 with u = t/2, looked at where u = 1/4 */
        double at = 0.15625, rate = 0.5625, boost = 0.75;
        zvLaw *progress = zv_law_boundary(1, 0, 2, 2, start, 2, stop, &error);
        zvRoute *route = zv_route_line(&from, &to, progress, &error);
        assert_non_null(route);
        zvTaskControl control = {.kp = kp, .kd = kd};
        zvTask task = {tip, local ? ZV_AXES_LOCAL : ZV_AXES_WORLD, ZV_TASK_X | ZV_TASK_Y};
        assert_int_equal(zv_drives_add_task_control(drives, "tip", &task, route, &control, &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        zvWork *work = zv_work_create(model, &error);
        assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0.5, q, v, NULL, NULL), ZV_OK);
        double c1 = cos(0.5), s1 = sin(0.5), c = cos(1.6), s = sin(1.6), w = v[0] + v[1];
        double x[2] = {0.5 * c1 + 0.4 * c, 0.5 * s1 + 0.4 * s};
        double dx[2] = {-0.5 * s1 * v[0] - 0.4 * s * w, 0.5 * c1 * v[0] + 0.4 * c * w};
        double e[2] = {0.6 - 0.3 * at - x[0], 0.2 + 0.5 * at - x[1]}, a[6];
        double de[2] = {-0.3 * rate - dx[0], 0.5 * rate - dx[1]}, dde[2] = {-0.3 * boost, 0.5 * boost};
        zv_frame_acceleration(model, work, q, v, efforts->a, tip, task.axes, a);
        for (int i = 0; i < 2; i++) { /* along the axes of the task */
            double u[2] = {local ? (i ? -s : c) : !i, local ? (i ? c : s) : i};
            double want = kp[i] * (u[0] * e[0] + u[1] * e[1]) + kd[i] * (u[0] * de[0] + u[1] * de[1]);
            assert_near(a[i], want + u[0] * dde[0] + u[1] * dde[1], 1e-12);
        }
        for (int i = 0; i < 2; i++) assert_near(efforts->power[i], efforts->force[i] * v[i], 1e-12);
        zv_efforts_destroy(efforts);
        zv_work_destroy(work);
        zv_drives_destroy(drives);
        zv_model_destroy(model);
    }
}

/* What null damping adds to the power of a task controller; the size of the powers, and accelerations along y without
 * and with it. */
static double null_power(const zvModel *model, zvWork *work, const zvTask *task, const double *q, const double *v,
                         double damping, double *size, double accelerations[2]) {
    double sum[2] = {0}, one = 1, a[6];
    *size = 0;
    for (int damped = 0; damped < 2; damped++) {
        zvDrives *drives = zv_drives_create(model, &error);
        zvPose place = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.6, 0.2, 0}};
        zvRoute *route = zv_route_line(&place, &place, zv_law_constant(1, &one, &error), &error);
        const zvTaskControl control = {.null_damping = damped ? damping : 0};
        assert_int_equal(zv_drives_add_task_control(drives, "tip", task, route, &control, &error), ZV_OK);
        zvEfforts *efforts = zv_efforts_create(drives, &error);
        assert_true(zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL) >= 0);
        zv_frame_acceleration(model, work, q, v, efforts->a, task->frame, ZV_AXES_WORLD, a);
        accelerations[damped] = a[1];
        for (int i = 0; i < zv_drives_naccount(drives); i++) {
            sum[damped] += efforts->power[i];
            *size += fabs(efforts->power[i]);
        }
        zv_efforts_destroy(efforts);
        zv_drives_destroy(drives);
    }
    return sum[1] - sum[0];
}

/* One direction asked of two joints, which move so that the task stands still: null damping takes its whole power,
 * -damping v.M v, from this motion, and the task is as if it were not there. */
static void null_damping(void **state) {
    (void)state;
    zvModel *model = two_link();
    zvWork *work = zv_work_create(model, &error);
    double slope = -(0.5 * cos(0.5) + 0.4 * cos(1.6)) / (0.4 * cos(1.6)), tip[2], size, M[4], bias[2];
    double q[2] = {0.5, 1.1}, v[2] = {0.1, 0.1 * slope};
    zvTask task = {zv_model_find_frame(model, "tip"), ZV_AXES_WORLD, ZV_TASK_Y};
    double power = null_power(model, work, &task, q, v, 5, &size, tip);
    two_link_terms(q, v, M, bias);
    assert_near(tip[0], 0, 1e-11);
    assert_near(tip[1], 0, 1e-11);
    assert_near(power, -5 * 0.01 * (M[0] + 2 * slope * M[1] + slope * slope * M[3]), 1e-10);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* Six joints, one to three directions asked, any motion: the power of null damping is -damping (N v).M (N v), never
 * positive. */
static void null_damping_takes_energy(void **state) {
    (void)state;
    const double down[3] = {0, 0, -9.81}, axes[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, at[3] = {0.3, 0.05, 0};
    zvBuilder *b = new_robot(down);
    char parent[8] = "base", name[8];
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "l%d", i);
        add_part(b, name, parent, ZV_JOINT_REVOLUTE, axes[i % 3], at,
                 (zvInertia){.mass = 6.0 - i, .com = {0.15, 0, 0.02}, .moment = {0.01, 0, 0, 0.02, 0, 0.02}});
        memcpy(parent, name, sizeof parent);
    }
    zvModel *model = freeze_robot(b);
    zvWork *work = zv_work_create(model, &error);
    zvTaskWork *tasks = zv_task_work_create(model, &error);
    rtRandom random = {960000};
    for (int n = 0; n < 300; n++) {
        double q[6], v[6], N[36], M[36], moved[6] = {0}, energy = 0, size, ignored[2];
        rt_vector(&random, 3, 6, q);
        rt_vector(&random, 2, 6, v);
        zvTask task = {6, n % 2 ? ZV_AXES_WORLD : ZV_AXES_LOCAL, 1u + (unsigned)n % 7};
        double power = null_power(model, work, &task, q, v, 3, &size, ignored);
        zv_task_null_projector(model, tasks, q, &task, N);
        zv_mass_matrix(model, work, q, M);
        for (int i = 0; i < 36; i++) moved[i / 6] += N[i] * v[i % 6];
        for (int i = 0; i < 36; i++) energy += moved[i / 6] * M[i] * moved[i % 6];
        zvTaskDynamics dynamics;
        zvStatus status = zv_task_dynamics(model, tasks, q, v, &task, &dynamics);
        double off = 6 * DBL_EPSILON * size / dynamics.rcond;
        if (!(power <= off)) print_error("state %d from seed 960000\n", n);
        assert_true(power <= off);
        if (status == ZV_OK) assert_near(power, -3 * energy, 8 * off);
    }
    zv_task_work_destroy(tasks);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(pid_formula, tendon_formula, gravity_compensation_holds, computed_torque, computed_torque_beside_a_law,
      task_control, null_damping, null_damping_takes_energy)
