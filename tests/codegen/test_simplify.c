/* Rewrites that must be found, counted by hand; and what is special about outputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "codegen/simplify_check.h"
#include "support/run_tests.h"

enum { MOST = 8 };

typedef struct Sheet {
    ziTape t;
    size_t count;
    ziEdge output[MOST];
    ziEdge a, b, c, d, e, s, cosine; /* inputs; sine and cosine of input 5 */
} Sheet;

static void open_sheet(Sheet *s) {
    *s = (Sheet){0};
    assert_true(zi_tape_open(&s->t, ZI_TAPE_RECORD));
    ziEdge *input[] = {&s->a, &s->b, &s->c, &s->d, &s->e};
    for (int i = 0; i < 5; i++) *input[i] = zi_tape_input(&s->t, i);
    const ziEdge angle = zi_tape_input(&s->t, 5);
    s->s = zi_tape_sin(&s->t, angle);
    s->cosine = zi_tape_cos(&s->t, angle);
}

static ziEdge add(Sheet *s, ziEdge a, ziEdge b) { return zi_tape_add(&s->t, a, b); }
static ziEdge sub(Sheet *s, ziEdge a, ziEdge b) { return zi_tape_add(&s->t, a, zi_edge_negate(b)); }
static ziEdge mul(Sheet *s, ziEdge a, ziEdge b) { return zi_tape_mul(&s->t, a, b); }
static ziEdge over(Sheet *s, ziEdge a, ziEdge b) { return zi_tape_div(&s->t, a, b); }
static ziEdge times(Sheet *s, double k, ziEdge a) { return mul(s, zi_tape_constant(&s->t, k), a); }
static ziEdge square(Sheet *s, ziEdge a) { return mul(s, a, a); }
static void out(Sheet *s, ziEdge e) { s->output[s->count++] = e; }

static void common_factor(Sheet *s) { out(s, add(s, mul(s, s->a, s->b), mul(s, s->a, s->c))); }
static void factor_of_difference(Sheet *s) { out(s, sub(s, mul(s, s->a, s->b), mul(s, s->c, s->a))); }
static void hidden_factor(Sheet *s) { out(s, add(s, mul(s, s->a, s->b), add(s, s->d, mul(s, s->a, s->c)))); }
static void constant_factor(Sheet *s) { out(s, add(s, times(s, 0.3, s->a), times(s, 0.3, s->b))); }
static void constants_of_product(Sheet *s) { out(s, mul(s, times(s, 3, s->a), times(s, 0.7, s->b))); }
static void constant_goes_in(Sheet *s) {
    out(s, mul(s, times(s, 1.7, s->c), add(s, times(s, 3, s->a), times(s, 0.7, s->b))));
}
static void two_by_two(Sheet *s) {
    const ziEdge first = add(s, mul(s, s->a, s->c), mul(s, s->b, s->d));
    out(s, add(s, first, add(s, mul(s, s->a, s->d), mul(s, s->b, s->c))));
}
static void shared_sum(Sheet *s) {
    out(s, add(s, add(s, s->a, s->c), s->b));
    out(s, sub(s, s->d, add(s, s->a, s->b)));
    out(s, add(s, add(s, s->b, s->e), s->a));
}
static void shared_product(Sheet *s) {
    out(s, mul(s, mul(s, s->a, s->c), s->b));
    out(s, mul(s, mul(s, s->a, s->d), s->b));
}
static void proportional_sums(Sheet *s) {
    out(s, add(s, times(s, 2, s->a), times(s, 3, s->b)));
    out(s, mul(s, s->c, add(s, times(s, 5, s->a), times(s, 7.5, s->b))));
}
static void like_terms(Sheet *s) {
    out(s, add(s, add(s, mul(s, s->a, s->b), s->c), add(s, times(s, 2, mul(s, s->b, s->a)), s->d)));
}
static void cancelling(Sheet *s) { out(s, sub(s, add(s, mul(s, s->a, s->b), s->c), mul(s, s->b, s->a))); }
static void one(Sheet *s) {
    out(s, add(s, mul(s, s->a, square(s, s->s)), add(s, s->b, mul(s, s->a, square(s, s->cosine)))));
}
static void one_with_constants(Sheet *s) {
    out(s, add(s, times(s, 2, square(s, s->s)), times(s, 5, square(s, s->cosine))));
}
static void other_square(Sheet *s) {
    out(s, sub(s, s->a, mul(s, s->a, square(s, s->s))));
    out(s, s->cosine);
}
static void squares_that_stay(Sheet *s) { out(s, sub(s, square(s, s->s), times(s, 3, square(s, s->cosine)))); }
static void reciprocal(Sheet *s) {
    out(s, over(s, s->a, s->d));
    out(s, over(s, s->b, s->d));
    out(s, over(s, zi_edge_negate(s->c), s->d));
}
static void one_quotient(Sheet *s) { out(s, over(s, s->a, s->d)); }

