/* Mass matrix by composite bodies (Stepanenko's idea), O(n depth). World axes, each body about its own origin, so that
 * carrying a composite body or a force to the parent is a shift and no rotation.
 *
 *   outward  rotations, offsets r, columns S, inertias turned into world axes
 *   inward   composite inertia of the subtree about the body's origin;  F_d = I S_d for its own columns;
 *            M_kd = S_k^T F_d for all columns k of the body and of its ancestors, F_d shifted to their origins
 *
 * On short paths each F_d walks up to the root at once. On long ones all F_d of a subtree are carried together from
 * body to body: its columns are contiguous (depth-first order), so the inner loops run over plain arrays, a block of
 * columns at a time (column_packs.h). A row is written once and in order, the other triangle from squares of it.
 *
 * With elastic bodies the attachments are rows between a body and what hangs on it, and their columns Psi, one per
 * elastic coordinate i, are met on the way like those of a joint:
 *
 *   F_i  = (dS_i; L_i) + sum over attachments of I Psi_i, shifted to the body's origin
 *   M_ij of one body = its own M_ij (elastic.h) + sum over attachments of Psi_i^T I Psi_j
 *
 * J_re and J_ee of [Gevorkian], of all that lies beyond.
 *
 * A recursion of its own beside reduced_columns.h, which knows neither elastic links nor attachments, and whose frames
 * turn at every body: on a chain of 40 joints in general position this one takes 2.79 us, that one 2.85; on one of 24
 * that one is ahead (auto.h). */
#include "dynamics/column_packs.h"
#include "dynamics/elastic.h"
#include "dynamics/kernels.h"
#include "linalg/mirror.h"
#include "real/sincos.h"

typedef struct CompositeBody {
    placed at;
    rigid I_;
} CompositeBody;

/* Bodies on the longest path from which on carrying together pays. */
enum { LONG_PATH = 24 };

_Static_assert(2 * sizeof(CompositeBody) <= ZI_SCRATCH_PER_BODY && sizeof(motion) + 64 <= ZI_SCRATCH_PER_COORDINATE,
               "scratch too small");

/* Inertia times a column, with its zeros. */
static inline force momentum_of(const ziBody *b, const rigid *I_, const motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) return force_of(v3_cross(S->ang, I_->h), m3_mulv(I_->J, S->ang));
    if (b->type == ZV_JOINT_PRISMATIC) return force_of(v3_scale(I_->m, S->lin), v3_cross(I_->h, S->lin));
    return rigid_mul(I_, *S);
}

/* Columns of a body that are not in the subtree of row k are zero. */
static inline void clear_tail(const ziTree *t, const ziBody *b, int k, real *M) {
    real *row = M + (size_t)k * (size_t)t->nv;
    for (int d = b->v_end; d < t->nv; d++) row[d] = 0;
}

/* F against the columns of body b: entries of column d of M. */
static inline void meet_body(const ziTree *t, const ziBody *b, force F, const motion *S, int d, real *restrict M) {
    real *at = M + (size_t)b->v * (size_t)t->nv + (size_t)d;
    if (b->type == ZV_JOINT_REVOLUTE) {
        *at = v3_dot(F.ang, S[b->v].ang);
    } else if (b->type == ZV_JOINT_PRISMATIC) {
        *at = v3_dot(F.lin, S[b->v].lin);
    } else {
        for (int k = 0; k < b->nv; k++) at[(size_t)k * (size_t)t->nv] = force_dot(F, S[b->v + k]);
    }
}

/* Column d of M down to the diagonal: F_d of body i walks up to the root. */
static inline void walk_up(const ziTree *t, const CompositeBody *row, const motion *S, int i, int d, real *restrict M) {
    force F = momentum_of(&t->body[i], &row[i].I_, &S[d]);
    meet_body(t, &t->body[i], F, S, d, M);
    M[(size_t)d * (size_t)t->nv + (size_t)d] += t->armature[d];
    for (int at = i, up = t->body[i].parent; up; at = up, up = t->body[up].parent) {
        F = force_shift(F, row[at].at.r);
        meet_body(t, &t->body[up], F, S, d, M);
    }
}

