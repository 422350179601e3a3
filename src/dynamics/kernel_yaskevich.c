/* Mass matrix and bias by the sums of [Yaskevich], O(n depth): (13)-(16), (20) and (11), (17)-(19), (21).
 *
 * For i an ancestor of j, or j itself, with sums over the bodies k of the subtree of j:
 *   M1_j  = sum I_k                                                        (13)
 *   s_ij  = sum m_k r_ik
 *   M2_ij = sum m_k r~_ik r~_jk^T = sum over children h of j: s~_ih r~_jh^T + M2_ih      (14)
 *   M3_ij = sum c~_k r~_ik^T      = c~_j r~_ij^T + sum over children h: M3_ih            (15)
 *   MS_ij = M1_j + M2_ij + M3_jj + M3_ij^T                                 (16)
 *   A_ij  = z_i^T MS_ij z_j                                                (20)
 * and, where columns T^rel = t are not zero, with mS_j = sum m_k and cS_ij = sum (m_k r_ik + c_k) of (12a), (12b):
 *   A_ij += t_i . f_j + z_i . (cS_ij x t_j),   f_j = mS_j t_j + z_j x cS_jj
 *
 * Forces: fS_j = f_j + sum over children h of fS_h   (17),   mS_j = n_j + sum of mS_h + r_jh x fS_h   (18), (19);
 *   bias = -b = z_j . mS_j + t_j . fS_j   (21)
 *
 * Elastic bodies, the extension that the publication announces; theory (17.12), (17.13). A section s is a row of the
 * recursion without inertia: its children's sums become its own by (13)-(15), and its columns t_se, z_se are those of
 * the elastic coordinates e of its body j. With the mode integrals (dS_e; L_e), M_ee' of the body itself
 *   n_ie = L_e + r_ij x dS_e + sum over sections s of MS_is z_se + cS_is x t_se,    A_ie = z_i . n_ie + t_i . f_e
 *   f_e  = dS_e + sum over sections of mS_s t_se + z_se x cS_ss
 *   A_ee' = M_ee' + sum over sections of z_se . (MS_ss z_se' + cS_ss x t_se') + t_se . (mS_s t_se' + z_se' x cS_ss)
 *   bias_e = Q_e + sum over sections of z_se . mS_s + t_se . fS_s,   Q_e of (E.11)
 * and i may be a section too: then r_ij goes from the one that carries j.
 *
 * Rows i are done from the last body to the first: row i needs of the others only M3_jj and f_j, so that there is
 * memory of O(n).
 *
 * Differs: (14) has s_ih where m_h r_ih is printed: right for N > 2 as well. M3_ij contains body j, it is M3_i,j-1 of
 * the print, which on a tree has no place; M3_jj is the same, for r_jj = 0. (19) is the linear variant. */
#include "dynamics/kernel_base_axes.h"

/* Rows of table 1, which the recording scalar counts apart; nothing on others. */
#ifndef REAL_PART
#define REAL_PART(part) ((void)0)
#endif
enum { PART_MASSES, PART_OFFSETS, PART_MOMENTS, PART_M1, PART_M2, PART_M3, PART_MS, PART_A };

typedef struct YaskevichSums {
    vec3 s;      /* of row i: s_ij, */
    mat3 M2, M3; /* M2_ij, M3_ij */
    mat3 M3_own; /* M3_jj */
    vec3 c;      /* sum of c_k; where slid */
    double m;    /* sum of m_k; where slid */
    bool slid;   /* the joint or one before it has a column T^rel */
} YaskevichSums;

typedef struct Yaskevich {
    const ziTree *t;
    BaseAxes x;         /* I_j of its rows becomes M1_j */
    YaskevichSums *sum; /* bodies, then sections */
    vec3 *r;            /* r_ij of row i */
    int *carrier;       /* of a row of sections: which of them carries j */
    vec3 *f;            /* nv: f_j of each column; where slid */
    vec3 *n;            /* n_ie of the elastic coordinates of one body */
} Yaskevich;

