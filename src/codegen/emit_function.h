/* One function of generated C. */
#ifndef ZV_CODEGEN_EMIT_FUNCTION_H
#define ZV_CODEGEN_EMIT_FUNCTION_H

#include "codegen/emit_program.h"
#include "codegen/emit_text.h"
#include "zveno/codegen.h"
#include "zveno/model.h"

/* How a function is called. */
typedef struct zvSignature {
    const char *given;  /* third input: "a", "tau", or NULL */
    bool velocity;      /* v is an input */
    const char *answer; /* name of the output */
    bool checked;       /* returns int: the guards */
    const char *what;   /* in words, for the header */
} zvSignature;

const zvSignature *zv_signature(zvGenerated function);

/* "int NAME_forward(const NAME_real *q, ...)" without the semicolon. The output may be an input of the same length,
 * so that only what comes from q alone can be declared not to overlap; C++ does not know restrict. */
void zv_code_prototype(zvCodeText *text, const char *name, zvGenerated function, bool definition);

/* The whole function; returns the number of its statements, or -1 when out of memory. */
long long zv_code_function(zvCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                           const zvProgram *program);

#endif
