#include <stdlib.h>

#include "codegen/schedule.h"

typedef struct Walk {
    const zvDependence *d;
    int *need; /* by node: registers for the tree that hangs on it, as if nothing were shared */
    char *placed;
    int *stack; /* ~node: one whose operands are done */
    int *order, count;
} Walk;

static void count_needs(Walk *w) {
    for (int i = 0; i < w->d->tape->count; i++) {
        int operand[2];
        const int count = zv_operands(w->d->tape, i, operand);
        const int a = count > 0 ? w->need[operand[0]] : 0, b = count > 1 ? w->need[operand[1]] : 0;
        w->need[i] = a == b ? a + 1 : a > b ? a : b;
    }
}

/* A sum and the product that goes into it have three operands. */
static int visit(Walk *w, int node, int depth) {
    int operand[4], count = 0, pair[2];
    const int product = zv_fused_product(w->d, node);
    for (int k = zv_operands(w->d->tape, node, pair); k-- > 0;)
        if (pair[k] != product) operand[count++] = pair[k];
    w->stack[depth++] = ~node;
    if (product >= 0) {
        w->stack[depth++] = ~product;
        for (int k = zv_operands(w->d->tape, product, pair); k-- > 0;) operand[count++] = pair[k];
    }
    for (int i = 1; i < count; i++) /* the neediest last: it is on top */
        for (int j = i; j > 0 && w->need[operand[j]] < w->need[operand[j - 1]]; j--) {
            const int o = operand[j];
            operand[j] = operand[j - 1];
            operand[j - 1] = o;
        }
    for (int i = 0; i < count; i++)
        if (!w->placed[operand[i]]) w->stack[depth++] = operand[i];
    return depth;
}

static void place(Walk *w, int node) {
    w->placed[node] = 1;
    w->order[w->count++] = node;
}

static void place_from(Walk *w, int output) {
    int depth = 0;
    w->stack[depth++] = output;
    while (depth) {
        const int top = w->stack[--depth], node = top < 0 ? ~top : top;
        if (w->placed[node]) continue;
        if (top < 0)
            place(w, node);
        else
            depth = visit(w, node, depth);
    }
}

/* What lies in memory anyway comes first; angles need what stands before them. */
static void place_leaves(Walk *w) {
    const zvTape *t = w->d->tape;
    for (int i = 0; i < t->count; i++) {
        const zvTapeNode *n = &t->node[i];
        if (n->op == ZV_TAPE_SIN || n->op == ZV_TAPE_COS) place_from(w, zv_edge_node(n->a));
        if ((n->op < ZV_TAPE_ADD || n->op == ZV_TAPE_SIN || n->op == ZV_TAPE_COS) && !w->placed[i]) place(w, i);
    }
}

bool zv_order_by_depth(const zvDependence *d, bool backwards, int *order) {
    const size_t nodes = (size_t)d->tape->count;
    /* a node is pushed by each of its users, and for each of them once as done */
    Walk w = {d, calloc(nodes, sizeof *w.need), calloc(nodes, 1), malloc((4 * nodes + 8) * sizeof *w.stack), order, 0};
    const bool fine = w.need && w.placed && w.stack;
    if (fine) {
        count_needs(&w);
        place_leaves(&w);
        for (size_t k = 0; k < d->count; k++)
            place_from(&w, zv_edge_node(d->output[backwards ? d->count - 1 - k : k]));
    }
    free(w.need);
    free(w.placed);
    free(w.stack);
    return fine;
}
