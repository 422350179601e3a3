/* Rotation by a vector theta: about its direction, by its length t.
 *
 *   R = 1 + a theta~ + b theta~^2            a = sin t / t,  b = (1 - cos t) / t^2,  c = (t - sin t) / t^3
 *   w = A theta',   A = 1 + b theta~ + c theta~^2        (angular velocity in the axes in which theta is given)
 *
 * a, b, c are power series in t^2, cut where a half turn is still exact to rounding (a whole one to 1e-9): no
 * branches, no division. */
#ifndef ZI_SPATIAL_ROTATION_VECTOR_H
#define ZI_SPATIAL_ROTATION_VECTOR_H

#include "spatial/vec3.h"

typedef struct rotation_vector {
    vec3 theta;
    real a, b, c;
    real db, dc; /* derivatives by t^2 */
} rotation_vector;

enum { ROTATION_TERMS = 14 };

/* Power series of a, b, c and of the derivatives of b and c by Horner's rule. */
static inline rotation_vector rotation_of(vec3 theta) {
    static const double term[ROTATION_TERMS][2] = {
        /* (-1)^k / (2k + 2)!, (-1)^k / (2k + 3)! */
        {1.0 / 2, 1.0 / 6},
        {-1.0 / 24, -1.0 / 120},
        {1.0 / 720, 1.0 / 5040},
        {-1.0 / 40320, -1.0 / 362880},
        {1.0 / 3628800, 1.0 / 39916800},
        {-1.0 / 479001600, -1.0 / 6227020800},
        {1.0 / 87178291200, 1.0 / 1307674368000},
        {-1.0 / 20922789888000, -1.0 / 355687428096000},
        {1.0 / 6402373705728000.0, 1.0 / 1.21645100408832e+17},
        {-1.0 / 2.43290200817664e+18, -1.0 / 5.109094217170944e+19},
        {1.0 / 1.1240007277776077e+21, 1.0 / 2.585201673888498e+22},
        {-1.0 / 6.204484017332394e+23, -1.0 / 1.5511210043330986e+25},
        {1.0 / 4.0329146112660565e+26, 1.0 / 1.0888869450418352e+28},
        {-1.0 / 3.0488834461171387e+29, -1.0 / 8.841761993739702e+30},
    };
    rotation_vector r;
    const real x = v3_dot(theta, theta);
    real b = 0, c = 0, db = 0, dc = 0;
    for (int k = ROTATION_TERMS - 1; k >= 0; k--) {
        db = b + x * db;
        dc = c + x * dc;
        b = term[k][0] + x * b;
        c = term[k][1] + x * c;
    }
    r.theta = theta;
    r.a = 1 - x * c;
    r.b = b;
    r.c = c;
    r.db = db;
    r.dc = dc;
    return r;
}

static inline mat3 rotation_matrix(const rotation_vector *r) {
    const mat3 T = m3_skew(r->theta);
    const mat3 TT = m3_skew_mul(r->theta, T);
    mat3 R;
    R.x = v3_axpy(r->a, T.x, v3_scale(r->b, TT.x));
    R.y = v3_axpy(r->a, T.y, v3_scale(r->b, TT.y));
    R.z = v3_axpy(r->a, T.z, v3_scale(r->b, TT.z));
    return m3_add_diagonal(R, 1);
}

/* A x */
static inline vec3 rotation_rate(const rotation_vector *r, vec3 x) {
    const vec3 y = v3_cross(r->theta, x);
    return v3_axpy(r->c, v3_cross(r->theta, y), v3_axpy(r->b, y, x));
}

/* dA/dt theta' for theta' = x: the angular acceleration when theta'' = 0. */
static inline vec3 rotation_bias(const rotation_vector *r, vec3 x) {
    const vec3 y = v3_cross(r->theta, x);
    const real k = 2 * v3_dot(r->theta, x);
    return v3_mix(k * r->db, y, k * r->dc, v3_cross(r->theta, y), r->c, v3_cross(x, y));
}

#endif