/* Row i: of the joint of body i or, with `sections`, of its elastic coordinates. */
typedef struct YaskevichRow {
    int i;
    bool sections;
} YaskevichRow;

static_assert(sizeof(BaseBody) + sizeof(YaskevichSums) + sizeof(vec3) + sizeof(int) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(BaseBody) + sizeof(BaseMotion) + sizeof(force) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(motion) + 2 * sizeof(vec3) + 2 * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
              "scratch too small");

/* a~ b~^T = (a.b) E - b a^T */
static inline mat3 skew_skew(vec3 a, vec3 b) {
    const real ax = v3_x(a), ay = v3_y(a), az = v3_z(a), bx = v3_x(b), by = v3_y(b), bz = v3_z(b);
    const real xx = ax * bx, yy = ay * by, zz = az * bz;
    return m3(v3(yy + zz, -(ax * by), -(ax * bz)), v3(-(ay * bx), zz + xx, -(ay * bz)),
              v3(-(az * bx), -(az * by), xx + yy));
}

/* Body j > i enters s and M3, to which its children have been added. */
static inline void add_body(const Yaskevich *y, int j) {
    YaskevichSums *me = &y->sum[j];
    const BaseBody *body = &y->x.body[j];
    const rigid *own = &body->own;
    REAL_PART(PART_MOMENTS);
    me->s = body->leaf ? v3_scale(own->m, y->r[j]) : v3_axpy(own->m, y->r[j], me->s);
    REAL_PART(PART_M3);
    const mat3 P = skew_skew(own->h, y->r[j]);
    me->M3 = body->leaf ? P : m3_add(P, me->M3);
}

/* Sums of a row go to what it sits on; of several rows the last comes first. */
static inline void hand_on(const Yaskevich *y, int j) {
    const BaseBody *body = &y->x.body[j];
    const YaskevichSums *me = &y->sum[j];
    YaskevichSums *up = &y->sum[row_base(y->t, j)];
    REAL_PART(PART_M2);
    const mat3 P = skew_skew(me->s, body->at.r);
    const mat3 M2 = body->leaf ? P : m3_add(P, me->M2);
    if (body->eldest) {
        up->s = me->s;
        up->M2 = M2;
        up->M3 = me->M3;
    } else {
        up->M2 = m3_add(up->M2, M2);
        REAL_PART(PART_M3);
        up->M3 = m3_add(up->M3, me->M3);
        REAL_PART(PART_MOMENTS);
        up->s = v3_add(up->s, me->s);
    }
}

/* MS_ij; alone: i is j */
static inline mat3 total(const Yaskevich *y, int j, bool alone) {
    const YaskevichSums *me = &y->sum[j];
    const mat3 M1 = y->x.body[j].own.J;
    REAL_PART(PART_MS);
    if (y->x.body[j].leaf) return alone ? M1 : m3_add(M1, m3_transpose(me->M3));
    return m3_add(m3_add(M1, me->M2), m3_add(alone ? me->M3 : me->M3_own, m3_transpose(me->M3)));
}

/* cS_ij */
static inline vec3 first_moment(const Yaskevich *y, int j, bool alone) {
    const YaskevichSums *me = &y->sum[j];
    REAL_PART(PART_MOMENTS);
    return alone && y->x.body[j].leaf ? me->c : v3_add(me->s, me->c);
}

/* n of a column that has these parts. */
static inline vec3 column_moment(const mat3 *MS, vec3 c, const motion *S, int has) {
    const vec3 n = has & TURNS ? m3_mulv(*MS, S->ang) : v3_cross(c, S->lin);
    return has == (TURNS | SLIDES) ? v3_cross_add(c, S->lin, n) : n;
}

/* f of one, of mass m and first moment c. */
static inline vec3 column_force(double m, vec3 c, const motion *S, int has) {
    const vec3 f = has & SLIDES ? v3_scale(m, S->lin) : v3_cross(S->ang, c);
    return has == (TURNS | SLIDES) ? v3_cross_add(S->ang, c, f) : f;
}

