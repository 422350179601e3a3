/* Inverse dynamics of a reduced robot: recursive Newton-Euler in body axes ([Kolyubin] 3.1), by components; theory
 * (19.8), (19.3), (19.9). U is Omega there.
 *
 *   outward  w, alpha, a of every body from its parent's;  a_0 = -g;  U = alpha~ + w~ w~: a point at x has a + U x
 *            f = m a + U h,   n = h x a + vee(U K),   vee(A) = (A_zy - A_yz, A_xz - A_zx, A_yx - A_xy)
 *   inward   tau = S^T (f; n) + armature * acceleration,  parent's (f; n) += (f; n) carried to its origin
 *
 * Differs: forces are reduced to the joint origin; second moments K take the place of moments of inertia, and U is
 * computed once for the body and for all it carries.
 *
 * A kernel of its own beside kernel_newton_euler.c, which takes every tree: there are no moments to reduce in elastic
 * links, and external forces act in frames that are gone here. It stays for its time: 644 ns on an arm of 32 joints,
 * 220 on one of 8 with baseline kernels, where that one takes 760 and 310 (auto.h, which also says where that one is
 * ahead), and for lanes, which it fills by components. A third, codegen/reduced_inverse.h, is for the tape. */
#ifndef ZI_DYNAMICS_REDUCED_INVERSE_H
#define ZI_DYNAMICS_REDUCED_INVERSE_H

#include "dynamics/reduced_transform.h"

/* w, alpha, a and U, whose columns are Ux, Uy, Uz. */
typedef struct ReducedMotion {
    real3 w, alpha, a, Ux, Uy, Uz;
} ReducedMotion;

typedef struct ReducedForce {
    real3 f, n;
} ReducedForce;

_Static_assert(sizeof(LinkTransform) + sizeof(ReducedMotion) + sizeof(ReducedForce) <= ZI_SCRATCH_PER_BODY,
               "scratch too small");

/* Lanes execute every operation, zeros included: there the first and the last bodies have steps of their own. */
enum { REDUCED_ENDS = REAL_UNROLL > 1 };

/* A body that turns about the ground's z, its origin there. */
static ZI_HOT bool is_grounded(const ziReducedStep *b) {
    return REDUCED_ENDS && !b->parent && b->kind == ZI_REDUCED_TURNS && b->form == ZI_TRANSFORM_LEVEL;
}

/* (19.3): U and the force of a body by itself. light: it has no m, hz, zz; tip: its motion is not needed. Entry by
 * entry of U, so that few numbers are alive at a time. */
static ZI_HOT void set_force(bool light, bool tip, const ReducedNumbers *b, real3 w, real3 e, real3 a,
                             ReducedMotion *me, ReducedForce *F) {
    real U = w.x * w.y + e.z;
    real3 f, n;
    if (!tip) me->w = w, me->alpha = e, me->a = a;
    if (!tip) me->Ux.y = U; /* yx */
    f.y = U * b->h[0];
    n.z = U * b->K[0];
    n.x = b->h[1] * a.z - U * b->K[2];
    U = w.x * w.y - e.z;
    if (!tip) me->Uy.x = U; /* xy */
    f.x = U * b->h[1];
    n.z = n.z - U * b->K[3];
    n.y = U * b->K[4] - b->h[0] * a.z;
    U = w.x * w.z - e.y;
    if (!tip) me->Ux.z = U; /* zx */
    f.z = U * b->h[0];
    n.x = n.x + U * b->K[1];
    n.y = n.y - U * b->K[0];
    U = w.y * w.z + e.x;
    if (!tip) me->Uy.z = U; /* zy */
    f.z = f.z + U * b->h[1];
    n.x = n.x + U * b->K[3];
    n.y = n.y - U * b->K[1];
    const real Uxz = w.x * w.z + e.y, Uyz = w.y * w.z - e.x;
    if (!tip) me->Uz.x = Uxz;
    if (!tip) me->Uz.y = Uyz;
    n.z = n.z + (Uyz * b->K[2] - Uxz * b->K[4]);
    const real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, Uxx = -(yy + zz), Uyy = -(xx + zz), Uzz = -(xx + yy);
    if (!tip) me->Ux.x = Uxx, me->Uy.y = Uyy, me->Uz.z = Uzz;
    f.x = f.x + Uxx * b->h[0];
    f.y = f.y + Uyy * b->h[1];
    n.x = n.x + (zz - yy) * b->K[4];
    n.y = n.y + (xx - zz) * b->K[2];
    n.z = n.z + ((yy - xx) * b->K[1] + (b->h[0] * a.y - b->h[1] * a.x));
    if (!light) {
        const real m = b->m, hz = b->h[2], Kzz = b->K[5];
        f = r3(f.x + m * a.x + Uxz * hz, f.y + m * a.y + Uyz * hz, f.z + m * a.z + Uzz * hz);
        n = r3(n.x - (hz * a.y + Uyz * Kzz), n.y + (hz * a.x + Uxz * Kzz), n.z);
    }
    F->f = f, F->n = n;
}

