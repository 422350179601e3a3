/* Where ties are and which directions they close; tie.h tells what that means. */
#ifndef ZV_KINEMATICS_TIE_PLACE_H
#define ZV_KINEMATICS_TIE_PLACE_H

#include "kinematics/nearest.h"

/* Where a row of the tree is and how it moves: rotation, origin, angular velocity, velocity of the origin. */
typedef struct tie_row {
    mat3 R;
    vec3 p, w, v;
} tie_row;

typedef struct tie_now {
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
} tie_now;

/* What a length, an offset or a driven coordinate should be, with its rates. */
typedef struct tie_target {
    real value, rate, second;
} tie_target;

/* The last row of rods, couplings and driven joints follows a target. */
static inline bool tie_follows(const zvTie *tie) { return tie->kind != ZV_LOOP_JOINT || tie->driven; }

/* That of tie number i; targets as in zvTying. */
static inline tie_target tie_target_of(const zvTie *tie, const double *targets, int i) {
    tie_target x;
    x.value = targets ? targets[3 * i] : tie->target;
    x.rate = targets ? targets[3 * i + 1] : 0;
    x.second = targets ? targets[3 * i + 2] : 0;
    return x;
}

/* sum ratio x: of a coupling's coordinates, or of their rates. */
static inline real tie_sum_q(const zvTie *tie, const double *q) {
    real sum = 0;
    for (int k = 0; k < tie->terms; k++) sum += tie->term[k].ratio * q[tie->term[k].q];
    return sum;
}
static inline real tie_sum_v(const zvTie *tie, const double *v) {
    real sum = 0;
    for (int k = 0; k < tie->terms; k++) sum += tie->term[k].ratio * v[tie->term[k].v];
    return sum;
}

static inline void tie_add_lin(tie_now *now, vec3 t) {
    now->lin[now->rows] = t;
    now->ang[now->rows++] = v3_zero();
}

static inline void tie_add_ang(tie_now *now, vec3 n) {
    now->lin[now->rows] = v3_zero();
    now->ang[now->rows++] = n;
}

static inline void tie_add_lin_xy(tie_now *now) {
    tie_add_lin(now, now->A.x);
    tie_add_lin(now, now->A.y);
}

static inline void tie_add_ang_xy(tie_now *now) {
    tie_add_ang(now, now->A.x);
    tie_add_ang(now, now->A.y);
}

static inline void tie_add_point(tie_now *now) {
    tie_add_lin_xy(now);
    tie_add_lin(now, now->A.z);
}

static inline void tie_add_turn(tie_now *now) {
    tie_add_ang_xy(now);
    tie_add_ang(now, now->A.z);
}

static inline vec3 tie_unit(vec3 a) { return v3_scale(1 / sqrt(v3_dot(a, a)), a); }

/* A direction that a tangent (A's axes) is never along: the normal of a circle, else the axis that it is least along,
 * z of equals, so that the normals of a plane path do not jump. */
static inline vec3 tie_aside(const zvPath *path, vec3 d) {
    if (path->kind == ZV_CURVE_CIRCLE) return v3_cross(v3_of(path->b), v3_of(path->c));
    const real x = fabs(v3_x(d)), y = fabs(v3_y(d)), z = fabs(v3_z(d));
    if (z <= x && z <= y) return v3(0, 0, 1);
    return x <= y ? v3(1, 0, 0) : v3(0, 1, 0);
}

static ZV_COLD void tie_place_curve(const zvTie *tie, tie_now *now) {
    const zvPath *path = &tie->joint.data->path;
    vec3 c, d, dd;
    now->q = path_nearest(path, m3_tmulv(now->A, now->rho));
    path_at(path, now->q, &c, &d, &dd);
    const vec3 n = tie_unit(v3_cross(d, tie_aside(path, d)));
    now->on_path = m3_mulv(now->A, c);
    now->d = m3_mulv(now->A, d);
    now->dd = m3_mulv(now->A, dd);
    tie_add_lin(now, m3_mulv(now->A, n));
    tie_add_lin(now, m3_mulv(now->A, tie_unit(v3_cross(n, d))));
    if (!tie->ball) tie_add_turn(now);
    if (tie->driven) tie_add_lin(now, v3_scale(1 / v3_dot(now->d, now->d), now->d));
}

/* The second axis is as fixed in B; the direction between it and the first turns with both. */
static inline void tie_place_universal(const zvTie *tie, const tie_row *b, tie_now *now) {
    tie_add_point(now);
    now->d = m3_mulv(b->R, m3_mulp(m3_of12(tie->b.R), tie->joint.data->axis2));
    const vec3 n = v3_cross(now->A.z, now->d);
    const real square = v3_dot(n, n);
    tie_add_ang(now, square > 0 ? v3_scale(1 / sqrt(square), n) : now->A.x);
}

static inline void tie_place_joint(const zvTie *tie, const tie_row *b, tie_now *now) {
    switch (tie->joint.type) {
    case ZV_FIXED:
        tie_add_point(now);
        tie_add_turn(now);
        break;
    case ZV_CONTINUOUS:
    case ZV_REVOLUTE:
        tie_add_point(now);
        tie_add_ang_xy(now);
        if (tie->driven) tie_add_ang(now, now->A.z);
        break;
    case ZV_SPHERICAL: tie_add_point(now); break;
    case ZV_PRISMATIC:
        tie_add_lin_xy(now);
        tie_add_turn(now);
        if (tie->driven) tie_add_lin(now, now->A.z);
        break;
    case ZV_CYLINDRICAL:
        tie_add_lin_xy(now);
        tie_add_ang_xy(now);
        break;
    case ZV_HELICAL:
        tie_add_lin_xy(now);
        tie_add_ang_xy(now);
        tie_add_lin(now, now->A.z);
        now->ang[4] = v3_scale(-tie->joint.data->pitch, now->A.z);
        if (tie->driven) tie_add_ang(now, now->A.z);
        break;
    case ZV_PLANAR:
        tie_add_lin(now, now->A.z);
        tie_add_ang_xy(now);
        break;
    case ZV_UNIVERSAL: tie_place_universal(tie, b, now); break;
    case ZV_CURVE: tie_place_curve(tie, now); break;
    default: break; /* a free joint closes nothing */
    }
}

/* Directions and point; only R and p of the rows are looked at. */
static inline void tie_place(const zvTie *tie, const tie_row *a, const tie_row *b, tie_now *now) {
    now->rows = 0;
    if (tie->kind == ZV_LOOP_COUPLING) {
        now->point = now->reach_a = now->reach_b = v3_zero();
        tie_add_lin(now, v3_zero());
        return;
    }
    now->A = m3_mulp12(a->R, tie->a.R);
    now->reach_b = m3_mulp(b->R, tie->b.p);
    now->point = v3_add(b->p, now->reach_b);
    now->reach_a = v3_sub(now->point, a->p);
    now->rho = v3_sub(now->reach_a, m3_mulp(a->R, tie->a.p));
    now->on_path = v3_zero();
    if (tie->kind == ZV_LOOP_JOINT) {
        tie_place_joint(tie, b, now);
    } else {
        const real length = sqrt(v3_dot(now->rho, now->rho));
        tie_add_lin(now, length > 0 ? v3_scale(1 / length, now->rho) : now->A.z);
    }
}

#endif
