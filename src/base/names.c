/* Name table: FNV-1a hash, linear probing, at most half full. */
#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t hash(const char *text) {
    uint64_t h = 14695981039346656037u;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

static size_t slot_of(const ziNames *names, const char *text) {
    size_t slot = hash(text) & (names->size - 1);
    while (names->texts[slot] && strcmp(names->texts[slot], text) != 0) slot = (slot + 1) & (names->size - 1);
    return slot;
}

static int enlarge(ziNames *names) {
    ziNames bigger = {.size = names->size ? 2 * names->size : 32};
    bigger.texts = calloc(bigger.size, sizeof *bigger.texts);
    bigger.values = calloc(bigger.size, sizeof *bigger.values);
    if (!bigger.texts || !bigger.values) {
        zi_names_free(&bigger);
        return 0;
    }
    for (size_t i = 0; i < names->size; i++) {
        if (!names->texts[i]) continue;
        size_t slot = slot_of(&bigger, names->texts[i]);
        bigger.texts[slot] = names->texts[i];
        bigger.values[slot] = names->values[i];
    }
    bigger.used = names->used;
    zi_names_free(names);
    *names = bigger;
    return 1;
}

int zi_names_add(ziNames *names, const char *text, int value) {
    if (2 * (names->used + 1) > names->size && !enlarge(names)) return -1;
    size_t slot = slot_of(names, text);
    if (names->texts[slot]) return names->values[slot];
    names->texts[slot] = text;
    names->values[slot] = value;
    names->used++;
    return value;
}

int zi_names_find(const ziNames *names, const char *text) {
    if (!names->size || !text) return -1;
    size_t slot = slot_of(names, text);
    return names->texts[slot] ? names->values[slot] : -1;
}

void zi_names_free(ziNames *names) {
    free((void *)names->texts);
    free(names->values);
    memset(names, 0, sizeof *names);
}
