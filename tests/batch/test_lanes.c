/* Every question of a batch against the reference in long double, on random trees of every joint type, with random axes
 * and with square ones. The seed of a tree chooses among the instruction sets that the machine has.
 *
 * Tolerances are those of single states: 16 x depth x eps x the uncancelled size of the terms, for accelerations
 * spread by |M^-1|. A state repeated at other places of the batch must have the same answer to the last bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "batch/square_tree.h"
#include "support/run_tests.h"

enum { ULPS = 16, DIFFERENT = 2, STATES = 19 };

/* What a case's batch works on: entry i of state s at [i * STATES + s]. */
typedef struct Table {
    zvBatch *batch;
    double *q, *v, *a, *tau, *out;
    zvStatus status[STATES];
} Table;

static void open_table(rtCase *c, Table *t) {
    const size_t nv = (size_t)c->nv + 1, most = (nv > 6 ? nv : 6) * nv;
    zvError error = {0};
    t->batch =
        zv_batch_create(c->model, &(zvBatchOptions){.threads = 1 + (int)(c->seed % 3), .same_bits = true}, &error);
    if (!t->batch) fail_msg("seed %llu: %s", (unsigned long long)c->seed, error.text);
    t->q = calloc((size_t)c->nq + 1, STATES * sizeof(double));
    t->v = calloc(nv, STATES * sizeof(double));
    t->a = calloc(nv, STATES * sizeof(double));
    t->tau = calloc(nv, STATES * sizeof(double));
    t->out = calloc(most, STATES * sizeof(double));
    assert_true(t->q && t->v && t->a && t->tau && t->out);
}

static void close_table(Table *t) {
    zv_batch_destroy(t->batch);
    free(t->q), free(t->v), free(t->a), free(t->tau), free(t->out);
}

static void put(const double *x, int n, int state, double *table) {
    for (int i = 0; i < n; i++)
        for (int s = state; s < STATES; s += DIFFERENT) table[i * STATES + s] = x[i];
}

/* The k-th state of the case, at the places k, k + DIFFERENT, ...; the reference goes there. */
static void set_state(rtCase *c, Table *t, int k) {
    if (k > 0) {
        rt_draw_position(c->model, &c->random, c->q);
        rt_vector(&c->random, 2, c->nv, c->v);
        rt_vector(&c->random, 5, c->nv, c->a);
        rt_vector(&c->random, 10, c->nv, c->tau);
    }
    put(c->q, c->nq, k, t->q);
    put(c->v, c->nv, k, t->v);
    put(c->a, c->nv, k, t->a);
    put(c->tau, c->nv, k, t->tau);
    ref_place(c->ref, c->q);
    ref_move(c->ref, c->v, c->a);
}

/* Takes state k's answer out of the table; all its repetitions must be the same. */
static bool take(const rtCase *c, const Table *t, const char *what, int n, int k, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = t->out[i * STATES + k];
        for (int s = k; s < STATES; s += DIFFERENT) {
            if (memcmp(&x[i], &t->out[i * STATES + s], sizeof *x) == 0) continue;
            fprintf(stderr, "seed %llu (%s): %s[%d] is %.17g, not %.17g, at place %d\n", (unsigned long long)c->seed,
                    zv_isa_name(), what, i, t->out[i * STATES + s], x[i], s);
            return false;
        }
    }
    return true;
}

static bool forces_agree(rtCase *c, Table *t, int k) {
    if (zv_batch_inverse(t->batch, STATES, t->q, t->v, t->a, NULL, t->out) != ZV_OK) return false;
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, c->a, NULL, true, c->error_scale);
    bool good = take(c, t, "tau", c->nv, k, c->x) && rt_near(c, "tau", c->nv, c->x, c->want, c->error_scale->tau, ULPS);
    zv_batch_bias(t->batch, STATES, t->q, t->v, t->out);
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, c->v, NULL, NULL, true, c->error_scale);
    return good && take(c, t, "bias", c->nv, k, c->x) &&
           rt_near(c, "bias", c->nv, c->x, c->want, c->error_scale->tau, ULPS);
}

static bool mass_agrees(rtCase *c, Table *t, int k) {
    if (zv_batch_mass(t->batch, STATES, t->q, t->out) != ZV_OK) return false;
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    const int n = c->nv * c->nv;
    return take(c, t, "M", n, k, c->A) && rt_near(c, "M", n, c->A, c->M, c->S, ULPS);
}

/* c->M holds M. */
static bool accelerations_agree(rtCase *c, Table *t, int k) {
    const int n = c->nv;
    if (!lin_inverse(n, c->M, c->S)) return false;
    const zvStatus status = zv_batch_forward(t->batch, STATES, t->q, t->v, t->tau, NULL, t->out, t->status);
    if (status != ZV_OK)
        fprintf(stderr, "seed %llu: forward is %s\n", (unsigned long long)c->seed, zv_status_name(status));
    if (status != ZV_OK) return false;
    ref_move(c->ref, c->v, NULL);
    ref_inverse(c->ref, NULL, true, c->scale);
    for (int i = 0; i < n; i++) c->scale[i] = c->tau[i] - c->scale[i];
    lin_times(n, c->S, c->scale, c->want);
    for (int i = 0; i < n; i++) c->x[i] = (double)c->want[i];
    ref_error_scale(c->ref, c->v, c->x, NULL, true, c->error_scale);
    for (int i = 0; i < n; i++) {
        c->scale[i] = 0;
        for (int j = 0; j < n; j++) c->scale[i] += fabsl(c->S[i * n + j]) * c->error_scale->tau[j];
    }
    return take(c, t, "a", n, k, c->y) && rt_near(c, "a", n, c->y, c->want, c->scale, ULPS);
}

