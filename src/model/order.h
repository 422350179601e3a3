/* The tree of links: which joint is above each, and the order depth-first from the root, children in file order. Joints
 * that are no part of it close loops: which those are, what loop a joint becomes, places of the ends of loops. */
#ifndef ZI_MODEL_ORDER_H
#define ZI_MODEL_ORDER_H

#include "model/builder.h"

typedef struct ziOrder {
    int *parent_link; /* njoint: link index, -1 when unknown */
    int *child_link;  /* njoint */
    int *joint_above; /* nlink: -1 for roots */
    int *sequence;    /* links in order; placed of them */
    int placed;
    int *place;      /* nlink: position in sequence, -1 for links that no root reaches */
    int roots, root; /* number of links without a joint above; the first of them */
    int *block;      /* owns all the arrays */
} ziOrder;

/* Tolerates broken descriptions: unknown names give -1, the first of several joints above a link counts unless the
 * builder cuts, links on cycles are not placed. False when out of memory. */
bool zi_order_make(const zvBuilder *builder, ziOrder *order);
/* Whether a joint closes a loop: it is said to be cut (zi_joint_is_cut), or was chosen to be among several above its
 * child. */
bool zi_order_cuts(const zvBuilder *builder, const ziOrder *order, size_t joint);

/* Chooses the joints above links that have several, the best of each (builder.h says which that is) as long as all
 * links still hang on the roots. False when out of memory. */
bool zi_order_span(const zvBuilder *builder, ziOrder *order);
void zi_order_free(ziOrder *order);

/* Where joints stand that follow a fixed joint, by whatever chain (njoint, to be freed): NaN for all others, and for
 * all where mimic joints are coordinates of their own. NULL when out of memory. */
double *zi_held_values(const zvBuilder *builder);
/* Makes a joint that slides along its axis or turns about it a fixed one at a value of its coordinate. */
void zi_hold_joint(zvJoint *joint, double value);

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
/* Whether a name means the ground under a free base, "world": no link and no frame is called so. No link of the
 * description then: zi_loop_end is -1. */
bool zi_loop_on_ground(const zvBuilder *builder, const char *name);

#endif
