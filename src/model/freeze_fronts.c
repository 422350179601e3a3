/* Last step of freezing: which multipliers go through which bodies. A constraint is carried by the bodies from its ends
 * inward up to the one at which its branches meet, its common ancestor; a coupling from those whose joints are its
 * terms. The lists can be long only where many loops pass through one body, so their memory is the model's second
 * block. */
#include <stdlib.h>
#include <string.h>

#include "model/freeze.h"

/* Ladders between two long chains: their number of entries and their fronts grow as squares and cubes. */
static const size_t most_carried = (size_t)1 << 27, most_doubles = (size_t)1 << 31;

/* Lists of constraints, one per body: those of body i are constraint[start[i]] ... constraint[start[i + 1] - 1],
 * rising. */
typedef struct Lists {
    size_t *start; /* nb + 1 */
    int *constraint;
} Lists;

typedef struct Fronts {
    const ziTree *t;
    ziClosedTree *c;
    Lists carried, done;
    ziPassage *passage; /* nb */
    int *carriers;      /* nb: children that carry something */
    int *carrier;       /* nb: the last such child found */
    int *body;          /* of each front: which; minus it for what is left after elimination there */
    int fronts;
    bool too_dense;
} Fronts;

static size_t listed(const Lists *l, int body) { return l->start[body + 1] - l->start[body]; }

static int end_count(const ziConstraint *constraint) {
    return constraint->kind == ZV_LOOP_COUPLING ? constraint->terms : 2;
}

static int end_body(const ziTree *t, const ziConstraint *constraint, int end) {
    if (constraint->kind == ZV_LOOP_COUPLING) return t->dof_body[constraint->term[end].v];
    return end ? constraint->b.body : constraint->a.body;
}

/* Counts the constraints that each body carries in start[i + 1], or with constraint, where start[i] says where to go
 * on, writes them down. seen: the last constraint of each body. */
static void spread(Fronts *f, size_t *start, int *constraint, int *seen) {
    size_t total = 0;
    for (int i = 0; i < f->t->nb; i++) seen[i] = -1;
    for (int k = 0; k < f->c->constraints && !f->too_dense; k++) {
        const ziConstraint *x = &f->c->constraint[k];
        for (int s = 0; s < end_count(x); s++) {
            for (int i = end_body(f->t, x, s); i != x->ancestor && seen[i] != k; i = f->t->body[i].parent) {
                seen[i] = k;
                total++;
                if (constraint)
                    constraint[start[i]++] = k;
                else
                    start[i + 1]++;
            }
        }
        f->too_dense = total > most_carried;
    }
}

static void ancestors(const Fronts *f, size_t *start, int *constraint) {
    for (int k = 0; k < f->c->constraints; k++) {
        if (constraint)
            constraint[start[f->c->constraint[k].ancestor]++] = k;
        else
            start[f->c->constraint[k].ancestor + 1]++;
    }
}

/* Counting first, then writing down: lists of all bodies lie in one array. */
static bool make_lists(Fronts *f, Lists *l, bool at_ancestor) {
    size_t nb = (size_t)f->t->nb;
    int *seen = malloc(nb * sizeof *seen);
    l->start = calloc(nb + 1, sizeof *l->start);
    if (seen && l->start) {
        if (at_ancestor)
            ancestors(f, l->start, NULL);
        else
            spread(f, l->start, NULL, seen);
        for (size_t i = 0; i < nb; i++) l->start[i + 1] += l->start[i];
        l->constraint = f->too_dense ? NULL : malloc((l->start[nb] + 1) * sizeof *l->constraint);
    }
    if (seen && l->constraint) {
        if (at_ancestor)
            ancestors(f, l->start, l->constraint);
        else
            spread(f, l->start, l->constraint, seen);
        memmove(l->start + 1, l->start, nb * sizeof *l->start); /* each has gone on to where the next begins */
        l->start[0] = 0;
    }
    free(seen);
    return l->constraint != NULL;
}

static bool fronts_alloc(Fronts *f) {
    size_t nb = (size_t)f->t->nb;
    f->passage = malloc(nb * sizeof *f->passage);
    f->carriers = calloc(4 * nb, sizeof *f->carriers);
    if (!f->passage || !f->carriers) return false;
    f->carrier = f->carriers + nb;
    f->body = f->carrier + nb;
    return make_lists(f, &f->carried, false) && make_lists(f, &f->done, true);
}