/* PACK columns from d on of a body's rows, of which the first `count` belong to its subtree, and on to the parent's
 * origin; any joint. */
static ZI_COLD void meet_pack(const ziTree *t, const ziBody *b, vec3 r, const motion *S, const ColumnBlock *c, int d,
                              int count, real *M) {
    real *at = block_place(c, d);
    const SixPacks F = six_of(at);
    SixPacks carried = F;
    for (int k = b->v; k < b->v + b->nv; k++) {
        real s[SIX];
        six_numbers(s, S[k].lin, S[k].ang);
        const pack e = six_dot_lin(s, &F) + six_dot_ang(s, &F);
        row_write(M + (size_t)k * (size_t)t->nv, t->nv, d, count < PACK ? pack_between(e, 0, count) : e);
    }
    real from[3];
    v3_to(from, r);
    six_shift_force(&carried, from);
    if (count < PACK) six_first(&carried, &F, count);
    six_to(at, &carried);
}
/* Whole packs of columns d ... to - 1 of the subtree of a joint that turns about or slides along its column, s. */
static ZI_HOT int meet_line(const ziBody *b, vec3 r, const real *s, const ColumnBlock *c, int d, int to,
                            const bool turns, real *row) {
    real *at = block_place(c, d), from[3];
    v3_to(from, r);
    for (; d + PACK <= to; d += PACK, at += SIX_PACKED) {
        SixPacks F = six_of(at);
        pack_to(row + d, turns ? six_dot_ang(s, &F) : six_dot_lin(s, &F));
        if (!b->parent) continue;
        six_shift_force(&F, from);
        six_moments_to(at, &F);
    }
    return d;
}

/* Rows of body i in the columns of a block, from its own on. */
static ZI_HOT void meet_block(const ziTree *t, const CompositeBody *row, const motion *S, int i, const ColumnBlock *c,
                              real *M) {
    const ziBody *b = &t->body[i];
    const int to = lesser(b->v_end, c->to), least = to == t->nv ? PACK : 0;
    int d = greater(c->from, pack_start(b->v));
    for (int k = greater(b->v, c->from); k < lesser(b->v + b->nv, c->to); k++) {
        const force F = momentum_of(b, &row[i].I_, &S[k]);
        real f[SIX], *at = block_place(c, pack_start(k)) + (k - pack_start(k));
        six_numbers(f, F.lin, F.ang);
        for (int e = 0; e < SIX; e++) at[e * PACK] = f[e];
    }
    if (b->type == ZV_JOINT_REVOLUTE || b->type == ZV_JOINT_PRISMATIC) {
        real s[SIX], *own = M + (size_t)b->v * (size_t)t->nv;
        six_numbers(s, S[b->v].lin, S[b->v].ang);
        d = b->type == ZV_JOINT_REVOLUTE ? meet_line(b, row[i].at.r, s, c, d, to, true, own)
                                         : meet_line(b, row[i].at.r, s, c, d, to, false, own);
    }
    for (; d < to; d += PACK) meet_pack(t, b, row[i].at.r, S, c, d, greater(to - d, least), M);
}

static inline void inward_short(const ziTree *t, CompositeBody *row, const motion *S, real *M) {
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        for (int d = b->v; d < b->v + b->nv; d++) {
            walk_up(t, row, S, i, d, M);
            clear_tail(t, b, d, M);
        }
        if (b->parent) rigid_add_shifted(&row[b->parent].I_, &row[i].I_, row[i].at.r);
    }
}

/* Inward sweep for long paths: composite inertias first; then all F_d of a block of columns go from body to body and
 * fill their part of the rows, which no one touches again but the mirror. */
