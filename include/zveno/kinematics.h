/* Core. Positions, velocities, accelerations and Jacobians of frames; centre of mass, momentum, energy.
 *
 * q is (nq), v and a are (nv). Frames are numbered as in model.h (zv_model_find_frame).
 * 6-vectors are (linear, angular) of the frame's origin. Every function starts from q: nothing must be called before.
 */
#ifndef ZVENO_KINEMATICS_H
#define ZVENO_KINEMATICS_H

#include "zveno/work.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum zvAxes {
    ZV_AXES_WORLD, /* components along the world's axes, reference point = the frame's origin */
    ZV_AXES_LOCAL  /* components along the frame's own axes, same point */
} zvAxes;

/* Poses of all links in the world; poses is (nlink). */
void zv_link_poses(const zvModel *model, zvWork *work, const double *q, zvPose *poses);
/* Poses of all bodies in the world; poses is (zv_model_nbody): of body 0 the ground's, of every other that of the link
 * its joint moves, which is the first of its links. Links welded to it need no work. */
void zv_body_poses(const zvModel *model, zvWork *work, const double *q, zvPose *poses);
/* Poses and velocities of all links in one sweep, O(n): poses is (nlink), velocities (nlink x 6) those of the links'
 * origins, world axes, or NULL. v NULL: zero. For many frames at once: zv_frame_of_links then takes each in O(1). */
void zv_link_motions(const zvModel *model, zvWork *work, const double *q, const double *v, zvPose *poses,
                     double *velocities);
/* Pose and velocity (6, world axes) of a frame out of those of all links; velocities and velocity may be NULL. q and v
 * are looked at only for frames on elastic links; v NULL: zero. */
void zv_frame_of_links(const zvModel *model, int frame, const double *q, const double *v, const zvPose *poses,
                       const double *velocities, zvPose *pose, double *velocity);
/* Pose of one frame in the world. Cost O(depth of the frame), as for all zv_frame_ functions
 * (a Jacobian is also cleared, and coupled mimic joints are expanded first). */
void zv_frame_pose(const zvModel *model, zvWork *work, const double *q, int frame, zvPose *pose);
/* Velocity of the origin and angular velocity, m/s and rad/s; out is (6). */
void zv_frame_velocity(const zvModel *model, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                       double *out);
/* Acceleration of the origin (the classical one, d/dt of its velocity) and angular acceleration, without gravity; out
 * is (6). */
void zv_frame_acceleration(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                           int frame, zvAxes axes, double *out);
/* Jacobian J with velocity = J v; (6 x nv) row-major. */
void zv_frame_jacobian(const zvModel *model, zvWork *work, const double *q, int frame, zvAxes axes, double *J);
/* Jacobians of all links in one sweep: J is (nlink x 6 x nv), each as zv_frame_jacobian gives it for the link's frame.
 * Robots with elastic links or coupled mimic joints: one by one. */
void zv_link_jacobians(const zvModel *model, zvWork *work, const double *q, zvAxes axes, double *J);
/* The rate of zv_frame_jacobian in the same axes, dJ/dt at the velocities v; (6 x nv) row-major. In world axes
 * rate v = zv_frame_bias; in local axes, which turn, the components along them change by J a + rate v. Frames carried
 * by a section of an elastic link: ZV_NOT_SUPPORTED, and zeros. */
zvStatus zv_frame_jacobian_rate(const zvModel *model, zvWork *work, const double *q, const double *v, int frame,
                                zvAxes axes, double *rate);
/* The part of the acceleration that does not contain a: in world axes it is Jdot v; out is (6). */
void zv_frame_bias(const zvModel *model, zvWork *work, const double *q, const double *v, int frame, zvAxes axes,
                   double *out);

/* How far a frame is from where it would be with the same joint coordinates and rigid links (all elastic coordinates
 * zero), world axes, m; out is (3). */
void zv_frame_deviation(const zvModel *model, zvWork *work, const double *q, int frame, double *out);

/* Centre of mass of the moving bodies, m; c is (3). */
void zv_center_of_mass(const zvModel *model, zvWork *work, const double *q, double *c);
/* Linear momentum and angular momentum about the centre of mass, world axes, N s and N m s; h is (6). c (3) may be
 * NULL. */
void zv_momentum(const zvModel *model, zvWork *work, const double *q, const double *v, double *h, double *c);
/* Centroidal momentum matrix A (6 x nv), row-major: A v is the momentum h of zv_momentum. c (3), the centre of mass,
 * may be NULL. One sweep; with elastic links one for each velocity. */
void zv_centroidal_map(const zvModel *model, zvWork *work, const double *q, double *A, double *c);
/* The rate of that momentum without accelerations, dA/dt v, N and N m: dh/dt = A a + bias; bias is (6). Robots with
 * elastic links: ZV_NOT_SUPPORTED, and zeros. */
zvStatus zv_centroidal_bias(const zvModel *model, zvWork *work, const double *q, const double *v, double *bias);
/* Energies of the moving bodies, J; the kinetic one is v^T M v / 2, armature included; the potential one is
 * -sum m g.c (no springs, no strain). */
void zv_energy(const zvModel *model, zvWork *work, const double *q, const double *v, double *kinetic,
               double *potential);
/* Energy stored in elastic links, e^T K e / 2, J. */
double zv_strain_energy(const zvModel *model, const double *q);
/* The largest angle, rad, by which the elastic coordinates turn a section of a link that carries a joint or a frame;
 * *link (may be NULL) is that link, -1 where there is no such section. Such rotations are power series of the angle:
 * exact to rounding up to half a turn, within 1e-9 up to a whole one, ZV_ELASTIC_TURN, and wrong beyond. */
double zv_elastic_turn(const zvModel *model, const double *q, int *link);
#define ZV_ELASTIC_TURN 6.283185307179586

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
