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
 * Rows i are done from the last body to the first: row i needs of the others only M3_jj and f_j, so that there is
 * memory of O(n).
 *
 * Differs: (14) has s_ih where m_h r_ih is printed: right for N > 2 as well. M3_ij contains body j, it is M3_i,j-1 of
 * the print, which on a tree has no place; M3_jj is the same, for r_jj = 0. (19) is the linear variant. */
#include "dynamics/kernel_base_axes.h"

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
    BaseAxes x; /* I_j of its bodies becomes M1_j */
    YaskevichSums *sum;
    vec3 *r; /* r_ij of row i */
    vec3 *f; /* nv: f_j of each column; where slid */
} Yaskevich;

static_assert(sizeof(BaseBody) + sizeof(YaskevichSums) + sizeof(vec3) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(BaseBody) + sizeof(BaseMotion) + sizeof(force) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(motion) + sizeof(vec3) + 2 * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
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
    const rigid *own = &y->x.body[j].own;
    const mat3 P = skew_skew(own->h, y->r[j]);
    const bool leaf = is_leaf(&y->t->body[j]);
    me->s = leaf ? v3_scale(own->m, y->r[j]) : v3_axpy(own->m, y->r[j], me->s);
    me->M3 = leaf ? P : m3_add(P, me->M3);
}

/* Its sums go to its parent; of several children the last comes first. */
static inline void hand_on(const Yaskevich *y, int j) {
    const ziBody *b = &y->t->body[j];
    const YaskevichSums *me = &y->sum[j];
    YaskevichSums *up = &y->sum[b->parent];
    const mat3 P = skew_skew(me->s, y->x.body[j].at.r);
    const mat3 M2 = is_leaf(b) ? P : m3_add(P, me->M2);
    if (b->v_end == y->t->body[b->parent].v_end) {
        up->s = me->s;
        up->M2 = M2;
        up->M3 = me->M3;
    } else {
        up->s = v3_add(up->s, me->s);
        up->M2 = m3_add(up->M2, M2);
        up->M3 = m3_add(up->M3, me->M3);
    }
}

/* MS_ij */
static inline mat3 total(const Yaskevich *y, int i, int j) {
    const YaskevichSums *me = &y->sum[j];
    const mat3 M1 = y->x.body[j].own.J;
    if (is_leaf(&y->t->body[j])) return i == j ? M1 : m3_add(M1, m3_transpose(me->M3));
    return m3_add(m3_add(M1, me->M2), m3_add(i == j ? me->M3 : me->M3_own, m3_transpose(me->M3)));
}

/* cS_ij */
static inline vec3 first_moment(const Yaskevich *y, int i, int j) {
    const YaskevichSums *me = &y->sum[j];
    return i == j && is_leaf(&y->t->body[j]) ? me->c : v3_add(me->s, me->c);
}

/* Entries of the columns of i that turn with those of j. */
static inline void meet_turning(const Yaskevich *y, int i, int j, real *M) {
    const ziBody *a = &y->t->body[i], *b = &y->t->body[j];
    const int parts = joint_parts(b);
    const mat3 MS = parts & TURNS ? total(y, i, j) : m3_identity();
    const vec3 c = parts & SLIDES ? first_moment(y, i, j) : v3_zero();
    for (int k = 0; k < b->nv; k++) {
        const int e = b->v + k, has = column_parts(b, k);
        const motion *S = &y->x.S[e];
        vec3 n = has & TURNS ? m3_mulv(MS, S->ang) : v3_cross(c, S->lin);
        if (has == (TURNS | SLIDES)) n = v3_cross_add(c, S->lin, n);
        for (int d = a->v; d < a->v + a->nv && d <= e; d++) {
            if (!(column_parts(a, d - a->v) & TURNS)) continue;
            M[(size_t)d * (size_t)y->t->nv + (size_t)e] = v3_dot(y->x.S[d].ang, n);
        }
    }
}

static inline void row_turning(const Yaskevich *y, int i, real *M) {
    const int end = subtree_end(y->t, i);
    base_reach(y->t, &y->x, i, end, y->r);
    for (int j = end - 1; j > i; j--) {
        add_body(y, j);
        meet_turning(y, i, j, M);
        hand_on(y, j);
    }
    meet_turning(y, i, i, M);
    if (end > i + 1) y->sum[i].M3_own = y->sum[i].M3;
}

/* f_j of the columns of i, after its row. */
static ZI_COLD void keep_forces(const Yaskevich *y, int i) {
    const ziBody *b = &y->t->body[i];
    const vec3 c = joint_parts(b) & TURNS ? first_moment(y, i, i) : v3_zero();
    for (int k = 0; k < b->nv; k++) {
        const int has = column_parts(b, k);
        const motion *S = &y->x.S[b->v + k];
        vec3 f = has & SLIDES ? v3_scale(y->sum[i].m, S->lin) : v3_cross(S->ang, c);
        if (has == (TURNS | SLIDES)) f = v3_cross_add(S->ang, c, f);
        y->f[b->v + k] = f;
    }
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

/* Sums that do not depend on the row go to the parent. */
static inline void hand_on_own(const Yaskevich *y, int i) {
    const int p = y->t->body[i].parent;
    if (!p) return;
    y->x.body[p].own.J = m3_add(y->x.body[p].own.J, y->x.body[i].own.J);
    if (!y->sum[p].slid) return;
    y->sum[p].m += y->sum[i].m;
    y->sum[p].c = v3_add(y->sum[p].c, y->sum[i].c);
}

/* M by (20), row by row from the last body to the first; the sums for sliding columns are kept only where the joint or
 * one before it slides. */
void ZI_KERNEL(zi_yaskevich)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    Yaskevich y;
    y.t = t;
    y.x = base_axes(t, &scratch, q);
    y.sum = zi_scratch_array(&scratch, YaskevichSums, t->nb);
    y.r = zi_scratch_array(&scratch, vec3, t->nb);
    y.f = zi_scratch_array(&scratch, vec3, t->nv);
    real_stage();
    y.sum[0].slid = false;
    for (int i = 1; i < t->nb; i++) {
        y.sum[i].slid = y.sum[t->body[i].parent].slid || joint_parts(&t->body[i]) & SLIDES;
        y.sum[i].m = t->body[i].m;
        y.sum[i].c = y.x.body[i].own.h;
    }
    for (int i = t->nb - 1; i > 0; i--) {
        const int parts = joint_parts(&t->body[i]);
        if (parts & TURNS) row_turning(&y, i, M);
        if (y.sum[i].slid) keep_forces(&y, i);
        if (parts & SLIDES) row_sliding(&y, i, M);
        hand_on_own(&y, i);
    }
    base_complete(t, M);
}

/* Bias by (21): the force of every body (11), summed up over subtrees by (17)-(19) and projected on the columns. v
 * NULL: weight alone. */
void ZI_KERNEL(zi_yaskevich_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                  const double *gravity, real *bias) {
    const BaseAxes x = base_axes(t, &scratch, q);
    const BaseMotion *m = base_motions(t, &scratch, &x, v, gravity);
    force *F = zi_scratch_array(&scratch, force, t->nb); /* fS, mS */
    real_stage();
    for (int i = 1; i < t->nb; i++) F[i] = base_force(&x.body[i].own, &m[i], !v);
    for (int i = t->nb - 1; i > 0; i--) {
        const ziBody *b = &t->body[i];
        for (int k = 0; k < b->nv; k++) bias[b->v + k] = column_dot(F[i], &x.S[b->v + k], column_parts(b, k));
        if (b->parent) F[b->parent] = force_add(F[b->parent], force_shift(F[i], x.body[i].at.r));
    }
}
