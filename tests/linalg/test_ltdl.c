/* Factors of matrices with the zeros of a tree, against dense algebra in long double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/ltdl.h"
#include "support/linear.h"
#include "support/near.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { N = 24 };

typedef struct Sample {
    int n, parent[N], start[N];
    double A[N * N];
    exact want[N * N]; /* A whole */
} Sample;

/* A sum of squares of forms that live on a path to the root: positive, and zero between branches. */
static Sample draw(uint64_t seed, int n, bool chain) {
    rtRandom random = {seed};
    Sample s = {.n = n};
    for (int i = 0; i < n; i++) s.parent[i] = chain ? i - 1 : rt_below(&random, i + 1) - 1;
    for (int i = 0; i < n; i++) s.start[i] = i > 0 && s.parent[i] == i - 1 ? s.start[i - 1] : i;
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

/* Paths run by run, rows taken whole, or, of a chain, dense. */
static ltdlPaths paths_of(const Sample *s) {
    const bool chain = s->n > 1 && s->start[s->n - 1] == 0;
    if (chain && s->n % 2) return ltdl_dense(s->n);
    return (ltdlPaths){s->n, s->parent, s->n % 3 ? s->start : NULL};
}

static bool factor(Sample *s) {
    double least[N];
    real_ok ok = 1;
    ltdl_factor(paths_of(s), s->A, least, &ok);
    return ok;
}

static bool positive(double *A) {
    double least[3];
    real_ok ok = 1;
    ltdl_factor(ltdl_dense(3), A, least, &ok);
    return ok;
}

static void factors(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Sample s = draw(seed, 1 + (int)(seed % N), seed % 3 == 0);
        near_about("seed %d", (int)seed);
        hide_upper(&s);
        assert_true(factor(&s));
        for (int i = 0; i < s.n; i++) { /* L^T D L */
            for (int j = 0; j <= i; j++) {
                exact sum = 0;
                for (int k = i; k < s.n; k++) {
                    const exact D = 1 / (exact)s.A[k * s.n + k], left = k == i ? 1 : s.A[k * s.n + i];
                    sum += left * D * (k == j ? 1 : (exact)s.A[k * s.n + j]);
                }
                assert_near((double)sum, s.want[i * s.n + j], 1e-13);
            }
        }
    }
}

static void solutions(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Sample s = draw(seed, 1 + (int)(seed % N), seed % 3 == 0);
        near_about("seed %d", (int)seed);
        double x[N];
        exact inverse[N * N], want[N], b[N];
        rtRandom random = {seed};
        rt_vector(&random, 1, s.n, x);
        for (int i = 0; i < s.n; i++) b[i] = x[i];
        assert_true(lin_inverse(s.n, s.want, inverse));
        lin_times(s.n, inverse, b, want);
        const double bound = 1e-15 * (double)lin_condition(s.n, s.want) * (1 + (double)lin_norm(s.n, inverse));
        hide_upper(&s);
        assert_true(factor(&s));
        ltdl_solve(paths_of(&s), s.A, x);
        for (int i = 0; i < s.n; i++) assert_near(x[i], want[i], bound);
    }
}

static void not_positive(void **state) {
    (void)state;
    double zero[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1};
    double indefinite[9] = {1, 0, 0, 2, 1, 0, 0, 0, 1};
    double singular[9] = {1, 0, 0, 1, 1, 0, 0, 0, 1};
    double nan_inside[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    double good[9] = {1, 0, 0, 0.5, 1, 0, 0, 0, 1};
    assert_false(positive(zero));
    assert_false(positive(indefinite));
    assert_false(positive(singular));
    assert_false(positive(nan_inside));
    assert_true(positive(good));
}

TESTS(factors, solutions, not_positive)
