/* Sequences, sums and joined laws against their parts evaluated one by one. */
#include "check_law.h"
#include "support/run_tests.h"

#include <stdlib.h>
#include <time.h>

static zvError error;

static zvLaw *wave(double frequency, double phase) {
    return MADE(zv_law_harmonic(1, 0, (double[]){1}, (double[]){2}, &frequency, &phase, &error));
}
static zvLaw *quintic(double from, double to, double duration) {
    const double a[3] = {from}, b[3] = {to};
    return MADE(zv_law_boundary(1, 0, duration, 3, a, 3, b, &error));
}
static zvLaw *constant(double value) { return MADE(zv_law_constant(1, &value, &error)); }
static zvLaw *stairs(void) { /* breaks at decimal fractions, whose sums round */
    return MADE(zv_law_table(1, 4, (double[]){0.1, 0.2, 0.3, 0.7}, (double[]){1, 2, 3, 4}, ZV_TABLE_HOLD, &error));
}

static void sum_and_join(void **state) {
    (void)state;
    zvLaw *one = wave(2, 0.5), *two = quintic(-1, 3, 2), *three = wave(0.3, 0);
    zvLaw *sum = MADE(zv_law_sum(3, (zvLaw *[]){wave(2, 0.5), quintic(-1, 3, 2), wave(0.3, 0)}, &error));
    zvLaw *pair = MADE(zv_law_join(2, (zvLaw *[]){wave(2, 0.5), quintic(-1, 3, 2)}, &error));
    zvLaw *wide = MADE(zv_law_join(2, (zvLaw *[]){wave(0.3, 0), pair}, &error)); /* nested: three, one, two */
    assert_int_equal(zv_law_width(sum), 1);
    assert_int_equal(zv_law_width(wide), 3);
    for (double t = -1; t < 3; t += 0.17) {
        double a[3], b[3], c[3], s[3], w[3][3];
        zv_law_at(one, t, &a[0], &a[1], &a[2]);
        zv_law_at(two, t, &b[0], &b[1], &b[2]);
        zv_law_at(three, t, &c[0], &c[1], &c[2]);
        zv_law_at(sum, t, &s[0], &s[1], &s[2]);
        zv_law_at(wide, t, w[0], w[1], w[2]);
        for (int k = 0; k < 3; k++) {
            close_to(s[k], a[k] + b[k] + c[k], 1e-15 * (fabs(a[k]) + fabs(b[k]) + fabs(c[k])), "sum", t);
            assert_true(w[k][0] == c[k] && w[k][1] == a[k] && w[k][2] == b[k]);
        }
        double x;
        zv_law_at(sum, t, &x, NULL, NULL);
        assert_true(x == s[0]);
    }
    expect_breaks(sum, -5, 2, (double[]){0, 2});
    expect_breaks(wide, -5, 2, (double[]){0, 2});
    zvLaw *all[] = {one, two, three, sum, wide};
    for (int i = 0; i < 5; i++) zv_law_destroy(all[i]);
}

static void sequence(void **state) {
    (void)state;
    zvLaw *first = quintic(0, 1, 1), *second = wave(3, 0);
    zvLaw *law = MADE(
        zv_law_sequence(0.5, 3, (zvLaw *[]){quintic(0, 1, 1), wave(3, 0), constant(7)}, (double[]){1.5, 2}, &error));
    for (double t = -1; t < 5; t += 1 / 32.0) {
        double x[3], expected[3] = {0};
        zv_law_at(law, t, &x[0], &x[1], &x[2]);
        if (t >= 4)
            expected[0] = 7;
        else if (t >= 2)
            zv_law_at(second, t - 2, &expected[0], &expected[1], &expected[2]);
        else
            zv_law_at(first, t - 0.5, &expected[0], &expected[1], &expected[2]);
        for (int k = 0; k < 3; k++) assert_true(x[k] == expected[k]);
    }
    expect_breaks(law, -9, 4, (double[]){0.5, 1.5, 2, 4});
    zv_law_destroy(first);
    zv_law_destroy(second);
    zv_law_destroy(law);
}

/* Before the start a sequence rests at its first value, even if its first part goes back for ever. */
static void rests_before(void **state) {
    (void)state;
    zvLaw *law = MADE(zv_law_sequence(2, 1, (zvLaw *[]){wave(3, 0)}, NULL, &error));
    expect_rest(law, 1.9, (double[]){1});
    double x, dx;
    zv_law_at(law, 2, &x, &dx, NULL);
    assert_true(x == 1 && dx == 6);
    expect_breaks(law, 0, 1, (double[]){2});
    zv_law_destroy(law);
}

