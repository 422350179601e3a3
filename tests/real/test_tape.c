/* The tape: what folds, what is the same node, what is counted; and random programs against the same arithmetic done
 * in extended precision, with a bound for rounding carried along. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "real/tape.h"
#include "support/random_tree_numbers.h"

typedef struct Sheet {
    ziTape t;
    ziEdge x, y, z; /* inputs 0, 1, 2 */
} Sheet;

static int open_sheet(void **state) {
    static Sheet sheet;
    if (!zi_tape_open(&sheet.t, ZI_TAPE_RECORD)) return -1;
    sheet.x = zi_tape_input(&sheet.t, 0);
    sheet.y = zi_tape_input(&sheet.t, 1);
    sheet.z = zi_tape_input(&sheet.t, 2);
    *state = &sheet;
    return 0;
}

static int close_sheet(void **state) {
    Sheet *s = *state;
    zi_tape_close(&s->t);
    return 0;
}

static ziEdge k(Sheet *s, double value) { return zi_tape_constant(&s->t, value); }
static ziEdge add(Sheet *s, ziEdge a, ziEdge b) { return zi_tape_add(&s->t, a, b); }
static ziEdge mul(Sheet *s, ziEdge a, ziEdge b) { return zi_tape_mul(&s->t, a, b); }

static void expect_known(Sheet *s, ziEdge e, double value) {
    double known;
    assert_true(zi_tape_known(&s->t, e, &known));
    assert_true(known == value);
}

static void constants(void **state) {
    Sheet *s = *state;
    expect_known(s, add(s, k(s, 2), k(s, -5)), -3);
    expect_known(s, mul(s, k(s, -2), k(s, 0.25)), -0.5);
    expect_known(s, zi_tape_div(&s->t, k(s, 1), k(s, -4)), -0.25);
    expect_known(s, zi_tape_cos(&s->t, k(s, 0)), 1);
    expect_known(s, zi_tape_sin(&s->t, k(s, -1)), -sin(1));
    expect_known(s, zi_tape_sqrt(&s->t, k(s, 9)), 3);
    assert_int_equal(k(s, -0.0), ZI_EDGE_ZERO);
    assert_int_equal(zi_edge_negate(ZI_EDGE_ZERO), ZI_EDGE_ZERO);
    assert_int_equal(k(s, -3), zi_edge_negate(k(s, 3)));
    double none;
    assert_false(zi_tape_known(&s->t, s->x, &none));
}

static void zeros_and_ones(void **state) {
    Sheet *s = *state;
    const int before = s->t.count;
    assert_int_equal(add(s, s->x, ZI_EDGE_ZERO), s->x);
    assert_int_equal(add(s, ZI_EDGE_ZERO, zi_edge_negate(s->x)), zi_edge_negate(s->x));
    assert_int_equal(add(s, s->x, zi_edge_negate(s->x)), ZI_EDGE_ZERO);
    assert_int_equal(mul(s, ZI_EDGE_ZERO, s->x), ZI_EDGE_ZERO);
    assert_int_equal(zi_tape_div(&s->t, ZI_EDGE_ZERO, s->x), ZI_EDGE_ZERO);
    assert_true(s->t.count <= before);
    assert_int_equal(mul(s, s->x, k(s, 1)), s->x);
    assert_int_equal(mul(s, k(s, -1), s->x), zi_edge_negate(s->x));
    assert_int_equal(zi_tape_div(&s->t, s->x, k(s, -1)), zi_edge_negate(s->x));
}

/* Multiples of one number are one product. */
static void multiples(void **state) {
    Sheet *s = *state;
    const ziEdge twice = mul(s, k(s, 2), s->x);
    assert_int_equal(add(s, s->x, s->x), twice);
    assert_int_equal(mul(s, k(s, 3), twice), mul(s, s->x, k(s, 6)));
    assert_int_equal(add(s, twice, zi_edge_negate(mul(s, k(s, 5), s->x))), mul(s, k(s, -3), s->x));
    assert_int_equal(add(s, twice, mul(s, k(s, -2), s->x)), ZI_EDGE_ZERO);
    assert_int_equal(mul(s, k(s, 0.5), twice), s->x);
    assert_int_equal(zi_tape_div(&s->t, s->x, k(s, 0.5)), twice);
}

