/* Constraints: what closes a loop, at one state, in world axes. Side a is the parent's, b the child's; A and B are its
 * frames there, turned so that the joint's axis is z, rho goes from A's origin to B's.
 *
 * Row k is a direction of force t_k and of moment n_k that the constraint closes; its multiplier acts on b as t_k at
 * the origin of B and n_k, on a as the opposite at the same point. With s_a, s_b from the origins of the rows to that
 * point
 *
 *   rate   t.(v_b + w_b x s_b - v_a - w_a x s_a) + n.(w_b - w_a) - target'
 *   row    t.(a_b + alpha_b x s_b - a_a - alpha_a x s_a) + n.(alpha_b - alpha_a) + gamma = 0
 *   gamma  t.(w_b x (w_b x s_b) - w_a x (w_a x s_a) - 2 w_a x v_rel) - n.(w_a x w_b) - (t; n).joint bias - target''
 *
 * which is [Liu] 4.4 with U^T and the joint's own terms moved to the right. The rows complement the joint's columns:
 *
 *   type         t       n      further           type         t       n
 *   fixed        x y z   x y z                    planar       z       x y
 *   revolute     x y z   x y                      universal    x y z   first x second axis
 *   prismatic    x y     x y z                    spherical    x y z
 *   helical      x y     x y    (z; -pitch z)     curve        two normals; x y z unless ball
 *   cylindrical  x y     x y                      rod          along rho
 *
 * linear rows first; driven adds (0; z), (z; 0) or (c'; 0), the rate of its coordinate. A coupling has one row
 * and no directions: it acts on coordinates.
 *
 * constraint_place comes first; constraint_gap, constraint_rate and
 * constraint_gamma answer from what it has found. */
#ifndef ZI_KINEMATICS_CONSTRAINT_H
#define ZI_KINEMATICS_CONSTRAINT_H

#include "kinematics/nearest.h"

/* Where constraints are and which directions they close. */

/* Where a row of the tree is and how it moves: rotation, origin, angular velocity, velocity of the origin. */
typedef struct constraint_row {
    mat3 R;
    vec3 p, w, v;
} constraint_row;

typedef struct constraint_now {
    int rows;
    vec3 lin[ZV_MAX_DOF], ang[ZV_MAX_DOF]; /* t, n */
    vec3 point;                            /* origin of B */
    vec3 reach_a, reach_b;                 /* s_a, s_b */
    mat3 A;
    vec3 rho;
    /* of a curve: arc length, the place there less A's origin, first and second derivatives;
     * of a universal joint: d is its second axis */
    real q;
    vec3 on_path, d, dd;
} constraint_now;

/* What a length, an offset or a driven coordinate should be, with its rates. */
typedef struct constraint_target {
    real value, rate, second;
} constraint_target;

/* The last row of rods, couplings and driven joints follows a target. */
static inline bool constraint_follows(const ziConstraint *constraint) {
    return constraint->kind != ZV_LOOP_JOINT || constraint->driven;
}

/* That of constraint number i; targets as in ziConstraintTask. */
static inline constraint_target constraint_target_of(const ziConstraint *constraint, const double *targets, int i) {
    constraint_target x;
    x.value = targets ? targets[3 * i] : constraint->target;
    x.rate = targets ? targets[3 * i + 1] : 0;
    x.second = targets ? targets[3 * i + 2] : 0;
    return x;
}

/* sum ratio x: of a coupling's coordinates, or of their rates. */
static inline real constraint_sum_q(const ziConstraint *constraint, const real *q) {
    real sum = 0;
    for (int k = 0; k < constraint->terms; k++) sum += constraint->term[k].ratio * q[constraint->term[k].q];
    return sum;
}
static inline real constraint_sum_v(const ziConstraint *constraint, const real *v) {
    real sum = 0;
    for (int k = 0; k < constraint->terms; k++) sum += constraint->term[k].ratio * v[constraint->term[k].v];
    return sum;
}

static inline void constraint_add_lin(constraint_now *now, vec3 t) {
    now->lin[now->rows] = t;
    now->ang[now->rows++] = v3_zero();
}

static inline void constraint_add_ang(constraint_now *now, vec3 n) {
    now->lin[now->rows] = v3_zero();
    now->ang[now->rows++] = n;
}

static inline void constraint_add_point(constraint_now *now) {
    constraint_add_lin(now, now->A.x);
    constraint_add_lin(now, now->A.y);
    constraint_add_lin(now, now->A.z);
}

static inline void constraint_add_turn(constraint_now *now) {
    constraint_add_ang(now, now->A.x);
    constraint_add_ang(now, now->A.y);
    constraint_add_ang(now, now->A.z);
}

static inline vec3 constraint_unit(vec3 a) { return v3_scale(1 / sqrt(v3_dot(a, a)), a); }

/* A direction that a tangent (A's axes) is never along: the normal of a circle, else the axis that it is least along,
 * z of equals, so that the normals of a plane path do not jump. */
