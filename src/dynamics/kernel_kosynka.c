/* Mass matrix by the "kosynka" (headscarf: triangular blocks) of Leskov and Yushchenko as [Yaskevich] tells of it:
 *   A = J^T diag(M^) J,   J block lower triangular,
 *   J_ki = [t_i + z_i x r_ik; z_i],   M^_k = [m E, c~^T; c~, I]
 * For every body k its block row J_k (the columns of the path to the root), M^_k J_k once per column, and the triangle
 * of products: O(n depth^2), on chains O(n^3).
 *
 * Elastic bodies, theory (17.9), (17.10): J_k has the columns of the sections on the path, [t + z x r_sk; z], and a
 * unit block for the body's own coordinates, M^_k the mode integrals that go with it: M^_k = [m E, c~^T, dS; c~, I, L;
 * dS^T, L^T, M_ee]
 *
 * Differs: the publication names the method, its block-matrix form and its order only; this is (9) written so. */
#include "dynamics/kernel_base_axes.h"

typedef struct KosynkaColumn {
    motion J; /* of body k; of its own elastic coordinates zero, and not looked at */
    force F;  /* M^_k J: what moves the frame of k is pushed by it */
    int d, parts;
    bool own; /* of k: its joint, or an elastic coordinate */
} KosynkaColumn;

static_assert(sizeof(BaseBody) <= ZI_SCRATCH_PER_BODY &&
                  sizeof(motion) + sizeof(KosynkaColumn) + 2 * sizeof(real) <= ZI_SCRATCH_PER_COORDINATE,
              "scratch too small");

/* M^_k times a column, with its zeros. */
static inline force column_mul(const rigid *own, const motion *J, int parts) {
    if (parts == TURNS) return force_of(v3_cross(J->ang, own->h), m3_mulv(own->J, J->ang));
    if (parts == SLIDES) return force_of(v3_scale(own->m, J->lin), v3_cross(own->h, J->lin));
    return rigid_mul(own, *J);
}

/* Column d, which moves a point r away (NULL: its own origin) from k's. */
static inline void take_column(const rigid *own, const motion *S, int parts, const vec3 *r, int d, KosynkaColumn *to) {
    to->d = d;
    to->own = !r;
    to->parts = parts;
    to->J = *S;
    if (r && parts & TURNS) {
        to->J.lin = parts & SLIDES ? v3_cross_add(S->ang, *r, S->lin) : v3_cross(S->ang, *r);
        to->parts = TURNS | SLIDES;
    }
    to->F = column_mul(own, &to->J, to->parts);
}

/* J_k and M^_k J_k, from the last column of the path to the first; *modes of them, which come first, are the elastic
 * coordinates of k. Returns how many. */
static inline int block_row(const ziTree *t, const BaseAxes *x, int k, KosynkaColumn *column, int *modes) {
    const rigid *own = &x->body[k].own;
    const ziBody *me = &t->body[k];
    int count = 0;
    vec3 r = v3_zero(); /* from the row to k */
    for (int d = dofs_end(me) - 1; d >= me->v + me->nv; d--) {
        column[count].d = d;
        column[count].own = true;
        column[count++].F = x->mode[d];
    }
    *modes = count;
    for (int row = k, from = k; row; from = row, row = row_base(t, row)) {
        if (row != k) r = from == k ? x->body[k].at.r : v3_add(x->body[from].at.r, r);
        if (row < t->nb) {
            const ziBody *b = &t->body[row];
            for (int d = b->nv - 1; d >= 0; d--)
                take_column(own, &x->S[b->v + d], column_parts(b, d), row == k ? NULL : &r, b->v + d, &column[count++]);
        } else {
            const ziElastic *el = t->body[row_base(t, row)].elastic;
            const motion *Psi = section_columns(t, x, row);
            for (int d = el->n - 1; d >= 0; d--)
                take_column(own, &Psi[d], section_parts(t, row), &r, el->v + d, &column[count++]);
        }
    }
    return count;
}

/* J_i . M^_k J_j, column i not behind column j. */
static inline real block_product(const ziTree *t, const BaseAxes *x, int k, const KosynkaColumn *i,
                                 const KosynkaColumn *j, bool both_modes) {
    if (!both_modes) return column_dot(j->F, &i->J, i->parts);
    const ziElastic *el = t->body[k].elastic;
    return elastic_mass(el, x->s_short + el->v, (size_t)t->nv, (size_t)(i->d - el->v), (size_t)(j->d - el->v));
}

/* M by body k: adds the triangle of products J_k^T M^_k J_k. Bodies come in depth-first order, so what is k's own is
 * the first to write its entries and needs no zeros. */
void ZI_KERNEL(zi_kosynka)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const BaseAxes x = base_axes(t, &scratch, q, false);
    KosynkaColumn *column = zi_scratch_array(&scratch, KosynkaColumn, t->nv);
    real_stage();
    for (int k = 1; k < t->nb; k++) {
        int modes;
        const int count = block_row(t, &x, k, column, &modes);
        for (int j = 0; j < count; j++) {
            const KosynkaColumn *e = &column[j];
            for (int i = j; i < count; i++) { /* column i comes before column j: d <= e */
                const real term = block_product(t, &x, k, &column[i], e, i < modes);
                real *at = M + (size_t)column[i].d * (size_t)t->nv + (size_t)e->d;
                *at = e->own ? term : *at + term; /* k is the first body that e moves */
            }
        }
    }
    base_complete(t, M);
}
