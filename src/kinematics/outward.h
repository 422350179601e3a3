/* One step outward in world axes: from a body's parent to the body. True velocities and accelerations of origins,
 * as in [Vereshchagin] (a = C a_parent + S qdd + a') and [Yaskevich] step 1.
 *
 *   r        from the parent's origin to the body's, world axes
 *   S        columns of the joint, world axes, about the body's origin
 *   w        angular velocity
 *   bias a'  acceleration that does not contain a:
 *            lin = w_p x (w_p x r) + 2 w_p x v_rel + joint bias,  ang = w_p x w_rel + joint bias */
#ifndef ZI_KINEMATICS_OUTWARD_H
#define ZI_KINEMATICS_OUTWARD_H

#include "kinematics/joint.h"

/* Rotation of the body and offset from its parent. */
typedef struct placed {
    mat3 R;
    vec3 r;
} placed;

/* A joint other than revolute and prismatic. */
static ZI_COLD void place_general(const ziBody *b, const mat3 *Rp, const real *q, const real *s, const real *c,
                                  placed *f, motion *S) {
    joint j;
    joint_place(b, q, s, c, &j);
    mat3 E = m3_mulp12(*Rp, b->E);
    f->R = m3_mul(E, j.R);
    f->r = m3_mulv_add(E, j.p, m3_mulp(*Rp, b->r));
    for (int k = 0; k < b->nv; k++) S[k] = motion_of(m3_mulv(E, j.S[k].lin), m3_mulv(E, j.S[k].ang));
}

/* Rp is the parent's rotation; q, s, c point at this body's coordinates. Fills b->nv columns of S. */
static ZI_HOT void place_body(const ziBody *b, const mat3 *Rp, const real *q, const real *s, const real *c, placed *f,
                              motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) {
        const mat3 P = *Rp, E = m3_mulp12(P, b->E);
        const real sine = s[0], cosine = c[0];
        f->r = m3_mulp(P, b->r);
        f->R = m3_turn_z(E, sine, cosine);
        S[0] = motion_of(v3_zero(), E.z);
    } else if (b->type == ZV_JOINT_PRISMATIC) {
        const mat3 P = *Rp, E = m3_mulp12(P, b->E);
        f->r = v3_axpy(q[0], E.z, m3_mulp(P, b->r));
        f->R = E;
        S[0] = motion_of(E.z, v3_zero());
    } else {
        place_general(b, Rp, q, s, c, f, S);
    }
}

/* A body's inertia in world axes, about its origin. */
static inline rigid world_inertia(const ziBody *b, mat3 R) {
    rigid w;
    w.m = b->m;
    w.h = m3_mulp(R, b->h);
    w.J = m3_rotatep12(R, b->J);
    return w;
}

/* Relative velocity of the joint: sum S[k] v[k]. */
static inline motion relative_velocity(const ziBody *b, const motion *S, const real *v) {
    motion sum = motion_zero();
    for (int k = 0; k < b->nv; k++) sum = motion_axpy(v[k], S[k], sum);
    return sum;
}

/* The joint's own bias in world axes (zero for joints with a constant subspace). */
static ZI_COLD motion joint_bias_world(const ziBody *b, const mat3 *Rp, const real *q, const real *s, const real *c,
                                       const real *v) {
    joint j;
    joint_place(b, q, s, c, &j);
    mat3 E = m3_mulp12(*Rp, b->E);
    motion bias = joint_bias(b, q, v, &j);
    return motion_of(m3_mulv(E, bias.lin), m3_mulv(E, bias.ang));
}

static inline bool subspace_moves(const ziBody *b) { return b->columns_move; }

/* a' of the head comment; wp is the parent's angular velocity, rel the joint's relative velocity. */
static inline motion carried_bias(vec3 wp, vec3 r, motion rel) {
    vec3 inner = v3_axpy(2, rel.lin, v3_cross(wp, r));
    return motion_of(v3_cross(wp, inner), v3_cross(wp, rel.ang));
}

#endif
