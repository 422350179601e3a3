/* Mass matrix and bias by the direct sums that follow from Kane's equations, [Yaskevich] (9), (10):
 *   A = sum over bodies k of T_k^T m T_k + T_k^T c~^T R_k + (T_k^T c~^T R_k)^T + R_k^T I R_k
 *   bias = -b = sum over bodies k of T_k^T f_k + R_k^T n_k,   f, n by (11)
 * with the partial velocities of body k, column d of joint i:  R_k,d = z_d,   T_k,d = t_d + z_d x r_ik.
 * Elastic coordinate e of body i moves the bodies k beyond the section s that carries them, and its own by the mode
 * integrals, theory (17.9), (17.10):
 *   R_k,e = z_se,   T_k,e = t_se + z_se x r_sk;   A_de += T_i,d . dS_e + R_i,d . L_e,   A_ee' += M_ee'
 *   bias_e += Q_e of (E.11)
 * Each term is evaluated in place, for every pair of columns and every body that both move: O(n depth^2), on chains
 * O(n^3); the bias is O(n depth). */
#include "dynamics/kernel_base_axes.h"

static_assert(sizeof(BaseBody) + 4 * sizeof(vec3) + 2 * sizeof(int) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(BaseBody) + sizeof(BaseMotion) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(motion) + 2 * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
              "scratch too small");

/* Where the columns of a body move things from. */
typedef struct KaneReach {
    vec3 *r, *u;  /* r_ik from its origin, and from that of its section that carries k */
    int *carrier; /* that section */
} KaneReach;

/* A column of body i, and where it moves things from. */
typedef struct KaneColumn {
    const motion *S; /* of the joint */
    int parts, body;
    int mode; /* which of the body's elastic coordinates; -1: of the joint */
    const KaneReach *from;
} KaneColumn;

/* Partial velocities of a body: which parts are not zero, T and R. */
typedef struct KanePartial {
    int parts;
    motion of;
} KanePartial;

static inline KanePartial carried_partial(const motion *S, int parts, vec3 r) {
    KanePartial p;
    p.parts = parts & TURNS ? TURNS | SLIDES : parts;
    p.of = *S;
    if (parts & TURNS) p.of.lin = parts & SLIDES ? v3_cross_add(S->ang, r, S->lin) : v3_cross(S->ang, r);
    return p;
}

/* Of body k by a column that moves its frame. */
static inline KanePartial kane_partial(const ziTree *t, const BaseAxes *x, const KaneColumn *c, int k) {
    if (c->mode >= 0) {
        const int section = c->from->carrier[k];
        return carried_partial(&section_columns(t, x, section)[c->mode], section_parts(t, section), c->from->u[k]);
    }
    if (k != c->body) return carried_partial(c->S, c->parts, c->from->r[k]);
    KanePartial p;
    p.parts = c->parts;
    p.of = *c->S;
    return p;
}

/* The term of (9) of body k for columns d and e, by its four parts. */
static inline real kane_term(const rigid *own, const KanePartial *d, const KanePartial *e) {
    const int has_d = d->parts, has_e = e->parts;
    real sum = 0;
    if (has_d & TURNS && has_e & TURNS) sum = v3_dot(d->of.ang, m3_mulv(own->J, e->of.ang));
    if (has_d & SLIDES && has_e & SLIDES) sum += own->m * v3_dot(d->of.lin, e->of.lin);
    if (has_d & SLIDES && has_e & TURNS) sum += v3_dot(d->of.lin, v3_cross(e->of.ang, own->h));
    if (has_d & TURNS && has_e & SLIDES) sum += v3_dot(e->of.lin, v3_cross(d->of.ang, own->h));
    return sum;
}

/* The term of the body of e, which is an elastic coordinate of it: (17.10) of theory. */
static ZI_COLD real kane_mode(const ziTree *t, const BaseAxes *x, const KaneColumn *d, const KaneColumn *e) {
    const ziElastic *el = t->body[e->body].elastic;
    if (d->mode >= 0 && d->body == e->body)
        return elastic_mass(el, x->s_short + el->v, (size_t)t->nv, (size_t)d->mode, (size_t)e->mode);
    const KanePartial p = kane_partial(t, x, d, e->body);
    return column_dot(x->mode[el->v + e->mode], &p.of, p.parts);
}

