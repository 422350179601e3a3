#include "codegen/divisors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { NEIGHBOURS = 32, FIRST_SLOTS = 4096 };

/* -- table ------------------------------------------------------------------------------------------------------ */

bool zi_divisors_open(ziDivisors *all, ziNetwork *net) {
    *all = (ziDivisors){.net = net, .slots = FIRST_SLOTS, .evaluation = 1};
    all->table = calloc(all->slots, sizeof *all->table);
    return all->table;
}

void zi_divisors_close(ziDivisors *all) {
    free(all->divisor);
    free(all->table);
    free(all->occurrence);
    free(all->touched);
    free(all->find);
    *all = (ziDivisors){0};
}

/* The table stays at most half full; rehashed from the divisors themselves. */
static bool widen(ziDivisors *all) {
    if (2 * all->count < all->slots) return true;
    const size_t slots = 4 * all->slots;
    int *table = calloc(slots, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < all->count; i++) {
        size_t at = all->divisor[i].key & (slots - 1);
        while (table[at]) at = (at + 1) & (slots - 1);
        table[at] = (int)i + 1;
    }
    free(all->table);
    all->table = table;
    all->slots = slots;
    return true;
}

static uint64_t mix(uint64_t h, uint64_t x) {
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdu;
    return h ^ (h >> 32);
}

static uint64_t hash(const ziDivisorName *name) {
    uint64_t h = mix((uint64_t)name->kind, name->number);
    for (int part = 0; part < 2; part++) {
        h = mix(h, (uint64_t)name->length[part]);
        for (int i = 0; i < name->length[part]; i++) h = mix(h, (uint64_t)name->part[part][i]);
    }
    return h;
}

static bool same_name(const ziDivisorName *a, const ziDivisorName *b) {
    if (a->kind != b->kind || a->number != b->number) return false;
    for (int part = 0; part < 2; part++) {
        if (a->length[part] != b->length[part]) return false;
        for (int i = 0; i < a->length[part]; i++)
            if (a->part[part][i] != b->part[part][i]) return false;
    }
    return true;
}

/* The divisor of a name, made when it is new; -1 when out of memory. */
static int divisor_of(ziDivisors *all, const ziDivisorName *name) {
    const uint64_t key = hash(name);
    size_t at = key & (all->slots - 1);
    for (; all->table[at]; at = (at + 1) & (all->slots - 1)) {
        const ziDivisor *d = &all->divisor[all->table[at] - 1];
        if (d->key == key && same_name(&d->name, name)) return all->table[at] - 1;
    }
    if (!zi_grow(&all->divisor, all->count, &all->capacity, sizeof *all->divisor)) return -1;
    all->divisor[all->count] = (ziDivisor){.key = key, .name = *name, .first = -1, .variable = -1};
    all->table[at] = (int)++all->count;
    return widen(all) ? (int)all->count - 1 : -1;
}

/* One more occurrence of a divisor, which is to be looked at again. */
static ziDivisor *note_divisor(ziDivisors *all, const ziDivisorName *name, int i, int j) {
    const int d = divisor_of(all, name);
    if (d < 0 || !zi_grow(&all->occurrence, all->occurrences, &all->occurrence_capacity, sizeof *all->occurrence)) {
        all->full = true;
        return NULL;
    }
    ziDivisor *divisor = &all->divisor[d];
    all->occurrence[all->occurrences] =
        (ziOccurrence){i, j, all->net->cube[i].stamp, j < 0 ? 0 : all->net->cube[j].stamp, divisor->first};
    divisor->first = (int)all->occurrences++;
    if (divisor->touched) return divisor;
    if (!zi_grow(&all->touched, all->touched_count, &all->touched_capacity, sizeof *all->touched)) {
        all->full = true;
        return NULL;
    }
    divisor->touched = true;
    all->touched[all->touched_count++] = d;
    return divisor;
}

/* -- names ------------------------------------------------------------------------------------------------------ */

/* Numbers that differ by rounding are mostly one. */
static uint64_t number_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits + 2) >> 2;
}

static void name_part(ziDivisorName *name, int part, int length, const int *factor) {
    name->length[part] = length;
    memcpy(name->part[part], factor, (size_t)length * sizeof *factor);
}

/* Both lists of factors ascend: one merge finds what they share. */
bool zi_split(const ziNetwork *net, int i, int j, ziSplit *split) {
    const ziCube *p = &net->cube[i], *q = &net->cube[j];
    ziCube A = {.k = p->k}, B = {.k = q->k}, g = {.k = 1};
    int a = 0, b = 0;
    while (a < p->length || b < q->length) {
        if (b == q->length || (a < p->length && p->factor[a] < q->factor[b])) {
            A.factor[A.length++] = p->factor[a++];
        } else if (a == p->length || q->factor[b] < p->factor[a]) {
            B.factor[B.length++] = q->factor[b++];
        } else {
            g.factor[g.length++] = p->factor[a++];
            b++;
        }
    }
    const int order = zi_cube_compare(&A, &B);
    *split = order < 0 ? (ziSplit){g, A, B} : (ziSplit){g, B, A};
    return order != 0 && g.length < ZI_CUBE_FACTORS;
}

static void add_pair(ziDivisors *all, int i, int j) {
    ziSplit s;
    if (!zi_split(all->net, i, j, &s)) return;
    ziDivisorName name = {.kind = 1, .number = number_of(s.B.k / s.A.k)};
    name_part(&name, 0, s.A.length, s.A.factor);
    name_part(&name, 1, s.B.length, s.B.factor);
    note_divisor(all, &name, i, j);
}

