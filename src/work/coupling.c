/* Between model and tree coordinates. */
#include "work/coupling.h"

#include <string.h>

const double *zi_tree_q(const zvModel *m, ziScratch *scratch, const double *q) {
    const ziCoupling *c = &m->coupling;
    if (!c->count) return q;
    double *tree = zi_scratch_doubles(scratch, m->tree.nq);
    for (int i = 0; i < m->tree.nq; i++) tree[i] = c->q_ratio[i] * q[c->q_master[i]] + c->q_offset[i];
    return tree;
}

const double *zi_tree_v(const zvModel *m, ziScratch *scratch, const double *v) {
    const ziCoupling *c = &m->coupling;
    if (!c->count || !v) return v;
    double *tree = zi_scratch_doubles(scratch, m->tree.nv);
    for (int i = 0; i < m->tree.nv; i++) tree[i] = c->v_ratio[i] * v[c->v_master[i]];
    return tree;
}

double *zi_tree_room(const zvModel *m, ziScratch *scratch, double *v) {
    return m->coupling.count ? zi_scratch_doubles(scratch, m->tree.nv) : v;
}

void zi_contract(const zvModel *m, const double *tree, double *v) { zi_contract_columns(m, 1, tree, v); }

void zi_contract_columns(const zvModel *m, int rows, const double *T, double *X) {
    if (T == X) return;
    const ziCoupling *c = &m->coupling;
    memset(X, 0, (size_t)rows * (size_t)m->nv * sizeof *X);
    for (int r = 0; r < rows; r++) {
        const double *t = T + (size_t)r * (size_t)m->tree.nv;
        double *x = X + (size_t)r * (size_t)m->nv;
        for (int i = 0; i < m->tree.nv; i++) x[c->v_master[i]] += c->v_ratio[i] * t[i];
    }
}

void zi_contract_matrix(const zvModel *m, const double *T, double *X) {
    if (T == X) return;
    const ziCoupling *c = &m->coupling;
    size_t nt = (size_t)m->tree.nv, nv = (size_t)m->nv;
    memset(X, 0, nv * nv * sizeof *X);
    for (size_t i = 0; i < nt; i++) {
        double *x = X + (size_t)c->v_master[i] * nv;
        for (size_t j = 0; j < nt; j++) x[c->v_master[j]] += c->v_ratio[i] * c->v_ratio[j] * T[i * nt + j];
    }
}
