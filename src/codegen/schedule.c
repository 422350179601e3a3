#include "codegen/schedule.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 14 };

typedef struct Schedule {
    const ziTape *tape;
    size_t count;
    const ziEdge *output;
    int *uses; /* by node, outputs included */
    int *need; /* by node: registers for the tree that hangs on it, as if nothing were shared */
    int *last; /* by node: where it is used last */
    int *placed;
    int *stack; /* ~node: one whose operands are done */
    int *order, done, *best, best_count;
} Schedule;

static bool binary(ziTapeOp op) { return op == ZI_TAPE_ADD || op == ZI_TAPE_MUL || op == ZI_TAPE_DIV; }

static bool operation(ziTapeOp op) { return binary(op) || op == ZI_TAPE_SQRT; }

/* Operands of a node that are operations, different ones. Constants, inputs, and sines and cosines, which are all taken
 * at the beginning, lie in memory anyway. */
static int operands(const ziTape *tape, int node, int operand[2]) {
    const ziTapeNode *n = &tape->node[node];
    if (n->op < ZI_TAPE_ADD) return 0;
    int count = 0;
    const int a = zi_edge_node(n->a), b = zi_edge_node(n->b);
    if (operation(tape->node[a].op)) operand[count++] = a;
    if (binary(n->op) && b != a && operation(tape->node[b].op)) operand[count++] = b;
    return count;
}

/* The product among the operands of a sum that goes nowhere else, or -1: the two are one instruction. */
static int fused_product(const Schedule *s, int node) {
    const ziTapeNode *n = &s->tape->node[node];
    if (n->op != ZI_TAPE_ADD) return -1;
    const int pair[2] = {zi_edge_node(n->b), zi_edge_node(n->a)};
    for (int k = 0; k < 2; k++)
        if (s->tape->node[pair[k]].op == ZI_TAPE_MUL && s->uses[pair[k]] == 1) return pair[k];
    return -1;
}

static void count_needs(Schedule *s) {
    for (int i = 0; i < s->tape->count; i++) {
        int operand[2], need[2] = {0, 0};
        for (int k = operands(s->tape, i, operand); k-- > 0;) {
            s->uses[operand[k]]++;
            need[k] = s->need[operand[k]];
        }
        s->need[i] = need[0] == need[1] ? need[0] + 1 : need[0] > need[1] ? need[0] : need[1];
    }
    for (size_t k = 0; k < s->count; k++) s->uses[zi_edge_node(s->output[k])]++;
}

/* A sum and the product that goes into it have three operands. */
static int visit(Schedule *s, int node, int depth) {
    int operand[4], count = 0, pair[2];
    const int product = fused_product(s, node);
    for (int k = operands(s->tape, node, pair); k-- > 0;)
        if (pair[k] != product) operand[count++] = pair[k];
    s->stack[depth++] = ~node;
    if (product >= 0) {
        s->stack[depth++] = ~product;
        for (int k = operands(s->tape, product, pair); k-- > 0;) operand[count++] = pair[k];
    }
    for (int i = 1; i < count; i++) /* the neediest last: it is on top */
        for (int j = i; j > 0 && s->need[operand[j]] < s->need[operand[j - 1]]; j--) {
            const int o = operand[j];
            operand[j] = operand[j - 1];
            operand[j - 1] = o;
        }
    for (int i = 0; i < count; i++)
        if (!s->placed[operand[i]]) s->stack[depth++] = operand[i];
    return depth;
}

static void place(Schedule *s, int node) {
    if (s->placed[node]) return;
    s->placed[node] = 1;
    s->order[s->done++] = node;
}

static void place_from(Schedule *s, int output) {
    int depth = 0;
    s->stack[depth++] = output;
    while (depth) {
        const int top = s->stack[--depth];
        if (top < 0)
            place(s, ~top);
        else if (!s->placed[top])
            depth = visit(s, top, depth);
    }
}

/* What lies in memory anyway comes first; angles need what stands before them. */
static void place_leaves(Schedule *s) {
    for (int i = 0; i < s->tape->count; i++) {
        const ziTapeNode *n = &s->tape->node[i];
        if (operation(n->op)) continue;
        if (n->op >= ZI_TAPE_ADD) place_from(s, zi_edge_node(n->a));
        place(s, i);
    }
}

/* Numbers alive beyond those that registers hold, summed over the program. */
static long long pressure(Schedule *s) {
    const int *order = s->order;
    int operand[2];
    long long sum = 0, alive = 0;
    memset(s->last, 0, (size_t)s->tape->count * sizeof *s->last);
    for (int i = 0; i < s->done; i++)
        for (int k = operands(s->tape, order[i], operand); k-- > 0;) s->last[operand[k]] = i;
    for (int i = 0; i < s->done; i++) {
        for (int k = operands(s->tape, order[i], operand); k-- > 0;) alive -= s->last[operand[k]] == i;
        if (operation(s->tape->node[order[i]].op) && s->last[order[i]]) alive++;
        if (alive > REGISTERS) sum += alive - REGISTERS;
    }
    return sum;
}

/* Outputs from the first on, from the last on, or all as it was. */
static void choose(Schedule *s) {
    const size_t nodes = (size_t)s->tape->count;
    long long least = -1;
    for (int kind = 0; kind < 3; kind++) {
        memset(s->placed, 0, nodes * sizeof *s->placed);
        s->done = 0;
        if (kind < 2) place_leaves(s);
        for (size_t k = 0; kind < 2 && k < s->count; k++)
            place_from(s, zi_edge_node(s->output[kind ? s->count - 1 - k : k]));
        for (int i = 0; kind == 2 && i < s->tape->count; i++) place(s, i);
        const long long found = pressure(s);
        if (least >= 0 && found >= least) continue;
        least = found;
        memcpy(s->best, s->order, (size_t)s->done * sizeof *s->best);
        s->best_count = s->done;
    }
}

zvStatus zi_schedule(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    if (!zi_tape_open(to, ZI_TAPE_RECORD)) return ZV_MEMORY;
    const size_t n = (size_t)from->count;
    int *m = calloc(10 * n + 8, sizeof *m); /* a visit, of one node or of a sum and its product, pushes 3 or 5 */
    if (!m) return ZV_MEMORY;
    Schedule s = {from, count, output, m, m + n, m + 2 * n, m + 3 * n, m + 6 * n, m + 4 * n, 0, m + 5 * n, 0};
    count_needs(&s);
    choose(&s);
    const zvStatus status = zi_tape_copy(from, s.best, s.best_count, count, output, to, moved);
    free(m);
    return status;
}
