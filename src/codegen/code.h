/* Code as it is written: a string that grows, the names in it, the files it becomes. */
#ifndef ZI_CODEGEN_CODE_H
#define ZI_CODEGEN_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/codegen.h"

/* Code of a file to be written: it grows, and one look at the end tells whether memory was enough. */

typedef struct ziCode {
    char *bytes; /* size of them, no NUL behind; NULL while empty */
    size_t size, capacity;
    bool failed; /* out of memory; what came after is lost */
    bool single; /* numbers are written as float */
    bool beyond; /* a number was to be written that the type does not hold */
} ziCode;

void zi_code_puts(ziCode *code, const char *string);
void zi_code_append(ziCode *code, const ziCode *more);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void zi_code(ziCode *code, const char *format, ...);
/* Each @ of the pattern becomes name. */
void zi_code_pattern(ziCode *code, const char *pattern, const char *name);
/* A literal of C that reads back as the same number, whatever the locale: "0.5", "1e-20", "3.0f". */
void zi_code_number(ziCode *code, double value);
/* What a user called something, inside of a comment: nothing in it ends the comment or steers a terminal. */
void zi_code_remark(ziCode *code, const char *name);
/* A string literal. */
void zi_code_string(ziCode *code, const char *string);
void zi_code_free(ziCode *code);

/* Names of files and functions. */

enum { ZI_NAME_SIZE = 64 };

/* Whether no variable and no module can have the name. */
bool zi_is_python_word(const char *name);

/* options->name when it is a C identifier, or one made of the model's name: "KUKA iiwa 14" becomes kuka_iiwa_14, "zv"
 * rzv. Names of the library, words of C and its headers are refused. */
zvStatus zi_code_name(const zvModel *model, const zvCodegenOptions *options, char name[ZI_NAME_SIZE], zvError *error);

/* Files of a generation: all of them are in place, or a failure tells which is not. */

/* Makes the directory unless it is there; the one above it must exist. */
zvStatus zi_code_directory(const char *directory, zvError *error);
/* Writes DIRECTORY/NAME ENDING, replaced only when complete, and notes it in the summary. */
zvStatus zi_code_file(const ziCode *code, const char *directory, const char *name, const char *ending,
                      zvCodegenSummary *summary, zvError *error);

#endif
