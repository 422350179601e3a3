/* Outward sweep of the derivatives: rotations, offsets, motions; the columns S and, of each, psi', psi'' (8), (9) and
 * the mean rate (11); inertia and force of each body alone. Numbers refer to docs/derivatives.md. World axes, each body
 * about its own origin, velocities relative to that origin's, true accelerations. */
#ifndef ZI_DERIVE_KERNEL_DERIVE_OUTWARD_H
#define ZI_DERIVE_KERNEL_DERIVE_OUTWARD_H

#include "derive/columns.h"
#include "derive/joint_change.h"
#include "derive/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

/* Of a body; from I_ on of its whole subtree when the inward sweep has reached it. */
typedef struct DerivedBody {
    placed at;
    vec3 dr, w; /* rate of the offset; angular velocity */
    motion A;   /* acceleration, less gravity */
    rigid I_;
    vec3 p; /* momentum relative to the origin */
    mat3 Q;
    force F;
    vec3 load; /* external force, and K of (14); only when there are loads */
    mat3 K;
    motion more; /* forward dynamics: what the acceleration found adds to A, */
    force H;     /* and the force it adds to the bodies beyond the joints of this one, with this one at rest */
} DerivedBody;

typedef struct DerivedColumn {
    motion S, d1, d2, mean;
} DerivedColumn;

/* The state, with sines and cosines. */
typedef struct DerivedState {
    const real *q, *v, *a, *s, *c;
} DerivedState;

#if !defined ZI_WIDE
_Static_assert(sizeof(DerivedBody) + 15 * sizeof(real) <= ZI_SCRATCH_PER_BODY, "scratch too small");
_Static_assert(sizeof(DerivedColumn) + (COMPONENTS + 6) * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
               "scratch too small");
#endif

/* w x both parts */
static inline motion turned(vec3 w, motion x) { return motion_of(v3_cross(w, x.lin), v3_cross(w, x.ang)); }

/* The force that a rigid displacement along S makes of F. */
static inline force displaced(motion S, force F) {
    return force_of(v3_cross(S.ang, F.lin), v3_cross_add(S.ang, F.ang, v3_cross(S.lin, F.lin)));
}

/* A column constant in the parent: (8), (9), (11) with nothing of its own; a is that of the body's origin. */
static inline void set_column(const DerivedBody *up, vec3 a, motion S, DerivedColumn *col) {
    const motion rate = turned(up->w, S), second = turned(up->w, rate);
    col->S = S;
    col->d1 = col->mean = rate;
    col->d2 = motion_add(turned(up->A.ang, S), second);
    col->d2.lin = v3_cross_add(a, S.ang, col->d2.lin);
}

static inline motion turn_to_world(const mat3 *E, motion x) {
    return motion_of(m3_mulv(*E, x.lin), m3_mulv(*E, x.ang));
}

/* What columns that move in the parent add to these. */
static ZI_COLD void add_changes(const ziBody *b, const DerivedBody *up, const joint_change *x, const mat3 *E,
                                DerivedColumn *col) {
    for (int k = 0; k < b->nv; k++) {
        const motion first = turn_to_world(E, x->first[k]), dS = turn_to_world(E, x->dS[k]);
        col[k].d1 = motion_add(col[k].d1, first);
        col[k].mean = motion_axpy(0.5, motion_add(first, dS), col[k].mean);
        col[k].d2 = motion_add(col[k].d2, motion_axpy(2, turned(up->w, first), turn_to_world(E, x->second[k])));
    }
}

/* Motion of a body and its columns; returns with row->at placed. */
static ZI_COLD void go_general(const ziBody *b, const DerivedBody *up, const real *q, const real *s, const real *c,
                               const real *v, const real *a, DerivedBody *me, DerivedColumn *col) {
    const bool moves = subspace_moves(b);
    motion S[ZV_MAX_DOF], rel = motion_zero(), acc = motion_zero();
    place_body(b, &up->at.R, q, s, c, &me->at, S);
    for (int k = 0; k < b->nv; k++) {
        rel = motion_axpy(v[k], S[k], rel);
        acc = motion_axpy(a[k], S[k], acc);
    }
    joint_change x;
    mat3 E;
    if (moves) {
        joint j;
        motion bias = motion_zero();
        joint_place(b, q, s, c, &j);
        joint_changes(b, q, v, a, &j, &x);
        E = m3_mulp12(up->at.R, b->E);
        for (int k = 0; k < b->nv; k++) bias = motion_axpy(v[k], x.dS[k], bias);
        acc = motion_add(acc, turn_to_world(&E, bias));
    }
    me->dr = v3_cross_add(up->w, me->at.r, rel.lin);
    me->w = v3_add(up->w, rel.ang);
    me->A = motion_add(motion_shift(up->A, me->at.r), motion_add(carried_bias(up->w, me->at.r, rel), acc));
    for (int k = 0; k < b->nv; k++) set_column(up, me->A.lin, S[k], &col[k]);
    if (moves) add_changes(b, up, &x, &E, col);
}

/* psi'' of a hinge, from the accelerations of its body and its parent. */
static ZI_HOT void set_second(const DerivedBody *up, const DerivedBody *me, DerivedColumn *col) {
    const vec3 e = col->S.ang;
    col->d2 = motion_of(v3_cross(me->A.lin, e), v3_cross_add(up->A.ang, e, v3_cross(up->w, col->d1.ang)));
}

