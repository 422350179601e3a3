/* Results that are more than caches hold are written past them, in blocks, turned where states lie one after the other:
 * every entry has the bits that the same state has in a small batch, which goes another way; in either arrangement and
 * precision, on any number of threads, aligned or not, of whole groups or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { QUESTIONS = 4, MATRICES = 3, FEW = 20, INPUTS = 3 };
static const double bytes = 4.2e6; /* of a matrix of all states: more than worth_streaming of src/batch/batch.c */

#define ASK(number, suffix)                                                                                          \
    static zvStatus ask##suffix(zvBatch *b, int question, size_t count, void *const *in, void *const *out) {         \
        const number *q = in[0], *v = in[1], *x = in[2];                                                             \
        number *const *X = (number *const *)out;                                                                     \
        switch (question) {                                                                                          \
        case 0: return zv_batch_mass##suffix(b, count, q, X[0]);                                                     \
        case 1: return zv_batch_minv##suffix(b, count, q, X[0], NULL);                                               \
        case 2: return zv_batch_inverse_derivatives##suffix(b, count, q, v, x, NULL, X[0], X[1], X[2]);              \
        default: return zv_batch_forward_derivatives##suffix(b, count, q, v, x, NULL, NULL, X[0], X[1], X[2], NULL); \
        }                                                                                                            \
    }
ASK(double, )
ASK(float, _single)

/* A robot in many states; inputs and answers state after state. */
typedef struct StreamCase {
    zvModel *model;
    bool single;
    size_t size, states, square, width[INPUTS];
    char *in[INPUTS], *want[MATRICES];
} StreamCase;

/* Room for count numbers, `apart` of them behind a line of the cache. */
static char *numbers(const StreamCase *c, size_t count, size_t apart, char **block) {
    *block = aligned_alloc(64, ((count + apart + 1) * c->size + 63) / 64 * 64);
    assert_non_null(*block);
    memset(*block, 0, ((count + apart + 1) * c->size + 63) / 64 * 64);
    return *block + apart * c->size;
}

static void open_case(StreamCase *c, uint64_t seed, const rtOptions *options, bool single) {
    rtRandom random = {seed};
    rtTree *tree = rt_tree_create(seed, options);
    *c = (StreamCase){.model = rt_tree_freeze(tree), .single = single, .size = single ? sizeof(float) : sizeof(double)};
    free(tree);
    assert_non_null(c->model);
    const size_t nq = (size_t)zv_model_nq(c->model), nv = (size_t)zv_model_nv(c->model);
    c->square = nv * nv;
    c->states = (size_t)(bytes / (double)(c->square * c->size));
    c->states += 37 - c->states % 16; /* the last group is not whole */
    double *x = calloc(nq + nv, sizeof *x);
    for (int k = 0; k < INPUTS; k++) {
        c->width[k] = k ? nv : nq;
        assert_non_null(c->in[k] = calloc(c->width[k] * c->states, c->size));
        for (size_t s = 0; s < c->states; s++) {
            if (k == 0) rt_draw_position(c->model, &random, x);
            for (size_t i = 0; i < c->width[k]; i++) {
                const double number = k ? rt_uniform(&random, -2, 2) : x[i];
                if (single)
                    ((float *)c->in[k])[s * c->width[k] + i] = (float)number;
                else
                    ((double *)c->in[k])[s * c->width[k] + i] = number;
            }
        }
    }
    for (int k = 0; k < MATRICES; k++) assert_non_null(c->want[k] = calloc(c->square * c->states, c->size));
    free(x);
}

static void close_case(StreamCase *c) {
    for (int k = 0; k < INPUTS; k++) free(c->in[k]);
    for (int k = 0; k < MATRICES; k++) free(c->want[k]);
    zv_model_destroy(c->model);
}

static int matrices_of(int question) { return question < 2 ? 1 : MATRICES; }

/* Few states at a time. In single precision long chains may be singular. */
static zvStatus ask_few(StreamCase *c, int question) {
    zvStatus worst = ZV_OK;
    zvBatch *b =
        zv_batch_create(c->model, &(zvBatchOptions){.threads = 1, .layout = ZV_LAYOUT_STATES, .same_bits = true}, NULL);
    assert_non_null(b);
    for (size_t s = 0; s < c->states;) {
        const size_t rest = c->states - s, count = rest < 2 * FEW ? rest : FEW;
        void *in[INPUTS], *out[MATRICES];
        for (int k = 0; k < INPUTS; k++) in[k] = c->in[k] + s * c->width[k] * c->size;
        for (int k = 0; k < MATRICES; k++) out[k] = c->want[k] + s * c->square * c->size;
        const zvStatus mine = (c->single ? ask_single : ask)(b, question, count, in, out);
        if (mine != ZV_OK) worst = mine;
        s += count;
    }
    zv_batch_destroy(b);
    return worst;
}

