/* Poses, velocities, accelerations, Jacobians and Jdot v of every frame in world and local axes; centre of mass,
 * momentum, energy; motion along a constant velocity.
 * Tolerance: 16 x depth x eps x the uncancelled sums of the terms (support/reference_error_scale). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 }; /* in some 19 000 trial cases the worst was 8.2 */

typedef struct Spot {
    int frame, link;
    exact arm; /* from the link's origin to the frame's */
    refMotion motion;
} Spot;

static Spot spot_of(const rtCase *c, int frame) {
    zvFrame given = zv_model_frame(c->model, frame);
    Spot s = {.frame = frame, .link = zv_model_find_frame(c->model, given.link)};
    if (frame < zv_model_nlink(c->model)) s.link = frame;
    s.arm = sqrtl((exact)given.pose.p[0] * given.pose.p[0] + (exact)given.pose.p[1] * given.pose.p[1] +
                  (exact)given.pose.p[2] * given.pose.p[2]);
    ref_frame(c->ref, frame, &s.motion);
    return s;
}

static void scale6(exact linear, exact angular, exact scale[6]) {
    for (int k = 0; k < 6; k++) scale[k] = k < 3 ? linear : angular;
}

static bool pose_agrees(rtCase *c, const Spot *s) {
    zvPose pose;
    exact scale[9];
    for (int k = 0; k < 9; k++) scale[k] = 1;
    zv_frame_pose(c->model, c->work, c->q, s->frame, &pose);
    if (!rt_near(c, "frame R", 9, pose.R, s->motion.R, scale, ULPS)) return false;
    for (int k = 0; k < 3; k++) scale[k] = c->error_scale->reach[s->link] + s->arm;
    return rt_near(c, "frame p", 3, pose.p, s->motion.p, scale, ULPS);
}

/* want is in world axes; both axes are asked. */
static bool both_axes(rtCase *c, const Spot *s, const char *what, const double *world, const double *local,
                      const exact want[6], const exact scale[6]) {
    exact turned[6];
    for (int k = 0; k < 6; k++) turned[k] = want[k];
    ref_turn6(s->motion.R, turned, 1);
    bool good = rt_near(c, what, 6, world, want, scale, ULPS) && rt_near(c, what, 6, local, turned, scale, ULPS);
    if (!good) fprintf(stderr, "frame %s\n", zv_model_frame(c->model, s->frame).name);
    return good;
}

static bool velocity_agrees(rtCase *c, const Spot *s) {
    double world[6], local[6];
    exact scale[6];
    const refErrorScale *g = c->error_scale;
    scale6(g->u[s->link] + g->w[s->link] * s->arm, g->w[s->link], scale);
    zv_frame_velocity(c->model, c->work, c->q, c->v, s->frame, ZV_AXES_WORLD, world);
    zv_frame_velocity(c->model, c->work, c->q, c->v, s->frame, ZV_AXES_LOCAL, local);
    return both_axes(c, s, "velocity", world, local, s->motion.v, scale);
}

static void acceleration_scale(const refErrorScale *g, const Spot *s, exact scale[6]) {
    exact w = g->w[s->link], alpha = g->alpha[s->link];
    /* the reference takes alpha out of R'' R^T, which holds w^2 too, in its own finer rounding */
    scale6(g->a[s->link] + (alpha + w * w) * s->arm, alpha + w * w / 1024, scale);
}

static bool acceleration_agrees(rtCase *c, const Spot *s) {
    double world[6], local[6];
    exact scale[6];
    acceleration_scale(c->error_scale, s, scale);
    zv_frame_acceleration(c->model, c->work, c->q, c->v, c->a, s->frame, ZV_AXES_WORLD, world);
    zv_frame_acceleration(c->model, c->work, c->q, c->v, c->a, s->frame, ZV_AXES_LOCAL, local);
    return both_axes(c, s, "acceleration", world, local, s->motion.a, scale);
}

/* Here the reference moves with a = 0, whose acceleration is Jdot v. */
static bool bias_agrees(rtCase *c, const Spot *s) {
    double world[6], local[6];
    exact scale[6];
    acceleration_scale(c->error_scale, s, scale);
    zv_frame_bias(c->model, c->work, c->q, c->v, s->frame, ZV_AXES_WORLD, world);
    zv_frame_bias(c->model, c->work, c->q, c->v, s->frame, ZV_AXES_LOCAL, local);
    return both_axes(c, s, "Jdot v", world, local, s->motion.a, scale);
}

