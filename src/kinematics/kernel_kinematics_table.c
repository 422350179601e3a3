/* The kinematics kernels of one instruction set. */
#include "kinematics/kernels.h"

const ziKinematicsKernels ZI_KERNEL(zi_kinematics_kernels) = {
    .body_poses = ZI_KERNEL(zi_body_poses),
    .body_motions = ZI_KERNEL(zi_body_motions),
    .frame_motion = ZI_KERNEL(zi_frame_motion),
    .frame_jacobian = ZI_KERNEL(zi_frame_jacobian_columns),
    .totals = ZI_KERNEL(zi_totals),
    .constraints = ZI_KERNEL(zi_constraints),
};
