/* Lanes against single states: every question of a batch, in double and in single precision, on random trees of every
 * joint type. The seed of a tree chooses among the instruction sets that the machine has.
 *
 * Both go through the same kernels; what differs is which products are fused to sums. Where they do not (external
 * forces, separate bodies in place of factors), rounding is not more. An ulp is eps x the uncancelled size of the terms
 * (support/reference_error_scale.h), for what is solved for spread by |M^-1|; double lanes may be 4 ulps away from
 * single states. On long paths an ulp is depth x eps x size, since every joint on them rounds, and M of single states
 * is summed up in world axes there; so it is of poses and Jacobians, whose rotations are products along the path
 * whatever it is.
 *
 * Single precision makes as many roundings as double, of its own eps, and one of each number of the model, which moves
 * a product as much as rounding it does; angles are rounded when their offset is added. Its bound is 16 x its eps x
 * size; a solution keeps to it, to first order, where the condition of M takes not more than some of the digits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "batch/square_tree.h"
#include "real/isa.h"
#include "support/run_tests.h"

enum { ULPS = 4, SINGLE_ULPS = 16, STATES = 37 /* more than a group of any kind */, CASES = 240 };
enum { LONG_PATH = 32 }; /* as ZI_AUTO_REDUCED_MASS_DEPTH of src/dynamics/auto.h */
/* Whether both were compiled alike. With sanitizers kernels have calls between their sums, lanes do not: other products
 * are fused, and each joint of a path rounds in its own way. */
#ifdef __SANITIZE_ADDRESS__
enum { ALIKE = 0 };
#else
enum { ALIKE = 1 };
#endif

/* One state of a case, at all places of a batch, in both precisions; what single states answer, and its ulps. */
typedef struct Table {
    rtCase *c;
    zvBatch *batch;
    int n; /* entries of the largest array */
    double *q, *v, *a, *tau, *fext, *out, *also, *want;
    float *sq, *sv, *sa, *stau, *sfext, *sout, *salso;
    exact *size, *inverse; /* inverse: M^-1 */
    unsigned char *given;
    bool tame; /* solutions in single precision have digits */
} Table;

static int solutions; /* in single precision that were looked at */

