/* Responses (kernel_respond.c) of unbranched arms of 6 and 7 dofs: the inverse first, then its products with the
 * matrices as they are. A row is two vectors; with the number of joints a constant all loops are straight lines. Lanes
 * behind the end of a row hold numbers of the next one, or zeros: they go nowhere. */
#ifndef ZI_DYNAMICS_KERNEL_RESPOND_ARM_H
#define ZI_DYNAMICS_KERNEL_RESPOND_ARM_H

#include "dynamics/factors.h"

#if !defined ZI_WIDE && !defined ZI_TRACE
enum { ARM_LEAST = PACK + 1, ARM_MOST = 2 * PACK };

typedef struct Arm {
    pack low[ARM_MOST], high[ARM_MOST];
} Arm;

#define ARM_ROWS(i, from, to) _Pragma("GCC unroll 8") for (int i = from; i < to; i++)

/* The rest of the last row is read with numbers before it: nothing comes behind. */
static ZI_HOT pack arm_tail(const real *end, const int n) {
    const pack x = pack_of(end - PACK);
    if (n == ARM_MOST - 1) return __builtin_shufflevector(x, x, 1, 2, 3, 3);
    if (n == ARM_MOST - 2) return __builtin_shufflevector(x, x, 2, 3, 3, 3);
    return n == ARM_LEAST ? __builtin_shufflevector(x, x, 3, 3, 3, 3) : x;
}
static ZI_HOT void arm_read(const real *X, const int n, Arm *x) {
    ARM_ROWS(i, 0, n) {
        x->low[i] = pack_of(X + i * n);
        x->high[i] = i < n - 1 ? pack_of(X + i * n + PACK) : arm_tail(X + n * n, n);
    }
}
static ZI_HOT void arm_write_row(real *X, const int n, int i, pack low, pack high) {
    real *row = X + i * n;
    pack_to(row, low);
    if (i < n - 1 || n == ARM_MOST) {
        pack_to(row + PACK, high);
        return;
    }
    for (int j = 0; j < n - PACK; j++) row[PACK + j] = pack_lane(high, j);
}

/* W = L^-1 from the rows of R, with 1 / D in their diagonal (dynamics/factors.h). */
static ZI_HOT void arm_invert(const real *R, const int n, Arm *w) {
    ARM_ROWS(i, 0, n) {
        const real *row = R + i * n;
        const pack f = pack_like(-row[i]);
        pack low = pack_like(0), high = low;
        ARM_ROWS(k, 0, i) {
            low = low + row[k] * w->low[k];
            if (k >= PACK) high = high + row[k] * w->high[k];
        }
        w->low[i] = f * low + pack_unit(i);
        w->high[i] = f * high + pack_unit(i - PACK);
    }
    ARM_ROWS(i, n, ARM_MOST) w->low[i] = w->high[i] = pack_like(0);
}

/* N = -W D^-1 W^T, whose rows are sums over those of -D^-1 W^T. */
static ZI_HOT void arm_negative_inverse(const Arm *w, const real *R, const int n, real (*N)[ARM_MOST]) {
    real W[ARM_MOST][ARM_MOST];
    Arm v;
    pack_square_turned(w->low, v.low);
    pack_square_turned(w->low + PACK, v.high);
    pack_square_turned(w->high + PACK, v.high + PACK);
    ARM_ROWS(k, 0, n) {
        const pack f = pack_like(-R[k * n + k]);
        if (k < PACK) v.low[k] = f * v.low[k];
        v.high[k] = f * v.high[k];
        pack_to(W[k], w->low[k]);
        pack_to(W[k] + PACK, w->high[k]);
    }
    ARM_ROWS(i, 0, n) {
        pack low = v.low[0] * W[i][0], high = v.high[0] * W[i][0];
        ARM_ROWS(k, 1, i + 1) {
            if (k < PACK) low = low + v.low[k] * W[i][k];
            high = high + v.high[k] * W[i][k];
        }
        pack_to(N[i], low);
        pack_to(N[i] + PACK, high);
    }
}

/* X := N X */
static ZI_HOT void arm_multiply(real (*N)[ARM_MOST], const int n, real *X) {
    Arm x;
    arm_read(X, n, &x);
    ARM_ROWS(i, 0, n) {
        pack low = N[i][0] * x.low[0], high = N[i][0] * x.high[0];
        ARM_ROWS(k, 1, n) {
            low = low + N[i][k] * x.low[k];
            high = high + N[i][k] * x.high[k];
        }
        arm_write_row(X, n, i, low, high);
    }
}

static ZI_HOT void arm_respond(const int n, real *L, real *X0, real *X1) {
    real N[ARM_MOST][ARM_MOST];
    Arm w;
    arm_invert(L, n, &w);
    arm_negative_inverse(&w, L, n, N);
    ARM_ROWS(i, 0, n) arm_write_row(L, n, i, -pack_of(N[i]), -pack_of(N[i] + PACK));
    if (X0) arm_multiply(N, n, X0);
    if (X1) arm_multiply(N, n, X1);
}
static ZI_COLD void arm_respond_6(real *L, real *X0, real *X1) { arm_respond(6, L, X0, X1); }
static ZI_COLD void arm_respond_7(real *L, real *X0, real *X1) { arm_respond(7, L, X0, X1); }

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
