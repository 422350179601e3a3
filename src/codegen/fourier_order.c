/* The order in which terms are read. */
#include <stdlib.h>
#include <string.h>

#include "codegen/fourier.h"

typedef struct Item {
    const ziFourierSpace *space;
    const int8_t *key;
    double value, error_scale;
} Item;

static int sum_of_sizes(const int8_t *entry, int count) {
    int sum = 0;
    for (int k = 0; k < count; k++) sum += abs(entry[k]);
    return sum;
}

/* First the smaller sum, then the larger early entry: q1 before q2, q1^2 before q1 q2. */
static int compare_rows(const int8_t *a, const int8_t *b, int count) {
    const int x = sum_of_sizes(a, count), y = sum_of_sizes(b, count);
    if (x != y) return x - y;
    for (int k = 0; k < count; k++)
        if (a[k] != b[k]) return b[k] - a[k];
    return 0;
}

static int compare(const void *a, const void *b) {
    const Item *x = a, *y = b;
    const ziFourierSpace *s = x->space;
    int order = compare_rows(zi_key_angles(x->key), zi_key_angles(y->key), s->angles);
    if (!order) order = x->key[0] - y->key[0];
    if (!order) order = compare_rows(zi_key_exponents(s, x->key), zi_key_exponents(s, y->key), s->variables);
    return order;
}

zvStatus zi_fourier_sort(const ziFourierSpace *s, ziFourier *x) {
    if (x->count < 2) return ZV_OK;
    Item *item = malloc(x->count * sizeof *item);
    int8_t *key = malloc(x->room * s->width);
    if (!item || !key) {
        free(item);
        free(key);
        return ZV_MEMORY;
    }
    for (size_t i = 0; i < x->count; i++) item[i] = (Item){s, zi_fourier_key(s, x, i), x->value[i], x->error_scale[i]};
    if (x->count > 1) qsort(item, x->count, sizeof *item, compare);
    for (size_t i = 0; i < x->count; i++) {
        memcpy(key + i * s->width, item[i].key, s->width);
        x->value[i] = item[i].value;
        x->error_scale[i] = item[i].error_scale;
    }
    free(item);
    free(x->key);
    x->key = key;
    return ZV_OK;
}

int zi_key_same_turn(const ziFourierSpace *s, const int8_t *a, const int8_t *b) {
    return memcmp(a, b, 1 + (size_t)s->angles) == 0;
}
