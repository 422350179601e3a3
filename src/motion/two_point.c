/* Two-point Taylor (Hermite) interpolation in closed form. Up to 8 and 8 conditions the sums cancel eight digits, which
 * long double has to spare; a law is made once. docs/motion.md (5) to (8). */
#include "motion/two_point.h"

/* C(n, k), exact: n <= 15. */
static long double binomial(int n, int k) {
    long double c = 1;
    for (int i = 1; i <= k; i++) c = c * (n - k + i) / i; /* whole at every step */
    return c;
}

void zi_two_point(int m, double *a, int n, const double *b) {
    long double rest[ZI_MOST_CONDITIONS], powers[ZI_MOST_CONDITIONS];
    /* What the known part leaves of the conditions at s = 1: (6). */
    for (int j = 0; j < n; j++) {
        rest[j] = b[j];
        for (int k = j; k < m; k++) rest[j] -= binomial(k, j) * (long double)a[k];
    }
    /* s^m R(s) has to give the rest; with v = 1 - s, R = rest(-v) (1 - v)^-m up to v^(n-1): (7). */
    for (int k = 0; k < n; k++) {
        powers[k] = 0;
        for (int j = 0; j <= k; j++) {
            const long double r = j % 2 ? -rest[j] : rest[j];
            powers[k] += r * binomial(m - 1 + k - j, k - j);
        }
    }
    /* From powers of 1 - s to powers of s: (8). */
    for (int i = 0; i < n; i++) {
        long double sum = 0;
        for (int k = i; k < n; k++) sum += binomial(k, i) * powers[k];
        a[m + i] = (double)(i % 2 ? -sum : sum);
    }
}
