/* A growing piece of text. Results are collected in one and written at the end, so that a run that fails
 * half-way prints no half of a result. */
#ifndef ZVENO_CLI_TEXT_H
#define ZVENO_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Text {
    char *bytes; /* size bytes, NUL after them; NULL while empty */
    size_t size;
    size_t capacity;
    bool failed;     /* memory ran out; what came after is lost */
    bool not_finite; /* a number that is NaN or infinite was to be written */
} Text;

void text_put(Text *text, const char *bytes, size_t size);
void text_puts(Text *text, const char *string);
void text_repeat(Text *text, const char *string, size_t times);
void text_end_line(Text *text); /* without blanks at its end */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_printf(Text *text, const char *format, ...);

/* The shortest decimal form that reads back as the same double. */
void text_number(Text *text, double value);
/* Six significant digits, for people. */
void text_number_short(Text *text, double value);
/* A name for people: control characters are shown as \xNN or \uNNNN, and so are those that turn the direction of
 * writing, so that a file cannot steer the terminal. */
void text_name(Text *text, const char *name);

/* Length of the well-formed UTF-8 character at s, or 0: no overlong forms, surrogates or values above U+10FFFF. */
size_t utf8_length(const char *s);

void text_clear(Text *text);
void text_free(Text *text);
/* False when the stream did not take everything. */
bool text_write(const Text *text, FILE *stream);

#endif
