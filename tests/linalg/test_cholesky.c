/* Pivoted Cholesky of small matrices against dense algebra in long double.
 * Tolerance: 32 n eps condition, relative to the largest entry. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "linalg/cholesky.h"
#include "support/linear.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

/* A sum of `rank` squares of random forms, rows scaled over some decades so that pivots must be sought. */
static void draw(rtRandom *random, int n, int rank, double decades, double *A) {
    double scale[CHOLESKY_MAX];
    for (int i = 0; i < n; i++) scale[i] = rt_decades(random, -decades, decades);
    for (int i = 0; i < n * n; i++) A[i] = 0;
    for (int k = 0; k < rank; k++) {
        double form[CHOLESKY_MAX];
        rt_vector(random, 1, n, form);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) A[i * n + j] += scale[i] * form[i] * scale[j] * form[j];
        }
    }
}

static void solves_and_inverts(void **state) {
    (void)state;
    for (uint64_t seed = 7100; seed < 7700; seed++) {
        rtRandom random = {seed};
        const int n = 1 + (int)(seed % CHOLESKY_MAX);
        double A[36], L[36], inverse[36], x[6];
        int order[6];
        exact wide[36], want[36], b[6], sum;
        draw(&random, n, n + 1, 1, A);
        for (int i = 0; i < n * n; i++) wide[i] = L[i] = A[i];
        rt_vector(&random, 1, n, x);
        for (int i = 0; i < n; i++) b[i] = x[i];
        assert_true(lin_inverse(n, wide, want));
        assert_int_equal(cholesky_factor(n, L, order, 0), n);
        for (int i = 1; i < n; i++) assert_true(L[i * n + i] <= L[(i - 1) * n + i - 1] * (1 + 1e-12));
        cholesky_solve(n, L, order, x);
        cholesky_inverse(n, L, order, inverse);
        const exact bound = 32 * n * DBL_EPSILON * lin_condition(n, wide), largest = lin_norm(n, want);
        for (int i = 0; i < n; i++) {
            sum = 0;
            for (int j = 0; j < n; j++) {
                sum += want[i * n + j] * b[j];
                assert_true(inverse[i * n + j] == inverse[j * n + i]);
                if (!(fabsl(inverse[i * n + j] - want[i * n + j]) <= bound * largest))
                    fail_msg("seed %llu: inverse %d %d", (unsigned long long)seed, i, j);
            }
            if (!(fabsl(x[i] - sum) <= bound * largest)) fail_msg("seed %llu: x %d", (unsigned long long)seed, i);
        }
    }
}

static void tells_the_rank(void **state) {
    (void)state;
    for (uint64_t seed = 7700; seed < 8000; seed++) {
        rtRandom random = {seed};
        const int n = 2 + (int)(seed % 5), rank = rt_below(&random, n);
        double A[36];
        int order[6];
        draw(&random, n, rank, 0, A);
        const int found = cholesky_factor(n, A, order, 1e-13 * n);
        if (found > rank) fail_msg("seed %llu: rank %d, found %d", (unsigned long long)seed, rank, found);
    }
}

static void refuses_what_is_not_positive(void **state) {
    (void)state;
    int order[2];
    double indefinite[] = {1, 2, 2, 1}, zero[] = {0, 0, 0, 0}, nan_inside[] = {NAN, 0, 0, 1};
    assert_int_equal(cholesky_factor(2, indefinite, order, 0), 1);
    assert_int_equal(cholesky_factor(2, zero, order, 0), 0);
    assert_true(cholesky_factor(2, nan_inside, order, 0) < 2);
}

TESTS(solves_and_inverts, tells_the_rank, refuses_what_is_not_positive)
