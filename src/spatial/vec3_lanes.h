/* Three-vectors as four lanes of one register, the last always zero: sums, multiples and the columns of matrix products
 * are single operations. Chosen where the machine has 32-byte registers. */
#ifndef ZI_SPATIAL_VEC3_LANES_H
#define ZI_SPATIAL_VEC3_LANES_H

#include <string.h>

#include "real/real.h"

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

#endif
