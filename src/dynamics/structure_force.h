/* Elastic and damping forces of links over the kernels' scalar: zv_elastic_force on doubles, and what counts its
 * operations on others (codegen/scalar_rows.h). */
#ifndef ZI_DYNAMICS_STRUCTURE_FORCE_H
#define ZI_DYNAMICS_STRUCTURE_FORCE_H

#include "model/tree.h"
#include "real/real.h"

/* y += scale A x, A symmetric: row by row, so that nothing waits for a sum */
static inline void structure_add_times(int n, double scale, const double *A, const real *x, real *restrict y) {
    for (int j = 0; j < n; j++) {
        const double *row = A + (size_t)j * (size_t)n;
        const real xj = scale == 1 ? x[j] : scale * x[j];
        for (int i = 0; i < n; i++) y[i] += xj * row[i];
    }
}

/* k = K e + D e' at the elastic coordinates of every elastic link (without D e' when v is NULL), zero at all others;
 * model coordinates. */
static inline void structure_force(const zvModel *m, const real *q, const real *v, real *k) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->nv; i++) k[i] = 0;
    for (int i = 1; i < m->tree.nb && m->tree.ne > 0; i++) {
        const ziElastic *el = m->tree.body[i].elastic;
        if (!el) continue;
        /* elastic coordinates never follow others, so they lie together in the model as well */
        real *own = k + c->v_master[el->v];
        structure_add_times(el->n, 1, el->K, q + c->q_master[el->q], own);
        if (v) structure_add_times(el->n, 1, el->D, v + c->v_master[el->v], own);
    }
}

#endif
