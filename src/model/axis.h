/* Turning joint axes to z, and keeping rotations orthonormal. */
#ifndef ZI_MODEL_AXIS_H
#define ZI_MODEL_AXIS_H

#include "zveno/model.h"

/* Rotation Q (row-major) with Q e_z = axis / |axis|. Along a coordinate axis its entries are exactly 0 and +-1:
 * +z identity, +x columns (y, z, x), +y columns (z, x, y), -z (x, -y, -z), -x (y, -z, -x), -y (z, -x, -y);
 * otherwise the least rotation from z. The first two columns are the x and y of a planar joint. */
void zi_axis_frame(const double axis[3], double Q[9]);

/* The rotation nearest to an almost orthonormal R (row-major), in place; matrices written with few digits are off by
 * 1e-6 and would make the methods disagree. */
void zi_rotation_clean(double R[9]);

#endif
