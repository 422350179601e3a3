/* Polynomials from derivatives at both ends of 0 <= s <= 1. */
#ifndef ZI_MOTION_TWO_POINT_H
#define ZI_MOTION_TWO_POINT_H

enum { ZI_MOST_CONDITIONS = 8 };

/* p(s) of degree m + n - 1. On entry a[0 ... m-1] are its Taylor coefficients at s = 0, that is the derivatives divided
 * by k!; b[0 ... n-1] those at s = 1. On return a[m ... m+n-1] are filled: p = sum a[k] s^k. 1 <= m, n <= 8. */
void zi_two_point(int m, double *a, int n, const double *b);

#endif
