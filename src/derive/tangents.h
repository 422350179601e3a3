/* Exact tangents of inverse dynamics and of loops by the kernels' own text on a scalar that carries slopes (jet.h).
 * Tree coordinates; trees of every kind, elastic links too. A build without C++ has none: zi_tangents_there. */
#ifndef ZI_DERIVE_TANGENTS_H
#define ZI_DERIVE_TANGENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZI_TANGENTS_AT_ONCE = 4 };

bool zi_tangents_there(void);
/* Bytes of memory, aligned to 64, that a call needs. */
size_t zi_tangents_bytes(const ziTree *tree);

/* Slopes of q (nq each) and v (nv each), one after another, along up to ZI_TANGENTS_AT_ONCE directions; dv NULL: none.
 */
typedef struct ziDirections {
    int count;
    const double *dq, *dv;
} ziDirections;

/* slopes (count x nv) of tau(q, v, a) with external forces fext (as the kernel takes them) or NULL, and their own
 * slopes dfext (count x external), NULL: constant. */
void zi_tangents_inverse(const ziTree *tree, void *memory, const double *q, const double *v, const double *a,
                         const double *fext, const double *dfext, const ziDirections *directions, double *slopes);

/* slopes (count x rows) of the rates of all loops, G v less those of their targets. Where rate_q (nq), q' = N v, is
 * given, with mixed (count x nq), the slopes of that rate itself, and a, also slopes of what the rates change by in
 * time, second (count x rows), G a + bias. */
void zi_tangents_loops(const ziTree *tree, void *memory, const double *q, const double *v, const double *rate_q,
                       const double *mixed, const double *a, const ziDirections *directions, double *rates,
                       double *second);

#ifdef __cplusplus
}
#endif

#endif
