/* Mass matrix of a lean robot: composite bodies (Stepanenko's idea) in body axes, by components.
 *
 *   inward   first and second moments of the subtree about the body's origin, turned and carried to the parent's;
 *            F_d = inertia times column d;  M_dk = S_k^T F_d at every body k it comes to: all F_d of a subtree, whose
 *            columns are contiguous, are carried together from body to body */
#ifndef ZV_DYNAMICS_LEAN_MASS_H
#define ZV_DYNAMICS_LEAN_MASS_H

#include "dynamics/lean_inverse.h"

/* First and second moments of a subtree; its mass is a number. */
typedef struct Heap {
    real3 h;
    real xx, xy, xz, yy, yz, zz;
} Heap;

_Static_assert(sizeof(Stand) + sizeof(Heap) <= ZV_DESK_PER_BODY, "desk too small");

/* -- moments ------------------------------------------------------------------------------------------------------ */

static ZV_HOT Heap heap_of(const LeanNumbers *n) {
    Heap a;
    a.h = r3(n->h[0], n->h[1], n->h[2]);
    a.xx = n->K[0], a.xy = n->K[1], a.xz = n->K[2], a.yy = n->K[3], a.yz = n->K[4], a.zz = n->K[5];
    return a;
}

static ZV_HOT Heap heap_add(Heap a, Heap b) {
    a.h = r3_add(a.h, b.h);
    a.xx = a.xx + b.xx, a.xy = a.xy + b.xy, a.xz = a.xz + b.xz;
    a.yy = a.yy + b.yy, a.yz = a.yz + b.yz, a.zz = a.zz + b.zz;
    return a;
}

/* R K R^T and R h, as those of a mass. */
static ZV_HOT Heap heap_rotate(real33 R, Heap a) {
    moments m;
    m.m = 0, m.h = a.h;
    m.xx = a.xx, m.xy = a.xy, m.xz = a.xz, m.yy = a.yy, m.yz = a.yz, m.zz = a.zz;
    m = moments_rotate(R, m);
    a.h = m.h;
    a.xx = m.xx, a.xy = m.xy, a.xz = m.xz, a.yy = m.yy, a.yz = m.yz, a.zz = m.zz;
    return a;
}

/* Turned about z, and from there into the axes of the parent. */
static ZV_HOT Heap heap_turn(turn t, Heap a) {
    a.h = r3_turn(t, a.h);
    turn_plane(t, &a.xx, &a.xy, &a.yy, &a.xz, &a.yz);
    return a;
}
static ZV_HOT Heap heap_in(int way, const LeanNumbers *n, Heap a) {
    if (is_level(way)) return a;
    if (way == ZV_WAY_ANY) return heap_rotate(lean_E(n), a);
    a.h = way_in(way, n, a.h);
    const Heap b = a;
    if (is_quarter(way)) {
        a.xy = -b.xz, a.xz = b.xy, a.yy = b.zz, a.yz = -b.yz, a.zz = b.yy;
    } else if (way == ZV_WAY_CYCLIC) {
        a.xx = b.zz, a.xy = b.xz, a.xz = b.yz, a.yy = b.xx, a.yz = b.xy, a.zz = b.yy;
    } else {
        turn_plane(turn_of(n->sine, n->cosine), &a.yy, &a.yz, &a.zz, &a.xy, &a.xz);
    }
    return a;
}

/* About the parent's origin: K + r w^T + w r^T with w = h + m r / 2, then h + m r. */
static ZV_HOT Heap heap_shift(int way, real3 r, bool heavy, real m, Heap a) {
    const real x = r.x, y = r.y, z = r.z;
    real3 w = a.h;
    if (heavy) {
        w = r3_add(w, r3_scale(0.5 * m, r));
        a.h = r3_add(w, r3_scale(0.5 * m, r));
    }
    if (has_x(way)) a.xx = a.xx + (x + x) * w.x, a.xy = a.xy + x * w.y, a.xz = a.xz + x * w.z;
    if (has_y(way)) a.yy = a.yy + (y + y) * w.y, a.xy = a.xy + y * w.x, a.yz = a.yz + y * w.z;
    if (has_z(way)) a.zz = a.zz + (z + z) * w.z, a.xz = a.xz + z * w.x, a.yz = a.yz + z * w.y;
    return a;
}

