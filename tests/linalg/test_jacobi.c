/* Jacobi's eigenvalues against the residue A V = V Lambda, orthogonality, closed forms and matrices of known spectrum.
 * Tolerance: 16 n eps, relative to the largest eigenvalue, or to each where scaling keeps its digits. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/jacobi.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = 40 };

static void check(uint64_t seed, int n, const double *A, double *values) {
    static double B[MOST * MOST], V[MOST * MOST];
    double largest = 0;
    memcpy(B, A, (size_t)(n * n) * sizeof *B);
    assert_true(jacobi_eigen(n, B, V));
    for (int k = 0; k < n; k++) {
        values[k] = B[k * n + k];
        largest = fmax(largest, fabs(values[k]));
    }
    const double bound = 16 * n * DBL_EPSILON;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            long double residue = -(long double)values[k] * V[k * n + i], product = 0;
            for (int j = 0; j < n; j++) {
                residue += (long double)A[i * n + j] * V[k * n + j];
                product += (long double)V[k * n + j] * V[i * n + j];
            }
            if (!(fabsl(residue) <= bound * largest))
                fail_msg("seed %llu: residue %Lg", (unsigned long long)seed, residue);
            if (!(fabsl(product - (i == k)) <= bound)) fail_msg("seed %llu: not orthogonal", (unsigned long long)seed);
        }
    }
}

static void random_matrices(void **state) {
    (void)state;
    for (uint64_t seed = 900; seed < 1000; seed++) {
        rtRandom random = {seed};
        const int n = 1 + (int)(seed % MOST);
        static double A[MOST * MOST];
        double values[MOST], trace = 0, sum = 0;
        rt_vector(&random, 1, n * n, A);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
            trace += A[i * n + i];
        }
        check(seed, n, A, values);
        for (int k = 0; k < n; k++) sum += values[k];
        assert_true(fabs(sum - trace) <= 16 * n * n * DBL_EPSILON);
    }
}

/* The second difference: 2 - 2 cos(k pi / (n + 1)). */
static void second_differences(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int n = 1; n <= MOST; n += 3) {
        static double A[MOST * MOST];
        double values[MOST];
        memset(A, 0, sizeof A);
        for (int i = 0; i < n; i++) {
            A[i * n + i] = 2;
            if (i > 0) A[i * n + i - 1] = A[(i - 1) * n + i] = -1;
        }
        check(0, n, A, values);
        for (int k = 1; k <= n; k++) {
            double nearest = 9;
            for (int i = 0; i < n; i++) nearest = fmin(nearest, fabs(values[i] - (2 - 2 * cos(k * pi / (n + 1)))));
            assert_true(nearest <= 64 * n * DBL_EPSILON);
        }
    }
}

/* Rows scaled over 24 decades: all eigenvalues keep their digits. s -> 0: [1 s/2; s/2 s^2] has 3/4 s^2 (1 - ...). */
static void small_eigenvalues_keep_their_digits(void **state) {
    (void)state;
    const double s = 1e-12;
    double A[4] = {1, s / 2, s / 2, s * s}, V[4];
    assert_true(jacobi_eigen(2, A, V));
    const double least = fmin(A[0], A[3]);
    assert_true(fabs(least - 0.75 * s * s) <= 4e-16 * s * s);
}

static void what_is_zero_stays_zero(void **state) {
    (void)state;
    double A[9] = {2, 0, 1, 0, 5, 0, 1, 0, 2}, V[9], zero[4] = {0}, W[4];
    assert_true(jacobi_eigen(3, A, V));
    assert_true(V[1] == 0 && V[7] == 0 && V[3] == 0 && V[5] == 0 && V[4] == 1 && A[4] == 5);
    assert_true(jacobi_eigen(2, zero, W));
    assert_true(zero[0] == 0 && zero[3] == 0);
}

TESTS(random_matrices, second_differences, small_eigenvalues_keep_their_digits, what_is_zero_stays_zero)
