#include "codegen/fourier.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64, FARTHEST = 60 };
/* A coefficient below this share of what went into it is what rounding left of a zero. */
static const double residue = 1e-13;
/* Angles whose sine is below this are meant to be whole quarters of a turn. */
static const double quarter = 1e-15;

void zi_fourier_space_open(ziFourierSpace *s, int angles, int variables, size_t most, long long work) {
    const size_t used = 1 + (size_t)angles + (size_t)variables;
    *s = (ziFourierSpace){.angles = angles, .variables = variables, .most = most, .work = work};
    s->width = (used + 7) / 8 * 8;
}

void zi_fourier_space_close(ziFourierSpace *s) {
    free(s->table);
    s->table = NULL;
}

void zi_fourier_free(ziFourier *x) {
    free(x->value);
    free(x->error_scale);
    free(x->key);
    *x = (ziFourier){0};
}

/* -- a sum in the making ---------------------------------------------------------------------------------------- */

/* Three arrays grow together; what grew before a failure is kept. */
static zvStatus reserve_term(const ziFourierSpace *s, ziFourier *x) {
    if (x->count < x->capacity) return ZV_OK;
    const size_t capacity = x->capacity ? 2 * x->capacity : 8;
    double *value = realloc(x->value, capacity * sizeof *value);
    if (value) x->value = value;
    double *error_scale = realloc(x->error_scale, capacity * sizeof *error_scale);
    if (error_scale) x->error_scale = error_scale;
    int8_t *key = realloc(x->key, capacity * s->width);
    if (key) x->key = key;
    if (!value || !error_scale || !key) return ZV_MEMORY;
    x->capacity = capacity;
    return ZV_OK;
}

zvStatus zi_fourier_put(const ziFourierSpace *s, const int8_t *key, double value, double error_scale, ziFourier *x) {
    if (reserve_term(s, x) < 0) return ZV_MEMORY;
    memcpy(x->key + x->count * s->width, key, s->width);
    x->value[x->count] = value;
    x->error_scale[x->count++] = error_scale;
    return ZV_OK;
}

