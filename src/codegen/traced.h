/* Kernels on the recording scalar: traced.cpp has those of the library, traced_reduced.cpp those meant for
 * generated code. All use a tape that the caller opened and return edges of it.
 *
 * Inputs are numbered q: 0 ... nq-1, v: nq ... nq+nv-1, and a or tau: nq+nv ... nq+2nv-1, of the model (not the tree):
 * coupled mimic joints are contracted inside the program. */
#ifndef ZI_CODEGEN_TRACED_H
#define ZI_CODEGEN_TRACED_H

#include "codegen/reduced.h"
#include "real/tape.h"
#include "zveno/codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function beside those of zveno/codegen.h, of robots with q' = v: tau of inverse dynamics along a motion, its rate
 * and second derivative (nv each). Inputs q, v, and one after the other a, jerk and snap. */
#define ZI_GENERATED_RATES ZV_GENERATED_FUNCTIONS
static inline bool zi_has_rates(const zvModel *model) { return zv_model_nq(model) == zv_model_nv(model); }

/* A row of the tables of dynamics.h. output: zv_answer_size. */
zvStatus zi_trace_method(const zvModel *model, zvQuestion question, const char *method, ziTape *tape, ziEdge *output);

/* A function of generated code. output: the answer as in zveno/codegen.h, then its guards, two edges each. On a
 * counting tape the axes are not chosen: what is counted is more than what would be recorded. */
zvStatus zi_trace_function(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *output);
/* The same up to the loop over columns: parts as columns.h has them, then the guards. */
zvStatus zi_trace_to_columns(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *output);
/* Numbers in each of the answers of a function, 0 behind the last, and in all of them; its guards (program.h), of those
 * that solve: one per freedom, then one per quaternion; both: edges that zi_trace_function writes. */
size_t zi_generated_part(const zvModel *model, zvGenerated function, int part);
size_t zi_generated_size(const zvModel *model, zvGenerated function);
size_t zi_generated_guards(const zvModel *model, zvGenerated function);
static inline size_t zi_generated_edges(const zvModel *model, zvGenerated function) {
    return zi_generated_size(model, function) + 2 * zi_generated_guards(model, function);
}

#ifdef __cplusplus
}
#endif
#endif