/* Entries of the columns of row i with column e of body j, whose moment is n. */
static inline void meet_column(const Yaskevich *y, YaskevichRow row, int j, int e, vec3 n, real *M) {
    const ziBody *a = &y->t->body[row.i];
    real *column = M + e;
    if (!row.sections) {
        for (int d = a->v; d < a->v + a->nv && d <= e; d++)
            if (column_parts(a, d - a->v) & TURNS) column[(size_t)d * (size_t)y->t->nv] = v3_dot(y->x.S[d].ang, n);
        return;
    }
    const int section = y->carrier[j], turns = section_parts(y->t, section) & TURNS;
    const motion *Psi = section_columns(y->t, &y->x, section);
    column += (size_t)a->elastic->v * (size_t)y->t->nv;
    for (int d = 0; d < a->elastic->n; d++) {
        const real push = v3_dot(Psi[d].lin, y->f[e]);
        column[(size_t)d * (size_t)y->t->nv] = turns ? v3_dot(Psi[d].ang, n) + push : push;
    }
}

/* The columns of the joint of body j. */
static inline void meet_joint(const Yaskevich *y, YaskevichRow row, int j, real *M) {
    const ziBody *b = &y->t->body[j];
    const int parts = joint_parts(b);
    const mat3 MS = parts & TURNS ? total(y, j, j == row.i) : m3_identity();
    const vec3 c = parts & SLIDES ? first_moment(y, j, j == row.i) : v3_zero();
    REAL_PART(PART_A);
    for (int k = 0; k < b->nv; k++) {
        const int e = b->v + k;
        meet_column(y, row, j, e, column_moment(&MS, c, &y->x.S[e], column_parts(b, k)), M);
    }
}

/* The elastic coordinates of body j: n_ie from the body itself and from its sections, whose sums come to it. */
static ZI_COLD void meet_modes(const Yaskevich *y, YaskevichRow row, int j, real *M) {
    const ziBody *b = &y->t->body[j];
    const ziElastic *el = b->elastic;
    REAL_PART(PART_A);
    for (int k = 0; k < el->n; k++) {
        const force own = y->x.mode[el->v + k];
        y->n[k] = j == row.i ? own.ang : v3_cross_add(y->r[j], own.lin, own.ang);
    }
    for (int s = sections_begin(y->t, b); s < sections_end(y->t, b); s++) {
        if (y->x.body[s].leaf) continue;
        const int parts = section_parts(y->t, s);
        const motion *Psi = section_columns(y->t, &y->x, s);
        const mat3 MS = parts & TURNS ? total(y, s, false) : m3_identity();
        const vec3 c = first_moment(y, s, false);
        for (int k = 0; k < el->n; k++) y->n[k] = v3_add(y->n[k], column_moment(&MS, c, &Psi[k], parts));
        hand_on(y, s);
    }
    for (int k = 0; k < el->n; k++) meet_column(y, row, j, el->v + k, y->n[k], M);
}

/* Entries of row i with all that lies beyond; the sums of its joint or sections are complete then. */
static inline void meet_beyond(const Yaskevich *y, YaskevichRow row, real *M) {
    REAL_PART(PART_OFFSETS);
    base_reach(y->t, &y->x, row.i, row.sections, y->r);
    if (row.sections) base_carriers(y->t, &y->x, row.i, y->carrier);
    for (int j = y->x.body[row.i].end - 1; j > row.i; j--) {
        if (y->t->body[j].elastic) meet_modes(y, row, j, M);
        add_body(y, j);
        meet_joint(y, row, j, M);
        hand_on(y, j);
    }
}

