/* The statements of a function: for one state, or for as many as NAME_lanes holds. */
#ifndef ZI_CODEGEN_EMIT_BODY_H
#define ZI_CODEGEN_EMIT_BODY_H

#include "codegen/emit_function.h"

/* Number of statements, or -1 when out of memory. */
long long zi_code_body(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                       const ziProgram *program, bool lanes);

#endif