static const struct {
    const char *name;
    void (*write)(Sheet *);
    int mul, add, div;
} cases[] = {
    {"a b + a c", common_factor, 1, 1, 0},
    {"a b - c a", factor_of_difference, 1, 1, 0},
    {"a b + (d + a c)", hidden_factor, 1, 2, 0},
    {"k a + k b", constant_factor, 1, 1, 0},
    {"k a l b", constants_of_product, 2, 0, 0},
    {"k c (l a + m b)", constant_goes_in, 3, 1, 0},
    {"(a + b) (c + d)", two_by_two, 1, 2, 0},
    {"a + b in three sums", shared_sum, 0, 4, 0},
    {"a b in two products", shared_product, 3, 0, 0},
    {"2 a + 3 b in two scales", proportional_sums, 4, 1, 0},
    {"a b + 2 a b", like_terms, 2, 2, 0},
    {"a b - a b", cancelling, 0, 0, 0},
    {"a s s + a c c", one, 0, 1, 0},
    {"2 s s + 5 c c", one_with_constants, 2, 1, 0},
    {"a - a s s", other_square, 2, 0, 0},
    {"s s - 3 c c", squares_that_stay, 3, 1, 0},
    {"three quotients", reciprocal, 3, 0, 1},
    {"one quotient", one_quotient, 0, 0, 1},
};

static void finds_rewrites(void **state) {
    (void)state;
    static const double inputs[] = {0.7, -1.3, 0.45, 2.1, -0.9, 0.6};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sheet s;
        ziTape to;
        ziEdge moved[MOST];
        open_sheet(&s);
        cases[i].write(&s);
        assert_int_equal(zi_simplify(&s.t, s.count, s.output, &to, moved), ZV_OK);
        const zvOperations o = zi_tape_operations(&to);
        if (o.mul > cases[i].mul || o.add > cases[i].add || o.div > cases[i].div)
            fail_msg("%s: %lld mul, %lld add, %lld div", cases[i].name, o.mul, o.add, o.div);
        const double error = worst_error(&s.t, &to, s.count, s.output, moved, inputs);
        if (!(error <= 1)) fail_msg("%s: error %g", cases[i].name, error);
        assert_true(in_good_order(&to, s.count, moved));
        zi_tape_close(&s.t);
        zi_tape_close(&to);
    }
}

/* Constants, zero, inputs, one node twice and negated, and no output at all. */
static void keeps_outputs(void **state) {
    (void)state;
    static const double inputs[] = {0.7, -1.3, 0.45, 2.1, -0.9, 0.6};
    Sheet s;
    open_sheet(&s);
    const ziEdge sum = add(&s, s.a, mul(&s, s.b, s.c));
    out(&s, ZI_EDGE_ZERO);
    out(&s, zi_tape_constant(&s.t, -2.5));
    out(&s, zi_edge_negate(s.d));
    out(&s, sum);
    out(&s, zi_edge_negate(sum));
    out(&s, mul(&s, sum, sum));
    out(&s, zi_tape_sqrt(&s.t, zi_tape_add(&s.t, square(&s, s.a), square(&s, sum))));
    for (size_t count = 0; count <= s.count; count += s.count)
        for (int simplify = 0; simplify < 2; simplify++) {
            ziTape to;
            ziEdge moved[MOST];
            assert_int_equal((simplify ? zi_simplify : zi_prune)(&s.t, count, s.output, &to, moved), ZV_OK);
            assert_true(in_good_order(&to, count, moved));
            assert_true(worst_error(&s.t, &to, count, s.output, moved, inputs) <= 1);
            if (!count) assert_int_equal(weight(&to), 0);
            zi_tape_close(&to);
        }
    zi_tape_close(&s.t);
}

static void prunes(void **state) {
    (void)state;
    Sheet s;
    ziTape to;
    ziEdge moved[MOST];
    open_sheet(&s);
    mul(&s, s.a, add(&s, s.b, s.d)); /* nobody asks */
    common_factor(&s);
    assert_int_equal(zi_prune(&s.t, s.count, s.output, &to, moved), ZV_OK);
    const zvOperations o = zi_tape_operations(&to);
    assert_true(o.mul == 2 && o.add == 1 && o.trig == 0); /* as recorded */
    assert_true(in_good_order(&to, s.count, moved));
    zi_tape_close(&s.t);
    zi_tape_close(&to);
}

TESTS(finds_rewrites, keeps_outputs, prunes)
