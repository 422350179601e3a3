/* Three-vectors and 3x3 matrices (stored by columns) over the kernel scalar. Two forms of the vector share one set of
 * operations; everything above uses only these. Symmetric matrices are stored whole: with lanes that is cheaper than
 * packing six numbers. */
#ifndef ZI_SPATIAL_VEC3_H
#define ZI_SPATIAL_VEC3_H

#include <string.h>

#include "real/real.h"

#if defined __AVX__ && !defined ZI_TRACE && !defined ZI_WIDE

/* Three-vectors as four lanes of one register, the last always zero: sums, multiples and the columns of matrix products
 * are single operations. Chosen where the machine has 32-byte registers. */

typedef real vec3 __attribute__((vector_size(4 * sizeof(real))));

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
static inline real v3_x(vec3 a) { return a[0]; }
static inline real v3_y(vec3 a) { return a[1]; }
static inline real v3_z(vec3 a) { return a[2]; }
static inline vec3 v3_of4(const double *p) {
    vec3 r;
    memcpy(&r, p, sizeof r);
    return r;
}
static inline vec3 v3_add(vec3 a, vec3 b) { return a + b; }
static inline vec3 v3_sub(vec3 a, vec3 b) { return a - b; }
static inline vec3 v3_neg(vec3 a) { return -a; }
static inline vec3 v3_scale(real k, vec3 a) { return k * a; }
static inline vec3 v3_axpy(real k, vec3 a, vec3 b) { return k * a + b; }
/* (a.y b.x, a.x b.y, 0) + c d, entry by entry, for b.z = 0 */
static inline vec3 v3_turn_add(vec3 a, vec3 b, vec3 c, vec3 d) { return V3_TURN(a, 1, 0, 2) * b + c * d; }
static inline real v3_dot(vec3 a, vec3 b) {
    vec3 p = a * b;
    return p[0] + p[1] + p[2];
}
/* a.b + c.d */
static inline real v3_dot2(vec3 a, vec3 b, vec3 c, vec3 d) {
    vec3 p = a * b + c * d;
    return p[0] + p[1] + p[2];
}
static inline vec3 v3_cross(vec3 a, vec3 b) {
    vec3 c = a * V3_TURN(b, 1, 2, 0) - V3_TURN(a, 1, 2, 0) * b;
    return V3_TURN(c, 1, 2, 0);
}
/* c + a x b */
static inline vec3 v3_cross_add(vec3 a, vec3 b, vec3 c) { return c + v3_cross(a, b); }

#else

/* Three-vectors as three numbers: for machines without 32-byte registers and for scalars that are no machine numbers.
 */

typedef struct vec3 {
    real x, y, z;
} vec3;

static inline vec3 v3(real x, real y, real z) {
    vec3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}
