/* Motions, forces and inertias of bodies; all about one reference point and in one set of axes.
 * A motion and a force are different types: only their dot product and inertias connect them. */
#ifndef ZI_SPATIAL_INERTIA_H
#define ZI_SPATIAL_INERTIA_H

#include "spatial/vec3.h"

/* Velocity or acceleration: of the reference point, and angular. */
typedef struct motion {
    vec3 lin, ang;
} motion;

/* Force, and moment about the reference point. */
typedef struct force {
    vec3 lin, ang;
} force;

static inline motion motion_of(vec3 lin, vec3 ang) {
    motion r;
    r.lin = lin;
    r.ang = ang;
    return r;
}
static inline motion motion_zero(void) { return motion_of(v3_zero(), v3_zero()); }
static inline motion motion_axpy(real k, motion a, motion b) {
    return motion_of(v3_axpy(k, a.lin, b.lin), v3_axpy(k, a.ang, b.ang));
}
static inline motion motion_add(motion a, motion b) { return motion_of(v3_add(a.lin, b.lin), v3_add(a.ang, b.ang)); }

static inline force force_of(vec3 lin, vec3 ang) {
    force r;
    r.lin = lin;
    r.ang = ang;
    return r;
}
static inline force force_zero(void) { return force_of(v3_zero(), v3_zero()); }
static inline force force_add(force a, force b) { return force_of(v3_add(a.lin, b.lin), v3_add(a.ang, b.ang)); }
static inline force force_sub(force a, force b) { return force_of(v3_sub(a.lin, b.lin), v3_sub(a.ang, b.ang)); }
static inline force force_axpy(real k, force a, force b) {
    return force_of(v3_axpy(k, a.lin, b.lin), v3_axpy(k, a.ang, b.ang));
}

/* Power of a force in a motion. */
static inline real force_dot(force f, motion s) { return v3_dot2(f.lin, s.lin, f.ang, s.ang); }

/* Accelerations carried rigidly from a point to the point r away (velocity terms left out). */
static inline motion motion_shift(motion a, vec3 r) { return motion_of(v3_cross_add(a.ang, r, a.lin), a.ang); }
/* A force acting at the point r away, reduced to this point. */
static inline force force_shift(force f, vec3 r) { return force_of(f.lin, v3_cross_add(r, f.lin, f.ang)); }

/* Rigid body: mass, first moment h = m c, moments of inertia J about the reference point. */
typedef struct rigid {
    real m;
    vec3 h;
    mat3 J;
} rigid;

/* f = m a + alpha x h, n = h x a + J alpha */
static inline force rigid_mul(const rigid *b, motion a) {
    return force_of(v3_cross_add(a.ang, b->h, v3_scale(b->m, a.lin)), v3_cross_add(b->h, a.lin, m3_mulv(b->J, a.ang)));
}
/* up += b about the point from which its reference point is seen at r:
 * h' = h + m r,  J' = J + (h + h').r 1 - (r h^T + h' r^T). */
static inline void rigid_add_shifted(rigid *up, const rigid *b, vec3 r) {
    const vec3 g = b->h, h = v3_axpy(b->m, r, g);
    const mat3 J = m3_deflate(m3_deflate(b->J, r, g), h, r);
    up->m += b->m;
    up->h = v3_add(up->h, h);
    up->J = m3_add(up->J, m3_add_diagonal(J, v3_dot(v3_add(g, h), r)));
}

/* Articulated inertia: f = A a + B alpha, n = B^T a + C alpha. */
typedef struct articulated {
    mat3 A, B, C;
} articulated;

static inline void articulated_set(articulated *M, const rigid *b) {
    M->A = m3(v3(b->m, 0, 0), v3(0, b->m, 0), v3(0, 0, b->m));
    M->B = m3_skew(v3_neg(b->h));
    M->C = b->J;
}
static inline force articulated_mul(const articulated *M, motion a) {
    return force_of(m3_mulv_add(M->B, a.ang, m3_mulv(M->A, a.lin)),
                    v3_add(m3_tmulv(M->B, a.lin), m3_mulv(M->C, a.ang)));
}
static inline force articulated_mul_lin(const articulated *M, vec3 a) {
    return force_of(m3_mulv(M->A, a), m3_tmulv(M->B, a));
}
static inline force articulated_mul_ang(const articulated *M, vec3 a) {
    return force_of(m3_mulv(M->B, a), m3_mulv(M->C, a));
}

/* M -= U U^T / D with k = 1 / D */
static inline void articulated_deflate(articulated *M, real k, force U) {
    const vec3 f = v3_scale(k, U.lin), n = v3_scale(k, U.ang);
    M->A = m3_deflate(M->A, U.lin, f);
    M->B = m3_deflate(M->B, U.lin, n);
    M->C = m3_deflate(M->C, U.ang, n);
}

/* up += M about the point from which its reference point is seen at r:
 * B' = B - A r~,  C' = C + r~ B' + (r~ B)^T. */
static inline void articulated_add_shifted(articulated *up, const articulated *M, vec3 r) {
    const mat3 B = M->B, P = m3_sub(B, m3_mul_skew(M->A, r));
    const mat3 G = m3_skew_mul(r, P), E = m3_transpose(m3_skew_mul(r, B));
    up->A = m3_add(up->A, M->A);
    up->B = m3_add(up->B, P);
    up->C = m3_add(up->C, m3_add(M->C, m3_add(G, E)));
}

#endif
