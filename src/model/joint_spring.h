/* Springs and dampers of a joint as matrices, with the departure of joints that move by quaternions.
 *
 * [Liu] (42): joint forces -D qd - K q with K_j and D_j of N_j x N_j. Spherical and free joints have no q to multiply;
 * there x is the departure from the pose of rest (p_0, R_0) and F follows from the store U = x^T K x / 2, exactly:
 *
 *   phi = log(R_0^T R),  d = R_0^T (p - p_0),  x = phi or (d, phi)
 *   phi' = A^-1 w,  d' = exp(phi) u         for v = w or (u, w) in the axes of the body
 *   F_w = -A^-T (K x)_phi,  F_u = -exp(phi)^T (K x)_d
 *
 * A = 1 - (1 - cos t)/t^2 phi~ + (t - sin t)/t^3 phi~^2, t = |phi|: the right Jacobian of the rotation vector,
 * A^-1 = 1 + phi~/2 + e phi~^2 with e = (1 - t/2 cot(t/2))/t^2 [Bullo-Murray], regular up to t = pi. */
#ifndef ZI_MODEL_JOINT_SPRING_H
#define ZI_MODEL_JOINT_SPRING_H

#include "base/arena.h"
#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ziJointSpring {
    zvJointType type;
    int n;                                                         /* degrees of freedom */
    bool sprung, damped;                                           /* whether K or D has an entry */
    double K[ZV_MAX_DOF * ZV_MAX_DOF], D[ZV_MAX_DOF * ZV_MAX_DOF]; /* n x n */
    double rest[ZV_MAX_DOF];                                       /* of x */
} ziJointSpring;

/* What a joint has besides the stiffness and damping of its single freedoms; K has these too where they act along x,
 * of quaternions. Symmetric halves of K and D. */
ziJointSpring zi_joint_spring(zvJointType type, const zvDof *dofs, const double *stiffness, const double *damping);
/* The same of joint j of a model and of one that closes a loop (nothing of rods and couplings). */
ziJointSpring zi_joint_spring_of(const zvModel *model, int joint);
ziJointSpring zi_joint_spring_of_loop(const zvLoop *loop);

/* The store at q (nq of the type); F (n), or NULL: its force. */
double zi_joint_spring_force(const ziJointSpring *spring, const double *q, double *F);
/* T (n x n): -dF/d(delta) at q, for q moved by delta as zv_position_add does. */
void zi_joint_spring_tangent(const ziJointSpring *spring, const double *q, double *T);
/* F (n): -D v; returns its power. */
double zi_joint_damper_force(const ziJointSpring *spring, const double *v, double *F);
/* bound (n): the least multiple of the diagonal of A (n x n, not negative) in each entry that is sure to be above A,
 * whatever the units: diag(bound) - A is not negative. */
void zi_matrix_bound(int n, const double *A, double *bound);

/* What keeps A (n x n) from being the matrix of a spring or damper. Entries count from 0. */
typedef enum ziMatrixFlaw { ZI_MATRIX_GOOD, ZI_MATRIX_NOT_FINITE, ZI_MATRIX_NOT_EVEN, ZI_MATRIX_NEGATIVE } ziMatrixFlaw;

typedef struct ziMatrixFault {
    ziMatrixFlaw what;
    int row, column;        /* of the entry */
    double found, expected; /* at least, or as the other half has it */
} ziMatrixFault;
/* The first fault: an entry that is not finite, one that differs from that across the diagonal by more than 1e-9 of
 * it, one that A = L D L^T shows to be too small (a pivot below -1e-12 of the diagonal) or too large (a coupling where
 * nothing is left on the diagonal). */
ziMatrixFault zi_matrix_fault(int n, const double *A);

/* A copy of a matrix (n x n) in an arena. NULL stays NULL; false when out of memory. */
bool zi_matrix_copy(ziArena *arena, int n, const double **A);

#ifdef __cplusplus
}
#endif

#endif
