/* Mass matrix of a group of states: the recursion of dynamics/lean_mass.h, whose entries go where they are wanted as
 * soon as they are known. Forces that have come to a body on the ground are not laid down any more. */
#ifndef ZV_BATCH_COLUMNS_H
#define ZV_BATCH_COLUMNS_H

#include "batch/sides.h"

/* A symmetric matrix: entry (i, j) of a side at i * down + j * along + side * REAL_LANES. */
struct Matrix {
    lane *place;
    size_t down, along;
};

static inline Matrix on_desk(real *M, size_t n) {
    return {(lane *)M, n * REAL_SIDES * REAL_LANES, REAL_SIDES * REAL_LANES};
}

/* Entries (i, j), i >= j, one after the other. */
struct Cursor {
    lane *here, *there; /* (i, j) and (j, i) */
};
static ZV_HOT Cursor cursor_at(const Matrix &M, int i, int j, int side) {
    lane *place = M.place + (size_t)side * REAL_LANES;
    return {place + (size_t)i * M.down + (size_t)j * M.along, place + (size_t)j * M.down + (size_t)i * M.along};
}
static ZV_HOT void put(const Matrix &, const Cursor &c, real x) {
    *(loose_lanes *)c.here = x.v;
    *(loose_lanes *)c.there = x.v;
}
static ZV_HOT void put_along(const Matrix &M, Cursor &c, real x) {
    put(M, c, x);
    c.here += M.along, c.there += M.down;
}
static ZV_HOT void go_down(const Matrix &M, Cursor &c) { c.here += M.down, c.there += M.along; }

/* Zeros in row i, columns from j to end - 1. */
static ZV_HOT void clear_row(const Matrix &M, int i, int j, int end) {
    lane *at = M.place + (size_t)i * M.down + (size_t)j * M.along;
    for (; j < end; j++, at += M.along)
        for (size_t k = 0; k < REAL_SIDES; k++) *(loose_lanes *)(at + k * REAL_LANES) = lanes{};
}

/* Entries of freedoms that are not on each other's way to the root, row by row: what is beyond the subtree of a body,
 * and before it what its way leaves out. */
static inline void clear_off_ways(const Placed *x, const Matrix &M) {
    const zvTree *t = x->tree;
    for (int i = 1; i < t->nb; i++) {
        const zvLeanStep *b = &x->step[i];
        for (int d = b->v; d < b->v + b->nv; d++) {
            for (int start = t->dof_start[d]; start > 0;) {
                const int on = t->dof_parent[start];
                clear_row(M, d, on + 1, start);
                start = on < 0 ? 0 : t->dof_start[on];
            }
            clear_row(M, d, b->v_end, t->nv);
        }
    }
}

/* -- columns ------------------------------------------------------------------------------------------------------ */

/* What becomes of a column that comes to a body: it meets one axis and goes on, or ends there; it ends at the six axes
 * of a body that floats on the ground; or it is laid down for whatever comes. */
enum { GOES_ON, ENDS_TURNING, ENDS_FLOATING, IS_LAID_DOWN };

static ZV_HOT int fate(const zvLeanStep *p) {
    if (p->kind == ZV_LEAN_TURNS) return p->parent ? GOES_ON : ENDS_TURNING;
    return zv_lean_floats(p) ? ENDS_FLOATING : IS_LAID_DOWN;
}

/* A column with force f and moment m comes to a body; c is where it meets it, and then where the next one will. */
template <class To, class At>
static ZV_HOT void arrive(int fate, real sign, real3 f, real3 m, LeanForce *at, At &c, const To &M) {
    if (fate == GOES_ON || fate == IS_LAID_DOWN) at->f = f, at->n = m;
    if (fate == GOES_ON || fate == ENDS_TURNING) put(M, c, sign * m.z);
    if (fate == ENDS_FLOATING) {
        At along = c;
        put_along(M, along, f.x), put_along(M, along, f.y), put_along(M, along, f.z);
        put_along(M, along, m.x), put_along(M, along, m.y), put_along(M, along, m.z);
    }
    go_down(M, c);
}

