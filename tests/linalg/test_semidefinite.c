/* Pivoted Cholesky of singular matrices against answers that are known by construction, A = D B B^T D with B (n x rank)
 * and D diagonal: its range is that of D B, so x = D B w has the least norm of all that solve A x = A (D B w); and
 * against the pseudoinverse from eigenvalues. Tolerances: eps times the condition of B B^T scaled to unit diagonal,
 * found from its eigenvalues, and the spread of D where norms are compared. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/jacobi.h"
#include "linalg/semidefinite.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = 24, STRIDE = MOST + 3 };

static const struct semidefinite_floor FLOOR = {1e-11, 0};

typedef struct Case {
    uint64_t seed;
    int n, rank;
    double B[MOST * MOST], D[MOST]; /* n x rank */
    double A[MOST * STRIDE];
    double condition; /* of the scaled matrix on its range */
} Case;

static double entry(const Case *c, int i, int j) {
    double sum = 0;
    for (int k = 0; k < c->rank; k++) sum += c->B[i * c->rank + k] * c->B[j * c->rank + k];
    return sum * c->D[i] * c->D[j];
}

/* One over the least eigenvalue that is not zero of the matrix scaled to unit diagonal. */
static double condition(const Case *c) {
    static double S[MOST * MOST], V[MOST * MOST];
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) {
            const double d = sqrt(c->A[i * STRIDE + i]) * sqrt(c->A[j * STRIDE + j]);
            S[i * c->n + j] = d > 0 ? c->A[i * STRIDE + j] / d : 0;
        }
    }
    assert_true(jacobi_eigen(c->n, S, V));
    double largest[MOST]; /* descending */
    for (int k = 0; k < c->n; k++) {
        int at = k;
        for (; at > 0 && largest[at - 1] < S[k * c->n + k]; at--) largest[at] = largest[at - 1];
        largest[at] = S[k * c->n + k];
    }
    return c->rank > 0 ? 1 / largest[c->rank - 1] : 1;
}

static void make(Case *c, uint64_t seed, double decades) {
    rtRandom random = {seed};
    *c = (Case){.seed = seed, .n = 1 + rt_below(&random, seed % 2 ? 6 : MOST)};
    c->rank = rt_below(&random, c->n + 1);
    rt_vector(&random, 1, c->n * c->rank, c->B);
    for (int i = 0; i < c->n; i++) c->D[i] = rt_decades(&random, -decades, decades);
    if (c->n > 2 && rt_chance(&random, 0.2)) c->D[1] = 0; /* an inert row */
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) c->A[i * STRIDE + j] = entry(c, i, j);
    }
    if (c->D[1] == 0 && c->n > 2 && c->rank == c->n) c->rank = 0; /* rank is n - 1 then, B does not show it: drop it */
    c->condition = condition(c);
}

static int factor(const Case *c, double *A, int *order, double *scale) {
    memcpy(A, c->A, sizeof c->A);
    return semidefinite_factor(c->n, STRIDE, A, order, scale, NULL, FLOOR);
}

/* Cases whose rank rounding cannot blur. */
static bool clear(const Case *c) { return c->rank > 0 && c->condition < 1e7; }

static void solutions_have_least_norm(void **state) {
    (void)state;
    static Case c;
    static double A[MOST * STRIDE];
    int order[MOST], done = 0;
    double scale[MOST], *buffer = malloc(semidefinite_doubles(MOST) * sizeof *buffer);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        make(&c, seed, 0.5);
        if (!clear(&c)) continue;
        done++;
        rtRandom random = {seed + 77};
        double w[MOST], x[MOST] = {0}, b[MOST] = {0}, norm = 0;
        rt_vector(&random, 1, c.rank, w);
        for (int i = 0; i < c.n; i++) {
            for (int k = 0; k < c.rank; k++) x[i] += c.D[i] * c.B[i * c.rank + k] * w[k];
            norm = fmax(norm, fabs(x[i]));
        }
        for (int i = 0; i < c.n; i++) {
            for (int j = 0; j < c.n; j++) b[i] += c.A[i * STRIDE + j] * x[j];
        }
        if (factor(&c, A, order, scale) != c.rank) fail_msg("seed %llu: rank", (unsigned long long)seed);
        const double missed = semidefinite_solve(c.n, STRIDE, A, order, scale, c.rank, b, buffer);
        const double bound = 100 * 64 * c.n * DBL_EPSILON * c.condition * norm; /* 100: spread of D, squared */
        for (int i = 0; i < c.n; i++) {
            if (!(fabs(b[i] - x[i]) <= bound))
                fail_msg("seed %llu: x[%d] = %g off by %g > %g", (unsigned long long)seed, i, x[i], b[i] - x[i], bound);
        }
        assert_true(missed <= bound * 100 * c.n);
    }
    assert_true(done > 1500);
    free(buffer);
}

