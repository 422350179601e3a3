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

/* X (nv x nv) := E^T T E, T (tree nv x tree nv); entries of as many sides. */
static inline void contract_square(const zvModel *m, size_t sides, const real *T, real *X) {
    if (T == X) return;
    const zvCoupling *c = &m->coupling;
    const size_t nt = (size_t)m->tree.nv, nv = (size_t)m->nv;
    for (size_t i = 0; i < nv * nv * sides; i++) X[i] = 0;
    for (size_t i = 0; i < nt; i++) {
        for (size_t j = 0; j < nt; j++) {
            real *to = X + ((size_t)c->v_master[i] * nv + (size_t)c->v_master[j]) * sides;
            for (size_t k = 0; k < sides; k++) to[k] += c->v_ratio[i] * c->v_ratio[j] * T[(i * nt + j) * sides + k];
        }
    }
}

#endif
