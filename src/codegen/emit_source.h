/* The three files of generated C. */
#ifndef ZI_CODEGEN_EMIT_SOURCE_H
#define ZI_CODEGEN_EMIT_SOURCE_H

#include "codegen/emit_text.h"
#include "zveno/codegen.h"

/* What the files have in common. */
typedef struct ziSource {
    const zvModel *model;
    const zvGenerateOptions *options;
    const char *name;
    const zvGenerateSummary *summary; /* operations and statements of the functions */
} ziSource;

void zi_code_header(ziCodeText *text, const ziSource *source);
/* What comes before the functions in NAME.c. */
void zi_code_source_head(ziCodeText *text, const ziSource *source);
void zi_code_harness(ziCodeText *text, const ziSource *source);

/* How the files are best compiled, "cc ... NAME.c". */
void zi_code_command(ziCodeText *text, const char *name);

#endif
