/* Derivatives in lanes against those of single states, which have tests of their own (tests/derive), on random trees of
 * every joint type with loads and coupled joints, in double and in single precision, on instruction sets that the seed
 * chooses. The text is the same; what differs is which products are fused to sums.
 *
 * An ulp is eps x the uncancelled size of the terms (derive/uncancelled.h), of d tau/d a depth x eps: rotations of
 * bodies in the world round once per joint, which its sizes, closer to the truth than the others, do not hide. What is
 * solved for has that of the right side and of M times the answer, spread by |M^-1|. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "derive/uncancelled.h"
#include "real/isa.h"
#include "support/run_tests.h"

/* States: more than a group of any kind, and not a multiple of one. */
enum { ULPS = 4, SINGLE_ULPS = 16, STATES = 37, CASES = 180 };

/* One state at all places of a batch; answers of single states, their sizes, and those of lanes. */
typedef struct Table {
    rtCase *c;
    zvBatch *batch;
    double *q, *v, *x, *fext, *a, *lanes[3], *a_lone, *lone[3];
    float *sq, *sv, *sx, *sfext, *sa, *singles[3];
    exact *by_q, *by_v, *by_a, *inverse, *size; /* nv x nv; sizes of d tau/d (q, v, a), |M^-1| */
} Table;

static int solutions; /* in single precision that were looked at */

static void *room(int n, size_t each) {
    void *x = calloc((size_t)n * STATES + 1, each);
    assert_non_null(x);
    return x;
}

/* x is rounded to single precision first: both precisions are asked about the same state. */
static void fill(int n, double *x, double **wide, float **single) {
    *wide = room(n, sizeof **wide);
    *single = room(n, sizeof **single);
    for (int i = 0; i < n; i++) {
        x[i] = (double)(float)x[i];
        for (int s = 0; s < STATES; s++) (*wide)[i * STATES + s] = x[i], (*single)[i * STATES + s] = (float)x[i];
    }
}

static void open_table(Table *t, rtCase *c) {
    const int square = c->nv * c->nv;
    zvError error = {0};
    *t =
        (Table){.c = c, .batch = zv_batch_create(c->model, &(zvBatchOptions){.threads = 1, .same_bits = true}, &error)};
    if (!t->batch) fail_msg("%s", error.text);
    fill(c->nq, c->q, &t->q, &t->sq);
    fill(c->nv, c->v, &t->v, &t->sv);
    fill(c->nv, c->a, &t->x, &t->sx);
    fill(6 * c->nlink, c->fext, &t->fext, &t->sfext);
    for (int i = 0; i < 3; i++) {
        t->lanes[i] = room(square, sizeof(double));
        t->lone[i] = room(square, sizeof(double));
        t->singles[i] = room(square, sizeof(float));
    }
    t->a = room(c->nv, sizeof(double)), t->a_lone = room(c->nv, sizeof(double)), t->sa = room(c->nv, sizeof(float));
    t->by_q = lin_numbers(square), t->by_v = lin_numbers(square), t->by_a = lin_numbers(square);
    t->inverse = lin_numbers(square), t->size = lin_numbers(square);
}

static void close_table(Table *t) {
    zv_batch_destroy(t->batch);
    free(t->q), free(t->v), free(t->x), free(t->fext), free(t->a), free(t->a_lone);
    free(t->sq), free(t->sv), free(t->sx), free(t->sfext), free(t->sa);
    for (int i = 0; i < 3; i++) free(t->lanes[i]), free(t->lone[i]), free(t->singles[i]);
    free(t->by_q), free(t->by_v), free(t->by_a), free(t->inverse), free(t->size);
}

/* All places have the same bits, and those are near; single NULL: not looked at. */
static bool near_by(const Table *t, const char *what, exact eps, int n, const double *lanes, const float *single,
                    const double *want, const exact *size) {
    for (int i = 0; i < n; i++) {
        for (int s = 1; s < STATES; s++)
            if (memcmp(&lanes[i * STATES], &lanes[i * STATES + s], sizeof *lanes) != 0)
                return fprintf(stderr, "seed %llu: %s[%d] of place %d differs\n", (unsigned long long)t->c->seed, what,
                               i, s),
                       false;
        const exact off = fabsl((exact)lanes[i * STATES] - want[i]) / eps;
        const exact away = single ? fabsl((exact)single[i * STATES] - want[i]) / (exact)FLT_EPSILON : 0;
        if (off <= ULPS * size[i] && away <= SINGLE_ULPS * size[i]) continue;
        fprintf(stderr, "seed %llu (%s): %s[%d]: %.17g, single states %.17g: %.3Lg ulps, single precision %.3Lg\n",
                (unsigned long long)t->c->seed, zv_isa_name(), what, i, lanes[i * STATES], want[i], off / size[i],
                away / size[i]);
        return false;
    }
    return true;
}

