/* Arena: many small allocations that end together. */
#ifndef ZV_BASE_ARENA_H
#define ZV_BASE_ARENA_H

#include <stddef.h>

typedef struct zvArenaBlock zvArenaBlock;
typedef struct zvArena {
    zvArenaBlock *blocks; /* newest first */
} zvArena;

/* Zeroed bytes aligned for any type; NULL when out of memory. */
void *zv_arena_alloc(zvArena *arena, size_t size);
/* A copy of text; NULL for NULL text or when out of memory. */
char *zv_arena_text(zvArena *arena, const char *text);
/* Makes sure that size bytes more fit without another block; 0 when out of memory. */
int zv_arena_reserve(zvArena *arena, size_t size);
void zv_arena_free(zvArena *arena);

/* Grows a malloc'd array so that one more item fits. pointer is the address of the pointer to it; count items are used,
 * *capacity allotted. Returns 0 when out of memory; the array then stands as it was. */
int zv_grow(void *pointer, size_t count, size_t *capacity, size_t item_size);

#endif
