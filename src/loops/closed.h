/* One loop by the paths to its two ends: O(depth). */
#ifndef ZI_LOOPS_ENDS_H
#define ZI_LOOPS_ENDS_H

#include "kinematics/constraint.h"
#include "kinematics/kernels.h"

typedef struct ziEnds {
    constraint_row a, b;
    motion acc_a, acc_b; /* of the origins of the rows when all accelerations of coordinates are zero */
    constraint_now now;
} ziEnds;

/* q, v: of the tree; v NULL: zero. Of a coupling only now.rows is set. */
void zi_ends_at(const zvModel *model, ziScratch scratch, const ziConstraint *constraint, const double *q,
                const double *v, ziEnds *ends);

/* The row that an end hangs on, as a frame. */
ziFrameSpot zi_end_spot(const ziTree *tree, const ziConstraintEnd *end);

/* Gaps and rates (rows of the constraint) from that; rate may be NULL. */
void zi_ends_gap(const ziConstraint *constraint, const ziEnds *ends, constraint_target target, const double *q,
                 const double *v, double *gap, double *rate);

/* Its rows of G (rows x nv of the model), those that are lengths divided by `size`; q of the tree. */
void zi_ends_jacobian(const zvModel *model, ziScratch scratch, int loop, const double *q, double size, double *rows);

#endif
