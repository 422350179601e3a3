/* What loops of native files are refused for, and files with very many of them. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/error_case.h"
#include "support/run_tests.h"
#include "support/sanitized.h"
#include "zveno/read.h"

enum { MANY = SANITIZED ? 20000 : 100000 };

/* Texts of the cases: after "zveno: 1\nloops:\n - ". */
#define ENDS "{name: x, parent: a, child: b, "

static const ErrorCase cases[] = {
    /* shape */
    {"arm\n", ZV_SCHEMA, 3, 4, "arm", "loop: expected a map, found \"arm\"; write key: value pairs"},
    {"{type: rod}\n", ZV_SCHEMA, 3, 4, "name", "loop: expected the key name, found none; add it, followed by a name"},
    {"{name: [x], type: rod}\n", ZV_SCHEMA, 3, 11, NULL, "name of loop: expected a word"},
    {"{name: x}\n", ZV_SCHEMA, 3, 4, "type",
     "loop \"x\": expected the key type, found none; add type, for example type: revolute"},
    {ENDS "type: revolut}\n", ZV_SCHEMA, 3, 41, "revolut",
     "type of loop \"x\": expected fixed, revolute, continuous, prismatic, "},
    {ENDS "type: blah}\n", ZV_SCHEMA, 3, 41, "blah", "spherical, free, rod or coupling"},
    {ENDS "type: gear}\n", ZV_SCHEMA, 3, 41, "gear", "; did you mean coupling?"},
    {ENDS "type: {rod: 1}}\n", ZV_SCHEMA, 3, 41, NULL, "type of loop \"x\": expected a word"},
    {"{name: x, type: revolute, child: b}\n", ZV_SCHEMA, 3, 4, "parent",
     "loop \"x\": expected the key parent, found none; add parent, the name of a link or frame"},
    {"{name: x, type: rod, parent: b}\n", ZV_SCHEMA, 3, 4, "child", "loop \"x\": expected the key child, found none"},
    /* keys */
    {ENDS "type: revolute, pose: {}}\n", ZV_SCHEMA, 3, 51, "pose", "did you mean \"origin\"?"},
    {ENDS "type: revolute, child_pose: {}}\n", ZV_SCHEMA, 3, 51, "child_pose", "did you mean \"child_origin\"?"},
    {ENDS "type: revolute, limits: {}}\n", ZV_SCHEMA, 3, 51, "limits",
     "expected a key of loop \"x\", found \"limits\"; its keys are name, type, parent, child, origin, child_origin, "
     "axis, "},
    {ENDS "type: revolute, length: 1}\n", ZV_SCHEMA, 3, 59, "1",
     "length of loop \"x\": expected a rod, found a loop of a joint, whose keys are name, type, parent, child, origin, "
     "child_origin, axis, axis2, pitch, curve, ball, damping, spring, dofs, driven, value"},
    {ENDS "type: rod, length: 1, axis: [1, 0, 0]}\n", ZV_SCHEMA, 3, 63, NULL,
     "axis of loop \"x\": expected a loop of a joint, found a rod, whose keys are name, type, parent, child, origin, "
     "child_origin, length"},
    {ENDS "type: rod, length: 1, driven: true}\n", ZV_SCHEMA, 3, 65, "true",
     "driven of loop \"x\": expected a key of a rod, found another: its length is moved by a motion drive with loop: "
     "NAME in the scenario"},
    {ENDS "type: coupling, terms: {a: 1}}\n", ZV_SCHEMA, 3, 22, "a",
     "parent of loop \"x\": expected a loop of a joint, found a coupling, whose keys are name, type, terms, offset"},
    {ENDS "type: revolute, offset: 1, terms: {}}\n", ZV_SCHEMA, 3, 59, "1",
     "offset of loop \"x\": expected a coupling, found"},
    {ENDS "type: revolute, pitch: 1}\n", ZV_SCHEMA, 3, 58, "1", "expected a helical joint, found a revolute one"},
    {ENDS "type: revolute, ball: true}\n", ZV_SCHEMA, 3, 57, "true", "expected a curve joint"},
    {ENDS "type: helical}\n", ZV_SCHEMA, 3, 4, "pitch", "loop \"x\": expected the key pitch, found none"},
    {ENDS "type: curve}\n", ZV_SCHEMA, 3, 4, "curve", "loop \"x\": expected the key curve, found none"},
    {ENDS "type: curve, curve: {line: {}}}\n", ZV_SCHEMA, 3, 62, "direction",
     "line of curve of loop \"x\": expected the key direc"},
    /* values */
    {ENDS "type: revolute, axis: [1, 0, .nan]}\n", ZV_NUMBER, 3, 64, ".nan", "finite"},
    {ENDS "type: revolute, origin: {xyz: [0, 0, .inf]}}\n", ZV_NUMBER, 3, 72, ".inf", "xyz of origin of loop \"x\""},
    {ENDS "type: revolute, child_origin: {xyz: [1]}}\n", ZV_SCHEMA, 3, 71, NULL, "xyz of child_origin of loop \"x\""},
    {ENDS "type: revolute, damping: nan}\n", ZV_NUMBER, 3, 60, "nan", "damping of loop \"x\""},
    {ENDS "type: revolute, spring: 5}\n", ZV_SCHEMA, 3, 59, "5", "spring of loop \"x\": expected a map"},
    {ENDS "type: planar, dofs: [{}, {}]}\n", ZV_SCHEMA, 3, 55, NULL,
     "each of the 3 freedoms of a planar joint, found a list of 2"},
    {ENDS "type: planar, dofs: [{}, {}, {friction: 1}]}\n", ZV_SCHEMA, 3, 65, "friction",
     "expected a key of freedom 3 of loop, found \"friction\"; its keys are damping, spring"},
    {ENDS "type: fixed, damping: 1}\n", ZV_SCHEMA, 3, 57, "1", "expected a joint that moves, found a fixed one"},
    {ENDS "type: planar, driven: true}\n", ZV_SCHEMA, 3, 57, "true", "driven of loop \"x\": expected a joint with one"},
    {ENDS "type: fixed, driven: true}\n", ZV_SCHEMA, 3, 56, "true",
     "expected a joint with one freedom, found another; remove it"},
    {ENDS "type: revolute, value: 1}\n", ZV_SCHEMA, 3, 58, "1",
     "expected a driven loop, found another; add driven: true"},
    {ENDS "type: revolute, driven: 1, value: 1}\n", ZV_SCHEMA, 3, 59, "1", "true or false"},
    {ENDS "type: rod}\n", ZV_SCHEMA, 3, 4, "length",
     "loop \"x\": expected the key length, found none; add length, the distance in m that it keeps between its ends"},
    {ENDS "type: rod, length: long}\n", ZV_NUMBER, 3, 54, "long", "length of loop \"x\""},
    {"{name: x, type: coupling}\n", ZV_SCHEMA, 3, 4, "terms",
     "loop \"x\": expected the key terms, found none; add terms: {joint: ratio, ...}"},
    {"{name: x, type: coupling, terms: [a, b]}\n", ZV_SCHEMA, 3, 37, "[...]",
     "terms of loop \"x\": expected a map from joints to ratios"},
    {"{name: x, type: coupling, terms: 3}\n", ZV_SCHEMA, 3, 37, "3", "expected a map from joints to ratios"},
    {"{name: x, type: coupling, terms: {}}\n", ZV_SCHEMA, 3, 37, "{...}", "expected a map from joints to ratios"},
    {"{name: x, type: coupling, terms: {a: 1, a: 2}}\n", ZV_NAME, 3, 44, "a", "was already given"},
    {"{name: x, type: coupling, terms: {a: b}}\n", ZV_NUMBER, 3, 41, "b", "ratio of terms of coupling \"x\""},
    {"{name: x, type: coupling, terms: {a: {b: 1}}}\n", ZV_SCHEMA, 3, 41, NULL, "ratio of terms of coupling"},
    {"{name: x, type: coupling, terms: {a: 1}, offset: -.inf}\n", ZV_NUMBER, 3, 53, "-.inf", "finite"},
};

