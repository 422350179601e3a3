/* The kinematics kernels of one instruction set. */
#include "kinematics/kernels.h"

const zvKinematicsKernels ZV_KERNEL(zv_kinematics_kernels) = {
    .body_poses = ZV_KERNEL(zv_body_poses),
    .body_motions = ZV_KERNEL(zv_body_motions),
    .frame_motion = ZV_KERNEL(zv_frame_motion),
    .frame_jacobian = ZV_KERNEL(zv_frame_jacobian_columns),
    .totals = ZV_KERNEL(zv_totals),
    .ties = ZV_KERNEL(zv_ties),
};
