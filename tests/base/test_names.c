/* Name table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/names.h"
#include "support/run_tests.h"

static void empty_table(void **state) {
    (void)state;
    ziNames names = {0};
    assert_int_equal(zi_names_find(&names, "a"), -1);
    assert_int_equal(zi_names_find(&names, NULL), -1);
    zi_names_free(&names);
}

/* The first value stays: duplicates are how the builder learns of names used twice. */
static void first_value_stays(void **state) {
    (void)state;
    ziNames names = {0};
    char copy[] = "a";
    assert_int_equal(zi_names_add(&names, "a", 7), 7);
    assert_int_equal(zi_names_add(&names, copy, 9), 7);
    assert_int_equal(zi_names_find(&names, copy), 7);
    assert_int_equal(zi_names_add(&names, "", 0), 0);
    assert_int_equal(zi_names_find(&names, ""), 0);
    assert_int_equal(zi_names_find(&names, NULL), -1);
    assert_int_equal(zi_names_find(&names, "A"), -1);
    assert_int_equal(names.used, 2);
    zi_names_free(&names);
    assert_int_equal(zi_names_find(&names, "a"), -1);
}

static void many_names(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static char texts[COUNT][12];
    ziNames names = {0};
    for (int i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "n%d", i);
        assert_int_equal(zi_names_add(&names, texts[i], i), i);
    }
    for (int i = 0; i < COUNT; i++) {
        if (zi_names_find(&names, texts[i]) != i) fail_msg("%s is lost", texts[i]);
    }
    assert_int_equal(zi_names_find(&names, "n20000"), -1);
    assert_true(names.size >= 2 * names.used && (names.size & (names.size - 1)) == 0);
    zi_names_free(&names);
}

TESTS(empty_table, first_value_stays, many_names)
