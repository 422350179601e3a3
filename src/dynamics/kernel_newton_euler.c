/* Inverse dynamics: recursive Newton-Euler in body axes, O(n). [Kolyubin] 3.1, generalised to trees and any joint.
 *
 *   outward  w, alpha, a of every body from its parent's;  a_0 = -g
 *            f = m a + alpha x h + w x (w x h),   n = h x a + J alpha + w x J w
 *   inward   tau = S^T (f; n) + armature * acceleration,  parent's (f; n) += (f; n) carried to its origin
 *
 * An elastic body has the forces of elastic.h. What hangs on it hangs on its attachments: rows between it and its
 * children, moved by its elastic coordinates. An attachment's force goes to the body and, by its columns, to their tau.
 *
 * Differs: forces are reduced to the joint origin instead of the centre of mass.
 *
 * A kernel of its own beside reduced_inverse.h, which knows neither elastic links nor external forces nor the motions
 * of bodies that reactions are made of. Where both can answer (x86-64-v3 kernels, auto.h) this one takes 150 ns on an
 * arm of 6 joints and 760 on one of 32, that one 159 and 644; with baseline kernels 310 and 220 on one of 8. */
#include "dynamics/elastic.h"
#include "dynamics/kernels.h"
#include "real/sincos.h"

typedef struct NewtonEulerBody {
    mat3 R; /* to the axes of what it sits on */
    vec3 p; /* origin there */
    vec3 w, alpha, a;
    force F;
} NewtonEulerBody;

/* at most as many attachments carry bodies as there are bodies */
_Static_assert(2 * (sizeof(NewtonEulerBody) + sizeof(mat3)) <= ZI_SCRATCH_PER_BODY, "scratch too small");

/* Acceleration of a point x fixed in the body less that of its origin: alpha x x + w x (w x x). */
static inline vec3 swing(const NewtonEulerBody *row, vec3 x) {
    return v3_cross_add(row->alpha, x, v3_cross(row->w, v3_cross(row->w, x)));
}

