/* Code as it is written: a string that grows, the names in it, the files it becomes. */
#ifndef ZI_CODEGEN_CODE_H
#define ZI_CODEGEN_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/codegen.h"

/* Text of a file to be written: it grows, and one look at the end tells whether memory was enough. */

typedef struct ziCodeText {
    char *bytes; /* size of them, no NUL behind; NULL while empty */
    size_t size, room;
    bool failed; /* out of memory; what came after is lost */
    bool single; /* numbers are written as float */
    bool beyond; /* a number was to be written that the type does not hold */
} ziCodeText;

void zi_code_puts(ziCodeText *text, const char *string);
void zi_code_append(ziCodeText *text, const ziCodeText *more);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void zi_code(ziCodeText *text, const char *format, ...);
/* Each @ of the pattern becomes name. */
void zi_code_pattern(ziCodeText *text, const char *pattern, const char *name);
/* A literal of C that reads back as the same number, whatever the locale: "0.5", "1e-20", "3.0f". */
void zi_code_number(ziCodeText *text, double value);
/* What a user called something, inside of a comment: nothing in it ends the comment or steers a terminal. */
void zi_code_remark(ziCodeText *text, const char *name);
/* A string literal. */
void zi_code_string(ziCodeText *text, const char *string);
void zi_code_free(ziCodeText *text);

/* Names of files and functions. */

enum { ZI_NAME_ROOM = 64 };

/* options->name when it is a C identifier, or one made of the model's name: "KUKA iiwa 14" becomes kuka_iiwa_14, "zv"
 * rzv. Names of the library, words of C and its headers are refused. */
zvStatus zi_code_name(const zvModel *model, const zvGenerateOptions *options, char name[ZI_NAME_ROOM], zvError *error);

/* Files of a generation: all of them are in place, or a failure tells which is not. */

/* Makes the directory unless it is there; the one above it must exist. */
zvStatus zi_code_directory(const char *directory, zvError *error);
/* Writes DIRECTORY/NAME ENDING, replaced only when complete, and notes it in the summary. */
zvStatus zi_code_file(const ziCodeText *text, const char *directory, const char *name, const char *ending,
                      zvGenerateSummary *summary, zvError *error);

#endif
