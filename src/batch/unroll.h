/* Coordinates of one slot out of arrays that hold all slots of an entry together (dynamics/reduced_transform.h). */
#ifndef ZI_BATCH_UNROLL_H
#define ZI_BATCH_UNROLL_H

#include "batch/lanes.h"
#include "dynamics/reduced_mass.h"
#include "linalg/ltdl.h"
#include "work/coupling.h"

static inline void take_slot(int count, const real *x, int slot, real *to) {
    for (int k = 0; k < count; k++) to[k] = x[k * REAL_UNROLL + slot];
}

#endif
