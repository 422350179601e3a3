/* Inverse dynamics: recursive Newton-Euler in body axes, O(n). [Kolyubin] 3.1 (generalised to trees and any joint),
 * with the tensor K = alpha~ + w~ w~ of [Yaskevich] (E_j there): K x is the acceleration of the point x less that of
 * the origin.
 *
 *   outward  w, alpha, a of every body from its parent's;  a_0 = -g
 *            f = m a + K h,   n = h x a + vee(K Sigma - (K Sigma)^T),  Sigma = tr(J)/2 - J
 *   inward   tau = S^T (f; n) + armature * acceleration,  parent's (f; n) += (f; n) carried to its origin
 *
 * Differs: forces are reduced to the joint origin instead of the centre of mass. */
#include "dynamics/kernels.h"
#include "kinematics/joint.h"
#include "real/sincos.h"

typedef struct Row {
    mat3 R; /* body to parent axes */
    vec3 p; /* origin in the parent */
    vec3 w, alpha, a;
    mat3 K;
    force F;
} Row;

_Static_assert(sizeof(Row) + sizeof(mat3) <= ZV_DESK_PER_BODY, "desk too small");

/* alpha~ + w~ w~ */
static inline mat3 tensor(vec3 w, vec3 al) {
    real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    real xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return m3(v3(-yy - zz, xy + al.z, xz - al.y), v3(xy - al.z, -xx - zz, yz + al.x),
              v3(xz + al.y, yz - al.x, -xx - yy));
}

/* J alpha + w x J w from the second-moment form: the axial vector of K Sigma - (K Sigma)^T. */
static inline vec3 spin_moment(mat3 K, sym3 J) {
    real half = 0.5 * s3_trace(J);
    real sx = half - J.xx, sy = half - J.yy, sz = half - J.zz;
    vec3 row_x = v3(K.x.x, K.y.x, K.z.x), row_y = v3(K.x.y, K.y.y, K.z.y), row_z = v3(K.x.z, K.y.z, K.z.z);
    vec3 c_x = v3(sx, -J.xy, -J.xz), c_y = v3(-J.xy, sy, -J.yz), c_z = v3(-J.xz, -J.yz, sz);
    return v3(v3_dot(row_z, c_y) - v3_dot(row_y, c_z), v3_dot(row_x, c_z) - v3_dot(row_z, c_x),
              v3_dot(row_y, c_x) - v3_dot(row_x, c_y));
}

/* Revolute: turn about z. */
static inline void go_revolute(const zvBody *b, const Row *up, Row *row, real s, real c, real v, real a) {
    row->R = m3_turn_z(m3_of(b->E), s, c);
    row->p = v3_of(b->r);
    vec3 w = m3_tmulv(row->R, up->w), al = m3_tmulv(row->R, up->alpha);
    row->w = v3(w.x, w.y, w.z + v);
    row->alpha = v3(al.x + w.y * v, al.y - w.x * v, al.z + a);
    row->a = m3_tmulv(row->R, m3_mulv_add(up->K, row->p, up->a));
}

static inline void go_prismatic(const zvBody *b, const Row *up, Row *row, real q, real v, real a) {
    row->R = m3_of(b->E);
    row->p = v3_axpy(q, row->R.z, v3_of(b->r));
    vec3 w = m3_tmulv(row->R, up->w);
    row->w = w;
    row->alpha = m3_tmulv(row->R, up->alpha);
    vec3 at = m3_tmulv(row->R, m3_mulv_add(up->K, row->p, up->a));
    row->a = v3(at.x + 2 * w.y * v, at.y - 2 * w.x * v, at.z + a); /* + 2 w x (z v) + z a */
}

/* Any other joint: relative motion in joint axes, then turned into the body. */
static inline void go_general(const zvBody *b, const Row *up, Row *row, joint *j, const double *q, const double *s,
                              const double *c, const double *v, const double *a) {
    joint_place(b, q, s, c, j);
    mat3 E = m3_of(b->E);
    row->R = m3_mul(E, j->R);
    row->p = m3_mulv_add(E, j->p, v3_of(b->r));
    motion rel = motion_zero(), acc = joint_bias(b, q, v, j);
    for (int k = 0; k < b->nv; k++) {
        rel = motion_axpy(v[k], j->S[k], rel);
        acc = motion_axpy(a[k], j->S[k], acc);
    }
    vec3 wp = m3_tmulv(E, up->w); /* joint axes from here on */
    vec3 alpha = v3_add(m3_tmulv(E, up->alpha), v3_cross_add(wp, rel.ang, acc.ang));
    vec3 at = m3_tmulv(E, m3_mulv_add(up->K, row->p, up->a));
    vec3 lin = v3_axpy(2, v3_cross(wp, rel.lin), v3_add(at, acc.lin));
    row->w = m3_tmulv(j->R, v3_add(wp, rel.ang));
    row->alpha = m3_tmulv(j->R, alpha);
    row->a = m3_tmulv(j->R, lin);
}

