/* Names, units and places of all coordinates and degrees of freedom of a model: "elbow", "ball.wx", "base.qw",
 * "arm.y1" of the elastic link arm. */
#ifndef ZI_MODEL_COORDINATE_H
#define ZI_MODEL_COORDINATE_H

#include "base/arena.h"
#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Labels of all entries of q (nq) or of v (nv), in order; false when out of memory. */
bool zi_coordinate_labels(const zvModel *model, bool of_q, ziArena *arena, const char **labels);
/* Units of all entries of v (nv), or of q (nq) when of_q, which goes with positions only. */
void zi_coordinate_units(const zvModel *model, bool of_q, zvQuantity quantity, const char **units);
/* For each entry of v the index into q of the coordinate whose rate it is; -1 where there is none (spherical and free
 * joints). */
void zi_coordinates_of_dofs(const zvModel *model, int *coordinate);

/* v (nv) of a rate dq (nq) of positions at q: zv_position_rate undone. */
void zi_position_departure(const zvModel *model, const double *q, const double *dq, double *v);

/* The degree of freedom that a joint's first one follows in the end, through chains of coupled mimic joints:
 * q = ratio q_master + offset. Of a joint that follows none: its own, 1 and 0. */
typedef struct ziFollow {
    int dof;
    int coordinate; /* its first entry of q */
    double ratio, offset;
} ziFollow;
ziFollow zi_joint_follow(const zvModel *model, int joint);

/* Spring, damper and dry friction of freedom k of a joint, reckoned on the coordinate it follows, docs/actuation.md
 * (2.3): a force f of the joint is ratio f there. All zero for a joint that never moves. */
typedef struct ziDofPassive {
    int dof, coordinate; /* coordinate: as if q had one for each degree of freedom; not of quaternions */
    double stiffness, rest, damping, friction; /* stiffness 0 of quaternions: zi_joint_spring_of has it */
    double swiftness;                          /* velocity of the joint over that of the coordinate, never negative */
} ziDofPassive;
ziDofPassive zi_joint_passive(const zvModel *model, int joint, int k);

#ifdef __cplusplus
}
#endif

#endif