static double *doubles(int n) {
    double *x = calloc((size_t)n * STATES + 1, sizeof *x);
    assert_non_null(x);
    return x;
}
static float *singles(int n) {
    float *x = calloc((size_t)n * STATES + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* x is rounded to single precision first: both precisions are asked about the same state. */
static void fill(int n, double *x, double *wide, float *single) {
    for (int i = 0; i < n; i++) {
        x[i] = (double)(float)x[i];
        for (int s = 0; s < STATES; s++) wide[i * STATES + s] = x[i], single[i * STATES + s] = (float)x[i];
    }
}

static void fill_all(Table *t) {
    rtCase *c = t->c;
    fill(c->nq, c->q, t->q, t->sq);
    fill(c->nv, c->v, t->v, t->sv);
    fill(c->nv, c->a, t->a, t->sa);
    fill(c->nv, c->tau, t->tau, t->stau);
    fill(6 * c->nlink, c->fext, t->fext, t->sfext);
}

static void open_table(Table *t, rtCase *c) {
    const int nv = c->nv, n = nv * nv + 6 * nv + 12;
    zvError error = {0};
    *t = (Table){
        .c = c, .n = n, .batch = zv_batch_create(c->model, &(zvBatchOptions){.threads = 2, .same_bits = true}, &error)};
    if (!t->batch) fail_msg("%s", error.text);
    t->q = doubles(c->nq), t->v = doubles(nv), t->a = doubles(nv), t->tau = doubles(nv);
    t->fext = doubles(6 * c->nlink), t->out = doubles(n), t->also = doubles(n), t->want = doubles(n);
    t->sq = singles(c->nq), t->sv = singles(nv), t->sa = singles(nv), t->stau = singles(nv);
    t->sfext = singles(6 * c->nlink), t->sout = singles(n), t->salso = singles(n);
    t->size = lin_numbers(n), t->inverse = lin_numbers(n);
    t->given = calloc((size_t)nv + 1, 1);
    assert_non_null(t->given);
    for (int i = 0; i < nv; i++) t->given[i] = (unsigned char)rt_below(&c->random, 3);
    fill_all(t);
    ref_place(c->ref, c->q);
    ref_mass(c->ref, c->M);
}

static void close_table(Table *t) {
    zv_batch_destroy(t->batch);
    free(t->q), free(t->v), free(t->a), free(t->tau), free(t->fext), free(t->out), free(t->also), free(t->want);
    free(t->sq), free(t->sv), free(t->sa), free(t->stau), free(t->sfext), free(t->sout), free(t->salso);
    free(t->size), free(t->inverse), free(t->given);
}

/* Both precisions at a place of the batch against t->want, which single states have answered: to single precision that
 * is the truth. */
static bool near_by(const Table *t, const char *what, exact eps, int n, const double *out, const float *single) {
    const int s = (int)(t->c->seed % STATES);
    const exact coarse = FLT_EPSILON;
    for (int i = 0; i < n; i++) {
        const exact off = fabsl((exact)out[i * STATES + s] - t->want[i]), ulp = eps * t->size[i];
        const exact away = single ? fabsl((exact)single[i * STATES + s] - t->want[i]) : 0;
        if (off <= ULPS * ulp && away <= SINGLE_ULPS * coarse * t->size[i]) continue;
        fprintf(stderr, "seed %llu (%s): %s[%d]: %.17g, single states %.17g: %.3Lg ulps, single precision %.3Lg\n",
                (unsigned long long)t->c->seed, zv_isa_name(), what, i, out[i * STATES + s], t->want[i], off / ulp,
                away / (coarse * t->size[i]));
        return false;
    }
    return true;
}

static bool near(const Table *t, const char *what, int n, const double *out, const float *single) {
    return near_by(t, what, ALIKE && t->c->error_scale->depth <= LONG_PATH ? (exact)DBL_EPSILON : t->c->eps, n, out,
                   single);
}

static bool forces_agree(Table *t) {
    rtCase *c = t->c;
    for (int loaded = 0; loaded < 2; loaded++) {
        const double *fext = loaded ? c->fext : NULL;
        zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, fext, t->want);
        ref_error_scale(c->ref, c->v, c->a, fext, true, c->error_scale);
        memcpy(t->size, c->error_scale->tau, (size_t)c->nv * sizeof *t->size);
        zv_batch_inverse(t->batch, STATES, t->q, t->v, t->a, loaded ? t->fext : NULL, t->out);
        zv_batch_inverse_single(t->batch, STATES, t->sq, t->sv, t->sa, loaded ? t->sfext : NULL, t->sout);
        if (!near(t, loaded ? "loaded tau" : "tau", c->nv, t->out, t->sout)) return false;
    }
    zv_bias(c->model, c->work, c->q, NULL, t->want);
    ref_error_scale(c->ref, NULL, NULL, NULL, true, c->error_scale);
    memcpy(t->size, c->error_scale->tau, (size_t)c->nv * sizeof *t->size);
    zv_batch_bias(t->batch, STATES, t->q, NULL, t->out);
    zv_batch_bias_single(t->batch, STATES, t->sq, NULL, t->sout);
    return near(t, "bias", c->nv, t->out, t->sout);
}

/* M, and M^-1 of an error of M: |M^-1| size |M^-1|. */
static bool matrices_agree(Table *t) {
    rtCase *c = t->c;
    const int n = c->nv;
    zv_mass_matrix(c->model, c->work, c->q, t->want);
    ref_error_scale_mass(c->ref, c->error_scale, t->size);
    zv_batch_mass(t->batch, STATES, t->q, t->out);
    zv_batch_mass_single(t->batch, STATES, t->sq, t->sout);
    if (!near(t, "M", n * n, t->out, t->sout) || !lin_inverse(n, c->M, t->inverse)) return false;
    exact *half = lin_numbers(n * n), most = 0;
    for (int i = 0; i < n * n; i++)
        for (int l = 0; l < n; l++) half[i] += fabsl(t->inverse[i / n * n + l]) * t->size[l * n + i % n];
    for (int i = 0; i < n; i++) { /* how far M^-1 M is from 1 when M has errors of an ulp */
        exact row = 0;
        for (int l = 0; l < n; l++) row += half[i * n + l];
        if (row > most) most = row;
    }
    t->tame = most * SINGLE_ULPS * (exact)FLT_EPSILON < 0.1L;
    for (int i = 0; i < n * n; i++) {
        t->size[i] = 0;
        for (int l = 0; l < n; l++) t->size[i] += half[i / n * n + l] * fabsl(t->inverse[l * n + i % n]);
    }
    free(half);
    solutions += t->tame;
    if (zv_mass_inverse(c->model, c->work, c->q, t->want) != ZV_OK ||
        zv_batch_minv(t->batch, STATES, t->q, t->out, NULL) != ZV_OK)
        return false;
    const zvStatus single = zv_batch_minv_single(t->batch, STATES, t->sq, t->sout, NULL);
    return near(t, "M^-1", n * n, t->out, t->tame ? t->sout : NULL) && (!t->tame || single == ZV_OK);
}

/* Sizes of solutions a when the forces have errors of error scale->tau: of a |M^-1| times those, of forces |M| times
 * that. */
static void spread(const Table *t, const unsigned char *given, exact *of_a, exact *of_tau) {
    rtCase *c = t->c;
    const int n = c->nv;
    memcpy(c->S, c->M, (size_t)(n * n) * sizeof *c->S);
    for (int i = 0; i < n * n; i++)
        if (given && (given[i / n] || given[i % n])) c->S[i] = i / n == i % n;
    exact *inverse = lin_numbers(n * n);
    assert_true(lin_inverse(n, c->S, inverse));
    for (int i = 0; i < n; i++) {
        of_a[i] = 0;
        for (int j = 0; j < n && !(given && given[i]); j++)
            if (!given || !given[j]) of_a[i] += fabsl(inverse[i * n + j]) * c->error_scale->tau[j];
    }
    for (int i = 0; i < n; i++) {
        of_tau[i] = c->error_scale->tau[i];
        for (int j = 0; j < n; j++) of_tau[i] += fabsl(c->M[i * n + j]) * of_a[j];
    }
    free(inverse);
}

static bool accelerations_agree(Table *t) {
    rtCase *c = t->c;
    for (int loaded = 0; loaded < 2; loaded++) {
        const double *fext = loaded ? c->fext : NULL, *wide = loaded ? t->fext : NULL;
        if (zv_forward_dynamics(c->model, c->work, c->q, c->v, c->tau, fext, t->want) != ZV_OK) return false;
        ref_error_scale(c->ref, c->v, t->want, fext, true, c->error_scale);
        spread(t, NULL, t->size, c->scale);
        zv_batch_forward(t->batch, STATES, t->q, t->v, t->tau, wide, t->out, NULL);
        zv_batch_forward_single(t->batch, STATES, t->sq, t->sv, t->stau, loaded ? t->sfext : NULL, t->sout, NULL);
        if (!near(t, loaded ? "loaded a" : "a", c->nv, t->out, t->tame ? t->sout : NULL)) return false;
    }
    return true;
}

static bool mixed_agrees(Table *t) {
    rtCase *c = t->c;
    const size_t bytes = (size_t)c->nv * STATES;
    memcpy(t->out, t->a, bytes * sizeof *t->out), memcpy(t->also, t->tau, bytes * sizeof *t->also);
    memcpy(t->sout, t->sa, bytes * sizeof *t->sout), memcpy(t->salso, t->stau, bytes * sizeof *t->salso);
    memcpy(c->x, c->tau, (size_t)c->nv * sizeof *c->x);
    memcpy(t->want, c->a, (size_t)c->nv * sizeof *t->want);
    if (zv_mixed_dynamics(c->model, c->work, c->q, c->v, t->given, c->fext, c->x, t->want) != ZV_OK ||
        zv_batch_mixed(t->batch, STATES, t->q, t->v, t->given, t->fext, t->also, t->out, NULL) != ZV_OK)
        return false;
    zv_batch_mixed_single(t->batch, STATES, t->sq, t->sv, t->given, t->sfext, t->salso, t->sout, NULL);
    ref_error_scale(c->ref, c->v, t->want, c->fext, true, c->error_scale);
    spread(t, t->given, t->size, c->scale);
    if (!near(t, "mixed a", c->nv, t->out, t->tame ? t->sout : NULL)) return false;
    memcpy(t->want, c->x, (size_t)c->nv * sizeof *t->want);
    for (int i = 0; i < c->nv; i++) t->size[i] = t->given[i] ? c->scale[i] : 0; /* what is given stays */
    return near(t, "mixed tau", c->nv, t->also, t->tame ? t->salso : NULL);
}

static bool frames_agree(Table *t) {
    rtCase *c = t->c;
    const int frame = rt_below(&c->random, zv_model_nframe(c->model)), nv = c->nv;
    const zvAxes axes = c->seed % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD;
    exact reach = 1;
    zvPose pose;
    for (int l = 0; l < c->nlink; l++) reach = fmaxl(reach, 2 * c->error_scale->reach[l]);
    for (int i = 0; i < c->tree->nframe; i++)
        for (int x = 0; x < 3; x++) reach += fabs(c->tree->frames[i].pose.p[x]);
    zv_frame_pose(c->model, c->work, c->q, frame, &pose);
    memcpy(t->want, pose.R, sizeof pose.R);
    memcpy(t->want + 9, pose.p, sizeof pose.p);
    for (int i = 0; i < 12; i++) t->size[i] = i < 9 ? 1 : reach;
    zv_batch_pose(t->batch, frame, STATES, t->q, t->out);
    zv_batch_pose_single(t->batch, frame, STATES, t->sq, t->sout);
    if (!near_by(t, "pose", c->eps, 12, t->out, t->sout)) return false;
    zv_frame_jacobian(c->model, c->work, c->q, frame, axes, t->want);
    for (int i = 0; i < 6 * nv; i++)
        t->size[i] = i < 3 * nv ? reach * fmaxl(1, fabs(t->want[i + 3 * nv])) + fabs(t->want[i]) : 1;
    zv_batch_jacobian(t->batch, frame, axes, STATES, t->q, t->out);
    zv_batch_jacobian_single(t->batch, frame, axes, STATES, t->sq, t->sout);
    return near_by(t, "J", c->eps, 6 * nv, t->out, t->sout);
}

static bool lanes_are_scalars(rtCase *c) {
    Table t;
    open_table(&t, c);
    const bool good = c->nv == 0 || (forces_agree(&t) && matrices_agree(&t) && accelerations_agree(&t) &&
                                     mixed_agrees(&t) && frames_agree(&t));
    close_table(&t);
    return good;
}

static void smooth(int index, rtOptions *options) {
    options->curves = RT_LINE | RT_CIRCLE;
    if (index % 16 == 15) options->joints = 30; /* deep enough for separate bodies */
}

/* Square ones go shorter ways. */
static bool square_agrees(int index) {
    rtCase c;
    rtOptions options = rt_options_spread(index, 30);
    smooth(index, &options);
    options.mimics = 0;
    options.massless = false; /* on parallel axes such links would move freely */
    rtTree *tree = rt_tree_create(82000 + (uint64_t)index, &options);
    st_square(tree);
    const bool good = rt_case_open_tree(&c, tree) && lanes_are_scalars(&c);
    rt_case_close(&c);
    return good;
}

static void random_trees(void **state) {
    (void)state;
    solutions = 0;
    assert_true(rt_each(81000, CASES, 30, smooth, lanes_are_scalars));
    for (int i = 0; i < CASES; i++) assert_true(square_agrees(i));
    assert_true(solutions > CASES / 2); /* of 2 CASES */
}

TESTS(random_trees)