static inline void inward_long(const ziTree *t, ziScratch scratch, CompositeBody *row, const motion *S, real *M) {
    ColumnBlock c;
    c.x = zi_scratch_array(&scratch, real, SIX * BLOCK_COLUMNS);
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        for (int d = b->v; d < b->v + b->nv; d++) clear_tail(t, b, d, M);
        if (b->parent) rigid_add_shifted(&row[b->parent].I_, &row[i].I_, row[i].at.r);
    }
    for (c.from = 0; c.from < t->nv; c.from = c.to) {
        c.to = lesser(t->nv, c.from + BLOCK_COLUMNS);
        for (int k = 0; k < SIX * BLOCK_COLUMNS; k++) c.x[k] = 0;
        for (int i = t->nb - 1; i > 0; i--)
            if (t->body[i].v < c.to && t->body[i].v_end > c.from) meet_block(t, row, S, i, &c, M);
        for (int d = c.from; d < c.to; d++) M[(size_t)d * ((size_t)t->nv + 1)] += t->armature[d];
        mirror_rows(t->nv, M, c.from, c.to);
    }
}

/* What a tree with elastic bodies has besides: columns of the attachments, from first[k] on those of attachment k, and
 * the forces F_i of elastic columns at the tree's dofs. */
typedef struct CompositeElastic {
    const int *first;
    motion *Psi;
    force *F;
    real *s; /* of elastic.h: extra rows of the tree's dofs */
} CompositeElastic;

/* An elastic body by itself, and where its attachments are. */
static inline void place_elastic(const ziTree *t, ziScratch scratch, const ziBody *b, const real *e, CompositeBody *me,
                                 CompositeBody *attachments, const CompositeElastic *x) {
    const ziElastic *el = b->elastic;
    elastic_terms own;
    take_elastic_terms(&scratch, el, &own);
    elastic_inertia(scratch, b, e, &own);
    me->I_ = elastic_world(b, &own, me->at.R);
    for (int i = 0; i < el->n; i++) {
        x->F[el->v + i] = force_of(m3_mulv(me->at.R, own.dS[i]), m3_mulv(me->at.R, own.L[i]));
        for (int a = 0; a < el->extra; a++) x->s[a * t->nv + el->v + i] = own.s[a * el->n + i];
    }
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        place_attachment(&t->attachment[k], el, &me->at.R, e, &attachments[k].at, x->Psi + x->first[k]);
        attachments[k].I_ = rigid_nothing();
    }
}

/* What the attachments of an elastic body carry comes to it: inertia, F_i, and the block of M of its coordinates. */
static inline void gather_attachments(const ziTree *t, const ziBody *b, CompositeBody *me,
                                      const CompositeBody *attachments, const CompositeElastic *x, real *M) {
    const ziElastic *el = b->elastic;
    const size_t n = (size_t)el->n, nv = (size_t)t->nv;
    real *block = M + (size_t)el->v * (nv + 1);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) block[j * nv + i] = elastic_mass(el, x->s + el->v, nv, i, j);
        block[i * nv + i] += t->armature[(size_t)el->v + i];
    }
    for (int k = el->attachment; k < el->attachment + el->attachments; k++) {
        const motion *Psi = x->Psi + x->first[k];
        for (size_t i = 0; i < n; i++) {
            const force G = rigid_mul(&attachments[k].I_, Psi[i]);
            for (size_t j = 0; j <= i; j++) block[j * nv + i] += force_dot(G, Psi[j]);
            x->F[(size_t)el->v + i] = force_add(x->F[(size_t)el->v + i], force_shift(G, attachments[k].at.r));
        }
        rigid_add_shifted(&me->I_, &attachments[k].I_, attachments[k].at.r);
    }
}

