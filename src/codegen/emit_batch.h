/* Batches in generated C: arrays of states, several in the lanes of a vector at once. */
#ifndef ZI_CODEGEN_EMIT_BATCH_H
#define ZI_CODEGEN_EMIT_BATCH_H

#include "codegen/emit_text.h"
#include "zveno/codegen.h"

/* Types and access that the statements of zi_code_lanes use. checked: some function has verdicts. */
void zi_code_batch_head(ziCodeText *text, const char *name, int lanes, bool checked);

/* "void NAME_inverse_batch(size_t count, size_t stride, ...)" without the semicolon. */
void zi_code_batch_prototype(ziCodeText *text, const char *name, zvGenerated function);

/* The loop over groups of states, the last of which may be incomplete. */
void zi_code_batch(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model);

#endif
