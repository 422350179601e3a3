/* Derivatives of the relative motion of a joint by its own coordinates, joint-frame axes.
 *
 *   dS[k]      rate of column k as the joint moves (kinematics/joint.h)
 *   first[k]   of the relative velocity (v; w) when q moves along k, v kept: (dv; dw - S_k.ang x w)
 *   second[k]  the same of the relative acceleration: its linear part, and what the angular part has beyond
 *              S_k.ang x alpha and first x w
 *
 * Where coordinates are true ones (v = dq/dt) these are the first and second rates of column k. Columns that are fixed
 * in the body (spherical, free) turn with it, so only the velocity of the origin is left. All are zero for joints whose
 * columns are constant in the parent. */
#ifndef ZI_DERIVE_JOINT_CHANGE_H
#define ZI_DERIVE_JOINT_CHANGE_H

#include "kinematics/joint.h"

typedef struct joint_change {
    motion dS[ZV_MAX_DOF], first[ZV_MAX_DOF], second[ZV_MAX_DOF];
} joint_change;

/* Columns that are fixed in the body. */
static inline bool columns_ride(const ziBody *b) { return zi_joint_columns_ride(b->type); }

/* Third derivative of a path by arc length; d is the first. On a spline, with the letters of path_frame and p3 the
 * derivative by u, constant in each piece: (p3 - t t.p3)/|p1|^3 - 3 (t.p2/|p1|^2) curved - |curved|^2 t; zero where its
 * tangent goes on. */
static inline vec3 path_third(const ziPath *path, real q, vec3 d) {
    if (path->kind == ZV_CURVE_LINE) return v3_zero();
    if (path->kind == ZV_CURVE_CIRCLE) return v3_scale(-1 / (path->radius * path->radius), d);
    const path_spot at = path_find(path, q);
    if (at.beyond != 0) return v3_zero();
    const path_frame x = path_frame_at(&at);
    const vec3 p3 = v3_scale(6, v3_of(at.c + 9)), across = v3_axpy(-v3_dot(x.t, p3), x.t, p3);
    const vec3 rest = v3_axpy(-3 * x.change, x.curved, v3_scale(-v3_dot(x.curved, x.curved), x.t));
    return v3_axpy(x.pace * x.pace * x.pace, across, rest);
}

static inline void change_curve(const ziBody *b, const real *q, const real *v, const real *a, joint_change *x) {
    vec3 p, d, dd;
    path_at(&b->data->path, q[0], &p, &d, &dd);
    x->first[0].lin = v3_scale(v[0], dd);
    x->second[0].lin = v3_axpy(v[0] * v[0], path_third(&b->data->path, q[0], d), v3_scale(a[0], dd));
}

static inline void change_free(const real *v, const real *a, const joint *j, joint_change *x) {
    const vec3 u = m3_mulv(j->R, v3_of(v)), w = m3_mulv(j->R, v3_of(v + 3));
    const vec3 du = v3_cross_add(w, u, m3_mulv(j->R, v3_of(a)));
    for (int k = 3; k < 6; k++) {
        x->first[k].lin = v3_cross(j->S[k].ang, u);
        x->second[k].lin = v3_cross(j->S[k].ang, du);
    }
}

/* dS, first and second of all columns. A universal joint changes the second axis by its first coordinate only; joints
 * with constant columns keep zeros. */
static inline void joint_changes(const ziBody *b, const real *q, const real *v, const real *a, const joint *j,
                                 joint_change *x) {
    joint_rate(b, q, v, j, x->dS);
    for (int k = 0; k < b->nv; k++) x->first[k] = x->second[k] = motion_zero();
    if (b->type == ZV_JOINT_UNIVERSAL) {
        const vec3 z = v3(0, 0, 1), side = v3_cross(z, j->S[1].ang);
        x->first[1].ang = v3_scale(v[0], side);
        x->second[1].ang = v3_axpy(a[0], side, v3_scale(v[0] * v[0], v3_cross(z, side)));
    } else if (b->type == ZV_JOINT_FREE) {
        change_free(v, a, j, x);
    } else if (b->type == ZV_JOINT_CURVE) {
        change_curve(b, q, v, a, x);
    }
}

#endif