static inline vec3 constraint_aside(const ziPath *path, vec3 d) {
    if (path->kind == ZV_CURVE_CIRCLE) return v3_cross(v3_of(path->b), v3_of(path->c));
    const real x = fabs(v3_x(d)), y = fabs(v3_y(d)), z = fabs(v3_z(d));
    if (z <= x && z <= y) return v3(0, 0, 1);
    return x <= y ? v3(1, 0, 0) : v3(0, 1, 0);
}

/* Rows of a path at its nearest point: two normals, the rotation unless ball, the tangent when driven. */
static ZI_COLD void constraint_place_curve(const ziConstraint *constraint, constraint_now *now) {
    const ziPath *path = &constraint->joint.data->path;
    vec3 c, d, dd;
    now->q = path_nearest(path, m3_tmulv(now->A, now->rho));
    path_at(path, now->q, &c, &d, &dd);
    const vec3 n = constraint_unit(v3_cross(d, constraint_aside(path, d)));
    now->on_path = m3_mulv(now->A, c);
    now->d = m3_mulv(now->A, d);
    now->dd = m3_mulv(now->A, dd);
    constraint_add_lin(now, m3_mulv(now->A, n));
    constraint_add_lin(now, m3_mulv(now->A, constraint_unit(v3_cross(n, d))));
    if (!constraint->ball) constraint_add_turn(now);
    if (constraint->driven) constraint_add_lin(now, now->d);
}

/* The second axis is as fixed in B; the direction between it and the first turns with both. */
static inline void constraint_place_universal(const ziConstraint *constraint, const constraint_row *b,
                                              constraint_now *now) {
    constraint_add_point(now);
    now->d = m3_mulv(b->R, m3_mulp(m3_of12(constraint->b.R), constraint->joint.data->axis2));
    const vec3 n = v3_cross(now->A.z, now->d);
    const real square = v3_dot(n, n);
    constraint_add_ang(now, square > 0 ? v3_scale(1 / sqrt(square), n) : now->A.x);
}

static inline vec3 constraint_axis(const constraint_now *now, int axis) {
    return axis == 0 ? now->A.x : axis == 1 ? now->A.y : now->A.z;
}

/* A joint that slides along and turns about axes of A: the other axes are closed. A screw closes the difference of
 * turning and sliding as well. */
static inline void constraint_place_axes(const ziConstraint *constraint, constraint_now *now) {
    for (int axis = 0; axis < 3; axis++)
        if (!(constraint->slides & 1 << axis)) constraint_add_lin(now, constraint_axis(now, axis));
    for (int axis = 0; axis < 3; axis++)
        if (!(constraint->turns & 1 << axis)) constraint_add_ang(now, constraint_axis(now, axis));
    if (constraint->slides & constraint->turns && constraint->joint.nv == 1) {
        constraint_add_lin(now, now->A.z);
        now->ang[now->rows - 1] = v3_scale(-constraint->joint.data->pitch, now->A.z);
    }
    if (!constraint->driven) return;
    if (constraint->turns)
        constraint_add_ang(now, now->A.z);
    else
        constraint_add_lin(now, now->A.z);
}

static inline void constraint_place_joint(const ziConstraint *constraint, const constraint_row *b,
                                          constraint_now *now) {
    if (constraint->form == ZI_CONSTRAINT_PATH)
        constraint_place_curve(constraint, now);
    else if (constraint->form == ZI_CONSTRAINT_TWO_AXES)
        constraint_place_universal(constraint, b, now);
    else
        constraint_place_axes(constraint, now);
}

/* Directions and point; only R and p of the rows are looked at. */
static inline void constraint_place(const ziConstraint *constraint, const constraint_row *a, const constraint_row *b,
                                    constraint_now *now) {
    now->rows = 0;
    if (constraint->kind == ZV_LOOP_COUPLING) {
        now->point = now->reach_a = now->reach_b = v3_zero();
        constraint_add_lin(now, v3_zero());
        return;
    }
    now->A = m3_mulp12(a->R, constraint->a.R);
    now->reach_b = m3_mulp(b->R, constraint->b.p);
    now->point = v3_add(b->p, now->reach_b);
    now->reach_a = v3_sub(now->point, a->p);
    now->rho = v3_sub(now->reach_a, m3_mulp(a->R, constraint->a.p));
    now->on_path = v3_zero();
    if (constraint->kind == ZV_LOOP_JOINT) {
        constraint_place_joint(constraint, b, now);
    } else {
        const real length = sqrt(v3_dot(now->rho, now->rho));
        constraint_add_lin(now, length > 0 ? v3_scale(1 / length, now->rho) : now->A.z);
    }
}

/* Gaps of constraints: T.(p - p_joint; rotation vector) at the joint's nearest position, so that they vanish only when
 * it is closed. Branches on numbers: double only. */

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
    enum { ALL_AXES = 7 };
    if (constraint->form == ZI_CONSTRAINT_TWO_AXES) return constraint_tilt(constraint, now);
    if (constraint->turns == ALL_AXES) return v3_zero();
    return constraint->turns ? constraint_swing(now->A.z, B.z, now->A.x) : constraint_turn(now->A, B);
}