/* Acceleration of the parent where the body's origin is. */
static ZI_HOT real3 carried(int form, const ReducedNumbers *n, const ReducedMotion *up) {
    real3 a = up->a;
    if (has_x(form)) a = r3(a.x + up->Ux.x * n->r[0], a.y + up->Ux.y * n->r[0], a.z + up->Ux.z * n->r[0]);
    if (has_y(form)) a = r3(a.x + up->Uy.x * n->r[1], a.y + up->Uy.y * n->r[1], a.z + up->Uy.z * n->r[1]);
    if (has_z(form)) a = r3(a.x + up->Uz.x * n->r[2], a.y + up->Uz.y * n->r[2], a.z + up->Uz.z * n->r[2]);
    return a;
}

/* Outward step of a body that turns about z: w, alpha (19.8) and a in its axes, then its own force. tip: no body
 * follows that needs its motion. */
static ZI_HOT void go_turning(int form, bool tip, const ReducedNumbers *n, const real *s, const real *c,
                              const ReducedMotion *up, const real *v, const real *a, ReducedMotion *me,
                              ReducedForce *F) {
    FOR_UNROLL(k) {
        const turn t = turn_of(s[k], c[k]);
        const real rate = n->sign * v[k];
        real3 w = turn_out(form, n, t, up[k].w), e = turn_out(form, n, t, up[k].alpha);
        const real3 at = turn_out(form, n, t, carried(form, n, up + k));
        e = r3(e.x + w.y * rate, e.y - w.x * rate, e.z + n->sign * a[k]); /* + w x (z v) + z a, (19.8) */
        w.z = w.z + rate;
        set_force(true, tip, n, w, e, at, me + k, F + k);
    }
}

/* A body that turns about the z of the ground, which is at rest: of the forces only the moment about it is needed.
 */
static ZI_HOT void go_grounded(const ReducedNumbers *n, const real *s, const real *c, const ReducedMotion *ground,
                               const real *v, const real *a, ReducedMotion *me, ReducedForce *F) {
    const real none = 0;
    FOR_UNROLL(k) {
        const real3 g = ground[k].a, at = r3(c[k] * g.x + s[k] * g.y, c[k] * g.y - s[k] * g.x, g.z);
        const real rate = n->sign * v[k], e = n->sign * a[k], inward = -(rate * rate);
        me[k].w = r3(none, none, rate), me[k].alpha = r3(none, none, e), me[k].a = at;
        me[k].Ux = r3(inward, e, none), me[k].Uy = r3(-e, inward, none), me[k].Uz = r3_zero();
        F[k].f = r3_zero();
        F[k].n = r3(none, none, e * (n->K[0] + n->K[3]) + (n->h[0] * at.y - n->h[1] * at.x));
    }
}