/* Coordinate after coordinate. */
static void arrange(const StreamCase *c, int k, size_t stride, char *to) {
    for (size_t s = 0; s < c->states; s++)
        for (size_t i = 0; i < c->width[k]; i++)
            memcpy(to + (i * stride + s) * c->size, c->in[k] + (s * c->width[k] + i) * c->size, c->size);
}

/* All at once, stride 0: states one after the other. */
static void ask_all(const StreamCase *c, int question, zvStatus expected, size_t stride, size_t apart, int threads) {
    const zvBatchOptions options = {
        .threads = threads, .stride = stride, .layout = stride ? ZV_LAYOUT_COORDINATES : ZV_LAYOUT_STATES};
    zvBatch *b = zv_batch_create(c->model, &options, NULL);
    char *blocks[INPUTS + MATRICES];
    void *in[INPUTS], *out[MATRICES];
    const size_t rows = stride ? stride : c->states, down = stride ? 1 : c->square, along = stride ? stride : 1;
    assert_non_null(b);
    for (int k = 0; k < INPUTS; k++) {
        in[k] = numbers(c, rows * c->width[k], apart, &blocks[k]);
        if (stride)
            arrange(c, k, stride, in[k]);
        else
            memcpy(in[k], c->in[k], c->width[k] * c->states * c->size);
    }
    for (int k = 0; k < MATRICES; k++) out[k] = numbers(c, rows * c->square, apart, &blocks[INPUTS + k]);
    assert_int_equal((c->single ? ask_single : ask)(b, question, c->states, in, out), expected);
    for (int k = 0; k < matrices_of(question); k++) {
        const char *found = out[k], zero[8] = {0};
        for (size_t s = 0; s < c->states; s++)
            for (size_t i = 0; i < c->square; i++)
                if (memcmp(found + (s * down + i * along) * c->size, c->want[k] + (s * c->square + i) * c->size,
                           c->size))
                    fail_msg("question %d, stride %zu, matrix %d: entry %zu of state %zu of %zu", question, stride, k,
                             i, s, c->states);
        assert_memory_equal(found + rows * c->square * c->size, zero, c->size);
        for (size_t s = c->states; s < stride; s++) assert_memory_equal(found + s * c->size, zero, c->size);
    }
    for (int k = 0; k < INPUTS + MATRICES; k++) free(blocks[k]);
    zv_batch_destroy(b);
}

static void check(uint64_t seed, const rtOptions *options) {
    for (int single = 0; single < 2; single++) {
        StreamCase c;
        open_case(&c, seed, options, single);
        for (int question = 0; question < QUESTIONS; question++) {
            const zvStatus status = ask_few(&c, question);
            assert_true(status == ZV_OK || (single && question % 2));
            ask_all(&c, question, status, 0, 0, 1);
            ask_all(&c, question, status, 0, 1, 3);
            ask_all(&c, question, status, (c.states + 63) / 64 * 64, 0, 2);
            ask_all(&c, question, status, c.states + 1, 3, 1);
        }
        close_case(&c);
    }
}

static void trees(void **state) {
    (void)state;
    rtOptions options = rt_options_default(16);
    options.types = RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC);
    options.free_base = true;
    options.massless = false;
    check(911, &options);
    options.joints = 21;
    options.free_base = false;
    check(912, &options);
}

/* M^-1 alone, and as the derivative of a by tau, which tests/batch/test_derivatives.c compares with single states. */
static void same_inverse(uint64_t seed, const rtOptions *options) {
    StreamCase c;
    open_case(&c, seed, options, false);
    const size_t all = c.square * c.states * c.size;
    char *alone = malloc(all);
    assert_non_null(alone);
    ask_few(&c, 1);
    memcpy(alone, c.want[0], all);
    ask_few(&c, 3);
    assert_memory_equal(alone, c.want[2], all);
    free(alone);
    close_case(&c);
}

/* Where sweeps answer, not factors. */
static void long_chain(void **state) {
    (void)state;
    rtOptions options = rt_options_default(50);
    options.shape = RT_CHAIN;
    options.types = RT_TYPE(REVOLUTE);
    options.massless = false;
    check(913, &options);
    same_inverse(914, &options);
}

TESTS(trees, long_chain)
