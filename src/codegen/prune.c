#include <stdlib.h>

#include "codegen/schedule.h"
#include "codegen/simplify.h"

zvOperations zi_tape_operations(const ziTape *tape) {
    zvOperations count = {0};
    for (int i = 0; i < tape->count; i++) {
        switch (tape->node[i].op) {
        case ZI_TAPE_CONSTANT:
        case ZI_TAPE_INPUT: break;
        case ZI_TAPE_ADD: count.add++; break;
        case ZI_TAPE_MUL: count.mul++; break;
        case ZI_TAPE_DIV:
        case ZI_TAPE_SQRT: count.div++; break;
        case ZI_TAPE_SIN:
        case ZI_TAPE_COS: count.trig++; break;
        }
    }
    return count;
}

static bool binary(ziTapeOp op) { return op == ZI_TAPE_ADD || op == ZI_TAPE_MUL || op == ZI_TAPE_DIV; }

/* Marks what the outputs need. Operands stand before their nodes. */
static void mark(const ziTape *tape, size_t count, const ziEdge *output, char *needed) {
    for (size_t k = 0; k < count; k++) needed[zi_edge_node(output[k])] = 1;
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        if (!needed[i] || n->op < ZI_TAPE_ADD) continue;
        needed[zi_edge_node(n->a)] = 1;
        if (binary(n->op)) needed[zi_edge_node(n->b)] = 1;
    }
}

static ziEdge moved_edge(const ziEdge *at, ziEdge e) {
    const ziEdge m = at[zi_edge_node(e)];
    return zi_edge_negative(e) ? zi_edge_negate(m) : m;
}

static ziEdge rebuild(const ziTapeNode *n, const ziEdge *at, ziTape *to) {
    switch (n->op) {
    case ZI_TAPE_CONSTANT: return zi_tape_constant(to, n->value);
    case ZI_TAPE_INPUT: return zi_tape_input(to, n->a);
    case ZI_TAPE_ADD: return zi_tape_add(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZI_TAPE_MUL: return zi_tape_mul(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZI_TAPE_DIV: return zi_tape_div(to, moved_edge(at, n->a), moved_edge(at, n->b));
    case ZI_TAPE_SIN: return zi_tape_sin(to, moved_edge(at, n->a));
    case ZI_TAPE_COS: return zi_tape_cos(to, moved_edge(at, n->a));
    case ZI_TAPE_SQRT: return zi_tape_sqrt(to, moved_edge(at, n->a));
    }
    return ZI_EDGE_UNKNOWN;
}

zvStatus zi_tape_copy(const ziTape *from, const int *order, int nodes, size_t count, const ziEdge *output, ziTape *to,
                      ziEdge *moved) {
    ziEdge *at = calloc((size_t)from->count, sizeof *at);
    if (!at) return ZV_MEMORY;
    for (int kind = 0; kind < 3; kind++) /* constants, inputs, operations: a product names its constant first */
        for (int i = 0; i < nodes; i++) {
            const ziTapeNode *n = &from->node[order[i]];
            if ((n->op < ZI_TAPE_ADD ? (int)n->op : 2) == kind) at[order[i]] = rebuild(n, at, to);
        }
    for (size_t k = 0; k < count; k++) moved[k] = moved_edge(at, output[k]);
    free(at);
    return to->full ? ZV_MEMORY : ZV_OK;
}

zvStatus zi_prune(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved) {
    if (!zi_tape_open(to, ZI_TAPE_RECORD) || from->full) return ZV_MEMORY;
    char *needed = calloc((size_t)from->count, 1);
    int *order = calloc((size_t)from->count, sizeof *order), nodes = 0;
    zvStatus status = ZV_MEMORY;
    if (needed && order) {
        mark(from, count, output, needed);
        for (int i = 0; i < from->count; i++)
            if (needed[i]) order[nodes++] = i;
        status = zi_tape_copy(from, order, nodes, count, output, to, moved);
    }
    free(needed);
    free(order);
    return status;
}
