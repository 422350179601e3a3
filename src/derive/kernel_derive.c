/* Derivatives of inverse dynamics, O(n depth), and what forward dynamics needs for its own; docs/derivatives.md has the
 * derivation, to whose equations the numbers refer.
 *
 *   outward  motions, columns, inertias (kernel_derive_outward.h)
 *   inward   of the subtree: inertia, force F, and B = 2 (0, -p~; 0, Q) (6); of its own columns the forces P, U, W and
 *            the vectors z, y, which meet the columns of all ancestors on their way to the root (kernel_derive_meet.h)
 *
 * Forward dynamics goes inward twice: first with a = 0 for M and the forces at that; then, a being found from them, for
 * the rest. The second time inertias and forces of subtrees are known but for what a adds: I A_more + H. */
#include "derive/kernel_derive_meet.h"

typedef struct DeriveSweep {
    DerivedState z;
    DerivedBody *row;
    DerivedColumn *column;
    Columns x;
} DeriveSweep;

/* Q - a~ b~ */
static inline mat3 subtract_cross_cross(mat3 Q, vec3 a, vec3 b) {
    return m3_add_diagonal(m3_deflate(Q, b, a), v3_dot(a, b));
}

/* The subtree seen from the parent's origin: (7), (14). */
static ZI_HOT void add_below(DerivedBody *up, const DerivedBody *me, const bool loaded) {
    const vec3 r = me->at.r, p = v3_axpy(me->I_.m, me->dr, me->p);
    up->p = v3_add(up->p, p);
    up->Q = m3_add(up->Q, subtract_cross_cross(subtract_cross_cross(me->Q, me->I_.h, me->dr), r, p));
    if (!loaded) return;
    up->load = v3_add(up->load, me->load);
    up->K = m3_add(up->K, subtract_cross_cross(me->K, r, me->load));
}
static ZI_HOT void add_weight_below(DerivedBody *up, const DerivedBody *me) {
    up->F = force_add(up->F, force_shift(me->F, me->at.r));
    rigid_add_shifted(&up->I_, &me->I_, me->at.r);
}

/* The force of a subtree with what a adds. */
static ZI_HOT void add_more(DerivedBody *me) {
    me->F = force_add(me->F, force_add(rigid_mul(&me->I_, me->more), me->H));
}
static ZI_HOT void add_more_below(const ziBody *b, DerivedBody *up, const DerivedBody *me, const DerivedColumn *col,
                                  const real *a) {
    force H = me->H;
    for (int k = 0; k < b->nv; k++) H = force_axpy(a[k], rigid_mul(&me->I_, col[k].S), H);
    up->H = force_add(up->H, force_shift(H, me->at.r));
}

static ZI_COLD void inward_joint(const ziTree *t, const DeriveSweep *s, int i, const bool loaded, const Outputs *o) {
    const ziBody *b = &t->body[i];
    const DerivedColumn *col = s->column + b->v;
    for (int k = 0; k < b->nv; k++) put_column(&s->row[i], &col[k], loaded, &s->x, b->v + k);
    meet_joint(b, col, loaded, &s->x, o);
    if (o->dq && (b->nv > 1 || b->columns_move))
        own_changes(t, b, s->z.q + b->q, &s->row[b->parent], &s->row[i].F, col, o->dq);
    if (b->parent) columns_carry(&s->x, b->v, b->v_end, s->row[i].at.r, s->row[i].dr);
}

/* again: inertias and forces have been summed up. loaded and again are constants. */
static ZI_HOT void inward(const ziTree *t, const DeriveSweep *s, const bool loaded, const bool again,
                          const Outputs *o) {
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        const DerivedColumn *col = s->column + b->v;
        DerivedBody *me = &s->row[i], *up = &s->row[b->parent];
        if (again) add_more(me);
        if (b->type == ZV_JOINT_REVOLUTE) {
            const RevoluteOwn own = own_of(me, col, loaded);
            meet_hinge(b, me, col, &own, loaded, &s->x, o);
            if (again) up->H = force_add(up->H, force_shift(force_axpy(s->z.a[b->v], own.P, me->H), me->at.r));
        } else {
            inward_joint(t, s, i, loaded, o);
            for (int k = b->v; k < b->v + b->nv && b->v_end < t->nv; k++) {
                clear_reach(o->dq, t->nv, k, b->v_end);
                clear_reach(o->dv, t->nv, k, b->v_end);
                clear_reach(o->da, t->nv, k, b->v_end);
            }
            if (again) add_more_below(b, up, me, col, s->z.a + b->v);
        }
        if (!b->parent) continue;
        add_below(up, me, loaded);
        if (!again) add_weight_below(up, me);
    }
}

