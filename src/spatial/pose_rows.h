/* A rotation by columns and a point, written as a pose has them: nine numbers by rows, then three. */
#ifndef ZI_SPATIAL_POSE_ROWS_H
#define ZI_SPATIAL_POSE_ROWS_H

#include "spatial/vec3.h"
#include "zveno/pose.h"

_Static_assert(sizeof(zvPose) == 12 * sizeof(double), "R and p lie side by side");

#if defined __AVX__ && !defined ZI_TRACE && !defined ZI_WIDE

#if defined(__clang__) || __GNUC__ >= 12
#define V3_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define V3_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (vec3_index){i, j, k, l})
#endif

/* Three stores instead of twelve. */
static inline void pose_to(zvPose *pose, mat3 R, vec3 p) {
    const vec3 xy = V3_PICK(R.x, R.y, 0, 4, 2, 6), yz = V3_PICK(R.y, R.z, 1, 5, 3, 7),
               zx = V3_PICK(R.z, R.x, 0, 5, 2, 7);
    const vec3 first = V3_PICK(xy, zx, 0, 1, 4, 5), second = V3_PICK(yz, xy, 0, 1, 6, 7),
               third = V3_PICK(R.z, p, 2, 4, 5, 6);
    memcpy(pose->R, &first, sizeof first);
    memcpy(pose->R + 4, &second, sizeof second);
    memcpy((double *)(void *)pose + 8, &third, sizeof third);
}

#else

static inline void pose_to(zvPose *pose, mat3 R, vec3 p) {
    m3_to_rows(pose->R, R);
    v3_to(pose->p, p);
}

#endif

#endif
