/* A few numbers of the kernel scalar side by side in a register; one, where that scalar is wide itself. */
#ifndef ZI_REAL_PACK_H
#define ZI_REAL_PACK_H

#include <string.h>

#include "real/real.h"

#if defined ZI_TRACE || defined ZI_WIDE
typedef real pack;
enum { PACK = 1 };
static ZI_HOT pack pack_of(const real *p) { return *p; }
static ZI_HOT void pack_to(real *p, pack x) { *p = x; }
static ZI_HOT pack pack_like(real x) { return x; }
static ZI_HOT real pack_lane(pack x, int j) { return j == 0 ? x : real(0); }
static ZI_HOT pack pack_first(pack x, int count) { return count > 0 ? x : real(0); }
static ZI_HOT pack pack_between(pack x, int from, int to) { return from <= 0 && to > 0 ? x : real(0); }
static ZI_HOT pack pack_unit(int j) { return j == 0 ? real(1) : real(0); }
static ZI_HOT pack pack_with(pack, int, real x) { return x; }
static ZI_HOT void square_turned(const real *x, real *y, int) { *y = *x; }
static ZI_HOT pack pack_spaced(const real *x, size_t, int from, int to) { return from <= 0 && to > 0 ? *x : real(0); }
#else
typedef real pack __attribute__((vector_size(4 * sizeof(real))));
enum { PACK = sizeof(pack) / sizeof(real) };
static ZI_HOT pack pack_of(const real *p) {
    pack x;
    memcpy(&x, p, sizeof x);
    return x;
}
static ZI_HOT void pack_to(real *p, pack x) { memcpy(p, &x, sizeof x); }
static ZI_HOT pack pack_like(real x) {
    pack all = {x, x, x, x};
    return all;
}
static ZI_HOT real pack_lane(pack x, int j) { return x[j]; }
/* Lanes from count (at least 1) on become zero. */
static ZI_HOT pack pack_first(pack x, int count) {
    static const real kept[2 * PACK] = {1, 1, 1, 1, 0, 0, 0, 0};
    return count >= PACK ? x : x * pack_of(kept + PACK - count);
}
/* Lanes before `from` and from `to` on become zero, whatever they are; both are at least 0. */
typedef long long pack_bits __attribute__((vector_size(sizeof(pack))));
static ZI_HOT pack pack_between(pack x, int from, int to) {
    static const long long kept[3 * PACK] = {0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0};
    pack_bits low, high;
    memcpy(&low, kept + PACK - (from < PACK ? from : PACK), sizeof low);
    memcpy(&high, kept + 2 * PACK - (to < PACK ? to : PACK), sizeof high);
    return (pack)((pack_bits)x & low & high);
}
/* Lane j is one, if there is such a lane, the others zero. */
static ZI_HOT pack pack_unit(int j) {
    static const real one[2 * PACK] = {0, 0, 0, 0, 1, 0, 0, 0};
    return j < 0 || j >= PACK ? pack_like(0) : pack_of(one + PACK - j);
}
/* Lane j becomes y. */
static ZI_HOT pack pack_with(pack x, int j, real y) {
    static const long long one[2 * PACK] = {0, 0, 0, 0, -1, 0, 0, 0};
    pack_bits own;
    memcpy(&own, one + PACK - j, sizeof own);
    return (pack)(((pack_bits)pack_like(y) & own) | ((pack_bits)x & ~own));
}
/* Lanes from ... to - 1 of numbers `step` apart, the other lanes zero. */
static ZI_HOT pack pack_spaced(const real *x, size_t step, int from, int to) {
    if (from >= PACK || to <= 0) return pack_like(0);
    if (from <= 0 && to >= PACK) {
        const pack all = {x[0], x[step], x[2 * step], x[3 * step]};
        return all;
    }
    size_t at[PACK];
    for (int j = 0; j < PACK; j++) at[j] = (size_t)(j < from ? from : j < to ? j : to - 1) * step;
    const pack known = {x[at[0]], x[at[1]], x[at[2]], x[at[3]]}, within = pack_first(known, to);
    return from > 0 ? within - pack_first(within, from) : within;
}
/* y = x^T, SOME rows and columns of matrices with rows of n. */
static ZI_HOT void square_turned(const real *x, real *y, int n) {
    const pack a = pack_of(x), b = pack_of(x + n), c = pack_of(x + 2 * n), d = pack_of(x + 3 * n);
    const pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const pack cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    pack_to(y, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    pack_to(y + n, __builtin_shufflevector(ba, dc, 0, 1, 4, 5));
    pack_to(y + 2 * n, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    pack_to(y + 3 * n, __builtin_shufflevector(ba, dc, 2, 3, 6, 7));
}
#endif

#endif
