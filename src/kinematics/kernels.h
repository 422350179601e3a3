/* Kernels of the kinematics: one table per instruction set. Tree coordinates; world axes. */
#ifndef ZI_KINEMATICS_KERNELS_H
#define ZI_KINEMATICS_KERNELS_H

#include "model/tree.h"
#include "real/real.h"
#include "work/scratch.h"

/* A frame fixed in a body, or in a section of an elastic one, and its pose there. */
typedef struct ziFrameSpot {
    int body;
    int attachment; /* index into tree.attachment; -1: in the body itself */
    zvPose in_body;
} ziFrameSpot;

/* A constraint at one state, world axes. Forces of its multipliers act at `point`, on its side b as T lambda, on a as
 * the opposite. Couplings have no T. */
typedef struct ziConstraintState {
    double point[3];
    double T[6][6]; /* rows: direction of force, direction of moment */
    double gap[6], rate[6];
} ziConstraintState;

typedef struct ziKinematicsKernels {
    /* all bodies; out is (nb) */
    void (*body_poses)(const ziTree *t, ziScratch scratch, const double *q, zvPose *out);
    /* the same, and their velocities at their origins, (nb x 6) */
    void (*body_motions)(const ziTree *t, ziScratch scratch, const double *q, const double *v, zvPose *out,
                         double *velocities);
    /* one frame: pose, velocity (6), acceleration (6); velocity and acceleration may be NULL; v and a may be NULL: zero
     */
    void (*frame_motion)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q, const double *v,
                         const double *a, zvPose *pose, double *velocity, double *acceleration);
    /* J (6 x nv) world axes; pose receives the frame's */
    void (*frame_jacobian)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q, zvPose *pose,
                           double *J);
    /* totals: mass-weighted position sum m c (3), momentum (3), angular momentum about the centre of mass (3), kinetic
     * energy */
    void (*totals)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *mc, double *p,
                   double *L, double *kinetic);
    /* all constraints of t->closed; out is (constraints); v NULL: zero; targets as in ziConstraintTask (constraints x
     * 3), or NULL */
    void (*constraints)(const ziTree *t, ziScratch scratch, const double *q, const double *v, const double *targets,
                        ziConstraintState *out);
} ziKinematicsKernels;

const ziKinematicsKernels *zi_kinematics_kernels(const zvModel *model);

extern const ziKinematicsKernels ZI_KERNEL(zi_kinematics_kernels);
void ZI_KERNEL(zi_body_poses)(const ziTree *t, ziScratch scratch, const double *q, zvPose *out);
void ZI_KERNEL(zi_body_motions)(const ziTree *t, ziScratch scratch, const double *q, const double *v, zvPose *out,
                                double *velocities);
void ZI_KERNEL(zi_frame_motion)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                const double *v, const double *a, zvPose *pose, double *velocity, double *acceleration);
void ZI_KERNEL(zi_frame_jacobian_columns)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                          zvPose *pose, double *J);
void ZI_KERNEL(zi_constraints)(const ziTree *t, ziScratch scratch, const double *q, const double *v,
                               const double *targets, ziConstraintState *out);
void ZI_KERNEL(zi_totals)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *mc, double *p,
                          double *L, double *kinetic);

#endif
