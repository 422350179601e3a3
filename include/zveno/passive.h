/* Core. Passive forces: what the joints of a model do by themselves (zvDof), springs, viscous and dry friction, those
 * of joints that close loops included.
 *
 *   M a + C v + g + k = tau + p + sum J^T fext [+ G^T lambda],     p = spring + viscous + dry
 *   spring = -stiffness (q - rest)     viscous = -damping v     dry = -friction tanh(v/smoothing)
 *   and of joints with matrices spring = -J^T K x, viscous = -D v (zvJoint)
 *
 * p acts on the joints, with its sign: what resists a positive velocity is negative. Functions of dynamics.h and
 * loops.h know nothing of p; their tau is the whole force. With p:
 *
 *   inverse   tau = zv_inverse_dynamics - p: zv_add_passive_forces with scale -1 to the answer
 *   forward   zv_forward_dynamics of tau + p: scale 1 to a copy of tau before
 *   mixed     known tau + p go in, of all tau that come out p is taken off again
 *   loops     forward and mixed likewise; inverse: zv_closed_inverse_beside
 *
 * smoothing is that of simulations (rad/s or m/s of the joint's own velocity, 0.01 unless a scenario says otherwise).
 * 0: the sign of v. Either way dry friction is zero at v = 0: at rest it may be anything up to the value of friction,
 * and what it is there the forces decide, which zv_drives_settle and simulations with stick-slip friction find out.
 *
 * A coupled mimic joint acts on the coordinate it follows. Elastic links are not among them: their forces k are part of
 * the dynamics. v NULL: zero. Nothing is allocated. */
#ifndef ZVENO_PASSIVE_H
#define ZVENO_PASSIVE_H

#include "zveno/loops.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The shares of p, (nv) each, NULL where not wanted. */
void zv_passive_forces(const zvModel *model, zvWork *work, const double *q, const double *v, double smoothing,
                       double *spring, double *viscous, double *dry);
/* tau (nv) += scale p */
void zv_add_passive_forces(const zvModel *model, zvWork *work, const double *q, const double *v, double smoothing,
                           double scale, double *tau);
/* p[0], p[1], p[2] (nv each): p with its first and second derivative along a motion (v, a, jerk; NULL: zero), as
 * zv_motor_inverse_dynamics takes them for `beside`. With smoothing 0 the jumps of dry friction are left out of the
 * derivatives. ZV_NOT_SUPPORTED: closed loops, springs of quaternions. Nothing is allocated. */
zvStatus zv_passive_rates(const zvModel *model, const double *q, const double *v, const double *a, const double *jerk,
                          double smoothing, double *const p[3]);
/* The energy of the springs, J: their force is its negative gradient. */
double zv_passive_energy(const zvModel *model, zvWork *work, const double *q);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
