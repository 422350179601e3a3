/* Loops within a description: joints that are cut, places of the ends, number of conditions. */
#ifndef ZI_MODEL_LOOP_H
#define ZI_MODEL_LOOP_H

#include "model/order.h"

/* Where a joint sits in its child, with the identity for an all-zero R. */
zvPose zi_joint_child_origin(const zvJoint *joint);
/* Whether it is said to close a loop: cut, or elsewhere in its child than at the origin, where no joint can carry it.
 */
bool zi_joint_is_cut(const zvJoint *joint);

/* The loop that a cut joint becomes; what the joint says of limits, friction and rotors is left out. */
zvLoop zi_loop_of_joint(const zvJoint *joint);
/* Type, origin, axes, pitch, curve and coefficients of a loop as those of a joint. */
zvJoint zi_joint_of_loop(const zvLoop *loop);

/* Conditions: six less the freedoms of its joint, one more when driven; 1 of a rod or coupling. */
int zi_loop_rows(const zvLoop *loop);

/* The link that an end of a loop is on, which is named itself or one of its frames, and origin in that link. -1: there
 * is no such name. */
int zi_loop_end(const zvBuilder *builder, const char *name, const zvPose *origin, zvPose *pose);

#endif