/* Column d of M where F_d of body i meets the columns of the attachments and bodies it hangs on. */
static inline void walk_up_elastic(const ziTree *t, const CompositeBody *row, const motion *S,
                                   const CompositeElastic *x, int i, force F, int d, real *M) {
    for (int at = i, base = t->body[i].base; base;) {
        F = force_shift(F, row[at].at.r);
        at = base;
        if (at < t->nb) {
            meet_body(t, &t->body[at], F, S, d, M);
            base = t->body[at].base;
        } else {
            base = t->attachment[at - t->nb].body;
            const ziElastic *el = t->body[base].elastic;
            const motion *Psi = x->Psi + x->first[at - t->nb];
            real *column = M + (size_t)el->v * (size_t)t->nv + (size_t)d;
            for (int k = 0; k < el->n; k++) column[(size_t)k * (size_t)t->nv] = force_dot(F, Psi[k]);
        }
    }
}

/* Inward sweep with elastic bodies: attachments are gathered first; then each F_d, those of elastic coordinates
 * included, walks up through bodies and attachments. */
static inline void inward_elastic(const ziTree *t, CompositeBody *row, const motion *S, const CompositeElastic *x,
                                  real *M) {
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        const int own = b->v + b->nv, end = own + (b->elastic ? b->elastic->n : 0);
        if (b->elastic) gather_attachments(t, b, &row[i], row + t->nb, x, M);
        for (int d = b->v; d < end; d++) {
            const force F = d < own ? momentum_of(b, &row[i].I_, &S[d]) : x->F[d];
            meet_body(t, b, F, S, d, M);
            if (d < own) M[(size_t)d * (size_t)t->nv + (size_t)d] += t->armature[d];
            walk_up_elastic(t, row, S, x, i, F, d, M);
            clear_tail(t, b, d, M);
        }
        if (b->base) rigid_add_shifted(&row[b->base].I_, &row[i].I_, row[i].at.r);
    }
}

/* The whole for a tree with elastic bodies. */
static ZI_COLD void by_elastic(const ziTree *t, ziScratch scratch, const real *q, const real *s, const real *c,
                               CompositeBody *row, motion *S, real *M) {
    CompositeElastic x;
    x.first = attachment_offsets(t, &scratch);
    x.Psi = zi_scratch_array(&scratch, motion, t->attachment_modes);
    x.F = zi_scratch_array(&scratch, force, t->nv);
    x.s = zi_scratch_array(&scratch, real, ZI_SHORTENINGS * (size_t)t->nv);
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        place_body(b, &row[b->base].at.R, q + b->q, s + b->q, c + b->q, &row[i].at, S + b->v);
        if (b->elastic)
            place_elastic(t, scratch, b, q + b->elastic->q, &row[i], row + t->nb, &x);
        else
            row[i].I_ = world_inertia(b, row[i].at.R);
    }
    real_stage();
    inward_elastic(t, row, S, &x, M);
}

/* M (nv x nv), both triangles: outward placement, then the inward sweep for short or long paths, or the one for elastic
 * trees; the lower triangle is the mirror image of the upper one. */
void ZI_KERNEL(zi_composite)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    real *s = zi_scratch_array(&scratch, real, t->nq), *c = zi_scratch_array(&scratch, real, t->nq);
    CompositeBody *row = zi_scratch_array(&scratch, CompositeBody, (size_t)t->nb + (size_t)t->ns);
    motion *S = zi_scratch_array(&scratch, motion, t->nv);
    sincos_array(t->nq, q, s, c);
    row[0].at.R = m3_identity();
    if (t->ne) {
        by_elastic(t, scratch, q, s, c, row, S, M);
    } else {
        for (int i = 1; i < t->nb; i++) {
            const ziBody *b = &t->body[i];
            place_body(b, &row[b->parent].at.R, q + b->q, s + b->q, c + b->q, &row[i].at, S + b->v);
            row[i].I_ = world_inertia(b, row[i].at.R);
        }
        real_stage();
        if (t->max_depth >= LONG_PATH) {
            inward_long(t, scratch, row, S, M);
            return;
        }
        inward_short(t, row, S, M);
    }
    mirror_rows(t->nv, M, 0, t->nv);
}
