/* States one after the other: every question of a batch, in either precision, gives the bits that it gives coordinate
 * after coordinate, for any count, and touches nothing beyond. A few states have the bits of single states, unless the
 * same bits are asked for. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "batch/square_tree.h"
#include "support/run_tests.h"

enum { STATES = 71, INPUTS = 4, OUTPUTS = 4, QUESTIONS = 10, FRAME = 3 };

/* Inputs q, v, x, fext and answers, entry i of state s at [i * STATES + s] or of n at [s * n + i]. */
typedef struct Arranged {
    zvBatch *batch;
    void *in[INPUTS], *out[OUTPUTS];
} Arranged;

typedef struct Pair {
    zvModel *model;
    bool single;
    size_t in_width[INPUTS], size;
    Arranged by_coordinate, by_state;
} Pair;

/* Numbers in each answer of a question; 0: none. */
static void widths(const Pair *p, int question, size_t w[OUTPUTS]) {
    const size_t nv = (size_t)zv_model_nv(p->model), square = nv * nv;
    const size_t all[QUESTIONS][OUTPUTS] = {{nv},
                                            {nv},
                                            {nv},
                                            {nv, nv},
                                            {square},
                                            {square},
                                            {12},
                                            {6 * nv},
                                            {square, square, square},
                                            {nv, square, square, square}};
    memcpy(w, all[question], sizeof all[question]);
}

static const unsigned char given[64] = {ZV_GIVEN_FORCE, ZV_GIVEN_ACCELERATION, ZV_GIVEN_LOCKED};

#define ASK(number, suffix)                                                                                      \
    static zvStatus ask##suffix(const Arranged *x, int question, size_t count, zvStatus *status) {               \
        const number *q = x->in[0], *v = x->in[1], *a = x->in[2], *fext = x->in[3];                              \
        number *const *out = (number *const *)x->out;                                                            \
        zvBatch *b = x->batch;                                                                                   \
        switch (question) {                                                                                      \
        case 0: return zv_batch_inverse##suffix(b, count, q, v, a, fext, out[0]);                                \
        case 1: return zv_batch_bias##suffix(b, count, q, v, out[0]);                                            \
        case 2: return zv_batch_forward##suffix(b, count, q, v, a, NULL, out[0], status);                        \
        case 3: return zv_batch_mixed##suffix(b, count, q, v, given, fext, out[0], out[1], status);              \
        case 4: return zv_batch_mass##suffix(b, count, q, out[0]);                                               \
        case 5: return zv_batch_minv##suffix(b, count, q, out[0], status);                                       \
        case 6: return zv_batch_pose##suffix(b, FRAME, count, q, out[0]);                                        \
        case 7: return zv_batch_jacobian##suffix(b, FRAME, ZV_AXES_LOCAL, count, q, out[0]);                     \
        case 8: return zv_batch_inverse_derivatives##suffix(b, count, q, v, a, fext, out[0], out[1], out[2]);    \
        default:                                                                                                 \
            return zv_batch_forward_derivatives##suffix(b, count, q, v, a, NULL, out[0], out[1], out[2], out[3], \
                                                        status);                                                 \
        }                                                                                                        \
    }
ASK(double, )
ASK(float, _single)

static void put(const Pair *p, void *array, size_t at, double x) {
    if (p->single)
        ((float *)array)[at] = (float)x;
    else
        ((double *)array)[at] = x;
}

/* The same numbers both ways. */
static void put_both(const Pair *p, int input, size_t i, size_t s, double x) {
    put(p, p->by_coordinate.in[input], i * STATES + s, x);
    put(p, p->by_state.in[input], s * p->in_width[input] + i, x);
}

static void open_arranged(const Pair *p, Arranged *x, zvLayout layout, int threads) {
    zvError error = {0};
    const zvBatchOptions options = {
        .threads = threads, .stride = layout == ZV_LAYOUT_STATES ? 0 : STATES, .layout = layout};
    if (!(x->batch = zv_batch_create(p->model, &options, &error))) fail_msg("%s", error.text);
    const size_t nv = (size_t)zv_model_nv(p->model);
    for (int k = 0; k < INPUTS; k++) assert_non_null(x->in[k] = calloc(p->in_width[k] * STATES, p->size));
    for (int k = 0; k < OUTPUTS; k++) assert_non_null(x->out[k] = calloc((nv * nv + 6 * nv + 12) * STATES, p->size));
}

