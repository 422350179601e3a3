/* Mass matrix and bias by the direct sums that follow from Kane's equations, [Yaskevich] (9), (10):
 *   A = sum over bodies k of T_k^T m T_k + T_k^T c~^T R_k + (T_k^T c~^T R_k)^T + R_k^T I R_k
 *   bias = -b = sum over bodies k of T_k^T f_k + R_k^T n_k,   f, n by (11)
 * with the partial velocities of body k, column d of joint i:  R_k,d = z_d,   T_k,d = t_d + z_d x r_ik.
 * Each term is evaluated in place, for every pair of columns and every body that both move: O(n depth^2), on chains
 * O(n^3); the bias is O(n depth). */
#include "dynamics/kernel_base_axes.h"

static_assert(sizeof(BaseBody) + 2 * sizeof(vec3) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(BaseBody) + sizeof(BaseMotion) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(motion) + 2 * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
              "scratch too small");

/* A column, and where it moves things from: r_ik of the bodies k beyond its joint's body i. */
typedef struct KaneColumn {
    const motion *S;
    int parts, body;
    const vec3 *r;
} KaneColumn;

/* Partial velocities of body k: which parts are not zero, and T; R is the column's own. */
static inline int partial_parts(const KaneColumn *c, int k) {
    return k != c->body && c->parts & TURNS ? TURNS | SLIDES : c->parts;
}
static inline vec3 partial_lin(const KaneColumn *c, vec3 r, int k) {
    if (k == c->body || !(c->parts & TURNS)) return c->S->lin;
    return c->parts & SLIDES ? v3_cross_add(c->S->ang, r, c->S->lin) : v3_cross(c->S->ang, r);
}

/* The term of (9) of body k for columns d and e, by its four parts. */
static inline real kane_term(const rigid *own, const KaneColumn *d, const KaneColumn *e, int k) {
    const int has_d = partial_parts(d, k), has_e = partial_parts(e, k);
    const vec3 R_d = d->S->ang, R_e = e->S->ang;
    const vec3 T_d = has_d & SLIDES ? partial_lin(d, d->r[k], k) : v3_zero();
    const vec3 T_e = has_e & SLIDES ? partial_lin(e, e->r[k], k) : v3_zero();
    real sum = 0;
    if (has_d & TURNS && has_e & TURNS) sum = v3_dot(R_d, m3_mulv(own->J, R_e));
    if (has_d & SLIDES && has_e & SLIDES) sum += own->m * v3_dot(T_d, T_e);
    if (has_d & SLIDES && has_e & TURNS) sum += v3_dot(T_d, v3_cross(R_e, own->h));
    if (has_d & TURNS && has_e & SLIDES) sum += v3_dot(T_e, v3_cross(R_d, own->h));
    return sum;
}

static inline real kane_sum(const BaseAxes *x, const KaneColumn *d, const KaneColumn *e, int end) {
    real sum = kane_term(&x->body[e->body].own, d, e, e->body);
    for (int k = e->body + 1; k < end; k++) sum += kane_term(&x->body[k].own, d, e, k);
    return sum;
}

static inline KaneColumn kane_column(const ziTree *t, const BaseAxes *x, int d, const vec3 *r) {
    KaneColumn c;
    c.S = &x->S[d];
    c.body = t->dof_body[d];
    c.parts = column_parts(&t->body[c.body], d - t->body[c.body].v);
    c.r = r;
    return c;
}

/* M by (9), entry by entry: for columns d, e of bodies i and j in the subtree of i, the sum over all bodies of the
 * subtree of j. */
void ZI_KERNEL(zi_kane)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const BaseAxes x = base_axes(t, &scratch, q);
    vec3 *r_i = zi_scratch_array(&scratch, vec3, t->nb), *r_j = zi_scratch_array(&scratch, vec3, t->nb);
    real_stage();
    for (int i = 1; i < t->nb; i++) {
        const ziBody *a = &t->body[i];
        const int end_i = subtree_end(t, i);
        base_reach(t, &x, i, end_i, r_i);
        for (int j = i; j < end_i; j++) {
            const ziBody *b = &t->body[j];
            const int end_j = subtree_end(t, j);
            if (j > i) base_reach(t, &x, j, end_j, r_j);
            for (int e = b->v; e < b->v + b->nv; e++) {
                const KaneColumn right = kane_column(t, &x, e, j > i ? r_j : r_i);
                for (int d = a->v; d < a->v + a->nv && d <= e; d++) {
                    const KaneColumn left = kane_column(t, &x, d, r_i);
                    M[(size_t)d * (size_t)t->nv + (size_t)e] = kane_sum(&x, &left, &right, end_j);
                }
            }
        }
    }
    base_complete(t, M);
}

/* Force and moment of body k against the partial velocities of the path to the root. */
static inline void kane_push(const ziTree *t, const BaseAxes *x, int k, force F, real *bias) {
    vec3 r = v3_zero(); /* r_ik */
    for (int i = k, from = k; i; from = i, i = t->body[i].parent) {
        const ziBody *b = &t->body[i];
        if (from != i) r = from == k ? x->body[k].at.r : v3_add(x->body[from].at.r, r);
        for (int d = b->v; d < b->v + b->nv; d++) {
            const KaneColumn c = kane_column(t, x, d, NULL);
            const motion partial = motion_of(partial_lin(&c, r, k), c.S->ang);
            const real term = column_dot(F, &partial, partial_parts(&c, k));
            bias[d] = i == k ? term : bias[d] + term;
        }
    }
}

void ZI_KERNEL(zi_kane_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                             real *bias) {
    const BaseAxes x = base_axes(t, &scratch, q);
    const BaseMotion *m = base_motions(t, &scratch, &x, v, gravity);
    real_stage();
    for (int k = 1; k < t->nb; k++) kane_push(t, &x, k, base_force(&x.body[k].own, &m[k], !v), bias);
}
