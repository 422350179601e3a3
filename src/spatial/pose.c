/* Poses: identity, roll, pitch and yaw, composition, and what leads from one to another. */
#include "zveno/pose.h"

#include <math.h>

#include "base/require.h"
#include "spatial/quaternion.h"

zvPose zv_pose_identity(void) { return (zvPose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

zvPose zv_pose_from_rpy(const double xyz[3], const double rpy[3]) {
    ZI_REQUIRE(xyz && rpy);
    double sr = sin(rpy[0]), cr = cos(rpy[0]);
    double sp = sin(rpy[1]), cp = cos(rpy[1]);
    double sy = sin(rpy[2]), cy = cos(rpy[2]);
    return (zvPose){.R = {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, /* Rz Ry Rx */
                          sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, /* */
                          0 - sp, cp * sr, cp * cr},
                    .p = {xyz[0], xyz[1], xyz[2]}};
}

/* R = R_outer R_inner, p = p_outer + R_outer p_inner: a pose given in an inner frame, seen from the outer one's parent.
 */
zvPose zv_pose_compose(const zvPose *outer, const zvPose *inner) {
    ZI_REQUIRE(outer && inner);
    zvPose pose;
    for (int i = 0; i < 3; i++) {
        const double *row = outer->R + 3 * i;
        for (int j = 0; j < 3; j++) {
            pose.R[3 * i + j] = row[0] * inner->R[j] + row[1] * inner->R[3 + j] + row[2] * inner->R[6 + j];
        }
        pose.p[i] = outer->p[i] + row[0] * inner->p[0] + row[1] * inner->p[1] + row[2] * inner->p[2];
    }
    return pose;
}

/* Of the four components the largest is found first; the others are divided by it. */
void zi_quaternion_of(const double R[9], double e[4]) {
    const double diagonal[4] = {R[0], R[4], R[8], R[0] + R[4] + R[8]};
    int big = 0;
    for (int i = 1; i < 4; i++) {
        if (diagonal[i] > diagonal[big]) big = i;
    }
    if (big == 3) {
        e[0] = R[7] - R[5];
        e[1] = R[2] - R[6];
        e[2] = R[3] - R[1];
        e[3] = 1 + diagonal[3];
    } else {
        int i = big, j = (i + 1) % 3, k = (i + 2) % 3;
        e[i] = 1 + R[4 * i] - R[4 * j] - R[4 * k];
        e[j] = R[3 * j + i] + R[3 * i + j];
        e[k] = R[3 * k + i] + R[3 * i + k];
        e[3] = R[3 * k + j] - R[3 * j + k];
    }
    for (int i = 0; i < 4 && e[3] < 0; i++) e[i] = i == 3 ? e[i] : -e[i];
    e[3] = fabs(e[3]);
}

/* 1 + 2 (w v~ + v~^2) / |e|^2 */
void zi_rotation_of(const double e[4], double R[9]) {
    const double n = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], s = 2 / n;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[4 * i] = 1 - s * (e[j] * e[j] + e[k] * e[k]);
        R[3 * i + j] = s * (e[i] * e[j] - e[k] * e[3]);
        R[3 * j + i] = s * (e[i] * e[j] + e[k] * e[3]);
    }
}

/* The rotation vector through a quaternion: exact also near half a turn. */
void zv_pose_error(const zvPose *wanted, const zvPose *actual, double error[6]) {
    ZI_REQUIRE(wanted && actual && error);
    double E[9], e[4];
    for (int i = 0; i < 3; i++) {
        error[i] = wanted->p[i] - actual->p[i];
        for (int j = 0; j < 3; j++) { /* E = R_wanted R_actual^T */
            E[3 * i + j] = 0;
            for (int k = 0; k < 3; k++) E[3 * i + j] += wanted->R[3 * i + k] * actual->R[3 * j + k];
        }
    }
    zi_quaternion_of(E, e);
    double s = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    double factor = s > 0 ? 2 * atan2(s, e[3]) / s : 0;
    for (int i = 0; i < 3; i++) error[3 + i] = factor * e[i];
}
