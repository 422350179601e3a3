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
    /* all bodies, in the axes of the tree; out is (nb) */
    void (*body_poses)(const ziTree *t, ziScratch scratch, const double *q, zvPose *out);
    /* of each body the first of the links (nlink), which its joint moves; out is (nb) */
    void (*joint_poses)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                        zvPose *out);
    /* all links; out is (nlink) */
    void (*link_poses)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                       zvPose *out);
    /* the same, and their velocities at their origins, (nlink x 6) */
    void (*link_motions)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                         const double *v, zvPose *out, double *velocities);
    /* one frame; no section of an elastic link may be on the path */
    void (*frame_pose)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q, zvPose *pose);
    /* one frame: pose, velocity (6), acceleration (6); velocity and acceleration may be NULL; v and a may be NULL: zero
     */
    void (*frame_motion)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q, const double *v,
                         const double *a, zvPose *pose, double *velocity, double *acceleration);
    /* J (6 x nv) world axes; pose receives the frame's */
    void (*frame_jacobian)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q, zvPose *pose,
                           double *J);
    /* its rate for velocities v, J-dot (6 x nv); pose and angular velocity w (3) are the frame's. No section of an
     * elastic link may be on the path */
    void (*frame_jacobian_rate)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                const double *v, zvPose *pose, double *w, double *rate);
    /* of all links at their origins, (nlink x 6 x nv) world axes; rigid trees */
    void (*link_jacobians)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                           double *J);
    /* centroidal momentum matrix (6 x nv) and centre of mass (3); rate of momentum at a = 0 (6); rigid trees */
    void (*centroidal_map)(const ziTree *t, ziScratch scratch, const double *q, double *A, double *center);
    void (*centroidal_bias)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *bias);
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

/* World components to the frame's own: both halves of each column of X (6 x count, row-major). */
void zi_to_local(const zvPose *pose, int count, double *X);
/* Where a frame of the model sits. */
void zi_frame_spot(const zvModel *model, int frame, ziFrameSpot *spot);

extern const ziKinematicsKernels ZI_KERNEL(zi_kinematics_kernels);
void ZI_KERNEL(zi_body_poses)(const ziTree *t, ziScratch scratch, const double *q, zvPose *out);
void ZI_KERNEL(zi_joint_poses)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                               zvPose *out);
void ZI_KERNEL(zi_link_poses)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links, const double *q,
                              zvPose *out);
void ZI_KERNEL(zi_link_motions)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links,
                                const double *q, const double *v, zvPose *out, double *velocities);
void ZI_KERNEL(zi_frame_pose)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                              zvPose *pose);
void ZI_KERNEL(zi_frame_motion)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                const double *v, const double *a, zvPose *pose, double *velocity, double *acceleration);
void ZI_KERNEL(zi_frame_jacobian_columns)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                          zvPose *pose, double *J);
void ZI_KERNEL(zi_frame_jacobian_rate)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, const double *q,
                                       const double *v, zvPose *pose, double *w, double *rate);
void ZI_KERNEL(zi_link_jacobians)(const ziTree *t, ziScratch scratch, int nlink, const ziLinkPlace *links,
                                  const double *q, double *J);
void ZI_KERNEL(zi_centroidal_map)(const ziTree *t, ziScratch scratch, const double *q, double *A, double *center);
void ZI_KERNEL(zi_centroidal_bias)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *bias);
void ZI_KERNEL(zi_constraints)(const ziTree *t, ziScratch scratch, const double *q, const double *v,
                               const double *targets, ziConstraintState *out);
void ZI_KERNEL(zi_totals)(const ziTree *t, ziScratch scratch, const double *q, const double *v, double *mc, double *p,
                          double *L, double *kinetic);

#endif