static void fronts_free(Fronts *f) {
    free(f->passage);
    free(f->carriers);
    free(f->carried.start);
    free(f->carried.constraint);
    free(f->done.start);
    free(f->done.constraint);
}

static int new_front(Fronts *f, int body) {
    f->body[f->fronts] = body;
    return f->fronts++;
}

/* Children come before their parents. */
static void choose_fronts(Fronts *f) {
    f->passage[0] = (ziPassage){-1, -1, NULL};
    for (int i = f->t->nb - 1; i > 0; i--) {
        ziPassage *p = &f->passage[i];
        int child = f->carrier[i], parent = f->t->body[i].parent;
        bool carries = listed(&f->carried, i) > 0, ends = listed(&f->done, i) > 0;
        bool shares = f->carriers[i] == 1 && listed(&f->carried, child) == listed(&f->carried, i);
        *p = (ziPassage){-1, -1, NULL};
        if (ends) {
            p->whole = new_front(f, i);
            if (carries) p->carry = new_front(f, -i);
        } else if (carries) {
            p->whole = p->carry = shares ? f->passage[child].carry : new_front(f, i);
        }
        if (!carries) continue;
        f->carriers[parent]++;
        f->carrier[parent] = i;
    }
}

static size_t front_constraints(const Fronts *f, int front) {
    int body = abs(f->body[front]);
    return listed(&f->carried, body) + (f->body[front] > 0 ? listed(&f->done, body) : 0);
}

static bool shared(const Fronts *f, int i) {
    int parent = f->t->body[i].parent;
    return f->passage[i].carry < 0 || parent == 0 || f->passage[i].carry == f->passage[parent].whole;
}

static size_t columns_of(const Fronts *f, int i) {
    size_t columns = 0;
    for (size_t k = f->carried.start[i]; k < f->carried.start[i + 1]; k++)
        columns += (size_t)f->c->constraint[f->carried.constraint[k]].rows;
    return columns;
}

/* What the model takes of all this, skyline included. */
static size_t fronts_bytes(const Fronts *f) {
    size_t nb = (size_t)f->t->nb, ground = listed(&f->done, 0), constraints = (size_t)f->c->constraints, gap = 32;
    size_t bytes = (size_t)f->fronts * (sizeof(ziFront) + 2 * gap) + nb * (sizeof(ziPassage) + sizeof(size_t) + gap);
    for (int i = 0; i < f->fronts; i++) bytes += (2 * front_constraints(f, i) + 1) * sizeof(int);
    for (int i = 1; i < f->t->nb; i++) bytes += shared(f, i) ? 0 : columns_of(f, i) * sizeof(int);
    return bytes + constraints * sizeof(int) + (ground + 1) * (3 * sizeof(int) + sizeof(size_t)) + 16 * gap;
}

static void append(const Fronts *f, const Lists *l, int body, ziFront *front, int *constraint, int *at) {
    for (size_t k = l->start[body]; k < l->start[body + 1]; k++) {
        constraint[front->constraints] = l->constraint[k];
        at[front->constraints + 1] = at[front->constraints] + f->c->constraint[l->constraint[k]].rows;
        front->constraints++;
    }
}

/* Constraints of one front, those eliminated first, and where its numbers lie. */
static bool fill_front(zvModel *m, Fronts *f, int number, ziFront *front) {
    int body = abs(f->body[number]);
    size_t constraints = front_constraints(f, number);
    int *constraint = zi_arena_alloc(&m->arena, constraints * sizeof *constraint);
    int *at = zi_arena_alloc(&m->arena, (constraints + 1) * sizeof *at);
    if (!constraint || !at) return false;
    if (f->body[number] > 0) append(f, &f->done, body, front, constraint, at);
    front->done = at[front->constraints];
    append(f, &f->carried, body, front, constraint, at);
    front->constraint = constraint;
    front->at = at;
    int columns = at[front->constraints];
    front->width = (columns + 3) / 4 * 4;
    front->offset = f->c->front_doubles;
    f->c->front_doubles += (size_t)front->width * (size_t)(6 + 1 + columns);
    f->too_dense = f->c->front_doubles > most_doubles;
    return !f->too_dense;
}

