/* Each kind of element against its formula, written anew: forces, powers, energies, rates, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "actuate/robots.h"
#include "support/near.h"
#include "support/run_tests.h"

static zvError error;

typedef struct Bench {
    zvModel *model;
    zvDrives *drives;
    zvEfforts *efforts;
    zvWork *work;
    double q[2], v[2], M[4], bias[2];
} Bench;

static Bench bench_open(void) {
    Bench b = {.model = two_link(), .q = {0.4, -1.1}, .v = {0.7, -1.3}};
    b.drives = zv_drives_create(b.model, &error);
    b.work = zv_work_create(b.model, &error);
    two_link_terms(b.q, b.v, b.M, b.bias);
    return b;
}

static void bench_close(Bench *b) {
    zv_efforts_destroy(b->efforts);
    zv_work_destroy(b->work);
    zv_drives_destroy(b->drives);
    zv_model_destroy(b->model);
}

static void evaluate(Bench *b, double t, const double *z) {
    if (!b->efforts) b->efforts = zv_efforts_create(b->drives, &error);
    assert_non_null(b->efforts);
    assert_int_equal(zv_drives_accelerate(b->drives, b->efforts, b->work, t, b->q, b->v, z, NULL), ZV_OK);
}

/* The robot moves as the closed equations say under tau. */
static void assert_moved_by(const Bench *b, double tau1, double tau2) {
    double f1 = tau1 - b->bias[0], f2 = tau2 - b->bias[1], det = b->M[0] * b->M[3] - b->M[1] * b->M[1];
    assert_near(b->efforts->tau[0], tau1, 1e-12 * (1 + fabs(tau1)));
    assert_near(b->efforts->tau[1], tau2, 1e-12 * (1 + fabs(tau2)));
    double size = (fabs(f1) + fabs(f2)) * b->M[0] / det;
    assert_near(b->efforts->a[0], (b->M[3] * f1 - b->M[1] * f2) / det, 1e-13 * size);
    assert_near(b->efforts->a[1], (b->M[0] * f2 - b->M[1] * f1) / det, 1e-13 * size);
}

static void nothing_pushes(void **state) {
    (void)state;
    Bench b = bench_open();
    evaluate(&b, 0, NULL);
    assert_false(b.efforts->mixed);
    assert_null(b.efforts->fext);
    assert_moved_by(&b, 0, 0);
    double r[2];
    zv_drives_reference(b.drives, b.efforts, 0, r);
    assert_true(isnan(r[0]) && isnan(r[1]));
    assert_true(isinf(zv_drives_next_break(b.drives, 0)));
    bench_close(&b);
}

static void springs_and_dampers(void **state) {
    (void)state;
    Bench b = bench_open();
    assert_int_equal(zv_drives_add_spring(b.drives, "coil", 1, 30, 0.2, &error), ZV_OK);
    assert_int_equal(zv_drives_add_damper(b.drives, NULL, 0, 2.5, &error), ZV_OK);
    evaluate(&b, 0, NULL);
    assert_moved_by(&b, -2.5 * 0.7, -30 * (-1.1 - 0.2));
    assert_int_equal(zv_drives_naccount(b.drives), 1);
    zvAccount damper = zv_drives_account(b.drives, 0);
    assert_string_equal(damper.name, "damper j_upper");
    assert_string_equal(damper.unit, "N m");
    assert_true(damper.dof == 0 && damper.dissipates);
    assert_near(b.efforts->force[0], -1.75, 1e-15);
    assert_near(b.efforts->power[0], -2.5 * 0.49, 1e-15);
    double stored, k[2], d[2];
    assert_int_equal(zv_drives_nstore(b.drives), 1);
    assert_string_equal(zv_drives_store_name(b.drives, 0), "coil j_fore");
    zv_drives_stored(b.drives, b.work, b.q, b.v, NULL, &stored);
    assert_near(stored, 15 * 1.69, 1e-13);
    zv_drives_diagonal(b.drives, 0, b.q, b.v, NULL, NULL, k, d);
    assert_true(k[0] == 0 && k[1] == 30 && d[0] == 2.5 && d[1] == 0);
    bench_close(&b);
}

static double friction_at(const zvFriction *f, double v) {
    int side = v < 0;
    double peak = f->breakaway[side] - f->coulomb[side], x = v / f->stribeck;
    return -(f->coulomb[side] + peak * exp(-x * x)) * tanh(v / f->smoothing) - f->viscous * v;
}

