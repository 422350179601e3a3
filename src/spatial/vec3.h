/* Three-vectors and 3x3 matrices (stored by columns) over the kernel scalar.
 *
 * A vector is four lanes of which the last is always zero: sums, multiples and matrix products are single vector
 * operations. Symmetric matrices are stored whole: that is cheaper here than packing six numbers. */
#ifndef ZV_SPATIAL_VEC3_H
#define ZV_SPATIAL_VEC3_H

#include <string.h>

#include "real/real.h"

typedef real vec3 __attribute__((vector_size(4 * sizeof(real))));

/* Columns: M v = x v[0] + y v[1] + z v[2]. Of a rotation they are the turned axes. */
typedef struct mat3 {
    vec3 x, y, z;
} mat3;

#if defined(__clang__) || __GNUC__ >= 12
#define V3_TURN(a, i, j, k) __builtin_shufflevector(a, a, i, j, k, 3)
#else
typedef long long vec3_index __attribute__((vector_size(32)));
#define V3_TURN(a, i, j, k) __builtin_shuffle(a, (vec3_index){i, j, k, 3})
#endif

static inline vec3 v3(real x, real y, real z) {
    vec3 r = {x, y, z, 0};
    return r;
}
/* From and to three numbers in memory; from four of which the last is zero. */
static inline vec3 v3_of(const double *p) { return v3(p[0], p[1], p[2]); }
static inline void v3_to(double *p, vec3 a) {
    p[0] = a[0];
    p[1] = a[1];
    p[2] = a[2];
}
static inline vec3 v3_of4(const double *p) {
    vec3 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline vec3 v3_zero(void) { return v3(0, 0, 0); }
static inline vec3 v3_add(vec3 a, vec3 b) { return a + b; }
static inline vec3 v3_sub(vec3 a, vec3 b) { return a - b; }
static inline vec3 v3_scale(real k, vec3 a) { return k * a; }
static inline vec3 v3_axpy(real k, vec3 a, vec3 b) { return k * a + b; }
static inline real v3_dot(vec3 a, vec3 b) {
    vec3 p = a * b;
    return p[0] + p[1] + p[2];
}
static inline vec3 v3_cross(vec3 a, vec3 b) {
    vec3 c = a * V3_TURN(b, 1, 2, 0) - V3_TURN(a, 1, 2, 0) * b;
    return V3_TURN(c, 1, 2, 0);
}
/* c + a x b */
static inline vec3 v3_cross_add(vec3 a, vec3 b, vec3 c) { return c + v3_cross(a, b); }

static inline mat3 m3(vec3 x, vec3 y, vec3 z) {
    mat3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}
/* From nine numbers, or from three columns of four. */
static inline mat3 m3_of(const double *p) { return m3(v3_of(p), v3_of(p + 3), v3_of(p + 6)); }
static inline mat3 m3_of12(const double *p) { return m3(v3_of4(p), v3_of4(p + 4), v3_of4(p + 8)); }
static inline void m3_to(double *p, mat3 m) {
    v3_to(p, m.x);
    v3_to(p + 3, m.y);
    v3_to(p + 6, m.z);
}
static inline mat3 m3_identity(void) { return m3(v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)); }
static inline mat3 m3_add(mat3 a, mat3 b) { return m3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 m3_mulv(mat3 m, vec3 v) { return v[0] * m.x + (v[1] * m.y + v[2] * m.z); }
/* M times three numbers in memory. */
static inline vec3 m3_mulp(mat3 m, const double *v) { return v[0] * m.x + (v[1] * m.y + v[2] * m.z); }
/* c + M v */
static inline vec3 m3_mulv_add(mat3 m, vec3 v, vec3 c) { return v[0] * m.x + (v[1] * m.y + (v[2] * m.z + c)); }
static inline mat3 m3_transpose(mat3 m) {
    return m3(v3(m.x[0], m.y[0], m.z[0]), v3(m.x[1], m.y[1], m.z[1]), v3(m.x[2], m.y[2], m.z[2]));
}
static inline vec3 m3_tmulv(mat3 m, vec3 v) { return v3(v3_dot(m.x, v), v3_dot(m.y, v), v3_dot(m.z, v)); }
static inline mat3 m3_mul(mat3 a, mat3 b) { return m3(m3_mulv(a, b.x), m3_mulv(a, b.y), m3_mulv(a, b.z)); }
/* A B with the columns of B in memory, four numbers each. */
static inline mat3 m3_mulp12(mat3 a, const double *b) {
    return m3(m3_mulp(a, b), m3_mulp(a, b + 4), m3_mulp(a, b + 8));
}
/* E Rz(angle) with s, c its sine and cosine */
static inline mat3 m3_turn_z(mat3 E, real s, real c) { return m3(c * E.x + s * E.y, c * E.y - s * E.x, E.z); }
/* m - a b^T */
static inline mat3 m3_deflate(mat3 m, vec3 a, vec3 b) { return m3(m.x - b[0] * a, m.y - b[1] * a, m.z - b[2] * a); }
/* m + k 1 */
static inline mat3 m3_add_diagonal(mat3 m, real k) {
    return m3(m.x + v3(k, 0, 0), m.y + v3(0, k, 0), m.z + v3(0, 0, k));
}
static inline real m3_trace(mat3 m) { return m.x[0] + m.y[1] + m.z[2]; }
/* R S R^T with the columns of S in memory, four numbers each */
static inline mat3 m3_rotatep12(mat3 R, const double *S) {
    mat3 T = m3_mulp12(R, S);
    return m3(R.x[0] * T.x + (R.y[0] * T.y + R.z[0] * T.z), R.x[1] * T.x + (R.y[1] * T.y + R.z[1] * T.z),
              R.x[2] * T.x + (R.y[2] * T.y + R.z[2] * T.z));
}

#endif
