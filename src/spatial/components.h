/* Vectors and masses over `real` by components, with no operation that another order would save: for recursions that
 * know which of them are zero, and for the tape, where constant zeros and ones vanish. */
#ifndef ZI_SPATIAL_COMPONENTS_H
#define ZI_SPATIAL_COMPONENTS_H

#include "real/real.h"

typedef struct real3 {
    real x, y, z;
} real3;

static inline real3 r3(real x, real y, real z) {
    real3 a;
    a.x = x;
    a.y = y;
    a.z = z;
    return a;
}
static inline real3 r3_zero(void) { return r3(0, 0, 0); }
static inline real3 r3_of(const double *p) { return r3(p[0], p[1], p[2]); }
static inline real3 r3_add(real3 a, real3 b) { return r3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline real3 r3_sub(real3 a, real3 b) { return r3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline real3 r3_scale(real k, real3 a) { return r3(k * a.x, k * a.y, k * a.z); }
static inline real r3_dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline real3 r3_cross(real3 a, real3 b) {
    return r3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* An angle about z by its sine and cosine. */
typedef struct turn {
    real s, c;
} turn;

static inline turn turn_of(real s, real c) {
    turn t;
    t.s = s;
    t.c = c;
    return t;
}
static inline turn turn_none(void) { return turn_of(0, 1); }
static inline turn turn_back(turn t) { return turn_of(-t.s, t.c); }
static inline turn turn_add(turn a, turn b) { return turn_of(a.s * b.c + a.c * b.s, a.c * b.c - a.s * b.s); }
static inline real3 r3_turn(turn t, real3 a) { return r3(t.c * a.x - t.s * a.y, t.s * a.x + t.c * a.y, a.z); }

/* A rotation by its columns. */
typedef struct real33 {
    real3 x, y, z;
} real33;

static inline real33 r33(real3 x, real3 y, real3 z) {
    real33 R;
    R.x = x;
    R.y = y;
    R.z = z;
    return R;
}
static inline real33 r33_of(const double *p) { return r33(r3_of(p), r3_of(p + 3), r3_of(p + 6)); }
static inline real3 r33_mul(real33 R, real3 a) {
    return r3(R.x.x * a.x + R.y.x * a.y + R.z.x * a.z, R.x.y * a.x + R.y.y * a.y + R.z.y * a.z,
              R.x.z * a.x + R.y.z * a.y + R.z.z * a.z);
}
static inline real3 r33_tmul(real33 R, real3 a) { return r3(r3_dot(R.x, a), r3_dot(R.y, a), r3_dot(R.z, a)); }
static inline real33 r33_mulr(real33 A, real33 B) { return r33(r33_mul(A, B.x), r33_mul(A, B.y), r33_mul(A, B.z)); }
/* R Rz */
static inline real33 r33_turned(real33 R, turn t) {
    return r33(r3_add(r3_scale(t.c, R.x), r3_scale(t.s, R.y)), r3_sub(r3_scale(t.c, R.y), r3_scale(t.s, R.x)), R.z);
}

/* Mass, first and second moments about a point: int dm, int x dm, int x x^T dm. */
typedef struct moments {
    real m;
    real3 h;
    real xx, xy, xz, yy, yz, zz;
} moments;

static inline moments moments_of(double m, const double *h, const double *K) {
    moments a;
    a.m = m;
    a.h = r3_of(h);
    a.xx = K[0], a.xy = K[1], a.xz = K[2], a.yy = K[3], a.yz = K[4], a.zz = K[5];
    return a;
}
static inline moments moments_zero(void) {
    const double none[6] = {0, 0, 0, 0, 0, 0};
    return moments_of(0, none, none);
}
static inline moments moments_add(moments a, moments b) {
    a.m = a.m + b.m;
    a.h = r3_add(a.h, b.h);
    a.xx = a.xx + b.xx, a.xy = a.xy + b.xy, a.xz = a.xz + b.xz;
    a.yy = a.yy + b.yy, a.yz = a.yz + b.yz, a.zz = a.zz + b.zz;
    return a;
}

/* A symmetric matrix turned in the plane of its indices 1, 2: with u = s (K11 - K22) + 2 c K12 it is
 * K11 - s u, K22 + s u, c u - K12; four products. */
static inline void turn_plane(turn t, real *k11, real *k12, real *k22, real *k13, real *k23) {
    const real u = t.s * (*k11 - *k22) + t.c * (*k12 + *k12), su = t.s * u, a = *k13, b = *k23;
    *k11 = *k11 - su;
    *k22 = *k22 + su;
    *k12 = t.c * u - *k12;
    *k13 = t.c * a - t.s * b;
    *k23 = t.s * a + t.c * b;
}

static inline moments moments_turn(turn t, moments a) {
    a.h = r3_turn(t, a.h);
    turn_plane(t, &a.xx, &a.xy, &a.yy, &a.xz, &a.yz);
    return a;
}

/* R K R^T by the plain sums: for rotations without a structure, and for those whose entries are 0 and +-1. */
static inline moments moments_rotate(real33 R, moments a) {
    moments b;
    b.m = a.m;
    b.h = r33_mul(R, a.h);
    const real3 x = r3(R.x.x, R.y.x, R.z.x), y = r3(R.x.y, R.y.y, R.z.y), z = r3(R.x.z, R.y.z, R.z.z); /* rows */
    const real33 K = r33(r3(a.xx, a.xy, a.xz), r3(a.xy, a.yy, a.yz), r3(a.xz, a.yz, a.zz));
    const real3 Kx = r33_mul(K, x), Ky = r33_mul(K, y), Kz = r33_mul(K, z);
    b.xx = r3_dot(x, Kx), b.xy = r3_dot(x, Ky), b.xz = r3_dot(x, Kz);
    b.yy = r3_dot(y, Ky), b.yz = r3_dot(y, Kz), b.zz = r3_dot(z, Kz);
    return b;
}

/* The same by a constant rotation; about x or z it takes the short way. Quarter turns only rename. */
static inline moments moments_place(const double *E, moments a) {
    const int oblique = E[4] != 0 && E[4] != 1 && E[4] != -1;
    if (oblique && E[1] == 0 && E[2] == 0 && E[0] > 0) {
        const turn t = turn_of(E[5], E[4]);
        a.h = r33_mul(r33_of(E), a.h);
        turn_plane(t, &a.yy, &a.yz, &a.zz, &a.xy, &a.xz);
        return a;
    }
    if (oblique && E[2] == 0 && E[5] == 0 && E[8] > 0) return moments_turn(turn_of(E[1], E[0]), a);
    return moments_rotate(r33_of(E), a);
}

/* About the point from which the old one is seen at r: K + r w^T + w r^T with w = h + m r / 2. */
static inline moments moments_shift(real3 r, moments a) {
    const real3 w = r3_add(a.h, r3_scale(0.5 * a.m, r)), twice = r3_scale(2, r);
    a.h = r3_add(a.h, r3_scale(a.m, r));
    a.xx = a.xx + twice.x * w.x;
    a.yy = a.yy + twice.y * w.y;
    a.zz = a.zz + twice.z * w.z;
    a.xy = a.xy + (r.x * w.y + r.y * w.x);
    a.xz = a.xz + (r.x * w.z + r.z * w.x);
    a.yz = a.yz + (r.y * w.z + r.z * w.y);
    return a;
}

#endif
