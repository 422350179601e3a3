/* Motions, forces and inertias of bodies; all about one reference point and in one set of axes.
 * A motion and a force are different types: only their dot product and inertias connect them. */
#ifndef ZV_SPATIAL_INERTIA_H
#define ZV_SPATIAL_INERTIA_H

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
static inline force force_add(force a, force b) { return force_of(v3_add(a.lin, b.lin), v3_add(a.ang, b.ang)); }
static inline force force_sub(force a, force b) { return force_of(v3_sub(a.lin, b.lin), v3_sub(a.ang, b.ang)); }
static inline force force_axpy(real k, force a, force b) {
    return force_of(v3_axpy(k, a.lin, b.lin), v3_axpy(k, a.ang, b.ang));
}

/* Power of a force in a motion. */
static inline real force_dot(force f, motion s) { return v3_dot(f.lin, s.lin) + v3_dot(f.ang, s.ang); }

/* Accelerations carried rigidly from a point to the point r away (velocity terms left out). */
static inline motion motion_shift(motion a, vec3 r) { return motion_of(v3_cross_add(a.ang, r, a.lin), a.ang); }
/* A force acting at the point r away, reduced to this point. */
static inline force force_shift(force f, vec3 r) { return force_of(f.lin, v3_cross_add(r, f.lin, f.ang)); }

/* Rigid body: mass, first moment h = m c, moments of inertia J about the reference point. */
typedef struct rigid {
    real m;
    vec3 h;
    sym3 J;
} rigid;

/* f = m a + alpha x h, n = h x a + J alpha */
static inline force rigid_mul(rigid I_, motion a) {
    return force_of(v3_cross_add(a.ang, I_.h, v3_scale(I_.m, a.lin)), v3_cross_add(I_.h, a.lin, s3_mulv(I_.J, a.ang)));
}
/* up += b about the point from which its reference point is seen at r:
 * h' = h + m r,  J' = J + (h + h').r 1 - (r h^T + h' r^T). */
static inline void rigid_add_shifted(rigid *up, const rigid *b, vec3 r) {
    const vec3 g = b->h, h = v3_axpy(b->m, r, g);
    const real xx = (g.x + h.x) * r.x, yy = (g.y + h.y) * r.y, zz = (g.z + h.z) * r.z;
    up->m += b->m;
    up->h = v3_add(up->h, h);
    up->J = s3(up->J.xx + b->J.xx + (yy + zz), up->J.xy + b->J.xy - (g.y * r.x + h.x * r.y),
               up->J.xz + b->J.xz - (g.z * r.x + h.x * r.z), up->J.yy + b->J.yy + (xx + zz),
               up->J.yz + b->J.yz - (g.z * r.y + h.y * r.z), up->J.zz + b->J.zz + (xx + yy));
}

/* Articulated inertia: f = A a + B alpha, n = B^T a + C alpha. */
typedef struct articulated {
    sym3 A;
    mat3 B;
    sym3 C;
} articulated;

static inline void articulated_set(articulated *M, const rigid *b) {
    M->A = s3(b->m, 0, 0, b->m, 0, b->m);
    M->B = m3(v3(0, -b->h.z, b->h.y), v3(b->h.z, 0, -b->h.x), v3(-b->h.y, b->h.x, 0));
    M->C = b->J;
}
static inline force articulated_mul(const articulated *M, motion a) {
    return force_of(m3_mulv_add(M->B, a.ang, s3_mulv(M->A, a.lin)),
                    v3_add(m3_tmulv(M->B, a.lin), s3_mulv(M->C, a.ang)));
}
static inline force articulated_mul_lin(const articulated *M, vec3 a) {
    return force_of(s3_mulv(M->A, a), m3_tmulv(M->B, a));
}
static inline force articulated_mul_ang(const articulated *M, vec3 a) {
    return force_of(m3_mulv(M->B, a), s3_mulv(M->C, a));
}

/* M -= U U^T / D with k = 1 / D */
static inline void articulated_deflate(articulated *M, real k, force U) {
    vec3 n = v3_scale(-k, U.ang);
    M->A = s3_deflate(M->A, k, U.lin);
    M->B.x = v3_axpy(n.x, U.lin, M->B.x);
    M->B.y = v3_axpy(n.y, U.lin, M->B.y);
    M->B.z = v3_axpy(n.z, U.lin, M->B.z);
    M->C = s3_deflate(M->C, k, U.ang);
}

/* up += M about the point from which its reference point is seen at r:
 * B' = B - A r~,  C' = C + r~ B' + (r~ B)^T. */
static inline void articulated_add_shifted(articulated *up, const articulated *M, vec3 r) {
    const sym3 A = M->A;
    const vec3 bx = M->B.x, by = M->B.y, bz = M->B.z;
    vec3 px = v3(bx.x - (A.xy * r.z - A.xz * r.y), bx.y - (A.yy * r.z - A.yz * r.y), bx.z - (A.yz * r.z - A.zz * r.y));
    vec3 py = v3(by.x - (A.xz * r.x - A.xx * r.z), by.y - (A.yz * r.x - A.xy * r.z), by.z - (A.zz * r.x - A.xz * r.z));
    vec3 pz = v3(bz.x - (A.xx * r.y - A.xy * r.x), bz.y - (A.xy * r.y - A.yy * r.x), bz.z - (A.xz * r.y - A.yz * r.x));
    vec3 gx = v3_cross(r, px), gy = v3_cross(r, py), gz = v3_cross(r, pz); /* columns of r~ B' */
    vec3 ex = v3_cross(r, bx), ey = v3_cross(r, by), ez = v3_cross(r, bz); /* columns of r~ B */
    up->A = s3_add(up->A, A);
    up->B.x = v3_add(up->B.x, px);
    up->B.y = v3_add(up->B.y, py);
    up->B.z = v3_add(up->B.z, pz);
    up->C = s3(up->C.xx + M->C.xx + gx.x + ex.x, up->C.xy + M->C.xy + gy.x + ex.y, up->C.xz + M->C.xz + gz.x + ex.z,
               up->C.yy + M->C.yy + gy.y + ey.y, up->C.yz + M->C.yz + gz.y + ey.z, up->C.zz + M->C.zz + gz.z + ez.z);
}

#endif