/* An error D in M moves M^-1 by M^-1 D M^-1; c->M holds M. */
static bool inverse_agrees(rtCase *c, Table *t, int k) {
    const int n = c->nv;
    exact *size = lin_numbers(n * n), *half = lin_numbers(n * n), *scale = lin_numbers(n * n);
    ref_error_scale_mass(c->ref, c->error_scale, size);
    bool good = lin_inverse(n, c->M, c->S) && zv_batch_minv(t->batch, STATES, t->q, t->out, t->status) == ZV_OK;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++) half[i * n + j] += fabsl(c->S[i * n + l]) * size[l * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++) scale[i * n + j] += half[i * n + l] * fabsl(c->S[l * n + j]);
    good = good && take(c, t, "M^-1", n * n, k, c->A) && rt_near(c, "M^-1", n * n, c->A, c->S, scale, ULPS);
    free(size), free(half), free(scale);
    return good;
}

/* Against the library's own for single states, which has its tests: rounding of positions, |reach| eps. */
static bool jacobian_agrees(rtCase *c, Table *t, int k) {
    const int frame = rt_below(&c->random, zv_model_nframe(c->model)), n = 6 * c->nv;
    const zvAxes axes = c->seed % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD;
    double *got = calloc((size_t)n + 1, sizeof *got), *want = calloc((size_t)n + 1, sizeof *want), reach = 1;
    assert_true(got && want);
    ref_error_scale(c->ref, c->v, c->a, NULL, true, c->error_scale);
    for (int l = 0; l < c->nlink; l++) reach = fmax(reach, 2 * (double)c->error_scale->reach[l]);
    for (int i = 0; i < c->tree->nframe; i++)
        for (int x = 0; x < 3; x++) reach += fabs(c->tree->frames[i].pose.p[x]);
    zv_frame_jacobian(c->model, c->work, c->q, frame, axes, want);
    bool good = zv_batch_jacobian(t->batch, frame, axes, STATES, t->q, t->out) == ZV_OK && take(c, t, "J", n, k, got);
    for (int i = 0; i < n && good; i++) {
        const double size = i < 3 * c->nv ? reach * fmax(1, fabs(want[i + 3 * c->nv])) + fabs(want[i]) : 1;
        good = fabs(got[i] - want[i]) <= ULPS * (double)c->eps * size;
        if (!good) fprintf(stderr, "seed %llu: J[%d] %g, not %g\n", (unsigned long long)c->seed, i, got[i], want[i]);
    }
    free(got), free(want);
    return good;
}

static bool lanes_agree(rtCase *c) {
    Table t;
    bool good = true;
    open_table(c, &t);
    for (int k = 0; k < DIFFERENT; k++) set_state(c, &t, k);
    rtRandom random = c->random;
    for (int k = DIFFERENT - 1; k >= 0 && good && c->nv > 0; k--) {
        for (int i = 0; i < c->nq; i++) c->q[i] = t.q[i * STATES + k];
        for (int i = 0; i < c->nv; i++) {
            c->v[i] = t.v[i * STATES + k];
            c->a[i] = t.a[i * STATES + k];
            c->tau[i] = t.tau[i * STATES + k];
        }
        ref_place(c->ref, c->q);
        ref_move(c->ref, c->v, c->a);
        c->random = random;
        good = forces_agree(c, &t, k) && mass_agrees(c, &t, k) && accelerations_agree(c, &t, k) &&
               inverse_agrees(c, &t, k) && jacobian_agrees(c, &t, k);
    }
    close_table(&t);
    return good;
}

static void smooth(int index, rtOptions *options) {
    options->curves = RT_LINE | RT_CIRCLE;
    if (index % 16 == 15) options->joints = 30; /* deep enough for separate bodies */
}

static void random_trees(void **state) {
    (void)state;
    assert_true(rt_each(71000, 200, 30, smooth, lanes_agree));
}

static void square_trees(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        rtCase c;
        rtOptions options = rt_options_spread(i, 30);
        smooth(i, &options);
        options.mimics = 0;
        options.massless = false; /* on parallel axes such links would move freely */
        if (i % 2) options.types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC) | RT_TYPE(FREE);
        rtTree *tree = rt_tree_create(72000 + (uint64_t)i, &options);
        st_square(tree);
        const bool good = rt_case_open_tree(&c, tree) && lanes_agree(&c);
        rt_case_close(&c);
        if (!good) fail_msg("case %d", i);
    }
}

TESTS(random_trees, square_trees)