/* Columns are crossed with differences of positions in the world, so the whole reach counts. */
static void jacobian_scale(rtCase *c, const Spot *s, exact *scale) {
    int n = c->nv;
    double *unit = calloc((size_t)n + 1, sizeof *unit);
    assert_non_null(unit);
    for (int k = 0; k < n; k++) {
        exact column[6];
        unit[k] = 1;
        ref_error_scale(c->ref, unit, NULL, NULL, false, c->error_scale);
        unit[k] = 0;
        exact w = c->error_scale->w[s->link];
        scale6(c->error_scale->u[s->link] + w * (s->arm + c->error_scale->reach[s->link]), w, column);
        for (int i = 0; i < 6; i++) scale[i * n + k] = column[i];
    }
    free(unit);
}

static bool jacobian_agrees(rtCase *c, const Spot *s) {
    int n = c->nv;
    double *J = calloc((size_t)(6 * n + 1), sizeof *J);
    exact *want = lin_numbers(6 * n), *scale = lin_numbers(6 * n);
    assert_non_null(J);
    jacobian_scale(c, s, scale);
    ref_frame_jacobian(c->ref, s->frame, want);
    zv_frame_jacobian(c->model, c->work, c->q, s->frame, ZV_AXES_WORLD, J);
    bool good = rt_near(c, "J world", 6 * n, J, want, scale, ULPS);
    ref_turn6(s->motion.R, want, n);
    zv_frame_jacobian(c->model, c->work, c->q, s->frame, ZV_AXES_LOCAL, J);
    good = good && rt_near(c, "J local", 6 * n, J, want, scale, ULPS);
    free(J);
    free(want);
    free(scale);
    return good;
}

static bool link_poses_agree(rtCase *c) {
    int links = zv_model_nlink(c->model);
    zvPose *poses = calloc((size_t)links, sizeof *poses);
    assert_non_null(poses);
    zv_link_poses(c->model, c->work, c->q, poses);
    bool good = true;
    for (int l = 0; l < links && good; l++) {
        exact scale[9];
        for (int k = 0; k < 9; k++) scale[k] = 1;
        good = rt_near(c, "link R", 9, poses[l].R, c->ref->motion[l].R, scale, ULPS);
        for (int k = 0; k < 3; k++) scale[k] = c->error_scale->reach[l];
        good = good && rt_near(c, "link p", 3, poses[l].p, c->ref->motion[l].p, scale, ULPS);
    }
    free(poses);
    return good;
}

/* All links in one sweep, and every frame out of them. */
static bool links_carry_frames(rtCase *c) {
    const size_t links = (size_t)zv_model_nlink(c->model);
    zvPose *poses = calloc(links, sizeof *poses), *still = calloc(links, sizeof *still);
    double *velocities = calloc(6 * links, sizeof *velocities), *none = calloc(6 * links, sizeof *none);
    assert_true(poses && still && velocities && none);
    none[0] = 1;
    zv_link_motions(c->model, c->work, c->q, c->v, poses, velocities);
    zv_link_motions(c->model, c->work, c->q, NULL, still, none);
    bool good = true;
    for (size_t i = 0; i < 6 * links; i++) good = good && none[i] == 0;
    for (int f = 0; f < zv_model_nframe(c->model) && good; f++) {
        const Spot s = spot_of(c, f);
        zvPose pose, again;
        double velocity[6];
        exact scale[9];
        for (int k = 0; k < 9; k++) scale[k] = 1;
        zv_frame_of_links(c->model, f, c->q, c->v, poses, velocities, &pose, velocity);
        zv_frame_of_links(c->model, f, c->q, NULL, still, NULL, &again, NULL);
        good = rt_near(c, "R of links", 9, pose.R, s.motion.R, scale, ULPS) &&
               rt_near(c, "R of links at rest", 9, again.R, s.motion.R, scale, ULPS);
        for (int k = 0; k < 3; k++) scale[k] = c->error_scale->reach[s.link] + s.arm;
        good = good && rt_near(c, "p of links", 3, pose.p, s.motion.p, scale, ULPS) &&
               rt_near(c, "p of links at rest", 3, again.p, s.motion.p, scale, ULPS);
        scale6(c->error_scale->u[s.link] + c->error_scale->w[s.link] * s.arm, c->error_scale->w[s.link], scale);
        good = good && rt_near(c, "velocity of links", 6, velocity, s.motion.v, scale, ULPS);
    }
    free(poses);
    free(still);
    free(velocities);
    free(none);
    return good;
}

