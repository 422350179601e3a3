/* Coordinates of one side out of arrays that hold all sides of an entry together (dynamics/lean_way.h). */
#ifndef ZV_BATCH_SIDES_H
#define ZV_BATCH_SIDES_H

#include "batch/lanes.h"
#include "dynamics/lean_mass.h"
#include "linalg/ltdl.h"

static inline void take_side(int count, const real *x, int side, real *to) {
    for (int k = 0; k < count; k++) to[k] = x[k * REAL_SIDES + side];
}

#endif