static size_t hash_of(const int8_t *key, size_t width) {
    uint64_t h = 0;
    for (size_t k = 0; k < width; k += 8) {
        uint64_t word;
        memcpy(&word, key + k, sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (size_t)(h ^ (h >> 32));
}

static zvStatus clear_table(ziFourierSpace *s, size_t slots) {
    if (s->slots != slots) {
        uint32_t *table = realloc(s->table, slots * sizeof *table);
        if (!table) return ZV_MEMORY;
        s->table = table;
        s->slots = slots;
    }
    memset(s->table, 0, slots * sizeof *s->table);
    return ZV_OK;
}

static zvStatus rehash(ziFourierSpace *s, const ziFourier *x) {
    if (clear_table(s, 2 * s->slots) < 0) return ZV_MEMORY;
    for (size_t i = 0; i < x->count; i++) {
        size_t at = hash_of(zi_fourier_key(s, x, i), s->width) & (s->slots - 1);
        while (s->table[at]) at = (at + 1) & (s->slots - 1);
        s->table[at] = (uint32_t)i + 1;
    }
    return ZV_OK;
}

static zvStatus begin_series(ziFourierSpace *s, ziFourier *x) {
    *x = (ziFourier){0};
    return clear_table(s, FIRST_SLOTS);
}

/* Adds a term, to the one with its key where there is one. */
static zvStatus add_term(ziFourierSpace *s, const int8_t *key, double value, double error_scale, ziFourier *x) {
    size_t at = hash_of(key, s->width) & (s->slots - 1);
    for (; s->table[at]; at = (at + 1) & (s->slots - 1)) {
        const size_t i = s->table[at] - 1;
        if (memcmp(zi_fourier_key(s, x, i), key, s->width) != 0) continue;
        x->value[i] += value;
        x->error_scale[i] += error_scale;
        return ZV_OK;
    }
    if (x->count >= s->most) return ZV_SIZE;
    s->table[at] = (uint32_t)x->count + 1;
    if (zi_fourier_put(s, key, value, error_scale, x) < 0) return ZV_MEMORY;
    return 2 * x->count > s->slots ? rehash(s, x) : ZV_OK;
}

/* Drops what is zero but for rounding. */
static void drop_zeros(const ziFourierSpace *s, ziFourier *x) {
    size_t kept = 0;
    for (size_t i = 0; i < x->count; i++) {
        if (!(fabs(x->value[i]) > residue * x->error_scale[i])) continue;
        x->value[kept] = x->value[i];
        x->error_scale[kept] = x->error_scale[i];
        memmove(x->key + kept * s->width, x->key + i * s->width, s->width);
        kept++;
    }
    x->count = kept;
}

/* -- operations ------------------------------------------------------------------------------------------------- */

/* A zeroed key on the heap: its width is the robot's. */
static int8_t *blank(const ziFourierSpace *s, size_t keys) { return calloc(keys, s->width); }

zvStatus zi_fourier_constant(ziFourierSpace *s, double value, ziFourier *x) {
    *x = (ziFourier){0};
    if (value == 0) return ZV_OK;
    int8_t *key = blank(s, 1);
    const zvStatus status = key ? zi_fourier_put(s, key, value, fabs(value), x) : ZV_MEMORY;
    free(key);
    return status;
}

zvStatus zi_fourier_variable(ziFourierSpace *s, int variable, ziFourier *x) {
    const zvStatus status = zi_fourier_constant(s, 1, x);
    if (status >= 0) x->key[1 + s->angles + variable] = 1;
    return status;
}

/* Makes the first multiple positive. 0 when there is none: the angle is zero; else the sign that a sine takes. */
static int orient(const ziFourierSpace *s, int8_t *key) {
    int8_t *multiple = key + 1;
    int first = 0;
    while (first < s->angles && multiple[first] == 0) first++;
    if (first == s->angles) return 0;
    if (multiple[first] > 0) return 1;
    for (int k = first; k < s->angles; k++) multiple[k] = (int8_t)-multiple[k];
    return -1;
}

/* Phases of quarter turns are exact, so that no term is left of what should vanish. */
zvStatus zi_fourier_turn(ziFourierSpace *s, int sine, double phase, const int *multiple, ziFourier *x) {
    double sp = sin(phase), cp = cos(phase);
    if (fabs(sp) < quarter) sp = 0, cp = cp < 0 ? -1 : 1;
    if (fabs(cp) < quarter) cp = 0, sp = sp < 0 ? -1 : 1;
    *x = (ziFourier){0};
    int8_t *key = blank(s, 1);
    zvStatus status = key ? ZV_OK : ZV_MEMORY;
    for (int k = 0; k < s->angles && status >= 0; k++) {
        if (abs(multiple[k]) > FARTHEST) status = ZV_NOT_SUPPORTED;
        key[1 + k] = (int8_t)multiple[k];
    }
    if (status >= 0) {
        const int sign = orient(s, key);
        /* sin(p + t) = sp cos t + cp sin t,  cos(p + t) = cp cos t - sp sin t */
        const double along = sine ? sp : cp, across = (sine ? cp : -sp) * sign;
        if (along != 0) status = zi_fourier_put(s, key, along, 1, x);
        key[0] = 1;
        if (across != 0 && status >= 0) status = zi_fourier_put(s, key, across, 1, x);
    }
    free(key);
    return status;
}

zvStatus zi_fourier_add(ziFourierSpace *s, double fa, const ziFourier *a, double fb, const ziFourier *b, ziFourier *x) {
    zvStatus status = begin_series(s, x);
    for (size_t i = 0; i < a->count && status >= 0; i++)
        status = add_term(s, zi_fourier_key(s, a, i), fa * a->value[i], fabs(fa) * a->error_scale[i], x);
    for (size_t i = 0; i < b->count && status >= 0; i++)
        status = add_term(s, zi_fourier_key(s, b, i), fb * b->value[i], fabs(fb) * b->error_scale[i], x);
    if (status >= 0) drop_zeros(s, x);
    return status;
}

/* sum and difference := what the keys of two factors give; 0 when out of range. */
static int combine(const ziFourierSpace *s, const int8_t *a, const int8_t *b, int8_t *sum, int8_t *difference) {
    int beyond = 0;
    const int turns = 1 + s->angles, all = turns + s->variables;
    sum[0] = difference[0] = a[0] ^ b[0];
    for (int k = 1; k < turns; k++) {
        const int p = a[k] + b[k], m = a[k] - b[k];
        beyond |= (p > FARTHEST) | (p < -FARTHEST) | (m > FARTHEST) | (m < -FARTHEST);
        sum[k] = (int8_t)p;
        difference[k] = (int8_t)m;
    }
    for (int k = turns; k < all; k++) {
        const int p = a[k] + b[k];
        beyond |= p > FARTHEST;
        sum[k] = difference[k] = (int8_t)p;
    }
    return !beyond;
}

/* Adds value times the turn of the key, which has any orientation. */
static zvStatus gather_turn(ziFourierSpace *s, int8_t *key, double value, double error_scale, ziFourier *x) {
    const int sign = orient(s, key);
    if (key[0] && sign == 0) return ZV_OK;
    return add_term(s, key, key[0] ? sign * value : value, error_scale, x);
}

/* 2 cos a cos b = cos(a+b) + cos(a-b),  2 sin a sin b = cos(a-b) - cos(a+b),
 * 2 sin a cos b = sin(a+b) + sin(a-b),  2 cos a sin b = sin(a+b) - sin(a-b) */
static zvStatus gather_product(ziFourierSpace *s, const int8_t *a, const int8_t *b, double value, double error_scale,
                               int8_t *scratch, ziFourier *x) {
    int8_t *sum = scratch, *difference = scratch + s->width;
    if (!combine(s, a, b, sum, difference)) return ZV_NOT_SUPPORTED;
    const double plus = a[0] && b[0] ? -value : value, minus = !a[0] && b[0] ? -value : value;
    const zvStatus status = gather_turn(s, sum, 0.5 * plus, 0.5 * error_scale, x);
    return status < 0 ? status : gather_turn(s, difference, 0.5 * minus, 0.5 * error_scale, x);
}

/* All pairs of terms; the work that is left bounds them. */
zvStatus zi_fourier_mul(ziFourierSpace *s, double factor, const ziFourier *a, const ziFourier *b, ziFourier *x) {
    const size_t pairs = a->count * b->count; /* counts are below the limit of a sum */
    *x = (ziFourier){0};
    if ((long long)pairs > s->work) return ZV_SIZE;
    s->work -= (long long)pairs;
    int8_t *scratch = blank(s, 2);
    zvStatus status = scratch ? begin_series(s, x) : ZV_MEMORY;
    for (size_t i = 0; i < a->count && status >= 0; i++) {
        for (size_t j = 0; j < b->count && status >= 0; j++) {
            const double va = factor * a->value[i], vb = b->value[j];
            const double error_scale = fmax(fabs(va) * b->error_scale[j], fabs(factor * vb) * a->error_scale[i]);
            status =
                gather_product(s, zi_fourier_key(s, a, i), zi_fourier_key(s, b, j), va * vb, error_scale, scratch, x);
        }
    }
    free(scratch);
    if (status >= 0) drop_zeros(s, x);
    return status;
}

/* x is replaced by a new sum: what it had is freed. */
zvStatus zi_fourier_gather(ziFourierSpace *s, double factor, const ziFourier *a, const ziFourier *b, ziFourier *x) {
    ziFourier product = {0}, sum = {0};
    zvStatus status = zi_fourier_mul(s, factor, a, b, &product);
    if (status >= 0) status = zi_fourier_add(s, 1, x, 1, &product, &sum);
    zi_fourier_free(&product);
    if (status < 0) {
        zi_fourier_free(&sum);
        return status;
    }
    zi_fourier_free(x);
    *x = sum;
    return ZV_OK;
}

/* cos -> -sin, sin -> cos with the rate of the whole angle; x^n -> n x^(n-1) */
zvStatus zi_fourier_derivative(ziFourierSpace *s, const ziFourier *a, int variable, const double *rate, ziFourier *x) {
    zvStatus status = begin_series(s, x);
    int8_t *key = blank(s, 1);
    if (!key) return ZV_MEMORY;
    for (size_t i = 0; i < a->count && status >= 0; i++) {
        const int8_t *from = zi_fourier_key(s, a, i);
        const int power = from[1 + s->angles + variable];
        double turning = 0;
        for (int k = 0; k < s->angles; k++) turning += from[1 + k] * rate[k];
        memcpy(key, from, s->width);
        key[0] = !from[0];
        const double factor = from[0] ? turning : -turning;
        if (turning != 0) status = add_term(s, key, factor * a->value[i], fabs(factor) * a->error_scale[i], x);
        memcpy(key, from, s->width);
        key[1 + s->angles + variable]--;
        if (power && status >= 0) status = add_term(s, key, power * a->value[i], power * a->error_scale[i], x);
    }
    free(key);
    if (status >= 0) drop_zeros(s, x);
    return status;
}

/* Term by term, for checks and choices; no sum of millions. */
double zi_fourier_value(const ziFourierSpace *s, const ziFourier *x, const double *angle, const double *variable) {
    double sum = 0;
    for (size_t i = 0; i < x->count; i++) {
        const int8_t *key = zi_fourier_key(s, x, i), *power = zi_key_exponents(s, key);
        double term = x->value[i], turned = 0;
        for (int k = 0; k < s->angles; k++) turned += zi_key_angles(key)[k] * angle[k];
        for (int k = 0; k < s->variables; k++)
            if (power[k]) term *= pow(variable[k], power[k]);
        sum += term * (key[0] ? sin(turned) : cos(turned));
    }
    return sum;
}

/* -- squares ---------------------------------------------------------------------------------------------------- */

/* Whether there is an angle, all of whose multiples are even. */
static bool is_double(const ziFourierSpace *s, const int8_t *key) {
    bool turned = false;
    for (int k = 0; k < s->angles; k++) {
        if (key[1 + k] % 2) return false;
        turned |= key[1 + k] != 0;
    }
    return turned;
}

/* The term without an angle that has the powers of this one and its coefficient but for the sign; -1: none. */
static int partner(const ziFourierSpace *s, const ziFourier *x, size_t term) {
    const int8_t *key = zi_fourier_key(s, x, term);
    for (size_t i = 0; i < x->count; i++) {
        const int8_t *other = zi_fourier_key(s, x, i);
        bool plain = !other[0];
        for (int k = 0; k < s->angles; k++) plain &= other[1 + k] == 0;
        if (!plain || memcmp(key + 1 + s->angles, other + 1 + s->angles, (size_t)s->variables) != 0) continue;
        const double size = fabs(x->value[term]);
        return fabs(fabs(x->value[i]) - size) <= 1e-12 * size ? (int)i : -1;
    }
    return -1;
}

/* A partner is left with zero, and zeros are dropped at the end. */
void zi_fourier_square(const ziFourierSpace *s, ziFourier *x) {
    for (size_t i = 0; i < x->count; i++) {
        int8_t *key = x->key + i * s->width;
        if (x->value[i] == 0 || key[0] > ZI_TURN_SIN || !is_double(s, key)) continue;
        if (key[0] == ZI_TURN_SIN) {
            key[0] = ZI_TURN_SIN_COS;
            x->value[i] *= 2;
            continue;
        }
        const int other = partner(s, x, i);
        if (other < 0) continue;
        key[0] = x->value[i] * x->value[other] > 0 ? ZI_TURN_COS_SQUARE : ZI_TURN_SIN_SQUARE;
        x->value[i] = 2 * x->value[other];
        x->value[other] = 0;
    }
    drop_zeros(s, x);
}

/* The order in which terms are read. */

typedef struct OrderedTerm {
    const ziFourierSpace *space;
    const int8_t *key;
    double value, error_scale;
} OrderedTerm;

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

static int compare_keys(const void *a, const void *b) {
    const OrderedTerm *x = a, *y = b;
    const ziFourierSpace *s = x->space;
    int order = compare_rows(zi_key_angles(x->key), zi_key_angles(y->key), s->angles);
    if (!order) order = x->key[0] - y->key[0];
    if (!order) order = compare_rows(zi_key_exponents(s, x->key), zi_key_exponents(s, y->key), s->variables);
    return order;
}

/* Keys are moved with their values; the table of slots is gone by now. */
zvStatus zi_fourier_sort(const ziFourierSpace *s, ziFourier *x) {
    if (x->count < 2) return ZV_OK;
    OrderedTerm *item = malloc(x->count * sizeof *item);
    int8_t *key = malloc(x->capacity * s->width);
    if (!item || !key) {
        free(item);
        free(key);
        return ZV_MEMORY;
    }
    for (size_t i = 0; i < x->count; i++)
        item[i] = (OrderedTerm){s, zi_fourier_key(s, x, i), x->value[i], x->error_scale[i]};
    if (x->count > 1) qsort(item, x->count, sizeof *item, compare_keys);
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