/* At its own breaks a part that runs later shows the value after the break, although times round. */
static void rounded_breaks(void **state) {
    (void)state;
    for (int n = 0; n < 2000; n++) {
        const double start = n * 0.1 + 0.013;
        zvLaw *law = MADE(zv_law_sequence(start, 1, (zvLaw *[]){stairs()}, NULL, &error));
        double t = zv_law_next_break(law, -1);
        assert_true(t == start);
        for (int k = 1; k <= 4; k++) {
            double x, before;
            t = zv_law_next_break(law, t);
            zv_law_at(law, t, &x, NULL, NULL);
            zv_law_at(law, nextafter(nextafter(t, 0), 0), &before, NULL, NULL);
            if (x != k || before != (k == 1 ? 1 : k - 1))
                fail_msg("start %.17g: %g before and %g at break %d, %.17g", start, before, x, k, t);
        }
        assert_true(zv_law_next_break(law, t) == INFINITY);
        zv_law_destroy(law);
    }
}

/* Sequence in sum in sequence: windows and clocks of the inner one move with the outer. */
static void nested(void **state) {
    (void)state;
    zvLaw *inner = MADE(zv_law_sequence(0.25, 2, (zvLaw *[]){quintic(0, 1, 0.5), wave(2, 0)}, (double[]){0.5}, &error));
    zvLaw *sum = MADE(zv_law_sum(2, (zvLaw *[]){inner, constant(10)}, &error));
    zvLaw *outer = MADE(zv_law_sequence(1, 3, (zvLaw *[]){constant(3), sum, constant(4)}, (double[]){1, 2}, &error));
    zvLaw *two = quintic(0, 1, 0.5), *three = wave(2, 0);
    for (double t = 0; t < 6; t += 1 / 32.0) {
        double x[3], expected[3] = {t < 2 ? 3 : t < 4 ? 10 : 4, 0, 0}, part[3] = {0};
        if (t >= 2.25 && t < 2.75) zv_law_at(two, t - 2.25, &part[0], &part[1], &part[2]);
        if (t >= 2.75 && t < 4) zv_law_at(three, t - 2.75, &part[0], &part[1], &part[2]);
        zv_law_at(outer, t, &x[0], &x[1], &x[2]);
        for (int k = 0; k < 3; k++) assert_true(x[k] == expected[k] + part[k]);
    }
    expect_breaks(outer, -9, 5, (double[]){1, 2, 2.25, 2.75, 4});
    zv_law_destroy(two);
    zv_law_destroy(three);
    zv_law_destroy(outer);
}

/* Depth is no limit: neither building, evaluating nor destroying recurses. */
static void deep(void **state) {
    (void)state;
    enum { DEPTH = 3000 };
    const clock_t begin = clock();
    zvLaw *law = constant(0);
    for (int i = 0; i < DEPTH; i++) {
        law = i % 2 ? MADE(zv_law_sum(2, (zvLaw *[]){law, constant(1)}, &error))
                    : MADE(zv_law_sequence(0, 1, (zvLaw *[]){law}, NULL, &error));
    }
    expect_rest(law, 1, (double[]){DEPTH / 2});
    zv_law_destroy(law);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 60);
}

/* Wide laws need no scratch: many entries, many parts. */
static void wide(void **state) {
    (void)state;
    enum { WIDTH = 200000 };
    double *value = calloc(4 * WIDTH, sizeof *value);
    for (int i = 0; i < WIDTH; i++) value[i] = i;
    zvLaw *sum = MADE(zv_law_sum(
        2, (zvLaw *[]){zv_law_constant(WIDTH, value, &error), zv_law_constant(WIDTH, value, &error)}, &error));
    zv_law_at(sum, 0, value + WIDTH, value + 2 * WIDTH, value + 3 * WIDTH);
    for (int i = 0; i < WIDTH; i++) assert_true(value[WIDTH + i] == 2.0 * i && value[3 * WIDTH + i] == 0);
    zv_law_destroy(sum);
    free(value);
}

/* A periodic part brings its breaks along. */
static void periodic_part(void **state) {
    (void)state;
    zvLaw *loop = MADE(zv_law_spline(1, 3, (double[]){0, 1, 2}, (double[]){0, 1, 0}, ZV_SPLINE_PERIODIC, &error));
    zvLaw *law = MADE(zv_law_sequence(0.5, 2, (zvLaw *[]){loop, constant(0)}, (double[]){4.25}, &error));
    expect_breaks(law, 0, 6, (double[]){0.5, 1.5, 2.5, 3.5, 4.5, 4.75});
    zv_law_destroy(law);
}

TESTS(sum_and_join, sequence, rests_before, rounded_breaks, nested, deep, wide, periodic_part)
