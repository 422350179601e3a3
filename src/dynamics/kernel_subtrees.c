/* Inverse of the mass matrix, and its products with matrices, by separate bodies (Vereshchagin): all columns of forces
 * together. The articulated inertias once; then, columns j of a block side by side,
 *
 *   inward   u_dj = tau_dj - S^T F_j,  F_j += U u_dj / D,  F_j to the parent's origin
 *   outward  y_j from the parent's,  x_dj = (u_dj - U^T y_j) / D,  y_j += S x_dj
 *
 * A unit force in j has u_jj = 1 and acts inward on the path of j only: on its way to the root body b meets the
 * columns of its own subtree, which are contiguous (depth-first order), and outward those from its own on: half of
 * M^-1, the other half is its mirror image; O(n^2). Columns of different subtrees never meet inward and share one
 * array. Dense columns, X := -M^-1 X, go through all bodies, and the forces of branches are added up.
 *
 * Where bodies branch a force or motion is kept apart for each branch but the last: in slots, of which there are as
 * many as branches are open at one time.
 *
 * Source: [Vereshchagin] (17), (18) for one column, as in kernel_articulated.c. Differs: many columns at a time. */
#include "dynamics/column_packs.h"
#include "dynamics/kernel_articulated_steps.h"
#include "linalg/mirror.h"
#include "real/sincos.h"

/* What columns meet at a degree of freedom, and at a body. */
typedef struct SubtreeDof {
    real S[SIX], U[SIX], k;
} SubtreeDof;
typedef struct SubtreeBody {
    real r[3];
    int slot;  /* where its columns are */
    bool leaf; /* nothing hangs on it */
    bool last; /* of those that hang on its parent, which shares its slot */
} SubtreeBody;

_Static_assert(sizeof(ArticulatedBody) + sizeof(SubtreeBody) + SIX_PACKED * sizeof(real) <= ZI_SCRATCH_PER_BODY &&
                   sizeof(ArticulatedColumn) + sizeof(SubtreeDof) + 32 <= ZI_SCRATCH_PER_COORDINATE,
               "scratch too small");

typedef struct Subtrees {
    const ziTree *tree;
    SubtreeBody *body;
    SubtreeDof *dof;
    int slots, width;  /* columns of a block */
    ColumnBlock block; /* of slot 0; */
    size_t room;       /* numbers of a slot */
    real *X;           /* nv x nv */
} Subtrees;

/* Column j of the block in a slot. */
static ZI_HOT real *in_slot(const Subtrees *s, int slot, int j) {
    return block_place(&s->block, j) + (size_t)slot * s->room;
}

/* Whether columns meet the linear, the angular part of a joint's axis. */
typedef enum SubtreeJoint { SUBTREE_TURNS, SUBTREE_SLIDES, SUBTREE_ANY } SubtreeJoint;

static inline SubtreeJoint joint_kind(const ziBody *b) {
    if (b->type == ZV_JOINT_REVOLUTE) return SUBTREE_TURNS;
    return b->type == ZV_JOINT_PRISMATIC ? SUBTREE_SLIDES : SUBTREE_ANY;
}

static ZI_HOT pack dot_axis(const real *s, const SixPacks *F, const SubtreeJoint kind) {
    if (kind == SUBTREE_TURNS) return six_dot_ang(s, F);
    if (kind == SUBTREE_SLIDES) return six_dot_lin(s, F);
    return six_dot_lin(s, F) + six_dot_ang(s, F);
}

/* Which columns a sweep leads through the bodies: those of the identity, or of X. */
typedef enum SubtreeColumns { UNITS, DENSE } SubtreeColumns;

/* A force that is eliminated at a degree of freedom: u = tau - S^T F goes to `row`. */
static ZI_HOT pack eliminate_pack(const SubtreeDof *dof, pack tau, SixPacks *F, const SubtreeJoint kind) {
    const pack u = tau - dot_axis(dof->S, F, kind), a = dof->k * u;
    six_add_lin(F, a, dof->U);
    six_add_ang(F, a, dof->U);
    return u;
}
/* x = (u - U^T y) / D */
static ZI_HOT pack answer_pack(const SubtreeDof *dof, pack u, SixPacks *y, const SubtreeJoint kind) {
    const pack x = dof->k * (u - (six_dot_lin(dof->U, y) + six_dot_ang(dof->U, y)));
    if (kind != SUBTREE_TURNS) six_add_lin(y, x, dof->S);
    if (kind != SUBTREE_SLIDES) six_add_ang(y, x, dof->S);
    return x;
}

