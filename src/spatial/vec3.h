/* Three-vectors, 3x3 matrices (stored by columns) and symmetric 3x3 matrices over the kernel scalar. */
#ifndef ZV_SPATIAL_VEC3_H
#define ZV_SPATIAL_VEC3_H

#include "real/real.h"

typedef struct vec3 {
    real x, y, z;
} vec3;

/* Columns: M v = x v.x + y v.y + z v.z. Of a rotation they are the turned axes. */
typedef struct mat3 {
    vec3 x, y, z;
} mat3;

typedef struct sym3 {
    real xx, xy, xz, yy, yz, zz;
} sym3;

static inline vec3 v3(real x, real y, real z) {
    vec3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}
static inline vec3 v3_of(const double *p) { return v3(p[0], p[1], p[2]); }
static inline void v3_to(double *p, vec3 a) {
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}
static inline vec3 v3_zero(void) { return v3(0, 0, 0); }
static inline vec3 v3_add(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 v3_sub(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec3 v3_neg(vec3 a) { return v3(-a.x, -a.y, -a.z); }
static inline vec3 v3_scale(real k, vec3 a) { return v3(k * a.x, k * a.y, k * a.z); }
static inline vec3 v3_axpy(real k, vec3 a, vec3 b) { return v3(k * a.x + b.x, k * a.y + b.y, k * a.z + b.z); }
static inline real v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec3 v3_cross(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* c + a x b */
static inline vec3 v3_cross_add(vec3 a, vec3 b, vec3 c) {
    return v3(a.y * b.z - (a.z * b.y - c.x), a.z * b.x - (a.x * b.z - c.y), a.x * b.y - (a.y * b.x - c.z));
}

static inline mat3 m3(vec3 x, vec3 y, vec3 z) {
    mat3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}
static inline mat3 m3_of(const double *p) { return m3(v3_of(p), v3_of(p + 3), v3_of(p + 6)); }
static inline mat3 m3_identity(void) { return m3(v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)); }
static inline mat3 m3_add(mat3 a, mat3 b) { return m3(v3_add(a.x, b.x), v3_add(a.y, b.y), v3_add(a.z, b.z)); }
static inline vec3 m3_mulv(mat3 m, vec3 v) { return v3_axpy(v.x, m.x, v3_axpy(v.y, m.y, v3_scale(v.z, m.z))); }
/* c + M v */
static inline vec3 m3_mulv_add(mat3 m, vec3 v, vec3 c) {
    return v3_axpy(v.x, m.x, v3_axpy(v.y, m.y, v3_axpy(v.z, m.z, c)));
}
static inline vec3 m3_tmulv(mat3 m, vec3 v) { return v3(v3_dot(m.x, v), v3_dot(m.y, v), v3_dot(m.z, v)); }
static inline mat3 m3_mul(mat3 a, mat3 b) { return m3(m3_mulv(a, b.x), m3_mulv(a, b.y), m3_mulv(a, b.z)); }
/* E Rz(angle) with s, c its sine and cosine */
static inline mat3 m3_turn_z(mat3 E, real s, real c) {
    return m3(v3_axpy(c, E.x, v3_scale(s, E.y)), v3_axpy(c, E.y, v3_scale(-s, E.x)), E.z);
}

static inline sym3 s3(real xx, real xy, real xz, real yy, real yz, real zz) {
    sym3 r;
    r.xx = xx;
    r.xy = xy;
    r.xz = xz;
    r.yy = yy;
    r.yz = yz;
    r.zz = zz;
    return r;
}
static inline sym3 s3_of(const double *p) { return s3(p[0], p[1], p[2], p[3], p[4], p[5]); }
static inline sym3 s3_add(sym3 a, sym3 b) {
    return s3(a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz);
}
static inline real s3_trace(sym3 a) { return a.xx + a.yy + a.zz; }
static inline vec3 s3_mulv(sym3 s, vec3 v) {
    return v3(s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
              s.xz * v.x + s.yz * v.y + s.zz * v.z);
}
/* S - k a a^T */
static inline sym3 s3_deflate(sym3 s, real k, vec3 a) {
    vec3 b = v3_scale(k, a);
    return s3(s.xx - b.x * a.x, s.xy - b.x * a.y, s.xz - b.x * a.z, s.yy - b.y * a.y, s.yz - b.y * a.z,
              s.zz - b.z * a.z);
}
/* R S R^T */
static inline sym3 s3_rotate(mat3 R, sym3 s) {
    vec3 a = v3_axpy(s.xx, R.x, v3_axpy(s.xy, R.y, v3_scale(s.xz, R.z)));
    vec3 b = v3_axpy(s.xy, R.x, v3_axpy(s.yy, R.y, v3_scale(s.yz, R.z)));
    vec3 c = v3_axpy(s.xz, R.x, v3_axpy(s.yz, R.y, v3_scale(s.zz, R.z)));
    return s3(a.x * R.x.x + b.x * R.y.x + c.x * R.z.x, a.x * R.x.y + b.x * R.y.y + c.x * R.z.y,
              a.x * R.x.z + b.x * R.y.z + c.x * R.z.z, a.y * R.x.y + b.y * R.y.y + c.y * R.z.y,
              a.y * R.x.z + b.y * R.y.z + c.y * R.z.z, a.z * R.x.z + b.z * R.y.z + c.z * R.z.z);
}

#endif
