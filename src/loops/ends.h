/* One loop by the paths to its two ends: O(depth). */
#ifndef ZV_LOOPS_ENDS_H
#define ZV_LOOPS_ENDS_H

#include "kinematics/kernels.h"
#include "kinematics/tie.h"

typedef struct zvEnds {
    tie_row a, b;
    motion acc_a, acc_b; /* of the origins of the rows when all accelerations of coordinates are zero */
    tie_now now;
} zvEnds;

/* q, v: of the tree; v NULL: zero. Of a coupling only now.rows is set. */
void zv_ends_at(const zvModel *model, zvDesk desk, const zvTie *tie, const double *q, const double *v, zvEnds *ends);

/* The row that an end hangs on, as a frame. */
zvFrameSpot zv_end_spot(const zvTree *tree, const zvTieEnd *end);

/* Gaps and rates (rows of the tie) from that; rate may be NULL. */
void zv_ends_gap(const zvTie *tie, const zvEnds *ends, tie_target target, const double *q, const double *v, double *gap,
                 double *rate);

/* Its rows of G (rows x nv of the model), those that are lengths divided by `size`; q of the tree. */
void zv_ends_jacobian(const zvModel *model, zvDesk desk, int loop, const double *q, double size, double *rows);

#endif