/* Forces at the place where those of the parent are kept; what other branches have brought is there already. */
static ZI_HOT void hand_on_pack(real *own, real *up, bool last, const SixPacks *F) {
    SixPacks sum = *F;
    if (last) {
        six_to(own, F);
        return;
    }
    six_add(&sum, up);
    six_to(up, &sum);
}

/* Any columns of any joint of body i inward: PACK from j on, of which the first `count` belong to its subtree. */
static ZI_COLD void inward_pack(const Subtrees *s, int i, int j, int count, SubtreeColumns columns) {
    const ziBody *b = &s->tree->body[i];
    const SubtreeBody *me = &s->body[i];
    const int n = s->tree->nv;
    real *at = in_slot(s, columns == UNITS ? 0 : me->slot, j);
    SixPacks F = columns == DENSE && me->leaf ? six_zero() : six_of(at);
    const SixPacks before = F;
    for (int d = b->v + b->nv - 1; d >= b->v; d--) {
        real *row = s->X + (size_t)d * (size_t)n;
        pack u = columns == UNITS ? pack_unit(d - j) : -row_read(row, n, j);
        u = eliminate_pack(&s->dof[d], u, &F, SUBTREE_ANY);
        row_write(row, n, j, count < PACK ? pack_between(u, 0, count) : u);
    }
    if (!b->parent) return;
    six_shift_force(&F, me->r);
    if (count < PACK) six_first(&F, &before, count);
    hand_on_pack(at, in_slot(s, s->body[b->parent].slot, j), columns == UNITS || me->last, &F);
}
/* The same outward; known: u is in the rows, else zero. */
static ZI_COLD void outward_pack(const Subtrees *s, int i, int j, bool known) {
    const ziBody *b = &s->tree->body[i];
    const SubtreeBody *me = &s->body[i];
    const int n = s->tree->nv;
    SixPacks y = six_zero();
    if (b->parent) {
        y = six_of(in_slot(s, s->body[b->parent].slot, j));
        six_shift_motion(&y, me->r);
    }
    for (int d = b->v; d < b->v + b->nv; d++) {
        real *row = s->X + (size_t)d * (size_t)n;
        row_write(row, n, j, answer_pack(&s->dof[d], known ? row_read(row, n, j) : pack_like(0), &y, SUBTREE_ANY));
    }
    if (!me->leaf) six_to(in_slot(s, me->slot, j), &y);
}

/* Whole packs of columns j ... to - 1 through a joint of one degree of freedom that hangs on a body, all of them of its
 * subtree and, of the identity, beyond its own column. */
static ZI_HOT int inward_line(const Subtrees *s, int i, int j, int to, const SubtreeJoint kind,
                              const SubtreeColumns columns) {
    const ziBody *b = &s->tree->body[i];
    const SubtreeBody me = s->body[i];
    const SubtreeDof dof = s->dof[b->v];
    real *row = s->X + (size_t)b->v * (size_t)s->tree->nv;
    real *at = in_slot(s, columns == UNITS ? 0 : me.slot, j), *up = in_slot(s, s->body[b->parent].slot, j);
    for (; j + PACK <= to; j += PACK, at += SIX_PACKED, up += SIX_PACKED) {
        SixPacks F = six_zero();
        if (columns == UNITS || !me.leaf) F = six_of(at);
        pack_to(row + j, eliminate_pack(&dof, columns == UNITS ? pack_like(0) : -pack_of(row + j), &F, kind));
        six_shift_force(&F, me.r);
        hand_on_pack(at, up, columns == UNITS || me.last, &F);
    }
    return j;
}
/* The same outward; known: u is in the rows, else zero. */
static ZI_HOT int outward_line(const Subtrees *s, int i, int j, int to, const SubtreeJoint kind, const bool known) {
    const ziBody *b = &s->tree->body[i];
    const SubtreeBody me = s->body[i];
    const SubtreeDof dof = s->dof[b->v];
    real *row = s->X + (size_t)b->v * (size_t)s->tree->nv;
    real *at = in_slot(s, me.slot, j), *up = in_slot(s, s->body[b->parent].slot, j);
    for (; j + PACK <= to; j += PACK, at += SIX_PACKED, up += SIX_PACKED) {
        SixPacks y = six_of(up);
        six_shift_motion(&y, me.r);
        pack_to(row + j, answer_pack(&dof, known ? pack_of(row + j) : pack_like(0), &y, kind));
        if (!me.leaf) six_to(at, &y);
    }
    return j;
}