static bool near(const Table *t, const char *what, int n, const double *lanes, const float *single, const double *want,
                 const exact *size) {
    return near_by(t, what, DBL_EPSILON, n, lanes, single, want, size);
}

/* Sizes of d tau/d (q, v, a) when accelerations are a. */
static void find_sizes(Table *t, const double *a) {
    rtCase *c = t->c;
    const int n = c->nv;
    scale_by_q(c, a, c->fext, t->by_q);
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, t->by_a);
    for (int i = 0; i < n; i++) c->x[i] = fabs(c->v[i]);
    ref_error_scale(c->ref, c->x, NULL, NULL, false, c->error_scale);
    for (int i = 0; i < n; i++) c->scale[i] = c->error_scale->tau[i];
    for (int k = 0; k < n; k++) {
        c->x[k] += 1;
        ref_error_scale(c->ref, c->x, NULL, NULL, false, c->error_scale);
        c->x[k] -= 1;
        for (int i = 0; i < n; i++) t->by_v[i * n + k] = c->error_scale->tau[i] - c->scale[i];
    }
}

static bool inverse_agrees(Table *t) {
    rtCase *c = t->c;
    const int square = c->nv * c->nv;
    if (zv_inverse_derivatives(c->model, c->work, c->q, c->v, c->a, c->fext, t->lone[0], t->lone[1], t->lone[2]) ||
        zv_batch_inverse_derivatives(t->batch, STATES, t->q, t->v, t->x, t->fext, t->lanes[0], t->lanes[1],
                                     t->lanes[2]) ||
        zv_batch_inverse_derivatives_single(t->batch, STATES, t->sq, t->sv, t->sx, t->sfext, t->singles[0],
                                            t->singles[1], t->singles[2]))
        return false;
    find_sizes(t, c->a);
    return near(t, "d tau/d q", square, t->lanes[0], t->singles[0], t->lone[0], t->by_q) &&
           near(t, "d tau/d v", square, t->lanes[1], t->singles[1], t->lone[1], t->by_v) &&
           near_by(t, "d tau/d a", c->eps, square, t->lanes[2], t->singles[2], t->lone[2], t->by_a);
}

/* |M^-1| (size of the right side + size of M |X|), M X the right side. */
static const exact *solved_size(Table *t, const exact *right, const double *X) {
    const int n = t->c->nv;
    exact *half = lin_numbers(n * n);
    for (int i = 0; i < n * n; i++) {
        half[i] = right ? right[i] : 0;
        for (int l = 0; l < n; l++) half[i] += t->by_a[i / n * n + l] * fabsl((exact)X[l * n + i % n]);
    }
    for (int i = 0; i < n * n; i++) {
        t->size[i] = 0;
        for (int l = 0; l < n; l++) t->size[i] += t->inverse[i / n * n + l] * half[l * n + i % n];
    }
    free(half);
    return t->size;
}

/* Sizes of a, to c->want, and of the derivatives of forces at an acceleration that is off by some of it. */
static bool sizes_at_solution(Table *t) {
    rtCase *c = t->c;
    const int n = c->nv;
    ref_place(c->ref, c->q);
    ref_mass(c->ref, c->M);
    if (!lin_inverse(n, c->M, t->inverse)) return false;
    ref_error_scale(c->ref, c->v, t->a_lone, c->fext, true, c->error_scale);
    for (int i = 0; i < n; i++) {
        c->want[i] = 0;
        for (int j = 0; j < n; j++) {
            t->inverse[i * n + j] = fabsl(t->inverse[i * n + j]);
            c->want[i] += t->inverse[i * n + j] * c->error_scale->tau[j];
        }
        c->y[i] = fabs(t->a_lone[i]) + (double)c->want[i];
    }
    find_sizes(t, c->y);
    return true;
}