/* Revolute: turn about z. T is R^T by columns: row k of E with its first two entries turned. */
static inline void go_revolute(const ziBody *b, const NewtonEulerBody *up, NewtonEulerBody *row, real s, real c, real v,
                               real a) {
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

static inline void go_prismatic(const ziBody *b, const NewtonEulerBody *up, NewtonEulerBody *row, real q, real v,
                                real a) {
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
static ZI_COLD void go_general(const ziBody *b, const NewtonEulerBody *up, NewtonEulerBody *row, const real *q,
                               const real *s, const real *c, const real *v, const real *a) {
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
static inline force inertia_force(const ziBody *b, const NewtonEulerBody *row) {
    vec3 h = v3_of4(b->h);
    mat3 J = m3_of12(b->J);
    vec3 spin = v3_cross_add(row->w, m3_mulv(J, row->w), m3_mulv(J, row->alpha));
    return force_of(v3_axpy(b->m, row->a, swing(row, h)), v3_cross_add(h, row->a, spin));
}

/* tau of a general joint: its columns are in joint axes, the force in body axes. */
static ZI_COLD void drive_general(const ziTree *t, const ziBody *b, const real *q, const real *s, const real *c,
                                  const real *a, const force *F, real *tau) {
    joint j;
    joint_place(b, q, s, c, &j);
    force G = force_of(m3_mulv(j.R, F->lin), m3_mulv(j.R, F->ang));
    for (int k = 0; k < b->nv; k++) tau[b->v + k] = force_dot(G, j.S[k]) + t->armature[b->v + k] * a[b->v + k];
}

/* An attachment: its body's motion carried to it, in the section's axes. */
static inline void go_attachment(const ziAttachment *st, const ziElastic *el, const NewtonEulerBody *body,
                                 const real *e, const real *de, const real *dde, motion *S, NewtonEulerBody *row) {
    placed in;
    attachment_in_body(st, el, e, &in, S);
    motion rel = columns_mix(el->n, S, de);
    motion acc = motion_add(columns_mix(el->n, S, dde), attachment_bias_in_body(st, el, e, de));
    vec3 at = v3_add(body->a, swing(body, in.r));
    row->R = in.R;
    row->p = in.r;
    row->w = m3_tmulv(in.R, v3_add(body->w, rel.ang));
    row->alpha = m3_tmulv(in.R, v3_add(body->alpha, v3_cross_add(body->w, rel.ang, acc.ang)));
    row->a = m3_tmulv(in.R, v3_axpy(2, v3_cross(body->w, rel.lin), v3_add(at, acc.lin)));
    row->F = force_zero();
}

/* What the sweeps work on. */
typedef struct NewtonEulerSweep {
    const real *q, *s, *c, *v, *a, *fext;
    NewtonEulerBody *row, *attachments;
    mat3 *W;
    const int *first; /* S[first[k]] ... are the columns of attachment k */
    motion *S;
} NewtonEulerSweep;

/* The force of an elastic body by itself, tau of its elastic coordinates, and its attachments. tau may be v or a: it is
 * written last. */
static ZI_COLD void go_elastic(const ziTree *t, ziScratch scratch, const NewtonEulerSweep *w, const ziBody *b,
                               NewtonEulerBody *row, real *tau) {
    const ziElastic *el = b->elastic;
    const int n = el->n;
    const real *e = w->q + el->q, *de = w->v + el->v, *dde = w->a + el->v;
    elastic_terms x;
    take_elastic_terms(&scratch, el, &x);
    elastic_inertia(scratch, b, e, &x);
    elastic_bias(scratch, b, row->w, de, &x);
    row->F = elastic_forces(t, b, row->a, row->alpha, dde, &x);
    for (int k = el->attachment; k < el->attachment + el->attachments; k++)
        go_attachment(&t->attachment[k], el, row, e, de, dde, w->S + w->first[k], &w->attachments[k]);
    for (int i = 0; i < n; i++) tau[el->v + i] = x.C[i];
}

/* Forces of the attachments come to their body and to the tau of its elastic coordinates. */
static ZI_COLD void gather_attachments(const NewtonEulerSweep *w, const ziElastic *el, NewtonEulerBody *row,
                                       real *tau) {
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        const NewtonEulerBody *st = &w->attachments[k];
        const motion *S = w->S + w->first[k];
        const force F = force_of(m3_mulv(st->R, st->F.lin), m3_mulv(st->R, st->F.ang));
        for (int i = 0; i < el->n; i++) tau[el->v + i] += force_dot(F, S[i]);
        row->F = force_add(row->F, force_shift(F, st->p));
    }
}

/* External forces on elastic coordinates, and where the world's axes are at the attachments. */
static ZI_COLD void push_elastic(const NewtonEulerSweep *w, const ziElastic *el, const real *push, const mat3 *W,
                                 mat3 *attachment_W, real *tau) {
    for (int i = 0; i < el->n; i++) tau[el->v + i] -= push[i];
    for (int k = el->attachment; k < el->attachment + el->attachments; k++)
        attachment_W[k] = m3_mul(*W, w->attachments[k].R);
}

static inline void note_motion(const NewtonEulerBody *row, ziBodyMotion *out) {
    v3_to(out->w, row->w);
    v3_to(out->alpha, row->alpha);
    v3_to(out->a, row->a);
    m3_to(out->R, row->R);
    v3_to(out->p, row->p);
}

static inline void note_force(const NewtonEulerBody *row, ziBodyMotion *out) {
    v3_to(out->f, row->F.lin);
    v3_to(out->f + 3, row->F.ang);
}

/* elastic is a constant: rigid trees have loops of their own. */
static ZI_HOT void outward(const ziTree *t, ziScratch scratch, const NewtonEulerSweep *w, const bool elastic, real *tau,
                           ziBodyMotion *motions) {
    const real *q = w->q, *s = w->s, *c = w->c, *v = w->v, *a = w->a, *push = w->W ? w->fext + 6 * t->nb : NULL;
    mat3 *W = w->W;
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const ziElastic *el = elastic ? b->elastic : NULL;
        NewtonEulerBody *me = &w->row[i];
        const NewtonEulerBody *up = &w->row[elastic ? b->base : b->parent];
        if (b->type == ZV_JOINT_REVOLUTE) {
            go_revolute(b, up, me, s[b->q], c[b->q], v[b->v], a[b->v]);
        } else if (b->type == ZV_JOINT_PRISMATIC) {
            go_prismatic(b, up, me, q[b->q], v[b->v], a[b->v]);
        } else {
            go_general(b, up, me, q + b->q, s + b->q, c + b->q, v + b->v, a + b->v);
        }
        if (el) {
            go_elastic(t, scratch, w, b, me, tau);
            if (motions) note_force(me, &motions[i]);
        } else {
            me->F = inertia_force(b, me);
        }
        if (W) {
            W[i] = m3_mul(W[elastic ? b->base : b->parent], me->R);
            const real *f = w->fext + 6 * i;
            me->F = force_sub(me->F, force_of(m3_tmulv(W[i], v3_of(f)), m3_tmulv(W[i], v3_of(f + 3))));
        }
        if (el && W) {
            push_elastic(w, el, push, &W[i], W + t->nb, tau);
            push += el->n;
        }
    }
}

/* Inward sweep: tau = S^T F + armature a of every joint, then F turned into the axes of what the body sits on and added
 * there about its origin. */
static ZI_HOT void inward(const ziTree *t, const NewtonEulerSweep *w, const bool elastic, real *tau) {
    const real *q = w->q, *s = w->s, *c = w->c, *a = w->a;
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        NewtonEulerBody *me = &w->row[i], *up = &w->row[elastic ? b->base : b->parent];
        if (elastic && b->elastic) gather_attachments(w, b->elastic, me, tau);
        if (b->type == ZV_JOINT_REVOLUTE) {
            tau[b->v] = v3_z(me->F.ang) + t->armature[b->v] * a[b->v];
        } else if (b->type == ZV_JOINT_PRISMATIC) {
            tau[b->v] = v3_z(me->F.lin) + t->armature[b->v] * a[b->v];
        } else {
            drive_general(t, b, q + b->q, s + b->q, c + b->q, a, &me->F, tau);
        }
        vec3 f = m3_mulv(me->R, me->F.lin);
        up->F.lin = v3_add(up->F.lin, f);
        up->F.ang = v3_add(up->F.ang, v3_cross_add(me->p, f, m3_mulv(me->R, me->F.ang)));
    }
}