/* Acceleration of a point x that moves with body `up`. */
static inline real3 acceleration_at(const ReducedMotion *up, real3 x) {
    return r3_add(up->a, r33_mul(r33(up->Ux, up->Uy, up->Uz), x));
}

static ZI_COLD void go_sliding(const ReducedNumbers *n, const LinkTransform *at, const ReducedMotion *up, real v,
                               real a, ReducedMotion *me, ReducedForce *F) {
    const real3 w = r33_tmul(at->R, up->w), e = r33_tmul(at->R, up->alpha);
    const real rate = n->sign * v;
    real3 x = r33_tmul(at->R, acceleration_at(up, at->p));
    x = r3(x.x + 2 * w.y * rate, x.y - 2 * w.x * rate, x.z + n->sign * a); /* + 2 w x (z v) + z a */
    set_force(false, false, n, w, e, x, me, F);
}

typedef struct Pair {
    real3 lin, ang;
} Pair;

/* Relative velocity and acceleration of a joint, in the body's axes; v, a of its first freedom. */
static ZI_COLD void joint_rates(const ziBody *b, const LinkTransform *at, const real *v, const real *a, Pair *rate,
                                Pair *second) {
    rate->lin = rate->ang = second->lin = second->ang = r3_zero();
    for (int k = 0; k < b->nv; k++) {
        const real V = v[k * REAL_UNROLL], A = a[k * REAL_UNROLL];
        rate->lin = r3_add(rate->lin, r3_scale(V, at->lin[k]));
        rate->ang = r3_add(rate->ang, r3_scale(V, at->ang[k]));
        second->lin = r3_add(second->lin, r3_scale(A, at->lin[k]));
        second->ang = r3_add(second->ang, r3_scale(A, at->ang[k]));
    }
    if (b->type == ZV_JOINT_UNIVERSAL)
        second->ang = r3_add(second->ang, r3_scale(v[0] * v[REAL_UNROLL], r3_cross(at->ang[0], at->ang[1])));
    if (b->type == ZV_JOINT_CURVE) second->lin = r3_add(second->lin, r3_scale(v[0] * v[0], at->curved));
}

/* The same of a body that floats: v is its twist. */
static ZI_HOT void floating_rates(const real *v, const real *a, Pair *rate, Pair *second) {
    rate->lin = r3(v[0], v[REAL_UNROLL], v[2 * REAL_UNROLL]);
    rate->ang = r3(v[3 * REAL_UNROLL], v[4 * REAL_UNROLL], v[5 * REAL_UNROLL]);
    second->lin = r3_add(r3_cross(rate->ang, rate->lin), r3(a[0], a[REAL_UNROLL], a[2 * REAL_UNROLL]));
    second->ang = r3(a[3 * REAL_UNROLL], a[4 * REAL_UNROLL], a[5 * REAL_UNROLL]);
}

/* Outward step of any other joint, one slot: parent's motion in body axes plus relative rates; 2 w x v_rel is the
 * Coriolis term. */
static ZI_COLD void go_joint(const Placed *x, int i, int slot, const ReducedMotion *up, const real *v, const real *a,
                             ReducedMotion *me, ReducedForce *F) {
    const ziBody *b = &x->tree->body[i];
    const LinkTransform *at = &x->transforms[i * REAL_UNROLL + slot];
    Pair rate, second;
    if (b->type == ZV_JOINT_FREE)
        floating_rates(v, a, &rate, &second);
    else
        joint_rates(b, at, v, a, &rate, &second);
    const real3 w = r33_tmul(at->R, up->w);
    const real3 e = r3_add(r33_tmul(at->R, up->alpha), r3_add(r3_cross(w, rate.ang), second.ang));
    const real3 p = r33_tmul(at->R, acceleration_at(up, at->p));
    set_force(false, false, &x->numbers[i], r3_add(w, rate.ang), e,
              r3_add(p, r3_add(r3_scale(2, r3_cross(w, rate.lin)), second.lin)), me, F);
}

