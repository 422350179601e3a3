#include <stdlib.h>

#include "codegen/schedule.h"
#include "codegen/simplify.h"

zvOperations zv_tape_operations(const zvTape *tape) {
    zvOperations count = {0};
    for (int i = 0; i < tape->count; i++) {
        switch (tape->node[i].op) {
        case ZV_TAPE_CONSTANT:
        case ZV_TAPE_INPUT: break;
        case ZV_TAPE_ADD: count.add++; break;
        case ZV_TAPE_MUL: count.mul++; break;
        case ZV_TAPE_DIV:
        case ZV_TAPE_SQRT: count.div++; break;
        case ZV_TAPE_SIN:
        case ZV_TAPE_COS: count.trig++; break;
        }
    }
    return count;
}

static bool binary(zvTapeOp op) { return op == ZV_TAPE_ADD || op == ZV_TAPE_MUL || op == ZV_TAPE_DIV; }

/* Marks what the outputs need. Operands stand before their nodes. */
static void mark(const zvTape *tape, size_t count, const zvEdge *output, char *needed) {
    for (size_t k = 0; k < count; k++) needed[zv_edge_node(output[k])] = 1;
    for (int i = tape->count - 1; i >= 0; i--) {
        const zvTapeNode *n = &tape->node[i];
        if (!needed[i] || n->op < ZV_TAPE_ADD) continue;
        needed[zv_edge_node(n->a)] = 1;
        if (binary(n->op)) needed[zv_edge_node(n->b)] = 1;
    }
}

static zvEdge moved_edge(const zvEdge *at, zvEdge e) {
    const zvEdge m = at[zv_edge_node(e)];
    return zv_edge_negative(e) ? zv_edge_negate(m) : m;
}

static zvEdge rebuild(const zvTapeNode *n, const zvEdge *at, zvTape *to) {
    switch (n->op) {
    case ZV_TAPE_CONSTANT: return zv_tape_constant(to, n->value);
    case ZV_TAPE_INPUT: return zv_tape_input(to, n->a);
    case ZV_TAPE_ADD: return zv_tape_add(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZV_TAPE_MUL: return zv_tape_mul(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZV_TAPE_DIV: return zv_tape_div(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZV_TAPE_SIN: return zv_tape_sin(to, moved_edge(at, n->a));
    case ZV_TAPE_COS: return zv_tape_cos(to, moved_edge(at, n->a));
    case ZV_TAPE_SQRT: return zv_tape_sqrt(to, moved_edge(at, n->a));
    }
    return ZV_EDGE_UNKNOWN;
}

zvStatus zv_tape_copy(const zvTape *from, const int *order, int nodes, size_t count, const zvEdge *output, zvTape *to,
                      zvEdge *moved) {
    zvEdge *at = calloc((size_t)from->count, sizeof *at);
    if (!at) return ZV_MEMORY;
    for (int kind = 0; kind < 3; kind++) /* constants, inputs, operations: a product names its constant first */
        for (int i = 0; i < nodes; i++) {
            const zvTapeNode *n = &from->node[order[i]];
            if ((n->op < ZV_TAPE_ADD ? (int)n->op : 2) == kind) at[order[i]] = rebuild(n, at, to);
        }
    for (size_t k = 0; k < count; k++) moved[k] = moved_edge(at, output[k]);
    free(at);
    return to->full ? ZV_MEMORY : ZV_OK;
}

zvStatus zv_prune(const zvTape *from, size_t count, const zvEdge *output, zvTape *to, zvEdge *moved) {
    if (!zv_tape_open(to, ZV_TAPE_RECORD) || from->full) return ZV_MEMORY;
    char *needed = calloc((size_t)from->count, 1);
    int *order = calloc((size_t)from->count, sizeof *order), nodes = 0;
    zvStatus status = ZV_MEMORY;
    if (needed && order) {
        mark(from, count, output, needed);
        for (int i = 0; i < from->count; i++)
            if (needed[i]) order[nodes++] = i;
        status = zv_tape_copy(from, order, nodes, count, output, to, moved);
    }
    free(needed);
    free(order);
    return status;
}
