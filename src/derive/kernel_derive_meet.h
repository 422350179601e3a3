/* Inward sweep of the derivatives: P, U, W and z, y of a body's own columns (12), (13) from what is known of its
 * subtree, and how columns on their way to the root meet those of each body: (15)-(18) of docs/derivatives.md. */
#ifndef ZI_DERIVE_KERNEL_DERIVE_MEET_H
#define ZI_DERIVE_KERNEL_DERIVE_MEET_H

#include "derive/kernel_derive_outward.h"

/* Matrices (n x n), NULL: not wanted. They are cleared beforehand where the tree has branches. */
typedef struct Outputs {
    real *dq, *dv, *da;
    int n;
} Outputs;

/* Columns of joints that have, with their rates, no linear or no angular part; TURNS_BASE: the column has no linear
 * part, and psi', psi'' no angular one, the parent being at rest. */
typedef enum ColumnKind { TURNS, SLIDES, TURNS_AND_SLIDES, TURNS_BASE } ColumnKind;

static inline ColumnKind column_kind(const ziBody *b, int k) {
    if (!zi_joint_turns(b->type, k)) return SLIDES;
    if (zi_joint_slides(b->type, k)) return TURNS_AND_SLIDES;
    if (b->type == ZV_JOINT_FREE) return b->parent ? TURNS_AND_SLIDES : TURNS_BASE; /* its rates have both parts */
    return TURNS;
}

