/* What springs and dampers of a joint that closes a loop do to its two sides. */
#ifndef ZI_LOOPS_PASSIVE_H
#define ZI_LOOPS_PASSIVE_H

#include "model/joint_spring.h"
#include "zveno/model.h"

/* The wrench W on the child at the origin of its frame, in the axes of the parent's, of forces F (nv of the type) along
 * what the joint of a loop leaves free: W.S_k = F_k, docs/actuation.md (2.7). Of the wrenches that do so it is the one
 * along the freedoms; what it has across them the loop itself would give as well. qc: zv_loop_coordinates. */
void zi_loop_joint_wrench(const zvModel *model, int loop, const double *qc, const double *F, double W[6]);

/* Whether the joint of a loop has springs or dampers at all; never of rods and couplings. */
typedef struct ziLoopPassive {
    ziJointSpring matrices;
    bool sprung, damped; /* with those of single freedoms */
} ziLoopPassive;
ziLoopPassive zi_loop_passive(const zvLoop *loop);
/* Their forces along its freedoms at qc and vc (NULL: at rest), (nv) each; returns the energy of the springs. */
double zi_loop_passive_forces(const zvLoop *loop, const ziLoopPassive *passive, const double *qc, const double *vc,
                              double *spring, double *viscous);

#endif
