/* The robots that the program carries along: some of models/, as texts. */
#ifndef BENCH_BUILTIN_H
#define BENCH_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Builtin {
    const char *name;
    bool free_base;
    const char *lock; /* joints whose names begin so do not move; NULL: all move */
    const char *text; /* native format */
    size_t size;
} Builtin;

enum { BUILTINS = 4 };
extern const Builtin builtins[BUILTINS];

#endif