/* Whether M^-1 M stays near 1 when M has errors of single precision: then solutions have digits. */
static bool is_tame(const Table *t) {
    const int n = t->c->nv;
    exact most = 0;
    for (int i = 0; i < n; i++) {
        exact row = 0;
        for (int l = 0; l < n * n; l++) row += t->inverse[i * n + l / n] * t->by_a[l];
        most = fmaxl(most, row);
    }
    return most * SINGLE_ULPS * (exact)FLT_EPSILON < 0.1L;
}

static bool forward_agrees(Table *t) {
    rtCase *c = t->c;
    const int n = c->nv, square = n * n;
    zvStatus status[STATES];
    float *const *x = t->singles;
    if (zv_forward_derivatives(c->model, c->work, c->q, c->v, c->a, c->fext, t->a_lone, t->lone[0], t->lone[1],
                               t->lone[2]) ||
        zv_batch_forward_derivatives(t->batch, STATES, t->q, t->v, t->x, t->fext, t->a, t->lanes[0], t->lanes[1],
                                     t->lanes[2], status))
        return false;
    for (int s = 0; s < STATES; s++)
        if (status[s] != ZV_OK) return false;
    if (!sizes_at_solution(t)) return false;
    const bool tame = is_tame(t);
    solutions += tame;
    const zvStatus single = zv_batch_forward_derivatives_single(t->batch, STATES, t->sq, t->sv, t->sx, t->sfext, t->sa,
                                                                x[0], x[1], x[2], NULL);
    if (tame && single != ZV_OK) return false;
    return near(t, "a", n, t->a, tame ? t->sa : NULL, t->a_lone, c->want) &&
           near(t, "d a/d q", square, t->lanes[0], tame ? x[0] : NULL, t->lone[0],
                solved_size(t, t->by_q, t->lone[0])) &&
           near(t, "d a/d v", square, t->lanes[1], tame ? x[1] : NULL, t->lone[1],
                solved_size(t, t->by_v, t->lone[1])) &&
           near(t, "d a/d tau", square, t->lanes[2], tame ? x[2] : NULL, t->lone[2], solved_size(t, NULL, t->lone[2]));
}

/* Answers that are not wanted change nothing in the others; what is not given is zero. */
static bool parts_agree(Table *t) {
    rtCase *c = t->c;
    const size_t bytes = (size_t)(c->nv * c->nv) * STATES * sizeof(double);
    double *only = malloc(bytes + 1), *zeros = room(c->nv + 6 * c->nlink, sizeof *zeros);
    assert_non_null(only);
    zv_batch_forward_derivatives(t->batch, STATES, t->q, t->v, t->x, t->fext, NULL, NULL, only, NULL, NULL);
    bool good = memcmp(only, t->lanes[1], bytes) == 0;
    zv_batch_inverse_derivatives(t->batch, STATES, t->q, zeros, zeros, NULL, t->lanes[0], NULL, NULL);
    zv_batch_inverse_derivatives(t->batch, STATES, t->q, NULL, NULL, NULL, only, NULL, NULL);
    good = good && memcmp(only, t->lanes[0], bytes) == 0;
    free(only), free(zeros);
    if (!good) fprintf(stderr, "seed %llu: parts are not as the whole\n", (unsigned long long)c->seed);
    return good;
}

static bool lanes_are_scalars(rtCase *c) {
    Table t;
    open_table(&t, c);
    const bool good = c->nv == 0 || (inverse_agrees(&t) && forward_agrees(&t) && parts_agree(&t));
    close_table(&t);
    return good;
}

static void smooth(int index, rtOptions *options) {
    (void)index;
    options->curves = RT_LINE | RT_CIRCLE;
}

static void random_trees(void **state) {
    (void)state;
    solutions = 0;
    assert_true(rt_each(83000, CASES, 20, smooth, lanes_are_scalars));
    assert_true(solutions > CASES / 3);
}

/* Paths so long that accelerations are found first. */
static void long_chain(void **state) {
    (void)state;
    rtCase c;
    rtOptions options = rt_options_default(80);
    options.shape = RT_CHAIN;
    options.types = RT_TYPE(REVOLUTE);
    options.massless = false;
    assert_true(rt_case_open(&c, 84001, &options) && lanes_are_scalars(&c));
    rt_case_close(&c);
}

TESTS(random_trees, long_chain)
