/* From what a kernel left on a tape to the program that is written: dead code out, fewer operations, a good order. */
#ifndef ZI_CODEGEN_SIMPLIFY_H
#define ZI_CODEGEN_SIMPLIFY_H

#include "real/tape.h"
#include "zveno/codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Operations of all nodes on a tape; after zi_prune and zi_simplify every node is needed. */
zvOperations zi_tape_operations(const ziTape *tape);

/* Only what the outputs need: folded and common subexpressions once, as recorded. `to` is opened here; moved (count)
 * receives the outputs on it; close it in either case. */
zvStatus zi_prune(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved);

/* The same with fewer operations by algebra: common factors, constants gathered, sums and differences that occur more
 * than once; nodes in an order that keeps few numbers alive.
 *
 * Numbers differ in rounding only: those of an output by at most (levels of both programs + 32) eps times its size in
 * the one given, which is what it would be if nothing cancelled: |a| + |b| of a sum, |a| |b| of a product, of quotients
 * and functions how far errors of that size in their arguments carry. Where the program given keeps differences of
 * nearly equal numbers apart on purpose, the result may not. */
zvStatus zi_simplify(const ziTape *from, size_t count, const ziEdge *output, ziTape *to, ziEdge *moved);

#ifdef __cplusplus
}
#endif
#endif
