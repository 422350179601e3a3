/* Frames of trees with elastic links: velocities against differences of poses, accelerations against differences of
 * velocities, Jacobians against velocities, all links at once against one frame at a time; deviation and strain energy.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/elastic_case.h"
#include "support/run_tests.h"

/* No frame is farther away: links and joints of at most 5 m. */
static double reach(const ecCase *c) { return 5.0 * c->nlink; }

/* Rounding of a sum along a chain of numbers of this size. */
static double rounding(double size) { return 8 * DBL_EPSILON * size; }

static bool near(const ecCase *c, const char *what, int count, const double *got, const double *want,
                 double tolerance) {
    for (int i = 0; i < count; i++) {
        if (!ec_near(c, what, i, got[i], want[i], tolerance)) return false;
    }
    return true;
}

/* The frame that is being differentiated goes through here. */
static int looked_at(const ecCase *c) { return (int)c->x[0]; }

static void look_pose(ecCase *c, const double *q, double *out) {
    zvPose pose;
    zv_frame_pose(c->model, c->work, q, looked_at(c), &pose);
    memcpy(out, pose.p, sizeof pose.p);
    memcpy(out + 3, pose.R, sizeof pose.R);
}

static void look_velocity(ecCase *c, const double *q, double *out) {
    zv_frame_velocity(c->model, c->work, q, c->v, looked_at(c), ZV_AXES_WORLD, out);
}

/* w of R' R^T */
static void spin_of(const double rate[9], const double R[9], double w[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0;
        for (int m = 0; m < 3; m++) w[i] += 0.5 * (rate[3 * k + m] * R[3 * j + m] - rate[3 * j + m] * R[3 * k + m]);
    }
}

/* Components along the frame's axes */
static void turn_to_local(const zvPose *pose, const double world[6], double local[6]) {
    for (int i = 0; i < 6; i++) {
        local[i] = 0;
        for (int k = 0; k < 3; k++) local[i] += pose->R[3 * k + i % 3] * world[i / 3 * 3 + k];
    }
}

/* How fast a frame may turn at most: slopes of shapes make sections turn faster than coordinates change. */
static double turns(ecCase *c, int frame) {
    const size_t nv = (size_t)c->nv;
    double *J = calloc(6 * nv + 1, sizeof *J), most = 1;
    assert_non_null(J);
    zv_frame_jacobian(c->model, c->work, c->q, frame, ZV_AXES_WORLD, J);
    for (size_t k = 0; k < nv; k++) {
        const double x = J[3 * nv + k], y = J[4 * nv + k], z = J[5 * nv + k];
        most += fabs(c->v[k]) * fmax(1, sqrt(x * x + y * y + z * z));
    }
    free(J);
    return most;
}

/* With v constant the velocity changes by the bias; a adds what a velocity a would be. */
static bool frame_moves(ecCase *c, int frame) {
    double rate[12], want[6], velocity[6], acceleration[6], bias[6], of_a[6], local[6], turned[6];
    zvPose pose;
    c->x[0] = frame;
    c->quick = turns(c, frame);
    const double loss = rounding(reach(c)) / ec_step(c);
    zv_frame_pose(c->model, c->work, c->q, frame, &pose);
    zv_frame_velocity(c->model, c->work, c->q, c->v, frame, ZV_AXES_WORLD, velocity);
    ec_rate(c, c->v, look_pose, 12, rate);
    memcpy(want, rate, 3 * sizeof *want);
    spin_of(rate + 3, pose.R, want + 3);
    if (!near(c, "velocity", 6, velocity, want, loss)) return false;
    zv_frame_bias(c->model, c->work, c->q, c->v, frame, ZV_AXES_WORLD, bias);
    ec_rate(c, c->v, look_velocity, 6, want);
    if (!near(c, "bias", 6, bias, want, c->quick * loss)) return false;
    zv_frame_acceleration(c->model, c->work, c->q, c->v, c->a, frame, ZV_AXES_WORLD, acceleration);
    zv_frame_velocity(c->model, c->work, c->q, c->a, frame, ZV_AXES_WORLD, of_a);
    for (int i = 0; i < 6; i++) want[i] = bias[i] + of_a[i];
    const double size = rounding(reach(c) * c->quick * (c->quick + 5));
    if (!near(c, "acceleration", 6, acceleration, want, size)) return false;
    zv_frame_acceleration(c->model, c->work, c->q, c->v, c->a, frame, ZV_AXES_LOCAL, local);
    turn_to_local(&pose, acceleration, turned);
    return near(c, "acceleration, local", 6, local, turned, size);
}