/* Entries of the columns of joint i that turn. */
static inline void row_turning(const Yaskevich *y, int i, real *M) {
    YaskevichRow row;
    row.i = i;
    row.sections = false;
    meet_beyond(y, row, M);
    if (y->t->body[i].elastic) meet_modes(y, row, i, M);
    meet_joint(y, row, i, M);
    if (!y->x.body[i].leaf) y->sum[i].M3_own = y->sum[i].M3;
}

/* f_j of the columns of joint i, after its row. */
static ZI_COLD void keep_forces(const Yaskevich *y, int i) {
    const ziBody *b = &y->t->body[i];
    const vec3 c = joint_parts(b) & TURNS ? first_moment(y, i, true) : v3_zero();
    for (int k = 0; k < b->nv; k++)
        y->f[b->v + k] = column_force(y->sum[i].m, c, &y->x.S[b->v + k], column_parts(b, k));
}

/* Entries of the columns of i that slide. */
static ZI_COLD void row_sliding(const Yaskevich *y, int i, real *M) {
    const ziBody *b = &y->t->body[i];
    for (int k = 0; k < b->nv; k++) {
        const int d = b->v + k, has = column_parts(b, k);
        real *row = M + (size_t)d * (size_t)y->t->nv;
        if (!(has & SLIDES)) continue;
        for (int e = d; e < b->v_end; e++) {
            const real x = v3_dot(y->x.S[d].lin, y->f[e]);
            row[e] = has & TURNS ? row[e] + x : x;
        }
    }
}

/* Sums that do not depend on the row go to what it sits on; sections have nothing of their own. */
static inline void hand_on_own(const Yaskevich *y, int row) {
    const int up = row_base(y->t, row);
    if (!up) return;
    const bool set = up >= y->t->nb && y->x.body[row].eldest;
    const YaskevichSums *me = &y->sum[row];
    YaskevichSums *to = &y->sum[up];
    REAL_PART(PART_M1);
    y->x.body[up].own.J = set ? y->x.body[row].own.J : m3_add(y->x.body[up].own.J, y->x.body[row].own.J);
    if (!to->slid) return;
    REAL_PART(PART_MOMENTS);
    to->m += me->m;
    to->c = set ? me->c : v3_add(to->c, me->c);
}

/* What hangs on section s: its share in A_ee' and in f_e, of body b. */
static ZI_COLD void own_section(const Yaskevich *y, const ziBody *b, int s, real *block) {
    const ziElastic *el = b->elastic;
    const int parts = section_parts(y->t, s);
    const motion *Psi = section_columns(y->t, &y->x, s);
    const mat3 MS = parts & TURNS ? total(y, s, true) : m3_identity();
    const vec3 c = first_moment(y, s, true);
    for (int e = 0; e < el->n; e++) {
        const vec3 n = column_moment(&MS, c, &Psi[e], parts), f = column_force(y->sum[s].m, c, &Psi[e], parts);
        y->f[el->v + e] = v3_add(y->f[el->v + e], f);
        for (int d = 0; d <= e; d++) {
            const real push = v3_dot(Psi[d].lin, f);
            block[(size_t)d * (size_t)y->t->nv + (size_t)e] += parts & TURNS ? v3_dot(Psi[d].ang, n) + push : push;
        }
    }
}

/* Entries of the elastic coordinates of body i. */
static ZI_COLD void row_bending(const Yaskevich *y, int i, real *M) {
    const ziBody *b = &y->t->body[i];
    const ziElastic *el = b->elastic;
    const size_t n = (size_t)el->n, nv = (size_t)y->t->nv;
    real *block = M + (size_t)el->v * (nv + 1);
    YaskevichRow row;
    row.i = i;
    row.sections = true;
    meet_beyond(y, row, M);
    for (size_t e = 0; e < n; e++) {
        y->f[(size_t)el->v + e] = y->x.mode[(size_t)el->v + e].lin;
        for (size_t d = 0; d <= e; d++) block[d * nv + e] = elastic_mass(el, y->x.s_short + el->v, nv, d, e);
    }
    for (int s = sections_begin(y->t, b); s < sections_end(y->t, b); s++) {
        if (y->x.body[s].leaf) continue;
        own_section(y, b, s, block);
        y->sum[s].M3_own = y->sum[s].M3;
        hand_on_own(y, s);
    }
}

