/* The loop of columns.h as text: once for a file, once more over lanes. */
#ifndef ZI_CODEGEN_EMIT_COLUMNS_H
#define ZI_CODEGEN_EMIT_COLUMNS_H

#include "codegen/columns.h"
#include "codegen/emit_text.h"

/* "static void NAME_columns(f, limbs, X, Y)", which multiplies the columns of two matrices by -M^-1, and NAME_invert,
 * which does so with minus the identity that NAME_units writes. Over lanes (emit_batch.h): ..._lanes. functions: bits
 * of those that will call them. */
void zi_code_columns(ziCodeText *text, const char *name, const ziColumns *columns, unsigned functions, bool lanes);

/* What a function with the loop has at its beginning, so that stores are over when the loop comes, and at its end. */
void zi_code_columns_begin(ziCodeText *text, const char *name, zvGenerated function, bool lanes);
void zi_code_columns_end(ziCodeText *text, const char *name, zvGenerated function, bool lanes);

#endif