/* Columns of the bodies beyond body i, which turns, to its parent. */
template <class To>
static ZV_HOT void bring_turning(int way, int fate, const Placed *x, int i, LeanForce *F, const To &M) {
    const zvLeanStep *b = &x->step[i], *p = &x->step[b->parent];
    const LeanNumbers n = x->numbers[i];
    const real sign = x->numbers[b->parent].sign;
    FOR_SIDES(k) {
        const turn t = turn_at(x, i, k);
        auto c = cursor_at(M, b->v + 1, p->v, k);
        LeanForce *end = F + b->v_end * REAL_SIDES + k;
        for (LeanForce *at = F + (b->v + 1) * REAL_SIDES + k; at < end; at += REAL_SIDES) {
            const real3 f = turn_in(way, &n, t, at->f);
            arrive(fate, sign, f, add_moment(way, &n, f, turn_in(way, &n, t, at->n)), at, c, M);
        }
    }
}

/* Moments of body i, which turns, and its own column to its parent: the column turns with the moments it is made of.
 * To a body that turns on the ground only moments about its axis are asked for; the others stay unset there. */
template <class To>
static ZV_HOT void step_turning(int way, int fate, const Placed *x, int i, const Heap *me, Heap *up, LeanForce *F,
                                const To &M) {
    const zvLeanStep *b = &x->step[i], *p = &x->step[b->parent];
    const LeanNumbers n = x->numbers[i], *own = &x->numbers[b->parent];
    FOR_SIDES(k) {
        const Heap turned = heap_turn(turn_at(x, i, k), me[k]);
        const LeanForce column = column_in(way, &n, &turned);
        auto c = cursor_at(M, b->v, p->v, k);
        arrive(fate, own->sign, column.f, column.n, &F[b->v * REAL_SIDES + k], c, M);
        const Heap moved = heap_shift(way, lean_r(&n), b->heavy, n.mass, heap_in(way, &n, turned));
        if (fate != ENDS_TURNING) {
            pile(x, i, moved, &up[k]);
        } else {
            up[k].xx = (b->first ? real(own->K[0]) : up[k].xx) + moved.xx;
            up[k].yy = (b->first ? real(own->K[3]) : up[k].yy) + moved.yy;
        }
    }
    if (b->v_end > b->v + 1) bring_turning(way, fate, x, i, F, M);
}

/* Columns first ... end - 1, laid down at body i. */
template <class To>
static ZV_COLD void meet(const Placed *x, int i, int first, int end, const LeanForce *F, const To &M) {
    const zvLeanStep *b = &x->step[i];
    const LeanNumbers *n = &x->numbers[i];
    for (int d = first; d < end; d++) {
        FOR_SIDES(k) {
            const LeanForce *at = &F[d * REAL_SIDES + k];
            auto c = cursor_at(M, d, b->v, k);
            if (b->kind == ZV_LEAN_TURNS) put_along(M, c, n->sign * at->n.z);
            for (int j = 0; j < b->nv && b->kind != ZV_LEAN_TURNS; j++)
                put_along(M, c, column_force(b, n, &x->stands[i * REAL_SIDES + k], j, at->f, at->n));
        }
    }
}

/* -- bodies ------------------------------------------------------------------------------------------------------- */

