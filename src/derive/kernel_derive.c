/* Derivatives of inverse dynamics, O(n depth); docs/derivatives.md has the derivation, to whose equations the numbers
 * refer. World axes, each body about its own origin, velocities relative to that origin's, true accelerations.
 *
 *   outward  rotations, offsets, motions; columns S and, of each, psi', psi'' (8), (9) and the mean rate (11)
 *   inward   of the subtree: inertia, force F, and B = 2 (0, -p~; 0, Q) (6); of its own columns the forces P, U, W and
 *            the vectors z, y (12), (13), which meet the columns of all ancestors on their way to the root */
#include "derive/columns.h"
#include "derive/joint_change.h"
#include "derive/kernels.h"
#include "kinematics/outward.h"
#include "real/sincos.h"

typedef struct Row {
    placed at;
    vec3 dr, w; /* rate of the offset; angular velocity */
    motion A;   /* acceleration, less gravity */
    rigid I_;
    vec3 p; /* momentum relative to the origin */
    mat3 Q;
    force F;
    vec3 load; /* external force, and K of (14); only when there are loads */
    mat3 K;
} Row;

typedef struct Column {
    motion S, d1, d2, mean;
} Column;

typedef struct Outputs {
    real *dq, *dv, *da;
} Outputs;

#if !defined ZV_WIDE
_Static_assert(sizeof(Row) + 15 * sizeof(real) <= ZV_DESK_PER_BODY, "desk too small");
_Static_assert(sizeof(Column) + (COMPONENTS + 4) * sizeof(real) <= ZV_DESK_PER_COORDINATE, "desk too small");
#endif

/* w x both parts */
static inline motion turned(vec3 w, motion x) { return motion_of(v3_cross(w, x.lin), v3_cross(w, x.ang)); }

/* The force that a rigid displacement along S makes of F. */
static inline force displaced(motion S, force F) {
    return force_of(v3_cross(S.ang, F.lin), v3_cross_add(S.ang, F.ang, v3_cross(S.lin, F.lin)));
}

