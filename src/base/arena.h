/* Arena: many small allocations that end together. */
#ifndef ZI_BASE_ARENA_H
#define ZI_BASE_ARENA_H

#include <stddef.h>

#include "zveno/status.h"

typedef struct ziArenaBlock ziArenaBlock;
typedef struct ziArena {
    ziArenaBlock *blocks; /* newest first */
} ziArena;

/* Zeroed bytes aligned for any type; NULL when out of memory. */
void *zi_arena_alloc(ziArena *arena, size_t size);
/* A copy of text; NULL for NULL text or when out of memory. */
char *zi_arena_text(ziArena *arena, const char *text);
/* Makes sure that size bytes more fit without another block; 0 when out of memory. */
int zi_arena_reserve(ziArena *arena, size_t size);
void zi_arena_free(ziArena *arena);

/* Whether memory that a caller brings can hold `needed` bytes, aligned to 64; what: "a workspace for this model". */
zvStatus zi_memory_fits(const void *memory, size_t size, size_t needed, const char *what, zvError *error);

/* Grows a malloc'd array so that one more item fits. pointer is the address of the pointer to it; count items are used,
 * *capacity allotted. Returns 0 when out of memory; the array is then as it was. */
int zi_grow(void *pointer, size_t count, size_t *capacity, size_t item_size);

#endif
