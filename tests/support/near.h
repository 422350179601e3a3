/* Numbers that must agree: a failure names the expression, what was expected, what was found and how far off it is.
 * NaN is near nothing.
 *
 *     assert_near(found, expected, tolerance)                            |found - expected| <= tolerance
 *     assert_close(found, expected, tolerance)                           ... <= tolerance (1 + |expected|)
 *     assert_near_relative(found, expected, tolerance)                   ... <= tolerance |expected|
 *     assert_named_near(what, found, expected, tolerance)                as assert_near, with a name for the failure
 *     assert_element_near(what, index, found, expected, tolerance)       one element of an array
 *     assert_all_near(what, count, found, expected, tolerance)           every element of two arrays
 *     assert_all_near_scaled(what, count, found, expected, tolerance)    ... <= tolerance max |expected|
 *
 * near_about("seed %d", seed) says what the comparisons after it belong to. */
#ifndef ZV_TESTS_SUPPORT_NEAR_H
#define ZV_TESTS_SUPPORT_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static char near_case[160]; /* what is compared now: a robot, a seed */

__attribute__((unused, format(printf, 1, 2))) static void near_about(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(near_case, sizeof near_case, format, arguments);
    va_end(arguments);
}

static inline bool is_near(long double found, long double expected, long double tolerance) {
    return fabsl(found - expected) <= tolerance;
}

/* index < 0: no element of an array. */
static inline void near_check(const char *what, int index, long double found, long double expected,
                              long double tolerance, const char *file, int line) {
    if (is_near(found, expected, tolerance)) return;
    char element[24] = "";
    if (index >= 0) snprintf(element, sizeof element, "[%d]", index);
    print_error("%s%s%s%s: expected %.17Lg, found %.17Lg, off by %.3Lg, allowed %.3Lg\n", near_case,
                *near_case ? ": " : "", what, element, expected, found, found - expected, tolerance);
    _fail(file, line);
}

#define assert_element_near(what, index, found, expected, tolerance) \
    near_check(what, index, found, expected, tolerance, __FILE__, __LINE__)
#define assert_named_near(what, found, expected, tolerance) assert_element_near(what, -1, found, expected, tolerance)
#define assert_near(found, expected, tolerance) assert_named_near(#found, found, expected, tolerance)
#define assert_close(found, expected, tolerance) \
    assert_near(found, expected, (tolerance) * (1 + fabsl((long double)(expected))))
#define assert_near_relative(found, expected, tolerance) \
    assert_near(found, expected, (tolerance)*fabsl((long double)(expected)))

__attribute__((unused, noinline)) static void near_check_all(const char *what, int count, const double *found,
                                                             const double *expected, long double tolerance,
                                                             const char *file, int line) {
    for (int i = 0; i < count; i++) near_check(what, i, found[i], expected[i], tolerance, file, line);
}

__attribute__((unused, noinline)) static void near_check_exact(const char *what, int count, const double *found,
                                                               const long double *expected, long double tolerance,
                                                               const char *file, int line) {
    for (int i = 0; i < count; i++) near_check(what, i, found[i], expected[i], tolerance, file, line);
}

__attribute__((unused, noinline)) static void near_check_scaled(const char *what, int count, const double *found,
                                                                const double *expected, double tolerance,
                                                                const char *file, int line) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(expected[i]));
    near_check_all(what, count, found, expected, tolerance * most, file, line);
}

#define assert_all_near(what, count, found, expected, tolerance) \
    _Generic((expected)[0], long double                          \
             : near_check_exact, default                         \
             : near_check_all)(what, (int)(count), found, expected, tolerance, __FILE__, __LINE__)
#define assert_all_near_scaled(what, count, found, expected, tolerance) \
    near_check_scaled(what, (int)(count), found, expected, tolerance, __FILE__, __LINE__)

#endif
