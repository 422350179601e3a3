/* Files of a generation: all of them are in place, or a failure tells which is not. */
#ifndef ZI_CODEGEN_EMIT_FILE_H
#define ZI_CODEGEN_EMIT_FILE_H

#include "codegen/emit_text.h"
#include "zveno/codegen.h"

/* Makes the directory unless it is there; the one above it must exist. */
zvStatus zi_code_directory(const char *directory, zvError *error);
/* Writes DIRECTORY/NAME ENDING, replaced only when complete, and notes it in the summary. */
zvStatus zi_code_file(const ziCodeText *text, const char *directory, const char *name, const char *ending,
                      zvGenerateSummary *summary, zvError *error);

#endif
