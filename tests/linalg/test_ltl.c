/* Factors of matrices with the zeros of a tree, against dense algebra in long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linalg/ltl.h"
#include "support/linear.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"

enum { N = 24 };

typedef struct Sample {
    int n, parent[N];
    double A[N * N];
    exact want[N * N]; /* A whole */
} Sample;

/* A sum of squares of forms that live on a path to the root: positive, and zero between branches. */
static Sample draw(uint64_t seed, int n, bool chain) {
    rtRandom random = {seed};
    Sample s = {.n = n};
    for (int i = 0; i < n; i++) s.parent[i] = chain ? i - 1 : rt_below(&random, i + 1) - 1;
    for (int k = 0; k < n; k++) {
        double form[N] = {0};
        for (int i = k; i >= 0; i = s.parent[i]) form[i] = rt_uniform(&random, -1, 1);
        form[k] += 2;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) s.A[i * n + j] += form[i] * form[j];
        }
    }
    for (int i = 0; i < n * n; i++) s.want[i] = s.A[i];
    return s;
}

/* The upper triangle must not matter. */
static void hide_upper(Sample *s) {
    for (int i = 0; i < s->n; i++) {
        for (int j = i + 1; j < s->n; j++) s->A[i * s->n + j] = 0;
    }
}

static void factors(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Sample s = draw(seed, 1 + (int)(seed % N), seed % 3 == 0);
        near_about("seed %d", (int)seed);
        double scratch[N];
        hide_upper(&s);
        assert_true(ltl_factor(s.n, s.parent, s.A, scratch));
        for (int i = 0; i < s.n; i++) s.A[i * s.n + i] = 1 / s.A[i * s.n + i];
        for (int i = 0; i < s.n; i++) { /* L^T L */
            for (int j = 0; j <= i; j++) {
                exact sum = 0;
                for (int k = i; k < s.n; k++) sum += (exact)s.A[k * s.n + i] * s.A[k * s.n + j];
                assert_near((double)sum, s.want[i * s.n + j], 1e-13);
            }
        }
    }
}

static void solutions_and_inverse(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Sample s = draw(seed, 1 + (int)(seed % N), seed % 3 == 0);
        near_about("seed %d", (int)seed);
        double scratch[N], x[N];
        exact inverse[N * N], want[N], b[N];
        rtRandom random = {seed};
        rt_vector(&random, 1, s.n, x);
        for (int i = 0; i < s.n; i++) b[i] = x[i];
        assert_true(lin_inverse(s.n, s.want, inverse));
        lin_times(s.n, inverse, b, want);
        const double bound = 1e-15 * (double)lin_condition(s.n, s.want) * (1 + (double)lin_norm(s.n, inverse));
        hide_upper(&s);
        assert_true(ltl_factor(s.n, s.parent, s.A, scratch));
        ltl_solve(s.n, s.parent, s.A, x);
        for (int i = 0; i < s.n; i++) assert_near(x[i], want[i], bound);
        ltl_inverse(s.n, s.parent, s.A, scratch);
        for (int i = 0; i < s.n * s.n; i++) assert_near(s.A[i], inverse[i], bound);
    }
}

static void not_positive(void **state) {
    (void)state;
    static const int chain[3] = {-1, 0, 1};
    double scratch[3];
    double zero[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1};
    double indefinite[9] = {1, 0, 0, 2, 1, 0, 0, 0, 1};
    double singular[9] = {1, 0, 0, 1, 1, 0, 0, 0, 1};
    double nan_inside[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    double good[9] = {1, 0, 0, 0.5, 1, 0, 0, 0, 1};
    assert_false(ltl_factor(3, chain, zero, scratch));
    assert_false(ltl_factor(3, chain, indefinite, scratch));
    assert_false(ltl_factor(3, chain, singular, scratch));
    assert_false(ltl_factor(3, chain, nan_inside, scratch));
    assert_true(ltl_factor(3, chain, good, scratch));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors),
        cmocka_unit_test(solutions_and_inverse),
        cmocka_unit_test(not_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
