/* A robot prepared for straight-line code: the same motions and forces, fewer numbers that are not zero.
 *
 * Frames: the frame of a body under a revolute joint may be turned about and slid along its axis, that of a prismatic
 * one turned about it and put anywhere; z may point the other way. They are chosen so that the way to the child with
 * most bodies beyond it is sparse: x along the common normal of the two axes (Denavit-Hartenberg, proximal), axes that
 * are parallel point the same way. What turns becomes an offset of the coordinate, what is turned over its sign.
 * The ground's frame is that of the first joint: gravity is turned instead.
 *
 * Masses: of a body that turns about z, a mass on the axis moves with the parent as well. Mass, first moment along z
 * and second moment zz are moved over; of a body that slides the whole second moment is. Torques and mass matrix stay,
 * reactions do not.
 *
 * Second moments K = int x x^T dm take the place of the moments of inertia J = tr(K) 1 - K. */
#ifndef ZV_CODEGEN_LEAN_H
#define ZV_CODEGEN_LEAN_H

#include "model/tree.h"
#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zvLeanBody {
    int parent, q, v; /* coordinates of the tree */
    unsigned char type, nv, nq;
    unsigned char joins; /* its frame at rest is parallel to the parent's and both joints move about or along z: the two
                            may share axes; of one parent's bodies at most one joins */
    const zvJointData *data;
    double sign, offset; /* angle = sign q + offset of a revolute joint, way = sign q of a prismatic one; else 1, 0 */
    double E[9];         /* joint frame in the parent's, by columns; exact zeros and ones where they are meant */
    double r[3];         /* its origin there */
    double m, h[3];
    double K[6];     /* xx xy xz yy yz zz about the origin */
    double gross[2]; /* sizes of all that was added up in h and in K: the measure of their rounding */
} zvLeanBody;

typedef struct zvLean {
    const zvModel *model;
    int nb;
    zvLeanBody *body; /* as in the tree; 0 is the ground */
    double gravity[3];
    double ground_R[9], ground_p[3]; /* the ground's frame in the world, by columns */
    int frame_body;                  /* of pose and jacobian; -1: none */
    double frame_R[9], frame_p[3];   /* frame in that body, by columns */
} zvLean;

/* frame: index as in kinematics.h, or -1. ZV_NOT_SUPPORTED for elastic links and splines. zv_lean_free in either case.
 */
zvStatus zv_lean_make(const zvModel *model, int frame, zvLean *lean, zvError *error);
void zv_lean_free(zvLean *lean);

/* Parts of zv_lean_make. */
void zv_lean_reframe(zvLean *lean);
void zv_lean_regroup(zvLean *lean);

#ifdef __cplusplus
}
#endif
#endif
