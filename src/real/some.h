/* A few numbers of the kernel scalar side by side in a register; one, where that scalar is wide itself. */
#ifndef ZV_REAL_SOME_H
#define ZV_REAL_SOME_H

#include <string.h>

#include "real/real.h"

#if defined ZV_TRACE || defined ZV_WIDE
typedef real some;
enum { SOME = 1 };
static ZV_HOT some some_of(const real *p) { return *p; }
static ZV_HOT void some_to(real *p, some x) { *p = x; }
static ZV_HOT some some_like(real x) { return x; }
static ZV_HOT real some_lane(some x, int j) { return j == 0 ? x : real(0); }
static ZV_HOT some some_first(some x, int count) { return count > 0 ? x : real(0); }
static ZV_HOT some some_between(some x, int from, int to) { return from <= 0 && to > 0 ? x : real(0); }
static ZV_HOT some some_unit(int j) { return j == 0 ? real(1) : real(0); }
static ZV_HOT some some_with(some, int, real x) { return x; }
static ZV_HOT void square_turned(const real *x, real *y, int) { *y = *x; }
static ZV_HOT some some_spaced(const real *x, size_t, int from, int to) { return from <= 0 && to > 0 ? *x : real(0); }
#else
typedef real some __attribute__((vector_size(4 * sizeof(real))));
enum { SOME = sizeof(some) / sizeof(real) };
static ZV_HOT some some_of(const real *p) {
    some x;
    memcpy(&x, p, sizeof x);
    return x;
}
static ZV_HOT void some_to(real *p, some x) { memcpy(p, &x, sizeof x); }
static ZV_HOT some some_like(real x) {
    some all = {x, x, x, x};
    return all;
}
static ZV_HOT real some_lane(some x, int j) { return x[j]; }
/* Lanes from count (at least 1) on become zero. */
static ZV_HOT some some_first(some x, int count) {
    static const real kept[2 * SOME] = {1, 1, 1, 1, 0, 0, 0, 0};
    return count >= SOME ? x : x * some_of(kept + SOME - count);
}
/* Lanes before `from` and from `to` on become zero, whatever they are; both are at least 0. */
typedef long long some_bits __attribute__((vector_size(sizeof(some))));
static ZV_HOT some some_between(some x, int from, int to) {
    static const long long kept[3 * SOME] = {0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0};
    some_bits low, high;
    memcpy(&low, kept + SOME - (from < SOME ? from : SOME), sizeof low);
    memcpy(&high, kept + 2 * SOME - (to < SOME ? to : SOME), sizeof high);
    return (some)((some_bits)x & low & high);
}
/* Lane j is one, if there is such a lane, the others zero. */
static ZV_HOT some some_unit(int j) {
    static const real one[2 * SOME] = {0, 0, 0, 0, 1, 0, 0, 0};
    return j < 0 || j >= SOME ? some_like(0) : some_of(one + SOME - j);
}
/* Lane j becomes y. */
static ZV_HOT some some_with(some x, int j, real y) {
    static const long long one[2 * SOME] = {0, 0, 0, 0, -1, 0, 0, 0};
    some_bits own;
    memcpy(&own, one + SOME - j, sizeof own);
    return (some)(((some_bits)some_like(y) & own) | ((some_bits)x & ~own));
}
/* Lanes from ... to - 1 of numbers `step` apart, the other lanes zero. */
static ZV_HOT some some_spaced(const real *x, size_t step, int from, int to) {
    if (from >= SOME || to <= 0) return some_like(0);
    if (from <= 0 && to >= SOME) {
        const some all = {x[0], x[step], x[2 * step], x[3 * step]};
        return all;
    }
    size_t at[SOME];
    for (int j = 0; j < SOME; j++) at[j] = (size_t)(j < from ? from : j < to ? j : to - 1) * step;
    const some known = {x[at[0]], x[at[1]], x[at[2]], x[at[3]]}, within = some_first(known, to);
    return from > 0 ? within - some_first(within, from) : within;
}
/* y = x^T, SOME rows and columns of matrices with rows of n. */
static ZV_HOT void square_turned(const real *x, real *y, int n) {
    const some a = some_of(x), b = some_of(x + n), c = some_of(x + 2 * n), d = some_of(x + 3 * n);
    const some ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const some cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    some_to(y, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    some_to(y + n, __builtin_shufflevector(ba, dc, 0, 1, 4, 5));
    some_to(y + 2 * n, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    some_to(y + 3 * n, __builtin_shufflevector(ba, dc, 2, 3, 6, 7));
}
#endif

#endif
