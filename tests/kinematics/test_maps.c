/* Matrices of kinematics on random trees: all joint types, free bases, coupled joints.
 *
 * Jacobians of all links are those of the links' frames, which another recursion makes; J v is the velocity of the
 * link. Rates of Jacobians and of momentum are compared with fourth-order differences along the motion, in both axes,
 * and with the bias of the frame. A v is the momentum. On a floating robot without ground forces, whatever its joints
 * do, the rate of momentum A a + bias is the weight (momentum theorem).
 *
 * Tolerance of what is computed twice: ULPS x depth x eps x the largest entry and the reach of the robot. Differences
 * with steps h: h^4 of the fifth derivative and eps / h, with h = 1e-3 of the time in which anything turns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/elastic_case.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 256 };
static const double differences = 1e-9; /* of what they are made of */

static double *room(size_t count) {
    double *x = calloc(count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double largest(size_t count, const double *x) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* How far links are from the root at most. */
static double reach_of(const rtCase *c) {
    double reach = 1;
    for (int i = 0; i < c->nlink; i++) reach = fmax(reach, (double)c->error_scale->reach[i]);
    return reach;
}

static bool same(const rtCase *c, const char *what, size_t count, const double *got, const double *want, double size) {
    const double allowed = ULPS * (double)c->eps * (size + largest(count, want));
    for (size_t i = 0; i < count; i++) {
        if (fabs(got[i] - want[i]) <= allowed) continue;
        print_error("seed %llu: %s[%zu] is %.17g, not %.17g, allowed %.3g\n", (unsigned long long)c->seed, what, i,
                    got[i], want[i], allowed);
        return false;
    }
    return true;
}

static void times(int rows, int nv, const double *A, const double *x, double *y) {
    for (int i = 0; i < rows; i++) {
        y[i] = 0;
        for (int k = 0; k < nv; k++) y[i] += A[i * nv + k] * x[k];
    }
}

/* -- poses of bodies ----------------------------------------------------------------------------------------------- */

/* Those of the links that joints move; the others' are not among them. */
static bool bodies_stand(rtCase *c) {
    const int nbody = zv_model_nbody(c->model);
    zvPose *bodies = calloc((size_t)nbody, sizeof *bodies), pose;
    int seen = 0;
    bool good = true;
    assert_non_null(bodies);
    zv_body_poses(c->model, c->work, c->q, bodies);
    for (int i = 0; i < c->nlink && good; i++) {
        const int body = zv_model_frame_body(c->model, i);
        if (body < seen) continue; /* welded to one that was */
        seen = body + 1;
        zv_frame_pose(c->model, c->work, c->q, i, &pose);
        good = same(c, "R of body", 9, bodies[body].R, pose.R, 1) &&
               same(c, "p of body", 3, bodies[body].p, pose.p, reach_of(c));
    }
    free(bodies);
    return good && seen == nbody;
}

/* -- Jacobians of all links ---------------------------------------------------------------------------------------- */

static bool jacobians_are_those_of_frames(rtCase *c) {
    const size_t size = 6 * (size_t)c->nv, links = (size_t)c->nlink;
    double *J = room(links * size), *own = room(size), *u = room(6 * links), moved[6];
    zvPose *poses = calloc(links, sizeof *poses);
    bool good = poses != NULL;
    zv_link_motions(c->model, c->work, c->q, c->v, poses, u);
    for (int axes = 0; axes < 2; axes++) {
        for (size_t i = 0; i < links * size; i++) J[i] = NAN; /* every entry is written */
        zv_link_jacobians(c->model, c->work, c->q, (zvAxes)axes, J);
        for (int i = 0; i < c->nlink && good; i++) {
            zv_frame_jacobian(c->model, c->work, c->q, i, (zvAxes)axes, own);
            good = same(c, "J of link", size, J + (size_t)i * size, own, reach_of(c));
            if (axes == ZV_AXES_LOCAL) continue;
            times(6, c->nv, J + (size_t)i * size, c->v, moved);
            good =
                good && same(c, "J v", 6, moved, u + 6 * i, reach_of(c) * (1 + largest((size_t)c->nv, c->v)) * c->nv);
        }
    }
    free(J), free(own), free(u), free(poses);
    return good;
}

/* -- rates --------------------------------------------------------------------------------------------------------- */

typedef void (*Matrix)(rtCase *c, const double *q, int frame, zvAxes axes, double *X);

static void jacobian(rtCase *c, const double *q, int frame, zvAxes axes, double *X) {
    zv_frame_jacobian(c->model, c->work, q, frame, axes, X);
}

static void map(rtCase *c, const double *q, int frame, zvAxes axes, double *X) {
    (void)frame, (void)axes;
    zv_centroidal_map(c->model, c->work, q, X, NULL);
}

/* The longest time in which nothing turns far. */
static double patience(const rtCase *c) {
    double speed = 1;
    for (int i = 0; i < c->nv; i++) speed += fabs(c->v[i]);
    return 1 / speed;
}

/* dX/dt (6 x nv) along v; returns the size of X. */
static double rate_of(rtCase *c, Matrix f, int frame, zvAxes axes, double *rate) {
    static const double weight[5] = {1 / 12.0, -8 / 12.0, 0, 8 / 12.0, -1 / 12.0};
    const size_t size = 6 * (size_t)c->nv;
    const double h = 1e-3 * patience(c);
    double *X = room(size), *q = room((size_t)c->nq), *step = room((size_t)c->nv), most = 0;
    memset(rate, 0, size * sizeof *rate);
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < c->nv; i++) step[i] = (k - 2) * h * c->v[i];
        zv_position_add(c->model, c->q, step, q);
        f(c, q, frame, axes, X);
        for (size_t i = 0; i < size; i++) rate[i] += weight[k] * X[i] / h;
        most = fmax(most, largest(size, X));
    }
    free(X), free(q), free(step);
    return most;
}

