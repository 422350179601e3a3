/* Geometry of Denavit-Hartenberg rows.
 *
 * All three conventions are built from one transform, X(a, alpha, theta, d) = Rx(alpha) Tx(a) Rz(theta) Tz(d):
 *
 *   modified   T_i = X(a_i, alpha_i, theta_i, d_i)        joint i turns about (slides along) the new z axis
 *   screw      the same with theta = offset, d = b        [Liu] (35)
 *   standard   T_i = Rz Tz Tx Rx; grouped by joints       T_1 T_2 ... = X(0, 0, theta_1, d_1) X(a_1, alpha_1, theta_2,
 * d_2) ...
 *
 * so that the joint frame of a standard row is X with a and alpha of the row before, and the distal frame of the row
 * is at X(a, alpha, 0, 0) in the link. */
#ifndef ZI_READ_DH_H
#define ZI_READ_DH_H

#include "zveno/model.h"

/* Sine and cosine; exactly 0 and +-1 where the angle is a multiple of pi/2 up to rounding. */
void zi_dh_sincos(double angle, double *sine, double *cosine);
zvPose zi_dh_pose(double a, double alpha, double theta, double d);
/* outer * inner, without negative zeros. */
zvPose zi_dh_compose(const zvPose *outer, const zvPose *inner);
/* An inertia given in a frame that is at place, in the outer frame. */
zvInertia zi_dh_move_inertia(const zvPose *place, const zvInertia *inertia);

#endif
