/* Guards: pairs (p, m) that a function computes along with its answer, which is good when every p > floor m.
 *
 * Of a pivot of the mass matrix, m is the diagonal entry it came from, as the library judges it (linalg/ltl.h): one so
 * much smaller is rounding. Of the squared length of a quaternion, m is zero. Those that are constant are judged when
 * code is generated. */
#ifndef ZI_CODEGEN_GUARDS_H
#define ZI_CODEGEN_GUARDS_H

#include "linalg/ltl.h"
#include "real/tape.h"
#include "zveno/codegen.h"

/* In single precision as many last digits. */
static inline double zi_guard_floor(bool single) { return single ? 0x1p29 * LTL_PIVOT_FLOOR : LTL_PIVOT_FLOOR; }

/* Whether both numbers of a pair are constants; holds: what comes of them. */
bool zi_guard_known(const ziTape *tape, const ziEdge *pair, bool *holds);

/* ZV_SINGULAR when one of `pairs` constant pairs fails: of the first nv the freedom is named. */
zvStatus zi_guards_refuse(const zvModel *model, zvGenerated function, const ziTape *tape, size_t pairs,
                          const ziEdge *guard, zvError *error);

/* Whether all hold for the values of zi_tape_run. */
bool zi_guards_hold(size_t pairs, const ziEdge *guard, const double *value);

#endif