template <class To>
static ZV_HOT void mass_of_turning(const Placed *x, int i, const Heap *me, Heap *up, LeanForce *F, const To &M) {
    const zvLeanStep *b = &x->step[i];
    for (int k = 0; k < REAL_SIDES; k++)
        put(M, cursor_at(M, b->v, b->v, k), me[k].xx + me[k].yy + x->tree->armature[b->v]);
    if (!b->parent) return;
    switch (fate(&x->step[b->parent])) {
    case GOES_ON: ALONG_THE_WAY(b->way, step_turning<To>, GOES_ON, x, i, me, up, F, M); break;
    case ENDS_TURNING: ALONG_THE_WAY(b->way, step_turning<To>, ENDS_TURNING, x, i, me, up, F, M); break;
    case ENDS_FLOATING: ALONG_THE_WAY(b->way, step_turning<To>, ENDS_FLOATING, x, i, me, up, F, M); break;
    default:
        ALONG_THE_WAY(b->way, step_turning<To>, IS_LAID_DOWN, x, i, me, up, F, M);
        meet(x, b->parent, b->v, b->v_end, F, M);
    }
}

/* Own columns of a body that floats on the ground: m 1, -h~; h~, J. */
template <class To> static ZV_COLD void mass_of_floating(const Placed *x, int i, const Heap *me, const To &M) {
    const zvLeanStep *b = &x->step[i];
    const double *armature = x->tree->armature + b->v;
    const real m = x->numbers[i].mass, none = 0;
    FOR_SIDES(k) {
        const Heap a = me[k];
        const real entry[21] = {m,           none,   m,           none,  none,  m,      none,
                                -a.h.z,      a.h.y,  a.yy + a.zz, a.h.z, none,  -a.h.x, -a.xy,
                                a.xx + a.zz, -a.h.y, a.h.x,       none,  -a.xz, -a.yz,  a.xx + a.yy};
        for (int d = 0, e = 0; d < 6; d++) {
            auto c = cursor_at(M, b->v + d, b->v, k);
            for (int j = 0; j < d; j++) put_along(M, c, entry[e++]);
            put_along(M, c, entry[e++] + armature[d]);
        }
    }
}

template <class To>
static ZV_COLD void mass_of_standing(const Placed *x, int i, const Heap *me, Heap *up, LeanForce *F, const To &M) {
    const zvLeanStep *b = &x->step[i];
    const LeanNumbers *n = &x->numbers[i];
    push_standing(x, i, me, F);
    for (int d = 0; d < b->nv; d++) {
        FOR_SIDES(k) {
            const LeanForce *at = &F[(b->v + d) * REAL_SIDES + k];
            const Stand *stand = &x->stands[i * REAL_SIDES + k];
            auto c = cursor_at(M, b->v + d, b->v, k);
            for (int j = 0; j < d; j++) put_along(M, c, column_force(b, n, stand, j, at->f, at->n));
            put_along(M, c, column_force(b, n, stand, d, at->f, at->n) + x->tree->armature[b->v + d]);
        }
    }
    if (!b->parent) return;
    gather_standing(x, i, me, up);
    carry_standing(x, i, F);
    meet(x, b->parent, b->v, b->v_end, F, M);
}

/* M of tree coordinates. */
template <class To> static inline void mass_columns(const Placed *x, zvDesk desk, const To &M) {
    const zvTree *t = x->tree;
    Heap *heap = zv_desk_array(&desk, Heap, (size_t)t->nb * REAL_SIDES);
    LeanForce *F = zv_desk_array(&desk, LeanForce, (size_t)t->nv * REAL_SIDES);
    if (t->lean->branched) clear_off_ways(x, M);
    for (int i = t->nb - 1; i > 0; i--) {
        const zvLeanStep *b = &x->step[i];
        Heap *me = &heap[i * REAL_SIDES], *up = &heap[b->parent * REAL_SIDES];
        for (int k = 0; k < REAL_SIDES && b->v_end == b->v + b->nv; k++) me[k] = heap_of(&x->numbers[i]);
        if (b->kind == ZV_LEAN_TURNS)
            mass_of_turning(x, i, me, up, F, M);
        else if (zv_lean_floats(b))
            mass_of_floating(x, i, me, M);
        else
            mass_of_standing(x, i, me, up, F, M);
    }
}

#endif
