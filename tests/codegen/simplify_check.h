/* A program before and after: the same numbers but for rounding.
 *
 * Size of a node is what it would be if nothing cancelled; of quotients and functions, how far errors of that size in
 * their arguments carry. A rounding error is at most eps times the size of the node it happens in, no path through a
 * program has more of them than the program has levels, and the constants of the second one were rounded a few times
 * more: (levels of both + 32) eps size. */
#ifndef ZV_TEST_SIMPLIFY_CHECK_H
#define ZV_TEST_SIMPLIFY_CHECK_H

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "codegen/simplify.h"

static inline int operand_count(ziTapeOp op) {
    return op < ZI_TAPE_ADD ? 0 : op == ZI_TAPE_ADD || op == ZI_TAPE_MUL || op == ZI_TAPE_DIV ? 2 : 1;
}

static inline void sizes_of(const ziTape *t, const double *value, double *size) {
    for (int i = 0; i < t->count; i++) {
        const ziTapeNode *n = &t->node[i];
        const int count = operand_count(n->op), a = count ? zi_edge_node(n->a) : 0,
                  b = count > 1 ? zi_edge_node(n->b) : 0;
        switch (n->op) {
        case ZI_TAPE_CONSTANT:
        case ZI_TAPE_INPUT: size[i] = fabs(value[i]); break;
        case ZI_TAPE_ADD: size[i] = size[a] + size[b]; break;
        case ZI_TAPE_MUL: size[i] = size[a] * size[b]; break;
        case ZI_TAPE_DIV: size[i] = size[a] / fabs(value[b]) + fabs(value[i]) * size[b] / fabs(value[b]); break;
        case ZI_TAPE_SIN:
        case ZI_TAPE_COS: size[i] = fabs(value[i]) + size[a]; break;
        case ZI_TAPE_SQRT: size[i] = value[i] + size[a] / (2 * value[i]); break;
        case ZI_TAPE_TANH: size[i] = 1 + size[a]; break;
        }
    }
}

static inline int levels_of(const ziTape *t) {
    int *level = calloc((size_t)(unsigned)t->count, sizeof *level), most = 0;
    for (int i = 0; i < t->count; i++) {
        const ziTapeNode *n = &t->node[i];
        const int count = operand_count(n->op);
        if (count > 0) level[i] = 1 + level[zi_edge_node(n->a)];
        if (count > 1 && level[zi_edge_node(n->b)] >= level[i]) level[i] = 1 + level[zi_edge_node(n->b)];
        if (level[i] > most) most = level[i];
    }
    free(level);
    return most;
}

/* The largest error of outputs in units of what is allowed: not above 1. */
static inline double worst_error(const ziTape *from, const ziTape *to, size_t count, const ziEdge *output,
                                 const ziEdge *moved, const double *inputs) {
    double *value = calloc(2 * (size_t)from->count, sizeof *value), *size = value + from->count;
    double *after = calloc((size_t)to->count, sizeof *after), worst = 0;
    zi_tape_run(from, inputs, value);
    zi_tape_run(to, inputs, after);
    sizes_of(from, value, size);
    const double allowed = (levels_of(from) + levels_of(to) + 32) * DBL_EPSILON;
    for (size_t k = 0; k < count; k++) {
        const double error = fabs(zi_edge_value(value, output[k]) - zi_edge_value(after, moved[k]));
        const double bound = allowed * size[zi_edge_node(output[k])];
        const double ratio = error <= bound && bound > 0 ? error / bound : error == 0 ? 0 : INFINITY;
        if (ratio > worst) worst = ratio;
    }
    free(value);
    free(after);
    return worst;
}

/* Every node is used, operands stand before, constants and inputs before operations. */
static inline bool in_good_order(const ziTape *t, size_t count, const ziEdge *output) {
    char *used = calloc((size_t)t->count, 1);
    bool good = true, operations = false;
    for (size_t k = 0; k < count; k++) used[zi_edge_node(output[k])] = 1;
    for (int i = 0; i < t->count; i++) {
        const ziTapeNode *n = &t->node[i];
        const int operands = operand_count(n->op);
        if (operands > 0) used[zi_edge_node(n->a)] = 1;
        if (operands > 1) used[zi_edge_node(n->b)] = 1;
        if (operands > 0 && zi_edge_node(n->a) >= i) good = false;
        if (operands > 1 && zi_edge_node(n->b) >= i) good = false;
        if (operands == 0 && operations && i > 1) good = false;
        operations |= operands > 0;
    }
    for (int i = 2; i < t->count; i++) good &= used[i]; /* 0 and 1 are on every tape */
    free(used);
    return good;
}

static inline long long weight(const ziTape *t) {
    const zvOperations o = zi_tape_operations(t);
    return o.mul + o.add + 8 * o.div;
}

#endif
