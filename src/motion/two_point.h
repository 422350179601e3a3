/* Polynomials from derivatives at both ends of 0 <= s <= 1. */
#ifndef ZV_MOTION_TWO_POINT_H
#define ZV_MOTION_TWO_POINT_H

enum { ZV_MOST_CONDITIONS = 8 };

/* p(s) of degree m + n - 1. On entry a[0 ... m-1] are its Taylor coefficients at s = 0, that is the derivatives divided
 * by k!; b[0 ... n-1] those at s = 1. On return a[m ... m+n-1] are filled: p = sum a[k] s^k. 1 <= m, n <= 8. */
void zv_two_point(int m, double *a, int n, const double *b);

#endif
