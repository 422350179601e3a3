/* Core. Dynamics of robots with flexible joints [Kolyubin] 3.4: motors behind gears that give way (zvJoint.flexible).
 *
 *   M a + C v + g = tau,  tau = F(d) + damping d',  d = theta - q
 *   inertia ratio^2 theta'' = motor - tau - motor_damping ratio^2 theta'
 *
 * theta is a motor's angle / ratio, motor its torque * ratio, F(d) = stiffness d + cubic d^3 or a law through points.
 * Arrays are (nv); of joints without a gear theta is q, and the force of the motor is that in the joint.
 *
 * That is the reduced model: rotors spin about their axes and feel nothing of their links' motions. With a rotor_axis
 * z the full one [DeLuca] holds: a rotor has the spin s, the link that carries it, with omega, its moment N,
 *
 *   s = ratio theta' + z . omega,  inertia ratio s' = motor - tau - motor_damping ratio^2 theta'
 *   N = -inertia (s' z + s omega x z),  M a + C v + g = tau + J^T N
 *
 * and M, C and all functions of dynamics.h are those of links about which these rotors turn freely: their inertia about
 * z is not in them. In terms of theta the mass matrix is [M + inertia c c^T, inertia ratio c; ., inertia ratio^2] with
 * c = J^T z. */
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

/* The forces of the gears on the links, (nv) each, NULL where not wanted; 0 where there is none. Arrays that are NULL:
 * theta = q, rates zero. */
void zv_gear_forces(const zvModel *model, const double *q, const double *v, const double *theta,
                    const double *theta_rate, double *spring, double *damper);
/* theta (nv): where motors stand whose gears carry tau (NULL: zero) at rest; of joints without a gear q, 0 where they
 * have a quaternion. */
void zv_gear_rest(const zvModel *model, const double *q, const double *tau, double *theta);
/* tau (nv): the forces in the joints, those of the gears where there are some, of motors (motor; NULL: zero) elsewhere.
 */
void zv_motor_forces(const zvModel *model, const double *q, const double *v, const double *theta,
                     const double *theta_rate, const double *motor, double *tau);
/* Energy of the gears' springs and of the rotors, J, likewise; of rotors with an axis that of their whole spin, which
 * is not in zv_energy. */
void zv_motor_energy(const zvModel *model, zvWork *work, const double *q, const double *v, const double *theta,
                     const double *theta_rate, double *gears, double *rotors);
/* Whether some rotor has an axis. */
bool zv_model_has_rotor_axes(const zvModel *model);
/* Angular momentum of the spins of rotors with an axis, N m s, which is not in zv_momentum: sum inertia s z. */
void zv_rotor_momentum(const zvModel *model, zvWork *work, const double *q, const double *v, const double *theta_rate,
                       double momentum[3]);
/* Their coupling: S (nv x nv), its column of a motor inertia ratio c, zero without an axis. */
void zv_rotor_coupling(const zvModel *model, zvWork *work, const double *q, double *S);
/* fext (zv_model_nexternal) += N of all rotors, whose motors give motor (NULL: zero) and whose gears have tau. */
void zv_add_rotor_wrenches(const zvModel *model, zvWork *work, const double *q, const double *v,
                           const double *theta_rate, const double *motor, const double *tau, double *fext);

/* What motors do in a motion, (nv) each, NULL where not wanted. */
typedef struct zvMotorMotion {
    double *theta, *theta_rate, *theta_second; /* motor angle / ratio, rad or m */
    double *tau;                               /* force on the link, N m or N */
    double *motor;                             /* of the motor, reckoned on the link side: ratio * torque */
} zvMotorMotion;

/* Inverse: what motors do for a motion of the links. d follows from tau, and d' and d'' from the first and second
 * derivative of tau by time, for which the motion has to be known up to its fourth derivative: jerk = da/dt, snap =
 * d^2 a/dt^2.
 * With damping of its gear d is a state of its own: theta (nv; NULL where no gear is damped) says where these motors
 * stand, d' = (tau - F(d))/damping is their rate, and the torque follows from the motion up to its jerk. Along a motion
 * theta is the integral of theta_rate, which is stable: deviations die out with stiffness/damping.
 * Rotors with an axis push on the links before them: where a gear lies between such a rotor and the ground, it would
 * need two more derivatives of the motion, the next one two more, 2 nv + 2 of them in the end: ZV_NOT_SUPPORTED.
 * beside (nv) and its first and second derivatives (all or none; NULL: zero): forces that act on the links besides, as
 * springs and friction do (passive.h); tau is what is left for the gears. ZV_NOT_SUPPORTED, beside what
 * zv_inverse_dynamics_rates does not: closed loops, gears with damping without theta. */
zvStatus zv_motor_inverse_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                                   const double *a, const double *jerk, const double *snap, const double *theta,
                                   const double *const beside[3], const zvMotorMotion *motion, zvError *error);

/* Forward: the accelerations of links (a) and motors (theta_second, NULL: not wanted) that the motors cause at theta
 * and theta_rate (NULL: q and v, gears that carry nothing). motor NULL: zero. fext as of zv_forward_dynamics, whose
 * statuses these are; NULL: none. beside (nv), NULL: none: forces that act on the links besides. Any robot but one with
 * closed loops; theirs, and other methods, in the same steps: tau by zv_motor_forces, wrenches of rotors with an axis
 * by zv_add_rotor_wrenches, a by what finds it for these, theta'' by zv_motor_accelerations. tau (nv) receives the
 * forces on the links. */
zvStatus zv_motor_forward_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                                   const double *theta, const double *theta_rate, const double *motor,
                                   const double *fext, const double *beside, double *a, double *theta_second,
                                   double *tau);
/* theta'' of motors whose gears have tau (nv) on the links, which accelerate with a, another array. */
void zv_motor_accelerations(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                            const double *theta_rate, const double *motor, const double *tau, double *theta_second);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
