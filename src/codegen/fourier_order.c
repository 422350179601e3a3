/* The order in which terms are read. */
#include <stdlib.h>
#include <string.h>

#include "codegen/fourier.h"

typedef struct Item {
    const zvFourierSpace *space;
    const int8_t *key;
    double value, gross;
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
    const zvFourierSpace *s = x->space;
    int order = compare_rows(zv_key_angles(x->key), zv_key_angles(y->key), s->angles);
    if (!order) order = x->key[0] - y->key[0];
    if (!order) order = compare_rows(zv_key_exponents(s, x->key), zv_key_exponents(s, y->key), s->variables);
    return order;
}

zvStatus zv_fourier_sort(const zvFourierSpace *s, zvFourier *x) {
    if (x->count < 2) return ZV_OK;
    Item *item = malloc(x->count * sizeof *item);
    int8_t *key = malloc(x->room * s->width);
    if (!item || !key) {
        free(item);
        free(key);
        return ZV_MEMORY;
    }
    for (size_t i = 0; i < x->count; i++) item[i] = (Item){s, zv_fourier_key(s, x, i), x->value[i], x->gross[i]};
    if (x->count > 1) qsort(item, x->count, sizeof *item, compare);
    for (size_t i = 0; i < x->count; i++) {
        memcpy(key + i * s->width, item[i].key, s->width);
        x->value[i] = item[i].value;
        x->gross[i] = item[i].gross;
    }
    free(item);
    free(x->key);
    x->key = key;
    return ZV_OK;
}

int zv_key_same_turn(const zvFourierSpace *s, const int8_t *a, const int8_t *b) {
    return memcmp(a, b, 1 + (size_t)s->angles) == 0;
}