/* A base that floats on the ground; q, v, a of its first coordinates. */
static ZI_HOT void go_floating(const ReducedNumbers *n, const real *q, const ReducedMotion *ground, const real *v,
                               const real *a, ReducedMotion *me, ReducedForce *F) {
    FOR_UNROLL(k) {
        const real e[4] = {q[3 * REAL_UNROLL + k], q[4 * REAL_UNROLL + k], q[5 * REAL_UNROLL + k],
                           q[6 * REAL_UNROLL + k]};
        const real3 g = r33_tmul(r33_from(quaternion_matrix(e)), r33_tmul(reduced_E(n), ground[k].a));
        Pair rate, second;
        floating_rates(v + k, a + k, &rate, &second);
        set_force(false, false, n, rate.ang, second.ang, r3_add(g, second.lin), me + k, F + k);
    }
}

/* Outward sweep over all slots: motion and own force of every body, with a step for each kind of joint and for the
 * first and last bodies (REDUCED_ENDS). */
static ZI_HOT void reduced_outward(const Placed *x, const real *v, const real *a, ReducedMotion *row, ReducedForce *F) {
    for (int i = 1; i < x->tree->nb; i++) {
        const ziReducedStep *b = &x->step[i];
        const ReducedNumbers *n = &x->numbers[i];
        const ReducedMotion *up = row + b->parent * REAL_UNROLL;
        const int at = i * REAL_UNROLL, d = b->v * REAL_UNROLL;
        const real *sine = x->s + b->q * REAL_UNROLL, *cosine = x->c + b->q * REAL_UNROLL;
        if (is_grounded(b)) {
            go_grounded(n, sine, cosine, up, v + d, a + d, row + at, F + at);
        } else if (b->kind == ZI_REDUCED_TURNS && REDUCED_ENDS && b->v_end == b->v + 1) {
            BY_TRANSFORM_FORM(b->form, go_turning, true, n, sine, cosine, up, v + d, a + d, row + at, F + at);
        } else if (b->kind == ZI_REDUCED_TURNS) {
            BY_TRANSFORM_FORM(b->form, go_turning, false, n, sine, cosine, up, v + d, a + d, row + at, F + at);
        } else if (zi_reduced_floats(b)) {
            go_floating(n, x->q + b->q * REAL_UNROLL, up, v + d, a + d, row + at, F + at);
        } else if (b->kind == ZI_REDUCED_SLIDES) {
            FOR_UNROLL(k)
            go_sliding(n, x->transforms + at + k, up + k, v[d + k], a[d + k], row + at + k, F + at + k);
        } else {
            FOR_UNROLL(k) go_joint(x, i, k, up + k, v + d + k, a + d + k, row + at + k, F + at + k);
        }
    }
}

/* last: to a body that is_grounded. */
static ZI_HOT void come_turning(int form, bool last, const ReducedNumbers *n, const real *s, const real *c,
                                const ReducedForce *me, ReducedForce *up) {
    FOR_UNROLL(k) {
        const turn t = turn_of(s[k], c[k]);
        const real3 f = turn_in(form, n, t, me[k].f);
        if (!last) up[k].f = r3_add(up[k].f, f);
        const real3 m = add_moment(form, n, f, turn_in(form, n, t, me[k].n));
        if (last)
            up[k].n.z = up[k].n.z + m.z;
        else
            up[k].n = r3_add(up[k].n, m);
    }
}

static inline void come_standing(const LinkTransform *at, const ReducedForce *me, ReducedForce *up) {
    const real3 f = r33_mul(at->R, me->f);
    up->f = r3_add(up->f, f);
    up->n = r3_add(up->n, r3_add(r33_mul(at->R, me->n), r3_cross(at->p, f)));
}

