/* How large the terms of a computation are before they cancel: the scale of unavoidable rounding errors.
 *
 * The same recursions as the dynamics, but with lengths and absolute values in place of vectors, so nothing cancels.
 * A backward-stable method is within c * depth * eps of the truth relative to these; tests state their c. */
#ifndef ZV_TEST_REFERENCE_ERROR_SCALE_H
#define ZV_TEST_REFERENCE_ERROR_SCALE_H

#include "support/reference.h"

typedef struct refErrorScale {
    exact *reach;             /* nlink: sum of distances from the root to the link's origin */
    exact *w, *u;             /* nlink: angular velocity, velocity of the origin */
    exact *alpha, *a;         /* nlink: accelerations, gravity included */
    exact *f, *n;             /* nlink: force and moment through the joint above */
    exact *tau;               /* nv */
    exact *lever;             /* nlink: length added by the joint above */
    exact *joint_w, *joint_u; /* nlink: relative velocities in the joint above */
    exact kinetic, potential;
    int depth; /* joints on the longest path, at least 1 */
} refErrorScale;

refErrorScale *ref_error_scale_create(const refTree *tree);
void ref_error_scale_destroy(refErrorScale *error_scale);
/* Fills all fields for the position set in tree and for v, a, fext (each may be NULL for zero). */
void ref_error_scale(const refTree *tree, const double *v, const double *a, const double *fext, bool gravity,
                     refErrorScale *error_scale);
/* Scales of the entries of the mass matrix; (nv x nv). */
void ref_error_scale_mass(const refTree *tree, refErrorScale *error_scale, exact *scale);

#endif
