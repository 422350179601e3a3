/* The main function of a test program.
 *
 *   TESTS(first, second)                             runs `static void first(void **state)`, then second
 *   TESTS_BETWEEN(set_up, tear_down, first, second)  the same between two functions of cmocka's
 */
#ifndef TESTS_SUPPORT_RUN_TESTS_H
#define TESTS_SUPPORT_RUN_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* names: those of the functions, ", " between them. */
static inline int run_group(char *names, const CMUnitTestFunction *functions, size_t count, CMFixtureFunction set_up,
                            CMFixtureFunction tear_down) {
    enum { MOST = 64 };
    struct CMUnitTest tests[MOST] = {{0}}; /* rows without a name are passed over */
    if (count > MOST) {
        fprintf(stderr, "expected at most %d tests in a program, found %zu\n", (int)MOST, count);
        return 1;
    }
    char *next = names;
    for (size_t i = 0; i < count; i++) {
        tests[i].name = next;
        tests[i].test_func = functions[i];
        next += strcspn(next, ",");
        if (*next) *next++ = '\0';
        next += strspn(next, " ");
    }
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

#define TESTS_BETWEEN(set_up, tear_down, ...)                                                                    \
    int main(void) {                                                                                             \
        static char group_names[] = #__VA_ARGS__;                                                                \
        const CMUnitTestFunction group_functions[] = {__VA_ARGS__};                                              \
        return run_group(group_names, group_functions, sizeof group_functions / sizeof *group_functions, set_up, \
                         tear_down);                                                                             \
    }

#define TESTS(...) TESTS_BETWEEN(NULL, NULL, __VA_ARGS__)

#endif
