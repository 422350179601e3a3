/* What springs and dampers of a joint that closes a loop do to its two sides. */
#ifndef ZI_LOOPS_PASSIVE_H
#define ZI_LOOPS_PASSIVE_H

#include "zveno/model.h"

/* The wrench W on the child at the origin of its frame, in the axes of the parent's, of forces F (nv of the type) along
 * what the joint of a loop leaves free: W.S_k = F_k, docs/actuation.md (2.7). Of the wrenches that do so it is the one
 * along the freedoms; what it has across them the loop itself would give as well. qc: zv_loop_coordinates. */
void zi_loop_joint_wrench(const zvModel *model, int loop, const double *qc, const double *F, double W[6]);

#endif