/* All columns of the block that meet body i, inward: of the identity those of its subtree. */
static ZI_HOT void inward_block(const Subtrees *s, int i, const SubtreeJoint kind, const SubtreeColumns columns) {
    const ziBody *b = &s->tree->body[i];
    const ColumnBlock *c = &s->block;
    const int to = columns == UNITS ? lesser(b->v_end, c->to) : c->to;
    int j = columns == UNITS ? greater(c->from, pack_start(b->v)) : c->from;
    if (columns == UNITS && j <= b->v) {
        inward_pack(s, i, j, greater(to - j, to == s->tree->nv ? PACK : 0), columns);
        j += PACK;
    }
    if (kind != SUBTREE_ANY && b->parent) j = inward_line(s, i, j, to, kind, columns);
    for (; j < to; j += PACK) inward_pack(s, i, j, greater(to - j, to == s->tree->nv ? PACK : 0), columns);
}
/* Outward: of the identity those from its own on; behind its subtree u is zero. */
static ZI_HOT void outward_block(const Subtrees *s, int i, const SubtreeJoint kind, const SubtreeColumns columns) {
    const ziBody *b = &s->tree->body[i];
    const ColumnBlock *c = &s->block;
    int j = columns == UNITS ? greater(c->from, pack_start(b->v)) : c->from;
    const int known = columns == UNITS ? lesser(b->v_end, c->to) : c->to;
    if (kind != SUBTREE_ANY && b->parent) j = outward_line(s, i, j, known, kind, true);
    for (; j < known; j += PACK) outward_pack(s, i, j, true);
    if (kind != SUBTREE_ANY && b->parent) j = outward_line(s, i, j, c->to, kind, false);
    for (; j < c->to; j += PACK) outward_pack(s, i, j, false);
}

static ZI_COLD void inward_any(const Subtrees *s, int i, SubtreeJoint kind, SubtreeColumns columns) {
    if (kind == SUBTREE_SLIDES)
        columns == UNITS ? inward_block(s, i, SUBTREE_SLIDES, UNITS) : inward_block(s, i, SUBTREE_SLIDES, DENSE);
    else
        columns == UNITS ? inward_block(s, i, SUBTREE_ANY, UNITS) : inward_block(s, i, SUBTREE_ANY, DENSE);
}
static ZI_COLD void outward_any(const Subtrees *s, int i, SubtreeJoint kind, SubtreeColumns columns) {
    if (kind == SUBTREE_SLIDES)
        columns == UNITS ? outward_block(s, i, SUBTREE_SLIDES, UNITS) : outward_block(s, i, SUBTREE_SLIDES, DENSE);
    else
        columns == UNITS ? outward_block(s, i, SUBTREE_ANY, UNITS) : outward_block(s, i, SUBTREE_ANY, DENSE);
}

/* Both sweeps for the columns of the block. */
static ZI_HOT void sweep_block(const Subtrees *s, const SubtreeColumns columns) {
    const bool unit = columns == UNITS;
    const ziTree *t = s->tree;
    const ColumnBlock *c = &s->block;
    for (size_t k = 0; unit && k < (size_t)(c->to - c->from + PACK) * SIX && k < s->room; k++) c->x[k] = 0;
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        const SubtreeJoint kind = joint_kind(b);
        if (unit && (b->v >= c->to || b->v_end <= c->from)) continue;
        if (kind == SUBTREE_TURNS)
            inward_block(s, i, SUBTREE_TURNS, columns);
        else
            inward_any(s, i, kind, columns);
    }
    for (int i = 1; i < t->nb; i++) {
        const ziBody *b = &t->body[i];
        const SubtreeJoint kind = joint_kind(b);
        if (unit && b->v >= c->to) continue;
        if (kind == SUBTREE_TURNS)
            outward_block(s, i, SUBTREE_TURNS, columns);
        else
            outward_any(s, i, kind, columns);
    }
}
static ZI_COLD void sweep_units(const Subtrees *s) { sweep_block(s, UNITS); }
static ZI_COLD void sweep_columns(const Subtrees *s) { sweep_block(s, DENSE); }

