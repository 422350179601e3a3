/* The entry libFuzzer (or replay.c) calls, and how a target tells what it has found. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(int promise, const char *what) {
    if (promise) return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

#endif