/* Force along column k of a body that does not turn about z. */
static inline real column_force(const ziReducedStep *b, const ReducedNumbers *n, const LinkTransform *at, int k,
                                real3 f, real3 m) {
    if (b->kind == ZI_REDUCED_SLIDES) return n->sign * f.z;
    if (b->kind == ZI_REDUCED_FLOATS)
        return k == 0 ? f.x : k == 1 ? f.y : k == 2 ? f.z : k == 3 ? m.x : k == 4 ? m.y : m.z;
    return r3_dot(at->lin[k], f) + r3_dot(at->ang[k], m);
}

/* Inward sweep: tau = S^T (f; n) + armature a, and the force carried to the parent, of which a grounded one needs the
 * moment about z only. */
static ZI_HOT void reduced_inward(const Placed *x, const real *a, ReducedForce *F, real *tau) {
    const double *armature = x->tree->armature;
    for (int i = x->tree->nb - 1; i > 0; i--) {
        const ziReducedStep *b = &x->step[i];
        const ReducedNumbers *n = &x->numbers[i];
        const int at = i * REAL_UNROLL, up = b->parent * REAL_UNROLL, d = b->v * REAL_UNROLL;
        if (b->kind == ZI_REDUCED_TURNS) {
            for (int k = 0; k < REAL_UNROLL; k++) tau[d + k] = n->sign * F[at + k].n.z + armature[b->v] * a[d + k];
            const real *sine = x->s + b->q * REAL_UNROLL, *cosine = x->c + b->q * REAL_UNROLL;
            if (b->parent && is_grounded(&x->step[b->parent]))
                BY_TRANSFORM_FORM(b->form, come_turning, true, n, sine, cosine, F + at, F + up);
            else if (b->parent)
                BY_TRANSFORM_FORM(b->form, come_turning, false, n, sine, cosine, F + at, F + up);
            continue;
        }
        FOR_UNROLL(k) {
            const LinkTransform *transform =
                x->transforms ? &x->transforms[at + k] : NULL; /* a floating base has none */
            for (int j = 0; j < b->nv; j++)
                tau[d + j * REAL_UNROLL + k] = column_force(b, n, transform, j, F[at + k].f, F[at + k].n) +
                                               armature[b->v + j] * a[d + j * REAL_UNROLL + k];
            if (b->parent) come_standing(transform, &F[at + k], &F[up + k]);
        }
    }
}

/* v, a NULL: zero. tau (tree nv x REAL_UNROLL) may be v or a. */
static inline void reduced_newton_euler(const Placed *x, ziScratch scratch, const real *v, const real *a,
                                        const double *gravity, real *tau) {
    const ziTree *t = x->tree;
    const size_t nb = (size_t)t->nb * REAL_UNROLL, nv = (size_t)t->nv * REAL_UNROLL;
    const double *R = t->reduced->ground_R;
    real *zeros = zi_scratch_array(&scratch, real, v && a ? 0 : nv);
    ReducedMotion *row = zi_scratch_array(&scratch, ReducedMotion, nb);
    ReducedForce *F = zi_scratch_array(&scratch, ReducedForce, nb);
    for (size_t i = 0; i < nv && !(v && a); i++) zeros[i] = 0;
    for (int k = 0; k < REAL_UNROLL; k++) {
        row[k].w = row[k].alpha = row[k].Ux = row[k].Uy = row[k].Uz = r3_zero();
        row[k].a = r3(-(R[0] * gravity[0] + R[1] * gravity[1] + R[2] * gravity[2]),
                      -(R[3] * gravity[0] + R[4] * gravity[1] + R[5] * gravity[2]),
                      -(R[6] * gravity[0] + R[7] * gravity[1] + R[8] * gravity[2]));
    }
    reduced_outward(x, v ? v : zeros, a ? a : zeros, row, F);
    reduced_inward(x, a ? a : zeros, F, tau);
}

#endif
