/* Batches in generated C: arrays of states, several in the lanes of a vector at once. */
#ifndef ZV_CODEGEN_EMIT_BATCH_H
#define ZV_CODEGEN_EMIT_BATCH_H

#include "codegen/emit_text.h"
#include "zveno/codegen.h"

/* Types and access that the statements of zv_code_lanes use. checked: some function has verdicts. */
void zv_code_batch_head(zvCodeText *text, const char *name, int lanes, bool checked);

/* "void NAME_inverse_batch(size_t count, size_t stride, ...)" without the semicolon. */
void zv_code_batch_prototype(zvCodeText *text, const char *name, zvGenerated function);

/* The loop over groups of states, the last of which may be incomplete. */
void zv_code_batch(zvCodeText *text, const char *name, zvGenerated function, const zvModel *model);

#endif
