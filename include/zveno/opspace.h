/* Core. Operational space: the dynamics of a frame, and joint motions that move a frame as wanted.
 *
 *   Lambda xdd + mu + rho = F,   tau = J^T F                                                 [Kolyubin] 3.2
 *
 * A task is a frame and some of its six directions; m is their number. Everything is (m), (m x m), (m x nv) or
 * (nv x m) row-major. xd and xdd are the velocity and the classical acceleration of the frame's origin and its angular
 * velocity and acceleration (as in kinematics.h), resolved along the axes of the task: xdd = J a + zv_frame_bias. In
 * world axes xdd is the rate of xd; in local axes it is not (the axes turn). F likewise is force and moment about the
 * frame's origin along these axes. q is (nq); v, a, tau are (nv). Needs libc and libm only; after zv_task_work_create
 * nobody allocates.
 *
 * Near singular: rcond is 1 / trace(A^-1), where A is the task's rows of J M^-1 J^T (of J J^T in zv_task_resolve),
 * linear and angular entries divided by the trace of that matrix over all three directions of their kind. Below 1e-6
 * the answer is that of a task damped by 1e-6 (1 - rcond/1e-6)^2 of these traces, and the status ZV_DEGRADED: smooth,
 * and finite also where a row cannot be moved at all. */
#ifndef ZVENO_OPSPACE_H
#define ZVENO_OPSPACE_H

#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Bits of zvTask.rows. */
enum { ZV_TASK_X = 1, ZV_TASK_Y = 2, ZV_TASK_Z = 4, ZV_TASK_RX = 8, ZV_TASK_RY = 16, ZV_TASK_RZ = 32 };
enum { ZV_TASK_POSITION = 7, ZV_TASK_ORIENTATION = 56, ZV_TASK_FULL = 63 };

typedef struct zvTask {
    int frame;
    zvAxes axes;   /* of the directions; both about the frame's origin */
    unsigned rows; /* which directions, in the order x y z rx ry rz */
} zvTask;

int zv_task_width(const zvTask *task); /* m, how many rows */

typedef struct zvTaskWork zvTaskWork;

/* Room for the questions below, one per thread, for a model that must live longer; NULL and error when out of memory.
 */
zvTaskWork *zv_task_work_create(const zvModel *model, zvError *error);
void zv_task_work_destroy(zvTaskWork *work); /* NULL is let pass */

typedef struct zvTaskDynamics {
    double Lambda[36]; /* m x m: (J M^-1 J^T)^-1 */
    double mu[6];      /* velocity forces: Lambda (J M^-1 C v - Jdot v) */
    double rho[6];     /* gravity: Lambda J M^-1 g */
    double damping[2]; /* added to the diagonal of J M^-1 J^T, linear (1/kg) and angular (1/(kg m^2)) rows; else 0 */
    double rcond;      /* of J M^-1 J^T, see above; 0 singular, at most 1 */
} zvTaskDynamics;

/* v may be NULL: zero. ZV_DEGRADED near singular positions, ZV_SINGULAR when the robot's own mass matrix is (then *out
 * is zero). Cost: one sweep of O(n); six with elastic links or coupled mimic joints. */
zvStatus zv_task_dynamics(const zvModel *model, zvTaskWork *work, const double *q, const double *v, const zvTask *task,
                          zvTaskDynamics *out);
/* The same, only what is asked for: Lambda (m x m), mu (m), rho (m) and rcond may each be NULL, and then cost nothing.
 * Rigid robots without coupled mimic joints: no J and no M, O(n) over what hangs on the path of the frame; others: as
 * above. Where the mass matrix (of what hangs on that path) is singular all are zero. */
zvStatus zv_task_inertia(const zvModel *model, zvTaskWork *work, const double *q, const double *v, const zvTask *task,
                         double *Lambda, double *mu, double *rho, double *rcond);
/* J (m x nv) of the task, and the dynamically consistent inverse Jbar = M^-1 J^T Lambda (nv x m). */
void zv_task_jacobian(const zvModel *model, zvTaskWork *work, const double *q, const zvTask *task, double *J);
zvStatus zv_task_inverse(const zvModel *model, zvTaskWork *work, const double *q, const zvTask *task, double *Jbar);
/* tau_out = (1 - J^T Jbar^T) tau: the part of tau that does not accelerate the task. tau_out may be tau. */
zvStatus zv_task_null_force(const zvModel *model, zvTaskWork *work, const double *q, const zvTask *task,
                            const double *tau, double *tau_out);
/* N = 1 - Jbar J (nv x nv): velocities that leave the task alone. For small robots. */
zvStatus zv_task_null_projector(const zvModel *model, zvTaskWork *work, const double *q, const zvTask *task, double *N);

/* tau that gives the task the acceleration xdd (m): J^T (Lambda xdd + mu + rho), plus null_tau (nv, may be NULL)
 * projected. v may be NULL: zero. tau may be null_tau or v. */
zvStatus zv_task_force(const zvModel *model, zvTaskWork *work, const double *q, const double *v, const zvTask *task,
                       const double *xdd, const double *null_tau, double *tau);

typedef struct zvInverseKinematics {
    double tolerance;          /* of the gap, m and rad; default 1e-12 */
    int iterations;            /* most Newton steps from a guess; default 100 */
    int restarts;              /* fresh guesses anywhere within the limits when the given one fails; default 0 */
    const unsigned char *held; /* (nv): joints that must not move, or NULL */
} zvInverseKinematics;

zvInverseKinematics zv_inverse_kinematics_default(void); /* the numbers above, nothing held */

/* Moves q (in: guess, out: answer) until the task's rows of zv_pose_error (target, frame), along the axes of the task,
 * are zero: local axes are those of the frame. Damped Newton steps of least length, so a redundant arm stays near the
 * guess; joint limits of the model (those of coupled followers too) are kept when the guess keeps them. The gap is the
 * larger of the two lengths, of the displacement (m) and of the rotation vector (rad), over the rows of the task.
 * ZV_NO_CONVERGENCE: q is the nearest position found and *gap is what remains there; the target is out of reach, or
 * the way from this guess to it is closed. options (default) and gap may be NULL. */
zvStatus zv_inverse_kinematics(const zvModel *model, zvTaskWork *work, const zvTask *task, const zvPose *target,
                               const zvInverseKinematics *options, double *q, double *gap);
/* Least joint velocity v (in the plain sum of squares) with J v = xd, and least a that gives the acceleration xdd at
 * this v; ZV_DEGRADED when damped. held is (nv) as above, or NULL; xdd NULL: zero; a_out may be NULL. */
zvStatus zv_task_resolve(const zvModel *model, zvTaskWork *work, const double *q, const zvTask *task,
                         const unsigned char *held, const double *xd, const double *xdd, double *v_out, double *a_out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
