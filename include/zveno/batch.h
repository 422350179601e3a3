/* Core. Dynamics of many states of one robot at once: states go through the recursions in lanes of vector registers,
 * several at a time, on several threads. For trees of rigid links; coupled mimic joints are served, elastic links,
 * loops and joints on spline curves are not.
 *
 * Arrays hold coordinate after coordinate: entry i of state s lies at [i * stride + s], for vectors i = 0 ... nq - 1 or
 * nv - 1, for matrices i = row * columns + column. stride is the number of states unless the options say otherwise.
 * Or, with ZV_LAYOUT_STATES, state after state, as rows of a table have them: entry i of n at [s * n + i].
 * Inputs v, a, tau (but those of zv_batch_mixed), fext may be NULL: zero. fext is (6 nlink), force and moment about
 * each link's origin in world axes, as in dynamics.h. An output may be the same array as v, a or tau, entry by entry at
 * the same place; it must not overlap inputs in any other way. Every function starts from q; nothing is allocated after
 * creation. Answers are those of dynamics.h, derive.h and kinematics.h to rounding, and the same to the last bit for
 * any number of threads and whatever states stand beside a state. A few states (2 to 6, docs/batch.md) are answered one
 * by one, which takes less, with the bits of those functions; with same_bits they have those of larger batches.
 *
 * status, NULL or (count), receives one outcome per state: ZV_OK, or ZV_SINGULAR, whose answers are undefined. The
 * functions return ZV_OK, the worst of these, ZV_SIZE when there are more states than the stride has room for or than
 * memory can hold, or ZV_NOT_SUPPORTED from matrices of models with more than 512 coordinates; after the last two
 * nothing has been written. */
#ifndef ZVENO_BATCH_H
#define ZVENO_BATCH_H

#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvBatch zvBatch;

typedef enum zvLayout { ZV_LAYOUT_COORDINATES, ZV_LAYOUT_STATES } zvLayout;

typedef struct zvBatchOptions {
    int threads;     /* 0: as many as there are processors; the caller's is one of them */
    size_t stride;   /* numbers between an entry and the next of the same state; 0: the number of states */
    zvLayout layout; /* of all arrays; ZV_LAYOUT_STATES has no stride: 0 */
    bool same_bits;  /* of so few states that lanes would take longer than single states, too: lanes */
} zvBatchOptions;

/* The model must live longer; options may be NULL: defaults. NULL and error when out of memory, when the model has
 * what lanes do not serve, or when states one after the other are given a stride. Where the system gives fewer threads,
 * there are fewer. One batch is for one calling thread at a time. A child of fork() may go on with a batch that no
 * other thread was using: alone, without its threads. */
zvBatch *zv_batch_create(const zvModel *model, const zvBatchOptions *options, zvError *error);
void zv_batch_destroy(zvBatch *batch); /* NULL is let pass */
/* States that go through one recursion together, in double (single: false) or single precision. */
int zv_batch_lanes(const zvBatch *batch, bool single);
int zv_batch_threads(const zvBatch *batch);

/* tau that gives a. */
zvStatus zv_batch_inverse(zvBatch *batch, size_t count, const double *q, const double *v, const double *a,
                          const double *fext, double *tau);
/* C v + g. */
zvStatus zv_batch_bias(zvBatch *batch, size_t count, const double *q, const double *v, double *bias);
/* a caused by tau. */
zvStatus zv_batch_forward(zvBatch *batch, size_t count, const double *q, const double *v, const double *tau,
                          const double *fext, double *a, zvStatus *status);
/* Mixed problem: fills in what is not given of tau and a. given is (nv) values of zvGiven, the same for all states. */
zvStatus zv_batch_mixed(zvBatch *batch, size_t count, const double *q, const double *v, const unsigned char *given,
                        const double *fext, double *tau, double *a, zvStatus *status);
/* M, full (nv x nv). */
zvStatus zv_batch_mass(zvBatch *batch, size_t count, const double *q, double *M);
/* M^-1, full (nv x nv). */
zvStatus zv_batch_minv(zvBatch *batch, size_t count, const double *q, double *Minv, zvStatus *status);
/* Derivatives as in derive.h: of tau by q, v, a, and of a by q, v, tau, each (nv x nv) or NULL: not wanted; a, or NULL,
 * receives the acceleration itself. By q means along the coordinates of v. */
zvStatus zv_batch_inverse_derivatives(zvBatch *batch, size_t count, const double *q, const double *v, const double *a,
                                      const double *fext, double *dq, double *dv, double *da);
zvStatus zv_batch_forward_derivatives(zvBatch *batch, size_t count, const double *q, const double *v, const double *tau,
                                      const double *fext, double *a, double *dq, double *dv, double *dtau,
                                      zvStatus *status);
/* Pose of a frame in the world, (12): the numbers of zvPose in their order, R row-major, then p. They lie coordinate
 * by coordinate as all arrays here do: a zvPose for each state would cost a transposition and a scattered store. */
zvStatus zv_batch_pose(zvBatch *batch, int frame, size_t count, const double *q, double *pose);
/* Jacobian of a frame, (6 x nv), as zv_frame_jacobian. */
zvStatus zv_batch_jacobian(zvBatch *batch, int frame, zvAxes axes, size_t count, const double *q, double *J);

/* The same in single precision: twice as many lanes. Answers have some seven digits of their uncancelled terms; how
 * many are left of what is solved for (a, M^-1) depends on the condition of M (docs/batch.md). */
zvStatus zv_batch_inverse_single(zvBatch *batch, size_t count, const float *q, const float *v, const float *a,
                                 const float *fext, float *tau);
zvStatus zv_batch_bias_single(zvBatch *batch, size_t count, const float *q, const float *v, float *bias);
zvStatus zv_batch_forward_single(zvBatch *batch, size_t count, const float *q, const float *v, const float *tau,
                                 const float *fext, float *a, zvStatus *status);
zvStatus zv_batch_mixed_single(zvBatch *batch, size_t count, const float *q, const float *v, const unsigned char *given,
                               const float *fext, float *tau, float *a, zvStatus *status);
zvStatus zv_batch_mass_single(zvBatch *batch, size_t count, const float *q, float *M);
zvStatus zv_batch_minv_single(zvBatch *batch, size_t count, const float *q, float *Minv, zvStatus *status);
zvStatus zv_batch_inverse_derivatives_single(zvBatch *batch, size_t count, const float *q, const float *v,
                                             const float *a, const float *fext, float *dq, float *dv, float *da);
zvStatus zv_batch_forward_derivatives_single(zvBatch *batch, size_t count, const float *q, const float *v,
                                             const float *tau, const float *fext, float *a, float *dq, float *dv,
                                             float *dtau, zvStatus *status);
zvStatus zv_batch_pose_single(zvBatch *batch, int frame, size_t count, const float *q, float *pose);
zvStatus zv_batch_jacobian_single(zvBatch *batch, int frame, zvAxes axes, size_t count, const float *q, float *J);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
