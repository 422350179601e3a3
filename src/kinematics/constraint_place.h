/* Where constraints are and which directions they close; constraint.h tells what that means. */
#ifndef ZI_KINEMATICS_CONSTRAINT_PLACE_H
#define ZI_KINEMATICS_CONSTRAINT_PLACE_H

#include "kinematics/nearest.h"

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
    /* of a curve: path coordinate, the place there less A's origin, first and second derivatives;
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
static inline real constraint_sum_q(const ziConstraint *constraint, const double *q) {
    real sum = 0;
    for (int k = 0; k < constraint->terms; k++) sum += constraint->term[k].ratio * q[constraint->term[k].q];
    return sum;
}
static inline real constraint_sum_v(const ziConstraint *constraint, const double *v) {
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

static inline void constraint_add_lin_xy(constraint_now *now) {
    constraint_add_lin(now, now->A.x);
    constraint_add_lin(now, now->A.y);
}

static inline void constraint_add_ang_xy(constraint_now *now) {
    constraint_add_ang(now, now->A.x);
    constraint_add_ang(now, now->A.y);
}

static inline void constraint_add_point(constraint_now *now) {
    constraint_add_lin_xy(now);
    constraint_add_lin(now, now->A.z);
}

static inline void constraint_add_turn(constraint_now *now) {
    constraint_add_ang_xy(now);
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
    if (constraint->driven) constraint_add_lin(now, v3_scale(1 / v3_dot(now->d, now->d), now->d));
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

static inline void constraint_place_joint(const ziConstraint *constraint, const constraint_row *b,
                                          constraint_now *now) {
    switch (constraint->joint.type) {
    case ZV_JOINT_FIXED:
        constraint_add_point(now);
        constraint_add_turn(now);
        break;
    case ZV_JOINT_CONTINUOUS:
    case ZV_JOINT_REVOLUTE:
        constraint_add_point(now);
        constraint_add_ang_xy(now);
        if (constraint->driven) constraint_add_ang(now, now->A.z);
        break;
    case ZV_JOINT_SPHERICAL: constraint_add_point(now); break;
    case ZV_JOINT_PRISMATIC:
        constraint_add_lin_xy(now);
        constraint_add_turn(now);
        if (constraint->driven) constraint_add_lin(now, now->A.z);
        break;
    case ZV_JOINT_CYLINDRICAL:
        constraint_add_lin_xy(now);
        constraint_add_ang_xy(now);
        break;
    case ZV_JOINT_HELICAL:
        constraint_add_lin_xy(now);
        constraint_add_ang_xy(now);
        constraint_add_lin(now, now->A.z);
        now->ang[4] = v3_scale(-constraint->joint.data->pitch, now->A.z);
        if (constraint->driven) constraint_add_ang(now, now->A.z);
        break;
    case ZV_JOINT_PLANAR:
        constraint_add_lin(now, now->A.z);
        constraint_add_ang_xy(now);
        break;
    case ZV_JOINT_UNIVERSAL: constraint_place_universal(constraint, b, now); break;
    case ZV_JOINT_CURVE: constraint_place_curve(constraint, now); break;
    default: break; /* a free joint closes nothing */
    }
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

#endif
