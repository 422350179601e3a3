/* Joints that follow others: the coupled engine against the reference of the uncoupled tree. With v_all = E v,
 *   M = E^T M_all E,  tau = E^T tau_all(q_all, E v, E a).
 * Tolerance: 32 x depth x eps x uncancelled terms: a follower's position is itself rounded to a double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 32 };

/* The same robot with every joint on its own, and how its coordinates follow from the coupled ones. */
typedef struct Loose {
    zvModel *model;
    refTree *ref;
    int nv;
    exact *E; /* nv x coupled nv */
    double *q, *v, *a;
} Loose;

static void follow(const rtCase *c, Loose *s, int j) {
    const zvJoint *joint = zv_model_joint(s->model, j);
    zvJointPlace own = zv_model_joint_place(s->model, j);
    int source = zv_model_find_joint(c->model, joint->mimic ? joint->mimic : joint->name);
    zvJointPlace there = zv_model_joint_place(c->model, source);
    double ratio = joint->mimic ? joint->ratio : 1, offset = joint->mimic ? joint->offset : 0;
    for (int k = 0; k < own.nq; k++) s->q[own.q_index + k] = ratio * c->q[there.q_index + k] + offset;
    for (int k = 0; k < own.nv; k++) {
        s->v[own.v_index + k] = ratio * c->v[there.v_index + k];
        s->a[own.v_index + k] = ratio * c->a[there.v_index + k];
        s->E[(own.v_index + k) * c->nv + there.v_index + k] = ratio;
    }
}

static bool loose_open(const rtCase *c, Loose *s) {
    bool coupled = c->tree->coupled;
    c->tree->coupled = false;
    *s = (Loose){.model = rt_tree_freeze(c->tree)};
    c->tree->coupled = coupled;
    if (!s->model) return false;
    s->nv = zv_model_nv(s->model);
    s->ref = ref_create(s->model);
    s->E = lin_numbers(s->nv * c->nv);
    s->q = calloc((size_t)zv_model_nq(s->model) + 1, sizeof *s->q);
    s->v = calloc((size_t)s->nv + 1, sizeof *s->v);
    s->a = calloc((size_t)s->nv + 1, sizeof *s->a);
    if (!s->q || !s->v || !s->a) abort();
    for (int j = 0; j < zv_model_njoint(s->model); j++) follow(c, s, j);
    ref_place(s->ref, s->q);
    ref_move(s->ref, s->v, s->a);
    return true;
}

static void loose_close(Loose *s) {
    ref_destroy(s->ref);
    zv_model_destroy(s->model);
    free(s->E);
    free(s->q);
    free(s->v);
    free(s->a);
}

static void fold_vector(const rtCase *c, const Loose *s, const exact *all, exact *out) {
    for (int k = 0; k < c->nv; k++) {
        out[k] = 0;
        for (int i = 0; i < s->nv; i++) out[k] += s->E[i * c->nv + k] * all[i];
    }
}

static void fold_matrix(const rtCase *c, const Loose *s, const exact *all, exact *out) {
    for (int r = 0; r < c->nv; r++)
        for (int k = 0; k < c->nv; k++) {
            exact sum = 0;
            for (int i = 0; i < s->nv; i++) {
                if (s->E[i * c->nv + r] == 0) continue;
                for (int j = 0; j < s->nv; j++) sum += s->E[i * c->nv + r] * all[i * s->nv + j] * s->E[j * c->nv + k];
            }
            out[r * c->nv + k] = sum;
        }
}

static bool tau_agrees(rtCase *c, const Loose *s) {
    exact *all = lin_numbers(s->nv);
    ref_inverse(s->ref, c->fext, true, all);
    fold_vector(c, s, all, c->want);
    free(all);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, c->x);
    ref_error_scale(c->ref, c->v, c->a, c->fext, true, c->error_scale);
    return rt_near(c, "coupled tau", c->nv, c->x, c->want, c->error_scale->tau, ULPS);
}

static bool mass_agrees(rtCase *c, const Loose *s) {
    exact *all = lin_numbers(s->nv * s->nv);
    ref_mass(s->ref, all);
    fold_matrix(c, s, all, c->M);
    free(all);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    return rt_near(c, "coupled M", c->nv * c->nv, c->A, c->M, c->S, ULPS);
}

/* Adds |A^-1| x to y. */
static void add_spread(int n, const exact *inverse, const exact *x, exact *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i] += fabsl(inverse[i * n + j]) * x[j];
}

/* Tolerance scale of accelerations: condition of the coupled problem. c->S holds the inverse of its mass matrix. */
static void forward_scale(rtCase *c, const double *a) {
    ref_error_scale(c->ref, c->v, a, c->fext, true, c->error_scale);
    for (int k = 0; k < c->nv; k++) c->scale[k] = 0;
    add_spread(c->nv, c->S, c->error_scale->tau, c->scale);
}