/* The parent's heap with that of a body, which stands as `moved` there. */
static ZV_HOT void pile(const Placed *x, int i, Heap moved, Heap *up) {
    const zvLeanStep *b = &x->step[i];
    *up = b->first ? heap_add(heap_of(&x->numbers[b->parent]), moved) : heap_add(*up, moved);
}

static ZV_HOT void gather_turning(int way, const Placed *x, int i, const Heap *me, Heap *up) {
    const LeanNumbers *n = &x->numbers[i];
    FOR_SIDES(k) {
        const Heap turned = heap_in(way, n, heap_turn(turn_at(x, i, k), me[k]));
        pile(x, i, heap_shift(way, lean_r(n), x->step[i].heavy, n->mass, turned), &up[k]);
    }
}

static ZV_COLD void gather_standing(const Placed *x, int i, const Heap *me, Heap *up) {
    FOR_SIDES(k) {
        const Stand *at = &x->stands[i * REAL_SIDES + k];
        pile(x, i, heap_shift(ZV_WAY_ANY, at->p, true, x->numbers[i].mass, heap_rotate(at->R, me[k])), &up[k]);
    }
}

/* -- columns ------------------------------------------------------------------------------------------------------ */

/* z x h,  J z */
static ZV_HOT LeanForce column_of(real sign, const Heap *me) {
    LeanForce F;
    F.f = r3(-sign * me->h.y, sign * me->h.x, 0);
    F.n = r3(-sign * me->xz, -sign * me->yz, sign * (me->xx + me->yy));
    return F;
}
/* The same of a body that turns, seen from its parent: the column turns with the moments it is made of. */
static ZV_HOT LeanForce column_in(int way, const LeanNumbers *n, const Heap *turned) {
    LeanForce F = column_of(n->sign, turned);
    F.f = way_in(way, n, F.f);
    F.n = add_moment(way, n, F.f, way_in(way, n, F.n));
    return F;
}

/* Moments of a body that turns, its own column and those beyond it, to its parent. */
static ZV_HOT void rise_turning(int way, const Placed *x, int i, const Heap *me, Heap *up, LeanForce *F) {
    const zvLeanStep *b = &x->step[i];
    const LeanNumbers n = x->numbers[i];
    FOR_SIDES(k) {
        const turn t = turn_at(x, i, k);
        const Heap turned = heap_turn(t, me[k]);
        F[b->v * REAL_SIDES + k] = column_in(way, &n, &turned);
        pile(x, i, heap_shift(way, lean_r(&n), b->heavy, n.mass, heap_in(way, &n, turned)), &up[k]);
        LeanForce *end = F + b->v_end * REAL_SIDES + k;
        for (LeanForce *at = F + (b->v + 1) * REAL_SIDES + k; at < end; at += REAL_SIDES) {
            const real3 f = turn_in(way, &n, t, at->f);
            at->n = add_moment(way, &n, f, turn_in(way, &n, t, at->n));
            at->f = f;
        }
    }
}

static ZV_COLD void carry_standing(const Placed *x, int i, LeanForce *F) {
    const zvLeanStep *b = &x->step[i];
    for (int d = b->v; d < b->v_end; d++) {
        FOR_SIDES(k) {
            const Stand *stand = &x->stands[i * REAL_SIDES + k];
            LeanForce *at = &F[d * REAL_SIDES + k];
            at->f = r33_mul(stand->R, at->f);
            at->n = r3_add(r33_mul(stand->R, at->n), r3_cross(stand->p, at->f));
        }
    }
}

