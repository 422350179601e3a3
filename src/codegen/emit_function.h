/* One function of generated C. */
#ifndef ZI_CODEGEN_EMIT_FUNCTION_H
#define ZI_CODEGEN_EMIT_FUNCTION_H

#include "codegen/emit_program.h"
#include "codegen/emit_text.h"
#include "zveno/codegen.h"
#include "zveno/model.h"

/* How a function is called. */
typedef struct ziSignature {
    const char *given;     /* third input: "a", "tau", or NULL */
    bool velocity;         /* v is an input */
    const char *answer[5]; /* names of the outputs, NULL behind; sizes: zi_generated_part */
    bool checked;          /* returns int: the guards */
    const char *what;      /* in words, for the header */
} ziSignature;

const ziSignature *zi_signature(zvGenerated function);

/* Whether an output may be an input of the same length; otherwise none overlap. */
bool zi_signature_shares(zvGenerated function);

/* "int NAME_forward(const NAME_real *q, ...)" without the semicolon. Where arrays must not overlap the definition says
 * so; C++ does not know restrict. */
void zi_code_prototype(ziCodeText *text, const char *name, zvGenerated function, bool definition);
/* "q, [v, [a,]] tau": inputs and outputs, each between two strings; what follows the last is left out. */
void zi_code_arrays(ziCodeText *text, zvGenerated function, const char *input, const char *output, const char *behind,
                    const char *between);

/* The whole function; returns the number of its statements, or -1 when out of memory. */
long long zi_code_function(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                           const ziProgram *program);
/* The same statements over NAME_lanes (emit_batch.h): "static void NAME_forward_lanes(size_t stride, ...)". */
long long zi_code_lanes(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                        const ziProgram *program);

#endif
