/* The order of a program's operations. */
#ifndef ZV_CODEGEN_SCHEDULE_H
#define ZV_CODEGEN_SCHEDULE_H

#include "real/tape.h"
#include "zveno/status.h"

/* The same operations, depth first from the outputs, of two operands the one that needs more registers first [Sethi and
 * Ullman 1970, for trees]; a product that only goes into a sum stands right before it. From the first output on,
 * from the last, or as it was, whichever keeps fewest numbers alive beyond registers. Every node must be needed. `to`
 * is opened here. */
zvStatus zv_schedule(const zvTape *from, size_t count, const zvEdge *output, zvTape *to, zvEdge *moved);

/* Nodes of a tape in a given order on an open one, constants and inputs before the rest; folded again. */
zvStatus zv_tape_copy(const zvTape *from, const int *order, int nodes, size_t count, const zvEdge *output, zvTape *to,
                      zvEdge *moved);

#endif