static void open_pair(Pair *p, uint64_t seed, bool single, int mimics) {
    rtRandom random = {seed};
    rtOptions options = rt_options_default(1 + (int)(seed % 9));
    options.types &= ~RT_TYPE(CURVE);
    options.massless = false;
    options.mimics = mimics;
    options.coupled = mimics > 0;
    rtTree *tree = rt_tree_create(seed, &options);
    if (seed % 2) st_square(tree);
    *p = (Pair){.model = rt_tree_freeze(tree), .single = single, .size = single ? sizeof(float) : sizeof(double)};
    free(tree);
    assert_non_null(p->model);
    const size_t nq = (size_t)zv_model_nq(p->model), nv = (size_t)zv_model_nv(p->model);
    memcpy(p->in_width, (size_t[]){nq, nv, nv, 6 * (size_t)zv_model_nlink(p->model)}, sizeof p->in_width);
    open_arranged(p, &p->by_coordinate, ZV_LAYOUT_COORDINATES, 1);
    open_arranged(p, &p->by_state, ZV_LAYOUT_STATES, 1 + (int)(seed % 3));
    double *q = calloc(nq + 1, sizeof *q);
    for (size_t s = 0; s < STATES; s++) {
        rt_draw_position(p->model, &random, q);
        for (size_t i = 0; i < nq; i++) put_both(p, 0, i, s, q[i]);
        for (int k = 1; k < INPUTS; k++)
            for (size_t i = 0; i < p->in_width[k]; i++) put_both(p, k, i, s, rt_uniform(&random, -3, 3));
    }
    free(q);
}

static void close_pair(Pair *p) {
    Arranged *both[] = {&p->by_coordinate, &p->by_state};
    for (int each = 0; each < 2; each++) {
        zv_batch_destroy(both[each]->batch);
        for (int k = 0; k < INPUTS; k++) free(both[each]->in[k]);
        for (int k = 0; k < OUTPUTS; k++) free(both[each]->out[k]);
    }
    zv_model_destroy(p->model);
}

/* Bits of one number both ways. */
static bool same(const Pair *p, int output, size_t n, size_t i, size_t s) {
    const char *x = p->by_coordinate.out[output], *y = p->by_state.out[output];
    return memcmp(x + (i * STATES + s) * p->size, y + (s * n + i) * p->size, p->size) == 0;
}

/* The first count states of a question both ways; beyond them there is what was there. */
static void compare(Pair *p, int question, size_t count, uint64_t seed) {
    size_t w[OUTPUTS];
    widths(p, question, w);
    for (int k = 0; k < OUTPUTS; k++)
        for (size_t at = 0; at < w[k] * STATES; at++) /* mixed dynamics reads them */
            put(p, p->by_coordinate.out[k], at, 0.25), put(p, p->by_state.out[k], at, 0.25);
    zvStatus one[STATES], other[STATES];
    const zvStatus x =
        p->single ? ask_single(&p->by_coordinate, question, count, one) : ask(&p->by_coordinate, question, count, one);
    const zvStatus y =
        p->single ? ask_single(&p->by_state, question, count, other) : ask(&p->by_state, question, count, other);
    assert_int_equal(x, y);
    for (int k = 0; k < OUTPUTS; k++)
        for (size_t i = 0; i < w[k]; i++)
            for (size_t s = 0; s < STATES; s++)
                if (!same(p, k, w[k], i, s))
                    fail_msg("seed %d, question %d, answer %d, %zu states: entry %zu of state %zu differs", (int)seed,
                             question, k, count, i, s);
}

static void every_question(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 15, 16, 33, STATES};
    for (uint64_t seed = 1; seed < 19; seed++) {
        Pair p;
        open_pair(&p, seed, seed % 4 >= 2, seed % 5 ? 0 : 2);
        for (int question = 0; question < QUESTIONS; question++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) compare(&p, question, counts[k], seed);
        close_pair(&p);
    }
}

