/* Joints: placement of the moved frame in the joint frame (fixed in the parent), motion subspace and its rate.
 *
 * S[k] is velocity of the moved origin and angular velocity per unit v[k], relative to the parent, in joint-frame axes;
 * dS[k] its rate as seen from the parent. The relative acceleration is sum S[k] a[k] + sum dS[k] v[k].
 *
 *   type         q                v                 R               origin     S
 *   revolute     angle            its rate          Rz(q)           0          (0; z)
 *   prismatic    displacement     its rate          1               z q        (z; 0)
 *   helical      angle            its rate          Rz(q)           z pitch q  (pitch z; z)
 *   cylindrical  displ., angle    their rates       Rz(q1)          z q0       (z; 0) (0; z)
 *   planar       x, y, angle      their rates       Rz(q2)          (x, y, 0)  (x; 0) (y; 0) (0; z)
 *   universal    two angles       their rates       Rz(q0) R(e,q1)  0          (0; z) (0; Rz(q0) e)
 *   spherical    quaternion       body ang. vel.    R(q)            0          (0; R e_k)
 *   free         pos., quaternion body twist        R(q)            p          (R e_k; 0) (0; R e_k)
 *   curve        arc length       its rate          1               p(q)       (p'; 0), |p'| = 1 */
#ifndef ZI_KINEMATICS_JOINT_H
#define ZI_KINEMATICS_JOINT_H

#include <math.h>

#include "model/joint_type.h"
#include "model/tree.h"
#include "spatial/inertia.h"

typedef struct joint {
    mat3 R;
    vec3 p;
    motion S[ZV_MAX_DOF];
} joint;

/* A place of a spline: coefficients of its piece, the parameter on it, and how far it lies beyond an open end. */
typedef struct path_spot {
    const double *c;
    real u, beyond;
} path_spot;

/* The place at arc length q: round and round when closed. */
static inline path_spot path_find(const ziPath *path, real q) {
    const real length = path->knots[path->parts];
    if (path->closed) q -= length * floor(q / length);
    int low = 0, high = path->parts;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (q < path->knots[middle])
            high = middle;
        else
            low = middle;
    }
    const ziPathPart *part = &path->part[low];
    const real at = path->closed ? q : fmin(fmax(q, 0), length);
    const real x = part->scale * (at - path->knots[low]) - 1;
    path_spot spot;
    spot.c = path->coeffs + 12 * part->piece;
    spot.u = part->u[ZI_PATH_TERMS - 1];
    for (int k = ZI_PATH_TERMS - 2; k >= 0; k--) spot.u = spot.u * x + part->u[k];
    spot.u += part->from;
    spot.beyond = q - at;
    return spot;
}

/* With p1, p2 the derivatives by u and speed |p1|: tangent t = p1/|p1|, its rate by arc length
 * curved = (p2 - t t.p2)/|p1|^2, and what the third derivative needs: 1/|p1| and t.p2/|p1|^2. */
typedef struct path_frame {
    vec3 t, curved;
    real pace, change;
} path_frame;

/* Beyond an open end the tangent goes on. */
static inline path_frame path_frame_at(const path_spot *at) {
    const vec3 c1 = v3_of(at->c + 3), c2 = v3_of(at->c + 6), c3 = v3_of(at->c + 9);
    const vec3 p1 = v3_axpy(at->u, v3_axpy(3 * at->u, c3, v3_scale(2, c2)), c1);
    const vec3 p2 = v3_axpy(6 * at->u, c3, v3_scale(2, c2));
    path_frame x;
    x.pace = 1 / sqrt(v3_dot(p1, p1));
    x.t = v3_scale(x.pace, p1);
    const real along = v3_dot(x.t, p2), square = x.pace * x.pace;
    x.change = square * along;
    x.curved = at->beyond != 0 ? v3_zero() : v3_scale(square, v3_axpy(-along, x.t, p2));
    return x;
}

/* Position, first and second derivative of a path at arc length q; the first has length 1. */
static inline void path_at(const ziPath *path, real q, vec3 *p, vec3 *d, vec3 *dd) {
    if (path->kind == ZV_CURVE_LINE) {
        *d = v3_of(path->a);
        *p = v3_scale(q, *d);
        *dd = v3_zero();
        return;
    }
    if (path->kind == ZV_CURVE_CIRCLE) {
        real angle = q / path->radius, k = 1 / path->radius;
        real s = sin(angle), c = cos(angle);
        vec3 u = v3_of(path->b), w = v3_of(path->c);
        vec3 out = v3_axpy(c, u, v3_scale(s, w));
        *p = v3_add(v3_of(path->a), out);
        *d = v3_scale(k, v3_axpy(c, w, v3_scale(-s, u)));
        *dd = v3_scale(-k * k, out);
        return;
    }
    const path_spot at = path_find(path, q);
    const vec3 c0 = v3_of(at.c), c1 = v3_of(at.c + 3), c2 = v3_of(at.c + 6), c3 = v3_of(at.c + 9);
    const path_frame x = path_frame_at(&at);
    *d = x.t;
    *dd = x.curved;
    *p = v3_axpy(at.beyond, x.t, v3_axpy(at.u, v3_axpy(at.u, v3_axpy(at.u, c3, c2), c1), c0));
}