/* Whatever the order and the signs: one node. */
static void one_node(void **state) {
    Sheet *s = *state;
    const ziEdge x = s->x, y = s->y, minus_x = zi_edge_negate(x), minus_y = zi_edge_negate(y);
    const ziEdge sum = add(s, x, y), difference = add(s, x, minus_y), product = mul(s, x, y);
    const ziEdge ratio = zi_tape_div(&s->t, x, y);
    const int nodes = s->t.count;
    assert_int_equal(add(s, y, x), sum);
    assert_int_equal(add(s, minus_x, minus_y), zi_edge_negate(sum));
    assert_int_equal(add(s, y, minus_x), zi_edge_negate(difference));
    assert_int_equal(mul(s, y, x), product);
    assert_int_equal(mul(s, minus_y, x), zi_edge_negate(product));
    assert_int_equal(mul(s, minus_y, minus_x), product);
    assert_int_equal(zi_tape_div(&s->t, minus_x, y), zi_edge_negate(ratio));
    assert_int_equal(zi_tape_div(&s->t, minus_x, minus_y), ratio);
    assert_int_equal(s->t.count, nodes);
    assert_int_not_equal(zi_edge_node(sum), zi_edge_node(difference));
    assert_int_not_equal(zi_edge_node(ratio), zi_edge_node(zi_tape_div(&s->t, y, x)));
}

static ziEdge squared(Sheet *s, ziEdge a) { return mul(s, a, a); }

static void angles(void **state) {
    Sheet *s = *state;
    const ziEdge sine = zi_tape_sin(&s->t, s->x), cosine = zi_tape_cos(&s->t, s->x);
    const ziEdge other = zi_tape_cos(&s->t, s->y);
    assert_int_equal(zi_tape_sin(&s->t, zi_edge_negate(s->x)), zi_edge_negate(sine));
    assert_int_equal(zi_tape_cos(&s->t, zi_edge_negate(s->x)), cosine);
    expect_known(s, add(s, squared(s, sine), squared(s, cosine)), 1);
    expect_known(s, add(s, mul(s, k(s, 5), squared(s, cosine)), mul(s, k(s, 5), squared(s, sine))), 5);
    expect_known(s, add(s, zi_edge_negate(squared(s, cosine)), zi_edge_negate(squared(s, sine))), -1);
    const ziEdge no[] = {
        add(s, squared(s, sine), squared(s, other)), add(s, squared(s, sine), zi_edge_negate(squared(s, cosine))),
        add(s, mul(s, k(s, 2), squared(s, sine)), squared(s, cosine)), add(s, squared(s, sine), mul(s, sine, cosine))};
    double none;
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_false(zi_tape_known(&s->t, no[i], &none));
}

/* What the text does is counted whether it folds or not, and by stages. */
static void counting(void **state) {
    (void)state;
    ziTape t;
    for (int mode = ZI_TAPE_RECORD; mode <= ZI_TAPE_COUNT; mode++) {
        assert_true(zi_tape_open(&t, (ziTapeMode)mode));
        const int empty = t.count;
        ziEdge x = zi_tape_input(&t, 0), one = zi_tape_constant(&t, 1), zero = zi_tape_constant(&t, 0);
        ziEdge y = zi_tape_mul(&t, one, zi_tape_add(&t, x, zero));
        zi_tape_sin(&t, y);
        zi_tape_stage(&t);
        zi_tape_add(&t, zi_tape_add(&t, x, x), zi_tape_div(&t, x, zi_tape_constant(&t, 4)));
        zi_tape_cos(&t, zi_tape_sqrt(&t, x));
        const ziTapeCounts *first = &t.done[0], *then = &t.done[1];
        assert_true(first->mul == 1 && first->add == 1 && first->trig == 1 && first->div == 0 && first->root == 0);
        assert_true(then->mul == 0 && then->add == 2 && then->trig == 1 && then->div == 1 && then->root == 1);
        assert_int_equal(t.count == empty, mode == ZI_TAPE_COUNT);
        zi_tape_close(&t);
    }
}

static void marks(void **state) {
    Sheet *s = *state;
    ziTape other = {0}, *before = zi_tape_use(&s->t);
    assert_null(before);
    assert_ptr_equal(zi_tape_use(&other), &s->t);
    assert_ptr_equal(zi_tape_current(), &other);
    zi_tape_use(before);
    assert_null(zi_tape_current());
    assert_null(s->t.branch);
    zi_tape_branch(&s->t, "first");
    zi_tape_branch(&s->t, "second");
    assert_string_equal(s->t.branch, "first");
}

