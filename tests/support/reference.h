/* An independent dense engine to check the library against.
 *
 * It shares nothing with src/: it reads the public description of a model, writes the motion of every link as jets
 * in long double from the joints' definitions, takes partial velocities from unit velocities (velocities are exactly
 * linear in v), and sums d'Alembert's principle over the links:
 *   tau = sum J^T (m (a - g), I alpha + w x I w) + armature a - sum J^T fext.
 * Slow, plain, O(n^3); not meant for anything but tests. */
#ifndef ZV_TEST_REFERENCE_H
#define ZV_TEST_REFERENCE_H

#include "support/reference_joint.h"

/* Motion of one link or frame: pose in the world; velocity and acceleration (linear of the origin, angular), world
 * axes. */
typedef struct refMotion {
    exact R[9], p[3], v[6], a[6];
} refMotion;

typedef struct refTree {
    const zvModel *model;
    int nq, nv, nlink, njoint;
    refJoint *joints;
    bool *moves;       /* nlink: some joint above it can move */
    refPose *poses;    /* nlink */
    refMotion *motion; /* nlink, of the last ref_move */
    exact *J;          /* nlink x 6 x nv, world axes at link origins, of the last ref_place */
    exact *rates;      /* nv x (all joints' freedoms): joint freedoms' share of each coordinate */
    int freedoms;      /* rows of all joints, followers included */
    exact *q, *v, *a;
    exact gravity[3];
} refTree;

refTree *ref_create(const zvModel *model);
void ref_destroy(refTree *tree);

/* Sets the position and works out the partial velocities of every link. */
void ref_place(refTree *tree, const double *q);
/* The same at q moved with constant v for time t. */
void ref_place_along(refTree *tree, const double *q, const double *v, exact t);
/* Motion of every link at the position set; v and a may be NULL for zero. */
void ref_move(refTree *tree, const double *v, const double *a);

/* Of the position and motion set: */
void ref_frame(const refTree *tree, int frame, refMotion *motion);
void ref_frame_jacobian(const refTree *tree, int frame, exact *J); /* 6 x nv, world axes */
void ref_turn6(const exact R[9], exact *x, int columns);           /* 6 x columns from world to local axes */
void ref_position(const refTree *tree, exact *q);

void ref_mass(const refTree *tree, exact *M); /* nv x nv */
void ref_inverse(const refTree *tree, const double *fext, bool gravity, exact *tau);
void ref_link_force(const refTree *tree, int link, exact f[6]);         /* d(momentum)/dt - weight, about its origin */
exact ref_center(const refTree *tree, exact c[3]);                      /* returns the moving mass */
void ref_momentum(const refTree *tree, exact h[6]);                     /* about the centre of mass */
void ref_energy(const refTree *tree, exact *kinetic, exact *potential); /* links only, without armature */
exact ref_rotor_energy(const refTree *tree);                            /* of the armature */

/* Rate of joint j's freedom k: its share (nv) of the coordinates; +-1 or a mimic ratio, else 0. */
int ref_freedom(const refTree *tree, int joint); /* first row of a joint in rates */

#endif