static bool frames_move(ecCase *c) {
    for (int frame = 0; frame < zv_model_nframe(c->model); frame++) {
        if (!frame_moves(c, frame)) return false;
    }
    return true;
}

/* Column k is the velocity for a unit of v[k]. */
static bool jacobians_are(ecCase *c) {
    const size_t nv = (size_t)c->nv;
    double *J = calloc(12 * nv + 1, sizeof *J), *local = J + 6 * nv;
    bool good = J != NULL;
    memset(c->x, 0, nv * sizeof *c->x);
    for (int frame = 0; frame < zv_model_nframe(c->model) && good; frame++) {
        zvPose pose;
        zv_frame_pose(c->model, c->work, c->q, frame, &pose);
        zv_frame_jacobian(c->model, c->work, c->q, frame, ZV_AXES_WORLD, J);
        zv_frame_jacobian(c->model, c->work, c->q, frame, ZV_AXES_LOCAL, local);
        for (size_t k = 0; k < nv && good; k++) {
            double column[6], got[6], turned[6], size = 1;
            c->x[k] = 1;
            zv_frame_velocity(c->model, c->work, c->q, c->x, frame, ZV_AXES_WORLD, column);
            c->x[k] = 0;
            for (size_t i = 0; i < 6; i++) size = fmax(size, fabs(column[i]));
            for (size_t i = 0; i < 6; i++) got[i] = J[i * nv + k];
            good = near(c, "column", 6, got, column, rounding(size * reach(c)));
            turn_to_local(&pose, column, turned);
            for (size_t i = 0; i < 6; i++) got[i] = local[i * nv + k];
            good = good && near(c, "column, local", 6, got, turned, rounding(size * reach(c)));
        }
    }
    free(J);
    return good;
}

/* A frame out of poses and velocities of all links; v NULL: the links themselves move, nothing bends. */
static bool frame_is_carried(ecCase *c, int frame, const zvPose *poses, const double *velocities) {
    zvPose pose, at_rest, want;
    double velocity[6], right[6];
    zv_frame_pose(c->model, c->work, c->q, frame, &want);
    zv_frame_velocity(c->model, c->work, c->q, c->v, frame, ZV_AXES_WORLD, right);
    zv_frame_of_links(c->model, frame, c->q, c->v, poses, velocities, &pose, velocity);
    zv_frame_of_links(c->model, frame, c->q, NULL, poses, NULL, &at_rest, NULL);
    return near(c, "place of links", 3, pose.p, want.p, rounding(reach(c))) &&
           near(c, "rotation of links", 9, pose.R, want.R, rounding(c->nlink)) &&
           near(c, "velocity of links", 6, velocity, right, rounding(reach(c) * c->quick)) &&
           near(c, "place of links at rest", 3, at_rest.p, pose.p, 0) &&
           near(c, "rotation of links at rest", 9, at_rest.R, pose.R, 0);
}

/* All links in one sweep, and every frame out of them. */
static bool links_carry_frames(ecCase *c) {
    const size_t links = (size_t)c->nlink;
    zvPose *poses = calloc(links, sizeof *poses), *still = calloc(links, sizeof *still), pose;
    double *velocities = calloc(6 * links, sizeof *velocities), *none = calloc(6 * links, sizeof *none), velocity[6];
    bool good = poses && still && velocities && none;
    if (good) zv_link_motions(c->model, c->work, c->q, c->v, poses, velocities);
    if (good) zv_link_poses(c->model, c->work, c->q, still);
    for (size_t i = 0; i < links && good; i++) good = memcmp(&poses[i], &still[i], sizeof *poses) == 0;
    for (int frame = 0; frame < zv_model_nframe(c->model) && good; frame++) {
        good = frame_is_carried(c, frame, poses, velocities);
        zv_frame_of_links(c->model, frame, c->q, NULL, poses, none, &pose, velocity);
        good = good && near(c, "velocity at rest", 6, velocity, none, 0);
    }
    free(poses);
    free(still);
    free(velocities);
    free(none);
    return good;
}

/* c->q without elastic coordinates */
static double *straight(const ecCase *c) {
    double *q = calloc((size_t)c->nq + 1, sizeof *q);
    assert_non_null(q);
    memcpy(q, c->q, (size_t)c->nq * sizeof *q);
    for (int i = 0; i < c->nlink; i++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, i);
        for (int k = 0; k < place.count; k++) q[place.q_index + k] = 0;
    }
    return q;
}

