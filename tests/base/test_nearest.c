/* The name a user probably meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/status.h"

static const char *const joints[] = {"shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", ""};
enum { COUNT = sizeof joints / sizeof *joints };

static void slips_of_the_pen(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"elbow", "elbow"},     {"elbwo", "elbow"},
        {"Elbow", "elbow"},     {"elbows", "elbow"},
        {"wrist2", "wrist_2"},  {"sholder_lift", "shoulder_lift"},
        {"WRIST_1", "wrist_1"}, {"shoulder-pan", "shoulder_pan"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *near = zv_nearest_name(pairs[i][0], joints, COUNT);
        if (!near || strcmp(near, pairs[i][1]) != 0) fail_msg("%s: %s", pairs[i][0], near ? near : "nothing is near");
    }
}

static void other_words(void **state) {
    (void)state;
    assert_null(zv_nearest_name("gripper", joints, COUNT));
    assert_null(zv_nearest_name("x", joints, COUNT));
    assert_null(zv_nearest_name("", joints, COUNT));
    assert_null(zv_nearest_name("elbow", joints, 0));
}

/* Texts longer than a name is likely to be are near nothing, and harm nobody. */
static void long_words(void **state) {
    (void)state;
    static char word[5000];
    memset(word, 'a', sizeof word - 1);
    const char *const names[] = {word, "elbow"};
    assert_null(zv_nearest_name("elbows and wrists", names, 2));
    assert_null(zv_nearest_name(word, joints, COUNT));
    assert_string_equal(zv_nearest_name("elbov", names, 2), "elbow");
}

TESTS(slips_of_the_pen, other_words, long_words)