static inline force inertia_force(const zvBody *b, const Row *row) {
    vec3 h = v3_of(b->h);
    return force_of(m3_mulv_add(row->K, h, v3_scale(b->m, row->a)),
                    v3_cross_add(h, row->a, spin_moment(row->K, s3_of(b->J))));
}

/* tau of a general joint: its columns are in joint axes, the force in body axes. */
static inline void drive_general(const joint *j, const zvBody *b, force F, double *tau) {
    force G = force_of(m3_mulv(j->R, F.lin), m3_mulv(j->R, F.ang));
    for (int k = 0; k < b->nv; k++) tau[k] = force_dot(G, j->S[k]);
}

static inline void note_motions(const zvTree *t, const Row *row, const mat3 *W, zvBodyMotion *out) {
    for (int i = 0; i < t->nb; i++) {
        v3_to(out[i].w, row[i].w);
        v3_to(out[i].alpha, row[i].alpha);
        v3_to(out[i].a, row[i].a);
        if (!W) continue;
        v3_to(out[i].R, W[i].x);
        v3_to(out[i].R + 3, W[i].y);
        v3_to(out[i].R + 6, W[i].z);
    }
}

void ZV_KERNEL(zv_newton_euler)(const zvTree *t, zvDesk desk, const double *q, const double *v, const double *a,
                                const double *gravity, const double *fext, double *tau, zvBodyMotion *motions) {
    double *s = zv_desk_doubles(&desk, t->nq), *c = zv_desk_doubles(&desk, t->nq);
    double *zeros = zv_desk_doubles(&desk, v && a ? 0 : t->nv);
    Row *row = zv_desk_take(&desk, (size_t)t->nb * sizeof *row);
    mat3 *W = fext ? zv_desk_take(&desk, (size_t)t->nb * sizeof *W) : NULL;
    if (!v || !a) memset(zeros, 0, (size_t)t->nv * sizeof *zeros);
    if (!v) v = zeros;
    if (!a) a = zeros;
    sincos_array(t->nq, q, s, c);

    row[0].w = row[0].alpha = v3_zero();
    row[0].a = v3_neg(v3_of(gravity));
    row[0].K = tensor(row[0].w, row[0].alpha);
    row[0].F = force_of(v3_zero(), v3_zero());
    if (W) W[0] = m3_identity();
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        Row *me = &row[i];
        const Row *up = &row[b->parent];
        if (b->type == ZV_REVOLUTE) {
            go_revolute(b, up, me, s[b->q], c[b->q], v[b->v], a[b->v]);
        } else if (b->type == ZV_PRISMATIC) {
            go_prismatic(b, up, me, q[b->q], v[b->v], a[b->v]);
        } else {
            joint j;
            go_general(b, up, me, &j, q + b->q, s + b->q, c + b->q, v + b->v, a + b->v);
        }
        me->K = tensor(me->w, me->alpha);
        me->F = inertia_force(b, me);
        if (W) {
            W[i] = m3_mul(W[b->parent], me->R);
            const double *x = fext + 6 * i;
            me->F = force_sub(me->F, force_of(m3_tmulv(W[i], v3_of(x)), m3_tmulv(W[i], v3_of(x + 3))));
        }
    }
    for (int i = t->nb - 1; i > 0; i--) {
        const zvBody *b = &t->body[i];
        const Row *me = &row[i];
        Row *up = &row[b->parent];
        if (b->type == ZV_REVOLUTE) {
            tau[b->v] = me->F.ang.z;
        } else if (b->type == ZV_PRISMATIC) {
            tau[b->v] = me->F.lin.z;
        } else {
            joint j;
            joint_place(b, q + b->q, s + b->q, c + b->q, &j);
            drive_general(&j, b, me->F, tau + b->v);
        }
        vec3 f = m3_mulv(me->R, me->F.lin);
        up->F.lin = v3_add(up->F.lin, f);
        up->F.ang = v3_add(up->F.ang, v3_cross_add(me->p, f, m3_mulv(me->R, me->F.ang)));
    }
    for (int i = 0; i < t->nv; i++) tau[i] += t->armature[i] * a[i];
    if (motions) note_motions(t, row, W, motions);
}
