/* Step 1 of [Yaskevich], which three methods share: everything in base (world) axes, every body about the origin O_j of
 * its joint.
 *
 *   (1), (2)  rotations; r_pj from the parent's origin to the body's
 *             columns (T^rel; R^rel) of the joint: S of kinematics/outward.h
 *   (3)       w_j = w_p + w_rel
 *   (4)       eps_j = eps_p + w_p x w_rel
 *   (5)       acc_j = acc_p + E_p r_pj + 2 w_p x v_rel,   E = eps~ + w~ w~;   accelerations at a = 0, acc_0 = -g
 *   (6)       first moment c_j and moments of inertia I_j about O_j
 *   (11)      f = m acc + E c,   n = c x acc + I eps + w x I w
 *   (12)      r_ij
 *
 * Differs: trees instead of chains. Joints whose columns move in the parent add their own rate to (4), (5). Gravity is
 * in acc_0 and (11) is taken with the other sign: what the motion asks for. (12) adds up from i outward,
 * r_ij = r_ip + r_pj: on a tree that needs one vector per body, in as many additions. */
#ifndef ZI_DYNAMICS_KERNEL_BASE_AXES_H
#define ZI_DYNAMICS_KERNEL_BASE_AXES_H

#include "dynamics/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

typedef struct BaseBody {
    placed at; /* rotation, r_pj */
    rigid own; /* m, c = h, I = J */
} BaseBody;

typedef struct BaseMotion {
    vec3 w, eps, acc;
} BaseMotion;

typedef struct BaseAxes {
    const real *q, *s, *c; /* coordinates, sines, cosines */
    BaseBody *body;        /* nb */
    motion *S;             /* nv columns */
} BaseAxes;

/* Which parts of column k of a joint are not zero: R^rel, T^rel. */
enum { TURNS = 1, SLIDES = 2 };

static inline int column_parts(const ziBody *b, int k) {
    return (zi_joint_turns(b->type, k) ? TURNS : 0) | (zi_joint_slides(b->type, k) ? SLIDES : 0);
}

/* Of all its columns together. */
static inline int joint_parts(const ziBody *b) { return column_parts(b, 0) | column_parts(b, b->nv - 1); }

/* Bodies of the subtree are i ... subtree_end - 1: they come depth-first, and every one has a column. */
static inline int subtree_end(const ziTree *t, int i) {
    const int v_end = t->body[i].v_end;
    return v_end < t->nv ? t->dof_body[v_end] : t->nb;
}

static inline bool is_leaf(const ziBody *b) { return b->v_end == b->v + b->nv; }

/* Rotations, offsets from the parent, columns and inertias of all bodies, each about its own origin in the axes of the
 * base. */
static inline BaseAxes base_axes(const ziTree *t, ziScratch *scratch, const real *q) {
    real *s = zi_scratch_array(scratch, real, t->nq), *c = zi_scratch_array(scratch, real, t->nq);
    BaseAxes x;
    x.q = q;
    x.s = s;
    x.c = c;
    x.body = zi_scratch_array(scratch, BaseBody, t->nb);
    x.S = zi_scratch_array(scratch, motion, t->nv);
    sincos_array(t->nq, q, s, c);
    x.body[0].at.R = m3_identity();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        place_body(b, &x.body[b->parent].at.R, q + b->q, s + b->q, c + b->q, &x.body[i].at, x.S + b->v);
        x.body[i].own = world_inertia(b, x.body[i].at.R);
    }
    return x;
}

/* (3)-(5) from the parent to body b. */
static inline void base_move(const BaseAxes *x, const ziBody *b, vec3 r, const real *v, const BaseMotion *up,
                             BaseMotion *me) {
    const vec3 swung = v3_cross_add(up->eps, r, up->acc);
    if (b->type == ZV_JOINT_REVOLUTE) {
        const vec3 rel = v3_scale(v[0], x->S[b->v].ang);
        me->w = v3_add(up->w, rel);
        me->eps = v3_cross_add(up->w, rel, up->eps);
        me->acc = v3_cross_add(up->w, v3_cross(up->w, r), swung);
        return;
    }
    const motion rel = relative_velocity(b, x->S + b->v, v);
    motion bias = carried_bias(up->w, r, rel);
    if (subspace_moves(b)) {
        const mat3 *Rp = &x->body[b->parent].at.R;
        bias = motion_add(bias, joint_bias_world(b, Rp, x->q + b->q, x->s + b->q, x->c + b->q, v));
    }
    me->w = v3_add(up->w, rel.ang);
    me->eps = v3_add(up->eps, bias.ang);
    me->acc = v3_add(swung, bias.lin);
}

/* Motions of all bodies at a = 0; v may be NULL: zero. */
static inline BaseMotion *base_motions(const ziTree *t, ziScratch *scratch, const BaseAxes *x, const real *v,
                                       const double *gravity) {
    BaseMotion *m = zi_scratch_array(scratch, BaseMotion, t->nb);
    m[0].w = m[0].eps = v3_zero();
    m[0].acc = v3_neg(v3_of(gravity));
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        if (v)
            base_move(x, b, x->body[i].at.r, v + b->v, &m[b->parent], &m[i]);
        else
            m[i] = m[0];
    }
    return m;
}

/* (11); at rest w = eps = 0 */
static inline force base_force(const rigid *own, const BaseMotion *m, bool rest) {
    const vec3 c = own->h, f = v3_scale(own->m, m->acc), n = v3_cross(c, m->acc);
    if (rest) return force_of(f, n);
    const vec3 spun = v3_cross_add(m->w, m3_mulv(own->J, m->w), m3_mulv(own->J, m->eps));
    return force_of(v3_cross_add(m->eps, c, v3_cross_add(m->w, v3_cross(m->w, c), f)), v3_add(n, spun));
}

/* Power of a force in a column, with its zeros. */
static inline real column_dot(force F, const motion *S, int parts) {
    if (parts == TURNS) return v3_dot(F.ang, S->ang);
    if (parts == SLIDES) return v3_dot(F.lin, S->lin);
    return force_dot(F, *S);
}

/* (12): r[k] = r_ik for the bodies i ... end - 1 of the subtree of i */
static inline void base_reach(const ziTree *t, const BaseAxes *x, int i, int end, vec3 *r) {
    r[i] = v3_zero();
    for (int k = i + 1; k < end; k++) {
        const int p = t->body[k].parent;
        r[k] = p == i ? x->body[k].at.r : v3_add(r[p], x->body[k].at.r);
    }
}

/* From the entries M_de, d <= e, of related columns to the whole: armature, zeros of other branches, symmetry. */
static inline void base_complete(const ziTree *t, real *M) {
    const size_t nv = (size_t)t->nv;
    for (size_t d = 0; d < nv; d++) {
        real *row = M + d * nv;
        if (t->armature[d] != 0) row[d] += t->armature[d];
        for (size_t e = (size_t)t->body[t->dof_body[d]].v_end; e < nv; e++) row[e] = 0;
    }
    for (size_t d = 0; d < nv; d++)
        for (size_t e = 0; e < d; e++) M[d * nv + e] = M[e * nv + d];
}

#endif
