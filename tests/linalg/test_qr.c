/* Orthogonal factors of vectors that may depend on each other: V^T x nearest to f of least norm, against conditions
 * that say just that. V = D B C with B (count x rank), C (rank x length): V (f - V^T x) = 0, and x is among the rows'
 * combinations: x = V y for some y, here checked across null vectors of B^T D, found by elimination. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "linalg/echelon.h"
#include "linalg/qr.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = 16 };

typedef struct Case {
    int count, length, rank;
    double B[MOST * MOST], C[MOST * MOST], V[MOST * MOST]; /* B is scaled by D already */
} Case;

static void make(Case *c, rtRandom *random) {
    c->count = 1 + rt_below(random, MOST);
    c->length = 1 + rt_below(random, MOST);
    c->rank = rt_below(random, 1 + (c->count < c->length ? c->count : c->length));
    rt_vector(random, 1, c->count * c->rank, c->B);
    rt_vector(random, 1, c->rank * c->length, c->C);
    for (int i = 0; i < c->count; i++) {
        const double d = rt_decades(random, -1, 1);
        for (int k = 0; k < c->rank; k++) c->B[i * c->rank + k] *= d;
        for (int j = 0; j < c->length; j++) {
            double sum = 0;
            for (int k = 0; k < c->rank; k++) sum += c->B[i * c->rank + k] * c->C[k * c->length + j];
            c->V[i * c->length + j] = sum;
        }
    }
}

/* The least diagonal of R, at most one: what digits are lost to. */
static double least_pivot(const Case *c, const double *F) {
    double least = 1;
    for (int k = 0; k < c->rank; k++) least = fmin(least, fabs(F[k * c->length + k]));
    return least;
}

/* Null vectors of B^T, written over N; how many. */
static int null_vectors(const Case *c, double N[MOST][MOST]) {
    double Bt[MOST * MOST], least;
    int taken[MOST], found = 0;
    for (int k = 0; k < c->rank; k++) {
        for (int i = 0; i < c->count; i++) Bt[k * c->count + i] = c->B[i * c->rank + k];
    }
    assert_int_equal(echelon_reduce(c->rank, c->count, c->count, Bt, NULL, 1e-9, taken, &least), c->rank);
    for (int j = 0; j < c->count; j++) {
        if (taken[j] >= 0) continue;
        for (int i = 0; i < c->count; i++) N[found][i] = taken[i] >= 0 ? -Bt[taken[i] * c->count + j] : i == j;
        found++;
    }
    return found;
}

static void least_squares_of_least_norm(void **state) {
    (void)state;
    int done = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        rtRandom random = {seed};
        Case c;
        double F[MOST * MOST], scale[MOST], beta[MOST], f[MOST], g[MOST], x[MOST], size = 1, N[MOST][MOST];
        double buffer[MOST * (MOST + 2)], missed = 0;
        int order[MOST];
        make(&c, &random);
        for (int i = 0; i < c.count * c.length; i++) F[i] = c.V[i];
        const int rank = qr_factor(c.count, c.length, F, order, scale, beta, 1e-9);
        if (rank != c.rank) fail_msg("seed %llu: rank %d, not %d", (unsigned long long)seed, rank, c.rank);
        const double loss = 1 / least_pivot(&c, F);
        if (loss > 1e4) continue;
        done++;
        rt_vector(&random, 1, c.length, f);
        for (int j = 0; j < c.length; j++) g[j] = f[j];
        const double left = qr_solve(c.count, c.length, F, order, scale, beta, rank, g, x, buffer);
        for (int i = 0; i < c.count; i++) size = fmax(size, fabs(x[i]));
        for (int j = 0; j < c.length; j++) {
            g[j] = f[j];
            for (int i = 0; i < c.count; i++) g[j] -= c.V[i * c.length + j] * x[i];
            missed += g[j] * g[j];
        }
        const double bound = 1e4 * DBL_EPSILON * MOST * loss * loss * size; /* 1e4: the rows' scales, squared */
        if (!(fabs(sqrt(missed) - left) <= bound)) fail_msg("seed %llu: left", (unsigned long long)seed);
        for (int i = 0; i < c.count; i++) {
            const double across = qr_dot(c.length, c.V + i * c.length, g);
            if (!(fabs(across) <= bound)) fail_msg("seed %llu: not nearest by %g", (unsigned long long)seed, across);
        }
        for (int k = null_vectors(&c, N) - 1; k >= 0; k--) {
            const double along = qr_dot(c.count, N[k], x) / sqrt(qr_dot(c.count, N[k], N[k]));
            if (!(fabs(along) <= bound)) fail_msg("seed %llu: not least by %g", (unsigned long long)seed, along);
        }
    }
    assert_true(done > 1500);
}

TESTS(least_squares_of_least_norm)
