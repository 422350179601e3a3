/* Between model and tree coordinates, for every scalar. Without coupled mimic joints they are the same and nothing is
 * copied; with them the tree's come from scratch memory. With E the matrix of ratios,
 *     q_tree = E q + offsets,   v_tree = E v,   tau = E^T tau_tree,   M = E^T M_tree E.
 * An entry of an array has REAL_UNROLL numbers, one after another: one of a single state, several in lanes. */
#ifndef ZI_WORK_COUPLING_H
#define ZI_WORK_COUPLING_H

#include "linalg/ltdl.h"
#include "model/tree.h"
#include "real/real.h"
#include "work/scratch.h"

static inline const real *zi_tree_q(const zvModel *m, ziScratch *scratch, const real *q) {
    const ziCoupling *c = &m->coupling;
    if (!c->count) return q;
    real *tree = zi_scratch_array(scratch, real, REAL_UNROLL * m->tree.nq);
    for (int i = 0; i < m->tree.nq; i++) {
        const real *master = q + c->q_master[i] * REAL_UNROLL;
        FOR_UNROLL(k) tree[i * REAL_UNROLL + k] = c->q_ratio[i] * master[k] + c->q_offset[i];
    }
    return tree;
}

/* Velocities or accelerations; NULL stays NULL. */
static inline const real *zi_tree_v(const zvModel *m, ziScratch *scratch, const real *v) {
    const ziCoupling *c = &m->coupling;
    if (!c->count || !v) return v;
    real *tree = zi_scratch_array(scratch, real, REAL_UNROLL * m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++)
        FOR_UNROLL(k) tree[i * REAL_UNROLL + k] = c->v_ratio[i] * v[c->v_master[i] * REAL_UNROLL + k];
    return tree;
}

/* Space for a tree vector whose contraction goes to v; v itself when uncoupled. */
static inline real *zi_tree_vector(const zvModel *m, ziScratch *scratch, real *v) {
    return m->coupling.count ? zi_scratch_array(scratch, real, REAL_UNROLL * m->tree.nv) : v;
}

/* X (rows x nv) := T (rows x tree nv) E: masters first, then what their followers add. */
static inline void zi_contract_columns(const zvModel *m, int rows, const real *T, real *X) {
    if (T == X) return;
    const ziCoupling *c = &m->coupling;
    for (int r = 0; r < rows; r++, T += REAL_UNROLL * m->tree.nv, X += REAL_UNROLL * m->nv) {
        for (int i = 0; i < m->nv; i++) FOR_UNROLL(k) X[i * REAL_UNROLL + k] = T[c->own_v[i] * REAL_UNROLL + k];
        for (int i = 0; i < m->tree.nv; i++) {
            if (!c->follows[i]) continue;
            FOR_UNROLL(k) X[c->v_master[i] * REAL_UNROLL + k] += c->v_ratio[i] * T[i * REAL_UNROLL + k];
        }
    }
}

/* v := E^T tree */
static inline void zi_contract(const zvModel *m, const real *tree, real *v) { zi_contract_columns(m, 1, tree, v); }

/* X (nv x nv) := E^T T E with T (tree nv x tree nv), of entries of `slots` numbers. start NULL: all of X; otherwise its
 * lower triangle, row i from entry start[i] on, nv + 1 of them. */
static inline void zi_contract_entries(const zvModel *m, int slots, const int *start, const real *T, real *X) {
    const ziCoupling *c = &m->coupling;
    const size_t nt = (size_t)m->tree.nv, nv = (size_t)m->nv, each = (size_t)slots;
    const size_t size = (start ? (size_t)start[nv] : nv * nv) * each;
    for (size_t e = 0; e < size; e++) X[e] = 0;
    for (size_t i = 0; i < nt; i++) {
        const size_t row = (size_t)c->v_master[i];
        real *x = X + (start ? (size_t)start[row] : row * nv) * each;
        for (size_t j = 0; j < nt; j++) {
            const size_t column = (size_t)c->v_master[j];
            if (start && column > row) continue;
            for (size_t k = 0; k < each; k++)
                x[column * each + k] += c->v_ratio[i] * c->v_ratio[j] * T[(i * nt + j) * each + k];
        }
    }
}

/* The same of single numbers, in full; T may be X itself where nothing is coupled. */
static inline void zi_contract_matrix(const zvModel *m, const real *T, real *X) {
    if (T != X) zi_contract_entries(m, 1, NULL, T, X);
}

/* Where M of the model has entries: the tree's zeros, none where coordinates are coupled. */
static inline ltdlPaths zi_dof_paths(const zvModel *m) {
    const ltdlPaths tree = {m->nv, m->tree.dof_parent, m->tree.dof_start};
    return m->coupling.count ? ltdl_dense(m->nv) : tree;
}

#endif
