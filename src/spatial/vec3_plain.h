/* Three-vectors as three numbers: for machines without 32-byte registers and for scalars that are no machine numbers.
 */
#ifndef ZI_SPATIAL_VEC3_PLAIN_H
#define ZI_SPATIAL_VEC3_PLAIN_H

#include "real/real.h"

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