static void add_product(ziDivisors *all, int c, int x, int y, double k) {
    ziDivisorName name = {.kind = 2, .number = number_of(k)};
    name_part(&name, 0, x >= 0, &x);
    name_part(&name, 1, 1, &y);
    ziDivisor *d = note_divisor(all, &name, c, -1);
    if (!d) return;
    d->x = x;
    d->y = y;
}

/* Neighbours in long sums are bounded, since all pairs would take quadratic time. */
void zi_divisors_add(ziDivisors *all, int c, bool with_all) {
    const ziCube *p = &all->net->cube[c];
    int left = NEIGHBOURS;
    for (int j = with_all ? all->net->variable[p->owner].first : p->next; j >= 0 && left > 0; left--) {
        if (j != c) add_pair(all, c, j);
        j = all->net->cube[j].next;
    }
    for (int y = 0; y < p->length; y++) {
        if (y && p->factor[y] == p->factor[y - 1]) continue;
        if (fabs(p->k) != 1) add_product(all, c, -1, p->factor[y], fabs(p->k));
        if (y + 1 < p->length && p->factor[y] == p->factor[y + 1]) add_product(all, c, p->factor[y], p->factor[y], 1);
        for (int x = 0; x < y; x++)
            if (!x || p->factor[x] != p->factor[x - 1]) add_product(all, c, p->factor[x], p->factor[y], 1);
    }
}

/* -- gain ------------------------------------------------------------------------------------------------------- */

/* Lists occurrences that still stand and do not overlap; others are forgotten when they are gone for good. */
static void list_occurrences(ziDivisors *all, ziDivisor *d) {
    ziCube *cube = all->net->cube;
    all->evaluation++;
    all->found = 0;
    for (int *at = &d->first; *at >= 0;) {
        const ziOccurrence *o = &all->occurrence[*at];
        if (cube[o->i].stamp != o->stamp_i || (o->j >= 0 && cube[o->j].stamp != o->stamp_j)) {
            *at = o->next;
            continue;
        }
        const bool taken = cube[o->i].mark == all->evaluation || (o->j >= 0 && cube[o->j].mark == all->evaluation);
        if (!taken && cube[o->i].owner != d->variable) {
            if (!zi_grow(&all->find, all->found, &all->found_capacity, sizeof *all->find)) {
                all->full = true;
                return;
            }
            all->find[all->found++] = *at;
            cube[o->i].mark = all->evaluation;
            if (o->j >= 0) cube[o->j].mark = all->evaluation;
        }
        at = &all->occurrence[*at].next;
    }
}

double zi_split_quotient(const ziSplit *s, double ka, double kb) {
    if (s->A.k == ka || s->A.k == -ka) return s->A.k / ka;
    if (s->B.k == kb || s->B.k == -kb) return s->B.k / kb;
    return fabs(kb) == 1 ? s->B.k / kb : s->A.k / ka;
}

/* Operations saved with the divisor written as ka A + kb B. */
static int gain_of_scale(ziDivisors *all, const ziDivisor *d, double ka, double kb) {
    ziSplit s;
    int gain = 0;
    for (size_t n = 0; n < all->found; n++) {
        const ziOccurrence *o = &all->occurrence[all->find[n]];
        zi_split(all->net, o->i, o->j, &s);
        gain += zi_cube_cost(s.g.length + s.A.length, s.A.k) + zi_cube_cost(s.g.length + s.B.length, s.B.k) + 1;
        gain -= zi_cube_cost(s.g.length + 1, zi_split_quotient(&s, ka, kb));
    }
    if (d->variable < 0) gain -= zi_cube_cost(s.A.length, ka) + zi_cube_cost(s.B.length, kb) + 1;
    return gain;
}

/* Most sums occur once and have nothing in common. */
static bool hopeless(const ziDivisors *all) {
    ziSplit s;
    const ziOccurrence *o = &all->occurrence[all->find[0]];
    zi_split(all->net, o->i, o->j, &s);
    return s.g.length == 0 && (fabs(s.A.k) == 1 || fabs(s.A.k) != fabs(s.B.k));
}

/* Tries the scales that make one of the coefficients 1, or that of an occurrence. */
static int gain_of_sum(ziDivisors *all, ziDivisor *d) {
    if (d->variable >= 0) return gain_of_scale(all, d, d->ka, d->kb);
    if (all->found == 1 && hopeless(all)) return 0;
    int best = 0;
    for (size_t n = 0; n < all->found && n < 4; n++) {
        ziSplit s;
        const ziOccurrence *o = &all->occurrence[all->find[n]];
        zi_split(all->net, o->i, o->j, &s);
        const double ka = s.A.k, kb = s.B.k, scales[3][2] = {{1, kb / ka}, {ka / kb, 1}, {ka, kb}};
        for (int k = n ? 2 : 0; k < 3; k++) {
            const int gain = gain_of_scale(all, d, scales[k][0], scales[k][1]);
            if (gain <= best) continue;
            best = gain;
            d->ka = scales[k][0];
            d->kb = scales[k][1];
        }
    }
    return best;
}

int zi_divisor_gain(ziDivisors *all, int divisor) {
    ziDivisor *d = &all->divisor[divisor];
    list_occurrences(all, d);
    if (all->full || !all->found) return 0;
    if (all->occurrence[all->find[0]].j >= 0) return gain_of_sum(all, d);
    return (int)all->found - (d->variable < 0);
}
