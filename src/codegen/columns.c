#include "codegen/columns.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/reduced_factor.h"
#include "codegen/traced.h"

enum { MOST_LIMBS = 32 };

static size_t pairs(const zvModel *model) {
    size_t count = 0;
    for (int i = 0; i < model->nv; i++)
        for (int j = reduced_before(model, i); j >= 0; j = reduced_before(model, j)) count++;
    return count;
}

/* Freedoms: a block has four columns, and blocks are put down on the stack, two matrices of this size at most. */
enum { FEWEST = 4, MOST = 200 };

/* Entries of L from which on it is faster, or, of the inverse alone, compiles in seconds. */
bool zi_columns_looped(const zvModel *model, zvGenerated function) {
    if (model->nv < FEWEST || model->nv > MOST) return false;
    switch (function) {
    case ZV_GENERATE_FORWARD_DERIVATIVES: return pairs(model) >= 15;
    case ZV_GENERATE_MINV: return pairs(model) >= 200;
    default: return false;
    }
}

size_t zi_columns_factors(const zvModel *model) { return (size_t)model->nv + pairs(model); }

size_t zi_columns_part(const zvModel *model, zvGenerated function, int part) {
    const int factors = function == ZV_GENERATE_MINV ? 0 : 3;
    if (part < factors) return zi_generated_part(model, function, part);
    return part == factors ? zi_columns_factors(model) : 0;
}

size_t zi_columns_size(const zvModel *model, zvGenerated function) {
    size_t sum = 0, size;
    for (int part = 0; (size = zi_columns_part(model, function, part)) > 0; part++) sum += size;
    return sum;
}

/* -- the pattern -------------------------------------------------------------------------------------------------- */

/* A limb ends where a freedom is not the only one behind the one before it. */
static void find_limbs(ziColumns *c) {
    int *children = c->factor; /* borrowed */
    for (int i = 0; i < c->n; i++)
        if (c->before[i] >= 0) children[c->before[i]]++;
    for (int i = 0; i < c->n; i++) {
        const int up = c->before[i];
        c->limb[i] = up >= 0 && children[up] == 1 ? c->limb[up] : c->limbs++;
    }
    memset(children, 0, (size_t)c->n * sizeof *children);
}

uint32_t zi_columns_bit(const ziColumns *c, int freedom) {
    return UINT32_C(1) << (c->limb[freedom] < MOST_LIMBS ? c->limb[freedom] : MOST_LIMBS - 1);
}

/* Forces and changes meet where one is on the way of the other. */
static void find_zeros(ziColumns *c) {
    for (int i = 0; i < c->n; i++)
        for (int j = i; j >= 0; j = c->before[j]) {
            c->unit[i] |= zi_columns_bit(c, j);
            c->full[i] |= zi_columns_bit(c, j);
            c->full[j] |= zi_columns_bit(c, i);
        }
}

bool zi_columns_make(ziColumns *c, const zvModel *model, const ziTape *tape, const ziEdge *factor) {
    const size_t n = (size_t)model->nv, factors = zi_columns_factors(model);
    *c = (ziColumns){.n = model->nv};
    c->before = calloc(3 * n, sizeof *c->before);
    c->full = calloc(2 * n, sizeof *c->full);
    c->vanishes = calloc(factors, sizeof *c->vanishes);
    if (!c->before || !c->full || !c->vanishes) return false;
    c->limb = c->before + n;
    c->factor = c->limb + n;
    c->unit = c->full + n;
    for (int i = 0; i < c->n; i++) c->before[i] = reduced_before(model, i);
    find_limbs(c);
    int at = c->n;
    for (int i = c->n - 1; i >= 0; i--) {
        c->factor[i] = at;
        for (int j = c->before[i]; j >= 0; j = c->before[j]) at++;
    }
    double value;
    for (size_t k = 0; k < factors && factor; k++)
        c->vanishes[k] = zi_tape_known(tape, factor[k], &value) && value == 0;
    find_zeros(c);
    return true;
}

void zi_columns_free(ziColumns *c) {
    free(c->before);
    free(c->full);
    free(c->vanishes);
    *c = (ziColumns){0};
}

/* -- what it takes ------------------------------------------------------------------------------------------------ */

static int entries(const ziColumns *c, int freedom) {
    int count = 0, at = c->factor[freedom];
    for (int j = c->before[freedom]; j >= 0; j = c->before[j]) count += !c->vanishes[at++];
    return count;
}

zvOperations zi_columns_operations(const ziColumns *c, zvGenerated function) {
    zvOperations o = {0};
    const bool derivatives = function == ZV_GENERATE_FORWARD_DERIVATIVES;
    for (int i = 0; i < c->n; i++) {
        const int count = entries(c, i);
        int times = c->n * (derivatives ? 3 : 1);
        o.mul += times;
        for (int k = 0; k < c->n; k++)
            times +=
                !!(c->unit[k] & zi_columns_bit(c, i)) + (derivatives ? 2 * !!(c->full[k] & zi_columns_bit(c, i)) : 0);
        o.mul += (long long)times * count;
        o.add += (long long)times * count;
    }
    return o;
}
