#include "codegen/gather.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

bool zi_terms_add(ziTerms *terms, const ziCube *term) {
    if (!zi_grow(&terms->term, terms->count, &terms->room, sizeof *terms->term)) return false;
    terms->term[terms->count++] = *term;
    return true;
}

static int by_factors(const void *a, const void *b) { return zi_cube_compare(a, b); }

/* What is left of constants that cancel but for rounding is nothing. */
static void merge_like(ziTerms *t) {
    if (t->count > 1) qsort(t->term, t->count, sizeof *t->term, by_factors);
    size_t kept = 0;
    for (size_t i = 0; i < t->count;) {
        ziCube sum = t->term[i];
        double size = fabs(sum.k);
        for (i++; i < t->count && zi_cube_compare(&sum, &t->term[i]) == 0; i++) {
            sum.k += t->term[i].k;
            size += fabs(t->term[i].k);
        }
        if (!(fabs(sum.k) <= DBL_EPSILON * size)) t->term[kept++] = sum;
    }
    t->count = kept;
}

/* The term with exactly these factors, or NULL. */
static ziCube *find(ziTerms *t, const ziCube *like) {
    return t->count ? bsearch(like, t->term, t->count, sizeof *t->term, by_factors) : NULL;
}

/* c without its factors at, at + 1. */
static ziCube without_square(const ziCube *c, int at) {
    ziCube rest = *c;
    rest.length -= 2;
    memmove(rest.factor + at, c->factor + at + 2, (size_t)(rest.length - at) * sizeof *rest.factor);
    return rest;
}

/* Looks for company of t f^2, f = factor[at] a sine or cosine; true when something changed: order is gone then. */
static bool reduce_square(ziTerms *t, ziCube *c, int at, int other) {
    const ziCube rest = without_square(c, at);
    ziCube turned = rest;
    zi_cube_multiply(&turned, other);
    zi_cube_multiply(&turned, other);
    ziCube *mate = find(t, &turned), *plain = find(t, &rest);
    if (mate && (mate->k > 0) == (c->k > 0)) {
        ziCube *small = fabs(c->k) <= fabs(mate->k) ? c : mate, *large = small == c ? mate : c;
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

static bool reduce_squares(ziTerms *t, const ziNetwork *net) {
    for (size_t i = 0; i < t->count; i++) {
        ziCube *c = &t->term[i];
        for (int j = 0; j + 1 < c->length; j++) {
            const ziVariable *f = &net->variable[c->factor[j]];
            const bool angle = (f->op == ZI_TAPE_SIN || f->op == ZI_TAPE_COS) && f->b;
            if (angle && c->factor[j] == c->factor[j + 1] && reduce_square(t, c, j, f->b)) return true;
        }
    }
    return false;
}

void zi_terms_gather(ziTerms *t, const ziNetwork *net) {
    merge_like(t);
    while (reduce_squares(t, net)) merge_like(t);
}
