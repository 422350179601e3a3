/* Kinematics on small robots whose answers can be written down: ground frames, local axes, centre of mass, energy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static void add(zvBuilder *builder, const char *name, const char *parent, zvJointType type, zvInertia inertia) {
    zvError error = {0};
    zvLink link = zv_link_default(name);
    link.inertia = inertia;
    assert_int_equal(zv_builder_add_link(builder, &link, &error), ZV_OK);
    if (!parent) return;
    zvJoint joint = zv_joint_default(name, type, parent, name);
    joint.origin.p[0] = 1;
    assert_int_equal(zv_builder_add_joint(builder, &joint, &error), ZV_OK);
}

/* A heavy base that stands, a shelf fixed to it, and a door of 2 kg on the shelf that turns about z. */
typedef struct House {
    zvModel *model;
    zvWork *work;
} House;

static House build(double door_mass) {
    zvError error = {0};
    House house = {0};
    zvBuilder *builder = zv_builder_create(&error);
    add(builder, "base", NULL, ZV_JOINT_FIXED,
        (zvInertia){.mass = 100, .com = {9, 9, 9}, .moment = {1, 0, 0, 1, 0, 1}});
    add(builder, "shelf", "base", ZV_JOINT_FIXED, (zvInertia){.mass = 50, .moment = {1, 0, 0, 1, 0, 1}});
    add(builder, "door", "shelf", ZV_JOINT_CONTINUOUS,
        (zvInertia){.mass = door_mass, .com = {0.5, 0, 0.25}, .moment = {0.1, 0, 0, 0.1, 0, 0.2}});
    if (zv_builder_freeze(builder, &house.model, &error) < 0) fail_msg("%s", error.text);
    house.work = zv_work_create(house.model, &error);
    zv_builder_destroy(builder);
    return house;
}

static void pull_down(House *house) {
    zv_work_destroy(house->work);
    zv_model_destroy(house->model);
}

static void ground_frames(void **state) {
    (void)state;
    House house = build(2);
    const double q[1] = {0.3}, v[1] = {2}, zero[6] = {0};
    double J[6], velocity[6];
    for (int frame = 0; frame < 2; frame++) {
        zvPose pose;
        zv_frame_pose(house.model, house.work, q, frame, &pose);
        assert_all_near("place", 3, pose.p, ((double[]){frame, 0, 0}), 1e-14);
        assert_all_near("rotation", 9, pose.R, ((double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}), 1e-14);
        zv_frame_jacobian(house.model, house.work, q, frame, ZV_AXES_WORLD, J);
        assert_all_near("Jacobian", 6, J, zero, 1e-14);
        zv_frame_velocity(house.model, house.work, q, v, frame, ZV_AXES_LOCAL, velocity);
        assert_all_near("velocity", 6, velocity, zero, 1e-14);
    }
    pull_down(&house);
}

/* Only what moves counts: the base may be as heavy as it likes. */
static void moving_mass(void **state) {
    (void)state;
    House house = build(2);
    const double q[1] = {1.57079632679489661923}, v[1] = {2};
    double c[3], h[6], kinetic, potential;
    assert_true(zv_model_mass(house.model) == 2);
    zv_center_of_mass(house.model, house.work, q, c);
    assert_all_near("centre of mass", 3, c, ((double[]){2, 0.5, 0.25}), 1e-14);
    zv_momentum(house.model, house.work, q, v, h, c);
    assert_all_near("momentum", 6, h, ((double[]){-2, 0, 0, 0, 0, 0.4}), 1e-14);
    assert_all_near("centre of mass with the momentum", 3, c, ((double[]){2, 0.5, 0.25}), 1e-14);
    zv_momentum(house.model, house.work, q, v, h, NULL);
    zv_energy(house.model, house.work, q, v, &kinetic, &potential);
    assert_all_near("kinetic energy", 1, &kinetic, ((double[]){0.5 * (0.2 + 2 * 0.25) * 4}), 1e-14);
    assert_all_near("potential energy", 1, &potential, ((double[]){2 * 9.81 * 0.25}), 1e-14);
    pull_down(&house);
}

/* Without moving mass there is no centre; zeros, not a division. */
static void no_moving_mass(void **state) {
    (void)state;
    House house = build(0);
    const double q[1] = {0.3}, zero[3] = {0};
    double c[3] = {7, 7, 7};
    zv_center_of_mass(house.model, house.work, q, c);
    assert_all_near("centre of mass", 3, c, zero, 1e-14);
    pull_down(&house);
}

/* Local components are the world's turned into the frame, for velocity, acceleration, bias and every column of J. */
static bool local_is_turned(rtCase *c) {
    double *J = calloc(12 * (size_t)c->nv + 1, sizeof *J), *K = J + 6 * c->nv;
    double worst = 0, most = 1;
    for (int frame = 0; frame < zv_model_nframe(c->model); frame++) {
        zvPose pose;
        double x[3][2][6];
        zv_frame_pose(c->model, c->work, c->q, frame, &pose);
        for (int axes = 0; axes < 2; axes++) {
            const zvAxes which = axes ? ZV_AXES_LOCAL : ZV_AXES_WORLD;
            zv_frame_velocity(c->model, c->work, c->q, c->v, frame, which, x[0][axes]);
            zv_frame_acceleration(c->model, c->work, c->q, c->v, c->a, frame, which, x[1][axes]);
            zv_frame_bias(c->model, c->work, c->q, c->v, frame, which, x[2][axes]);
            zv_frame_jacobian(c->model, c->work, c->q, frame, which, axes ? K : J);
        }
        for (int column = -3; column < c->nv; column++) {
            for (int i = 0; i < 6; i++) {
                double turned = 0;
                for (int k = 0; k < 3; k++) {
                    const int row = i / 3 * 3 + k;
                    const double world = column < 0 ? x[column + 3][0][row] : J[row * c->nv + column];
                    turned += pose.R[3 * k + i % 3] * world;
                    most = fmax(most, fabs(world));
                }
                const double local = column < 0 ? x[column + 3][1][i] : K[i * c->nv + column];
                worst = fmax(worst, fabs(local - turned));
            }
        }
    }
    free(J);
    if (worst > 1e-14 * most) print_message("seed %d: off by %g of %g\n", (int)c->seed, worst, most);
    return worst <= 1e-14 * most;
}

static void local_axes(void **state) {
    (void)state;
    assert_true(rt_each(800, 40, 20, NULL, local_is_turned));
}

TESTS(ground_frames, moving_mass, no_moving_mass, local_axes)
