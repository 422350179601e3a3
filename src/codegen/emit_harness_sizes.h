/* The part of NAME_test.c that tells how large the terms of an answer are before they cancel, as agree/error scale.h
 * does, with public functions of the library alone. */
#ifndef ZI_CODEGEN_EMIT_HARNESS_SIZES_H
#define ZI_CODEGEN_EMIT_HARNESS_SIZES_H

#include "zveno/codegen.h"

/* Functions of the scales of answers. */
typedef struct ziHarnessScale {
    unsigned functions; /* bits of zvGenerated: whose harness has a use for it */
    const char *text;
} ziHarnessScale;

extern const char zi_harness_sizes[];
extern const ziHarnessScale zi_harness_scales[]; /* each after those it calls; the last has no text */
extern const char zi_harness_singular[];

#endif
