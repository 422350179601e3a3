/* Checks of reduced robots on random trees of all joint types they know, half of them with axes parallel, crossing and
 * at right angles as robots have them. The file that includes this says how a function is answered. */
#ifndef ZV_TEST_REDUCED_CHECK_H
#define ZV_TEST_REDUCED_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/reduced.h"
#include "support/random_tree_case.h"
#include "zveno/codegen.h"

/* The answer of a function at c->q, c->v; third is a or tau. */
static void ask(rtCase *c, const ziReduced *reduced, zvGenerated function, const double *third, double *answer);
static const int ulps; /* depth x eps x the uncancelled size of the terms (support/reference_error_scale) */

static void *room(size_t size) {
    void *p = calloc(1, size + 1);
    if (!p) abort();
    return p;
}

/* Inverse dynamics, and the same with zeros for v, a. */
static bool forces_agree(rtCase *c, const ziReduced *reduced) {
    static const zvGenerated functions[3] = {ZV_GENERATED_INVERSE, ZV_GENERATED_BIAS, ZV_GENERATED_GRAVITY};
    static const char *const names[3] = {"tau", "bias", "gravity"};
    for (int k = 0; k < 3; k++) {
        const double *v = k < 2 ? c->v : NULL, *a = k < 1 ? c->a : NULL;
        ask(c, reduced, functions[k], c->a, c->x);
        ref_move(c->ref, v, a);
        ref_inverse(c->ref, NULL, true, c->want);
        ref_error_scale(c->ref, v, a, NULL, true, c->error_scale);
        if (!rt_near(c, names[k], c->nv, c->x, c->want, c->error_scale->tau, ulps)) return false;
    }
    return true;
}

static bool mass_agrees(rtCase *c, const ziReduced *reduced) {
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    ask(c, reduced, ZV_GENERATED_MASS, NULL, c->A);
    return rt_near(c, "M", c->nv * c->nv, c->A, c->M, c->S, ulps);
}

/* The acceleration found needs the force given. */
static bool forward_agrees(rtCase *c, const ziReduced *reduced) {
    ask(c, reduced, ZV_GENERATED_FORWARD, c->tau, c->y);
    ref_move(c->ref, c->v, c->y);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, c->y, NULL, true, c->error_scale);
    for (int i = 0; i < c->nv; i++) c->scale[i] = c->nv * (c->error_scale->tau[i] + fabsl((exact)c->tau[i]));
    return rt_near(c, "forces of forward dynamics", c->nv, c->tau, c->want, c->scale, ulps);
}

/* M X = 1. An inverse found by halves and made symmetric is off by |X| |dM| |X| with dM within the rounding of M's
 * terms, so the product by that times M. */
static bool inverse_agrees(rtCase *c, const ziReduced *reduced) {
    const size_t n = (size_t)c->nv;
    exact *P = lin_numbers(c->nv * c->nv);
    ask(c, reduced, ZV_GENERATED_MINV, NULL, c->B);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                P[i * n + j] += sqrtl(c->S[i * n + i] * c->S[k * n + k]) * fabsl((exact)c->B[k * n + j]);
    bool good = true;
    for (size_t k = 0; k < n && good; k++) {
        for (size_t i = 0; i < n; i++) {
            c->want[i] = c->scale[i] = 0;
            for (size_t j = 0; j < n; j++) {
                c->want[i] += c->M[i * n + j] * c->B[j * n + k];
                c->scale[i] += P[i * n + j] * P[j * n + k];
            }
            c->x[i] = i == k;
        }
        good = rt_near(c, "M M^-1", c->nv, c->x, c->want, c->scale, ulps);
    }
    free(P);
    return good;
}

