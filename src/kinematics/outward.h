/* One step outward in world axes: from a body's parent to the body. True velocities and accelerations of origins,
 * as in [Vereshchagin] (a = C a_parent + S qdd + a') and [Yaskevich] step 1.
 *
 *   r        from the parent's origin to the body's, world axes
 *   S        columns of the joint, world axes, about the body's origin
 *   w        angular velocity
 *   bias a'  acceleration that does not contain a:
 *            lin = w_p x (w_p x r) + 2 w_p x v_rel + joint bias,  ang = w_p x w_rel + joint bias */
#ifndef ZV_KINEMATICS_OUTWARD_H
#define ZV_KINEMATICS_OUTWARD_H

#include "kinematics/joint.h"

/* Rotation of the joint frame, rotation of the body, offset. */
typedef struct placed {
    mat3 E, R;
    vec3 r;
} placed;

/* A joint other than revolute and prismatic. */
static inline placed place_general(const zvBody *b, mat3 Rp, const double *q, const double *s, const double *c,
                                   motion *S) {
    joint j;
    placed f;
    joint_place(b, q, s, c, &j);
    f.E = m3_mul(Rp, m3_of(b->E));
    f.R = m3_mul(f.E, j.R);
    f.r = m3_mulv_add(f.E, j.p, m3_mulv(Rp, v3_of(b->r)));
    for (int k = 0; k < b->nv; k++) S[k] = motion_of(m3_mulv(f.E, j.S[k].lin), m3_mulv(f.E, j.S[k].ang));
    return f;
}

/* q, s, c point at this body's coordinates. Fills b->nv columns of S. */
static inline placed place_body(const zvBody *b, mat3 Rp, const double *q, const double *s, const double *c, motion *S) {
    placed f;
    if (b->type != ZV_REVOLUTE && b->type != ZV_PRISMATIC) return place_general(b, Rp, q, s, c, S);
    f.E = m3_mul(Rp, m3_of(b->E));
    f.r = m3_mulv(Rp, v3_of(b->r));
    if (b->type == ZV_REVOLUTE) {
        f.R = m3_turn_z(f.E, s[0], c[0]);
        S[0] = motion_of(v3_zero(), f.E.z);
    } else {
        f.R = f.E;
        f.r = v3_axpy(q[0], f.E.z, f.r);
        S[0] = motion_of(f.E.z, v3_zero());
    }
    return f;
}

/* A body's inertia in world axes, about its origin. */
static inline rigid world_inertia(const zvBody *b, mat3 R) {
    rigid w;
    w.m = b->m;
    w.h = m3_mulv(R, v3_of(b->h));
    w.J = s3_rotate(R, s3_of(b->J));
    return w;
}

/* Relative velocity of the joint: sum S[k] v[k]. */
static inline motion relative_velocity(const zvBody *b, const motion *S, const double *v) {
    motion sum = motion_zero();
    for (int k = 0; k < b->nv; k++) sum = motion_axpy(v[k], S[k], sum);
    return sum;
}

/* The joint's own bias in world axes (zero for joints with a constant subspace). */
static inline motion joint_bias_world(const zvBody *b, const placed *f, const double *q, const double *s, const double *c,
                                      const double *v) {
    joint j;
    if (b->type != ZV_UNIVERSAL && b->type != ZV_SPHERICAL && b->type != ZV_FREE && b->type != ZV_CURVE) {
        return motion_zero();
    }
    joint_place(b, q, s, c, &j);
    motion bias = joint_bias(b, q, v, &j);
    return motion_of(m3_mulv(f->E, bias.lin), m3_mulv(f->E, bias.ang));
}

/* a' of the head comment; wp is the parent's angular velocity, rel the joint's relative velocity. */
static inline motion carried_bias(vec3 wp, vec3 r, motion rel) {
    vec3 inner = v3_axpy(2, rel.lin, v3_cross(wp, r));
    return motion_of(v3_cross(wp, inner), v3_cross(wp, rel.ang));
}

#endif
