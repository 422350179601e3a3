/* Core. Inverse dynamics of robots with flexible joints [Kolyubin] 3.4: the motor torques for a given motion of the
 * links.
 *
 *   tau(q, v, a) = stiffness d + cubic d^3,  theta = q + d,  motor = inertia ratio^2 theta'' + tau + motor_damping
 * ratio^2 theta'
 *
 * d follows from tau, and d' and d'' from the first and second derivative of tau by time, for which the motion has to
 * be known up to its fourth derivative: jerk = da/dt, snap = d^2 a/dt^2. With damping of a gear d is a state of its own
 * that the motion does not tell, and no algebraic answer exists. */
#ifndef ZVENO_FLEXIBLE_H
#define ZVENO_FLEXIBLE_H

#include "zveno/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* tau of zv_inverse_dynamics with its first and second derivative along a motion, (nv) each, rates NULL where not
 * wanted; NULL inputs: zero. Exact, by a Newton-Euler recursion on Taylor series, O(n). Nothing is allocated.
 * ZV_NOT_SUPPORTED: there are elastic links, or joints that are universal, curved, spherical or free. */
zvStatus zv_inverse_dynamics_rates(const zvModel *model, zvWork *work, const double *q, const double *v,
                                   const double *a, const double *jerk, const double *snap, double *tau,
                                   double *tau_rate, double *tau_second);

/* What motors do for a motion of the links, (nv) each, NULL where not wanted. Of rigid joints theta is q and the force
 * that of inverse dynamics. */
typedef struct zvMotorMotion {
    double *theta, *theta_rate, *theta_second; /* motor angle / ratio, rad or m */
    double *tau;                               /* force on the link, N m or N */
    double *motor;                             /* of the motor, reckoned on the link side: ratio * torque */
} zvMotorMotion;

/* beside (nv) and its first and second derivatives (all or none; NULL: zero): forces that act on the links besides, as
 * springs and friction do (passive.h); tau is what is left for the gears. ZV_NOT_SUPPORTED also with damping of a gear
 * and with closed loops.
 */
zvStatus zv_motor_inverse_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                                   const double *a, const double *jerk, const double *snap,
                                   const double *const beside[3], const zvMotorMotion *motion, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
