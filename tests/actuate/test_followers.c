/* Controllers that know the model, on a robot with a follower (coupled mimic joint) and a flexible joint. */
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

static const double ratio = -0.7, offset = 0.2;

/* Three rods in a vertical plane; the third joint follows the second. */
static zvModel *led_arm(void) {
    const double down[3] = {0, -9.81, 0}, z[3] = {0, 0, 1}, here[3] = {0}, at[3] = {0.5, 0, 0};
    zvBuilder *b = new_robot(down);
    zvInertia rod = {.mass = 3, .com = {0.25, 0, 0}, .moment = {0.01, 0, 0, 0.07, 0, 0.07}};
    add_part(b, "a", "base", ZV_JOINT_CONTINUOUS, z, here, rod);
    add_part(b, "b", "a", ZV_JOINT_CONTINUOUS, z, at, rod);
    add_part(b, "c", "b", ZV_JOINT_CONTINUOUS, z, at, rod);
    zvJoint *joint = zv_builder_joint(b, 2);
    joint->mimic = zv_builder_keep(b, "j_b");
    joint->ratio = ratio;
    joint->offset = offset;
    return freeze_robot(b);
}

/* Angles of the rods in the world, and how they change with the two coordinates. */
static const double turns[3][2] = {{1, 0}, {1, 1}, {1, 1 + ratio}};

/* Kinetic energy for the velocities v, and potential energy, from the rods' centres. */
static double energies(const double q[2], const double v[2], double *potential) {
    double angle[3], rate[3], x[2] = {0}, dx[2] = {0}, kinetic = 0;
    *potential = 0;
    for (int i = 0; i < 3; i++) {
        angle[i] = turns[i][0] * q[0] + turns[i][1] * q[1] + (i == 2 ? offset : 0);
        rate[i] = turns[i][0] * v[0] + turns[i][1] * v[1];
        double c = cos(angle[i]), s = sin(angle[i]);
        double centre = dx[0] - 0.25 * s * rate[i], rise = dx[1] + 0.25 * c * rate[i];
        kinetic += 0.5 * 3 * (centre * centre + rise * rise) + 0.5 * 0.07 * rate[i] * rate[i];
        *potential += 3 * 9.81 * (x[1] + 0.25 * s);
        x[0] += 0.5 * c, x[1] += 0.5 * s;
        dx[0] -= 0.5 * s * rate[i], dx[1] += 0.5 * c * rate[i];
    }
    return kinetic;
}

/* M (2 x 2) and the weight by differences of the energies. */
static void terms(const double q[2], double M[4], double g[2]) {
    const double e[2][2] = {{1, 0}, {0, 1}}, both[2] = {1, 1}, h = 1e-6;
    double ignored, high, low;
    M[0] = 2 * energies(q, e[0], &ignored);
    M[3] = 2 * energies(q, e[1], &ignored);
    M[1] = M[2] = energies(q, both, &ignored) - 0.5 * (M[0] + M[3]);
    for (int i = 0; i < 2; i++) {
        double up[2] = {q[0], q[1]}, down[2] = {q[0], q[1]};
        up[i] += h;
        down[i] -= h;
        energies(up, e[0], &high);
        energies(down, e[0], &low);
        g[i] = (high - low) / (2 * h);
    }
}

typedef struct Bench {
    zvModel *model;
    zvDrives *drives;
    zvEfforts *efforts;
    zvWork *work;
} Bench;

static Bench bench_open(void) {
    Bench b = {.model = led_arm()};
    assert_int_equal(zv_model_nv(b.model), 2);
    b.drives = zv_drives_create(b.model, &error);
    b.work = zv_work_create(b.model, &error);
    return b;
}

static void bench_close(Bench *b) {
    zv_efforts_destroy(b->efforts);
    zv_work_destroy(b->work);
    zv_drives_destroy(b->drives);
    zv_model_destroy(b->model);
}

static void accelerate(Bench *b, const double *q, const double *v, const double *z) {
    if (!b->efforts) b->efforts = zv_efforts_create(b->drives, &error);
    assert_int_equal(zv_drives_accelerate(b->drives, b->efforts, b->work, 0, q, v, z, NULL), ZV_OK);
}