static bool near_differences(const rtCase *c, const char *what, size_t count, const double *got, const double *want,
                             double size) {
    const double allowed = differences * size / patience(c);
    for (size_t i = 0; i < count; i++) {
        if (fabs(got[i] - want[i]) <= allowed) continue;
        print_error("seed %llu: %s[%zu] is %.17g, not %.17g, allowed %.3g\n", (unsigned long long)c->seed, what, i,
                    got[i], want[i], allowed);
        return false;
    }
    return true;
}

static bool jacobian_rates(rtCase *c) {
    const size_t size = 6 * (size_t)c->nv;
    double *rate = room(size), *want = room(size), sum[6], bias[6];
    const int frame = rt_below(&c->random, zv_model_nframe(c->model));
    bool good = true;
    for (int axes = 0; axes < 2 && good; axes++) {
        good = zv_frame_jacobian_rate(c->model, c->work, c->q, c->v, frame, (zvAxes)axes, rate) == ZV_OK;
        const double most = rate_of(c, jacobian, frame, (zvAxes)axes, want);
        good = good && near_differences(c, "dJ/dt", size, rate, want, 1 + most);
        if (axes == ZV_AXES_LOCAL) continue;
        times(6, c->nv, rate, c->v, sum);
        zv_frame_bias(c->model, c->work, c->q, c->v, frame, ZV_AXES_WORLD, bias);
        const double fast = 1 / (patience(c) * patience(c));
        good = good && same(c, "dJ/dt v", 6, sum, bias, reach_of(c) * fast);
    }
    free(rate), free(want);
    return good;
}

/* -- momentum ------------------------------------------------------------------------------------------------------ */

static bool momentum_by_map(rtCase *c) {
    const size_t size = 6 * (size_t)c->nv;
    double *A = room(size), *rate = room(size), h[6], by_map[6], center[3], com[3], bias[6], slope[6];
    zv_momentum(c->model, c->work, c->q, c->v, h, com);
    zv_centroidal_map(c->model, c->work, c->q, A, center);
    times(6, c->nv, A, c->v, by_map);
    const double sum = (largest(size, A) + zv_model_mass(c->model) * reach_of(c)) * reach_of(c) / patience(c);
    bool good = same(c, "centre", 3, center, com, reach_of(c)) && same(c, "A v", 6, by_map, h, sum);
    good = good && zv_centroidal_bias(c->model, c->work, c->q, c->v, bias) == ZV_OK;
    const double most = rate_of(c, map, 0, ZV_AXES_WORLD, rate);
    times(6, c->nv, rate, c->v, slope);
    good = good && near_differences(c, "dA/dt v", 6, bias, slope, most / patience(c));
    free(A), free(rate);
    return good;
}

