/* Kernels of the kinematics: one table per instruction set. Tree coordinates; world axes. */
#ifndef ZV_KINEMATICS_KERNELS_H
#define ZV_KINEMATICS_KERNELS_H

#include "model/tree.h"
#include "real/real.h"
#include "work/desk.h"

/* A body or a frame in the world: rotation by columns, origin. */
typedef struct zvPlacement {
    double R[9];
    double p[3];
} zvPlacement;

/* A frame fixed in a body, or in a section of an elastic one: rotation by columns and origin there. */
typedef struct zvFrameSpot {
    int body;
    int station; /* index into tree.station; -1: in the body itself */
    zvPlacement in_body;
} zvFrameSpot;

/* A tie at one state, world axes. Forces of its multipliers act at `point`, on its side b as T lambda, on a as the
 * opposite. Couplings have no T. */
typedef struct zvTieState {
    double point[3];
    double T[6][6]; /* rows: direction of force, direction of moment */
    double gap[6], rate[6];
} zvTieState;

typedef struct zvKinematicsKernels {
    /* all bodies; out is (nb) */
    void (*body_poses)(const zvTree *t, zvDesk desk, const double *q, zvPlacement *out);
    /* the same, and their velocities at their origins, (nb x 6) */
    void (*body_motions)(const zvTree *t, zvDesk desk, const double *q, const double *v, zvPlacement *out,
                         double *velocities);
    /* one frame: pose, velocity (6), acceleration (6); velocity and acceleration may be NULL; v and a may be NULL: zero
     */
    void (*frame_motion)(const zvTree *t, zvDesk desk, const zvFrameSpot *frame, const double *q, const double *v,
                         const double *a, zvPlacement *pose, double *velocity, double *acceleration);
    /* J (6 x nv) world axes; pose receives the frame's */
    void (*frame_jacobian)(const zvTree *t, zvDesk desk, const zvFrameSpot *frame, const double *q, zvPlacement *pose,
                           double *J);
    /* totals: mass-weighted position sum m c (3), momentum (3), angular momentum about the centre of mass (3), kinetic
     * energy */
    void (*totals)(const zvTree *t, zvDesk desk, const double *q, const double *v, double *mc, double *p, double *L,
                   double *kinetic);
    /* all ties of t->closed; out is (ties); v NULL: zero; targets as in zvTying (ties x 3), or NULL */
    void (*ties)(const zvTree *t, zvDesk desk, const double *q, const double *v, const double *targets,
                 zvTieState *out);
} zvKinematicsKernels;

const zvKinematicsKernels *zv_kinematics_kernels(const zvModel *model);

extern const zvKinematicsKernels ZV_KERNEL(zv_kinematics_kernels);
void ZV_KERNEL(zv_body_poses)(const zvTree *t, zvDesk desk, const double *q, zvPlacement *out);
void ZV_KERNEL(zv_body_motions)(const zvTree *t, zvDesk desk, const double *q, const double *v, zvPlacement *out,
                                double *velocities);
void ZV_KERNEL(zv_frame_motion)(const zvTree *t, zvDesk desk, const zvFrameSpot *frame, const double *q,
                                const double *v, const double *a, zvPlacement *pose, double *velocity,
                                double *acceleration);
void ZV_KERNEL(zv_frame_jacobian_columns)(const zvTree *t, zvDesk desk, const zvFrameSpot *frame, const double *q,
                                          zvPlacement *pose, double *J);
void ZV_KERNEL(zv_ties)(const zvTree *t, zvDesk desk, const double *q, const double *v, const double *targets,
                        zvTieState *out);
void ZV_KERNEL(zv_totals)(const zvTree *t, zvDesk desk, const double *q, const double *v, double *mc, double *p,
                          double *L, double *kinetic);

#endif