static const int both[2] = {0, 1};
static const double kp[2] = {30, 50}, kd[2] = {6, 9}, goal[2] = {1, -0.5};

/* The arm and what follows are accelerated as the controller wants. */
static void computed_torque_leads_followers(void **state) {
    (void)state;
    Bench b = bench_open();
    const double q[2] = {0.3, 0.8}, v[2] = {0.6, -0.9}, rest[2] = {0};
    assert_int_equal(
        zv_drives_add_computed_torque(b.drives, "ct", 2, both, kp, kd, NULL, zv_law_constant(2, goal, &error), &error),
        ZV_OK);
    accelerate(&b, q, v, NULL);
    for (int i = 0; i < 2; i++) assert_near(b.efforts->a[i], kp[i] * (goal[i] - q[i]) - kd[i] * v[i], 1e-10);
    double M[4], g[2], wanted[2];
    accelerate(&b, q, rest, NULL); /* at rest the forces are M a* + g */
    terms(q, M, g);
    for (int i = 0; i < 2; i++) wanted[i] = kp[i] * (goal[i] - q[i]);
    for (int i = 0; i < 2; i++)
        assert_near(b.efforts->force[i], M[2 * i] * wanted[0] + M[2 * i + 1] * wanted[1] + g[i], 1e-6);
    bench_close(&b);
}

static void compensation_holds_followers(void **state) {
    (void)state;
    Bench b = bench_open();
    const double q[2] = {0.3, 0.8}, rest[2] = {0};
    double M[4], g[2];
    assert_int_equal(zv_drives_add_gravity_compensation(b.drives, NULL, 2, both, &error), ZV_OK);
    accelerate(&b, q, rest, NULL);
    terms(q, M, g);
    for (int i = 0; i < 2; i++) {
        assert_near(b.efforts->force[i], g[i], 1e-6);
        assert_near(b.efforts->a[i], 0, 1e-11);
    }
    bench_close(&b);
}

/* A flexible shoulder: gravity compensation at the motor holds the robot when the gear carries the weight, and computed
 * torque is the force of the rigid robot, on the rotor. */
static void flexible_shoulder(void **state) {
    (void)state;
    const zvFlexibleJoint gear = {.stiffness = 900, .damping = 2, .inertia = 0.01, .ratio = 5};
    const double q[2] = {0.3, 0.8}, rest[2] = {0};
    double M[4], g[2], z[2];
    for (int kind = 0; kind < 2; kind++) {
        Bench b = bench_open();
        assert_int_equal(zv_drives_add_flexible(b.drives, "gear", 0, &gear, &error), ZV_OK);
        assert_int_equal(kind ? zv_drives_add_computed_torque(b.drives, "ct", 2, both, kp, kd, NULL,
                                                              zv_law_constant(2, goal, &error), &error)
                              : zv_drives_add_gravity_compensation(b.drives, "hold", 2, both, &error),
                         ZV_OK);
        b.efforts = zv_efforts_create(b.drives, &error);
        zv_drives_initial(b.drives, b.efforts, b.work, q, rest, true, z);
        terms(q, M, g);
        assert_near(z[0], q[0] + g[0] / 900, 1e-8);
        accelerate(&b, q, rest, z);
        double wanted[2] = {kind ? kp[0] * (goal[0] - q[0]) : 0, kind ? kp[1] * (goal[1] - q[1]) : 0}, u[2];
        for (int i = 0; i < 2; i++) u[i] = M[2 * i] * wanted[0] + M[2 * i + 1] * wanted[1] + g[i];
        for (int i = 0; i < 2; i++) assert_near(b.efforts->force[1 + i], u[i], 1e-6);
        assert_near(b.efforts->rate[1], (u[0] - g[0]) / 0.25, 1e-5); /* the rotor takes what the gear does not carry */
        if (!kind) assert_near(b.efforts->a[0], 0, 1e-10);
        bench_close(&b);
    }
}

TESTS(computed_torque_leads_followers, compensation_holds_followers, flexible_shoulder)