/* Rotation by a quaternion of any length but zero. */
static inline mat3 quaternion_matrix(const real *e) {
    real x = e[0], y = e[1], z = e[2], w = e[3];
    real s = 2 / (x * x + y * y + z * z + w * w);
    return m3(v3(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
              v3(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
              v3(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)));
}

/* Rotation about a unit axis: c 1 + (1 - c) e e^T + s e~. */
static inline mat3 axis_matrix(vec3 e, real s, real c) {
    mat3 turned = m3_add_diagonal(m3_skew(v3_scale(s, e)), c);
    return m3_deflate(turned, v3_scale(c - 1, e), e);
}

/* q, s, c: this joint's coordinates and their sines and cosines. */
static inline void joint_place(const ziBody *b, const real *q, const real *s, const real *c, joint *j) {
    const vec3 ex = v3(1, 0, 0), ey = v3(0, 1, 0), ez = v3(0, 0, 1), zero = v3_zero();
    j->R = m3_identity();
    j->p = zero;
    switch ((zvJointType)b->type) { /* no default: the compiler tells what is missing */
    case ZV_JOINT_REVOLUTE:
        j->R = m3_turn_z(j->R, s[0], c[0]);
        j->S[0] = motion_of(zero, ez);
        break;
    case ZV_JOINT_PRISMATIC:
        j->p = v3(0, 0, q[0]);
        j->S[0] = motion_of(ez, zero);
        break;
    case ZV_JOINT_HELICAL:
        j->R = m3_turn_z(j->R, s[0], c[0]);
        j->p = v3(0, 0, b->data->pitch * q[0]);
        j->S[0] = motion_of(v3(0, 0, b->data->pitch), ez);
        break;
    case ZV_JOINT_CYLINDRICAL:
        j->R = m3_turn_z(j->R, s[1], c[1]);
        j->p = v3(0, 0, q[0]);
        j->S[0] = motion_of(ez, zero);
        j->S[1] = motion_of(zero, ez);
        break;
    case ZV_JOINT_PLANAR:
        j->R = m3_turn_z(j->R, s[2], c[2]);
        j->p = v3(q[0], q[1], 0);
        j->S[0] = motion_of(ex, zero);
        j->S[1] = motion_of(ey, zero);
        j->S[2] = motion_of(zero, ez);
        break;
    case ZV_JOINT_UNIVERSAL: {
        mat3 first = m3_turn_z(j->R, s[0], c[0]);
        vec3 e = v3_of(b->data->axis2);
        j->R = m3_mul(first, axis_matrix(e, s[1], c[1]));
        j->S[0] = motion_of(zero, ez);
        j->S[1] = motion_of(zero, m3_mulv(first, e));
        break;
    }
    case ZV_JOINT_SPHERICAL:
        j->R = quaternion_matrix(q);
        j->S[0] = motion_of(zero, j->R.x);
        j->S[1] = motion_of(zero, j->R.y);
        j->S[2] = motion_of(zero, j->R.z);
        break;
    case ZV_JOINT_FREE:
        j->R = quaternion_matrix(q + 3);
        j->p = v3(q[0], q[1], q[2]);
        j->S[0] = motion_of(j->R.x, zero);
        j->S[1] = motion_of(j->R.y, zero);
        j->S[2] = motion_of(j->R.z, zero);
        j->S[3] = motion_of(zero, j->R.x);
        j->S[4] = motion_of(zero, j->R.y);
        j->S[5] = motion_of(zero, j->R.z);
        break;
    case ZV_JOINT_CURVE: {
        vec3 d, dd;
        path_at(&b->data->path, q[0], &j->p, &d, &dd);
        j->S[0] = motion_of(d, zero);
        break;
    }
    case ZV_JOINT_FIXED:      /* fixed joints make no body, */
    case ZV_JOINT_CONTINUOUS: /* continuous ones are revolute here */
    case ZV_JOINT_TYPES: break;
    }
}

/* Rates of the columns for joint velocities v. Zero for joints whose subspace is constant in the parent. */
static inline void joint_rate(const ziBody *b, const real *q, const real *v, const joint *j, motion *dS) {
    for (int k = 0; k < b->nv; k++) dS[k] = motion_zero();
    switch (b->type) {
    case ZV_JOINT_UNIVERSAL: dS[1].ang = v3_cross(v3(0, 0, v[0]), j->S[1].ang); break;
    case ZV_JOINT_SPHERICAL:
    case ZV_JOINT_FREE: {
        vec3 w = m3_mulv(j->R, v3_of(v + b->nv - 3));
        for (int k = 0; k < b->nv; k++) dS[k] = motion_of(v3_cross(w, j->S[k].lin), v3_cross(w, j->S[k].ang));
        break;
    }
    case ZV_JOINT_CURVE: {
        vec3 p, d, dd;
        path_at(&b->data->path, q[0], &p, &d, &dd);
        dS[0].lin = v3_scale(v[0], dd);
        break;
    }
    default: break;
    }
}

/* sum dS[k] v[k]: the relative acceleration at a = 0. */
static inline motion joint_bias(const ziBody *b, const real *q, const real *v, const joint *j) {
    motion dS[ZV_MAX_DOF], sum = motion_zero();
    joint_rate(b, q, v, j, dS);
    for (int k = 0; k < b->nv; k++) sum = motion_axpy(v[k], dS[k], sum);
    return sum;
}

#endif
