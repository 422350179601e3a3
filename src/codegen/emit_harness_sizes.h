/* The part of NAME_test.c that tells how large the terms of an answer are before they cancel, as agree/gross.h does,
 * with public functions of the library alone. */
#ifndef ZV_CODEGEN_EMIT_HARNESS_SIZES_H
#define ZV_CODEGEN_EMIT_HARNESS_SIZES_H

extern const char zv_harness_sizes[];
extern const char zv_harness_scales[];
extern const char zv_harness_conditioned[]; /* scales of answers that take a solution with M */
extern const char zv_harness_changes[];     /* scales of derivatives */

#endif
