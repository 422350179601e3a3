/* Checks on a stack of 256 KiB, on which recursion along a long chain would need megabytes. They run in a thread and
 * return a text instead of failing, because a failing assertion must jump within the main thread. */
#ifndef ZV_TESTS_SUPPORT_SMALL_STACK_H
#define ZV_TESTS_SUPPORT_SMALL_STACK_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { SMALL_STACK = 256 * 1024 };

static char problem[1024]; /* what a check found */

#define EXPECT(condition, ...)                              \
    do {                                                    \
        if (!(condition)) {                                 \
            snprintf(problem, sizeof problem, __VA_ARGS__); \
            return problem;                                 \
        }                                                   \
    } while (0)

static inline void on_small_stack(void *(*check)(void *), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *complaint = NULL;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, check, context), 0);
    assert_int_equal(pthread_join(thread, &complaint), 0);
    pthread_attr_destroy(&attributes);
    if (complaint) fail_msg("%s", (const char *)complaint);
}

#endif
