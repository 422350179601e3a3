/* Robots read from a text in a test. */
#ifndef TESTS_READ_READ_TEXT_H
#define TESTS_READ_READ_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/read.h"

static inline zvBuilder *read_named(const char *name, const char *text) {
    zvError error = {0};
    char line[900];
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zv_read_memory(builder, name, text, strlen(text), ZV_FORMAT_AUTO, &error) != ZV_OK)
        fail_msg("%s", zv_error_line(&error, line, sizeof line));
    return builder;
}

static inline void expect_numbers(const double *got, const double *wanted, int count) {
    for (int i = 0; i < count; i++) {
        if (got[i] != wanted[i]) fail_msg("number %d is %.17g, not %.17g", i, got[i], wanted[i]);
    }
}

#endif
