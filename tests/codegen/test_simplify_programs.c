/* Whole programs before and after: random ones, those that kernels leave of random robots, and large ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "codegen/simplify_check.h"
#include "codegen/traced.h"
#include "support/random_tree.h"
#include "support/run_tests.h"
#include "support/sanitized.h"

enum { INPUTS = 256 };

typedef struct Written {
    ziTape t;
    size_t count;
    ziEdge *output;
} Written;

static void close_written(Written *w) {
    zi_tape_close(&w->t);
    free(w->output);
}

typedef struct Weights {
    double before, after;
} Weights;

/* Simplified twice and checked at a few states. */
static Weights check(Written *w, rtRandom *random, uint64_t seed, const char *what) {
    ziTape plain, once, twice;
    ziEdge *moved = calloc(3 * (w->count + 1), sizeof *moved), *first = moved + w->count, *second = first + w->count;
    assert_int_equal(zi_prune(&w->t, w->count, w->output, &plain, moved), ZV_OK);
    assert_int_equal(zi_simplify(&w->t, w->count, w->output, &once, first), ZV_OK);
    assert_int_equal(zi_simplify(&once, w->count, first, &twice, second), ZV_OK);
    const long long before = weight(&plain), after = weight(&once), again = weight(&twice);
    if (after > before || again > after)
        fail_msg("%s, seed %llu: weight %lld, %lld, %lld", what, (unsigned long long)seed, before, after, again);
    assert_true(in_good_order(&plain, w->count, moved));
    assert_true(in_good_order(&once, w->count, first));
    for (int state = 0; state < 3; state++) {
        double inputs[INPUTS];
        rt_vector(random, 1.5, INPUTS, inputs);
        const double error = worst_error(&w->t, &once, w->count, w->output, first, inputs);
        const double more = worst_error(&once, &twice, w->count, first, second, inputs);
        if (!(error <= 1 && more <= 1))
            fail_msg("%s, seed %llu: error %g, %g", what, (unsigned long long)seed, error, more);
    }
    zi_tape_close(&plain);
    zi_tape_close(&once);
    zi_tape_close(&twice);
    free(moved);
    return (Weights){(double)before, (double)after};
}

/* -- random programs -------------------------------------------------------------------------------------------- */

static ziEdge atom(Written *w, rtRandom *random) {
    static const double constants[] = {0.5, 2, 3, 0.3, 1.7};
    const ziEdge x = zi_tape_input(&w->t, rt_below(random, 6));
    switch (rt_below(random, 6)) {
    case 0: return zi_tape_constant(&w->t, constants[rt_below(random, 5)]);
    case 1: return zi_tape_sin(&w->t, x);
    case 2: return zi_tape_cos(&w->t, x);
    default: return x;
    }
}

/* Operands mostly from what was written last; divisors well away from zero. */
static void write_random(Written *w, rtRandom *random, int operations, size_t outputs) {
    ziEdge *made = calloc((size_t)operations + 8, sizeof *made);
    int count = 0;
    while (count < 8) made[count++] = atom(w, random);
    while (count < operations + 8) {
        const int window = count < 24 ? count : 24;
        ziEdge x = made[count - 1 - rt_below(random, window)], y = made[count - 1 - rt_below(random, window)];
        if (rt_chance(random, 0.3)) y = atom(w, random);
        if (rt_chance(random, 0.4)) x = zi_edge_negate(x);
        const int kind = rt_below(random, 20);
        const ziEdge far = zi_tape_add(&w->t, zi_tape_constant(&w->t, 2), zi_tape_sin(&w->t, y));
        made[count++] = kind == 0   ? zi_tape_div(&w->t, x, far)
                        : kind < 11 ? zi_tape_add(&w->t, x, y)
                                    : zi_tape_mul(&w->t, zi_tape_sin(&w->t, x), y);
        if (kind > 11) made[count - 1] = zi_tape_mul(&w->t, atom(w, random), y);
    }
    w->count = outputs;
    w->output = calloc(outputs, sizeof *w->output);
    for (size_t k = 0; k < outputs; k++) w->output[k] = made[count - 1 - rt_below(random, count / 2)];
    free(made);
}

/* Sums of products of few numbers: many factors in common, terms that cancel, squares of sines and cosines. */
static void write_polynomials(Written *w, rtRandom *random, int terms, size_t outputs) {
    ziEdge few[7];
    for (int i = 0; i < 7; i++) few[i] = atom(w, random);
    w->count = outputs;
    w->output = calloc(outputs, sizeof *w->output);
    for (size_t k = 0; k < outputs; k++)
        for (int i = 0; i < terms; i++) {
            ziEdge product = few[rt_below(random, 7)];
            for (int factors = rt_below(random, 4); factors > 0; factors--)
                product = zi_tape_mul(&w->t, product, few[rt_below(random, 7)]);
            if (rt_chance(random, 0.5)) product = zi_edge_negate(product);
            w->output[k] = zi_tape_add(&w->t, w->output[k], product);
        }
}

