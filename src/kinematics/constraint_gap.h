/* Gaps of constraints: T.(p - p_joint; rotation vector) at the joint's nearest position, so that they vanish only when
 * it is closed. Branches on numbers: double only. */
#ifndef ZI_KINEMATICS_CONSTRAINT_GAP_H
#define ZI_KINEMATICS_CONSTRAINT_GAP_H

#include "kinematics/constraint_place.h"

#define CONSTRAINT_PI 3.14159265358979323846

/* By how much an angle or another coordinate that comes back after a period exceeds another: nearest to zero. */
static inline real constraint_wrapped(real x, real period) { return x - period * ceil(x / period - 0.5); }

/* The rotation vector that turns A into B, near a half turn, where the axis comes from the symmetric part:
 * (R + R^T)/2 - cos 1 = (1 - cos) n n^T. s = n sin, in the same axes as the answer. */
static ZI_COLD vec3 constraint_half_turn(mat3 A, mat3 B, vec3 s, real angle, real cosine) {
    const mat3 R = m3(m3_tmulv(A, B.x), m3_tmulv(A, B.y), m3_tmulv(A, B.z));
    const mat3 N = m3_add_diagonal(m3_add(R, m3_transpose(R)), -2 * cosine);
    const real x = v3_x(N.x), y = v3_y(N.y), z = v3_z(N.z);
    const vec3 n = m3_mulv(A, constraint_unit(x >= y && x >= z ? N.x : y >= z ? N.y : N.z));
    return v3_scale(v3_dot(n, s) < 0 ? -angle : angle, n);
}

/* The rotation vector that turns A into B, world axes. */
static inline vec3 constraint_turn(mat3 A, mat3 B) {
    const vec3 s = v3_scale(0.5, v3_add(v3_cross(A.x, B.x), v3_add(v3_cross(A.y, B.y), v3_cross(A.z, B.z))));
    const real cosine = 0.5 * (v3_dot2(A.x, B.x, A.y, B.y) + v3_dot(A.z, B.z) - 1), sine = sqrt(v3_dot(s, s));
    const real angle = atan2(sine, cosine);
    if (cosine < -0.5) return constraint_half_turn(A, B, s, angle, cosine);
    return sine > 0 ? v3_scale(angle / sine, s) : s;
}

/* The shortest one that turns direction a into b. Opposite ones: any half turn, here about `aside`. */
static inline vec3 constraint_swing(vec3 a, vec3 b, vec3 aside) {
    const vec3 s = v3_cross(a, b);
    const real cosine = v3_dot(a, b), sine = sqrt(v3_dot(s, s));
    if (sine > 0) return v3_scale(atan2(sine, cosine) / sine, s);
    return v3_scale(cosine < 0 ? CONSTRAINT_PI : 0, aside);
}

/* Angle about the common axis z that is left when the shortest turn has made the axes one. */
static inline real constraint_twist(mat3 A, mat3 B) {
    return atan2(v3_dot(A.y, B.x) - v3_dot(A.x, B.y), v3_dot2(A.x, B.x, A.y, B.y));
}

/* Of a helical joint: that of the turn which is nearest to its displacement. */
static inline real constraint_winding(const ziConstraint *constraint, const constraint_now *now, mat3 B) {
    const real pitch = constraint->joint.data->pitch, angle = constraint_twist(now->A, B);
    const real meant = pitch != 0 ? v3_dot(now->A.z, now->rho) / pitch : angle;
    return meant + constraint_wrapped(angle - meant, 2 * CONSTRAINT_PI);
}

/* Of a universal joint: how far the second axis is turned from the angle that it keeps to the first. */
static inline vec3 constraint_tilt(const ziConstraint *constraint, const constraint_now *now) {
    const double *e = constraint->joint.data->axis2;
    const vec3 n = v3_cross(now->A.z, now->d);
    const real angle = atan2(sqrt(v3_dot(n, n)), v3_dot(now->A.z, now->d));
    return v3_scale(angle - atan2(sqrt(e[0] * e[0] + e[1] * e[1]), e[2]), now->ang[3]);
}

/* The turn that is left at the joint's nearest position, as far as its rows look at it. */
static inline vec3 constraint_left_turn(const ziConstraint *constraint, const constraint_now *now, mat3 B) {
    switch (constraint->joint.type) {
    case ZV_JOINT_FIXED:
    case ZV_JOINT_PRISMATIC: return constraint_turn(now->A, B);
    case ZV_JOINT_CURVE: return constraint->ball ? v3_zero() : constraint_turn(now->A, B);
    case ZV_JOINT_SPHERICAL: return v3_zero();
    case ZV_JOINT_UNIVERSAL: return constraint_tilt(constraint, now);
    default: return constraint_swing(now->A.z, B.z, now->A.x);
    }
}

/* How far the coordinate of a driven joint is from its target: angles and closed paths the short way. */
static inline real constraint_lag(const ziConstraint *constraint, const constraint_now *now, mat3 B, real value) {
    switch (constraint->joint.type) {
    case ZV_JOINT_PRISMATIC: return v3_dot(now->A.z, now->rho) - value;
    case ZV_JOINT_HELICAL: return constraint_winding(constraint, now, B) - value;
    case ZV_JOINT_CURVE: {
        const real period = path_period(&constraint->joint.data->path);
        return period > 0 ? constraint_wrapped(now->q - value, period) : now->q - value;
    }
    default: return constraint_wrapped(constraint_twist(now->A, B) - value, 2 * CONSTRAINT_PI);
    }
}

/* gap (rows) of joints and rods, after constraint_place; of b only R is looked at. */
static inline void constraint_gap(const ziConstraint *constraint, const constraint_row *b, const constraint_now *now,
                                  constraint_target target, double *gap) {
    if (constraint->kind == ZV_LOOP_ROD) {
        gap[0] = v3_dot(now->lin[0], now->rho) - target.value;
        return;
    }
    const mat3 B = m3_mulp12(b->R, constraint->b.R);
    const vec3 off = v3_sub(now->rho, now->on_path), turn = constraint_left_turn(constraint, now, B);
    for (int k = 0; k < now->rows; k++) gap[k] = v3_dot2(now->lin[k], off, now->ang[k], turn);
    if (constraint->joint.type == ZV_JOINT_HELICAL)
        gap[4] = v3_dot(now->A.z, now->rho) - constraint->joint.data->pitch * constraint_winding(constraint, now, B);
    if (constraint->driven) gap[now->rows - 1] = constraint_lag(constraint, now, B, target.value);
}

#endif
