/* The three files of generated C. */
#ifndef ZV_CODEGEN_EMIT_SOURCE_H
#define ZV_CODEGEN_EMIT_SOURCE_H

#include "codegen/emit_text.h"
#include "zveno/codegen.h"

/* What the files have in common. */
typedef struct zvSource {
    const zvModel *model;
    const zvGenerateOptions *options;
    const char *name;
    const zvGenerateSummary *summary; /* operations and statements of the functions */
} zvSource;

void zv_code_header(zvCodeText *text, const zvSource *source);
/* What comes before the functions in NAME.c. */
void zv_code_source_head(zvCodeText *text, const zvSource *source);
void zv_code_harness(zvCodeText *text, const zvSource *source);

/* How the files are best compiled, "cc ... NAME.c". */
void zv_code_command(zvCodeText *text, const char *name);

#endif