/* What a body and its sections begin with. */
static inline void open_sums(const Yaskevich *y, int i) {
    const ziBody *b = &y->t->body[i];
    y->sum[i].slid = y->sum[b->base].slid || joint_parts(b) & SLIDES;
    y->sum[i].m = b->m;
    y->sum[i].c = y->x.body[i].own.h;
    for (int s = sections_begin(y->t, b); s < sections_end(y->t, b); s++) {
        y->sum[s].slid = true;
        y->sum[s].m = 0;
    }
}

/* M by (20), row by row from the last body to the first; the sums for sliding columns are kept only where the joint or
 * one before it slides. */
void ZI_KERNEL(zi_yaskevich)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const size_t rows = (size_t)t->nb + (size_t)t->ns;
    Yaskevich y;
    y.t = t;
    y.x = base_axes(t, &scratch, q, false);
    y.sum = zi_scratch_array(&scratch, YaskevichSums, rows);
    y.r = zi_scratch_array(&scratch, vec3, rows);
    y.carrier = zi_scratch_array(&scratch, int, t->ne ? rows : 0);
    y.f = zi_scratch_array(&scratch, vec3, t->nv);
    y.n = zi_scratch_array(&scratch, vec3, t->max_modes);
    real_stage();
    REAL_PART(PART_A);
    y.sum[0].slid = false;
    for (int i = 1; i < t->nb; i++) open_sums(&y, i);
    for (int i = t->nb - 1; i > 0; i--) {
        const int parts = joint_parts(&t->body[i]);
        if (t->body[i].elastic) row_bending(&y, i, M);
        if (parts & TURNS) row_turning(&y, i, M);
        if (y.sum[i].slid) keep_forces(&y, i);
        if (parts & SLIDES) row_sliding(&y, i, M);
        hand_on_own(&y, i);
    }
    REAL_PART(PART_A);
    base_complete(t, M);
}

/* The forces of the sections of an elastic body against their columns, and to the body. */
static ZI_COLD void press_sections(const ziTree *t, const BaseAxes *x, int i, force *F, real *bias) {
    const ziBody *b = &t->body[i];
    for (int s = sections_begin(t, b); s < sections_end(t, b); s++) {
        const motion *Psi = section_columns(t, x, s);
        if (x->body[s].leaf) continue;
        for (int k = 0; k < b->elastic->n; k++)
            bias[b->elastic->v + k] += column_dot(F[s], &Psi[k], section_parts(t, s));
        F[i] = force_add(F[i], force_shift(F[s], x->body[s].at.r));
    }
}

/* Bias by (21): the force of every body (11), summed up over subtrees by (17)-(19) and projected on the columns. v
 * NULL: weight alone. */
void ZI_KERNEL(zi_yaskevich_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                  const double *gravity, real *bias) {
    const BaseAxes x = base_axes(t, &scratch, q, true);
    const BaseMotion *m = base_motions(t, &scratch, &x, v, gravity);
    force *F = zi_scratch_array(&scratch, force, (size_t)t->nb + (size_t)t->ns); /* fS, mS */
    real_stage();
    for (int i = 1; i < t->nb; i++)
        F[i] = t->body[i].elastic ? base_force_elastic(t, scratch, &x, i, &m[i], v, bias)
                                  : base_force(&x.body[i].own, &m[i], !v);
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        if (b->elastic) press_sections(t, &x, i, F, bias);
        for (int k = 0; k < b->nv; k++) bias[b->v + k] = column_dot(F[i], &x.S[b->v + k], column_parts(b, k));
        if (!b->base) continue;
        const force up = force_shift(F[i], x.body[i].at.r);
        F[b->base] = b->base >= t->nb && x.body[i].eldest ? up : force_add(F[b->base], up);
    }
}