/* tau of the tree; v and a NULL: zero. fext is in world axes, hence rotations W only with it. motions (bodies, then
 * attachments) NULL: not wanted. */
void ZI_KERNEL(zi_newton_euler)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau, ziBodyMotion *motions) {
    const size_t rows = (size_t)t->nb + (size_t)t->ns;
    real *s = zi_scratch_array(&scratch, real, t->nq), *c = zi_scratch_array(&scratch, real, t->nq);
    const size_t missing = v && a ? 0 : (size_t)t->nv;
    real *zeros = zi_scratch_array(&scratch, real, missing);
    NewtonEulerBody *row = zi_scratch_array(&scratch, NewtonEulerBody, rows);
    mat3 *W = fext ? zi_scratch_array(&scratch, mat3, rows) : NULL;
    if (!v || !a) memset(zeros, 0, (size_t)t->nv * sizeof *zeros);
    if (!v) v = zeros;
    if (!a) a = zeros;
    sincos_array(t->nq, q, s, c);
    real_stage();

    row[0].w = row[0].alpha = v3_zero();
    row[0].a = v3_neg(v3_of(gravity));
    row[0].F = force_zero();
    row[0].R = m3_identity();
    row[0].p = v3_zero();
    if (W) W[0] = m3_identity();
    NewtonEulerSweep w = {
        .q = q, .s = s, .c = c, .v = v, .a = a, .fext = fext, .row = row, .attachments = row + t->nb, .W = W};
    if (t->ne) {
        w.first = attachment_offsets(t, &scratch);
        w.S = zi_scratch_array(&scratch, motion, t->attachment_modes);
        outward(t, scratch, &w, true, tau, motions);
        inward(t, &w, true, tau);
    } else {
        outward(t, scratch, &w, false, tau, motions);
        inward(t, &w, false, tau);
    }
    for (size_t i = 0; motions && i < rows; i++) note_motion(&row[i], &motions[i]);
}