/* None of a straight robot; else the difference of two poses. */
static bool deviates(ecCase *c) {
    double *q = straight(c);
    bool good = true;
    for (int frame = 0; frame < zv_model_nframe(c->model) && good; frame++) {
        static const double none[3];
        zvPose bent, rigid;
        double got[3], still[3], want[3];
        zv_frame_pose(c->model, c->work, c->q, frame, &bent);
        zv_frame_pose(c->model, c->work, q, frame, &rigid);
        zv_frame_deviation(c->model, c->work, c->q, frame, got);
        zv_frame_deviation(c->model, c->work, q, frame, still);
        for (int i = 0; i < 3; i++) want[i] = bent.p[i] - rigid.p[i];
        good = near(c, "deviation", 3, got, want, 0) && near(c, "deviation of a rigid robot", 3, still, none, 0);
    }
    free(q);
    return good;
}

/* e^T K e / 2 link by link */
static bool strains(ecCase *c) {
    double energy = 0, *q = straight(c), K[64];
    for (int link = 0; link < c->nlink; link++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, link);
        const double *e = c->q + place.q_index;
        const int n = place.count;
        double *K_ = n * n <= 64 ? K : calloc((size_t)(n * n), sizeof *K_);
        zv_model_elastic_matrices(c->model, link, NULL, K_, NULL);
        for (int i = 0; i < n * n; i++) energy += 0.5 * e[i / n] * K_[i] * e[i % n];
        if (K_ != K) free(K_);
    }
    const double got = zv_strain_energy(c->model, c->q), none = zv_strain_energy(c->model, q);
    free(q);
    return none == 0 && ec_near(c, "strain energy", 0, got, energy, rounding(10 * energy));
}

static void motion(void **state) {
    (void)state;
    assert_true(ec_each(1200, 150, RT_ALL_TYPES, frames_move));
}

static void jacobians(void **state) {
    (void)state;
    assert_true(ec_each(1400, 150, RT_ALL_TYPES, jacobians_are));
}

static void sweeps(void **state) {
    (void)state;
    assert_true(ec_each(1600, 150, RT_ALL_TYPES, links_carry_frames));
}

static void deviation(void **state) {
    (void)state;
    assert_true(ec_each(1800, 150, RT_ALL_TYPES, deviates));
}

static void strain(void **state) {
    (void)state;
    assert_true(ec_each(2000, 150, RT_ALL_TYPES, strains));
}

static void must(zvStatus status, const zvError *error) {
    if (status < 0) fail_msg("%s", error->text);
}

/* A beam of 2 m on the ground that bends along y by e s^2: it shortens by half the integral of (2 e s / L)^2, which is
 * 2 e^2 / 3 L, and its tip turns about z by 2 e / L, carrying a lever of 0.5 m along y. */
static void one_beam(void **state) {
    (void)state;
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvBeam beam = zv_beam_default();
    beam.length = 2;
    beam.EIz = 30;
    beam.rhoA = 1;
    beam.modes[ZV_BEAM_BEND_Y] = 1;
    zvLink ground = zv_link_default("ground"), link = zv_link_default("beam");
    link.beam = &beam;
    zvJoint joint = zv_joint_default("clamp", ZV_JOINT_FIXED, "ground", "beam");
    zvFrame frame = zv_frame_default("lever", "beam");
    frame.pose.p[0] = 2;
    frame.pose.p[1] = 0.5;
    must(zv_builder_add_link(builder, &ground, &error), &error);
    must(zv_builder_add_link(builder, &link, &error), &error);
    must(zv_builder_add_joint(builder, &joint, &error), &error);
    must(zv_builder_add_frame(builder, &frame, &error), &error);
    zvModel *model;
    must(zv_builder_freeze(builder, &model, &error), &error);
    zvWork *work = zv_work_create(model, &error);
    const double e = 0.1, turn = 2 * e / 2;
    const double want[3] = {-e * e / 3 - 0.5 * sin(turn), e + 0.5 * cos(turn) - 0.5, 0};
    double got[3];
    zv_frame_deviation(model, work, &e, zv_model_find_frame(model, "lever"), got);
    for (int i = 0; i < 3; i++) assert_true(fabs(got[i] - want[i]) < 1e-15);
    /* K = EI times the integral of (2 / L^2)^2 */
    assert_true(fabs(zv_strain_energy(model, &e) - 0.5 * e * e * 30 * 4 / 8) < 1e-15);
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

TESTS(one_beam, motion, jacobians, sweeps, deviation, strain)
