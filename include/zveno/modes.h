/* Application. Small motions about a state, and states of rest: natural frequencies, damping, mode shapes, static
 * equilibrium.
 *
 *   M dv/dt + C dx/dt + K x = 0   for small departures x (nv) of the coordinates, v = dx/dt
 *
 * K is the tangent of all forces that depend on position: gravity, elastic links (with what prestress makes of them),
 * springs in joints, dead loads. Needs LAPACK. */
#ifndef ZVENO_MODES_H
#define ZVENO_MODES_H

#include "zveno/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The state and what holds it. Arrays may be NULL; q is then the neutral position. */
typedef struct zvRest {
    const double *q;           /* nq */
    const double *v;           /* nv, a steady motion to look about; NULL: at rest */
    const unsigned char *held; /* nv: 1 = this degree of freedom does not move */
    const double *stiffness;   /* nv: springs in joints, N m/rad or N/m; NULL: none */
    const double *relaxed;     /* nv: where these springs are at rest, rad or m; NULL: at zero */
    const double *damping;     /* nv */
    /* What joints have as matrices acts besides (zvJoint), all springs of quaternions, and all springs and dampers of
     * joints that close loops. Without it stiffness or damping beside such loops is ZV_NOT_SUPPORTED. */
    bool joint_matrices;
    const double *tau;   /* nv: constant forces */
    const double *theta; /* nv: flexible joints act (zvJoint.flexible), their motors locked here; NULL: they do not */
    /* Dead loads: force and moment, world axes, on frames that they follow without turning. */
    int load_count;
    const int *load_frames;
    const double *loads; /* load_count x 6 */
} zvRest;

/* The springs and dampers that the joints of the model carry, (nv) each: those of a coupled mimic joint act on its
 * master. Those that are matrices, and springs of quaternions, are not among them (zvRest.joint_matrices). */
void zv_joint_springs(const zvModel *model, double *stiffness, double *relaxed, double *damping);
/* held (nv): 1 for the degrees of freedom of joints, 0 for elastic ones. */
void zv_joints_held(const zvModel *model, unsigned char *held);

/* M, C, K (nv x nv, row-major; held rows and columns included) of the spanning tree, with what springs and dampers of
 * loops do to it; each may be NULL. Forces that the
 * state does not balance are taken as balanced by constant ones. Springs, dampers and elastic links enter exactly, what
 * weight, loads and motion make of K by differences of four points (twelve digits). */
zvStatus zv_linearize(const zvModel *model, zvWork *work, const zvRest *rest, double *M, double *C, double *K,
                      zvError *error);

/* A pair of eigenvalues lambda. Two real ones that belong together have the frequency sqrt |lambda1 lambda2|; the
 * larger of them (the slower one, or the unstable one) is told. */
typedef struct zvMode {
    double frequency;  /* undamped natural frequency |lambda|, rad/s; 0 for rigid motions */
    double damping;    /* ratio -Re(lambda1 + lambda2)/2 frequency; 1 and more: no oscillation; -1: unstable */
    double real, imag; /* eigenvalue lambda, 1/s; imag >= 0 */
} zvMode;

/* Modes in order of frequency, as many as there are degrees of freedom that are not held; *count receives their
 * number. modes (nv); shapes (nv x nv) or NULL: row k is the shape of mode k over all degrees of freedom (held ones 0),
 * scaled so that shape^T M shape = 1 for undamped modes, real part where it is complex. A negative eigenvalue of K (an
 * unstable state) gives real > 0.
 * Closed loops: modes of what they leave free, with what the forces of the loops make of the stiffness; these balance
 * all but the degrees of freedom that pivoting takes as independent, where a state out of equilibrium counts as held.
 * ZV_CLOSURE: q does not close the loops; ZV_SINGULAR: it is a singular position of one, where there are no modes;
 * ZV_NOT_SUPPORTED: they are in motion. */
zvStatus zv_modes(const zvModel *model, zvWork *work, const zvRest *rest, zvMode *modes, double *shapes, int *count,
                  zvError *error);

/* The same with motors of flexible joints as freedoms of their own, but those that locked (nv; NULL: none) names: up to
 * 2 nv modes, shapes (2 nv x 2 nv) or NULL: each of the links, then of the motors (angle / ratio), which are those of
 * the links in rigid joints and 0 where locked. rest->q and rest->theta are needed; where the state is no equilibrium
 * constant forces of the motors are taken to make it one. */
zvStatus zv_motor_modes(const zvModel *model, zvWork *work, const zvRest *rest, const unsigned char *locked,
                        zvMode *modes, double *shapes, int *count, zvError *error);

/* Newton's iteration to equilibrium (stable or not) of the degrees of freedom that are not held, from rest->q; q (nq)
 * receives it (may be rest->q). With rest->v: relative equilibrium, as of a beam that spins. Loads and constant forces
 * are applied in `steps` equal parts (1: at once). ZV_NO_CONVERGENCE says what is left; ZV_SINGULAR: nothing holds a
 * part. What nothing holds and nothing moves stays where it is. Closed loops are assembled from rest->q (ZV_CLOSURE:
 * they cannot be) and stay closed. */
zvStatus zv_equilibrium(const zvModel *model, zvWork *work, const zvRest *rest, int steps, double *q, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
