/* What is left open, and how well that can be known. */
#ifndef ZI_LOOPS_GAPS_H
#define ZI_LOOPS_GAPS_H

#include "kinematics/kernels.h"
#include "zveno/loops.h"

/* reach: the largest distance of a loop from the world's origin. Gaps are differences of places in the world and carry
 * their rounding, eps reach. All lengths in sizes of the robot. */
typedef struct ziLeft {
    double gap, rate, reach;
} ziLeft;

/* Of all loops; v NULL: at rest. */
ziLeft zi_loops_left(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v);

/* From the states of all loops. */
double zi_reach_of(const zvModel *model, const ziConstraintState *states);

/* Residuals up to this are closed; up to that there is nothing to gain. */
double zi_closed_within(double reach);
double zi_done_within(double reach);

#endif
