/* Elastic and damping forces of links, and what they make of M in an implicit step. */
#include "dynamics/elastic_force.h"

#include "base/require.h"
#include "dynamics/structure_force.h"
#include "zveno/dynamics.h"

void zv_elastic_force(const zvModel *m, const double *q, const double *v, double *k) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && ZI_ARRAY(k, m->nv));
    structure_force(m, q, v, k);
}

void zi_structure_times(const ziTree *t, ziAugment s, const double *x, double *y) {
    for (int i = 1; i < t->nb && t->ne > 0; i++) {
        const ziElastic *el = t->body[i].elastic;
        if (!el) continue;
        structure_add_times(el->n, s.damping, el->D, x + el->v, y + el->v);
        structure_add_times(el->n, s.stiffness, el->K, x + el->v, y + el->v);
    }
}

void zi_structure_add(const zvModel *m, ziAugment s, double *M) {
    for (int i = 1; i < m->tree.nb && m->tree.ne > 0; i++) {
        const ziElastic *el = m->tree.body[i].elastic;
        for (int row = 0; el && row < el->n; row++) {
            const size_t own = (size_t)m->coupling.v_master[el->v], from = (size_t)row * (size_t)el->n,
                         at = (own + (size_t)row) * (size_t)m->nv + own;
            for (size_t j = 0; j < (size_t)el->n; j++)
                M[at + j] += s.damping * el->D[from + j] + s.stiffness * el->K[from + j];
        }
    }
}
