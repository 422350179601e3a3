/* Sine and cosine of an array in one vectorisable pass.
 *
 * Reduction x = k pi/2 + y in three parts of pi/2 (Cody & Waite), then the Taylor-like minimax polynomials on
 * |y| <= pi/4 of degree 13 and 14; the quadrant is applied by selection. Error below 1 ulp for |x| <= 1e5;
 * arguments beyond that (and NaN) go to libm one by one. */
#ifndef ZV_REAL_SINCOS_H
#define ZV_REAL_SINCOS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "real/real.h"

enum { SINCOS_LARGEST = 100000 };

static inline void sincos_near(double x, double *sine, double *cosine) {
    const double magic = 0x1.8p52; /* adding it leaves the nearest integer in the low bits */
    double shifted = x * 0x1.45f306dc9c883p-1 + magic;
    double k = shifted - magic;
    int64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    double y = x - k * 0x1.921fb544p+0; /* leading 33 bits of pi/2: the product is exact */
    double t = k * 0x1.0b4611a6p-34;    /* next 33 bits */
    double u = y - t;
    double low = (y - u) - t - k * 0x1.3198a2e037073p-69; /* what rounding lost, and the rest of pi/2 */
    y = u + low;
    low += u - y;
    double z = y * y;
    double ps = -0x1.5555555555549p-3 +
                z * (0x1.111111110f8a6p-7 +
                     z * (-0x1.a01a019c161d5p-13 +
                          z * (0x1.71de357b1fe7dp-19 + z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33))));
    double pc = 0x1.555555555554cp-5 +
                z * (-0x1.6c16c16c15177p-10 +
                     z * (0x1.a01a019cb159p-16 +
                          z * (-0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29 - z * 0x1.8fae9be8838d4p-37))));
    double s = y + (low + z * y * ps);
    double half = 0.5 * z, w = 1.0 - half;
    double c = w + (((1.0 - w) - half) + (z * z * pc - y * low));
    int64_t odd = bits & 1, sign_s = (bits & 2) << 62, sign_c = ((bits + 1) & 2) << 62;
    double a = odd ? c : s, b = odd ? s : c;
    int64_t ia, ib;
    memcpy(&ia, &a, sizeof ia);
    memcpy(&ib, &b, sizeof ib);
    ia ^= sign_s;
    ib ^= sign_c;
    memcpy(sine, &ia, sizeof ia);
    memcpy(cosine, &ib, sizeof ib);
}

static inline void sincos_array(int n, const double *restrict x, double *restrict s, double *restrict c) {
    int far = 0;
    for (int i = 0; i < n; i++) far |= !(fabs(x[i]) <= SINCOS_LARGEST);
    if (far) {
        for (int i = 0; i < n; i++) {
            s[i] = sin(x[i]);
            c[i] = cos(x[i]);
        }
        return;
    }
    for (int i = 0; i < n; i++) sincos_near(x[i], &s[i], &c[i]);
}

#endif
