/* From the kernels' placements (rotations by columns) to poses (by rows). */
#ifndef ZI_KINEMATICS_PLACEMENT_H
#define ZI_KINEMATICS_PLACEMENT_H

#include <string.h>

#include "kinematics/kernels.h"

static inline void zi_transpose(const double A[9], double T[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) T[3 * j + i] = A[3 * i + j];
    }
}

static inline zvPose zi_pose_of(const ziPlacement *x) {
    zvPose pose;
    zi_transpose(x->R, pose.R);
    memcpy(pose.p, x->p, sizeof pose.p);
    return pose;
}

#endif