/* A number of a random program: its edge, its value in extended precision, and how far off a double may be. */
typedef struct Number {
    ziEdge edge;
    long double value, off;
} Number;

enum { INPUTS = 6, PROGRAM = 400 };

/* off: of the operands, by the derivative, and of rounding the result; folding rounds elsewhere, but not more. */
static Number operate(ziTape *t, int op, Number a, Number b) {
    Number r = {0};
    switch (op) {
    case 0: r = (Number){zi_tape_add(t, a.edge, b.edge), a.value + b.value, a.off + b.off}; break;
    case 1: r = (Number){zi_tape_add(t, a.edge, zi_edge_negate(b.edge)), a.value - b.value, a.off + b.off}; break;
    case 2: {
        const long double off = fabsl(a.value) * b.off + fabsl(b.value) * a.off + a.off * b.off;
        r = (Number){zi_tape_mul(t, a.edge, b.edge), a.value * b.value, off};
        break;
    }
    case 3: r = (Number){zi_tape_sin(t, a.edge), sinl(a.value), a.off}; break;
    case 4: r = (Number){zi_tape_cos(t, a.edge), cosl(a.value), a.off}; break;
    default: { /* a / sqrt(1 + b^2) */
        const ziEdge root = zi_tape_sqrt(t, zi_tape_add(t, zi_tape_constant(t, 1), zi_tape_mul(t, b.edge, b.edge)));
        r = (Number){zi_tape_div(t, a.edge, root), a.value / sqrtl(1 + b.value * b.value),
                     a.off + fabsl(a.value) * (b.off + 4 * DBL_EPSILON)};
    }
    }
    r.off += DBL_EPSILON * (fabsl(r.value) + fabsl(a.value) + (op < 2 ? fabsl(b.value) : 0));
    return r;
}

static Number leaf(ziTape *t, rtRandom *random, const double *inputs) {
    if (rt_chance(random, 0.4)) {
        const double values[] = {0, 1, -1, 2, -0.5, rt_uniform(random, -2, 2)};
        const double c = values[rt_below(random, 6)];
        return (Number){zi_tape_constant(t, c), c, 0};
    }
    const int i = rt_below(random, INPUTS);
    return (Number){zi_tape_input(t, i), inputs[i], 0};
}

static void random_program(uint64_t seed, int *folded) {
    rtRandom random = {seed};
    double inputs[INPUTS];
    Number x[PROGRAM];
    ziTape t;
    assert_true(zi_tape_open(&t, ZI_TAPE_RECORD));
    for (int i = 0; i < INPUTS; i++) inputs[i] = rt_uniform(&random, -1.5, 1.5);
    for (int i = 0; i < PROGRAM; i++) {
        if (i < 20 || rt_chance(&random, 0.1)) {
            x[i] = leaf(&t, &random, inputs);
            continue;
        }
        const int recent = i < 60 ? i : 60;
        const int nodes = t.count;
        x[i] = operate(&t, rt_below(&random, 6), x[i - 1 - rt_below(&random, recent)], x[rt_below(&random, i)]);
        *folded += t.count == nodes;
        if (fabsl(x[i].value) > 1e3L) x[i] = leaf(&t, &random, inputs); /* keeps angles in reach */
    }
    double *value = calloc((size_t)t.count, sizeof *value);
    assert_non_null(value);
    zi_tape_run(&t, inputs, value);
    for (int i = 0; i < PROGRAM; i++) {
        const double got = zi_edge_value(value, x[i].edge);
        if (!(fabsl(got - x[i].value) <= 4 * x[i].off))
            fail_msg("seed %llu, number %d: %.17g instead of %.17Lg", (unsigned long long)seed, i, got, x[i].value);
    }
    free(value);
    zi_tape_close(&t);
}

static void random_programs(void **state) {
    (void)state;
    int folded = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) random_program(seed, &folded);
    assert_true(folded > 5000); /* operations that made no node */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(constants, open_sheet, close_sheet),
        cmocka_unit_test_setup_teardown(zeros_and_ones, open_sheet, close_sheet),
        cmocka_unit_test_setup_teardown(multiples, open_sheet, close_sheet),
        cmocka_unit_test_setup_teardown(one_node, open_sheet, close_sheet),
        cmocka_unit_test_setup_teardown(angles, open_sheet, close_sheet),
        cmocka_unit_test(counting),
        cmocka_unit_test_setup_teardown(marks, open_sheet, close_sheet),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
