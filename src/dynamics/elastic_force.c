/* Elastic and damping forces of links, and what they make of M in an implicit step. */
#include "dynamics/elastic_force.h"

#include "base/require.h"
#include "zveno/dynamics.h"

/* y += scale A x, A symmetric: row by row, so that nothing waits for a sum */
static void add_times(int n, double scale, const double *A, const double *x, double *restrict y) {
    for (int j = 0; j < n; j++) {
        const double *row = A + (size_t)j * (size_t)n, xj = scale * x[j];
        for (int i = 0; i < n; i++) y[i] += xj * row[i];
    }
}

/* k = K e + D e' at the elastic coordinates of every elastic link (without D e' when v is NULL), zero at all others. */
void zv_elastic_force(const zvModel *m, const double *q, const double *v, double *k) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && ZI_ARRAY(k, m->nv));
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->nv; i++) k[i] = 0;
    for (int i = 1; i < m->tree.nb && m->tree.ne > 0; i++) {
        const ziElastic *el = m->tree.body[i].elastic;
        if (!el) continue;
        /* elastic coordinates never follow others, so they lie together in the model as well */
        double *own = k + c->v_master[el->v];
        add_times(el->n, 1, el->K, q + c->q_master[el->q], own);
        if (v) add_times(el->n, 1, el->D, v + c->v_master[el->v], own);
    }
}

void zi_structure_times(const ziTree *t, ziAugment s, const double *x, double *y) {
    for (int i = 1; i < t->nb && t->ne > 0; i++) {
        const ziElastic *el = t->body[i].elastic;
        if (!el) continue;
        add_times(el->n, s.damping, el->D, x + el->v, y + el->v);
        add_times(el->n, s.stiffness, el->K, x + el->v, y + el->v);
    }
}

void zi_structure_add(const ziTree *t, ziAugment s, double *A) {
    for (int i = 1; i < t->nb && t->ne > 0; i++) {
        const ziElastic *el = t->body[i].elastic;
        for (int row = 0; el && row < el->n; row++) {
            const size_t at = (size_t)(el->v + row) * (size_t)t->nv + (size_t)el->v, from = (size_t)row * (size_t)el->n;
            for (size_t j = 0; j < (size_t)el->n; j++)
                A[at + j] += s.damping * el->D[from + j] + s.stiffness * el->K[from + j];
        }
    }
}