/* Answers in the arrays that they are made from. */
static void in_place(void **state) {
    (void)state;
    Pair p;
    open_pair(&p, 8, false, 0);
    const size_t nv = p.in_width[1];
    Arranged *x = &p.by_state;
    assert_int_equal(ask(x, 0, STATES, NULL), ZV_OK);
    const zvStatus status = zv_batch_inverse(x->batch, STATES, x->in[0], x->in[1], x->in[2], x->in[3], x->in[2]);
    assert_int_equal(status, ZV_OK);
    assert_memory_equal(x->in[2], x->out[0], nv * STATES * sizeof(double));
    close_pair(&p);
}

static void stride_is_refused(void **state) {
    (void)state;
    Pair p;
    open_pair(&p, 3, false, 0);
    zvError error = {0};
    assert_null(zv_batch_create(p.model, &(zvBatchOptions){.stride = 80, .layout = ZV_LAYOUT_STATES}, &error));
    assert_int_equal(error.status, ZV_SIZE);
    assert_string_equal(error.text, "expected stride 0 where states lie one after the other, found 80; a stride is for "
                                    "coordinate after coordinate");
    close_pair(&p);
}

/* The answers of state s, asked for alone, in doubles; mixed dynamics finds 0.25 everywhere, as in compare. */
static zvStatus ask_alone(const Pair *p, zvWork *work, int question, size_t s, double *const out[OUTPUTS]) {
    double x[INPUTS][512];
    for (int k = 0; k < INPUTS; k++)
        for (size_t i = 0; i < p->in_width[k]; i++) {
            const size_t at = s * p->in_width[k] + i;
            x[k][i] = p->single ? (double)((float *)p->by_state.in[k])[at] : ((double *)p->by_state.in[k])[at];
        }
    const zvModel *m = p->model;
    for (int i = 0; i < zv_model_nv(m) && question == 3; i++) out[0][i] = out[1][i] = 0.25;
    switch (question) {
    case 0: return zv_inverse_dynamics(m, work, x[0], x[1], x[2], x[3], out[0]), ZV_OK;
    case 1: return zv_bias(m, work, x[0], x[1], out[0]), ZV_OK;
    case 2: return zv_forward_dynamics(m, work, x[0], x[1], x[2], NULL, out[0]);
    case 3: return zv_mixed_dynamics(m, work, x[0], x[1], given, x[3], out[0], out[1]);
    case 4: return zv_mass_matrix(m, work, x[0], out[0]), ZV_OK;
    case 5: return zv_mass_inverse(m, work, x[0], out[0]);
    case 6: {
        zvPose pose;
        zv_frame_pose(m, work, x[0], FRAME, &pose);
        memcpy(out[0], pose.R, sizeof pose.R);
        memcpy(out[0] + 9, pose.p, sizeof pose.p);
        return ZV_OK;
    }
    case 7: return zv_frame_jacobian(m, work, x[0], FRAME, ZV_AXES_LOCAL, out[0]), ZV_OK;
    case 8: return zv_inverse_derivatives(m, work, x[0], x[1], x[2], x[3], out[0], out[1], out[2]);
    default: return zv_forward_derivatives(m, work, x[0], x[1], x[2], NULL, out[0], out[1], out[2], out[3]);
    }
}

/* Whether the first count states of a question have the bits of single states. */
static bool has_bits_of_singles(const Pair *p, zvWork *work, int question, size_t count, double *const out[OUTPUTS]) {
    size_t w[OUTPUTS];
    widths(p, question, w);
    for (size_t s = 0; s < count; s++) {
        if (ask_alone(p, work, question, s, out) < 0) return false;
        for (int k = 0; k < OUTPUTS; k++)
            for (size_t i = 0; i < w[k]; i++) {
                const size_t at = s * w[k] + i;
                const float rounded = (float)out[k][i];
                const void *want = p->single ? (const void *)&rounded : &out[k][i];
                if (memcmp((char *)p->by_state.out[k] + at * p->size, want, p->size) != 0) return false;
            }
    }
    return true;
}

