/* Sine and cosine of lanes, in as few steps as full accuracy takes.
 *
 * x = k pi/2 + y, then minimax polynomials on |y| <= pi/4; the quadrant is applied by selection. In double precision
 * (where products are fused) the first 53 bits of pi/2 and the next ones are taken from x: the error of y is one
 * rounding, that of sine and cosine below 1.5 ulp of the larger of them. In single precision three parts of pi/2, the
 * first two short enough for exact products with k; the error is below 1e-7. */
#ifndef ZI_REAL_SINCOS_WIDE_H
#define ZI_REAL_SINCOS_WIDE_H

#include "real/real.h"

#ifdef ZI_SINGLE
#define SINCOS_LARGEST 1e4f
#define SINCOS_MAGIC 0x1.8p23f /* adding it leaves the nearest integer in the low bits */
#define SINCOS_INVERSE 0x1.45f306p-1f
static inline real sincos_reduce(real x, real k) {
    return ((x - k * 0x1.92p+0f) - k * 0x1.fb4p-12f) - k * 0x1.4442d2p-24f;
}
static inline real sincos_odd(real z) { return -0x1.555546p-3f + z * (0x1.110756p-7f + z * -0x1.994b4p-13f); }
static inline real sincos_even(real z) { return 0x1.55554ap-5f + z * (-0x1.6c0c82p-10f + z * 0x1.99ff4p-16f); }
#else
#define SINCOS_LARGEST 1e5
#define SINCOS_MAGIC 0x1.8p52
#define SINCOS_INVERSE 0x1.45f306dc9c883p-1
static inline real sincos_reduce(real x, real k) { return (x - k * 0x1.921fb54442d18p+0) - k * 0x1.1a62633145c07p-54; }
static inline real sincos_odd(real z) {
    return -0x1.5555555555549p-3 +
           z * (0x1.111111110f8a6p-7 +
                z * (-0x1.a01a019c161d5p-13 +
                     z * (0x1.71de357b1fe7dp-19 + z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33))));
}
static inline real sincos_even(real z) {
    return 0x1.555555555554cp-5 +
           z * (-0x1.6c16c16c15177p-10 +
                z * (0x1.a01a019cb159p-16 +
                     z * (-0x1.27e4f809c52adp-22 + z * (0x1.1ee9ebdb4b1c4p-29 - z * 0x1.8fae9be8838d4p-37))));
}
#endif

/* Sine and cosine of all lanes without branches: reduction to |y| <= pi/4, both polynomials, then the quadrant by
 * selection and by flipping sign bits. */
static inline void sincos_block(lanes x, lanes *sine, lanes *cosine) {
    const int last = 8 * (int)sizeof(lane) - 1;
    const real whole = real::of(x) * SINCOS_INVERSE + SINCOS_MAGIC;
    const real y = sincos_reduce(real::of(x), whole - SINCOS_MAGIC), z = y * y;
    const lanes shifted = whole.v, s = (y + z * y * sincos_odd(z)).v, c = ((1 - 0.5 * z) + z * z * sincos_even(z)).v;
    /* bit 0 of the quadrant swaps sine and cosine; bit 1 is the sign of the sine, both together that of the cosine */
    const lane_bits odd = (lane_bits)shifted << last, high = (lane_bits)shifted << (last - 1);
    const lane_bits top = lane_bits{} + ((lane_bit)1 << last);
    const lane_truths swap = (lane_truths)odd < 0;
    *sine = (lanes)((lane_bits)(swap ? c : s) ^ (high & top));
    *cosine = (lanes)((lane_bits)(swap ? s : c) ^ ((high ^ odd) & top));
}

#endif
