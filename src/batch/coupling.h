/* Coupled mimic joints in lanes: between model and tree coordinates, as work/coupling.h for single states. Every array
 * has its sides side by side. */
#ifndef ZV_BATCH_COUPLING_H
#define ZV_BATCH_COUPLING_H

#include "batch/sides.h"

static inline const real *tree_q(const zvModel *m, zvDesk *desk, const real *q) {
    const zvCoupling *c = &m->coupling;
    if (!c->count) return q;
    real *tree = zv_desk_array(desk, real, REAL_SIDES * m->tree.nq);
    for (int i = 0; i < m->tree.nq; i++) FOR_SIDES(k)
    tree[i * REAL_SIDES + k] = c->q_ratio[i] * q[c->q_master[i] * REAL_SIDES + k] + c->q_offset[i];
    return tree;
}

static inline const real *tree_v(const zvModel *m, zvDesk *desk, const real *v) {
    const zvCoupling *c = &m->coupling;
    if (!c->count || !v) return v;
    real *tree = zv_desk_array(desk, real, REAL_SIDES * m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++)
        FOR_SIDES(k) tree[i * REAL_SIDES + k] = c->v_ratio[i] * v[c->v_master[i] * REAL_SIDES + k];
    return tree;
}

static inline real *tree_room(const zvModel *m, zvDesk *desk, real *v) {
    return m->coupling.count ? zv_desk_array(desk, real, REAL_SIDES * m->tree.nv) : v;
}

/* X (rows x nv) := T (rows x tree nv) E */
static inline void contract(const zvModel *m, int rows, const real *T, real *X) {
    if (T == X) return;
    const zvCoupling *c = &m->coupling;
    for (int r = 0; r < rows; r++, T += REAL_SIDES * m->tree.nv, X += REAL_SIDES * m->nv) {
        for (int i = 0; i < REAL_SIDES * m->nv; i++) X[i] = 0;
        for (int i = 0; i < m->tree.nv; i++)
            FOR_SIDES(k) X[c->v_master[i] * REAL_SIDES + k] += c->v_ratio[i] * T[i * REAL_SIDES + k];
    }
}

#endif