static void smooth_friction(void **state) {
    (void)state;
    zvFriction f = {.coulomb = {2, 3}, .breakaway = {3.5, 3.2}, .stribeck = 0.4, .viscous = 0.6, .smoothing = 0.05};
    for (int i = -20; i <= 20; i++) {
        Bench b = bench_open();
        b.v[0] = 0.03 * i;
        two_link_terms(b.q, b.v, b.M, b.bias);
        assert_int_equal(zv_drives_add_friction(b.drives, "seal", 0, &f, &error), ZV_OK);
        assert_int_equal(zv_drives_nmode(b.drives), 0);
        evaluate(&b, 0, NULL);
        double want = friction_at(&f, b.v[0]);
        assert_near(b.efforts->force[0], want, 1e-14);
        assert_true(b.efforts->power[0] <= 0);
        assert_moved_by(&b, want, 0);
        /* -d force/dv without the falling part of Stribeck's curve */
        double k[2], d[2], h = 1e-6;
        zvFriction level = f;
        zv_drives_diagonal(b.drives, 0, b.q, b.v, NULL, NULL, k, d);
        double x = b.v[0] / f.stribeck, s = exp(-x * x);
        for (int side = 0; side < 2; side++)
            level.breakaway[side] = level.coulomb[side] += (f.breakaway[side] - f.coulomb[side]) * s;
        if (i != 0) /* at rest the two sides differ */
            assert_near(d[0], (friction_at(&level, b.v[0] - h) - friction_at(&level, b.v[0] + h)) / (2 * h), 1e-6);
        bench_close(&b);
    }
}

/* Only viscous friction: nothing sticks although there is no smoothing. */
static void viscous_friction_does_not_stick(void **state) {
    (void)state;
    Bench b = bench_open();
    zvFriction f = {.viscous = 0.6};
    assert_int_equal(zv_drives_add_friction(b.drives, "oil", 1, &f, &error), ZV_OK);
    assert_int_equal(zv_drives_nmode(b.drives), 0);
    evaluate(&b, 0, NULL);
    assert_moved_by(&b, 0, 0.6 * 1.3);
    bench_close(&b);
}

static void torques_follow_laws(void **state) {
    (void)state;
    Bench b = bench_open();
    int dofs[2] = {1, 0};
    double offset[2] = {1, 2}, amplitude[2] = {3, 4}, frequency[2] = {5, 6}, phase[2] = {0.1, 0.2};
    double times[2] = {0.5, 1}, points[2] = {0, 1};
    assert_int_equal(zv_drives_add_torque(b.drives, "shake", 2, dofs,
                                          zv_law_harmonic(2, 0.3, offset, amplitude, frequency, phase, &error), &error),
                     ZV_OK);
    assert_int_equal(zv_drives_add_torque(b.drives, "step", 1, dofs,
                                          zv_law_table(1, 2, times, points, ZV_TABLE_HOLD, &error), &error),
                     ZV_OK);
    evaluate(&b, 0.7, NULL);
    double second = 1 + 3 * sin(5 * 0.4 + 0.1), first = 2 + 4 * sin(6 * 0.4 + 0.2);
    assert_moved_by(&b, first, second);
    assert_string_equal(zv_drives_account(b.drives, 0).name, "shake j_fore");
    assert_near(b.efforts->power[0], second * -1.3, 1e-13);
    assert_near(b.efforts->power[1], first * 0.7, 1e-13);
    assert_false(zv_drives_account(b.drives, 0).dissipates);
    assert_near(zv_drives_next_break(b.drives, 0.7), 1, 0);
    bench_close(&b);
}

