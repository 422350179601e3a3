/* What a reader is to refuse, and how: status, place, token and words of the error. */
#ifndef TESTS_SUPPORT_ERROR_CASE_H
#define TESTS_SUPPORT_ERROR_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/status.h"

enum { ANY_COLUMN = -1 }; /* chosen by a library, and other in its other versions */

typedef struct ErrorCase {
    const char *text; /* what is read, or a part of it */
    zvStatus status;
    int line, column;
    const char *token; /* NULL: any */
    const char *words; /* part of the error text */
} ErrorCase;

/* That the error is the one expected, in this file. */
static inline void expect_error(const ErrorCase *c, const char *file, zvStatus status, const zvError *error) {
    const bool there =
        error->line == c->line && (c->column == ANY_COLUMN ? error->column >= 1 : error->column == c->column);
    if (status == c->status && error->status == status && there && (!c->token || strcmp(error->token, c->token) == 0) &&
        strstr(error->text, c->words) && strcmp(error->file, file) == 0)
        return;
    fail_msg("\n%.300s\ngave %s %s:%d:%d token \"%s\": %s\nnot  %s %s:%d:%d token \"%s\": %s", c->text,
             zv_status_name(status), error->file, error->line, error->column, error->token, error->text,
             zv_status_name(c->status), file, c->line, c->column, c->token ? c->token : "(any)", c->words);
}

#endif