static void check_case(const ErrorCase *c) {
    char text[400];
    snprintf(text, sizeof text, "zveno: 1\nloops:\n - %s", c->text);
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zv_read_memory(builder, "robot.yaml", text, strlen(text), ZV_FORMAT_NATIVE, &error);
    zv_builder_destroy(builder);
    expect_error(c, "robot.yaml", status, &error);
}

static void every_error_says_where_and_what(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

static zvStatus read_text(const char *text, size_t size, zvBuilder **builder, zvError *error) {
    *builder = zv_builder_create(error);
    assert_non_null(*builder);
    return zv_read_memory(*builder, "robot.yaml", text, size, ZV_FORMAT_NATIVE, error);
}

static void expect_refusal(const char *text, zvStatus wanted, const char *words) {
    zvError error = {0};
    zvBuilder *builder;
    const zvStatus status = read_text(text, strlen(text), &builder, &error);
    zv_builder_destroy(builder);
    if (status != wanted || !strstr(error.text, words)) fail_msg("%s: \"%s\"", zv_status_name(status), error.text);
}

static void sections_and_depth(void **state) {
    (void)state;
    static char deep[20000] = "zveno: 1\nloops: [{name: x, type: coupling, terms: {a: ";
    for (int i = 0; i < 5000; i++) strcat(deep, "[");
    expect_refusal(deep, ZV_SYNTAX, "nested deeper than");
    expect_refusal("zveno: 1\nloops: {name: x}\n", ZV_SCHEMA, "loops of the robot file: expected a list");
    expect_refusal("zveno: 1\nloop: []\n", ZV_SCHEMA, "did you mean \"loops\"?");
    expect_refusal("zveno: 1\njoints: [{name: j, type: fixed, parent: a, child: b, cut: 1}]\n", ZV_SCHEMA,
                   "cut of joint \"j\": expected true or false");
    expect_refusal("zveno: 1\njoints: [{name: j, type: fixed, parent: a, child: b, cut: false, child_origin: {}}]\n",
                   ZV_SCHEMA,
                   "cut of joint \"j\": expected true beside child_origin, which closes a loop, found false");
}

/* Names are unique among joints and loops; that is for the whole robot to say. */
static void names_given_twice(void **state) {
    (void)state;
    static const char base[] = "zveno: 1\nlinks: [{name: base}, {name: arm, mass: 1, inertia: [1, 1, 1]}]\n"
                               "joints: [{name: j, type: spherical, parent: base, child: arm}]\nloops:\n";
    static const char *const loops[] = {
        " - {name: j, type: rod, parent: base, child: arm, child_origin: {xyz: [1, 0, 0]}, length: 1}\n",
        " - {name: r, type: rod, parent: base, child: arm, child_origin: {xyz: [1, 0, 0]}, length: 1}\n"
        " - {name: r, type: rod, parent: base, child: arm, child_origin: {xyz: [0, 1, 0]}, length: 1}\n",
    };
    for (int i = 0; i < 2; i++) {
        char text[800];
        zvError error = {0};
        zvBuilder *builder;
        zvModel *model = NULL;
        snprintf(text, sizeof text, "%s%s", base, loops[i]);
        if (read_text(text, strlen(text), &builder, &error) != ZV_OK) fail_msg("%s", error.text);
        assert_int_equal(zv_builder_freeze(builder, &model, &error), ZV_NAME);
        assert_string_equal(error.token, i ? "r" : "j");
        assert_int_equal(error.line, i ? 6 : 5);
        assert_null(model);
        zv_builder_destroy(builder);
    }
}

/* Many ------------------------------------------------------------------------------------------ */

/* Processor time, s: it does not matter how busy the machine is. */
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool count_bytes(void *context, const char *text, size_t size) {
    (void)text;
    *(size_t *)context += size;
    return true;
}

/* Reads and writes; the builder is to be destroyed. */
static zvBuilder *pass(const char *text, size_t size, double allowed) {
    zvError error = {0};
    zvBuilder *builder;
    size_t written = 0;
    const double begin = seconds();
    if (read_text(text, size, &builder, &error) != ZV_OK) fail_msg("%s", error.text);
    assert_int_equal(zv_write_native(builder, count_bytes, &written, &error), ZV_OK);
    const double used = seconds() - begin;
    assert_true(written > size / 2);
    print_message("%zu bytes: %.2f s\n", size, used);
    if (used > allowed) fail_msg("%.1f s are too many", used);
    return builder;
}

static void very_many_loops(void **state) {
    (void)state;
    enum { LINE = 120 };
    char *text = malloc((size_t)MANY * LINE + 100), *at = text;
    assert_non_null(text);
    at += sprintf(at, "zveno: 1\nloops:\n");
    for (int i = 0; i < MANY; i++) {
        at += i % 3 == 0   ? sprintf(at, " - {name: l%d, type: rod, parent: a%d, child: b, length: 1}\n", i, i)
              : i % 3 == 1 ? sprintf(at, " - {name: l%d, type: coupling, terms: {j%d: 1, k: 2}}\n", i, i)
                           : sprintf(at, " - {name: l%d, type: revolute, parent: a%d, child: b}\n", i, i);
    }
    zvBuilder *builder = pass(text, (size_t)(at - text), 60);
    assert_int_equal(zv_builder_nloop(builder), MANY);
    zv_builder_destroy(builder);
    free(text);
}

static void very_many_terms(void **state) {
    (void)state;
    enum { LINE = 20 };
    char *text = malloc((size_t)MANY * LINE + 100), *at = text;
    assert_non_null(text);
    at += sprintf(at, "zveno: 1\nloops:\n - {name: x, type: coupling, terms: {\n");
    for (int i = 0; i < MANY; i++) at += sprintf(at, "   j%d: 1,\n", i);
    at += sprintf(at, "   }}\n");
    zvBuilder *builder = pass(text, (size_t)(at - text), 60);
    assert_int_equal(zv_builder_loop(builder, 0)->term_count, MANY);
    zv_builder_destroy(builder);
    free(text);
}

TESTS(every_error_says_where_and_what, sections_and_depth, names_given_twice, very_many_loops, very_many_terms)
