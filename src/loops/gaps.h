/* What is left open, and how well that can be known. */
#ifndef ZV_LOOPS_GAPS_H
#define ZV_LOOPS_GAPS_H

#include "kinematics/kernels.h"
#include "zveno/loops.h"

/* reach: the largest distance of a loop from the world's origin. Gaps are differences of places in the world and carry
 * their rounding, eps reach. All lengths in sizes of the robot. */
typedef struct zvLeft {
    double gap, rate, reach;
} zvLeft;

/* Of all loops; v NULL: at rest. */
zvLeft zv_loops_left(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v);

/* From the states of all loops. */
double zv_reach_of(const zvModel *model, const zvTieState *states);

/* Residuals up to this are closed; up to that there is nothing to gain. */
double zv_closed_within(double reach);
double zv_done_within(double reach);

#endif
