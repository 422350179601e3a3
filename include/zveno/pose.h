/* Core. Poses: the one type for where a frame is, in every header. Batches alone have its twelve numbers coordinate by
 * coordinate (batch.h), generated code has them as an array (codegen.h), both in the order of zvPose. */
#ifndef ZVENO_POSE_H
#define ZVENO_POSE_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Placement of a frame in another: x_outer = R x_inner + p. */
typedef struct zvPose {
    double R[9]; /* row-major */
    double p[3]; /* m */
} zvPose;

zvPose zv_pose_identity(void); /* R = 1, p = 0 */
/* Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF. */
zvPose zv_pose_from_rpy(const double xyz[3], const double rpy[3]);
/* Pose of the inner frame seen from where the outer one is seen. */
zvPose zv_pose_compose(const zvPose *outer, const zvPose *inner);
/* How far `actual` is from `wanted`: displacement and rotation vector that lead from actual to wanted, world axes; the
 * rotation is of at most pi. */
void zv_pose_error(const zvPose *wanted, const zvPose *actual, double error[6]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
