/* Name table: FNV-1a hash, linear probing, at most half full. */
#include "base/names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "zveno/status.h"

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

/* A table of twice the size; the old one stays when memory is short. */
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

/* The name a user probably meant: least edit distance (Levenshtein), ignoring case. */

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Letters to insert, remove or exchange, in one row of the table [Wagner and Fischer 1974]; case does not count. */
static size_t edit_distance(const char *a, const char *b) {
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST) return LONGEST;
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++) row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t above = row[j];
            size_t same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]) ? 0 : 1;
            row[j] = least(row[j - 1] + 1, above + 1, diagonal + same);
            diagonal = above;
        }
    }
    return row[nb];
}

/* The nearest name, unless it is so far that another word must be meant. */
const char *zv_nearest_name(const char *word, const char *const *names, size_t count) {
    ZI_REQUIRE(word && (names || count == 0));
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2; /* farther than this is another word, not a slip */
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, names[i]);
        if (distance < best_distance && distance < strlen(names[i])) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}