/* X^T X = Y^T A Y for X from B = A Y, rows scaled over sixteen decades. */
static void half_squares_to_the_form(void **state) {
    (void)state;
    static Case c;
    static double A[MOST * STRIDE], X[MOST * 9], Y[MOST * 7];
    int order[MOST];
    double scale[MOST];
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        make(&c, seed, 8);
        if (!clear(&c)) continue;
        rtRandom random = {seed + 99};
        rt_vector(&random, 1, c.n * 7, Y);
        for (int i = 0; i < c.n; i++) {
            for (int k = 0; k < 7; k++) {
                Y[i * 7 + k] *= c.D[i] > 0 ? 1 / c.D[i] : 0;
                X[i * 9 + k] = 0;
            }
        }
        for (int i = 0; i < c.n; i++) {
            for (int j = 0; j < c.n; j++) {
                for (int k = 0; k < 7; k++) X[i * 9 + k] += c.A[i * STRIDE + j] * Y[j * 7 + k];
            }
        }
        if (factor(&c, A, order, scale) != c.rank) fail_msg("seed %llu: rank", (unsigned long long)seed);
        semidefinite_half(c.n, STRIDE, A, order, scale, c.rank, 7, 9, X);
        for (int k = 0; k < 7; k++) {
            for (int l = 0; l < 7; l++) {
                double got = 0, want = 0, size = 0;
                for (int i = 0; i < c.n; i++) {
                    got += X[i * 9 + k] * X[i * 9 + l];
                    for (int j = 0; j < c.n; j++) {
                        const double part = Y[i * 7 + k] * c.A[i * STRIDE + j] * Y[j * 7 + l];
                        want += part;
                        size += fabs(part);
                    }
                }
                if (!(fabs(got - want) <= 64 * c.n * DBL_EPSILON * c.condition * size))
                    fail_msg("seed %llu: %g instead of %g", (unsigned long long)seed, got, want);
            }
        }
        for (int i = c.rank; i < c.n; i++) assert_true(X[i * 9] == 0 && X[i * 9 + 6] == 0);
    }
}

/* A^+ b from eigenvectors. */
static void agrees_with_the_pseudoinverse(void **state) {
    (void)state;
    static Case c;
    static double A[MOST * STRIDE], E[MOST * MOST], V[MOST * MOST];
    int order[MOST];
    double scale[MOST], *buffer = malloc(semidefinite_doubles(MOST) * sizeof *buffer);
    for (uint64_t seed = 5000; seed < 6000; seed++) {
        make(&c, seed, 0);
        if (!clear(&c) || c.condition > 1e4) continue;
        rtRandom random = {seed + 7};
        double y[MOST], b[MOST] = {0}, want[MOST] = {0}, size = 0;
        rt_vector(&random, 1, c.n, y);
        for (int i = 0; i < c.n; i++) {
            for (int j = 0; j < c.n; j++) {
                b[i] += c.A[i * STRIDE + j] * y[j];
                E[i * c.n + j] = c.A[i * STRIDE + j];
            }
        }
        assert_true(jacobi_eigen(c.n, E, V));
        for (int k = 0; k < c.n; k++) {
            double dot = 0;
            if (E[k * c.n + k] < 1e-7) continue;
            for (int i = 0; i < c.n; i++) dot += V[k * c.n + i] * b[i];
            for (int i = 0; i < c.n; i++) want[i] += V[k * c.n + i] * dot / E[k * c.n + k];
        }
        assert_int_equal(factor(&c, A, order, scale), c.rank);
        semidefinite_solve(c.n, STRIDE, A, order, scale, c.rank, b, buffer);
        for (int i = 0; i < c.n; i++) size = fmax(size, fabs(want[i]));
        for (int i = 0; i < c.n; i++) {
            if (!(fabs(b[i] - want[i]) <= 1024 * c.n * DBL_EPSILON * c.condition * size))
                fail_msg("seed %llu: %g instead of %g", (unsigned long long)seed, b[i], want[i]);
        }
    }
    free(buffer);
}

