#include "codegen/gather.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

bool zv_terms_add(zvTerms *terms, const zvCube *term) {
    if (!zv_grow(&terms->term, terms->count, &terms->room, sizeof *terms->term)) return false;
    terms->term[terms->count++] = *term;
    return true;
}

static int by_factors(const void *a, const void *b) { return zv_cube_compare(a, b); }

/* What is left of constants that cancel but for rounding is nothing. */
static void merge_like(zvTerms *t) {
    if (t->count > 1) qsort(t->term, t->count, sizeof *t->term, by_factors);
    size_t kept = 0;
    for (size_t i = 0; i < t->count;) {
        zvCube sum = t->term[i];
        double size = fabs(sum.k);
        for (i++; i < t->count && zv_cube_compare(&sum, &t->term[i]) == 0; i++) {
            sum.k += t->term[i].k;
            size += fabs(t->term[i].k);
        }
        if (!(fabs(sum.k) <= DBL_EPSILON * size)) t->term[kept++] = sum;
    }
    t->count = kept;
}

/* The term with exactly these factors, or NULL. */
static zvCube *find(zvTerms *t, const zvCube *like) {
    return t->count ? bsearch(like, t->term, t->count, sizeof *t->term, by_factors) : NULL;
}

/* c without its factors at, at + 1. */
static zvCube without_square(const zvCube *c, int at) {
    zvCube rest = *c;
    rest.length -= 2;
    memmove(rest.factor + at, c->factor + at + 2, (size_t)(rest.length - at) * sizeof *rest.factor);
    return rest;
}

/* Looks for company of t f^2, f = factor[at] a sine or cosine; true when something changed: order is gone then. */
static bool reduce_square(zvTerms *t, zvCube *c, int at, int other) {
    const zvCube rest = without_square(c, at);
    zvCube turned = rest;
    zv_cube_multiply(&turned, other);
    zv_cube_multiply(&turned, other);
    zvCube *mate = find(t, &turned), *plain = find(t, &rest);
    if (mate && (mate->k > 0) == (c->k > 0)) {
        zvCube *small = fabs(c->k) <= fabs(mate->k) ? c : mate, *large = small == c ? mate : c;
        large->k -= small->k;
        const double k = small->k;
        *small = rest;
        small->k = k;
        return true;
    }
    if (plain && plain->k == -c->k) {
        const double k = plain->k;
        *c = turned;
        c->k = k;
        plain->k = 0;
        return true;
    }
    return false;
}

static bool reduce_squares(zvTerms *t, const zvNetwork *net) {
    for (size_t i = 0; i < t->count; i++) {
        zvCube *c = &t->term[i];
        for (int j = 0; j + 1 < c->length; j++) {
            const zvVariable *f = &net->variable[c->factor[j]];
            const bool angle = (f->op == ZV_TAPE_SIN || f->op == ZV_TAPE_COS) && f->b;
            if (angle && c->factor[j] == c->factor[j + 1] && reduce_square(t, c, j, f->b)) return true;
        }
    }
    return false;
}

void zv_terms_gather(zvTerms *t, const zvNetwork *net) {
    merge_like(t);
    while (reduce_squares(t, net)) merge_like(t);
}
