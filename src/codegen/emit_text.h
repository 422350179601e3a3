/* Text of a file to be written: it grows, and one look at the end tells whether memory was enough. */
#ifndef ZV_CODEGEN_EMIT_TEXT_H
#define ZV_CODEGEN_EMIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zvCodeText {
    char *bytes; /* size of them, no NUL behind; NULL while empty */
    size_t size, room;
    bool failed; /* out of memory; what came after is lost */
    bool single; /* numbers are written as float */
    bool beyond; /* a number was to be written that the type does not hold */
} zvCodeText;

void zv_code_puts(zvCodeText *text, const char *string);
void zv_code_append(zvCodeText *text, const zvCodeText *more);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void zv_code(zvCodeText *text, const char *format, ...);
/* Each @ of the pattern becomes name. */
void zv_code_pattern(zvCodeText *text, const char *pattern, const char *name);
/* A literal of C that reads back as the same number, whatever the locale: "0.5", "1e-20", "3.0f". */
void zv_code_number(zvCodeText *text, double value);
/* What a user called something, inside of a comment: nothing in it ends the comment or steers a terminal. */
void zv_code_remark(zvCodeText *text, const char *name);
/* A string literal. */
void zv_code_string(zvCodeText *text, const char *string);
void zv_code_free(zvCodeText *text);

#endif
