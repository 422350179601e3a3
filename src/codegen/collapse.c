#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "codegen/network.h"

typedef struct ziTerms {
    size_t count, capacity;
    ziCube *term;
} ziTerms;

static bool zi_terms_add(ziTerms *terms, const ziCube *term) {
    if (!zi_grow(&terms->term, terms->count, &terms->capacity, sizeof *terms->term)) return false;
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
static ziCube *find_term(ziTerms *t, const ziCube *like) {
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
    ziCube *mate = find_term(t, &turned), *plain = find_term(t, &rest);
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

/* Only rewrites that do not cancel: k1 t + k2 t; k1 t s^2 + k2 t c^2 with k1, k2 of one sign, where the smaller one
 * needs no square; and k t s^2 - k t = -k t c^2. */
static void zi_terms_gather(ziTerms *t, const ziNetwork *net) {
    merge_like(t);
    while (reduce_squares(t, net)) merge_like(t);
}

/* Flattening: every polynomial as flat as it can be without doing anything twice, or a little flatter. */

enum { LONGEST = 128 }; /* terms of a sum that is opened: what is opened is copied */

typedef struct Collapse {
    ziNetwork *net;
    ziOpening opening;
    ziTerms done, open; /* of the polynomial at hand */
} Collapse;

static bool polynomial(const ziVariable *v) { return v->op == ZI_TAPE_ADD; }

static void remove_factor(ziCube *c, int at) {
    c->length--;
    for (int j = at; j < c->length; j++) c->factor[j] = c->factor[j + 1];
}

/* One use of variable v is replaced by what it is: the last one takes its factors along, others copy them. */
static void open_use(ziNetwork *net, ziVariable *v) {
    if (--v->uses == 0) return;
    for (int c = v->first; c >= 0; c = net->cube[c].next)
        for (int j = 0; j < net->cube[c].length; j++) net->variable[net->cube[c].factor[j]].uses++;
}

/* Products among the factors of a cube are opened. */
static void open_products(const Collapse *s, ziCube *c) {
    for (int j = 0; j < c->length; j++) {
        ziVariable *v = &s->net->variable[c->factor[j]];
        if (!polynomial(v) || v->cubes > 1) continue;
        if (v->cubes == 0) {
            c->k = 0;
            return;
        }
        const ziCube p = s->net->cube[v->first];
        const bool fits = c->length - 1 + p.length <= ZI_CUBE_FACTORS;
        if (!fits || (v->uses > 1 && p.length > s->opening.factors)) continue;
        open_use(s->net, v);
        remove_factor(c, j);
        c->k *= p.k;
        for (int i = 0; i < p.length; i++) zi_cube_multiply(c, p.factor[i]);
        j = -1; /* factors moved; each opening ends with factors that are none */
    }
}

/* Multiplications that a polynomial needs more when it is multiplied by k. */
static int scaling_cost(const ziNetwork *net, const ziVariable *v, double k) {
    int more = 0;
    for (int c = v->first; c >= 0; c = net->cube[c].next) {
        const ziCube *p = &net->cube[c];
        more += zi_cube_cost(p->length, p->k * k) - zi_cube_cost(p->length, p->k);
    }
    return more;
}

/* k (l x + m y) z: the constant goes where constants are. */
static void absorb(const Collapse *s, ziCube *c) {
    for (int j = 0; j < c->length && fabs(c->k) != 1; j++) {
        const ziVariable *v = &s->net->variable[c->factor[j]];
        if (!polynomial(v) || v->uses > 1 || scaling_cost(s->net, v, c->k) > 0) continue;
        for (int i = v->first; i >= 0; i = s->net->cube[i].next) s->net->cube[i].k *= c->k;
        c->k = 1;
    }
}

/* The factor of a cube that is a sum to be opened in it, or -1. */
static int sum_to_open(const Collapse *s, const ziCube *c) {
    for (int j = 0; j < c->length; j++) {
        const ziVariable *v = &s->net->variable[c->factor[j]];
        if (!polynomial(v) || v->cubes < 2 || v->cubes > LONGEST) continue;
        if (c->length > 1) {
            if (v->uses == 1 && v->cubes <= s->opening.spread) return j;
            continue;
        }
        const int most = fabs(c->k) == 1 ? 0 : 1;
        if (v->uses > 1 ? v->cubes <= s->opening.terms : scaling_cost(s->net, v, c->k) <= most) return j;
    }
    return -1;
}

static bool difference(const ziNetwork *net, const ziVariable *v) {
    bool sign[2] = {false, false};
    for (int c = v->first; c >= 0; c = net->cube[c].next) sign[net->cube[c].k < 0] = true;
    return sign[0] && sign[1];
}

/* A cube with a sum among its factors becomes as many cubes as the sum has; left closed where they would be too long.
 * */
static bool open_sum(Collapse *s, const ziCube *c, int at) {
    ziVariable *v = &s->net->variable[c->factor[at]];
    ziCube rest = *c;
    remove_factor(&rest, at);
    for (int i = v->first; i >= 0; i = s->net->cube[i].next) {
        const ziCube *p = &s->net->cube[i];
        if (rest.length + p->length > ZI_CUBE_FACTORS) return zi_terms_add(&s->done, c);
    }
    open_use(s->net, v);
    s->net->parted += rest.length > 0 && difference(s->net, v);
    for (int j = 0; j < rest.length; j++) s->net->variable[rest.factor[j]].uses += v->cubes - 1;
    for (int i = v->first; i >= 0; i = s->net->cube[i].next) {
        ziCube term = rest;
        const ziCube *p = &s->net->cube[i];
        term.k *= p->k;
        for (int j = 0; j < p->length; j++) zi_cube_multiply(&term, p->factor[j]);
        if (!zi_terms_add(&s->open, &term)) return false;
    }
    return true;
}

/* Opens what can be opened in one polynomial, gathers like terms, and writes it anew. */
static bool collapse(Collapse *s, int owner) {
    ziVariable *v = &s->net->variable[owner];
    s->done.count = s->open.count = 0;
    for (int c = v->first; c >= 0; c = s->net->cube[c].next)
        if (!zi_terms_add(&s->open, &s->net->cube[c])) return false;
    while (s->open.count) {
        ziCube c = s->open.term[--s->open.count];
        open_products(s, &c);
        if (c.k == 0) continue;
        absorb(s, &c);
        const int sum = sum_to_open(s, &c);
        if (sum < 0 ? !zi_terms_add(&s->done, &c) : !open_sum(s, &c, sum)) return false;
    }
    zi_terms_gather(&s->done, s->net);
    v->first = ZI_NO_CUBE;
    v->cubes = 0;
    for (size_t i = 0; i < s->done.count; i++) {
        const int c = zi_network_cube(s->net, owner, s->done.term[i].k);
        if (c < 0) return false;
        ziCube *made = &s->net->cube[c];
        made->length = s->done.term[i].length;
        for (int j = 0; j < made->length; j++) made->factor[j] = s->done.term[i].factor[j];
    }
    return true;
}

bool zi_network_collapse(ziNetwork *net, const ziOpening *opening) {
    Collapse s = {.net = net, .opening = *opening};
    bool fine = true;
    for (size_t i = 0; i < net->count && fine; i++)
        if (polynomial(&net->variable[i])) fine = collapse(&s, (int)i);
    free(s.done.term);
    free(s.open.term);
    return fine;
}
