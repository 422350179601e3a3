/* The name a user probably meant: least edit distance (Levenshtein), ignoring case. */
#include "zveno/status.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

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

const char *zv_nearest_name(const char *word, const char *const *names, size_t count) {
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
