/* Arena: blocks of at least 4 KiB, freed together. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ziArenaBlock {
    ziArenaBlock *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

enum { BLOCK = 4096 };

static size_t aligned(size_t size) {
    size_t a = alignof(max_align_t);
    return (size + a - 1) / a * a;
}

static ziArenaBlock *new_block(ziArena *arena, size_t size) {
    size_t capacity = size > BLOCK ? size : BLOCK;
    ziArenaBlock *block = calloc(1, sizeof *block + capacity);
    if (!block) return NULL;
    block->size = capacity;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *zi_arena_alloc(ziArena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = aligned(size ? size : 1);
    ziArenaBlock *block = arena->blocks;
    if (!block || block->size - block->used < size) block = new_block(arena, size);
    if (!block) return NULL;
    void *result = block->bytes + block->used;
    block->used += size;
    return result;
}

int zi_arena_reserve(ziArena *arena, size_t size) {
    if (size > SIZE_MAX / 2) return 0;
    ziArenaBlock *block = arena->blocks;
    return (block && block->size - block->used >= size) || new_block(arena, size) != NULL;
}

char *zi_arena_text(ziArena *arena, const char *text) {
    if (!text) return NULL;
    size_t size = strlen(text) + 1;
    char *copy = zi_arena_alloc(arena, size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void zi_arena_free(ziArena *arena) {
    while (arena->blocks) {
        ziArenaBlock *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

zvStatus zi_memory_fits(const void *memory, size_t size, size_t needed, const char *what, zvError *error) {
    if ((uintptr_t)memory % 64 != 0) {
        return zv_fail(error, ZV_SIZE, (zvMark){0}, "",
                       "memory for %s: expected an address aligned to 64 bytes, found %p", what, memory);
    }
    if (size >= needed) return ZV_OK;
    return zv_fail(error, ZV_SIZE, (zvMark){0}, "", "memory for %s: expected %zu bytes, found %zu", what, needed, size);
}

/* Doubles, so that n additions take n steps in all. */
int zi_grow(void *pointer, size_t count, size_t *capacity, size_t item_size) {
    if (count < *capacity) return 1;
    size_t wanted = *capacity ? 2 * *capacity : 16;
    if (wanted > SIZE_MAX / item_size / 2) return 0;
    void *items; /* copied byte by byte: the caller's pointer has another type */
    memcpy(&items, pointer, sizeof items);
    items = realloc(items, wanted * item_size);
    if (!items) return 0;
    memcpy(pointer, &items, sizeof items);
    *capacity = wanted;
    return 1;
}
