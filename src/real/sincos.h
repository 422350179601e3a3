/* Sine and cosine of an array in one vectorisable pass.
 *
 * Reduction x = k pi/2 + y in three parts of pi/2 (Cody & Waite), then minimax polynomials on
 * |y| <= pi/4 of degree 13 and 14; the quadrant is applied by selection. Error below 1 ulp for |x| <= 1e5;
 * arguments beyond that (and NaN) go to libm one by one. */
#ifndef ZI_REAL_SINCOS_H
#define ZI_REAL_SINCOS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "real/real.h"

#ifdef ZI_TRACE
static inline void sincos_array(int n, const real *x, real *s, real *c) {
    for (int i = 0; i < n; i++) {
        s[i] = sin(x[i]);
        c[i] = cos(x[i]);
    }
}
#else

#if defined ZI_WIDE && (defined ZI_SINGLE || defined __FMA__)
#include "real/sincos_wide.h" /* fewer steps, where lanes make them most of the work */
#else
#define SINCOS_LARGEST 1e5

#ifdef ZI_WIDE
typedef lanes sincos_d;
typedef lane_bits sincos_i;
#else
typedef double sincos_d __attribute__((vector_size(32)));
typedef uint64_t sincos_i __attribute__((vector_size(32)));
#endif

/* x = k pi/2 + y, and what rounding lost of y. Where products are fused: pi/2 in parts of 53, 37 and 53 bits; x - k P1
 * is exact, being a multiple of the last bit of P1 and below 1, and so is k P2. Elsewhere parts of 33, 33 and 53 bits,
 * whose products with k are exact. */
#ifdef __FMA__
static ZI_HOT void sincos_reduce(sincos_d x, sincos_d k, sincos_d *y, sincos_d *low) {
    const sincos_d near = x - k * 0x1.921fb54442d18p+0, part = k * 0x1.1a6263314p-54;
    *y = near - part;
    *low = ((near - *y) - part) - k * 0x1.701b839a25205p-92;
}
#else
static ZI_HOT void sincos_reduce(sincos_d x, sincos_d k, sincos_d *y, sincos_d *low) {
    const sincos_d near = x - k * 0x1.921fb544p+0, part = k * 0x1.0b4611a6p-34, u = near - part;
    const sincos_d rest = (near - u) - part - k * 0x1.3198a2e037073p-69;
    *y = u + rest;
    *low = rest + (u - *y);
}
#endif

/* All lanes of a vector; ps, pc need no alignment. Polynomials are taken by pairs: fewer operations wait for each
 * other. Odd quadrants swap sine and cosine. */
static ZI_HOT void sincos_block(sincos_d x, void *ps, void *pc) {
    const double magic = 0x1.8p52; /* adding it leaves the nearest integer in the low bits */
    const sincos_d shifted = x * 0x1.45f306dc9c883p-1 + magic;
    sincos_d y, low;
    sincos_reduce(x, shifted - magic, &y, &low);
    const sincos_d z = y * y, zz = z * z, half = 0.5 * z, w = 1.0 - half;
    const sincos_d odd_part = (-0x1.5555555555549p-3 + z * 0x1.111111110f8a6p-7) +
                              zz * ((-0x1.a01a019c161d5p-13 + z * 0x1.71de357b1fe7dp-19) +
                                    zz * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33));
    const sincos_d even_part = (0x1.555555555554cp-5 + z * -0x1.6c16c16c15177p-10) +
                               zz * ((0x1.a01a019cb159p-16 + z * -0x1.27e4f809c52adp-22) +
                                     zz * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37));
    const sincos_d s = y + (low + (y * z) * odd_part);
    const sincos_d c = w + (zz * even_part + (((1.0 - w) - half) - y * low));
    const sincos_i bits = (sincos_i)shifted, odd = -(bits & 1), si = (sincos_i)s, ci = (sincos_i)c;
    const sincos_i sine = ((ci & odd) | (si & ~odd)) ^ ((bits & 2) << 62);
    const sincos_i cosine = ((si & odd) | (ci & ~odd)) ^ (((bits + 1) & 2) << 62);
    memcpy(ps, &sine, sizeof sine);
    memcpy(pc, &cosine, sizeof cosine);
}
#endif

#ifdef ZI_WIDE
/* Lanes that are large or not numbers. */
static ZI_COLD void sincos_far(real x, real *s, real *c) {
    for (int i = 0; i < REAL_LANES; i++) {
        if (fabs(x.v[i]) <= (lane)SINCOS_LARGEST) continue;
        s->v[i] = (lane)__builtin_sin(x.v[i]);
        c->v[i] = (lane)__builtin_cos(x.v[i]);
    }
}

/* Valid for lanes whose result is true; the others are to be computed again, one by one. */
static inline real_ok sincos_near(real x, real *s, real *c) {
    const lane_bits rest = ~((lane_bits{} + 1) << (8 * sizeof(lane) - 1));
    sincos_block(x.v, &s->v, &c->v);
    return real_ok((lanes)((lane_bits)x.v & rest) <= (lane)SINCOS_LARGEST);
}

static inline void sincos_array(int n, const real *x, real *s, real *c) {
    real_ok near = 1; /* one question for all of them: it takes as long as one of their sines */
    for (int i = 0; i < n; i++) near &= sincos_near(x[i], &s[i], &c[i]);
    for (int i = 0; i < n && !near; i++) sincos_far(x[i], &s[i], &c[i]);
}
#else

/* Four at a time; x, s, c need no alignment. */
static inline void sincos_four(const double *px, double *ps, double *pc) {
    sincos_d x;
    memcpy(&x, px, sizeof x);
    sincos_block(x, ps, pc);
}

/* Blocks of four; the last one overlaps its neighbour, so that there is no slow remainder. */
static inline void sincos_array(int n, const double *restrict x, double *restrict s, double *restrict c) {
    int far = n < 4;
    for (int i = 0; i < n; i++) far |= !(fabs(x[i]) <= SINCOS_LARGEST);
    for (int i = 0; i < n && n >= 4; i += 4) {
        int at = i < n - 4 ? i : n - 4;
        sincos_four(x + at, s + at, c + at);
    }
    for (int i = 0; i < n && far; i++) { /* each entry is the same whatever stands beside it */
        if (n >= 4 && fabs(x[i]) <= SINCOS_LARGEST) continue;
        s[i] = sin(x[i]);
        c[i] = cos(x[i]);
    }
}

#endif
#endif
#endif