/* Column of M of a body that turns, from the diagonal down: F_d about its axis. */
static ZV_HOT void meet_turning(const Placed *x, int i, const Heap *me, const LeanForce *F, real *M) {
    const zvLeanStep *b = &x->step[i];
    const real sign = x->numbers[i].sign;
    const size_t nv = (size_t)x->tree->nv;
    real *to = M + (size_t)b->v * (nv + 1) * REAL_SIDES;
    for (int k = 0; k < REAL_SIDES; k++) to[k] = me[k].xx + me[k].yy + x->tree->armature[b->v];
    for (int d = b->v + 1; d < b->v_end; d++) {
        to += nv * REAL_SIDES;
        for (int k = 0; k < REAL_SIDES; k++) to[k] = sign * F[d * REAL_SIDES + k].n.z;
    }
}

/* Columns of a body that floats on the ground: those beyond it, and its own m 1, -h~; h~, J. */
static ZV_HOT void meet_floating(const Placed *x, int i, const Heap *me, const LeanForce *F, real *M) {
    const zvLeanStep *b = &x->step[i];
    const size_t nv = (size_t)x->tree->nv;
    const real m = x->numbers[i].mass, none = 0;
    for (int d = b->v + 6; d < b->v_end; d++) {
        FOR_SIDES(k) {
            const LeanForce *at = &F[d * REAL_SIDES + k];
            real *row = M + ((size_t)d * nv + (size_t)b->v) * REAL_SIDES + k;
            row[0] = at->f.x, row[REAL_SIDES] = at->f.y, row[2 * REAL_SIDES] = at->f.z;
            row[3 * REAL_SIDES] = at->n.x, row[4 * REAL_SIDES] = at->n.y, row[5 * REAL_SIDES] = at->n.z;
        }
    }
    FOR_SIDES(k) {
        const Heap *a = &me[k];
        const real entry[21] = {m,      none,          m,      none,   none,         m,      none,          -a->h.z,
                                a->h.y, a->yy + a->zz, a->h.z, none,   -a->h.x,      -a->xy, a->xx + a->zz, -a->h.y,
                                a->h.x, none,          -a->xz, -a->yz, a->xx + a->yy};
        for (int d = 0, e = 0; d < 6; d++) {
            real *row = M + ((size_t)(b->v + d) * nv + (size_t)b->v) * REAL_SIDES + k;
            for (int j = 0; j <= d; j++) row[j * REAL_SIDES] = entry[e++];
            row[d * REAL_SIDES] = row[d * REAL_SIDES] + x->tree->armature[b->v + d];
        }
    }
}

/* Columns of any other body, from the diagonal down. */
static ZV_COLD void meet_standing(const Placed *x, int i, const LeanForce *F, real *M) {
    const zvLeanStep *b = &x->step[i];
    for (int d = b->v; d < b->v_end; d++) {
        FOR_SIDES(k) {
            const LeanForce *at = &F[d * REAL_SIDES + k];
            const Stand *stand = &x->stands[i * REAL_SIDES + k];
            real *row = M + ((size_t)d * (size_t)x->tree->nv + (size_t)b->v) * REAL_SIDES + k;
            for (int j = 0; j < b->nv && b->v + j <= d; j++)
                row[j * REAL_SIDES] = column_force(b, &x->numbers[i], stand, j, at->f, at->n);
        }
    }
    for (int d = b->v; d < b->v + b->nv; d++) {
        real *diagonal = M + (size_t)d * ((size_t)x->tree->nv + 1) * REAL_SIDES;
        for (int k = 0; k < REAL_SIDES; k++) diagonal[k] = diagonal[k] + x->tree->armature[d];
    }
}

