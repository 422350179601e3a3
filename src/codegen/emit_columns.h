/* The loop of columns.h as text: once for a file, once more over lanes. */
#ifndef ZV_CODEGEN_EMIT_COLUMNS_H
#define ZV_CODEGEN_EMIT_COLUMNS_H

#include "codegen/columns.h"
#include "codegen/emit_text.h"

/* "static void NAME_columns(f, limbs, X, Y)", which multiplies the columns of two matrices by -M^-1, and NAME_invert,
 * which does so with minus the identity that NAME_units writes. Over lanes (emit_batch.h): ..._lanes. functions: bits
 * of those that will call them. */
void zv_code_columns(zvCodeText *text, const char *name, const zvColumns *columns, unsigned functions, bool lanes);

/* What a function with the loop has at its beginning, so that stores are over when the loop comes, and at its end. */
void zv_code_columns_begin(zvCodeText *text, const char *name, zvGenerated function, bool lanes);
void zv_code_columns_end(zvCodeText *text, const char *name, zvGenerated function, bool lanes);

#endif
