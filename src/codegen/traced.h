/* Kernel texts on the recording scalar: traced.cpp has those of the library, traced_lean.cpp those meant for
 * generated code. All use a tape that the caller opened and return edges of it.
 *
 * Inputs are numbered q: 0 ... nq-1, v: nq ... nq+nv-1, and a or tau: nq+nv ... nq+2nv-1, of the model (not the tree):
 * coupled mimic joints are contracted inside the program. */
#ifndef ZV_CODEGEN_TRACED_H
#define ZV_CODEGEN_TRACED_H

#include "codegen/lean.h"
#include "real/tape.h"
#include "zveno/codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of the tables of dynamics.h. output: (nv x nv) for "mass", (nv) for the other questions. */
zvStatus zv_trace_method(const zvModel *model, const char *question, const char *method, zvTape *tape, zvEdge *output);

/* A function of generated code. output as in zveno/codegen.h. */
zvStatus zv_trace_function(const zvLean *lean, zvGenerated function, zvTape *tape, zvEdge *output);
/* Numbers in the answer of a function. */
size_t zv_generated_size(const zvModel *model, zvGenerated function);

#ifdef __cplusplus
}
#endif
#endif