/* A column constant in the parent: (8), (9), (11) with nothing of its own; a is that of the body's origin. */
static inline void set_column(const Row *up, vec3 a, motion S, Column *col) {
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
static ZV_COLD void add_changes(const zvBody *b, const Row *up, const joint_change *x, const mat3 *E, Column *col) {
    for (int k = 0; k < b->nv; k++) {
        const motion first = turn_to_world(E, x->first[k]), dS = turn_to_world(E, x->dS[k]);
        col[k].d1 = motion_add(col[k].d1, first);
        col[k].mean = motion_axpy(0.5, motion_add(first, dS), col[k].mean);
        col[k].d2 = motion_add(col[k].d2, motion_axpy(2, turned(up->w, first), turn_to_world(E, x->second[k])));
    }
}

/* Motion of a body and its columns; returns with row->at placed. */
static ZV_COLD void go_general(const zvBody *b, const Row *up, const real *q, const real *s, const real *c,
                               const real *v, const real *a, Row *me, Column *col) {
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

/* The same of a hinge: its column only turns, and its rates are those of its axis. */
static ZV_HOT void go_revolute(const zvBody *b, const Row *up, const real *q, const real *s, const real *c, real v,
                               real a, Row *me, Column *col) {
    motion S;
    place_body(b, &up->at.R, q, s, c, &me->at, &S);
    const vec3 r = me->at.r, wp = up->w, rate = v3_cross(wp, S.ang);
    me->dr = v3_cross(wp, r);
    me->w = v3_axpy(v, S.ang, wp);
    me->A.ang = v3_axpy(a, S.ang, v3_axpy(v, rate, up->A.ang));
    me->A.lin = v3_cross_add(up->A.ang, r, v3_cross_add(wp, me->dr, up->A.lin));
    col->S = S;
    col->d1 = col->mean = motion_of(v3_zero(), rate);
    col->d2 = motion_of(v3_cross(me->A.lin, S.ang), v3_cross_add(up->A.ang, S.ang, v3_cross(wp, rate)));
}

/* Inertia of a body alone: force (3), and p and Q of (6): Q = (tr J / 2 w - J w)~ - J w~. */
static inline void weigh(const zvBody *b, Row *me) {
    me->I_ = world_inertia(b, me->at.R);
    const vec3 w = me->w, spin = m3_mulv(me->I_.J, w);
    me->p = v3_cross(w, me->I_.h);
    me->Q = m3_sub(m3_skew(v3_axpy(0.5 * m3_trace(me->I_.J), w, v3_neg(spin))), m3_mul_skew(me->I_.J, w));
    me->F = force_add(rigid_mul(&me->I_, me->A), force_of(v3_cross(w, me->p), v3_cross(w, spin)));
}

/* P, U, W, z, y of a body's own columns: (12), (13). */
static ZV_COLD void put_column(const Row *me, const Column *col, bool loaded, const Columns *x, int d) {
    const vec3 w = col->S.ang, dw = v3_scale(2, col->d1.ang);
    const force P = rigid_mul(&me->I_, col->S);
    force W = rigid_mul(&me->I_, col->mean), U = force_add(displaced(col->S, me->F), rigid_mul(&me->I_, col->d2));
    vec3 z = v3_add(v3_cross(me->p, col->S.lin), m3_tmulv(me->Q, w));
    W = force_of(v3_cross_add(w, me->p, W.lin), m3_mulv_add(me->Q, w, W.ang));
    U = force_of(v3_cross_add(dw, me->p, U.lin), m3_mulv_add(me->Q, dw, U.ang));
    if (loaded) {
        U = force_of(v3_cross_add(w, me->load, U.lin), m3_mulv_add(me->K, w, U.ang));
        columns_put(x, IN_Y, d, v3_add(v3_cross(me->load, col->S.lin), m3_tmulv(me->K, w)));
    }
    columns_put_force(x, IN_P, d, P);
    columns_put_force(x, IN_U, d, U);
    columns_put_force(x, IN_W, d, W);
    columns_put(x, IN_Z, d, z);
}

/* The same of a hinge. */
static ZV_HOT void put_revolute(const Row *me, const Column *col, bool loaded, const Columns *x, int d) {
    const vec3 w = col->S.ang, d1 = col->d1.ang, d2 = col->d2.ang, h = me->I_.h, p = me->p;
    const mat3 J = me->I_.J, Q = me->Q;
    const vec3 f = v3_axpy(-me->I_.m, me->A.lin, me->F.lin); /* d2.lin = A.lin x w */
    const vec3 dw = v3_scale(2, d1);
    force U = force_of(v3_cross_add(w, f, v3_cross_add(d2, h, v3_cross(dw, p))),
                       v3_cross_add(w, me->F.ang, v3_cross_add(h, col->d2.lin, m3_mulv_add(J, d2, m3_mulv(Q, dw)))));
    if (loaded) {
        U = force_of(v3_cross_add(w, me->load, U.lin), m3_mulv_add(me->K, w, U.ang));
        columns_put(x, IN_Y, d, m3_tmulv(me->K, w));
    }
    columns_put_force(x, IN_P, d, force_of(v3_cross(w, h), m3_mulv(J, w)));
    columns_put_force(x, IN_U, d, U);
    columns_put_force(x, IN_W, d, force_of(v3_cross_add(d1, h, v3_cross(w, p)), m3_mulv_add(J, d1, m3_mulv(Q, w))));
    columns_put(x, IN_Z, d, m3_tmulv(Q, w));
}

/* What a column of the tree is met with on its way up. */
typedef struct Meeting {
    Probe lin, ang;           /* S */
    Probe mean_lin, mean_ang; /* 2 mean */
    Probe d2_lin, d2_ang;     /* psi'' */
    Probe d1, twice;          /* 2 psi' and 2 S, angular parts */
} Meeting;

static ZV_HOT Meeting meeting_of(const Column *col) {
    Meeting m;
    m.lin = probe_of(1, col->S.lin);
    m.ang = probe_of(1, col->S.ang);
    m.mean_lin = probe_of(2, col->mean.lin);
    m.mean_ang = probe_of(2, col->mean.ang);
    m.d2_lin = probe_of(1, col->d2.lin);
    m.d2_ang = probe_of(1, col->d2.ang);
    m.d1 = probe_of(2, col->d1.ang);
    m.twice = probe_of(2, col->S.ang);
    return m;
}

/* Column k of dq and dv below the body: (16), (18). revolute and loaded are constants here and below. */
static ZV_HOT void fill_down(const zvTree *t, const zvBody *b, int k, const Meeting *m, const bool revolute,
                             const bool loaded, const Columns *x, const Outputs *o) {
    const int from = b->v + b->nv, to = b->v_end;
    for (int d = columns_first(from, to); d < to; d += SOME) {
        if (o->dq) {
            some e = met(x, IN_P, d, &m->d2_lin) + met(x, IN_P + 3, d, &m->d2_ang) + met(x, IN_Z, d, &m->d1);
            if (loaded) e = e + met(x, IN_Y, d, &m->ang);
            column_to(o->dq + k, t->nv, d, from, e);
        }
        if (o->dv) {
            some e = met(x, IN_P + 3, d, &m->mean_ang) + met(x, IN_Z, d, &m->twice);
            if (!revolute) e = e + met(x, IN_P, d, &m->mean_lin);
            column_to(o->dv + k, t->nv, d, from, e);
        }
    }
}

static ZV_HOT some met_force(const Columns *x, int c, int d, const bool revolute, const Probe *lin, const Probe *ang) {
    some e = met(x, c + 3, d, ang);
    return revolute ? e : e + met(x, c, d, lin);
}

/* Row k from the body's own columns on: (15), (17), and M with its mirror image. */
static ZV_HOT void fill_row(const zvTree *t, const zvBody *b, int k, const Meeting *m, const bool revolute,
                            const Columns *x, const Outputs *o) {
    const size_t row = (size_t)k * (size_t)t->nv;
    for (int d = columns_first(b->v, b->v_end); d < b->v_end; d += SOME) {
        if (o->dq) row_to(o->dq + row, d, met_force(x, IN_U, d, revolute, &m->lin, &m->ang));
        if (o->dv) {
            const some e = met_force(x, IN_W, d, revolute, &m->lin, &m->ang);
            row_to(o->dv + row, d, e + e);
        }
        if (o->da) {
            const some e = met_force(x, IN_P, d, revolute, &m->lin, &m->ang);
            row_to(o->da + row, d, e);
            column_to(o->da + k, t->nv, d, k + 1, e);
        }
    }
}

/* Other branches have no part in it. */
static inline void clear_beyond(const zvTree *t, int end, int k, real *X) {
    const size_t nv = (size_t)t->nv;
    if (!X) return;
    for (size_t d = (size_t)end; d < nv; d++) X[(size_t)k * nv + d] = X[d * nv + (size_t)k] = 0;
}

/* The columns of the joint themselves move with its coordinates: D F of (15), world axes. Columns that ride on the
 * body are carried by all of them; otherwise those before a column in the joint carry it, as if bodies lay between. */
static ZV_COLD void own_changes(const zvTree *t, const zvBody *b, const real *q, const Row *up, const force *F,
                                const Column *col, real *dq) {
    const size_t nv = (size_t)t->nv;
    real *block = dq + (size_t)b->v * (nv + 1);
    if (b->type == ZV_CURVE) {
        vec3 p, d, dd;
        path_at(&b->data->path, q[0], &p, &d, &dd);
        block[0] += v3_dot(F->lin, m3_mulv(m3_mulp12(up->at.R, b->E), dd));
    }
    for (int k = 0; k < b->nv; k++) {
        const force lost = displaced(col[k].S, *F);
        for (int l = columns_ride(b) ? 0 : k + 1; l < b->nv; l++)
            block[(size_t)l * nv + (size_t)k] -= force_dot(lost, col[l].S);
    }
}

static ZV_HOT void fill(const zvTree *t, const zvBody *b, const int nv, const Column *col, const bool revolute,
                        const bool loaded, const Columns *x, const Outputs *o) {
    for (int k = nv - 1; k >= 0; k--) {
        const Meeting m = meeting_of(&col[k]);
        fill_down(t, b, b->v + k, &m, revolute, loaded, x, o);
        fill_row(t, b, b->v + k, &m, revolute, x, o);
        clear_beyond(t, b->v_end, b->v + k, o->dq);
        clear_beyond(t, b->v_end, b->v + k, o->dv);
        clear_beyond(t, b->v_end, b->v + k, o->da);
        if (o->da) o->da[(size_t)(b->v + k) * ((size_t)t->nv + 1)] += t->armature[b->v + k];
    }
}

static ZV_COLD void fill_general(const zvTree *t, const zvBody *b, const Column *col, bool loaded, const Columns *x,
                                 const Outputs *o) {
    if (loaded)
        fill(t, b, b->nv, col, false, true, x, o);
    else
        fill(t, b, b->nv, col, false, false, x, o);
}

/* Q - a~ b~ */
static inline mat3 subtract_cross_cross(mat3 Q, vec3 a, vec3 b) {
    return m3_add_diagonal(m3_deflate(Q, b, a), v3_dot(a, b));
}

/* The subtree seen from the parent's origin: (7), (14). */
static inline void add_below(Row *up, const Row *me, const bool loaded) {
    const vec3 r = me->at.r, p = v3_axpy(me->I_.m, me->dr, me->p);
    up->p = v3_add(up->p, p);
    up->Q = m3_add(up->Q, subtract_cross_cross(subtract_cross_cross(me->Q, me->I_.h, me->dr), r, p));
    up->F = force_add(up->F, force_shift(me->F, r));
    rigid_add_shifted(&up->I_, &me->I_, r);
    if (!loaded) return;
    up->load = v3_add(up->load, me->load);
    up->K = m3_add(up->K, subtract_cross_cross(me->K, r, me->load));
}

static ZV_HOT void inward(const zvTree *t, const real *q, const bool loaded, Row *row, const Column *column,
                          const Columns *x, const Outputs *o) {
    for (int i = t->nb - 1; i > 0; i--) {
        const zvBody *b = &t->body[i];
        const Column *col = column + b->v;
        if (b->type == ZV_REVOLUTE) {
            put_revolute(&row[i], col, loaded, x, b->v);
            fill(t, b, 1, col, true, loaded, x, o);
        } else {
            for (int k = 0; k < b->nv; k++) put_column(&row[i], &col[k], loaded, x, b->v + k);
            fill_general(t, b, col, loaded, x, o);
        }
        if (o->dq && b->data) own_changes(t, b, q + b->q, &row[b->parent], &row[i].F, col, o->dq);
        if (!b->parent) continue;
        columns_carry(x, b->v, b->v_end, row[i].at.r, row[i].dr);
        add_below(&row[b->parent], &row[i], loaded);
    }
}

static inline void take_load(const zvLoads *loads, int i, Row *me) {
    const real *f = loads->wrench + 6 * i;
    me->load = v3_of(f);
    me->K = m3_of(loads->sway + 9 * i);
    me->F = force_sub(me->F, force_of(v3_of(f), v3_of(f + 3)));
}

void ZV_KERNEL(zv_derive_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                                  const double *gravity, zvLoads loads, real *dq, real *dv, real *da) {
    real *s = zv_desk_array(&desk, real, t->nq), *c = zv_desk_array(&desk, real, t->nq);
    real *zeros = zv_desk_array(&desk, real, t->nv);
    Row *row = zv_desk_array(&desk, Row, t->nb);
    Column *column = zv_desk_array(&desk, Column, t->nv);
    Columns x;
    x.stride = (size_t)(t->nv + SOME); /* the first may be taken with what lies before them */
    real *room = zv_desk_array(&desk, real, COMPONENTS * x.stride + SOME);
    x.x = room + SOME;
    memset(room, 0, (COMPONENTS * x.stride + SOME) * sizeof *room);
    if (!v || !a) memset(zeros, 0, (size_t)t->nv * sizeof *zeros);
    if (!v) v = zeros;
    if (!a) a = zeros;
    sincos_array(t->nq, q, s, c);
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    row[0].A = motion_of(v3_neg(v3_of(gravity)), v3_zero());
    for (int i = 1; i < t->nb; i++) {
        const zvBody *b = &t->body[i];
        const Row *up = &row[b->parent];
        if (b->type == ZV_REVOLUTE)
            go_revolute(b, up, q + b->q, s + b->q, c + b->q, v[b->v], a[b->v], &row[i], column + b->v);
        else
            go_general(b, up, q + b->q, s + b->q, c + b->q, v + b->v, a + b->v, &row[i], column + b->v);
        weigh(b, &row[i]);
        if (loads.wrench) take_load(&loads, i, &row[i]);
    }
    Outputs o;
    o.dq = dq;
    o.dv = dv;
    o.da = da;
    if (loads.wrench)
        inward(t, q, true, row, column, &x, &o);
    else
        inward(t, q, false, row, column, &x, &o);
}