/* Column k of a body that stands, in its own axes. */
static ZV_HOT Pair standing_column(const zvLeanStep *b, const LeanNumbers *n, const Stand *at, int k) {
    const real one = 1, none = 0;
    Pair S;
    S.lin = S.ang = r3_zero();
    if (b->kind == ZV_LEAN_SLIDES) {
        S.lin.z = n->sign;
    } else if (b->kind == ZV_LEAN_FLOATS) {
        const real3 axis = r3(k % 3 == 0 ? one : none, k % 3 == 1 ? one : none, k % 3 == 2 ? one : none);
        *(k < 3 ? &S.lin : &S.ang) = axis;
    } else {
        S.lin = at->lin[k], S.ang = at->ang[k];
    }
    return S;
}

/* Inertia times a column: f = m v + w x h,  n = h x v + tr(K) w - K w. */
static ZV_HOT LeanForce push(real m, const Heap *me, const Pair *S) {
    const real33 K = r33(r3(me->xx, me->xy, me->xz), r3(me->xy, me->yy, me->yz), r3(me->xz, me->yz, me->zz));
    const real3 spin = r3_sub(r3_scale(me->xx + me->yy + me->zz, S->ang), r33_mul(K, S->ang));
    LeanForce F;
    F.f = r3_add(r3_scale(m, S->lin), r3_cross(S->ang, me->h));
    F.n = r3_add(r3_cross(me->h, S->lin), spin);
    return F;
}

static ZV_COLD void push_standing(const Placed *x, int i, const Heap *me, LeanForce *F) {
    const zvLeanStep *b = &x->step[i];
    for (int d = b->v; d < b->v + b->nv; d++) {
        FOR_SIDES(k) {
            const Pair S = standing_column(b, &x->numbers[i], &x->stands[i * REAL_SIDES + k], d - b->v);
            F[d * REAL_SIDES + k] = push(x->numbers[i].mass, &me[k], &S);
        }
    }
}

static ZV_HOT void mass_of_body(const Placed *x, int i, Heap *heap, LeanForce *F, real *M) {
    const zvLeanStep *b = &x->step[i];
    Heap *me = &heap[i * REAL_SIDES], *up = &heap[b->parent * REAL_SIDES];
    const bool last = b->v_end == b->v + b->nv;
    for (int k = 0; k < REAL_SIDES && last; k++) me[k] = heap_of(&x->numbers[i]);
    if (b->kind == ZV_LEAN_TURNS) {
        meet_turning(x, i, me, F, M);
        if (b->parent) ALONG_THE_WAY(b->way, rise_turning, x, i, me, up, F);
    } else if (zv_lean_floats(b)) {
        meet_floating(x, i, me, F, M);
    } else {
        push_standing(x, i, me, F);
        meet_standing(x, i, F, M);
        if (!b->parent) return;
        gather_standing(x, i, me, up);
        carry_standing(x, i, F);
    }
}

/* The lower triangle of M (tree nv x tree nv x REAL_SIDES): entry (row, column) of side k at
 * [(row * nv + column) * REAL_SIDES + k]. */
static inline void lean_composite(const Placed *x, zvDesk desk, real *M) {
    const zvTree *t = x->tree;
    const size_t nv = (size_t)t->nv;
    Heap *heap = zv_desk_array(&desk, Heap, (size_t)t->nb * REAL_SIDES);
    LeanForce *F = zv_desk_array(&desk, LeanForce, nv * REAL_SIDES);
    if (t->lean->branched) memset((void *)M, 0, nv * nv * REAL_SIDES * sizeof *M);
    for (int i = t->nb - 1; i > 0; i--) mass_of_body(x, i, heap, F, M);
}

/* Upper triangle from the lower one. */
static inline void lean_mirror(int n, real *M) {
    for (int i = 1; i < n; i++) {
        const real *row = M + (size_t)i * (size_t)n * REAL_SIDES;
        for (int j = 0; j < i; j++)
            for (int k = 0; k < REAL_SIDES; k++)
                M[((size_t)j * (size_t)n + (size_t)i) * REAL_SIDES + (size_t)k] = row[j * REAL_SIDES + k];
    }
}

#endif