/* Positions are measured by the whole robot: origins of bodies were slid towards their children. */
static bool frame_agrees(rtCase *c, const ziReduced *reduced, int frame) {
    const zvFrame given = zv_model_frame(c->model, frame);
    const double *p = given.pose.p;
    const int n = 6 * c->nv;
    exact reach = 0;
    for (int i = 0; i < c->nlink; i++) reach = fmaxl(reach, c->error_scale->reach[i]);
    reach += hypot(hypot(p[0], p[1]), p[2]);
    double pose[12], *J = room((size_t)n * sizeof *J);
    exact scale[12], *want = lin_numbers(n), *size = lin_numbers(n);
    refMotion motion;
    ref_frame(c->ref, frame, &motion);
    ref_frame_jacobian(c->ref, frame, want);
    for (int k = 0; k < 12; k++) scale[k] = k < 9 ? 1 : reach;
    for (int k = 0; k < n; k++) size[k] = 2 * (k < n / 2 ? 1 + 2 * reach : 1); /* 2: ratios of followers */
    ask(c, reduced, ZV_GENERATED_POSE, NULL, pose);
    ask(c, reduced, ZV_GENERATED_JACOBIAN, NULL, J);
    const bool good = rt_near(c, "R", 9, pose, motion.R, scale, ulps) &&
                      rt_near(c, "p", 3, pose + 9, motion.p, scale + 9, ulps) &&
                      rt_near(c, "J", n, J, want, size, ulps);
    free(J);
    free(want);
    free(size);
    return good;
}

static bool all_agree(rtCase *c) {
    ziReduced reduced;
    zvError error = {0};
    const int frame = rt_below(&c->random, zv_model_nframe(c->model));
    const zvStatus status = zi_reduced_make(c->model, frame, &reduced, &error);
    if (status < 0) fail_msg("seed %llu: %s", (unsigned long long)c->seed, error.text);
    const bool good = forces_agree(c, &reduced) && mass_agrees(c, &reduced) && forward_agrees(c, &reduced) &&
                      inverse_agrees(c, &reduced) && frame_agrees(c, &reduced, frame);
    zi_reduced_free(&reduced);
    return good;
}

static void no_splines(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
}

/* Right angles, some with as few digits as files give them or a little off, and lengths of which most are zero. */
static void align(rtTree *tree, rtRandom *random) {
    for (int i = 0; i < tree->njoint; i++) {
        zvJoint *joint = &tree->joints[i];
        const double quarter = rt_chance(random, 0.2) ? 1.57079632679 : 1.5707963267948966;
        const double off = rt_chance(random, 0.2) ? rt_decades(random, -12, -2) : 0;
        double rpy[3];
        for (int k = 0; k < 3; k++) {
            rpy[k] = rt_below(random, 4) * quarter + (k == 0 ? off : 0);
            joint->axis[k] = 0;
            if (rt_chance(random, 0.6)) joint->origin.p[k] = 0;
            if (rt_chance(random, 0.5)) tree->links[i + 1].inertia.com[k] = 0;
        }
        joint->origin = zv_pose_from_rpy(joint->origin.p, rpy);
        const int along = rt_chance(random, 0.6) ? 2 : rt_below(random, 3);
        joint->axis[along] = rt_chance(random, 0.5) ? 1 : -1;
        if (joint->type == ZV_JOINT_UNIVERSAL) joint->axis2[along] = 0, joint->axis2[(along + 1) % 3] = 1;
    }
}

static bool each_aligned(uint64_t seed, int count, int deepest) {
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        rtOptions options = rt_options_spread(i, deepest);
        no_splines(i, &options);
        options.massless = false; /* what has no mass may move freely when axes coincide */
        options.armature = 1;
        if (options.joints > deepest) options.joints = deepest;
        if (i % 2) options.types = RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC);
        if (i % 8 == 1) options.types = RT_TYPE(REVOLUTE);
        rtTree *tree = rt_tree_create(seed + (uint64_t)i, &options);
        rtRandom random = {tree->seed};
        align(tree, &random);
        rtCase c;
        good = rt_case_open_tree(&c, tree) && all_agree(&c);
        if (!good) fprintf(stderr, "aligned case %d failed, seed %llu\n", i, (unsigned long long)(seed + (uint64_t)i));
        rt_case_close(&c);
    }
    return good;
}

#endif
