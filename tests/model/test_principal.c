/* Principal moments: invariants of random symmetric matrices, and bodies that are known. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/measure.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

static double determinant(const double m[6]) {
    return m[0] * (m[3] * m[5] - m[4] * m[4]) - m[1] * (m[1] * m[5] - m[4] * m[2]) + m[2] * (m[1] * m[4] - m[3] * m[2]);
}

/* Trace, sum of squares and determinant of a matrix are those of its eigenvalues. */
static void invariants(void **state) {
    (void)state;
    const uint64_t seed = 7;
    rtRandom random = {seed};
    for (int n = 0; n < 20000; n++) {
        double m[6], p[3], scale = rt_decades(&random, -8, 8);
        for (int k = 0; k < 6; k++) m[k] = scale * rt_uniform(&random, -1, 1);
        zi_principal_moments(m, p);
        double trace = m[0] + m[3] + m[5] - (p[0] + p[1] + p[2]);
        double squares = m[0] * m[0] + m[3] * m[3] + m[5] * m[5] + 2 * (m[1] * m[1] + m[2] * m[2] + m[4] * m[4]) -
                         (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        double product = determinant(m) - p[0] * p[1] * p[2];
        if (!(p[0] <= p[1] && p[1] <= p[2]) || fabs(trace) > 1e-14 * scale || fabs(squares) > 1e-13 * scale * scale ||
            fabs(product) > 1e-13 * scale * scale * scale) {
            fail_msg("seed %" PRIu64 ", matrix %d: %g %g %g", seed, n, p[0], p[1], p[2]);
        }
    }
}

static void known_bodies(void **state) {
    (void)state;
    double p[3];
    zi_principal_moments((double[6]){3, 0, 0, 1, 0, 2}, p);
    assert_true(p[0] == 1 && p[1] == 2 && p[2] == 3);
    zi_principal_moments((double[6]){0, 0, 0, 0, 0, 0}, p);
    assert_true(p[0] == 0 && p[1] == 0 && p[2] == 0);
    zi_principal_moments((double[6]){2, -1, -1, 2, -1, 2}, p); /* a rod along (1, 1, 1) */
    assert_true(fabs(p[0]) < 1e-15 && fabs(p[1] - 3) < 1e-14 && fabs(p[2] - 3) < 1e-14);
    zi_principal_moments((double[6]){1, NAN, 0, 1, 0, 1}, p); /* comes back */
}

TESTS(invariants, known_bodies)
