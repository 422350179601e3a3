/* The order of a program's operations. */
#ifndef ZV_CODEGEN_SCHEDULE_H
#define ZV_CODEGEN_SCHEDULE_H

#include "real/tape.h"
#include "zveno/status.h"

/* The same operations in the order, of those tried, that asks for the least memory beyond registers. Every node must
 * be needed. `to` is opened here. */
zvStatus zv_schedule(const zvTape *from, size_t count, const zvEdge *output, zvTape *to, zvEdge *moved);

/* Nodes of a tape in a given order on an open one, constants and inputs before the rest; folded again. */
zvStatus zv_tape_copy(const zvTape *from, const int *order, int nodes, size_t count, const zvEdge *output, zvTape *to,
                      zvEdge *moved);

/* What the orders are made from. */
typedef struct zvDependence {
    const zvTape *tape;
    size_t count;
    const zvEdge *output;
    int *uses;       /* by node, outputs included */
    int *user;       /* nodes that use node i: user[first_user[i]] ... */
    int *first_user; /* nodes + 1 */
} zvDependence;

/* Operands of a node that are operations: 0, 1 or 2, different ones. Constants, inputs, and sines and cosines, which
 * are all taken at the beginning, lie in memory anyway. */
int zv_operands(const zvTape *tape, int node, int operand[2]);
/* The product among the operands of a sum that goes nowhere else, or -1: the two are one instruction. */
int zv_fused_product(const zvDependence *d, int node);

/* Orders of all nodes; false when out of memory.
 * By depth: from the outputs, and of two operands the one that needs more registers first [Sethi and Ullman 1970, for
 * trees]. By list: from the end, always the operation that leaves fewest numbers alive before it. */
bool zv_order_by_depth(const zvDependence *d, bool backwards, int *order);
bool zv_order_by_list(const zvDependence *d, bool latest, int *order);

#endif