enum { SHORT_PATHS = 6 }; /* joints on a path, up to which columns are better taken one by one */

/* The mass matrix as paths (dynamics/factors.h; dof b->v has `depth` dofs above), and tau -= S . F: all of it at the a
 * that bodies move with. */
static ZI_HOT void weigh_hinge(const ziBody *b, const DerivedBody *me, const DerivedColumn *col, const Columns *x,
                               int n, int depth, real *M) {
    const force P = force_of(v3_cross(col->S.ang, me->I_.h), m3_mulv(me->I_.J, col->S.ang));
    const Probe ang = probe_of(col->S.ang), r = probe_of(me->at.r);
    const int k = b->v, to = b->v_end;
    for (int d = to > k + 1 ? block_first(x, k + 1) : to; d < to; d += PACK) {
        real *at = block_at(x, d);
        const Probe within = probe_first(r, to - d);
        column_within(M + depth, n, d, 0, to, met(at, IN_P + 3, &ang));
        carry_force(at, IN_P, &within);
    }
    M[(size_t)k * (size_t)n + (size_t)depth] = v3_dot(col->S.ang, P.ang);
    columns_put_force(x, IN_P, k, force_shift(P, me->at.r));
}

/* The same for any other joint: P of its columns first, so that the blocks of its subtree, its own columns included,
 * meet all of them before they are carried on. */
static ZI_COLD void weigh_joint(const ziBody *b, const DerivedBody *me, const DerivedColumn *col, const Columns *x,
                                int n, int depth, real *M) {
    const Probe r = probe_of(me->at.r);
    const int to = b->v_end;
    for (int k = 0; k < b->nv; k++) columns_put_force(x, IN_P, b->v + k, rigid_mul(&me->I_, col[k].S));
    for (int d = block_first(x, b->v); d < to; d += PACK) {
        real *at = block_at(x, d);
        const Probe within = probe_first(r, to - d);
        for (int k = 0; k < b->nv; k++) {
            const Probe lin = probe_of(col[k].S.lin), ang = probe_of(col[k].S.ang);
            column_within(M + depth + k, n, d, b->v + k, to, met(at, IN_P, &lin) + met(at, IN_P + 3, &ang));
        }
        carry_force(at, IN_P, &within);
    }
}
/* The same of short paths: the columns of a body go to the root one by one. */
static ZI_HOT void weigh_path(const ziTree *t, const DeriveSweep *s, int i, const int *depth, force P, real *row) {
    for (int j = t->body[i].parent; j > 0; i = j, j = t->body[j].parent) {
        const ziBody *b = &t->body[j];
        const DerivedColumn *col = s->column + b->v;
        real *at = row + depth[b->v];
        P = force_shift(P, s->row[i].at.r);
        if (b->type == ZV_JOINT_REVOLUTE) {
            *at = v3_dot(col->S.ang, P.ang);
        } else if (b->type == ZV_JOINT_FREE) {
            const mat3 E = m3(col[0].S.lin, col[1].S.lin, col[2].S.lin);
            const vec3 f = m3_tmulv(E, P.lin), g = m3_tmulv(E, P.ang);
            at[0] = v3_x(f);
            at[1] = v3_y(f);
            at[2] = v3_z(f);
            at[3] = v3_x(g);
            at[4] = v3_y(g);
            at[5] = v3_z(g);
        } else
            for (int k = 0; k < b->nv; k++) at[k] = force_dot(P, col[k].S);
    }
}

/* Rows of M of the columns of body i: entries among its own columns, then along its path to the root. */
static ZI_HOT void weigh_short(const ziTree *t, const DeriveSweep *s, int i, const int *depth, real *M) {
    const ziBody *b = &t->body[i];
    const DerivedBody *me = &s->row[i];
    const DerivedColumn *col = s->column + b->v;
    for (int k = 0; k < b->nv; k++) {
        real *row = M + (size_t)(b->v + k) * (size_t)t->nv;
        const force P = b->type == ZV_JOINT_REVOLUTE
                            ? force_of(v3_cross(col->S.ang, me->I_.h), m3_mulv(me->I_.J, col->S.ang))
                            : rigid_mul(&me->I_, col[k].S);
        for (int l = 0; l <= k; l++) row[depth[b->v] + l] = force_dot(P, col[l].S);
        weigh_path(t, s, i, depth, P, row);
    }
}

/* First inward sweep of forward dynamics: M as paths (armature added) and tau -= S . F at a = 0, with composite
 * inertias and forces summed up on the way. */
