/* Quaternions (x, y, z, w) of rotations. */
#ifndef ZI_SPATIAL_QUATERNION_H
#define ZI_SPATIAL_QUATERNION_H

/* By the largest component (Shepperd), with w >= 0; of any length. */
void zi_quaternion_of(const double R[9], double e[4]);
/* Of a quaternion of any length but zero. */
void zi_rotation_of(const double e[4], double R[9]);

#endif
