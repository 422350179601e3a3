/* Mass matrix of a group of states: the recursion of dynamics/reduced_mass.h, whose entries are stored in their final
 * place at once. Forces that have reached a body on the ground are not stored any more. */
#ifndef ZI_BATCH_COLUMNS_H
#define ZI_BATCH_COLUMNS_H

#include "batch/unroll.h"

/* A symmetric matrix: entry (i, j) of a slot at i * down + j * along + slot * REAL_LANES. */
struct Matrix {
    lane *place;
    size_t down, along;
};

static inline Matrix in_scratch(real *M, size_t n) {
    return {(lane *)M, n * REAL_UNROLL * REAL_LANES, REAL_UNROLL * REAL_LANES};
}

/* Entries (i, j), i >= j, one after the other. */
struct Cursor {
    lane *here, *there; /* (i, j) and (j, i) */
};
static ZI_HOT Cursor cursor_at(const Matrix &M, int i, int j, int slot) {
    lane *place = M.place + (size_t)slot * REAL_LANES;
    return {place + (size_t)i * M.down + (size_t)j * M.along, place + (size_t)j * M.down + (size_t)i * M.along};
}
static ZI_HOT void put(const Matrix &, const Cursor &c, real x) {
    *(loose_lanes *)c.here = x.v;
    *(loose_lanes *)c.there = x.v;
}
static ZI_HOT void put_along(const Matrix &M, Cursor &c, real x) {
    put(M, c, x);
    c.here += M.along, c.there += M.down;
}
static ZI_HOT void go_down(const Matrix &M, Cursor &c) { c.here += M.down, c.there += M.along; }

/* Zeros in row i, columns from j to end - 1. */
static ZI_HOT void clear_row(const Matrix &M, int i, int j, int end) {
    lane *at = M.place + (size_t)i * M.down + (size_t)j * M.along;
    for (; j < end; j++, at += M.along)
        for (size_t k = 0; k < REAL_UNROLL; k++) *(loose_lanes *)(at + k * REAL_LANES) = lanes{};
}

/* Zeros between freedoms of different branches, row by row: columns beyond the subtree of a body, and before it those
 * that are not on its path to the root. */
