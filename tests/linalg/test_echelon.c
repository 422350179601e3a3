/* Elimination with complete pivoting: what it says of the unknowns is put back into the conditions. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/echelon.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = 14 };

/* G x + b = 0 with x of the independent ones at random; rows in units over six decades. */
static void answers_solve(void **state) {
    (void)state;
    int done = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        rtRandom random = {seed};
        const int rows = 1 + rt_below(&random, MOST), columns = 1 + rt_below(&random, MOST), stride = columns + 1;
        const int rank = rt_below(&random, 1 + (rows < columns ? rows : columns));
        double B[MOST * MOST], C[MOST * MOST], G[MOST * (MOST + 1)] = {0}, E[MOST * (MOST + 1)], x[MOST], y[MOST],
                                                                least;
        int taken[MOST];
        unsigned char kinds[MOST];
        rt_vector(&random, 1, rows * rank, B);
        rt_vector(&random, 1, rank * columns, C);
        rt_vector(&random, 1, columns, y);
        for (int i = 0; i < rows; i++) { /* b = -G y: consistent */
            double *row = G + i * stride;
            const double unit = rt_decades(&random, -3, 3);
            for (int j = 0; j < columns; j++) {
                for (int k = 0; k < rank; k++) row[j] += unit * B[i * rank + k] * C[k * columns + j];
                row[columns] -= row[j] * y[j];
            }
        }
        for (int j = 0; j < columns; j++) kinds[j] = rt_chance(&random, 0.3) ? ECHELON_LATER : ECHELON_FIRST;
        memcpy(E, G, sizeof G);
        const int found = echelon_reduce(rows, columns, stride, E, seed % 2 ? kinds : NULL, 1e-9, taken, &least);
        if (found != rank) fail_msg("seed %llu: rank %d, not %d", (unsigned long long)seed, found, rank);
        if (least < 1e-4) continue;
        done++;
        for (int j = 0; j < columns; j++) x[j] = taken[j] < 0 ? rt_uniform(&random, -1, 1) : 0;
        for (int j = 0; j < columns; j++) {
            if (taken[j] < 0) continue;
            const double *row = E + taken[j] * stride;
            double sum = -row[columns];
            for (int i = 0; i < columns; i++) sum -= taken[i] < 0 ? row[i] * x[i] : 0;
            x[j] = sum;
        }
        for (int i = 0; i < rows; i++) {
            double sum = G[i * stride + columns], size = fabs(sum);
            for (int j = 0; j < columns; j++) {
                sum += G[i * stride + j] * x[j];
                size = fmax(size, fabs(G[i * stride + j]) * (1 + fabs(x[j])));
            }
            if (!(fabs(sum) <= 64 * MOST * DBL_EPSILON / (least * least) * size))
                fail_msg("seed %llu: row %d is left with %g", (unsigned long long)seed, i, sum);
        }
    }
    assert_true(done > 1500);
}

static void kinds_are_minded(void **state) {
    (void)state;
    /* x0 + 10 x1 + x2 = 0 */
    const unsigned char later[3] = {ECHELON_FIRST, ECHELON_LATER, ECHELON_NEVER};
    const unsigned char never[3] = {ECHELON_NEVER, ECHELON_NEVER, ECHELON_LATER};
    double G[3] = {1, 10, 1}, least;
    int taken[3];
    assert_int_equal(echelon_reduce(1, 3, 3, G, NULL, 1e-9, taken, &least), 1);
    assert_true(taken[1] == 0 && taken[0] == -1 && taken[2] == -1 && least == 1);
    assert_int_equal(echelon_reduce(1, 3, 3, G, later, 1e-9, taken, &least), 1);
    assert_true(taken[0] == 0 && fabs(least - 0.1) < 1e-15 && fabs(G[1] - 10) < 1e-14);
    assert_int_equal(echelon_reduce(1, 3, 3, G, never, 1e-9, taken, &least), 1);
    assert_true(taken[2] == 0);
    double noise[6] = {1, 2, 3, 1e-16, 0, 1e-17};
    assert_int_equal(echelon_reduce(2, 3, 3, noise, NULL, 1e-9, taken, &least), 1);
    double zero[2] = {0, 0};
    assert_int_equal(echelon_reduce(1, 2, 2, zero, NULL, 1e-9, taken, &least), 0);
}

TESTS(answers_solve, kinds_are_minded)