/* The elbow follows a law and the shoulder is free: the second equation gives the force. */
static void prescribed_motion(void **state) {
    (void)state;
    Bench b = bench_open();
    int dof = 1;
    double offset = 0.5, amplitude = 0.8, frequency = 3, phase = 0, t = 0.6;
    assert_int_equal(zv_drives_add_damper(b.drives, "oil", 1, 2, &error), ZV_OK);
    assert_int_equal(zv_drives_add_motion(b.drives, "swing", 1, &dof,
                                          zv_law_harmonic(1, 0, &offset, &amplitude, &frequency, &phase, &error),
                                          &error),
                     ZV_OK);
    b.efforts = zv_efforts_create(b.drives, &error);
    zv_drives_impose(b.drives, b.efforts, t, NULL, b.q, b.v);
    double angle = 0.5 + 0.8 * sin(1.8), rate = 2.4 * cos(1.8), a2 = -7.2 * sin(1.8);
    assert_near(b.q[1], angle, 1e-15);
    assert_near(b.v[1], rate, 1e-15);
    two_link_terms(b.q, b.v, b.M, b.bias);
    evaluate(&b, t, NULL);
    double a1 = (-b.bias[0] - b.M[1] * a2) / b.M[0], whole = b.M[1] * a1 + b.M[3] * a2 + b.bias[1];
    assert_true(b.efforts->mixed && b.efforts->given[1] == ZV_GIVEN_ACCELERATION);
    assert_near(b.efforts->a[0], a1, 1e-12 * fabs(a1));
    assert_near(b.efforts->tau[1], whole, 1e-12 * (fabs(whole) + fabs(b.bias[1])));
    assert_near(b.efforts->force[1], whole + 2 * rate, 1e-12 * (fabs(whole) + fabs(b.bias[1])));
    assert_near(b.efforts->power[1], (whole + 2 * rate) * rate, 1e-11 * fabs(whole));
    double r[2];
    zv_drives_reference(b.drives, b.efforts, t, r);
    assert_true(isnan(r[0]));
    assert_near(r[1], angle, 1e-15);
    bench_close(&b);
}

/* A load in the tip's own axes and one in the world's: J^T f by hand. */
static void loads(void **state) {
    (void)state;
    Bench b = bench_open();
    int tip = zv_model_find_frame(b.model, "tip");
    const double world[6] = {2, -3, 1, 0.1, 0.2, 0.5}, local[6] = {1.5, 4, 0, 0, 0, -0.7};
    assert_int_equal(
        zv_drives_add_load(b.drives, "wind", tip, ZV_AXES_WORLD, zv_law_constant(6, world, &error), &error), ZV_OK);
    assert_int_equal(zv_drives_add_load(b.drives, "jet", tip, ZV_AXES_LOCAL, zv_law_constant(6, local, &error), &error),
                     ZV_OK);
    evaluate(&b, 0, NULL);
    double c1 = cos(0.4), s1 = sin(0.4), c = cos(0.4 - 1.1), s = sin(0.4 - 1.1), power[2], torque[2] = {0};
    double J[3][2] = {{-0.5 * s1 - 0.4 * s, -0.4 * s}, {0.5 * c1 + 0.4 * c, 0.4 * c}, {1, 1}};
    double f[2][3] = {{2, -3, 0.5}, {1.5 * c - 4 * s, 1.5 * s + 4 * c, -0.7}};
    for (int l = 0; l < 2; l++) {
        power[l] = 0;
        for (int i = 0; i < 3; i++) {
            power[l] += f[l][i] * (J[i][0] * b.v[0] + J[i][1] * b.v[1]);
            for (int k = 0; k < 2; k++) torque[k] += J[i][k] * f[l][i];
        }
        assert_near(b.efforts->power[l], power[l], 1e-13);
        assert_true(b.efforts->force[l] == 0 && zv_drives_account(b.drives, l).dof == -1);
        assert_null(zv_drives_account(b.drives, l).unit);
    }
    assert_string_equal(zv_drives_account(b.drives, 1).name, "jet");
    for (int k = 0; k < 2; k++) b.bias[k] -= torque[k];
    assert_moved_by(&b, 0, 0);
    bench_close(&b);
}

/* A spatial arm: force and moment in the frame's axes work on its velocity in the same axes. */
static void local_load_in_space(void **state) {
    (void)state;
    const double none[3] = {0}, axes[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, at[3] = {0.3, 0.1, 0.2};
    const double load[6] = {1, 2, 3, 4, 5, 6}, q[3] = {0.4, -0.8, 1.3}, v[3] = {1, -2, 0.5};
    zvBuilder *builder = new_robot(none);
    const char *names[4] = {"base", "a", "b", "c"};
    for (int i = 0; i < 3; i++)
        add_part(builder, names[i + 1], names[i], ZV_JOINT_REVOLUTE, axes[i], at,
                 (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}});
    zvModel *model = freeze_robot(builder);
    zvDrives *drives = zv_drives_create(model, &error);
    int frame = zv_model_find_frame(model, "c");
    assert_int_equal(zv_drives_add_load(drives, "jet", frame, ZV_AXES_LOCAL, zv_law_constant(6, load, &error), &error),
                     ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    double u[6], J[18], torque[3] = {0}, needed[3], power = 0;
    assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, q, v, NULL, NULL), ZV_OK);
    zv_frame_velocity(model, work, q, v, frame, ZV_AXES_LOCAL, u);
    zv_frame_jacobian(model, work, q, frame, ZV_AXES_LOCAL, J);
    for (int i = 0; i < 6; i++) {
        power += u[i] * load[i];
        for (int k = 0; k < 3; k++) torque[k] += J[3 * i + k] * load[i];
    }
    assert_near(efforts->power[0], power, 1e-13 * 50);
    zv_inverse_dynamics(model, work, q, v, efforts->a, NULL, needed); /* without the load the joints would need J^T f */
    for (int k = 0; k < 3; k++) assert_near(needed[k], torque[k], 1e-12);
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

