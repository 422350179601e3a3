/* Composite bodies of a reduced robot, in body axes and by components: their moments, and the forces F_d = inertia
 * times column d; theory (19.10). The recursion that makes M of them is reduced_columns.h. */
#ifndef ZI_DYNAMICS_REDUCED_MASS_H
#define ZI_DYNAMICS_REDUCED_MASS_H

#include "dynamics/reduced_inverse.h"

/* First and second moments of a subtree; its mass is a number. */
typedef struct Composite {
    real3 h;
    real xx, xy, xz, yy, yz, zz;
} Composite;

_Static_assert(sizeof(LinkTransform) + sizeof(Composite) <= ZI_SCRATCH_PER_BODY, "scratch too small");

/* -- moments ------------------------------------------------------------------------------------------------------ */

static ZI_HOT Composite composite_of(const ReducedNumbers *n) {
    Composite a;
    a.h = r3(n->h[0], n->h[1], n->h[2]);
    a.xx = n->K[0], a.xy = n->K[1], a.xz = n->K[2], a.yy = n->K[3], a.yz = n->K[4], a.zz = n->K[5];
    return a;
}

static ZI_HOT Composite composite_add(Composite a, Composite b) {
    a.h = r3_add(a.h, b.h);
    a.xx = a.xx + b.xx, a.xy = a.xy + b.xy, a.xz = a.xz + b.xz;
    a.yy = a.yy + b.yy, a.yz = a.yz + b.yz, a.zz = a.zz + b.zz;
    return a;
}

/* R K R^T and R h, as those of a mass. */
static ZI_HOT Composite composite_rotate(real33 R, Composite a) {
    moments m;
    m.m = 0, m.h = a.h;
    m.xx = a.xx, m.xy = a.xy, m.xz = a.xz, m.yy = a.yy, m.yz = a.yz, m.zz = a.zz;
    m = moments_rotate(R, m);
    a.h = m.h;
    a.xx = m.xx, a.xy = m.xy, a.xz = m.xz, a.yy = m.yy, a.yz = m.yz, a.zz = m.zz;
    return a;
}

/* Turned about z, and from there into the axes of the parent. */
static ZI_HOT Composite composite_turn(turn t, Composite a) {
    a.h = r3_turn(t, a.h);
    turn_plane(t, &a.xx, &a.xy, &a.yy, &a.xz, &a.yz);
    return a;
}

/* E h and E K E^T; where E swaps axes (quarter turn, cyclic) entries only change places and signs. */
static ZI_HOT Composite composite_in(int form, const ReducedNumbers *n, Composite a) {
    if (is_level(form)) return a;
    if (form == ZI_TRANSFORM_ANY) return composite_rotate(reduced_E(n), a);
    a.h = transform_in(form, n, a.h);
    const Composite b = a;
    if (is_quarter(form)) {
        a.xy = -b.xz, a.xz = b.xy, a.yy = b.zz, a.yz = -b.yz, a.zz = b.yy;
    } else if (form == ZI_TRANSFORM_CYCLIC) {
        a.xx = b.zz, a.xy = b.xz, a.xz = b.yz, a.yy = b.xx, a.yz = b.xy, a.zz = b.yy;
    } else {
        turn_plane(turn_of(n->sine, n->cosine), &a.yy, &a.yz, &a.zz, &a.xy, &a.xz);
    }
    return a;
}

/* (19.2), about the parent's origin: K + r w^T + w r^T with w = h + m r / 2, then h + m r. */
static ZI_HOT Composite composite_shift(int form, real3 r, bool heavy, real m, Composite a) {
    const real x = r.x, y = r.y, z = r.z;
    real3 w = a.h;
    if (heavy) {
        w = r3_add(w, r3_scale(0.5 * m, r));
        a.h = r3_add(w, r3_scale(0.5 * m, r));
    }
    if (has_x(form)) a.xx = a.xx + (x + x) * w.x, a.xy = a.xy + x * w.y, a.xz = a.xz + x * w.z;
    if (has_y(form)) a.yy = a.yy + (y + y) * w.y, a.xy = a.xy + y * w.x, a.yz = a.yz + y * w.z;
    if (has_z(form)) a.zz = a.zz + (z + z) * w.z, a.xz = a.xz + z * w.x, a.yz = a.yz + z * w.y;
    return a;
}

/* Adds a composite, `moved` to the parent's origin and axes, to the parent's; the first child begins it. */
static ZI_HOT void pile(const Placed *x, int i, Composite moved, Composite *up) {
    const ziReducedStep *b = &x->step[i];
    *up = b->first ? composite_add(composite_of(&x->numbers[b->parent]), moved) : composite_add(*up, moved);
}

