/* Greedy division: the divisor that saves most is taken out first. Gains only fall while others are taken out, unless
 * new occurrences appear; so a heap of gains as they were when last looked at is enough. */
#include <stdlib.h>

#include "base/arena.h"
#include "codegen/divisors.h"

typedef struct Choice {
    int gain, divisor;
    unsigned order;
} Choice;

typedef struct Division {
    ziNetwork *net;
    ziDivisors all;
    unsigned seed;
    size_t count, capacity;
    Choice *heap;
} Division;

static bool before(const Choice *a, const Choice *b) {
    return a->gain != b->gain ? a->gain > b->gain : a->order < b->order;
}

static void push_divisor(Division *s, int divisor, int gain) {
    if (gain <= 0) return;
    if (!zi_grow(&s->heap, s->count, &s->capacity, sizeof *s->heap)) {
        s->all.full = true;
        return;
    }
    const Choice c = {gain, divisor, s->seed ? (unsigned)divisor * 2654435761u ^ s->seed : (unsigned)divisor};
    size_t at = s->count++;
    for (; at && before(&c, &s->heap[(at - 1) / 2]); at = (at - 1) / 2) s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = c;
}

static Choice pop(Division *s) {
    const Choice top = s->heap[0], last = s->heap[--s->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < s->count; at = child) {
        if (child + 1 < s->count && before(&s->heap[child + 1], &s->heap[child])) child++;
        if (!before(&s->heap[child], &last)) break;
        s->heap[at] = s->heap[child];
    }
    if (s->count) s->heap[at] = last;
    return top;
}

static void look_at_touched(Division *s) {
    for (size_t i = 0; i < s->all.touched_count; i++) {
        const int d = s->all.touched[i];
        s->all.divisor[d].touched = false;
        push_divisor(s, d, zi_divisor_gain(&s->all, d));
    }
    s->all.touched_count = 0;
}

/* -- taking out ------------------------------------------------------------------------------------------------- */

static void remove_cube(ziNetwork *net, int c) {
    ziVariable *v = &net->variable[net->cube[c].owner];
    int *at = &v->first;
    while (*at != c) at = &net->cube[*at].next;
    *at = net->cube[c].next;
    v->cubes--;
    net->cube[c].owner = -1;
    net->cube[c].stamp++;
}

static void remove_factor(ziCube *c, int factor) {
    int kept = 0;
    bool gone = false;
    for (int i = 0; i < c->length; i++) {
        if (!gone && c->factor[i] == factor)
            gone = true;
        else
            c->factor[kept++] = c->factor[i];
    }
    c->length = kept;
}

static void add_cube(ziNetwork *net, int owner, double k, const ziCube *like) {
    const int c = zi_network_cube(net, owner, k);
    for (int i = 0; c >= 0 && i < like->length; i++) zi_cube_multiply(&net->cube[c], like->factor[i]);
}

/* The variable of a divisor, made when there is none. */
static int variable_of(Division *s, ziDivisor *d, const ziOccurrence *o) {
    if (d->variable >= 0) return d->variable;
    const int v = d->variable = zi_network_variable(s->net);
    if (v < 0) return -1;
    s->net->variable[v].uses = 1;
    if (o->j < 0) {
        ziCube like = {0};
        if (d->x >= 0) zi_cube_multiply(&like, d->x);
        zi_cube_multiply(&like, d->y);
        const double k = s->net->cube[o->i].k;
        add_cube(s->net, v, d->x >= 0 ? 1 : k < 0 ? -k : k, &like);
    } else {
        ziSplit split;
        zi_split(s->net, o->i, o->j, &split);
        add_cube(s->net, v, d->ka, &split.A);
        add_cube(s->net, v, d->kb, &split.B);
    }
    for (int c = s->net->variable[v].first; c >= 0 && !s->net->full; c = s->net->cube[c].next)
        zi_divisors_add(&s->all, c, false);
    return v;
}

/* One occurrence: the divisor's variable takes the place of what it stands for. */
static void replace(Division *s, int divisor, const ziOccurrence *o) {
    ziDivisor *d = &s->all.divisor[divisor];
    const int v = d->variable;
    ziCube *c = &s->net->cube[o->i];
    if (o->j < 0) {
        if (d->x >= 0)
            remove_factor(c, d->x);
        else
            c->k = c->k < 0 ? -1 : 1;
        remove_factor(c, d->y);
    } else {
        ziSplit split;
        zi_split(s->net, o->i, o->j, &split);
        remove_cube(s->net, o->j);
        c->k = zi_split_quotient(&split, d->ka, d->kb);
        c->length = split.g.length;
        for (int i = 0; i < c->length; i++) c->factor[i] = split.g.factor[i];
    }
    zi_cube_multiply(c, v);
    c->stamp++;
}

/* All occurrences that were found disjoint; cubes that changed are searched again. */
static void take_out(Division *s, int divisor) {
    const size_t count = s->all.found;
    const ziOccurrence first = s->all.occurrence[s->all.find[0]];
    const int made = s->all.divisor[divisor].variable < 0;
    ziDivisor copy = s->all.divisor[divisor]; /* the array may move */
    const int v = variable_of(s, &copy, &first);
    if (v < 0) return;
    if (made) s->all.divisor[divisor].variable = v;
    for (size_t n = 0; n < count && !s->net->full; n++) {
        const ziOccurrence o = s->all.occurrence[s->all.find[n]];
        replace(s, divisor, &o);
        zi_divisors_add(&s->all, o.i, true);
    }
    look_at_touched(s);
}

/* The heap has gains as they were last seen: the top is looked at again before it is taken. */
bool zi_network_divide(ziNetwork *net, unsigned seed) {
    Division s = {.net = net, .seed = seed};
    s.all.full = !zi_divisors_open(&s.all, net);
    for (size_t i = 0; i < net->count && !s.all.full; i++) {
        const ziVariable *v = &net->variable[i];
        for (int c = v->op == ZI_TAPE_ADD && v->uses ? v->first : -1; c >= 0; c = net->cube[c].next)
            zi_divisors_add(&s.all, c, false);
    }
    look_at_touched(&s);
    while (s.count && !s.all.full && !net->full) {
        const Choice top = pop(&s);
        const int gain = zi_divisor_gain(&s.all, top.divisor);
        if (gain < top.gain)
            push_divisor(&s, top.divisor, gain);
        else
            take_out(&s, top.divisor);
    }
    const bool fine = !s.all.full && !net->full;
    zi_divisors_close(&s.all);
    free(s.heap);
    return fine;
}
