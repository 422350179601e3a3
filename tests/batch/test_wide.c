/* The scalar of lanes against the numbers of C, lane by lane: every lane has its own answer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "batch/wide_scalar.h"
#include "support/run_tests.h"

/* Pairs that no two neighbours answer alike. */
static const double left[] = {-1.5, 2.25, 0, -0.25, 7, 3.5, -8.75, NAN, 1, -1, 1e9, INFINITY, 0.5, -3, 4.75, 2};
static const double right[] = {1.5, -2.25, 0, 0.25, 6, 4.5, -8.75, 1, NAN, -2, 2e9, 1, 0.5, -2, 4.25, 2};

static double expected(wideOperation operation, double a, double b) {
    switch (operation) {
    case WIDE_FLOOR: return floor(a);
    case WIDE_MIN: return fmin(a, b);
    case WIDE_MAX: return fmax(a, b);
    case WIDE_LESS: return a < b;
    case WIDE_DIFFERENT: return a != b;
    default: return a > b;
    }
}

static void check(double found, double want) { assert_true(found == want || (isnan(found) && isnan(want))); }

static void every_lane_has_its_own_answer(void **state) {
    (void)state;
    for (int operation = 0; operation < WIDE_OPERATIONS; operation++) {
        for (int first = 0; first < WIDE_MOST; first++) {
            double a[WIDE_MOST], b[WIDE_MOST], x[WIDE_MOST];
            float sa[WIDE_MOST], sb[WIDE_MOST], sx[WIDE_MOST];
            for (int i = 0; i < WIDE_MOST; i++) {
                a[i] = left[(first + i) % WIDE_MOST], b[i] = right[(first + i) % WIDE_MOST];
                sa[i] = (float)a[i], sb[i] = (float)b[i];
            }
            const int lanes = wide_double((wideOperation)operation, a, b, x);
            const int singles = wide_single((wideOperation)operation, sa, sb, sx);
            assert_true(lanes > 1 && singles > lanes && singles <= WIDE_MOST);
            for (int i = 0; i < lanes; i++) check(x[i], expected((wideOperation)operation, a[i], b[i]));
            for (int i = 0; i < singles; i++)
                check((double)sx[i], expected((wideOperation)operation, (double)sa[i], (double)sb[i]));
        }
    }
}

static void a_branch_is_taken_by_all_lanes(void **state) {
    (void)state;
    double a[WIDE_MOST], b[WIDE_MOST];
    float sa[WIDE_MOST], sb[WIDE_MOST];
    for (int i = 0; i < WIDE_MOST; i++) a[i] = i, b[i] = i + 1, sa[i] = (float)i, sb[i] = (float)(i + 1);
    assert_int_equal(wide_branch_double(a, b), 1);
    assert_int_equal(wide_branch_double(b, a), 0);
    assert_int_equal(wide_branch_single(sa, sb), 1);
    assert_int_equal(wide_branch_single(sb, sa), 0);
}

TESTS(every_lane_has_its_own_answer, a_branch_is_taken_by_all_lanes)