/* The same of a hinge: its column only turns, and its rates are those of its axis. psi'' is left. */
static ZI_HOT void go_revolute(const ziBody *b, const DerivedBody *up, const real *q, const real *s, const real *c,
                               real v, real a, DerivedBody *me, DerivedColumn *col) {
    motion S;
    place_body(b, &up->at.R, q, s, c, &me->at, &S);
    const vec3 r = me->at.r, wp = up->w, rate = v3_cross(wp, S.ang);
    me->dr = v3_cross(wp, r);
    me->w = v3_axpy(v, S.ang, wp);
    me->A.ang = v3_axpy(a, S.ang, v3_axpy(v, rate, up->A.ang));
    me->A.lin = v3_cross_add(up->A.ang, r, v3_cross_add(wp, me->dr, up->A.lin));
    col->S = S;
    col->d1 = col->mean = motion_of(v3_zero(), rate);
}

/* Inertia of a body alone: force (3), and p and Q of (6): Q = (tr J / 2 w - J w)~ - J w~. */
static ZI_HOT void weigh(const ziBody *b, DerivedBody *me) {
    me->I_ = world_inertia(b, me->at.R);
    const vec3 w = me->w, spin = m3_mulv(me->I_.J, w);
    me->p = v3_cross(w, me->I_.h);
    me->Q = m3_sub(m3_skew(v3_axpy(0.5 * m3_trace(me->I_.J), w, v3_neg(spin))), m3_mul_skew(me->I_.J, w));
    me->F = force_add(rigid_mul(&me->I_, me->A), force_of(v3_cross(w, me->p), v3_cross(w, spin)));
}

static inline void take_load(const ziLoads *loads, int i, DerivedBody *me) {
    const real *f = loads->wrench + 6 * i;
    me->load = v3_of(f);
    me->K = m3_of(loads->sway + 9 * i);
    me->F = force_sub(me->F, force_of(v3_of(f), v3_of(f + 3)));
}

static ZI_HOT void go_general_at(const ziBody *b, const DerivedBody *up, const DerivedState *z, const real *a,
                                 DerivedBody *me, DerivedColumn *col) {
    go_general(b, up, z->q + b->q, z->s + b->q, z->c + b->q, z->v + b->v, a + b->v, me, col);
}

/* Outward sweep: motion and columns of every body with their rates, its inertia and force; with loads, its force less
 * the external one. The ground accelerates at -gravity. */
static ZI_HOT void outward(const ziTree *t, const DerivedState *z, const double *gravity, const ziLoads *loads,
                           DerivedBody *row, DerivedColumn *column) {
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    row[0].A = motion_of(v3_neg(v3_of(gravity)), v3_zero());
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const DerivedBody *up = &row[b->parent];
        if (b->type == ZV_JOINT_REVOLUTE) {
            go_revolute(b, up, z->q + b->q, z->s + b->q, z->c + b->q, z->v[b->v], z->a[b->v], &row[i], column + b->v);
            set_second(up, &row[i], column + b->v);
        } else {
            go_general_at(b, up, z, z->a, &row[i], column + b->v);
        }
        weigh(b, &row[i]);
        if (loads->wrench) take_load(loads, i, &row[i]);
    }
}

/* Bodies that moved without a get it: A, psi'', and what is to be added to forces. Columns of universal and curve
 * joints have second rates that depend on a; those of a free joint turn with the body, which takes from psi'' what its
 * own a adds to the acceleration of the origin (9). */
static ZI_COLD void accelerate_general(const ziBody *b, const DerivedBody *up, const DerivedState *z, const real *a,
                                       DerivedBody *me, DerivedColumn *col) {
    const motion before = me->A;
    motion own = motion_zero();
    if (b->columns_move && !columns_ride(b)) { /* universal, curve */
        go_general_at(b, up, z, a, me, col);
        me->more = motion_axpy(-1, before, me->A);
        return;
    }
    for (int k = 0; k < b->nv; k++) own = motion_axpy(a[b->v + k], col[k].S, own);
    const motion carried = motion_shift(up->more, me->at.r);
    me->more = motion_add(carried, own);
    me->A = motion_add(before, me->more);
    const vec3 lin = b->type == ZV_JOINT_FREE ? carried.lin : me->more.lin;
    for (int k = 0; k < b->nv && (b->parent || b->type != ZV_JOINT_FREE); k++) {
        col[k].d2 = motion_add(col[k].d2, turned(up->more.ang, col[k].S));
        col[k].d2.lin = v3_cross_add(lin, col[k].S.ang, col[k].d2.lin);
    }
}

/* Second outward sweep of forward dynamics: adds what the accelerations a contribute to A and psi''; revolute joints in
 * line, the others above. */
static ZI_HOT void accelerate(const ziTree *t, const DerivedState *z, const real *a, DerivedBody *row,
                              DerivedColumn *column) {
    row[0].more = motion_zero();
    row[0].H = force_zero();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const DerivedBody *up = &row[b->parent];
        DerivedBody *me = &row[i];
        DerivedColumn *col = column + b->v;
        me->H = force_zero();
        if (b->type == ZV_JOINT_REVOLUTE) {
            me->more = motion_shift(up->more, me->at.r);
            me->more.ang = v3_axpy(a[b->v], col->S.ang, me->more.ang);
            me->A = motion_add(me->A, me->more);
            set_second(up, me, col);
        } else {
            accelerate_general(b, up, z, a, me, col);
        }
    }
}

#endif
