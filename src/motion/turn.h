/* Rotations of routes: places checked and cleaned, turns as axis and angle. Matrices are row-major. */
#ifndef ZI_MOTION_TURN_H
#define ZI_MOTION_TURN_H

#include <stdbool.h>

#include "zveno/motion.h"

/* Whether all numbers are finite and R is a rotation to 1e-6; what names the place in the error. */
bool zi_place_check(const char *what, const zvPlace *place, zvError *error);
/* Makes R orthonormal to rounding. */
void zi_place_clean(zvPlace *place);

/* Unit axis and angle of R1 R0^T, by the shortest way; no turn at all has the axis x. Within 2e-9 rad of half a turn,
 * where both senses are equally short, the axis is the one with positive x; if x is zero positive y, then z. */
void zi_turn_between(const double R0[9], const double R1[9], double axis[3], double *angle);
/* R = Rot(axis, angle) of a unit axis. */
void zi_turn_matrix(const double axis[3], double angle, double R[9]);
void zi_turn_product(const double A[9], const double B[9], double AB[9]);

#endif
