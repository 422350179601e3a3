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
/* The same body about the point from which its reference point is seen at r: J' = J + sym terms of r, h + m r. */
static inline rigid rigid_shift(rigid b, vec3 r) {
    rigid s;
    vec3 h = v3_axpy(b.m, r, b.h);
    real hr = v3_dot(b.h, r) + v3_dot(h, r);
    s.m = b.m;
    s.h = h;
    s.J = s3(b.J.xx + hr - (b.h.x * r.x + h.x * r.x), b.J.xy - (b.h.y * r.x + h.x * r.y),
             b.J.xz - (b.h.z * r.x + h.x * r.z), b.J.yy + hr - (b.h.y * r.y + h.y * r.y),
             b.J.yz - (b.h.z * r.y + h.y * r.z), b.J.zz + hr - (b.h.z * r.z + h.z * r.z));
    return s;
}
static inline rigid rigid_add(rigid a, rigid b) {
    a.m += b.m;
    a.h = v3_add(a.h, b.h);
    a.J = s3_add(a.J, b.J);
    return a;
}

/* Articulated inertia: f = A a + B alpha, n = B^T a + C alpha. */
typedef struct articulated {
    sym3 A;
    mat3 B;
    sym3 C;
} articulated;

static inline articulated articulated_of(rigid b) {
    articulated r;
    r.A = s3(b.m, 0, 0, b.m, 0, b.m);
    r.B = m3(v3(0, -b.h.z, b.h.y), v3(b.h.z, 0, -b.h.x), v3(-b.h.y, b.h.x, 0));
    r.C = b.J;
    return r;
}
static inline articulated articulated_add(articulated a, articulated b) {
    a.A = s3_add(a.A, b.A);
    a.B = m3_add(a.B, b.B);
    a.C = s3_add(a.C, b.C);
    return a;
}
static inline force articulated_mul(articulated M, motion a) {
    return force_of(m3_mulv_add(M.B, a.ang, s3_mulv(M.A, a.lin)), v3_add(m3_tmulv(M.B, a.lin), s3_mulv(M.C, a.ang)));
}
static inline force articulated_mul_lin(articulated M, vec3 a) {
    return force_of(s3_mulv(M.A, a), m3_tmulv(M.B, a));
}
static inline force articulated_mul_ang(articulated M, vec3 a) { return force_of(m3_mulv(M.B, a), s3_mulv(M.C, a)); }

/* M - U U^T / D with k = 1 / D */
static inline articulated articulated_deflate(articulated M, real k, force U) {
    vec3 n = v3_scale(-k, U.ang);
    M.A = s3_deflate(M.A, k, U.lin);
    M.B = m3(v3_axpy(n.x, U.lin, M.B.x), v3_axpy(n.y, U.lin, M.B.y), v3_axpy(n.z, U.lin, M.B.z));
    M.C = s3_deflate(M.C, k, U.ang);
    return M;
}

/* The same inertia about the point from which its reference point is seen at r:
 * B' = B - A r~,  C' = C + r~ B' + (r~ B)^T. */
static inline articulated articulated_shift(articulated M, vec3 r) {
    sym3 A = M.A;
    mat3 B = M.B, P; /* columns of -A r~ added to B */
    P.x = v3(B.x.x - (A.xy * r.z - A.xz * r.y), B.x.y - (A.yy * r.z - A.yz * r.y), B.x.z - (A.yz * r.z - A.zz * r.y));
    P.y = v3(B.y.x - (A.xz * r.x - A.xx * r.z), B.y.y - (A.yz * r.x - A.xy * r.z), B.y.z - (A.zz * r.x - A.xz * r.z));
    P.z = v3(B.z.x - (A.xx * r.y - A.xy * r.x), B.z.y - (A.xy * r.y - A.yy * r.x), B.z.z - (A.xz * r.y - A.yz * r.x));
    articulated s;
    s.A = A;
    s.B = P;
    vec3 gx = v3_cross(r, P.x), gy = v3_cross(r, P.y), gz = v3_cross(r, P.z); /* columns of r~ B' */
    vec3 ex = v3_cross(r, B.x), ey = v3_cross(r, B.y), ez = v3_cross(r, B.z); /* columns of r~ B = rows of its transpose */
    s.C = s3(M.C.xx + gx.x + ex.x, M.C.xy + gy.x + ex.y, M.C.xz + gz.x + ex.z, M.C.yy + gy.y + ey.y,
             M.C.yz + gz.y + ey.z, M.C.zz + gz.z + ez.z);
    return s;
}

#endif
