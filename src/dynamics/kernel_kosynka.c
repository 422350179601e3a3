/* Mass matrix by the "kosynka" (headscarf: triangular blocks) of Leskov and Yushchenko as [Yaskevich] tells of it:
 *   A = J^T diag(M^) J,   J block lower triangular,
 *   J_ki = [t_i + z_i x r_ik; z_i],   M^_k = [m E, c~^T; c~, I]
 * For every body k its block row J_k (the columns of the path to the root), M^_k J_k once per column, and the triangle
 * of products: O(n depth^2), on chains O(n^3).
 *
 * Differs: the publication names the method, its block-matrix form and its order only; this is (9) written so. */
#include "dynamics/kernel_base_axes.h"

typedef struct KosynkaColumn {
    motion J; /* of body k */
    force F;  /* M^_k J */
    int d, parts;
    bool own; /* of the joint of k */
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

/* J_k and M^_k J_k, from the last column of the path to the first. Returns how many. */
static inline int block_row(const ziTree *t, const BaseAxes *x, int k, KosynkaColumn *column) {
    int count = 0;
    vec3 r = v3_zero(); /* r_ik */
    for (int i = k, from = k; i; from = i, i = t->body[i].parent) {
        const ziBody *b = &t->body[i];
        if (from != i) r = from == k ? x->body[k].at.r : v3_add(x->body[from].at.r, r);
        for (int d = b->v + b->nv - 1; d >= b->v; d--) {
            KosynkaColumn *to = &column[count++];
            to->d = d;
            to->own = i == k;
            to->parts = column_parts(b, d - b->v);
            to->J = x->S[d];
            if (i != k && to->parts & TURNS) {
                to->J.lin = to->parts & SLIDES ? v3_cross_add(to->J.ang, r, to->J.lin) : v3_cross(to->J.ang, r);
                to->parts = TURNS | SLIDES;
            }
            to->F = column_mul(&x->body[k].own, &to->J, to->parts);
        }
    }
    return count;
}

/* M by body k: adds the triangle of products J_k^T M^_k J_k. Bodies come in depth-first order, so the joint of k is the
 * first to write its entries and needs no zeros. */
void ZI_KERNEL(zi_kosynka)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const BaseAxes x = base_axes(t, &scratch, q);
    KosynkaColumn *column = zi_scratch_array(&scratch, KosynkaColumn, t->nv);
    real_stage();
    for (int k = 1; k < t->nb; k++) {
        const int count = block_row(t, &x, k, column);
        for (int j = 0; j < count; j++) {
            const KosynkaColumn *e = &column[j];
            for (int i = j; i < count; i++) { /* column i comes before column j: d <= e */
                const real term = column_dot(e->F, &column[i].J, column[i].parts);
                real *at = M + (size_t)column[i].d * (size_t)t->nv + (size_t)e->d;
                *at = e->own ? term : *at + term; /* k is the first body that e moves */
            }
        }
    }
    base_complete(t, M);
}