/* An entry of M by (9): the terms of all bodies that both columns move, those beyond the body of e. */
static inline real kane_sum(const ziTree *t, const BaseAxes *x, const KaneColumn *d, const KaneColumn *e) {
    const int end = x->body[e->body].end;
    real sum = 0;
    for (int k = e->body; k < end; k++) {
        real term;
        if (e->mode >= 0 && k == e->body) {
            term = kane_mode(t, x, d, e);
        } else {
            const KanePartial of_d = kane_partial(t, x, d, k), of_e = kane_partial(t, x, e, k);
            term = kane_term(&x->body[k].own, &of_d, &of_e);
        }
        sum = k == e->body ? term : sum + term;
    }
    return sum;
}

static inline KaneColumn kane_column(const ziTree *t, const BaseAxes *x, int d, const KaneReach *from) {
    KaneColumn c;
    c.S = &x->S[d];
    c.body = t->dof_body[d];
    const ziBody *b = &t->body[c.body];
    c.mode = d - b->v - b->nv;
    if (c.mode < 0) c.mode = -1;
    c.parts = c.mode < 0 ? column_parts(b, d - b->v) : 0;
    c.from = from;
    return c;
}

static inline KaneReach take_reach(const ziTree *t, ziScratch *scratch) {
    const size_t rows = (size_t)t->nb + (size_t)t->ns;
    KaneReach reach = {0};
    reach.r = zi_scratch_array(scratch, vec3, rows);
    if (!t->ne) return reach;
    reach.u = zi_scratch_array(scratch, vec3, rows);
    reach.carrier = zi_scratch_array(scratch, int, rows);
    return reach;
}

static inline void reach_from(const ziTree *t, const BaseAxes *x, int i, const KaneReach *to) {
    base_reach(t, x, i, false, to->r);
    if (!t->body[i].elastic) return;
    base_reach(t, x, i, true, to->u);
    base_carriers(t, x, i, to->carrier);
}

/* M by (9), entry by entry: for columns d, e of bodies i and j in the subtree of i, the sum over all bodies of the
 * subtree of j. */
void ZI_KERNEL(zi_kane)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const BaseAxes x = base_axes(t, &scratch, q, false);
    const KaneReach from_i = take_reach(t, &scratch), from_j = take_reach(t, &scratch);
    real_stage();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *a = &t->body[i];
        reach_from(t, &x, i, &from_i);
        for (int j = i; j < x.body[i].end; j++) {
            const ziBody *b = &t->body[j];
            if (j > i) reach_from(t, &x, j, &from_j);
            for (int e = b->v; e < dofs_end(b); e++) {
                const KaneColumn right = kane_column(t, &x, e, j > i ? &from_j : &from_i);
                for (int d = a->v; d < dofs_end(a) && d <= e; d++) {
                    const KaneColumn left = kane_column(t, &x, d, &from_i);
                    M[(size_t)d * (size_t)t->nv + (size_t)e] = kane_sum(t, &x, &left, &right);
                }
            }
        }
    }
    base_complete(t, M);
}

/* A force against the columns of one row of the path, r away from its origin; first: nothing is there yet. */
static inline void kane_press(force F, const motion *S, int parts, const vec3 *r, real *bias) {
    KanePartial p;
    p.parts = parts;
    p.of = *S;
    if (r) p = carried_partial(S, parts, *r);
    const real term = column_dot(F, &p.of, p.parts);
    *bias = r ? *bias + term : term;
}

/* Force and moment of body k against the partial velocities of the path to the root. */
static inline void kane_push(const ziTree *t, const BaseAxes *x, int k, force F, real *bias) {
    vec3 r = v3_zero(); /* from the row to k */
    for (int row = k, from = k; row; from = row, row = row_base(t, row)) {
        if (row != k) r = from == k ? x->body[k].at.r : v3_add(x->body[from].at.r, r);
        if (row < t->nb) {
            const ziBody *b = &t->body[row];
            for (int d = 0; d < b->nv; d++)
                kane_press(F, &x->S[b->v + d], column_parts(b, d), row == k ? NULL : &r, &bias[b->v + d]);
        } else {
            const ziElastic *el = t->body[row_base(t, row)].elastic;
            const motion *Psi = section_columns(t, x, row);
            for (int d = 0; d < el->n; d++) kane_press(F, &Psi[d], section_parts(t, row), &r, &bias[el->v + d]);
        }
    }
}

void ZI_KERNEL(zi_kane_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                             real *bias) {
    const BaseAxes x = base_axes(t, &scratch, q, true);
    const BaseMotion *m = base_motions(t, &scratch, &x, v, gravity);
    real_stage();
    for (int k = 1; k < t->nb; k++) {
        const force F = t->body[k].elastic ? base_force_elastic(t, scratch, &x, k, &m[k], v, bias)
                                           : base_force(&x.body[k].own, &m[k], !v);
        kane_push(t, &x, k, F, bias);
    }
}