static inline real v3_x(vec3 a) { return a.x; }
static inline real v3_y(vec3 a) { return a.y; }
static inline real v3_z(vec3 a) { return a.z; }
static inline vec3 v3_of4(const double *p) { return v3(p[0], p[1], p[2]); }
static inline vec3 v3_add(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec3 v3_sub(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec3 v3_neg(vec3 a) { return v3(-a.x, -a.y, -a.z); }
static inline vec3 v3_scale(real k, vec3 a) { return v3(k * a.x, k * a.y, k * a.z); }
static inline vec3 v3_axpy(real k, vec3 a, vec3 b) { return v3(k * a.x + b.x, k * a.y + b.y, k * a.z + b.z); }
/* (a.y b.x, a.x b.y, 0) + c d, entry by entry, for b.z = 0 */
static inline vec3 v3_turn_add(vec3 a, vec3 b, vec3 c, vec3 d) {
    return v3(a.y * b.x + c.x * d.x, a.x * b.y + c.y * d.y, c.z * d.z);
}
static inline real v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/* a.b + c.d */
static inline real v3_dot2(vec3 a, vec3 b, vec3 c, vec3 d) { return v3_dot(a, b) + v3_dot(c, d); }
static inline vec3 v3_cross(vec3 a, vec3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* c + a x b */
static inline vec3 v3_cross_add(vec3 a, vec3 b, vec3 c) {
    return v3(a.y * b.z - (a.z * b.y - c.x), a.z * b.x - (a.x * b.z - c.y), a.x * b.y - (a.y * b.x - c.z));
}

#endif

/* Columns: M v = x v_x + y v_y + z v_z. Of a rotation they are the turned axes. */
typedef struct mat3 {
    vec3 x, y, z;
} mat3;

/* From and to three numbers in memory (v3_of4: from four of which the last is zero). */
static inline vec3 v3_of(real_source p) { return v3(p[0], p[1], p[2]); }
static inline void v3_to(real *p, vec3 a) {
    p[0] = v3_x(a);
    p[1] = v3_y(a);
    p[2] = v3_z(a);
}
static inline vec3 v3_zero(void) { return v3(0, 0, 0); }
/* x a + y b + z c */
static inline vec3 v3_mix(real x, vec3 a, real y, vec3 b, real z, vec3 c) {
    return v3_axpy(x, a, v3_axpy(y, b, v3_scale(z, c)));
}

static inline mat3 m3(vec3 x, vec3 y, vec3 z) {
    mat3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}
/* From nine numbers, or from three columns of four. */
static inline mat3 m3_of(real_source p) { return m3(v3_of(p), v3_of(p + 3), v3_of(p + 6)); }
static inline mat3 m3_of12(const double *p) { return m3(v3_of4(p), v3_of4(p + 4), v3_of4(p + 8)); }
static inline void m3_to(real *p, mat3 m) {
    v3_to(p, m.x);
    v3_to(p + 3, m.y);
    v3_to(p + 6, m.z);
}
/* From and to nine numbers by rows, as poses have them. */
static inline mat3 m3_of_rows(real_source p) {
    return m3(v3(p[0], p[3], p[6]), v3(p[1], p[4], p[7]), v3(p[2], p[5], p[8]));
}
static inline void m3_to_rows(real *p, mat3 m) {
    p[0] = v3_x(m.x), p[1] = v3_x(m.y), p[2] = v3_x(m.z);
    p[3] = v3_y(m.x), p[4] = v3_y(m.y), p[5] = v3_y(m.z);
    p[6] = v3_z(m.x), p[7] = v3_z(m.y), p[8] = v3_z(m.z);
}
static inline mat3 m3_identity(void) { return m3(v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)); }
/* a~: m3_mulv(m3_skew(a), b) = a x b */
static inline mat3 m3_skew(vec3 a) {
    return m3(v3(0, v3_z(a), -v3_y(a)), v3(-v3_z(a), 0, v3_x(a)), v3(v3_y(a), -v3_x(a), 0));
}
static inline mat3 m3_add(mat3 a, mat3 b) { return m3(v3_add(a.x, b.x), v3_add(a.y, b.y), v3_add(a.z, b.z)); }
static inline mat3 m3_sub(mat3 a, mat3 b) { return m3(v3_sub(a.x, b.x), v3_sub(a.y, b.y), v3_sub(a.z, b.z)); }
static inline vec3 m3_mulv(mat3 m, vec3 v) { return v3_mix(v3_x(v), m.x, v3_y(v), m.y, v3_z(v), m.z); }
/* M times three numbers in memory. */
static inline vec3 m3_mulp(mat3 m, const double *v) { return v3_mix(v[0], m.x, v[1], m.y, v[2], m.z); }
/* c + M v */
static inline vec3 m3_mulv_add(mat3 m, vec3 v, vec3 c) {
    return v3_axpy(v3_x(v), m.x, v3_axpy(v3_y(v), m.y, v3_axpy(v3_z(v), m.z, c)));
}
static inline mat3 m3_transpose(mat3 m) {
    return m3(v3(v3_x(m.x), v3_x(m.y), v3_x(m.z)), v3(v3_y(m.x), v3_y(m.y), v3_y(m.z)),
              v3(v3_z(m.x), v3_z(m.y), v3_z(m.z)));
}
static inline vec3 m3_tmulv(mat3 m, vec3 v) { return v3(v3_dot(m.x, v), v3_dot(m.y, v), v3_dot(m.z, v)); }
static inline mat3 m3_mul(mat3 a, mat3 b) { return m3(m3_mulv(a, b.x), m3_mulv(a, b.y), m3_mulv(a, b.z)); }
/* A B with the columns of B in memory, four numbers each. */
static inline mat3 m3_mulp12(mat3 a, const double *b) {
    return m3(m3_mulp(a, b), m3_mulp(a, b + 4), m3_mulp(a, b + 8));
}
/* E Rz(angle) with s, c its sine and cosine */
static inline mat3 m3_turn_z(mat3 E, real s, real c) {
    return m3(v3_axpy(c, E.x, v3_scale(s, E.y)), v3_axpy(c, E.y, v3_scale(-s, E.x)), E.z);
}
/* m - a b^T */
static inline mat3 m3_deflate(mat3 m, vec3 a, vec3 b) {
    return m3(v3_axpy(-v3_x(b), a, m.x), v3_axpy(-v3_y(b), a, m.y), v3_axpy(-v3_z(b), a, m.z));
}
/* A b~: columns of A met with those of the cross-product matrix */
static inline mat3 m3_mul_skew(mat3 A, vec3 b) {
    const real x = v3_x(b), y = v3_y(b), z = v3_z(b);
    return m3(v3_axpy(z, A.y, v3_scale(-y, A.z)), v3_axpy(x, A.z, v3_scale(-z, A.x)),
              v3_axpy(y, A.x, v3_scale(-x, A.y)));
}
/* a~ B */
static inline mat3 m3_skew_mul(vec3 a, mat3 B) { return m3(v3_cross(a, B.x), v3_cross(a, B.y), v3_cross(a, B.z)); }
/* m + k 1 */
static inline mat3 m3_add_diagonal(mat3 m, real k) {
    return m3(v3_add(m.x, v3(k, 0, 0)), v3_add(m.y, v3(0, k, 0)), v3_add(m.z, v3(0, 0, k)));
}
static inline real m3_trace(mat3 m) { return v3_x(m.x) + v3_y(m.y) + v3_z(m.z); }
/* R S R^T with the columns of S in memory, four numbers each */
static inline mat3 m3_rotatep12(mat3 R, const double *S) {
    mat3 T = m3_mulp12(R, S);
    return m3(v3_mix(v3_x(R.x), T.x, v3_x(R.y), T.y, v3_x(R.z), T.z),
              v3_mix(v3_y(R.x), T.x, v3_y(R.y), T.y, v3_y(R.z), T.z),
              v3_mix(v3_z(R.x), T.x, v3_z(R.y), T.y, v3_z(R.z), T.z));
}

#endif
