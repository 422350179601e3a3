/* The dense LU behind the full iteration matrix, against products in long double. */
#include "linalg/lu.h"
#include "support/run_tests.h"

#include "structures.h"

static const uint64_t seed = 20250318;

static double next_random(uint64_t *x) {
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return 2 * ((double)(*x >> 11) / 9007199254740992.0) - 1;
}

static void dense_lu(void **state) {
    (void)state;
    enum { MOST = 12 };
    uint64_t random = seed;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 200; trial++) {
        const int n = 1 + trial % MOST;
        double A[MOST * MOST], LU[MOST * MOST], x[MOST], r[MOST], found[MOST], scale[MOST];
        exact wide[MOST * MOST];
        int order[MOST];
        for (int i = 0; i < n * n; i++) A[i] = next_random(&random) * pow(10, (i / n) % 5 - 2); /* rows in odd units */
        for (int i = 0; i < n; i++) x[i] = next_random(&random);
        for (int i = 0; i < n * n; i++) wide[i] = (LU[i] = A[i]) * pow(10, 2 - (i / n) % 5);
        for (int i = 0; i < n; i++) {
            exact sum = 0;
            for (int j = 0; j < n; j++) sum += (exact)A[i * n + j] * x[j];
            r[i] = (double)sum;
        }
        assert_true(lu_factor(n, LU, order, scale));
        lu_solve(n, LU, order, r, found);
        const double most = 1e-15 * n * (double)lin_condition(n, wide);
        if (greatest_gap(x, found, n) > most) fail_msg("trial %d: off by %g", trial, greatest_gap(x, found, n));
        memcpy(LU, A, sizeof A);
        for (int i = 0; i < n; i++) LU[i * n + trial % n] = 0;
        assert_false(lu_factor(n, LU, order, scale));
        memcpy(LU, A, sizeof A);
        LU[trial % (n * n)] = NAN;
        assert_false(lu_factor(n, LU, order, scale));
    }
}

TESTS(dense_lu)
