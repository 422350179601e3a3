/* Nearness of doubles, with both numbers in the text of a failure. To be included after cmocka.h. */
#ifndef ZV_TESTS_ACTUATE_NEAR_H
#define ZV_TESTS_ACTUATE_NEAR_H

#include <math.h>

static const double near_pi = 3.14159265358979323846;

#define assert_near(got, want, tolerance) \
    near_check((double)(got), (double)(want), (double)(tolerance), #got, __FILE__, __LINE__)

static inline void near_check(double got, double want, double tolerance, const char *what, const char *file, int line) {
    if (fabs(got - want) <= tolerance) return; /* NaN is far */
    print_error("%s is %.17g, not %.17g: off by %.3g, allowed %.3g\n", what, got, want, got - want, tolerance);
    _fail(file, line);
}

#endif
