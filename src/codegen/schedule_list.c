#include <stdlib.h>

#include "base/arena.h"
#include "codegen/schedule.h"

typedef struct Candidate {
    int growth; /* of numbers alive */
    int rank;   /* the larger first among equals */
    int node;
} Candidate;

typedef struct List {
    const zvDependence *d;
    bool latest;
    int *waiting; /* users that have no place yet */
    char *alive, *placed;
    int *order, left; /* filled from the end */
    int pushes;
    size_t count, room;
    Candidate *heap;
    bool full;
} List;

static bool before(const Candidate *a, const Candidate *b) {
    return a->growth != b->growth ? a->growth < b->growth : a->rank > b->rank;
}

static bool leaf(zvTapeOp op) { return op < ZV_TAPE_ADD || op == ZV_TAPE_SIN || op == ZV_TAPE_COS; }

static void push(List *l, int node) {
    if (!zv_grow(&l->heap, l->count, &l->room, sizeof *l->heap)) {
        l->full = true;
        return;
    }
    int operand[2], growth = l->alive[node] ? -1 : 0;
    for (int k = zv_operands(l->d->tape, node, operand); k-- > 0;) growth += !l->alive[operand[k]];
    const Candidate c = {growth, l->latest ? node : ++l->pushes, node};
    size_t at = l->count++;
    for (; at && before(&c, &l->heap[(at - 1) / 2]); at = (at - 1) / 2) l->heap[at] = l->heap[(at - 1) / 2];
    l->heap[at] = c;
}

static int pop(List *l) {
    const Candidate top = l->heap[0], last = l->heap[--l->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < l->count; at = child) {
        if (child + 1 < l->count && before(&l->heap[child + 1], &l->heap[child])) child++;
        if (!before(&l->heap[child], &last)) break;
        l->heap[at] = l->heap[child];
    }
    if (l->count) l->heap[at] = last;
    return top.node;
}

static void place(List *l, int node) {
    int operand[2];
    l->placed[node] = 1;
    l->order[--l->left] = node;
    for (int k = zv_operands(l->d->tape, node, operand); k-- > 0;) {
        const int o = operand[k], *user = l->d->user;
        l->waiting[o]--;
        if (!l->alive[o]) { /* now it is, and its other users are cheaper */
            l->alive[o] = 1;
            for (int u = l->d->first_user[o]; u < l->d->first_user[o + 1]; u++)
                if (!leaf(l->d->tape->node[user[u]].op) && !l->placed[user[u]] && !l->waiting[user[u]])
                    push(l, user[u]);
        }
        if (!l->waiting[o] && o != zv_fused_product(l->d, node)) push(l, o);
    }
}

/* Operations from the end; then what lies in memory anyway, whose angles may ask for operations in turn. */
static void run(List *l) {
    const zvTape *t = l->d->tape;
    for (int i = 0; i < t->count; i++) l->waiting[i] = l->d->first_user[i + 1] - l->d->first_user[i];
    for (int i = 0; i < t->count; i++)
        if (!leaf(t->node[i].op) && !l->waiting[i]) push(l, i);
    for (int i = t->count; i >= 0 && !l->full; i--) {
        while (l->count && !l->full) {
            const int node = pop(l);
            if (l->placed[node]) continue;
            place(l, node);
            const int product = zv_fused_product(l->d, node);
            if (product >= 0 && !l->placed[product] && !l->waiting[product]) place(l, product);
        }
        if (i > 0 && leaf(t->node[i - 1].op)) place(l, i - 1);
    }
}

bool zv_order_by_list(const zvDependence *d, bool latest, int *order) {
    const size_t nodes = (size_t)d->tape->count;
    List l = {.d = d, .latest = latest, .order = order, .left = (int)nodes};
    l.waiting = calloc(nodes, sizeof *l.waiting);
    l.alive = calloc(nodes, 1);
    l.placed = calloc(nodes, 1);
    l.full = !l.waiting || !l.alive || !l.placed;
    if (!l.full) run(&l);
    free(l.waiting);
    free(l.alive);
    free(l.placed);
    free(l.heap);
    return !l.full;
}