static ZI_COLD void gather_standing(const Placed *x, int i, const Composite *me, Composite *up) {
    FOR_UNROLL(k) {
        const LinkTransform *at = &x->transforms[i * REAL_UNROLL + k];
        pile(x, i, composite_shift(ZI_TRANSFORM_ANY, at->p, true, x->numbers[i].mass, composite_rotate(at->R, me[k])),
             &up[k]);
    }
}

/* -- columns ------------------------------------------------------------------------------------------------------ */

/* (19.10): sign (z x h;  J z) */
static ZI_HOT ReducedForce column_of(real sign, const Composite *me) {
    ReducedForce F;
    F.f = r3(-sign * me->h.y, sign * me->h.x, 0);
    F.n = r3(-sign * me->xz, -sign * me->yz, sign * (me->xx + me->yy));
    return F;
}
/* The same of a body that turns, seen from its parent: the column turns with the moments it is made of. */
static ZI_HOT ReducedForce column_in(int form, const ReducedNumbers *n, const Composite *turned) {
    ReducedForce F = column_of(n->sign, turned);
    F.f = transform_in(form, n, F.f);
    F.n = add_moment(form, n, F.f, transform_in(form, n, F.n));
    return F;
}

static ZI_COLD void carry_standing(const Placed *x, int i, ReducedForce *F) {
    const ziReducedStep *b = &x->step[i];
    for (int d = b->v; d < b->v_end; d++) {
        FOR_UNROLL(k) {
            const LinkTransform *transform = &x->transforms[i * REAL_UNROLL + k];
            ReducedForce *at = &F[d * REAL_UNROLL + k];
            at->f = r33_mul(transform->R, at->f);
            at->n = r3_add(r33_mul(transform->R, at->n), r3_cross(transform->p, at->f));
        }
    }
}

/* Column k of a body that does not turn about z, in its own axes. */
static ZI_HOT Pair standing_column(const ziReducedStep *b, const ReducedNumbers *n, const LinkTransform *at, int k) {
    const real one = 1, none = 0;
    Pair S;
    S.lin = S.ang = r3_zero();
    if (b->kind == ZI_REDUCED_SLIDES) {
        S.lin.z = n->sign;
    } else if (b->kind == ZI_REDUCED_FLOATS) {
        const real3 axis = r3(k % 3 == 0 ? one : none, k % 3 == 1 ? one : none, k % 3 == 2 ? one : none);
        *(k < 3 ? &S.lin : &S.ang) = axis;
    } else {
        S.lin = at->lin[k], S.ang = at->ang[k];
    }
    return S;
}

/* Inertia times a column: f = m v + w x h,  n = h x v + tr(K) w - K w. */
static ZI_HOT ReducedForce inertia_times_column(real m, const Composite *me, const Pair *S) {
    const real33 K = r33(r3(me->xx, me->xy, me->xz), r3(me->xy, me->yy, me->yz), r3(me->xz, me->yz, me->zz));
    const real3 spin = r3_sub(r3_scale(me->xx + me->yy + me->zz, S->ang), r33_mul(K, S->ang));
    ReducedForce F;
    F.f = r3_add(r3_scale(m, S->lin), r3_cross(S->ang, me->h));
    F.n = r3_add(r3_cross(me->h, S->lin), spin);
    return F;
}

static ZI_COLD void push_standing(const Placed *x, int i, const Composite *me, ReducedForce *F) {
    const ziReducedStep *b = &x->step[i];
    for (int d = b->v; d < b->v + b->nv; d++) {
        FOR_UNROLL(k) {
            const Pair S = standing_column(b, &x->numbers[i], &x->transforms[i * REAL_UNROLL + k], d - b->v);
            F[d * REAL_UNROLL + k] = inertia_times_column(x->numbers[i].mass, &me[k], &S);
        }
    }
}

/* What happens to a column F_d that reaches a body: it is projected on one axis and goes on, or ends there; it ends at
 * the six axes of a body that floats on the ground; or it is stored for a joint of any other type. */
enum { GOES_ON, ENDS_TURNING, ENDS_FLOATING, IS_LAID_DOWN };

static ZI_HOT int fate(const ziReducedStep *p) {
    if (p->kind == ZI_REDUCED_TURNS) return p->parent ? GOES_ON : ENDS_TURNING;
    return zi_reduced_floats(p) ? ENDS_FLOATING : IS_LAID_DOWN;
}

#endif