/* P, U, W, z, y of a body's own columns: (12), (13). */
static ZI_COLD void put_column(const DerivedBody *me, const DerivedColumn *col, bool loaded, const Columns *x, int d) {
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

/* The same of a revolute joint. */
typedef struct RevoluteOwn {
    force P, U, W;
    vec3 z, y;
} RevoluteOwn;

/* (12), (13) of a revolute joint, whose column has no linear part; w x F and m (A x w) of psi'' join as w x (F - m A).
 */
static ZI_HOT RevoluteOwn own_of(const DerivedBody *me, const DerivedColumn *col, const bool loaded) {
    const vec3 w = col->S.ang, d1 = col->d1.ang, d2 = col->d2.ang, h = me->I_.h, p = me->p;
    const mat3 J = me->I_.J, Q = me->Q;
    const vec3 f = v3_axpy(-me->I_.m, me->A.lin, me->F.lin); /* d2.lin = A.lin x w */
    const vec3 dw = v3_scale(2, d1);
    RevoluteOwn x;
    x.U = force_of(v3_cross_add(w, f, v3_cross_add(d2, h, v3_cross(dw, p))),
                   v3_cross_add(w, me->F.ang, v3_cross_add(h, col->d2.lin, m3_mulv_add(J, d2, m3_mulv(Q, dw)))));
    x.P = force_of(v3_cross(w, h), m3_mulv(J, w));
    x.W = force_of(v3_cross_add(d1, h, v3_cross(w, p)), m3_mulv_add(J, d1, m3_mulv(Q, w)));
    x.z = m3_tmulv(Q, w);
    x.y = v3_zero();
    if (!loaded) return x;
    x.U = force_of(v3_cross_add(w, me->load, x.U.lin), m3_mulv_add(me->K, w, x.U.ang));
    x.y = m3_tmulv(me->K, w);
    return x;
}

/* Carried to the parent's origin and put among the others. */
static ZI_HOT void put_own(const RevoluteOwn *own, vec3 r, vec3 dr, const bool loaded, const Columns *x, int d) {
    columns_put_force(x, IN_P, d, force_shift(own->P, r));
    columns_put_force(x, IN_U, d, force_shift(own->U, r));
    columns_put_force(x, IN_W, d, force_shift(own->W, r));
    columns_put(x, IN_Z, d, v3_cross_add(dr, own->P.lin, own->z));
    if (loaded) columns_put(x, IN_Y, d, own->y);
}

/* Vectors of a joint's column that the columns of its subtree are multiplied by. */
typedef struct Meeting {
    Probe lin, ang;           /* S */
    Probe mean_lin, mean_ang; /* 2 mean */
    Probe d2_lin, d2_ang;     /* psi'' */
    Probe d1;                 /* 2 psi', angular part */
} Meeting;

/* The vectors of a column broadcast to all lanes; a column that only turns has no linear parts to read. */
static ZI_HOT Meeting meeting_of(const DerivedColumn *col, const ColumnKind kind) {
    Meeting m;
    m.ang = probe_of(col->S.ang);
    m.d2_lin = probe_of(col->d2.lin);
    m.d2_ang = probe_of(col->d2.ang);
    m.d1 = probe_of(v3_scale(2, col->d1.ang));
    if (kind == TURNS) {
        m.lin = m.mean_lin = m.ang; /* not read */
    } else {
        m.lin = probe_of(col->S.lin);
        m.mean_lin = probe_of(v3_scale(2, col->mean.lin));
    }
    m.mean_ang = probe_of(v3_scale(2, col->mean.ang));
    return m;
}

/* S . force at c */
static ZI_HOT pack met_force(const real *at, int c, const Meeting *m, const ColumnKind kind) {
    if (kind == SLIDES) return met(at, c, &m->lin);
    const pack e = met(at, c + 3, &m->ang);
    return kind == TURNS_AND_SLIDES ? e + met(at, c, &m->lin) : e;
}

/* Row k of the columns of a block, `from` on: (15), (17), and M with its mirror image. */
static ZI_HOT void meet_row(const real *at, int d, int from, int k, const Meeting *m, const ColumnKind kind,
                            const Outputs *o) {
    const size_t row = (size_t)k * (size_t)o->n;
    if (o->dq) row_to(o->dq + row, d, from, met_force(at, IN_U, m, kind));
    if (o->dv) {
        const pack e = met_force(at, IN_W, m, kind);
        row_to(o->dv + row, d, from, e + e);
    }
    if (o->da) {
        const pack e = met_force(at, IN_P, m, kind);
        row_to(o->da + row, d, from, e);
        column_to(o->da + k, o->n, d, from, e);
    }
}

/* Column k of dq and dv in the rows of a block below the joint, `from` on: (16), (18). */
static ZI_HOT void meet_down(const real *at, int d, int from, int k, const Meeting *m, const ColumnKind kind,
                             const bool loaded, const Outputs *o) {
    if (o->dq) {
        pack e = met(at, IN_P, &m->d2_lin);
        if (kind == TURNS || kind == TURNS_AND_SLIDES) e = e + met(at, IN_P + 3, &m->d2_ang) + met(at, IN_Z, &m->d1);
        if (loaded && kind != SLIDES) e = e + met(at, IN_Y, &m->ang);
        column_to(o->dq + k, o->n, d, from, e);
    }
    if (!o->dv) return;
    if (kind == SLIDES) {
        column_to(o->dv + k, o->n, d, from, met(at, IN_P, &m->mean_lin));
    } else {
        const pack z = met(at, IN_Z, &m->ang);
        pack e = met(at, IN_P + 3, &m->mean_ang) + (z + z);
        if (kind != TURNS) e = e + met(at, IN_P, &m->mean_lin);
        column_to(o->dv + k, o->n, d, from, e);
    }
}

/* Column k of a joint, whose own columns have been put among the others. */
static ZI_HOT void meet_column(const ziBody *b, int k, const DerivedColumn *col, const ColumnKind kind,
                               const bool loaded, const Columns *x, const Outputs *o) {
    const Meeting m = meeting_of(col, kind);
    const int below = b->v + b->nv, to = b->v_end;
    for (int d = block_first(x, b->v); d < to; d += PACK) {
        const real *at = block_at(x, d);
        meet_row(at, d, b->v, k, &m, kind, o);
        if (d + PACK > below) meet_down(at, d, below, k, &m, kind, loaded, o);
    }
}

static ZI_COLD void meet_turning(const ziBody *b, int k, const DerivedColumn *col, const Columns *x, const Outputs *o) {
    meet_column(b, k, col, TURNS, false, x, o);
}
static ZI_COLD void meet_sliding(const ziBody *b, int k, const DerivedColumn *col, const Columns *x, const Outputs *o) {
    meet_column(b, k, col, SLIDES, false, x, o);
}
static ZI_COLD void meet_any(const ziBody *b, int k, const DerivedColumn *col, const Columns *x, const Outputs *o) {
    meet_column(b, k, col, TURNS_AND_SLIDES, false, x, o);
}
static ZI_COLD void meet_base(const ziBody *b, int k, const DerivedColumn *col, const Columns *x, const Outputs *o) {
    meet_column(b, k, col, TURNS_BASE, false, x, o);
}
static ZI_COLD void meet_loaded(const ziBody *b, int k, const DerivedColumn *col, const Columns *x, const Outputs *o) {
    meet_column(b, k, col, TURNS_AND_SLIDES, true, x, o);
}

/* Every column of a joint, last to first, with the variant compiled for its kind; external forces have one variant for
 * all. */
static inline void meet_joint(const ziBody *b, const DerivedColumn *col, const bool loaded, const Columns *x,
                              const Outputs *o) {
    for (int k = b->nv - 1; k >= 0; k--) {
        const ColumnKind kind = loaded ? TURNS_AND_SLIDES : column_kind(b, k);
        if (loaded)
            meet_loaded(b, b->v + k, &col[k], x, o);
        else if (kind == TURNS)
            meet_turning(b, b->v + k, &col[k], x, o);
        else if (kind == SLIDES)
            meet_sliding(b, b->v + k, &col[k], x, o);
        else if (kind == TURNS_BASE)
            meet_base(b, b->v + k, &col[k], x, o);
        else
            meet_any(b, b->v + k, &col[k], x, o);
    }
}

/* What a hinge is met with, and how far it is from its parent. */
typedef struct Hinge {
    Probe ang, twice, d1, d2_lin, d2_ang; /* axis, 2 axis, 2 psi', psi'' */
    Probe r, dr;
} Hinge;

static ZI_HOT Hinge hinge_of(const DerivedBody *me, const DerivedColumn *col) {
    Hinge h;
    h.ang = probe_of(col->S.ang);
    h.twice = probe_of(v3_scale(2, col->S.ang));
    h.d1 = probe_of(v3_scale(2, col->d1.ang));
    h.d2_lin = probe_of(col->d2.lin);
    h.d2_ang = probe_of(col->d2.ang);
    h.r = probe_of(me->at.r);
    h.dr = probe_of(me->dr);
    return h;
}

/* S . U of (15) or 2 S . W of (17) of a block, which goes on to the parent. */
static ZI_HOT pack pass_force(real *at, int c, const Probe *s, const Probe *r) {
    const Probe f = block_vector(at, c), n = block_vector(at, c + 3);
    block_set(at, c + 3, probe_cross_add(r, &f, n));
    return probe_dot(s, &n);
}

/* All entries of a block of columns below a revolute joint with its column, and their shift to the parent, in one pass.
 * Lanes of other branches get zeros. */
static ZI_HOT void pass_block(real *at, int d, int k, int to, const Hinge *h, const bool loaded, const Outputs *o) {
    const Probe f = block_vector(at, IN_P), n = block_vector(at, IN_P + 3), z = block_vector(at, IN_Z);
    pack down = probe_dot_add(&h->d2_lin, &f, probe_dot_add(&h->d2_ang, &n, probe_dot(&h->d1, &z)));
    pack down_v = probe_dot_add(&h->d1, &n, probe_dot(&h->twice, &z)), mass = probe_dot(&h->ang, &n);
    if (loaded) down = down + met(at, IN_Y, &h->ang);
    block_set(at, IN_P + 3, probe_cross_add(&h->r, &f, n));
    block_set(at, IN_Z, probe_cross_add(&h->dr, &f, z));
    pack up = pass_force(at, IN_U, &h->ang, &h->r), up_v = pass_force(at, IN_W, &h->twice, &h->r);
    if (d <= k || d + PACK > to) {
        const int first = d <= k ? k + 1 - d : 0;
        up = pack_between(up, first, to - d);
        up_v = pack_between(up_v, first, to - d);
        down = pack_between(down, first, to - d);
        down_v = pack_between(down_v, first, to - d);
        mass = pack_between(mass, first, to - d);
    }
    const size_t row = (size_t)k * (size_t)o->n;
    if (o->dq) {
        row_to(o->dq + row, d, 0, up);
        column_to(o->dq + k, o->n, d, 0, down);
    }
    if (o->dv) {
        row_to(o->dv + row, d, 0, up_v);
        column_to(o->dv + k, o->n, d, 0, down_v);
    }
    if (o->da) {
        row_to(o->da + row, d, 0, mass);
        column_to(o->da + k, o->n, d, 0, mass);
    }
}

/* A hinge with all columns below it; its own column joins the others behind it. */
static ZI_HOT void meet_hinge(const ziBody *b, const DerivedBody *me, const DerivedColumn *col, const RevoluteOwn *own,
                              const bool loaded, const Columns *x, const Outputs *o) {
    Hinge h = hinge_of(me, col);
    const int k = b->v, to = b->v_end;
    const size_t diagonal = (size_t)k * ((size_t)o->n + 1);
    for (int d = to > k + 1 ? block_first(x, k + 1) : to; d < to; d += PACK) {
        if (to - d < PACK) {
            h.r = probe_first(h.r, to - d);
            h.dr = probe_first(h.dr, to - d);
        }
        pass_block(block_at(x, d), d, k, to, &h, loaded, o);
    }
    if (o->dq) o->dq[diagonal] = v3_dot(col->S.ang, own->U.ang);
    if (o->dv) o->dv[diagonal] = 2 * v3_dot(col->S.ang, own->W.ang);
    if (o->da) o->da[diagonal] = v3_dot(col->S.ang, own->P.ang);
    put_own(own, me->at.r, me->dr, loaded, x, k);
}

/* The columns of the joint themselves move with its coordinates: D F of (15), world axes. Columns that ride on the
 * body are carried by all of them; otherwise those before a column in the joint carry it, as if bodies lay between. */
static ZI_COLD void own_changes(const ziTree *t, const ziBody *b, const real *q, const DerivedBody *up, const force *F,
                                const DerivedColumn *col, real *dq) {
    const size_t nv = (size_t)t->nv;
    real *block = dq + (size_t)b->v * (nv + 1);
    if (b->type == ZV_JOINT_CURVE) {
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

#endif
