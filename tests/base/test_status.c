/* Statuses, error texts, and the version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/status.h"
#include "zveno/version.h"

static void names_and_sentences(void **state) {
    (void)state;
    assert_string_equal(zv_status_name(ZV_OK), "ZV_OK");
    assert_string_equal(zv_status_name(ZV_SYNTAX), "ZV_SYNTAX");
    assert_string_equal(zv_status_sentence(ZV_MEMORY), "out of memory");
    assert_string_equal(zv_status_name((zvStatus)-999), "ZV_UNKNOWN");
    assert_true(strlen(zv_status_sentence((zvStatus)-999)) > 0);
    assert_true(ZV_DEGRADED > 0 && ZV_SINGULAR < 0);
}

static void failing_fills_everything(void **state) {
    (void)state;
    zvError error;
    memset(&error, 0x55, sizeof error);
    zvMark mark = {"arm.urdf", 12, 7};
    assert_int_equal(zv_fail(&error, ZV_NUMBER, mark, "1,5", "mass is %s; write %.1f", "odd", 1.5), ZV_NUMBER);
    assert_int_equal(error.status, ZV_NUMBER);
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 7);
    assert_string_equal(error.file, "arm.urdf");
    assert_string_equal(error.token, "1,5");
    assert_string_equal(error.text, "mass is odd; write 1.5");
    assert_int_equal(zv_fail(NULL, ZV_IO, mark, NULL, "nobody listens"), ZV_IO);
    zv_fail(&error, ZV_IO, (zvMark){0}, NULL, "gone");
    assert_true(error.file[0] == '\0' && error.token[0] == '\0' && error.line == 0);
}

/* The error of one failure may be part of the text of the next. */
static void text_of_its_own(void **state) {
    (void)state;
    zvError error;
    zv_fail(&error, ZV_IO, (zvMark){0}, "", "inner");
    zv_fail(&error, ZV_IO, (zvMark){0}, "", "outer: %s", error.text);
    assert_string_equal(error.text, "outer: inner");
}

static void lines(void **state) {
    (void)state;
    static const struct {
        zvMark mark;
        const char *line;
    } cases[] = {
        {{"a.urdf", 3, 4}, "a.urdf:3:4: bad"},
        {{"a.urdf", 3, 0}, "a.urdf:3: bad"},
        {{"a.urdf", 0, 0}, "a.urdf: bad"},
        {{NULL, 3, 4}, "bad"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvError error;
        char buffer[64], tiny[5];
        zv_fail(&error, ZV_SCHEMA, cases[i].mark, "", "bad");
        assert_string_equal(zv_error_line(&error, buffer, sizeof buffer), cases[i].line);
        zv_error_line(&error, tiny, sizeof tiny);
        assert_memory_equal(tiny, cases[i].line, strlen(cases[i].line) < 4 ? strlen(cases[i].line) : 4);
        assert_true(strlen(tiny) < sizeof tiny);
    }
}

/* Too long texts are cut between characters, never inside one. */
static void long_texts(void **state) {
    (void)state;
    char text[2000] = "";
    for (size_t i = 0; i + 2 < sizeof text - 1; i += 2) memcpy(text + i, "ж", 3);
    for (int shift = 0; shift < 2; shift++) {
        zvError error;
        zv_fail(&error, ZV_SYNTAX, (zvMark){text, 1, 1}, text + 2, "%s%s", shift ? "x" : "", text);
        assert_true(strlen(error.text) == sizeof error.text - 1 || strlen(error.text) == sizeof error.text - 2);
        assert_int_equal((strlen(error.text) - (size_t)shift) % 2, 0);
        assert_int_equal(strlen(error.token) % 2, 0);
        assert_int_equal(strlen(error.file) % 2, 0);
        assert_int_equal(strlen(error.token), sizeof error.token - 2);
    }
}

static void version(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", ZV_VERSION_MAJOR, ZV_VERSION_MINOR, ZV_VERSION_PATCH);
    assert_string_equal(zv_version(), text);
}

TESTS(names_and_sentences, failing_fills_everything, text_of_its_own, lines, long_texts, version)