/* Slots of bodies: the last that hangs on a body takes over its slot. */
static inline void place_slots(const ziTree *t, Subtrees *s) {
    s->slots = 1;
    for (int i = 0; i < t->nb; i++) s->body[i].leaf = true;
    for (int i = t->nb - 1; i > 0; i--) {
        SubtreeBody *up = &s->body[t->body[i].parent];
        s->body[i].last = up->leaf;
        up->leaf = false;
    }
    for (int i = 1; i < t->nb; i++) {
        const int parent = t->body[i].parent;
        s->body[i].slot = parent ? s->body[parent].slot + !s->body[i].last : 0;
        s->slots = greater(s->slots, s->body[i].slot + 1);
    }
}

/* The numbers that columns meet, from the articulated bodies. */
static inline void take_numbers(const ziTree *t, const ArticulatedBody *row, const ArticulatedColumn *column,
                                const Subtrees *s) {
    for (int i = 1; i < t->nb; i++) v3_to(s->body[i].r, row[i].at.r);
    for (int d = 0; d < t->nv; d++) {
        SubtreeDof *dof = &s->dof[d];
        six_numbers(dof->S, column[d].S.lin, column[d].S.ang);
        six_numbers(dof->U, column[d].U.lin, column[d].U.ang);
        dof->k = column[d].k;
    }
}

/* As many columns to a block as scratch memory has place for: there is always for one pack. */
static inline int columns_of_block(ziScratch scratch, const Subtrees *s) {
    const size_t each = SIX * sizeof(real) * (size_t)s->slots, free = (size_t)(scratch.end - scratch.next) - 64;
    return greater(PACK, lesser(BLOCK_COLUMNS, pack_start((int)lesser((int)(free / each), BLOCK_COLUMNS))));
}

/* The articulated bodies at q, and room for a block of columns of each slot; whether all pivots are positive to
 * rounding. */
static inline real_ok prepare_subtrees(const ziTree *t, ziScratch *scratch, const real *q, Subtrees *s) {
    real *sine = zi_scratch_array(scratch, real, t->nq), *cosine = zi_scratch_array(scratch, real, t->nq);
    ArticulatedBody *row = zi_scratch_array(scratch, ArticulatedBody, t->nb);
    ArticulatedColumn *column = zi_scratch_array(scratch, ArticulatedColumn, t->nv);
    Problem p = {.q = q, .s = sine, .c = cosine};
    s->tree = t;
    s->body = zi_scratch_array(scratch, SubtreeBody, t->nb);
    s->dof = zi_scratch_array(scratch, SubtreeDof, t->nv);
    sincos_array(t->nq, q, sine, cosine);
    outward_bodies(t, *scratch, &p, row, column, take_elastic_scratch(t, scratch, &p), false);
    real_stage();
    const real_ok ok = inward(t, *scratch, &p, row, column, false);
    place_slots(t, s);
    take_numbers(t, row, column, s);
    s->width = columns_of_block(*scratch, s);
    s->room = (size_t)s->width * SIX;
    s->block.x = zi_scratch_array(scratch, real, s->room * (size_t)s->slots);
    return ok;
}

/* X0, X1 := -M^-1 X0, -M^-1 X1 and Minv := M^-1, any of which may be NULL. */
static inline void answer_subtrees(Subtrees *s, real *X0, real *X1, real *Minv) {
    const int n = s->tree->nv;
    real *const dense[2] = {X0, X1};
    for (int from = 0; from < n; from += s->width) {
        s->block.from = from;
        s->block.to = lesser(n, from + s->width);
        for (int k = 0; k < 2; k++) {
            s->X = dense[k];
            if (s->X) sweep_columns(s);
        }
        s->X = Minv;
        if (!Minv) continue;
        sweep_units(s);
        mirror_rows(n, Minv, from, s->block.to);
    }
}

/* All of that, but for a singular M. */
zvStatus ZI_KERNEL(zi_subtrees)(const ziTree *t, ziScratch scratch, const real *q, real *X0, real *X1, real *Minv) {
    Subtrees s;
    if (!prepare_subtrees(t, &scratch, q, &s)) return ZV_SINGULAR;
    answer_subtrees(&s, X0, X1, Minv);
    return ZV_OK;
}
