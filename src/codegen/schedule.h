/* The order of a program's operations. */
#ifndef ZI_CODEGEN_SCHEDULE_H
#define ZI_CODEGEN_SCHEDULE_H

#include "real/tape.h"
#include "zveno/status.h"

/* The same operations, depth first from the outputs, of two operands the one that needs more registers first [Sethi and
 * Ullman 1970, for trees]; a product that only goes into a sum stands right before it. From the first output on,
 * from the last, or as it was, whichever keeps fewest numbers alive beyond registers. Every node must be needed. `to`
 * is opened here. */
zvStatus zi_schedule(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved);

/* Nodes of a tape in a given order on an open one, constants and inputs before the rest; folded again. */
zvStatus zi_tape_copy(const ziTape *from, const int *order, int nodes, size_t count, const ziEdge *output, ziTape *to,
                      ziEdge *moved);

#endif