/* The first column of a constraint among those of a front from one of its constraints to another, which rise. */
static int column_among(const ziFront *front, int from, int end, int constraint) {
    while (from < end) {
        int middle = from + (end - from) / 2;
        if (front->constraint[middle] == constraint) return front->at[middle];
        if (front->constraint[middle] < constraint)
            from = middle + 1;
        else
            end = middle;
    }
    return -1;
}

/* Where the columns that body i carries lie in its parent's front. */
static bool fill_passage(zvModel *m, const Fronts *f, int i) {
    if (shared(f, i)) return true;
    int parent = f->t->body[i].parent, done = (int)listed(&f->done, parent);
    const ziFront *carry = &f->c->front[f->passage[i].carry], *whole = &f->c->front[f->passage[parent].whole];
    int *to = zi_arena_alloc(&m->arena, (size_t)carry->at[carry->constraints] * sizeof *to);
    if (!to) return false;
    for (int k = 0; k < carry->constraints; k++) {
        int at = column_among(whole, 0, done, carry->constraint[k]);
        if (at < 0) at = column_among(whole, done, whole->constraints, carry->constraint[k]);
        for (int j = carry->at[k]; j < carry->at[k + 1]; j++) to[j] = at++;
    }
    f->passage[i].to = to;
    return true;
}

static size_t width(const ziClosedTree *c, int front) { return front < 0 ? 0 : (size_t)c->front[front].width; }

/* Fronts, passages between them and places of the columns' shares, in the model. */
static bool fill_fronts(zvModel *m, Fronts *f) {
    size_t nb = (size_t)m->tree.nb;
    ziFront *fronts = zi_arena_alloc(&m->arena, (size_t)f->fronts * sizeof *fronts);
    ziPassage *passage = zi_arena_alloc(&m->arena, nb * sizeof *passage);
    size_t *e_at = zi_arena_alloc(&m->arena, (nb + 1) * sizeof *e_at);
    if (!fronts || !passage || !e_at) return false;
    for (int i = 0; i < f->fronts; i++) {
        if (!fill_front(m, f, i, &fronts[i])) return false;
    }
    f->c->fronts = f->fronts;
    f->c->front = fronts;
    for (int i = 1; i < m->tree.nb; i++) {
        const ziBody *body = &m->tree.body[i];
        size_t modes = body->elastic ? (size_t)body->elastic->n : 0;
        if (!fill_passage(m, f, i)) return false;
        e_at[i + 1] = e_at[i] + body->nv * width(f->c, f->passage[i].carry) + modes * width(f->c, f->passage[i].whole);
    }
    memcpy(passage, f->passage, nb * sizeof *passage);
    f->c->passage = passage;
    f->c->e_at = e_at;
    return true;
}

/* Constraints of the ground are coupled when one body that hangs on the ground carries both. */
static bool fill_ground(ziFreezePlan *plan, Fronts *f) {
    size_t nb = (size_t)f->t->nb;
    size_t *start = calloc(2 * nb, sizeof *start);
    int *list = malloc((f->carried.start[nb] + 1) * sizeof *list);
    ziCliques q = {0, (int)listed(&f->done, 0), start, list, f->done.constraint};
    for (int i = 1; start && list && i < f->t->nb; i++) {
        if (f->t->body[i].parent != 0 || listed(&f->carried, i) == 0) continue;
        size_t at = start[q.cliques], count = listed(&f->carried, i);
        memcpy(list + at, f->carried.constraint + f->carried.start[i], count * sizeof *list);
        start[++q.cliques] = at + count;
    }
    bool enough = start && list && zi_freeze_skyline(plan, &q, &f->c->ground);
    free(start);
    free(list);
    if (enough) f->too_dense = f->c->ground.at[q.count] > most_doubles;
    return enough && !f->too_dense;
}

/* Lists in temporary memory, then the layout in a block of its exact size. */
bool zi_freeze_fronts(ziFreezePlan *plan) {
    zvModel *m = plan->model;
    if (!m->tree.closed) return true;
    Fronts f = {.t = &m->tree, .c = (ziClosedTree *)m->tree.closed};
    bool enough = fronts_alloc(&f);
    if (enough) {
        choose_fronts(&f);
        enough = zi_arena_reserve(&m->arena, fronts_bytes(&f)) && fill_fronts(m, &f) && fill_ground(plan, &f);
    }
    plan->too_dense = f.too_dense;
    fronts_free(&f);
    return enough;
}