static ZI_HOT void inward_weights(const ziTree *t, const DeriveSweep *s, const int *depth, real *tau, real *M) {
    for (int i = t->nb - 1; i > 0 && t->max_depth <= SHORT_PATHS; i--) {
        const ziBody *b = &t->body[i];
        const DerivedColumn *col = s->column + b->v;
        weigh_short(t, s, i, depth, M);
        for (int k = 0; k < b->nv; k++) tau[b->v + k] -= force_dot(s->row[i].F, col[k].S);
        if (b->parent) add_weight_below(&s->row[b->parent], &s->row[i]);
    }
    for (int i = t->nb - 1; i > 0 && t->max_depth > SHORT_PATHS; i--) {
        const ziBody *b = &t->body[i];
        const DerivedColumn *col = s->column + b->v;
        if (b->type == ZV_JOINT_REVOLUTE) {
            weigh_hinge(b, &s->row[i], col, &s->x, t->nv, depth[b->v], M);
            tau[b->v] -= v3_dot(s->row[i].F.ang, col->S.ang);
        } else {
            weigh_joint(b, &s->row[i], col, &s->x, t->nv, depth[b->v], M);
            for (int k = 0; k < b->nv; k++) tau[b->v + k] -= force_dot(s->row[i].F, col[k].S);
        }
        if (b->parent) add_weight_below(&s->row[b->parent], &s->row[i]);
    }
    for (int k = 0; k < t->nv; k++) M[(size_t)k * (size_t)t->nv + (size_t)depth[k]] += t->armature[k];
}

/* Room for the sweeps, numbers that are not given as zeros, and sines and cosines. */
static inline DeriveSweep prepare(const ziTree *t, ziScratch *scratch, const real *q, const real *v, const real *a) {
    real *s = zi_scratch_array(scratch, real, t->nq), *c = zi_scratch_array(scratch, real, t->nq);
    real *zeros = zi_scratch_array(scratch, real, t->nv);
    DeriveSweep w;
    w.row = zi_scratch_array(scratch, DerivedBody, t->nb);
    w.column = zi_scratch_array(scratch, DerivedColumn, t->nv);
    w.x = columns_in(zi_scratch_array(scratch, real, columns_room(t->nv)), t->nv);
    for (int i = 0; i < t->nv && !(v && a); i++) zeros[i] = 0;
    sincos_array(t->nq, q, s, c);
    w.z.q = q;
    w.z.v = v ? v : zeros;
    w.z.a = a ? a : zeros;
    w.z.s = s;
    w.z.c = c;
    return w;
}

/* Entries between branches are zero. */
static inline void clear_branches(const ziTree *t, real *X) {
    const size_t square = (size_t)t->nv * (size_t)t->nv;
    for (size_t i = 0; i < square && X && t->max_depth + 1 < t->nb; i++) X[i] = 0;
}

static inline Outputs outputs(const ziTree *t, real *dq, real *dv, real *da) {
    Outputs o;
    clear_branches(t, o.dq = dq);
    clear_branches(t, o.dv = dv);
    clear_branches(t, o.da = da);
    o.n = t->nv;
    return o;
}

void ZI_KERNEL(zi_derive_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                  const double *gravity, ziLoads loads, real *dq, real *dv, real *da) {
    const DeriveSweep s = prepare(t, &scratch, q, v, a);
    const Outputs o = outputs(t, dq, dv, da);
    outward(t, &s.z, gravity, &loads, s.row, s.column);
    if (loads.wrench)
        inward(t, &s, true, false, &o);
    else
        inward(t, &s, false, false, &o);
    for (int k = 0; k < t->nv && da; k++) da[(size_t)k * ((size_t)t->nv + 1)] += t->armature[k];
}

/* Accelerations by the factors of M, then dq and dv of inverse dynamics at them in a second inward sweep. Returns
 * whether M is positive to rounding. */
real_ok ZI_KERNEL(zi_derive_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *tau,
                                     const double *gravity, ziLoads loads, real *a, real *dq, real *dv, real *L) {
    real *rest = zi_scratch_array(&scratch, real, t->nv);
    DeriveSweep s = prepare(t, &scratch, q, v, NULL);
    const Outputs o = outputs(t, dq, dv, NULL);
    const dofPaths paths = dof_paths(t->nv, t->dof_parent, &scratch);
    for (int i = 0; i < t->nv; i++) {
        rest[i] = 0;
        if (tau) rest[i] = tau[i];
    }
    outward(t, &s.z, gravity, &loads, s.row, s.column);
    inward_weights(t, &s, paths.depth, rest, L);
    for (int i = 0; i < t->nv; i++) a[i] = rest[i];
    const real_ok ok = tree_factor(&paths, scratch, L, a);
    tree_solve(&paths, L, a);
    accelerate(t, &s.z, a, s.row, s.column);
    s.z.a = a;
    if (loads.wrench)
        inward(t, &s, true, true, &o);
    else
        inward(t, &s, false, true, &o);
    return ok;
}
