/* Ties: what closes a loop, at one state, in world axes. Side a is the parent's, b the child's; A and B are its frames
 * there, turned so that the joint's axis is z, rho goes from A's origin to B's.
 *
 * Row k is a direction of force t_k and of moment n_k that the constraint closes; its multiplier acts on b as t_k at
 * the origin of B and n_k, on a as the opposite at the same point. With s_a, s_b from the origins of the rows to that
 * point rate  t.(v_b + w_b x s_b - v_a - w_a x s_a) + n.(w_b - w_a) - target' row   t.(a_b + alpha_b x s_b - a_a -
 * alpha_a x s_a) + n.(alpha_b - alpha_a) + gamma = 0 gamma t.(w_b x (w_b x s_b) - w_a x (w_a x s_a) - 2 w_a x v_rel) -
 * n.(w_a x w_b) - (t; n).joint bias - target'' which is [Liu] 4.4 with U^T and the joint's own terms moved to the
 * right. The rows complement the joint's columns:
 *
 *   type         t       n      further           type         t       n
 *   fixed        x y z   x y z                    planar       z       x y
 *   revolute     x y z   x y                      universal    x y z   first x second axis
 *   prismatic    x y     x y z                    spherical    x y z
 *   helical      x y     x y    (z; -pitch z)     curve        two normals; x y z unless ball
 *   cylindrical  x y     x y                      rod          along rho
 *
 * linear rows first; driven adds (0; z), (z; 0) or (c'/|c'|^2; 0), the rate of its coordinate. A coupling has one row
 * and no directions: it acts on coordinates.
 *
 * constraint_place (constraint_place.h) comes first; constraint_gap (constraint_gap.h), constraint_rate and
 * constraint_gamma answer from what it has found. */
#ifndef ZI_KINEMATICS_CONSTRAINT_H
#define ZI_KINEMATICS_CONSTRAINT_H

#include "kinematics/constraint_gap.h"

/* Velocity of B's origin and turning of b against a, seen from a. */
static inline motion constraint_relative(const constraint_row *a, const constraint_row *b, const constraint_now *now) {
    const vec3 there = v3_cross_add(b->w, now->reach_b, b->v), here = v3_cross_add(a->w, now->reach_a, a->v);
    return motion_of(v3_sub(there, here), v3_sub(b->w, a->w));
}

/* rate (rows) of joints and rods. */
static inline void constraint_rate(const ziConstraint *constraint, const constraint_row *a, const constraint_row *b,
                                   const constraint_now *now, constraint_target target, double *rate) {
    const motion x = constraint_relative(a, b, now);
    for (int k = 0; k < now->rows; k++) rate[k] = v3_dot2(now->lin[k], x.lin, now->ang[k], x.ang);
    if (constraint_follows(constraint)) rate[now->rows - 1] -= target.rate;
}

/* Rates of a universal joint's angles when it turns with w: w = z v0 + d v1, both in the plane of z and d. */
static inline void constraint_universal_rates(const constraint_now *now, vec3 w, real *v0, real *v1) {
    const real along = v3_dot(now->A.z, now->d);
    const vec3 across = v3_axpy(-along, now->A.z, now->d);
    const real square = v3_dot(across, across);
    *v1 = square > 0 ? v3_dot(across, w) / square : 0;
    *v0 = v3_dot(now->A.z, w) - along * *v1;
}

/* The joint's own acceleration at constant rates of its coordinates, world axes: sum dS/dt v. */
static inline motion constraint_joint_bias(const ziConstraint *constraint, const constraint_now *now, motion x) {
    if (constraint->kind == ZV_LOOP_JOINT && constraint->joint.type == ZV_JOINT_UNIVERSAL) {
        real v0, v1;
        constraint_universal_rates(now, x.ang, &v0, &v1);
        return motion_of(v3_zero(), v3_scale(v0 * v1, v3_cross(now->A.z, now->d)));
    }
    if (constraint->kind == ZV_LOOP_JOINT && constraint->joint.type == ZV_JOINT_CURVE) {
        const real v = v3_dot(now->d, x.lin) / v3_dot(now->d, now->d);
        return motion_of(v3_scale(v * v, now->dd), v3_zero());
    }
    return motion_zero();
}

/* Of a rod: what the turning of its direction adds, (rho'^2 - (d.rho')^2) / |rho|; its ends taken apart. */
static inline real tie_rod_gamma(const constraint_row *a, const constraint_row *b, const constraint_now *now,
                                 motion x) {
    const vec3 d = now->lin[0], end = v3_sub(now->reach_a, now->rho);
    const vec3 v = v3_cross_add(a->w, now->rho, x.lin); /* of B's origin against A's */
    const vec3 wb = v3_cross(b->w, v3_cross(b->w, now->reach_b)), wa = v3_cross(a->w, v3_cross(a->w, end));
    const real along = v3_dot(d, v), length = v3_dot(d, now->rho);
    const real turning = v3_dot(v, v) - along * along;
    return v3_dot(d, v3_sub(wb, wa)) + (length > 0 ? turning / length : 0);
}

/* gamma (rows) of joints and rods. */
static inline void constraint_gamma(const ziConstraint *constraint, const constraint_row *a, const constraint_row *b,
                                    const constraint_now *now, constraint_target target, double *gamma) {
    const motion x = constraint_relative(a, b, now);
    if (constraint->kind == ZV_LOOP_ROD) {
        gamma[0] = tie_rod_gamma(a, b, now, x) - target.second;
        return;
    }
    const motion bias = constraint_joint_bias(constraint, now, x);
    const vec3 wb = v3_cross(b->w, v3_cross(b->w, now->reach_b));
    const vec3 wa = v3_cross(a->w, v3_axpy(2, x.lin, v3_cross(a->w, now->reach_a)));
    const vec3 lin = v3_sub(v3_sub(wb, wa), bias.lin), ang = v3_sub(v3_cross(b->w, a->w), bias.ang);
    for (int k = 0; k < now->rows; k++) gamma[k] = v3_dot2(now->lin[k], lin, now->ang[k], ang);
    if (constraint_follows(constraint)) gamma[now->rows - 1] -= target.second;
}

#endif
