/* Kernels of operational space: one table per instruction set. Tree coordinates; rigid trees. */
#ifndef ZI_OPSPACE_KERNELS_H
#define ZI_OPSPACE_KERNELS_H

#include "kinematics/kernels.h"
#include "zveno/status.h"

/* What moves a frame, along the axes of the task. */
typedef struct ziFrameMobility {
    double B[36];    /* J M^-1 J^T */
    double drift[6]; /* Jdot v - J M^-1 C v: its acceleration without forces and weight; zero without v */
    double fall[6];  /* -J M^-1 g: what weight makes of it */
} ziFrameMobility;

typedef struct ziTaskKernels {
    /* local: along the frame's axes, else the world's; v may be NULL: zero; weight says whether `fall` is wanted.
     * ZV_SINGULAR: the mass matrix is. */
    zvStatus (*frame_mobility)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, bool local, bool weight,
                               const double *q, const double *v, ziFrameMobility *out);
    /* inverse (6 x 6) of a symmetric A; returns its least pivot, without pivoting: A is not positive definite, and the
     * inverse not to be looked at, unless that is positive */
    double (*invert_six)(const double *A, double *inverse);
} ziTaskKernels;

const ziTaskKernels *zi_task_kernels(const zvModel *model);

extern const ziTaskKernels ZI_KERNEL(zi_task_kernels);
zvStatus ZI_KERNEL(zi_frame_mobility)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, bool local,
                                      bool weight, const double *q, const double *v, ziFrameMobility *out);
double ZI_KERNEL(zi_invert_six)(const double *A, double *inverse);

#endif