static void ask_states(const Pair *p, const Arranged *x, int question, size_t count) {
    const size_t nv = p->in_width[1];
    for (size_t at = 0; at < 2 * nv * STATES && question == 3; at++) put(p, x->out[at % 2], at / 2, 0.25);
    (void)(p->single ? ask_single : ask)(x, question, count, NULL); /* singular ones have bits, too */
}

/* A batch of one is a single state to the last bit; of more, all of its states are, or all have the bits of lanes,
 * which those that are asked for have in any count. */
static void few_states(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < 9; seed++) {
        Pair p;
        zvError error;
        open_pair(&p, seed, seed % 4 >= 2, seed % 5 ? 0 : 2);
        const zvBatchOptions options = {.threads = 1, .layout = ZV_LAYOUT_STATES, .same_bits = true};
        Arranged lanes = p.by_state;
        zvWork *work = zv_work_create(p.model, &error);
        assert_non_null(lanes.batch = zv_batch_create(p.model, &options, &error));
        double *out[OUTPUTS];
        const size_t most = p.in_width[1] * p.in_width[1] + 6 * p.in_width[1] + 12;
        for (int k = 0; k < OUTPUTS; k++) {
            assert_non_null(lanes.out[k] = calloc(most * STATES, p.size));
            assert_non_null(out[k] = calloc(most, sizeof *out[k]));
        }
        for (int question = 0; question < QUESTIONS; question++) {
            size_t w[OUTPUTS], of_lanes = 0;
            widths(&p, question, w);
            for (size_t count = 1; count < 20; count++) {
                ask_states(&p, &p.by_state, question, count);
                ask_states(&p, &lanes, question, STATES); /* bits do not depend on how many there are */
                bool as_lanes = true;
                for (int k = 0; k < OUTPUTS; k++)
                    as_lanes &= memcmp(p.by_state.out[k], lanes.out[k], w[k] * count * p.size) == 0;
                const bool as_singles = has_bits_of_singles(&p, work, question, count, out);
                if (!(count == 1 ? as_singles : as_singles || as_lanes))
                    fail_msg("seed %d, question %d, %zu states", (int)seed, question, count);
                of_lanes += as_lanes;
                ask_states(&p, &lanes, question, count);
                ask_states(&p, &p.by_state, question, STATES);
                for (int k = 0; k < OUTPUTS; k++)
                    assert_memory_equal(p.by_state.out[k], lanes.out[k], w[k] * count * p.size);
            }
            assert_true(of_lanes > 0);
        }
        for (int k = 0; k < OUTPUTS; k++) free(lanes.out[k]), free(out[k]);
        zv_batch_destroy(lanes.batch);
        zv_work_destroy(work);
        close_pair(&p);
    }
}

/* What is fused is written down: registers of AVX2 and of AVX-512 give the same bits, where there are both. */
static void levels(void **state) {
    (void)state;
    static const char *const names[] = {"v3", "v4"};
    for (uint64_t seed = 1; seed < 9; seed++) {
        Pair p[2];
        for (int k = 0; k < 2; k++) {
            setenv("ZVENO_ISA", names[k], 1);
            open_pair(&p[k], seed, seed % 4 >= 2, seed % 5 ? 0 : 2);
        }
        unsetenv("ZVENO_ISA");
        for (int question = 0; question < QUESTIONS; question++) {
            size_t w[OUTPUTS];
            widths(&p[0], question, w);
            for (int k = 0; k < 2; k++) ask_states(&p[k], &p[k].by_state, question, STATES);
            for (int k = 0; k < OUTPUTS; k++)
                if (memcmp(p[0].by_state.out[k], p[1].by_state.out[k], w[k] * STATES * p[0].size) != 0)
                    fail_msg("seed %d, question %d, answer %d", (int)seed, question, k);
        }
        for (int k = 0; k < 2; k++) close_pair(&p[k]);
    }
}

TESTS(every_question, in_place, few_states, levels, stride_is_refused)