/* How far the coordinate of a driven joint is from its target: angles and closed paths the short way. */
static inline real constraint_lag(const ziConstraint *constraint, const constraint_now *now, mat3 B, real value) {
    if (constraint->form == ZI_CONSTRAINT_PATH) {
        const real period = path_period(&constraint->joint.data->path);
        return period > 0 ? constraint_wrapped(now->q - value, period) : now->q - value;
    }
    if (!constraint->turns) return v3_dot(now->A.z, now->rho) - value;
    if (constraint->slides) return constraint_winding(constraint, now, B) - value;
    return constraint_wrapped(constraint_twist(now->A, B) - value, 2 * CONSTRAINT_PI);
}

/* gap (rows) of joints and rods, after constraint_place; of b only R is looked at. */
static inline void constraint_gap(const ziConstraint *constraint, const constraint_row *b, const constraint_now *now,
                                  constraint_target target, real *gap) {
    if (constraint->kind == ZV_LOOP_ROD) {
        gap[0] = v3_dot(now->lin[0], now->rho) - target.value;
        return;
    }
    const mat3 B = m3_mulp12(b->R, constraint->b.R);
    const vec3 off = v3_sub(now->rho, now->on_path), turn = constraint_left_turn(constraint, now, B);
    for (int k = 0; k < now->rows; k++) gap[k] = v3_dot2(now->lin[k], off, now->ang[k], turn);
    if (constraint->slides & constraint->turns && constraint->joint.nv == 1) /* a screw */
        gap[4] = v3_dot(now->A.z, now->rho) - constraint->joint.data->pitch * constraint_winding(constraint, now, B);
    if (constraint->driven) gap[now->rows - 1] = constraint_lag(constraint, now, B, target.value);
}

/* A gap that counts as closed is taken off: of three turns the rotation vector that is left when the one of `offset` is
 * undone, log(exp(gap) exp(-offset)) in the axes of A, whose rate at zero is that of the rows. By quaternions. */
static ZI_COLD void constraint_undo_turn(const double *offset, real *gap) {
    const vec3 g = v3_of(gap), o = v3_of(offset);
    const real a = 0.5 * sqrt(v3_dot(g, g)), b = 0.5 * sqrt(v3_dot(o, o));
    const vec3 u = v3_scale(a > 0 ? 0.5 * sin(a) / a : 0.5, g), v = v3_scale(b > 0 ? -0.5 * sin(b) / b : -0.5, o);
    const real w = cos(a) * cos(b) - v3_dot(u, v);
    const vec3 left = v3_add(v3_axpy(cos(b), u, v3_scale(cos(a), v)), v3_cross(u, v));
    const real sine = sqrt(v3_dot(left, left)), angle = 2 * atan2(sine, fabs(w));
    v3_to(gap, v3_scale(sine > 0 ? (w < 0 ? -angle : angle) / sine : 2, left));
}

/* gap (rows) less offset (rows) of any constraint. */
static inline void constraint_less(const ziConstraint *constraint, const double *offset, real *gap) {
    const bool turned = constraint->kind == ZV_LOOP_JOINT && constraint->turns == 0 &&
                        constraint->form != ZI_CONSTRAINT_PATH && constraint->form != ZI_CONSTRAINT_TWO_AXES;
    const int first = constraint->slides ? 2 : 3; /* of the turns of a prismatic, of a fixed joint */
    for (int k = 0; k < constraint->rows; k++) {
        if (!turned || k < first || k >= first + 3) gap[k] -= offset[k];
    }
    if (turned) constraint_undo_turn(offset + first, gap + first);
}

/* Rates and accelerations. */

/* Velocity of B's origin and turning of b against a, seen from a. */
static inline motion constraint_relative(const constraint_row *a, const constraint_row *b, const constraint_now *now) {
    const vec3 there = v3_cross_add(b->w, now->reach_b, b->v), here = v3_cross_add(a->w, now->reach_a, a->v);
    return motion_of(v3_sub(there, here), v3_sub(b->w, a->w));
}

/* rate (rows) of joints and rods. */
static inline void constraint_rate(const ziConstraint *constraint, const constraint_row *a, const constraint_row *b,
                                   const constraint_now *now, constraint_target target, real *rate) {
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
    if (constraint->form == ZI_CONSTRAINT_TWO_AXES) {
        real v0, v1;
        constraint_universal_rates(now, x.ang, &v0, &v1);
        return motion_of(v3_zero(), v3_scale(v0 * v1, v3_cross(now->A.z, now->d)));
    }
    if (constraint->form == ZI_CONSTRAINT_PATH) {
        const real v = v3_dot(now->d, x.lin);
        return motion_of(v3_scale(v * v, now->dd), v3_zero());
    }
    return motion_zero();
}

/* Of a rod: what the turning of its direction adds, (rho'^2 - (d.rho')^2) / |rho|; its ends taken apart. */
static inline real constraint_rod_gamma(const constraint_row *a, const constraint_row *b, const constraint_now *now,
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
                                    const constraint_now *now, constraint_target target, real *gamma) {
    const motion x = constraint_relative(a, b, now);
    if (constraint->kind == ZV_LOOP_ROD) {
        gamma[0] = constraint_rod_gamma(a, b, now, x) - target.second;
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