/* Every method must find the a that tau belongs to. */
static bool each_method(rtCase *c, const double *tau, const double *a) {
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_FORWARD, &count);
    forward_scale(c, a);
    for (int i = 0; i < c->nv; i++) c->want[i] = a[i];
    for (size_t k = 0; k < count; k++) {
        const zvStatus status = methods[k].run(c->model, c->work, c->q, c->v, tau, c->fext, c->y);
        const bool refuses = !strcmp(methods[k].name, "articulated") || /* where the loose tree is singular */
                             zv_domain_obstacle(methods[k].domain, c->model, c->fext != NULL);
        if (refuses && status == ZV_NOT_SUPPORTED) continue;
        if (status == ZV_OK && rt_near(c, "coupled a", c->nv, c->y, c->want, c->scale, ULPS)) continue;
        fprintf(stderr, "forward method %s\n", methods[k].name);
        return false;
    }
    return true;
}

/* c->M is the folded matrix, c->x the engine's tau of c->a. */
static bool forward_agrees(rtCase *c) { return lin_inverse(c->nv, c->M, c->S) && each_method(c, c->x, c->a); }

/* What mixed dynamics finds must be a motion: the forward problem with its tau has its a. */
static bool mixed_agrees(rtCase *c) {
    unsigned char given[6 * RT_MAX_JOINTS];
    double *a = calloc((size_t)c->nv + 1, sizeof *a);
    assert_non_null(a);
    for (int i = 0; i < c->nv; i++) {
        given[i] = (unsigned char)rt_below(&c->random, 3);
        c->x[i] = given[i] == ZV_GIVEN_FORCE ? c->tau[i] : NAN;
        a[i] = given[i] == ZV_GIVEN_ACCELERATION ? c->a[i] : NAN;
    }
    bool good = zv_mixed_dynamics(c->model, c->work, c->q, c->v, given, c->fext, c->x, a) == ZV_OK;
    for (int i = 0; i < c->nv && good; i++) {
        if (given[i] == ZV_GIVEN_FORCE) good = c->x[i] == c->tau[i];
        if (given[i] == ZV_GIVEN_ACCELERATION) good = a[i] == c->a[i];
        if (given[i] == ZV_GIVEN_LOCKED) good = a[i] == 0;
    }
    good = good && each_method(c, c->x, a);
    free(a);
    return good;
}

/* M^-1 of the engine against that of the folded matrix (c->S), within |M^-1| (sizes of M's terms) |M^-1|. */
static bool inverse_agrees(rtCase *c) {
    int n = c->nv;
    exact *sizes = lin_numbers(n * n), *half = lin_numbers(n * n), *scale = lin_numbers(n * n);
    ref_error_scale_mass(c->ref, c->error_scale, sizes);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) half[i * n + j] += fabsl(c->S[i * n + k]) * sizes[k * n + j];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) scale[i * n + j] += half[i * n + k] * fabsl(c->S[k * n + j]);
    bool good = zv_mass_inverse(c->model, c->work, c->q, c->A) == ZV_OK;
    good = good && rt_near(c, "coupled M^-1", n * n, c->A, c->S, scale, ULPS);
    free(sizes);
    free(half);
    free(scale);
    return good;
}

static bool coupling_agrees(rtCase *c) {
    Loose loose;
    if (!loose_open(c, &loose)) return false;
    bool good = tau_agrees(c, &loose) && mass_agrees(c, &loose) && forward_agrees(c);
    good = good && mixed_agrees(c) && inverse_agrees(c);
    loose_close(&loose);
    return good;
}

static void followers(int index, rtOptions *options) {
    options->mimics = 1 + index % 4;
    if (options->joints < 4) options->joints += 4;
    options->types = RT_ALL_TYPES & ~(RT_TYPE(FREE) | RT_TYPE(PLANAR) | RT_TYPE(CYLINDRICAL));
}

static void coupled_trees(void **state) {
    (void)state;
    assert_true(rt_each(310000, 1000, 30, followers, coupling_agrees));
}

/* joint3 follows joint1, which follows joint0. */
static void followers_in_a_row(void **state) {
    (void)state;
    rtOptions options = rt_options_default(5);
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(HELICAL);
    rtTree *tree = rt_tree_create(10500, &options);
    tree->joints[1].mimic = "joint0";
    tree->joints[1].ratio = -1.5;
    tree->joints[1].offset = 0.2;
    tree->joints[3].mimic = "joint1";
    tree->joints[3].ratio = 0.5;
    tree->joints[3].offset = -0.1;
    rtCase c;
    bool good = rt_case_open_tree(&c, tree);
    if (good) {
        good = c.nv == 3;
        zv_inverse_dynamics(c.model, c.work, c.q, c.v, c.a, c.fext, c.x);
        ref_inverse(c.ref, c.fext, true, c.want);
        good = good && rt_near(&c, "tau of a row", c.nv, c.x, c.want, c.error_scale->tau, ULPS);
        zv_mass_matrix(c.model, c.work, c.q, c.A);
        for (int i = 0; i < c.nv * c.nv; i++) c.M[i] = c.A[i];
        good = good && forward_agrees(&c) && mixed_agrees(&c);
    }
    rt_case_close(&c);
    assert_true(good);
}

TESTS(coupled_trees, followers_in_a_row)
