/* Inverse dynamics: recursive Newton-Euler in body axes, O(n). [Kolyubin] 3.1, generalised to trees and any joint.
 *
 *   outward  w, alpha, a of every body from its parent's;  a_0 = -g
 *            f = m a + alpha x h + w x (w x h),   n = h x a + J alpha + w x J w
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
    force F;
} Row;

_Static_assert(sizeof(Row) + sizeof(mat3) <= ZV_DESK_PER_BODY, "desk too small");

/* Acceleration of a point x fixed in the body less that of its origin: alpha x x + w x (w x x). */
static inline vec3 swing(const Row *row, vec3 x) {
    return v3_cross_add(row->alpha, x, v3_cross(row->w, v3_cross(row->w, x)));
}

/* Revolute: turn about z. T is R^T by columns: row k of E with its first two entries turned. */
static inline void go_revolute(const zvBody *b, const Row *up, Row *row, real s, real c, real v, real a) {
    const vec3 cosine = v3(c, c, 1), sine = v3(s, -s, 0);
    mat3 E = m3_of12(b->E), rows = m3_of12(b->Et), T;
    T.x = v3_turn_add(rows.x, sine, rows.x, cosine);
    T.y = v3_turn_add(rows.y, sine, rows.y, cosine);
    T.z = v3_turn_add(rows.z, sine, rows.z, cosine);
    row->R = m3_turn_z(E, s, c);
    row->p = v3_of4(b->r);
    vec3 w = m3_mulv(T, up->w);
    row->w = v3_add(w, v3(0, 0, v));
    row->alpha = m3_mulv_add(T, up->alpha, v3(v3_y(w) * v, -v3_x(w) * v, a)); /* + w x (z v) + z a */
    row->a = m3_mulv(T, v3_add(up->a, swing(up, row->p)));
}

static inline void go_prismatic(const zvBody *b, const Row *up, Row *row, real q, real v, real a) {
    mat3 T = m3_of12(b->Et);
    row->R = m3_of12(b->E);
    row->p = v3_axpy(q, row->R.z, v3_of4(b->r));
    vec3 w = m3_mulv(T, up->w);
    row->w = w;
    row->alpha = m3_mulv(T, up->alpha);
    row->a = m3_mulv_add(T, v3_add(up->a, swing(up, row->p)),
                         v3(2 * v3_y(w) * v, -2 * v3_x(w) * v, a)); /* + 2 w x (z v) + z a */
}

/* Any other joint: relative motion in joint axes, then turned into the body. */
static ZV_COLD void go_general(const zvBody *b, const Row *up, Row *row, const double *q, const double *s,
                               const double *c, const double *v, const double *a) {
    joint j;
    joint_place(b, q, s, c, &j);
    mat3 E = m3_of12(b->E);
    row->R = m3_mul(E, j.R);
    row->p = m3_mulv_add(E, j.p, v3_of4(b->r));
    motion rel = motion_zero(), acc = joint_bias(b, q, v, &j);
    for (int k = 0; k < b->nv; k++) {
        rel = motion_axpy(v[k], j.S[k], rel);
        acc = motion_axpy(a[k], j.S[k], acc);
    }
    vec3 wp = m3_tmulv(E, up->w); /* joint axes from here on */
    vec3 alpha = v3_add(m3_tmulv(E, up->alpha), v3_cross_add(wp, rel.ang, acc.ang));
    vec3 at = m3_tmulv(E, v3_add(up->a, swing(up, row->p)));
    row->w = m3_tmulv(j.R, v3_add(wp, rel.ang));
    row->alpha = m3_tmulv(j.R, alpha);
    row->a = m3_tmulv(j.R, v3_axpy(2, v3_cross(wp, rel.lin), v3_add(at, acc.lin)));
}

/* f = m a + alpha x h + w x (w x h),  n = h x a + J alpha + w x J w */
static inline force inertia_force(const zvBody *b, const Row *row) {
    vec3 h = v3_of4(b->h);
    mat3 J = m3_of12(b->J);
    vec3 spin = v3_cross_add(row->w, m3_mulv(J, row->w), m3_mulv(J, row->alpha));
    return force_of(v3_axpy(b->m, row->a, swing(row, h)), v3_cross_add(h, row->a, spin));
}

/* tau of a general joint: its columns are in joint axes, the force in body axes. */
static ZV_COLD void drive_general(const zvTree *t, const zvBody *b, const double *q, const double *s, const double *c,
                                  const double *a, const force *F, double *tau) {
    joint j;
    joint_place(b, q, s, c, &j);
    force G = force_of(m3_mulv(j.R, F->lin), m3_mulv(j.R, F->ang));
    for (int k = 0; k < b->nv; k++) tau[b->v + k] = force_dot(G, j.S[k]) + t->armature[b->v + k] * a[b->v + k];
}

static inline void note_motions(const zvTree *t, const Row *row, zvBodyMotion *out) {
    for (int i = 0; i < t->nb; i++) {
        v3_to(out[i].w, row[i].w);
        v3_to(out[i].alpha, row[i].alpha);
        v3_to(out[i].a, row[i].a);
        m3_to(out[i].R, row[i].R);
        v3_to(out[i].p, row[i].p);
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
    row[0].F = force_zero();
    row[0].R = m3_identity();
    row[0].p = v3_zero();
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
            go_general(b, up, me, q + b->q, s + b->q, c + b->q, v + b->v, a + b->v);
        }
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
            tau[b->v] = v3_z(me->F.ang) + t->armature[b->v] * a[b->v];
        } else if (b->type == ZV_PRISMATIC) {
            tau[b->v] = v3_z(me->F.lin) + t->armature[b->v] * a[b->v];
        } else {
            drive_general(t, b, q + b->q, s + b->q, c + b->q, a, &me->F, tau);
        }
        vec3 f = m3_mulv(me->R, me->F.lin);
        up->F.lin = v3_add(up->F.lin, f);
        up->F.ang = v3_add(up->F.ang, v3_cross_add(me->p, f, m3_mulv(me->R, me->F.ang)));
    }
    if (motions) note_motions(t, row, motions);
}