/* Springs, dampers and friction of a joint that follows another with ratio -0.5, on the coordinate it follows. */
static void passive_of_followers(void **state) {
    (void)state;
    const double none[3] = {0}, x[3] = {1, 0, 0};
    zvBuilder *builder = new_robot(none);
    zvInertia mass = {.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
    add_part(builder, "a", "base", ZV_JOINT_PRISMATIC, x, none, mass);
    add_part(builder, "b", "base", ZV_JOINT_PRISMATIC, x, none, mass);
    zvJoint *follower = zv_builder_joint(builder, 1);
    follower->mimic = zv_builder_keep(builder, "j_a");
    follower->ratio = -0.5;
    follower->offset = 0.1;
    follower->dof[0] = (zvDof){.stiffness = 40, .rest = 0.3, .damping = 8, .friction = 6};
    zv_builder_joint(builder, 0)->dof[0] = (zvDof){.damping = 1, .friction = 2};
    zvModel *model = freeze_robot(builder);
    assert_int_equal(zv_model_nv(model), 1);
    zvDrives *drives = zv_drives_create(model, &error);
    assert_int_equal(zv_drives_add_passive(drives, 0.01, NULL, &error), ZV_OK);
    zvEfforts *efforts = zv_efforts_create(drives, &error);
    zvWork *work = zv_work_create(model, &error);
    double q = 0.7, v = 0.02, qb = -0.5 * q + 0.1, vb = -0.5 * v, stored;
    assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, &q, &v, NULL, NULL), ZV_OK);
    double fb = -40 * (qb - 0.3) - 8 * vb - 6 * tanh(vb / 0.01), fa = -v - 2 * tanh(v / 0.01);
    assert_near(efforts->tau[0], fa - 0.5 * fb, 1e-13);
    assert_near(efforts->a[0], (fa - 0.5 * fb) / 1.25, 1e-13);
    zv_drives_stored(drives, work, &q, &v, NULL, &stored);
    assert_near(stored, 20 * (qb - 0.3) * (qb - 0.3), 1e-14);
    const char *names[4] = {"damper j_a", "friction j_a", "damper j_b", "friction j_b"};
    assert_int_equal(zv_drives_naccount(drives), 4);
    for (int i = 0; i < 4; i++) assert_string_equal(zv_drives_account(drives, i).name, names[i]);
    assert_string_equal(zv_drives_store_name(drives, 0), "spring j_b");
    zv_efforts_destroy(efforts);
    zv_drives_destroy(drives);

    drives = zv_drives_create(model, &error); /* without smoothing both stick as one */
    assert_int_equal(zv_drives_add_passive(drives, 0, NULL, &error), ZV_OK);
    assert_int_equal(zv_drives_nmode(drives), 1);
    zv_drives_destroy(drives);
    drives = zv_drives_create(model, &error); /* who leaves out the master keeps what the follower carries */
    assert_int_equal(zv_drives_add_passive(drives, 0.01, (const unsigned char *)"\1", &error), ZV_OK);
    assert_int_equal(zv_drives_naccount(drives), 2);
    assert_int_equal(zv_drives_nstore(drives), 1);
    efforts = zv_efforts_create(drives, &error);
    assert_int_equal(zv_drives_accelerate(drives, efforts, work, 0, &q, &v, NULL, NULL), ZV_OK);
    assert_near(efforts->tau[0], -0.5 * fb, 1e-13);
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_drives_destroy(drives);
    zv_model_destroy(model);
}

TESTS(nothing_pushes, springs_and_dampers, smooth_friction, viscous_friction_does_not_stick, torques_follow_laws,
      prescribed_motion, loads, local_load_in_space, passive_of_followers)
