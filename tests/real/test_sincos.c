/* Sine and cosine of the kernels against libm in extended precision. */
#include <float.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "real/sincos.h"
#include "support/run_tests.h"

#if LDBL_MANT_DIG >= 64
static const double most_ulps = 1.0;
#else
static const double most_ulps = 1.5; /* the reference itself is only a double, half an ulp off */
#endif

static uint64_t next(uint64_t *s) { /* splitmix64 */
    uint64_t z = (*s += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* in [-1, 1) */
static double uniform(uint64_t *s) { return (double)(int64_t)next(s) * 0x1p-63; }

static double ulps(double got, long double exact) {
    double size = fabs((double)exact), ulp = nextafter(size, INFINITY) - size;
    return (double)(fabsl((long double)got - exact) / (long double)ulp);
}

/* In every lane of a block: the argument, its half, its negative, and its neighbour. */
static void check(double x, const char *where) {
    enum { LANES = 4 };
    const double xs[LANES] = {x, x / 2, -x, nextafter(x, 0)};
    double s[LANES], c[LANES];
    sincos_array(LANES, xs, s, c);
    for (int i = 0; i < LANES; i++) {
        double es = ulps(s[i], sinl((long double)xs[i])), ec = ulps(c[i], cosl((long double)xs[i]));
        if (!(es <= most_ulps) || !(ec <= most_ulps)) {
            fail_msg("%s: at %a (%.17g) sine is off by %.3f ulp, cosine by %.3f", where, xs[i], xs[i], es, ec);
        }
    }
}

static void random_arguments(void **state) {
    (void)state;
    const uint64_t seed = 20240611;
    char where[64];
    snprintf(where, sizeof where, "seed %" PRIu64, seed);
    uint64_t s = seed;
    static const double ranges[] = {1e-8, 1e-3, 0.7853981633974483, 3.2, 100, 1e4, 1e5};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        for (int i = 0; i < 50000; i++) check(ranges[r] * uniform(&s), where);
    }
}

/* Near multiples of pi/2 the reduction loses most; the nearest double and its neighbours are the worst. */
static void near_multiples_of_half_pi(void **state) {
    (void)state;
    for (int k = -63000; k <= 63000; k += k > -300 && k < 300 ? 1 : 37) {
        double x = (double)(k * 1.5707963267948966192313216916397514L);
        check(x, "multiple of pi/2");
        check(nextafter(x, INFINITY), "above a multiple of pi/2");
        check(nextafter(x, -INFINITY), "below a multiple of pi/2");
        check(x + 0.78539816339744830962, "odd multiple of pi/4");
    }
}

static void special_arguments(void **state) {
    (void)state;
    static const double xs[] = {0, DBL_MIN, 0x1p-1074, 1e-300, 1, SINCOS_LARGEST, -SINCOS_LARGEST};
    for (size_t i = 0; i < sizeof xs / sizeof *xs; i++) check(xs[i], "special");
    double x[5] = {0}, s[5], c[5];
    sincos_array(5, x, s, c);
    for (int i = 0; i < 5; i++) assert_true(s[i] == 0 && c[i] == 1);
    sincos_array(0, NULL, NULL, NULL);
}

static void far_and_not_finite(void **state) {
    (void)state;
    const double xs[] = {0.5, 1e22, -123456.789, NAN, INFINITY, 2};
    enum { COUNT = sizeof xs / sizeof *xs };
    double s[COUNT], c[COUNT];
    sincos_array(COUNT, xs, s, c);
    for (int i = 0; i < COUNT; i++) {
        if (isfinite(xs[i])) {
            assert_true(s[i] == sin(xs[i]) && c[i] == cos(xs[i]));
        } else {
            assert_true(isnan(s[i]) && isnan(c[i]));
        }
    }
}

/* A pass over many gives what single calls give, wherever an argument stands. */
static void arrays(void **state) {
    (void)state;
    enum { COUNT = 67 };
    double x[COUNT], s[COUNT], c[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = 0.37 * i - 11;
    for (int n = 0; n <= COUNT; n++) {
        sincos_array(n, x, s, c);
        for (int i = 0; i < n; i++) {
            if (ulps(s[i], sinl((long double)x[i])) > most_ulps || ulps(c[i], cosl((long double)x[i])) > most_ulps) {
                fail_msg("entry %d of %d", i, n);
            }
        }
    }
}

TESTS(random_arguments, near_multiples_of_half_pi, special_arguments, far_and_not_finite, arrays)