static void contradictions_are_measured(void **state) {
    (void)state;
    /* two rows say the same, the third is alone, the fourth does nothing; row 1 is asked for half a unit more */
    double A[16] = {2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0}, x[4] = {4, 4.5, 10, 0}, buffer[24];
    int order[4];
    double scale[4];
    assert_int_equal(semidefinite_factor(4, 4, A, order, scale, NULL, FLOOR), 2);
    const double missed = semidefinite_solve(4, 4, A, order, scale, 2, x, buffer);
    assert_true(fabs(missed - 0.5) < 1e-15);
    assert_true(fabs(x[0] - x[1]) < 1e-15 && fabs(x[2] - 2) < 1e-15 && x[3] == 0);
    double zero[4] = {0}, b[2] = {0, 3};
    assert_int_equal(semidefinite_factor(2, 2, zero, order, scale, NULL, FLOOR), 0);
    assert_true(semidefinite_solve(2, 2, zero, order, scale, 0, b, buffer) == 3 && b[0] == 0 && b[1] == 0);
}

static void sizes_of_hundreds(void **state) {
    (void)state;
    enum { N = 300, RANK = 270 };
    double *B = malloc(sizeof(double) * N * RANK), *A = malloc(sizeof(double) * N * N), scale[N], x[N] = {0},
           b[N] = {0};
    double *buffer = malloc(semidefinite_doubles(N) * sizeof *buffer);
    int order[N];
    rtRandom random = {4};
    rt_vector(&random, 1, N * RANK, B);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < RANK; k++) sum += B[i * RANK + k] * B[j * RANK + k];
            A[i * N + j] = A[j * N + i] = sum;
        }
    }
    double w[RANK], norm = 0;
    rt_vector(&random, 0.1, RANK, w);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < RANK; k++) x[i] += B[i * RANK + k] * w[k];
        norm = fmax(norm, fabs(x[i]));
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) b[i] += A[i * N + j] * x[j];
    }
    assert_int_equal(semidefinite_factor(N, N, A, order, scale, NULL, FLOOR), RANK);
    semidefinite_solve(N, N, A, order, scale, RANK, b, buffer);
    /* least singular value of B about sqrt(N) - sqrt(RANK) over sqrt(N) + sqrt(RANK): condition 1e3 to 1e4 squared */
    for (int i = 0; i < N; i++) assert_true(fabs(b[i] - x[i]) <= 1e4 * N * DBL_EPSILON * norm);
    free(B);
    free(A);
    free(buffer);
}

/* Three rows of which two are enough, one of them slight: it repeats the others, and counts as that, though what is
 * left of it may be more of its own diagonal than what is left of a strong one. The margin is that of the strong rows.
 */
static void slight_rows_repeat_strong_ones(void **state) {
    (void)state;
    for (int k = 0; k < 20; k++) {
        const double angle = 0.1 + 0.14 * k, slight = pow(10, -0.35 * k);
        const double rows[3][2] = {{1, 0}, {cos(0.3), sin(0.3)}, {slight * cos(angle), slight * sin(angle)}};
        const double unit[3] = {1, 1, 1};
        double A[9], scale[3];
        int order[3], weakest = -1;
        for (int i = 0; i < 9; i++) A[i] = rows[i / 3][0] * rows[i % 3][0] + rows[i / 3][1] * rows[i % 3][1];
        assert_int_equal(semidefinite_factor(3, 3, A, order, scale, unit, FLOOR), 2);
        const double margin = semidefinite_margin(3, A, order, scale, 2, unit, &weakest);
        assert_true(margin > 0.99 * sin(0.3) * sin(0.3));
    }
}

/* A matrix that holds one direction by 1e-6, others by 1, in axes turned by any angle: in units the direction is left
 * out or kept for every angle alike, and the margin tells how weak it is; of the matrix scaled to unit diagonal neither
 * is so. */
static void units_do_not_depend_on_axes(void **state) {
    (void)state;
    for (int k = 0; k < 16; k++) {
        const double c = cos(0.1 * k), s = sin(0.1 * k), weak = 1e-6, unit[2] = {0.5, 0.5};
        for (int kept = 0; kept < 2; kept++) {
            double A[4] = {c * c + weak * s * s, (1 - weak) * s * c, (1 - weak) * s * c, s * s + weak * c * c};
            double scale[2];
            int order[2], weakest = -1;
            const struct semidefinite_floor floor = {1e-11, kept ? 1e-7 : 1e-5};
            const int rank = semidefinite_factor(2, 2, A, order, scale, unit, floor);
            assert_int_equal(rank, 1 + kept);
            const double margin = semidefinite_margin(2, A, order, scale, rank, unit, &weakest);
            if (!kept) assert_true(margin == 1 && weakest < 0);
            if (kept) assert_true(margin > 1.99e-6 && margin < 4.01e-6 && weakest == order[1]);
        }
    }
}

TESTS(solutions_have_least_norm, half_squares_to_the_form, agrees_with_the_pseudoinverse, contradictions_are_measured,
      sizes_of_hundreds, units_do_not_depend_on_axes, slight_rows_repeat_strong_ones)