static void random_programs(void **state) {
    (void)state;
    for (uint64_t seed = 9000; seed < (SANITIZED ? 9012 : 9060); seed++) {
        rtRandom random = {seed};
        Written w = {0};
        assert_true(zi_tape_open(&w.t, ZI_TAPE_RECORD));
        if (seed % 2)
            write_random(&w, &random, 5 + rt_below(&random, 120), 1 + (size_t)rt_below(&random, 6));
        else
            write_polynomials(&w, &random, 1 + rt_below(&random, 15), 1 + (size_t)rt_below(&random, 6));
        check(&w, &random, seed, seed % 2 ? "random program" : "polynomials");
        close_written(&w);
    }
}

/* -- robots ----------------------------------------------------------------------------------------------------- */

static void robots(void **state) {
    (void)state;
    static const struct {
        zvQuestion question;
        const char *method;
        double at_most; /* of the weight */
    } methods[] = {{ZV_QUESTION_MASS, "composite", 0.94},
                   {ZV_QUESTION_INVERSE, "newton-euler", 0.9},
                   {ZV_QUESTION_FORWARD, "articulated", 0.95}};
    enum { METHODS = sizeof methods / sizeof *methods, ROBOTS = 6 };
    Weights sum[METHODS] = {{0}};
    for (uint64_t seed = 9200; seed < 9200 + ROBOTS; seed++) {
        rtOptions options = rt_options_default(1 + (int)(seed % ROBOTS));
        options.types = RT_TYPE(REVOLUTE) | RT_TYPE(PRISMATIC) | (seed % 2 ? RT_TYPE(UNIVERSAL) : 0);
        rtTree *tree = rt_tree_create(seed, &options);
        zvModel *model = rt_tree_freeze(tree);
        assert_non_null(model);
        const size_t nv = (size_t)zv_model_nv(model);
        for (int m = 0; m < METHODS; m++) {
            rtRandom random = {seed};
            Written w = {.count = m ? nv : nv * nv, .output = calloc(nv * nv, sizeof *w.output)};
            assert_true(zi_tape_open(&w.t, ZI_TAPE_RECORD));
            assert_int_equal(zi_trace_method(model, methods[m].question, methods[m].method, &w.t, w.output), ZV_OK);
            const Weights found = check(&w, &random, seed, methods[m].method);
            sum[m].before += found.before;
            sum[m].after += found.after;
            close_written(&w);
        }
        zv_model_destroy(model);
        free(tree);
    }
    for (int m = 0; m < METHODS; m++) {
        const double left = sum[m].after / sum[m].before;
        print_message("%s %s: %.3f of the operations are left\n", zv_question_name(methods[m].question),
                      methods[m].method, left);
        assert_true(left <= methods[m].at_most);
    }
}

/* -- size ------------------------------------------------------------------------------------------------------- */

/* x0 x1 + x2 x3 + ...: one sum of many terms, and a product of as many factors. Time that grows with the square would
 * be noticed, and so would recursion. */
static void long_sum_and_product(void **state) {
    (void)state;
    enum { LENGTH = 6000 };
    rtRandom random = {9300};
    Written w = {.count = 2, .output = calloc(2, sizeof *w.output)};
    assert_true(zi_tape_open(&w.t, ZI_TAPE_RECORD));
    w.output[1] = zi_tape_constant(&w.t, 1);
    for (int i = 0; i < LENGTH; i++) {
        const ziEdge x = zi_tape_input(&w.t, rt_below(&random, INPUTS)), y = zi_tape_input(&w.t, i % INPUTS);
        const ziEdge unit = zi_tape_cos(&w.t, zi_tape_mul(&w.t, zi_tape_constant(&w.t, 1e-3), x));
        w.output[0] = zi_tape_add(&w.t, w.output[0], zi_tape_mul(&w.t, x, y));
        w.output[1] = zi_tape_mul(&w.t, w.output[1], unit);
    }
    ziTape to;
    ziEdge moved[2];
    assert_int_equal(zi_simplify(&w.t, w.count, w.output, &to, moved), ZV_OK);
    assert_true(weight(&to) <= weight(&w.t));
    double inputs[INPUTS];
    rt_vector(&random, 1, INPUTS, inputs);
    assert_true(worst_error(&w.t, &to, w.count, w.output, moved, inputs) <= 1);
    zi_tape_close(&to);
    close_written(&w);
}

TESTS(random_programs, robots, long_sum_and_product)
