/* Part of the last step of freezing: the order in which the ground's constraints are eliminated. Reverse Cuthill-McKee
 * on the graph whose nodes are constraints and whose edges are cliques (bodies on the ground), which are never written
 * out: a clique is looked at once, when the first of its constraints is. */
#include <stdlib.h>
#include <string.h>

#include "model/freeze.h"

typedef struct Visit {
    size_t degree;
    int constraint, level;
} Visit;

typedef struct SkylineSweep {
    const ziCliques *q;
    int constraints;
    size_t *start; /* constraints + 1: cliques of each constraint */
    int *cliques;
    size_t *degree; /* constraints */
    int *constraint_seen, *clique_seen, stamp;
    Visit *queue; /* order so far, and a sweep behind it */
    int placed, count;
} SkylineSweep;

/* The cliques of each constraint from those of each clique. */
static void turn_round(SkylineSweep *s) {
    const ziCliques *q = s->q;
    for (int c = 0; c < q->cliques; c++) {
        for (size_t k = q->start[c]; k < q->start[c + 1]; k++) {
            s->start[q->list[k] + 1]++;
            s->degree[q->list[k]] += q->start[c + 1] - q->start[c];
        }
    }
    for (int t = 0; t < s->constraints; t++) s->start[t + 1] += s->start[t];
    for (int c = 0; c < q->cliques; c++) {
        for (size_t k = q->start[c]; k < q->start[c + 1]; k++) s->cliques[s->start[q->list[k]]++] = c;
    }
    memmove(s->start + 1, s->start, (size_t)s->constraints * sizeof *s->start);
    s->start[0] = 0;
}

/* Temporary arrays of the sweeps; the lists of cliques are turned round. */
static bool sweep_alloc(SkylineSweep *s) {
    const ziCliques *q = s->q;
    size_t constraints = (size_t)s->constraints, cliques = (size_t)q->cliques;
    s->start = calloc(2 * constraints + 1, sizeof *s->start);
    s->cliques = malloc((q->start[cliques] + 1) * sizeof *s->cliques);
    s->constraint_seen = calloc(constraints + cliques + 1, sizeof *s->constraint_seen);
    s->queue = malloc((constraints + 1) * sizeof *s->queue);
    if (!s->start || !s->cliques || !s->constraint_seen || !s->queue) return false;
    s->degree = s->start + constraints + 1;
    s->clique_seen = s->constraint_seen + constraints;
    turn_round(s);
    return true;
}

static void sweep_free(SkylineSweep *s) {
    free(s->start);
    free(s->cliques);
    free(s->constraint_seen);
    free(s->queue);
}

static int fewer_first(const void *a, const void *b) {
    const Visit *x = a, *y = b;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    return (x->constraint > y->constraint) - (x->constraint < y->constraint);
}

static void enqueue(SkylineSweep *s, int constraint, int level) {
    if (s->constraint_seen[constraint] == s->stamp) return;
    s->constraint_seen[constraint] = s->stamp;
    s->queue[s->count++] = (Visit){s->degree[constraint], constraint, level};
}

/* Breadth first from one constraint, neighbours with few neighbours first, behind what is placed. */
static void sweep_from(SkylineSweep *s, int constraint) {
    s->stamp++;
    s->count = s->placed;
    enqueue(s, constraint, 0);
    for (int at = s->placed; at < s->count; at++) {
        Visit v = s->queue[at];
        int first = s->count;
        for (size_t k = s->start[v.constraint]; k < s->start[v.constraint + 1]; k++) {
            int c = s->cliques[k];
            if (s->clique_seen[c] == s->stamp) continue;
            s->clique_seen[c] = s->stamp;
            for (size_t i = s->q->start[c]; i < s->q->start[c + 1]; i++) enqueue(s, s->q->list[i], v.level + 1);
        }
        qsort(s->queue + first, (size_t)(s->count - first), sizeof *s->queue, fewer_first);
    }
}

/* A constraint at the rim of the part that `constraint` belongs to: sweeps from the farthest with the fewest
 * neighbours, as long as that makes the part longer; a few are enough. */
static int at_the_rim(SkylineSweep *s, int constraint) {
    enum { MOST = 8 };
    int deepest = -1;
    for (int k = 0; k < MOST; k++) {
        sweep_from(s, constraint);
        int depth = s->queue[s->count - 1].level;
        if (depth <= deepest) break;
        deepest = depth;
        const Visit *best = &s->queue[s->count - 1];
        for (int i = s->count - 1; i >= s->placed && s->queue[i].level == depth; i--) {
            if (s->queue[i].degree < best->degree) best = &s->queue[i];
        }
        constraint = best->constraint;
    }
    return constraint;
}

/* Places all constraints of the ground in queue; place is -1 where not yet. */
static void order_constraints(SkylineSweep *s, int *place) {
    for (int i = 0; i < s->q->count; i++) {
        if (place[s->q->on_ground[i]] >= 0) continue;
        sweep_from(s, at_the_rim(s, s->q->on_ground[i]));
        for (; s->placed < s->count; s->placed++) place[s->queue[s->placed].constraint] = s->placed;
    }
}

/* The first block that each is coupled with. */
static void find_first(const ziCliques *q, const int *place, int *first) {
    for (int i = 0; i < q->count; i++) first[i] = i;
    for (int c = 0; c < q->cliques; c++) {
        int least = q->count;
        for (size_t k = q->start[c]; k < q->start[c + 1]; k++) {
            if (place[q->list[k]] < least) least = place[q->list[k]];
        }
        for (size_t k = q->start[c]; k < q->start[c + 1]; k++) {
            int *own = &first[place[q->list[k]]];
            if (least < *own) *own = least;
        }
    }
}

/* Order of elimination, then the profile that it leaves. */
bool zi_freeze_skyline(ziFreezePlan *plan, const ziCliques *q, ziSkyline *y) {
    zvModel *m = plan->model;
    const ziClosedTree *c = m->tree.closed;
    size_t count = (size_t)q->count;
    int *constraint = zi_arena_alloc(&m->arena, count * sizeof *constraint),
        *first = zi_arena_alloc(&m->arena, count * sizeof *first);
    int *place = zi_arena_alloc(&m->arena, (size_t)c->constraints * sizeof *place);
    int *row = zi_arena_alloc(&m->arena, (count + 1) * sizeof *row);
    size_t *at = zi_arena_alloc(&m->arena, (count + 1) * sizeof *at);
    SkylineSweep s = {.q = q, .constraints = c->constraints};
    bool enough = constraint && first && place && row && at && sweep_alloc(&s);
    for (int i = 0; enough && i < c->constraints; i++) place[i] = -1;
    if (enough) order_constraints(&s, place);
    for (int i = 0; enough && i < q->count; i++) { /* the reverse has the smaller profile */
        constraint[i] = s.queue[q->count - 1 - i].constraint;
        place[constraint[i]] = i;
    }
    sweep_free(&s);
    if (!enough) return false;
    find_first(q, place, first);
    for (int i = 0; i < q->count; i++) {
        row[i + 1] = row[i] + c->constraint[constraint[i]].rows;
        at[i + 1] = at[i] + (size_t)(row[i + 1] - row[i]) * (size_t)(row[i + 1] - row[first[i]]);
    }
    *y = (ziSkyline){q->count, constraint, place, row, first, at};
    return true;
}