static inline void clear_off_paths(const Placed *x, const Matrix &M) {
    const ziTree *t = x->tree;
    for (int i = 1; i < t->nb; i++) {
        const ziReducedStep *b = &x->step[i];
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

/* What happens to a column F_d that reaches a body: it is projected on one axis and goes on, or ends there; it ends at
 * the six axes of a body that floats on the ground; or it is stored for a joint of any other type. */
enum { GOES_ON, ENDS_TURNING, ENDS_FLOATING, IS_LAID_DOWN };

static ZI_HOT int fate(const ziReducedStep *p) {
    if (p->kind == ZI_REDUCED_TURNS) return p->parent ? GOES_ON : ENDS_TURNING;
    return zi_reduced_floats(p) ? ENDS_FLOATING : IS_LAID_DOWN;
}

/* A column with force f and moment m reaches a body; c is its entry of M, and afterwards that of the next column. */
template <class To, class At>
static ZI_HOT void arrive(int fate, real sign, real3 f, real3 m, ReducedForce *at, At &c, const To &M) {
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
static ZI_HOT void bring_turning(int form, int fate, const Placed *x, int i, ReducedForce *F, const To &M) {
    const ziReducedStep *b = &x->step[i], *p = &x->step[b->parent];
    const ReducedNumbers n = x->numbers[i];
    const real sign = x->numbers[b->parent].sign;
    FOR_UNROLL(k) {
        const turn t = turn_at(x, i, k);
        auto c = cursor_at(M, b->v + 1, p->v, k);
        ReducedForce *end = F + b->v_end * REAL_UNROLL + k;
        for (ReducedForce *at = F + (b->v + 1) * REAL_UNROLL + k; at < end; at += REAL_UNROLL) {
            const real3 f = turn_in(form, &n, t, at->f);
            arrive(fate, sign, f, add_moment(form, &n, f, turn_in(form, &n, t, at->n)), at, c, M);
        }
    }
}

/* Moments of body i, which turns, and its own column to its parent: the column turns with the moments it is made of.
 * To a body that turns on the ground only moments about its axis are needed; the others stay unset there. */
template <class To>
static ZI_HOT void step_turning(int form, int fate, const Placed *x, int i, const Composite *me, Composite *up,
                                ReducedForce *F, const To &M) {
    const ziReducedStep *b = &x->step[i], *p = &x->step[b->parent];
    const ReducedNumbers n = x->numbers[i], *own = &x->numbers[b->parent];
    FOR_UNROLL(k) {
        const Composite turned = composite_turn(turn_at(x, i, k), me[k]);
        const ReducedForce column = column_in(form, &n, &turned);
        auto c = cursor_at(M, b->v, p->v, k);
        arrive(fate, own->sign, column.f, column.n, &F[b->v * REAL_UNROLL + k], c, M);
        const Composite moved = composite_shift(form, reduced_r(&n), b->heavy, n.mass, composite_in(form, &n, turned));
        if (fate != ENDS_TURNING) {
            pile(x, i, moved, &up[k]);
        } else {
            up[k].xx = (b->first ? real(own->K[0]) : up[k].xx) + moved.xx;
            up[k].yy = (b->first ? real(own->K[3]) : up[k].yy) + moved.yy;
        }
    }
    if (b->v_end > b->v + 1) bring_turning(form, fate, x, i, F, M);
}

/* Columns first ... end - 1, stored at body i, projected on its axes. */
template <class To>
static ZI_COLD void meet(const Placed *x, int i, int first, int end, const ReducedForce *F, const To &M) {
    const ziReducedStep *b = &x->step[i];
    const ReducedNumbers *n = &x->numbers[i];
    for (int d = first; d < end; d++) {
        FOR_UNROLL(k) {
            const ReducedForce *at = &F[d * REAL_UNROLL + k];
            auto c = cursor_at(M, d, b->v, k);
            if (b->kind == ZI_REDUCED_TURNS) put_along(M, c, n->sign * at->n.z);
            for (int j = 0; j < b->nv && b->kind != ZI_REDUCED_TURNS; j++)
                put_along(M, c, column_force(b, n, &x->transforms[i * REAL_UNROLL + k], j, at->f, at->n));
        }
    }
}

/* -- bodies ------------------------------------------------------------------------------------------------------- */

/* Body i, which turns: its diagonal entry, then its column and all beyond it to the parent, with transform form and
 * fate as constants. */
template <class To>
static ZI_HOT void mass_of_turning(const Placed *x, int i, const Composite *me, Composite *up, ReducedForce *F,
                                   const To &M) {
    const ziReducedStep *b = &x->step[i];
    for (int k = 0; k < REAL_UNROLL; k++)
        put(M, cursor_at(M, b->v, b->v, k), me[k].xx + me[k].yy + x->tree->armature[b->v]);
    if (!b->parent) return;
    switch (fate(&x->step[b->parent])) {
    case GOES_ON: BY_TRANSFORM_FORM(b->form, step_turning<To>, GOES_ON, x, i, me, up, F, M); break;
    case ENDS_TURNING: BY_TRANSFORM_FORM(b->form, step_turning<To>, ENDS_TURNING, x, i, me, up, F, M); break;
    case ENDS_FLOATING: BY_TRANSFORM_FORM(b->form, step_turning<To>, ENDS_FLOATING, x, i, me, up, F, M); break;
    default:
        BY_TRANSFORM_FORM(b->form, step_turning<To>, IS_LAID_DOWN, x, i, me, up, F, M);
        meet(x, b->parent, b->v, b->v_end, F, M);
    }
}

/* Own columns of a body that floats on the ground: m 1, -h~; h~, J. */
template <class To> static ZI_COLD void mass_of_floating(const Placed *x, int i, const Composite *me, const To &M) {
    const ziReducedStep *b = &x->step[i];
    const double *armature = x->tree->armature + b->v;
    const real m = x->numbers[i].mass, none = 0;
    FOR_UNROLL(k) {
        const Composite a = me[k];
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

/* Body i with any other joint: the block of its own columns, then composite and columns carried to the parent and
 * projected on the parent's axes. */
template <class To>
static ZI_COLD void mass_of_standing(const Placed *x, int i, const Composite *me, Composite *up, ReducedForce *F,
                                     const To &M) {
    const ziReducedStep *b = &x->step[i];
    const ReducedNumbers *n = &x->numbers[i];
    push_standing(x, i, me, F);
    for (int d = 0; d < b->nv; d++) {
        FOR_UNROLL(k) {
            const ReducedForce *at = &F[(b->v + d) * REAL_UNROLL + k];
            const LinkTransform *transform = &x->transforms[i * REAL_UNROLL + k];
            auto c = cursor_at(M, b->v + d, b->v, k);
            for (int j = 0; j < d; j++) put_along(M, c, column_force(b, n, transform, j, at->f, at->n));
            put_along(M, c, column_force(b, n, transform, d, at->f, at->n) + x->tree->armature[b->v + d]);
        }
    }
    if (!b->parent) return;
    gather_standing(x, i, me, up);
    carry_standing(x, i, F);
    meet(x, b->parent, b->v, b->v_end, F, M);
}

/* M of tree coordinates. */
template <class To> static inline void mass_columns(const Placed *x, ziScratch scratch, const To &M) {
    const ziTree *t = x->tree;
    Composite *composite = zi_scratch_array(&scratch, Composite, (size_t)t->nb * REAL_UNROLL);
    ReducedForce *F = zi_scratch_array(&scratch, ReducedForce, (size_t)t->nv * REAL_UNROLL);
    if (t->reduced->branched) clear_off_paths(x, M);
    for (int i = t->nb - 1; i > 0; i--) {
        const ziReducedStep *b = &x->step[i];
        Composite *me = &composite[i * REAL_UNROLL], *up = &composite[b->parent * REAL_UNROLL];
        for (int k = 0; k < REAL_UNROLL && b->v_end == b->v + b->nv; k++) me[k] = composite_of(&x->numbers[i]);
        if (b->kind == ZI_REDUCED_TURNS)
            mass_of_turning(x, i, me, up, F, M);
        else if (zi_reduced_floats(b))
            mass_of_floating(x, i, me, M);
        else
            mass_of_standing(x, i, me, up, F, M);
    }
}

#endif
