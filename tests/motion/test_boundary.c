/* Boundary polynomials: reproduction of known polynomials for every pair of counts, and closed forms. */
#include "check_law.h"
#include "support/run_tests.h"

#include "support/random_tree_numbers.h"

static zvError error;
enum { MOST = 8, ORDER = 2 * MOST };

/* k-th derivative by s of sum c s^i, in long double. */
static long double derivative(int order, const double *c, int k, long double s) {
    long double sum = 0;
    for (int i = order - 1; i >= k; i--) {
        long double falling = (long double)c[i];
        for (int j = 0; j < k; j++) falling *= i - j;
        sum = sum * s + falling;
    }
    return sum;
}

/* Small whole coefficients: all derivatives at both ends are exact doubles, so the law has to be that polynomial up to
 * the rounding of its own arithmetic. The end expansions have coefficients below 5 C(15, 7) = 4e4 that are met with
 * 2^-k at the farthest: 5 sum C(15, k) 2^-k, with a factor k^2 in second derivatives. */
static void reproduces(int m, int n, rtRandom *random, double worst[3]) {
    const int order = m + n;
    const double start = 0.25, duration = 0.5;
    double c[ORDER], from[MOST], to[MOST];
    for (int i = 0; i < order; i++) c[i] = rt_below(random, 11) - 5;
    for (int k = 0; k < m; k++) from[k] = (double)(derivative(order, c, k, 0) * powl(2, k));
    for (int k = 0; k < n; k++) to[k] = (double)(derivative(order, c, k, 1) * powl(2, k));
    zvLaw *law = MADE(zv_law_boundary(1, start, duration, m, from, n, to, &error));
    for (int j = 0; j < 64; j++) {
        const double s = j / 64.0;
        double got[3];
        zv_law_at(law, start + duration * s, &got[0], &got[1], &got[2]);
        for (int k = 0; k < 3; k++) {
            const double exact = (double)(derivative(order, c, k, (long double)s) * powl(2, k));
            worst[k] = fmax(worst[k], fabs(got[k] - exact) / pow(2, k));
        }
    }
    expect_rest(law, start + duration, to);
    expect_rest(law, 0, from);
    zv_law_destroy(law);
}

static void every_pair(void **state) {
    (void)state;
    const uint64_t seed = 4711;
    rtRandom random = {seed};
    double all[3] = {0};
    for (int m = 1; m <= MOST; m++) {
        for (int n = 1; n <= MOST; n++) {
            double worst[3] = {0}, error_scale = 0;
            for (int i = 0; i < 20; i++) reproduces(m, n, &random, worst);
            double binomial = 1;
            const int degree = m + n - 1;
            for (int k = 0; k <= degree; k++) {
                error_scale += 5 * binomial * pow(0.5, k);
                binomial = binomial * (degree - k) / (k + 1);
            }
            const double allowed = 2.3e-16 * error_scale;
            for (int k = 0; k < 3; k++) {
                all[k] = fmax(all[k], worst[k]);
                if (worst[k] > allowed * pow(degree, k))
                    fail_msg("seed %d, %d and %d conditions: derivative %d is off by %.3g, allowed %.3g", (int)seed, m,
                             n, k, worst[k], allowed * pow(degree, k));
            }
        }
    }
    print_message("worst errors of x, dx, ddx: %.2g %.2g %.2g\n", all[0], all[1], all[2]);
}

/* From rest to rest with m conditions at both ends: dx = (2m-1)! / (m-1)!^2 (s (1 - s))^(m-1) / T. */
static void rest_to_rest(void **state) {
    (void)state;
    const double T = 2, factor[MOST + 1] = {0, 1, 6, 30, 140, 630, 2772, 12012, 51480};
    for (int m = 1; m <= MOST; m++) {
        const double from[MOST] = {1e3}, to[MOST] = {1e3 + 0.5}; /* the common part must not cost digits of dx */
        zvLaw *law = MADE(zv_law_boundary(1, 0, T, m, from, m, to, &error));
        for (int j = 0; j < 128; j++) {
            const double s = j / 128.0;
            const long double w = (long double)s * (1 - (long double)s);
            const long double dx = 0.5L * factor[m] * powl(w, m - 1) / T;
            const long double ddx =
                m == 1 ? 0 : 0.5L * factor[m] * (m - 1) * powl(w, m - 2) * (1 - 2 * (long double)s) / T / T;
            double got[3];
            zv_law_at(law, T * s, &got[0], &got[1], &got[2]);
            close_to(got[1], (double)dx, 2e-15 * pow(2, m), "dx", s);
            close_to(got[2], (double)ddx, 4e-15 * pow(2, m) * m, "ddx", s);
            if (j > 8 && j < 120) expect_derivatives(law, T * s, 0.01, 1e3, 1e-12);
        }
        zv_law_destroy(law);
    }
}

/* The quintic by its well-known coefficients 10, -15, 6, in several entries with different spans. */
static void quintic(void **state) {
    (void)state;
    const double from[3][2] = {{1, 0}}, to[3][2] = {{3, -4}};
    zvLaw *law = MADE(zv_law_boundary(2, 0, 1, 3, from[0], 3, to[0], &error));
    for (double s = 0; s < 1; s += 1 / 32.0) {
        double x[2], dx[2], ddx[2];
        const double f = s * s * s * (10 + s * (-15 + 6 * s)), df = 30 * s * s * (1 - s) * (1 - s);
        const double ddf = 60 * s * (1 - s) * (1 - 2 * s);
        zv_law_at(law, s, x, dx, ddx);
        for (int i = 0; i < 2; i++) {
            const double span = to[0][i] - from[0][i];
            close_to(x[i], from[0][i] + span * f, 1e-14, "x", s);
            close_to(dx[i], span * df, 4e-14, "dx", s);
            close_to(ddx[i], span * ddf, 2e-13, "ddx", s);
        }
    }
    expect_breaks(law, -1, 2, (double[]){0, 1});
    zv_law_destroy(law);
}

/* Velocities and accelerations that are asked for are there, at the first instant and just before the last. */
static void conditions_at_ends(void **state) {
    (void)state;
    const double start = 0.1, duration = 0.7, from[3] = {0.3, -1.7, 4.1}, to[3] = {-2.2, 0.9, -8.8};
    zvLaw *law = MADE(zv_law_boundary(1, start, duration, 3, from, 3, to, &error));
    double got[3];
    zv_law_at(law, start, &got[0], &got[1], &got[2]);
    for (int k = 0; k < 3; k++) close_to(got[k], from[k], 4e-16 * fabs(from[k]), "start", k);
    zv_law_at(law, nextafter(start + duration, 0), &got[0], &got[1], &got[2]);
    for (int k = 0; k < 3; k++) close_to(got[k], to[k], 1e-13, "end", k); /* jerk is about 600 here */
    zv_law_destroy(law);
}

TESTS(every_pair, rest_to_rest, quintic, conditions_at_ends)
