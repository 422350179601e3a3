/* The answers of short arms, one joint after the other: the inverse first, then its products with the matrices as they
 * are. A row is two vectors; with the number of joints a constant all loops are straight lines. Lanes behind the end
 * of a row hold numbers of the next one, or zeros: they go nowhere. */
#ifndef ZV_DERIVE_KERNEL_RESPOND_ARM_H
#define ZV_DERIVE_KERNEL_RESPOND_ARM_H

#include "derive/factors.h"

#if !defined ZV_WIDE && !defined ZV_TRACE
enum { ARM_LEAST = SOME + 1, ARM_MOST = 2 * SOME };

typedef struct Arm {
    some low[ARM_MOST], high[ARM_MOST];
} Arm;

#define ARM_ROWS(i, from, to) _Pragma("GCC unroll 8") for (int i = from; i < to; i++)

/* The rest of the last row is read with numbers before it: nothing comes behind. */
static ZV_HOT some arm_tail(const real *end, const int n) {
    const some x = some_of(end - SOME);
    if (n == ARM_MOST - 1) return __builtin_shufflevector(x, x, 1, 2, 3, 3);
    if (n == ARM_MOST - 2) return __builtin_shufflevector(x, x, 2, 3, 3, 3);
    return n == ARM_LEAST ? __builtin_shufflevector(x, x, 3, 3, 3, 3) : x;
}
static ZV_HOT void arm_read(const real *X, const int n, Arm *x) {
    ARM_ROWS(i, 0, n) {
        x->low[i] = some_of(X + i * n);
        x->high[i] = i < n - 1 ? some_of(X + i * n + SOME) : arm_tail(X + n * n, n);
    }
}
static ZV_HOT void arm_write_row(real *X, const int n, int i, some low, some high) {
    real *row = X + i * n;
    some_to(row, low);
    if (i < n - 1 || n == ARM_MOST) {
        some_to(row + SOME, high);
        return;
    }
    for (int j = 0; j < n - SOME; j++) row[SOME + j] = some_lane(high, j);
}

/* W = L^-1 from the rows of R, with 1 / D in their diagonal (derive/factors.h). */
static ZV_HOT void arm_invert(const real *R, const int n, Arm *w) {
    ARM_ROWS(i, 0, n) {
        const real *row = R + i * n;
        const some f = some_like(-row[i]);
        some low = some_like(0), high = low;
        ARM_ROWS(k, 0, i) {
            low = low + row[k] * w->low[k];
            if (k >= SOME) high = high + row[k] * w->high[k];
        }
        w->low[i] = f * low + some_unit(i);
        w->high[i] = f * high + some_unit(i - SOME);
    }
    ARM_ROWS(i, n, ARM_MOST) w->low[i] = w->high[i] = some_like(0);
}

/* N = -W D^-1 W^T, whose rows are sums over those of -D^-1 W^T. */
static ZV_HOT void arm_negative_inverse(const Arm *w, const real *R, const int n, real (*N)[ARM_MOST]) {
    real W[ARM_MOST][ARM_MOST];
    Arm v;
    some_square_turned(w->low, v.low);
    some_square_turned(w->low + SOME, v.high);
    some_square_turned(w->high + SOME, v.high + SOME);
    ARM_ROWS(k, 0, n) {
        const some f = some_like(-R[k * n + k]);
        if (k < SOME) v.low[k] = f * v.low[k];
        v.high[k] = f * v.high[k];
        some_to(W[k], w->low[k]);
        some_to(W[k] + SOME, w->high[k]);
    }
    ARM_ROWS(i, 0, n) {
        some low = v.low[0] * W[i][0], high = v.high[0] * W[i][0];
        ARM_ROWS(k, 1, i + 1) {
            if (k < SOME) low = low + v.low[k] * W[i][k];
            high = high + v.high[k] * W[i][k];
        }
        some_to(N[i], low);
        some_to(N[i] + SOME, high);
    }
}

/* X := N X */
static ZV_HOT void arm_multiply(real (*N)[ARM_MOST], const int n, real *X) {
    Arm x;
    arm_read(X, n, &x);
    ARM_ROWS(i, 0, n) {
        some low = N[i][0] * x.low[0], high = N[i][0] * x.high[0];
        ARM_ROWS(k, 1, n) {
            low = low + N[i][k] * x.low[k];
            high = high + N[i][k] * x.high[k];
        }
        arm_write_row(X, n, i, low, high);
    }
}

static ZV_HOT void arm_respond(const int n, real *L, real *X0, real *X1) {
    real N[ARM_MOST][ARM_MOST];
    Arm w;
    arm_invert(L, n, &w);
    arm_negative_inverse(&w, L, n, N);
    ARM_ROWS(i, 0, n) arm_write_row(L, n, i, -some_of(N[i]), -some_of(N[i] + SOME));
    if (X0) arm_multiply(N, n, X0);
    if (X1) arm_multiply(N, n, X1);
}
static ZV_COLD void arm_respond_6(real *L, real *X0, real *X1) { arm_respond(6, L, X0, X1); }
static ZV_COLD void arm_respond_7(real *L, real *X0, real *X1) { arm_respond(7, L, X0, X1); }

/* Whether the robot is such an arm; then all is done. */
static inline bool respond_as_arm(int n, const int *parent, real *L, real *X0, real *X1) {
    if (n != 6 && n != 7) return false;
    for (int i = 0; i < n; i++)
        if (parent[i] != i - 1) return false;
    (n == 6 ? arm_respond_6 : arm_respond_7)(L, X0, X1);
    return true;
}
#else
static inline bool respond_as_arm(int, const int *, real *, real *, real *) { return false; }
#endif

#endif
