/* Coupled mimic joints in lanes: between model and tree coordinates, as work/coupling.h for single states. Every array
 * has its sides side by side. */
#ifndef ZI_BATCH_COUPLING_H
#define ZI_BATCH_COUPLING_H

#include "batch/unroll.h"

static inline const real *tree_q(const zvModel *m, ziScratch *scratch, const real *q) {
    const ziCoupling *c = &m->coupling;
    if (!c->count) return q;
    real *tree = zi_scratch_array(scratch, real, REAL_UNROLL * m->tree.nq);
    for (int i = 0; i < m->tree.nq; i++) FOR_UNROLL(k)
    tree[i * REAL_UNROLL + k] = c->q_ratio[i] * q[c->q_master[i] * REAL_UNROLL + k] + c->q_offset[i];
    return tree;
}

static inline const real *tree_v(const zvModel *m, ziScratch *scratch, const real *v) {
    const ziCoupling *c = &m->coupling;
    if (!c->count || !v) return v;
    real *tree = zi_scratch_array(scratch, real, REAL_UNROLL * m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++)
        FOR_UNROLL(k) tree[i * REAL_UNROLL + k] = c->v_ratio[i] * v[c->v_master[i] * REAL_UNROLL + k];
    return tree;
}

static inline real *tree_room(const zvModel *m, ziScratch *scratch, real *v) {
    return m->coupling.count ? zi_scratch_array(scratch, real, REAL_UNROLL * m->tree.nv) : v;
}

/* X (rows x nv) := T (rows x tree nv) E */
static inline void contract(const zvModel *m, int rows, const real *T, real *X) {
    if (T == X) return;
    const ziCoupling *c = &m->coupling;
    for (int r = 0; r < rows; r++, T += REAL_UNROLL * m->tree.nv, X += REAL_UNROLL * m->nv) {
        for (int i = 0; i < REAL_UNROLL * m->nv; i++) X[i] = 0;
        for (int i = 0; i < m->tree.nv; i++)
            FOR_UNROLL(k) X[c->v_master[i] * REAL_UNROLL + k] += c->v_ratio[i] * T[i * REAL_UNROLL + k];
    }
}

#endif
