/* Random states and the comparison of answers. */
#define _POSIX_C_SOURCE 200112L /* setenv */

#include "support/random_tree_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(int count) {
    double *x = calloc((size_t)(count > 0 ? count : 1), sizeof *x);
    if (!x) abort();
    return x;
}

/* Spline joints are also asked beyond their ends and more than once round. */
static double draw_arc(rtRandom *random, const zvCurve *curve) {
    double length = 0;
    for (int i = 1; i < curve->count; i++) {
        const double *p = curve->points + 3 * i;
        length +=
            sqrt((p[0] - p[-3]) * (p[0] - p[-3]) + (p[1] - p[-2]) * (p[1] - p[-2]) + (p[2] - p[-1]) * (p[2] - p[-1]));
    }
    return curve->kind == ZV_CURVE_SPLINE ? rt_uniform(random, -0.6 * length, 1.6 * length) : rt_uniform(random, -1, 1);
}

static void draw_joint_position(const zvJoint *joint, rtRandom *random, double *q) {
    int nq = zv_joint_type_nq(joint->type);
    rt_vector(random, joint->type == ZV_JOINT_PRISMATIC ? 1 : 3.2, nq, q);
    if (joint->type == ZV_JOINT_CURVE) q[0] = draw_arc(random, &joint->curve);
    if (joint->type == ZV_JOINT_CYLINDRICAL) q[0] = rt_uniform(random, -1, 1);
    if (joint->type == ZV_JOINT_PLANAR || joint->type == ZV_JOINT_FREE) rt_vector(random, 1, 2, q);
    if (joint->type == ZV_JOINT_SPHERICAL) rt_quaternion(random, q);
    if (joint->type == ZV_JOINT_FREE) rt_quaternion(random, q + 3);
}

void rt_draw_position(const zvModel *model, rtRandom *random, double *q) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        zvJointPlace place = zv_model_joint_place(model, j);
        if (place.nq > 0) draw_joint_position(zv_model_joint(model, j), random, q + place.q_index);
    }
}

static void take_arrays(rtCase *c) {
    int n = c->nv;
    double **vectors[] = {&c->v, &c->a, &c->tau, &c->x, &c->y};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = numbers(n);
    c->q = numbers(c->nq);
    c->fext = numbers(6 * c->nlink);
    c->A = numbers(n * n);
    c->B = numbers(n * n);
    c->want = lin_numbers(n);
    c->scale = lin_numbers(n);
    c->M = lin_numbers(n * n);
    c->S = lin_numbers(n * n);
}

static void draw_state(rtCase *c) {
    rt_draw_position(c->model, &c->random, c->q);
    rt_vector(&c->random, 2, c->nv, c->v);
    rt_vector(&c->random, 5, c->nv, c->a);
    rt_vector(&c->random, 10, c->nv, c->tau);
    for (int l = 0; l < c->nlink; l++)
        if (rt_chance(&c->random, 0.5)) rt_vector(&c->random, 10, 6, c->fext + 6 * l);
}

/* The seed also chooses the instruction set (of those the machine has), so that every kernel set is tested. */
static void choose_kernels(uint64_t seed) {
    static const char *const levels[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    rtRandom random = {seed};
    setenv("ZVENO_ISA", levels[rt_below(&random, 3)], 1);
}

bool rt_case_open_tree(rtCase *c, rtTree *tree) {
    *c = (rtCase){.seed = tree->seed, .random = {tree->seed ^ 0x5deece66du}, .tree = tree};
    choose_kernels(tree->seed);
    c->model = rt_tree_freeze(tree);
    c->work = c->model ? zv_work_create(c->model, NULL) : NULL;
    if (!c->work) return false;
    c->nq = zv_model_nq(c->model);
    c->nv = zv_model_nv(c->model);
    c->nlink = zv_model_nlink(c->model);
    take_arrays(c);
    draw_state(c);
    c->ref = ref_create(c->model);
    c->error_scale = ref_error_scale_create(c->ref);
    ref_place(c->ref, c->q);
    ref_move(c->ref, c->v, c->a);
    ref_error_scale(c->ref, c->v, c->a, c->fext, true, c->error_scale);
    c->eps = c->error_scale->depth * (exact)DBL_EPSILON;
    return true;
}

bool rt_case_open(rtCase *c, uint64_t seed, const rtOptions *options) {
    return rt_case_open_tree(c, rt_tree_create(seed, options));
}

void rt_case_close(rtCase *c) {
    ref_error_scale_destroy(c->error_scale);
    ref_destroy(c->ref);
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
    double *vectors[] = {c->q, c->v, c->a, c->tau, c->fext, c->x, c->y, c->A, c->B};
    exact *exacts[] = {c->want, c->scale, c->M, c->S};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) free(vectors[i]);
    for (size_t i = 0; i < sizeof exacts / sizeof *exacts; i++) free(exacts[i]);
    free(c->tree);
    memset(c, 0, sizeof *c);
}

rtOptions rt_options_spread(int index, int deepest) {
    bool deep = index % 16 == 15;
    rtOptions options = rt_options_default(deep ? deepest : 1 + index % 12);
    options.shape = deep ? RT_CHAIN : index % 3 == 0 ? RT_BUSHY : index % 3 == 1 ? RT_DEEP : RT_CHAIN;
    options.wild = index % 3 == 2;
    options.free_base = index % 4 == 1;
    options.mimics = index % 5 == 4 ? 2 : 0;
    /* a deep chain of hinges and sliders, as robots have, rather than of joints with many freedoms */
    if (deep) options.types &= ~(RT_TYPE(FREE) | RT_TYPE(PLANAR));
    return options;
}

bool rt_each(uint64_t seed, int count, int deepest, rtChange change, rtCheck check) {
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        rtCase c;
        rtOptions options = rt_options_spread(i, deepest);
        if (change) change(i, &options);
        good = rt_case_open(&c, seed + (uint64_t)i, &options) && check(&c);
        if (!good) fprintf(stderr, "case %d failed, seed %llu\n", i, (unsigned long long)(seed + (uint64_t)i));
        rt_case_close(&c);
    }
    return good;
}

bool rt_each_type(uint64_t seed, rtCheck check) {
    enum { TREES = 10 };
    bool good = true;
    for (int i = 0; i < TREES * ZV_JOINT_TYPES && good; i++) {
        rtCase c;
        rtOptions options = rt_options_default(1 + i % TREES % 3);
        options.types = 1u << i / TREES;
        good = rt_case_open(&c, seed + (uint64_t)i, &options) && check(&c);
        if (!good) fprintf(stderr, "joint type %s\n", zv_joint_type_word((zvJointType)(i / TREES)));
        rt_case_close(&c);
    }
    return good;
}

bool rt_near(const rtCase *c, const char *what, int count, const double *got, const exact *want, const exact *scale,
             double factor) {
    int at = -1;
    exact worst = 0;
    for (int i = 0; i < count; i++) {
        exact error = fabsl(got[i] - want[i]), unit = c->eps * scale[i];
        if (error <= factor * unit) continue;
        exact ratio = unit > 0 ? error / unit : (exact)INFINITY;
        if (at >= 0 && !(ratio > worst)) continue;
        at = i;
        worst = ratio;
    }
    if (at < 0) return true;
    fprintf(
        stderr,
        "seed %llu (%d joints, nv %d, %s): %s[%d] = %.17g, should be %.17Lg; off by %.3Lg eps x scale, allowed %g\n",
        (unsigned long long)c->seed, c->tree->njoint, c->nv, zv_isa_name(), what, at, got[at], want[at], worst, factor);
    return false;
}
