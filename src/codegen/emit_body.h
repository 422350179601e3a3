/* The statements of a function: for one state, or for as many as NAME_lanes holds. */
#ifndef ZV_CODEGEN_EMIT_BODY_H
#define ZV_CODEGEN_EMIT_BODY_H

#include "codegen/emit_function.h"

/* Number of statements, or -1 when out of memory. */
long long zv_code_body(zvCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                       const zvProgram *program, bool lanes);

#endif
