/* The part of NAME_test.c that tells how large the terms of an answer are before they cancel, as agree/gross.h does,
 * with public functions of the library alone. */
#ifndef ZV_CODEGEN_EMIT_HARNESS_SIZES_H
#define ZV_CODEGEN_EMIT_HARNESS_SIZES_H

#include "zveno/codegen.h"

/* Functions of the scales of answers. */
typedef struct zvHarnessScale {
    unsigned functions; /* bits of zvGenerated: whose harness has a use for it */
    const char *text;
} zvHarnessScale;

extern const char zv_harness_sizes[];
extern const zvHarnessScale zv_harness_scales[]; /* each after those it calls; the last has no text */
extern const char zv_harness_singular[];

#endif