/* Forces of joints are inner forces. The base of every other robot stands on the ground. */
static bool momentum_theorem(rtCase *c) {
    double g[3], *A = room(6 * (size_t)c->nv), bias[6], rate[6], weight[6] = {0};
    const double mass = zv_model_mass(c->model);
    bool good = true;
    zv_model_gravity(c->model, g);
    for (int i = 0; i < 6; i++) c->tau[i] = 0; /* nobody holds the base */
    if (zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, NULL, c->x) == ZV_OK) {
        zv_centroidal_map(c->model, c->work, c->q, A, NULL);
        good = zv_centroidal_bias(c->model, c->work, c->q, c->v, bias) == ZV_OK;
        times(6, c->nv, A, c->x, rate);
        for (int i = 0; i < 6; i++) rate[i] += bias[i];
        for (int i = 0; i < 3; i++) weight[i] = mass * g[i];
        const double moved = 1 + largest((size_t)c->nv, c->x) + 1 / (patience(c) * patience(c));
        good = good && same(c, "A a + bias", 6, rate, weight, 1e3 * (1 + largest(6 * (size_t)c->nv, A)) * moved);
    }
    free(A);
    return good;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

static void poses_and_jacobians(void **state) {
    (void)state;
    assert_true(rt_each(81000, 300, 40, NULL, bodies_stand));
    assert_true(rt_each(82000, 300, 40, NULL, jacobians_are_those_of_frames));
}

/* Curves are smooth: splines have knots, which differences do not see. */
static void smooth(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
    options->wild = false;
}

static void rates(void **state) {
    (void)state;
    assert_true(rt_each(83000, 400, 12, smooth, jacobian_rates));
    assert_true(rt_each(84000, 400, 12, smooth, momentum_by_map));
}

static void floating(int index, rtOptions *options) {
    (void)index;
    options->free_base = true;
    options->wild = options->massless = false;
    options->armature = 0;
}

static void weight_alone_moves_a_floating_robot(void **state) {
    (void)state;
    assert_true(rt_each(85000, 200, 12, floating, momentum_theorem));
}

static int refused; /* rates of momentum */

/* Elastic links: the map is that of the momentum, what is not known is refused. */
static bool elastic_maps(ecCase *c) {
    const size_t size = 6 * (size_t)c->nv;
    double *A = room(size), *J = room((size_t)c->nlink * size), *own = room(size), h[6], by_map[6], bias[6];
    bool good = true;
    zv_momentum(c->model, c->work, c->q, c->v, h, NULL);
    zv_centroidal_map(c->model, c->work, c->q, A, NULL);
    times(6, c->nv, A, c->v, by_map);
    double sum = 0;
    for (size_t i = 0; i < size; i++) sum += fabs(A[i] * c->v[i % (size_t)c->nv]);
    for (int i = 0; i < 6 && good; i++) good = ec_near(c, "A v", i, by_map[i], h[i], 1e-12 * (1 + sum));
    zv_link_jacobians(c->model, c->work, c->q, ZV_AXES_LOCAL, J);
    for (int i = 0; i < c->nlink && good; i++) {
        zv_frame_jacobian(c->model, c->work, c->q, i, ZV_AXES_LOCAL, own);
        good = memcmp(own, J + (size_t)i * size, size * sizeof *own) == 0;
    }
    int modes = 0;
    for (int i = 0; i < c->nlink; i++) modes += zv_model_elastic_place(c->model, i).count;
    const zvStatus asked = zv_centroidal_bias(c->model, c->work, c->q, c->v, bias);
    good = good && asked == (modes ? ZV_NOT_SUPPORTED : ZV_OK) && (!modes || bias[0] == 0);
    refused += asked != ZV_OK;
    for (int f = 0; f < zv_model_nframe(c->model) && good; f++) {
        const zvStatus status = zv_frame_jacobian_rate(c->model, c->work, c->q, c->v, f, ZV_AXES_WORLD, own);
        good = status == ZV_NOT_SUPPORTED || status == ZV_OK;
        if (status != ZV_OK) continue;
        zv_frame_bias(c->model, c->work, c->q, c->v, f, ZV_AXES_WORLD, bias);
        times(6, c->nv, own, c->v, by_map);
        for (int i = 0; i < 6; i++)
            good = good && ec_near(c, "dJ/dt v", i, by_map[i], bias[i], 1e-11 * (1 + c->quick * c->quick));
    }
    free(A), free(J), free(own);
    return good;
}

static void elastic_links(void **state) {
    (void)state;
    refused = 0;
    assert_true(ec_each(86000, 60, RT_ALL_TYPES, elastic_maps));
    assert_true(refused > 30);
}

TESTS(poses_and_jacobians, rates, weight_alone_moves_a_floating_robot, elastic_links)
