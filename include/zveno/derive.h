/* Core. Derivatives of the dynamics of trees, exact to rounding; inverse O(n depth), forward O(n^2 depth), with elastic
 * links O(n^2) and O(n^3): docs/derivatives.md has the equations.
 *
 *   inverse  tau(q, v, a):  dq = d tau/d q,  dv = d tau/d v,  da = d tau/d a = M
 *   forward  a(q, v, tau):  dq = d a/d q,    dv = d a/d v,    dtau = d a/d tau = M^-1
 *
 * Answers are (nv x nv), row-major: row i is the force or acceleration of i, column k what changes. A derivative by q
 * is along the coordinates of v: q moves by zv_position_add(q, e_k t), so quaternions turn about the axes of their
 * body. fext stays constant in the world's axes and follows the origins of its links, as zv_inverse_dynamics takes it.
 * v, a, tau and fext may be NULL: zero. Answers may be NULL: not wanted; they must not overlap each other or what is
 * given. Columns of coupled mimic joints are contained in those of their masters. Loops of a model are not looked at.
 *
 * ZV_NOT_SUPPORTED: the model needs room for a larger matrix than a workspace has (more than 2048 coordinates, coupled
 * or, forward, with dtau NULL or elastic links), or has elastic links in a build without C++. */
#ifndef ZVENO_DERIVE_H
#define ZVENO_DERIVE_H

#include "zveno/work.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

zvStatus zv_inverse_derivatives(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                                const double *fext, double *dq, double *dv, double *da);

/* a (nv) or NULL receives the acceleration itself. ZV_SINGULAR when a massless part can move freely. */
zvStatus zv_forward_derivatives(const zvModel *model, zvWork *work, const double *q, const double *v, const double *tau,
                                const double *fext, double *a, double *dq, double *dv, double *dtau);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
