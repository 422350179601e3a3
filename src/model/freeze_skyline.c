/* Part of the last step of freezing: the order in which the ground's ties are eliminated. Reverse Cuthill-McKee on the
 * graph whose nodes are ties and whose edges are cliques (bodies on the ground), which are never written out: a clique
 * is looked at once, when the first of its ties is. */
#include <stdlib.h>
#include <string.h>

#include "model/freeze.h"

typedef struct Visit {
    size_t degree;
    int tie, level;
} Visit;

typedef struct Sweep {
    const zvCliques *q;
    int ties;
    size_t *start; /* ties + 1: cliques of each tie */
    int *cliques;
    size_t *degree; /* ties */
    int *tie_seen, *clique_seen, stamp;
    Visit *queue; /* order so far, and a sweep behind it */
    int placed, count;
} Sweep;

/* The cliques of each tie from those of each clique. */
static void turn_round(Sweep *s) {
    const zvCliques *q = s->q;
    for (int c = 0; c < q->cliques; c++) {
        for (size_t k = q->start[c]; k < q->start[c + 1]; k++) {
            s->start[q->list[k] + 1]++;
            s->degree[q->list[k]] += q->start[c + 1] - q->start[c];
        }
    }
    for (int t = 0; t < s->ties; t++) s->start[t + 1] += s->start[t];
    for (int c = 0; c < q->cliques; c++) {
        for (size_t k = q->start[c]; k < q->start[c + 1]; k++) s->cliques[s->start[q->list[k]]++] = c;
    }
    memmove(s->start + 1, s->start, (size_t)s->ties * sizeof *s->start);
    s->start[0] = 0;
}

static bool sweep_alloc(Sweep *s) {
    const zvCliques *q = s->q;
    size_t ties = (size_t)s->ties, cliques = (size_t)q->cliques;
    s->start = calloc(2 * ties + 1, sizeof *s->start);
    s->cliques = malloc((q->start[cliques] + 1) * sizeof *s->cliques);
    s->tie_seen = calloc(ties + cliques + 1, sizeof *s->tie_seen);
    s->queue = malloc((ties + 1) * sizeof *s->queue);
    if (!s->start || !s->cliques || !s->tie_seen || !s->queue) return false;
    s->degree = s->start + ties + 1;
    s->clique_seen = s->tie_seen + ties;
    turn_round(s);
    return true;
}

static void sweep_free(Sweep *s) {
    free(s->start);
    free(s->cliques);
    free(s->tie_seen);
    free(s->queue);
}

static int fewer_first(const void *a, const void *b) {
    const Visit *x = a, *y = b;
    if (x->degree != y->degree) return x->degree < y->degree ? -1 : 1;
    return (x->tie > y->tie) - (x->tie < y->tie);
}

static void enqueue(Sweep *s, int tie, int level) {
    if (s->tie_seen[tie] == s->stamp) return;
    s->tie_seen[tie] = s->stamp;
    s->queue[s->count++] = (Visit){s->degree[tie], tie, level};
}

/* Breadth first from one tie, neighbours with few neighbours first, behind what is placed. */
static void sweep_from(Sweep *s, int tie) {
    s->stamp++;
    s->count = s->placed;
    enqueue(s, tie, 0);
    for (int at = s->placed; at < s->count; at++) {
        Visit v = s->queue[at];
        int first = s->count;
        for (size_t k = s->start[v.tie]; k < s->start[v.tie + 1]; k++) {
            int c = s->cliques[k];
            if (s->clique_seen[c] == s->stamp) continue;
            s->clique_seen[c] = s->stamp;
            for (size_t i = s->q->start[c]; i < s->q->start[c + 1]; i++) enqueue(s, s->q->list[i], v.level + 1);
        }
        qsort(s->queue + first, (size_t)(s->count - first), sizeof *s->queue, fewer_first);
    }
}

/* A tie at the rim of the part that `tie` belongs to: sweeps from the farthest with the fewest neighbours, as long as
 * that makes the part longer; a few are enough. */
static int at_the_rim(Sweep *s, int tie) {
    enum { MOST = 8 };
    int deepest = -1;
    for (int k = 0; k < MOST; k++) {
        sweep_from(s, tie);
        int depth = s->queue[s->count - 1].level;
        if (depth <= deepest) break;
        deepest = depth;
        const Visit *best = &s->queue[s->count - 1];
        for (int i = s->count - 1; i >= s->placed && s->queue[i].level == depth; i--) {
            if (s->queue[i].degree < best->degree) best = &s->queue[i];
        }
        tie = best->tie;
    }
    return tie;
}

/* Places all ties of the ground in queue; place is -1 where not yet. */
static void order_ties(Sweep *s, int *place) {
    for (int i = 0; i < s->q->count; i++) {
        if (place[s->q->on_ground[i]] >= 0) continue;
        sweep_from(s, at_the_rim(s, s->q->on_ground[i]));
        for (; s->placed < s->count; s->placed++) place[s->queue[s->placed].tie] = s->placed;
    }
}

/* The first block that each is coupled with. */
static void find_first(const zvCliques *q, const int *place, int *first) {
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

bool zv_freeze_skyline(zvPlan *plan, const zvCliques *q, zvSkyline *y) {
    zvModel *m = plan->model;
    const zvClosedTree *c = m->tree.closed;
    size_t count = (size_t)q->count;
    int *tie = zv_arena_alloc(&m->arena, count * sizeof *tie),
        *first = zv_arena_alloc(&m->arena, count * sizeof *first);
    int *place = zv_arena_alloc(&m->arena, (size_t)c->ties * sizeof *place);
    int *row = zv_arena_alloc(&m->arena, (count + 1) * sizeof *row);
    size_t *at = zv_arena_alloc(&m->arena, (count + 1) * sizeof *at);
    Sweep s = {.q = q, .ties = c->ties};
    bool enough = tie && first && place && row && at && sweep_alloc(&s);
    for (int i = 0; enough && i < c->ties; i++) place[i] = -1;
    if (enough) order_ties(&s, place);
    for (int i = 0; enough && i < q->count; i++) { /* the reverse has the smaller profile */
        tie[i] = s.queue[q->count - 1 - i].tie;
        place[tie[i]] = i;
    }
    sweep_free(&s);
    if (!enough) return false;
    find_first(q, place, first);
    for (int i = 0; i < q->count; i++) {
        row[i + 1] = row[i] + c->tie[tie[i]].rows;
        at[i + 1] = at[i] + (size_t)(row[i + 1] - row[i]) * (size_t)(row[i + 1] - row[first[i]]);
    }
    *y = (zvSkyline){q->count, tie, place, row, first, at};
    return true;
}
