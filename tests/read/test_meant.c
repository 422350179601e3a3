/* Suggestions: words of other formats first, spelling second. */
#include "read/text.h"
#include "support/run_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/read.h"

static void words_of_other_formats(void **state) {
    (void)state;
    static const char *const ours[] = {"fixed", "revolute", "prismatic", "helical", "spherical", "free"};
    static const char *const urdf[] = {"fixed", "revolute", "prismatic", "floating"};
    assert_string_equal(zi_meant_name("ball", ours, 6), "spherical");
    assert_string_equal(zi_meant_name("hinge", ours, 6), "revolute");
    assert_string_equal(zi_meant_name("slide", ours, 6), "prismatic");
    assert_string_equal(zi_meant_name("slider", ours, 6), "prismatic");
    assert_string_equal(zi_meant_name("floating", ours, 6), "free");
    assert_string_equal(zi_meant_name("screw", ours, 6), "helical");
    assert_string_equal(zi_meant_name("free", urdf, 4), "floating");
    assert_string_equal(zi_meant_name("revolut", ours, 6), "revolute");
    assert_null(zi_meant_name("ball", urdf, 4));
}

static void expect_error(const char *text, const char *words) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    assert_true(zv_read_memory(builder, "robot", text, strlen(text), ZV_FORMAT_AUTO, &error) < 0);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    zv_builder_destroy(builder);
}

static void readers_use_them(void **state) {
    (void)state;
    expect_error("zveno: 1\njoints: [{name: j, type: hinge, parent: a, child: b}]\n", "; did you mean revolute?");
    expect_error(
        "zveno: 1\njoints: [{name: j, type: revolute, parent: a, child: b, mimic: {joint: k, multiplier: 2}}]\n",
        "did you mean \"ratio\"?");
    expect_error("<robot><joint name='j' type='slider'/></robot>", "did you mean \"prismatic\"?");
}

/* Errors say what to write instead. */
static void wrong_counts_get_a_remedy(void **state) {
    (void)state;
    expect_error(
        "<robot><joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin xyz='1 2'/></joint></robot>",
        "expected 3 numbers, found 2; write x y z separated by spaces");
    expect_error(
        "<robot><joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin rpy='1'/></joint></robot>",
        "expected 3 numbers, found 1; write roll pitch yaw separated by spaces");
    expect_error("<robot><link name='a'><inertial><mass value='1 2'/></inertial></link></robot>",
                 "expected 1 number, found 2; write one number");
    expect_error("zveno: 1\ngravity: [1, 2]\n", "expected 3 numbers, found 2; write [x, y, z]");
}

TESTS(words_of_other_formats, readers_use_them, wrong_counts_get_a_remedy)