static bool frames_agree(rtCase *c) {
    int frames = zv_model_nframe(c->model);
    bool good = link_poses_agree(c);
    ref_error_scale(c->ref, c->v, c->a, NULL, false, c->error_scale);
    good = good && links_carry_frames(c);
    for (int f = 0; f < frames && good; f++) {
        Spot s = spot_of(c, f);
        good = pose_agrees(c, &s) && velocity_agrees(c, &s) && acceleration_agrees(c, &s);
    }
    ref_move(c->ref, c->v, NULL);
    ref_error_scale(c->ref, c->v, NULL, NULL, false, c->error_scale);
    for (int f = 0; f < frames && good; f++) {
        Spot s = spot_of(c, f);
        good = bias_agrees(c, &s);
    }
    for (int k = 0; k < 4 && good; k++) { /* a link and the extra frames */
        Spot s = spot_of(c, k == 0 ? rt_below(&c->random, frames) : frames - 1 - (k - 1) % frames);
        good = jacobian_agrees(c, &s);
    }
    return good;
}

static void sums_scale(const rtCase *c, exact *momentum, exact *spin, exact *reach) {
    *momentum = *spin = *reach = 0;
    for (int l = 0; l < c->ref->nlink; l++)
        *reach = fmaxl(*reach, c->error_scale->reach[l] + 1.8L); /* com within 1 m a side */
    for (int l = 0; l < c->ref->nlink; l++) {
        const zvInertia *own = &zv_model_link(c->model, l)->inertia;
        exact speed = c->error_scale->u[l] + 1.8L * c->error_scale->w[l], moment = 0;
        for (int k = 0; k < 6; k++) moment += fabsl((exact)own->moment[k]);
        *momentum += own->mass * speed;
        *spin += moment * c->error_scale->w[l] + 2 * own->mass * speed * *reach;
    }
}

static bool center_agrees(rtCase *c, exact reach) {
    exact want[3], scale[3] = {reach, reach, reach};
    double got[3], total[1] = {zv_model_mass(c->model)};
    exact mass = ref_center(c->ref, want);
    if (mass == 0) return total[0] == 0;
    zv_center_of_mass(c->model, c->work, c->q, got);
    return rt_near(c, "mass", 1, total, &mass, &mass, ULPS) && rt_near(c, "com", 3, got, want, scale, ULPS);
}

static bool momentum_agrees(rtCase *c, exact momentum, exact spin, exact reach) {
    exact want[6], scale[6], center[3], place[3] = {reach, reach, reach};
    double h[6], again[6], com[3];
    if (ref_center(c->ref, center) == 0) return true;
    ref_momentum(c->ref, want);
    scale6(momentum, spin, scale);
    zv_momentum(c->model, c->work, c->q, c->v, h, com);
    zv_momentum(c->model, c->work, c->q, c->v, again, NULL);
    for (int k = 0; k < 6; k++)
        if (h[k] != again[k]) return false;
    return rt_near(c, "momentum", 6, h, want, scale, ULPS) &&
           rt_near(c, "com with momentum", 3, com, center, place, ULPS);
}

static bool energy_agrees(rtCase *c) {
    exact want[2], scale[2] = {c->error_scale->kinetic, c->error_scale->potential};
    double energy[2];
    ref_energy(c->ref, &want[0], &want[1]);
    want[0] += ref_rotor_energy(c->ref);
    scale[0] += ref_rotor_energy(c->ref);
    zv_energy(c->model, c->work, c->q, c->v, &energy[0], &energy[1]);
    return rt_near(c, "energy", 2, energy, want, scale, ULPS);
}

static bool sums_agree(rtCase *c) {
    exact momentum, spin, reach;
    sums_scale(c, &momentum, &spin, &reach);
    return center_agrees(c, reach) && momentum_agrees(c, momentum, spin, reach) && energy_agrees(c);
}

/* zv_position_add against the exact exponentials; the two signs of a quaternion are one position. */
static bool position_add_agrees(rtCase *c) {
    exact *want = lin_numbers(c->nq), *scale = lin_numbers(c->nq);
    double *moved = calloc((size_t)c->nq + 1, sizeof *moved);
    assert_non_null(moved);
    zv_position_add(c->model, c->q, c->v, moved);
    ref_place_along(c->ref, c->q, c->v, 1);
    ref_position(c->ref, want);
    for (int i = 0; i < c->nq; i++) scale[i] = 10;
    bool good = rt_near(c, "q + v", c->nq, moved, want, scale, ULPS);
    good = good && zv_position_normalize(c->model, moved) <= ULPS * (double)DBL_EPSILON;
    free(want);
    free(scale);
    free(moved);
    return good;
}

static bool kinematics_agrees(rtCase *c) { return sums_agree(c) && frames_agree(c) && position_add_agrees(c); }

static void kinematics(void **state) {
    (void)state;
    assert_true(rt_each(38000, 1000, 50, NULL, kinematics_agrees));
}

TESTS(kinematics)
