/* Inverse dynamics and what it yields: every term by the right choice of v, a and gravity ([Kolyubin] 3.1). */
#include "base/require.h"
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "model/reduced.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

/* tau = E^T NE(q, v, a) with the given gravity; v and a may be NULL. */
static void newton_euler(const zvModel *m, ziScratch scratch, const double *q, const double *v, const double *a,
                         const double *gravity, const double *fext, double *tau) {
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    const double *wrenches = zi_body_wrenches(m, &scratch, tq, fext);
    double *tree_tau = zi_tree_vector(m, &scratch, tau);
    if (m->tree.reduced && !wrenches)
        zi_kernels(m)->reduced_inverse(&m->tree, scratch, tq, tv, ta, gravity, tree_tau);
    else
        zi_kernels(m)->newton_euler(&m->tree, scratch, tq, tv, ta, gravity, wrenches, tree_tau, NULL);
    zi_contract(m, tree_tau, tau);
}

/* The same with the elastic forces of the links added. tau may be v: they are reckoned first. */
static void with_elastic_force(const zvModel *m, ziScratch scratch, const double *q, const double *v, const double *a,
                               const double *fext, double *tau) {
    double *k = m->tree.ne ? zi_scratch_doubles(&scratch, (size_t)m->nv) : NULL;
    if (k) zv_elastic_force(m, q, v, k);
    newton_euler(m, scratch, q, v, a, m->tree.gravity, fext, tau);
    for (int i = 0; k && i < m->nv; i++) tau[i] += k[i];
}

void zv_inverse_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                         const double *fext, double *tau) {
    ZI_REQUIRE(m && work && q && tau);
    with_elastic_force(m, zi_scratch_of(m, work), q, v, a, fext, tau);
}

void zv_bias(const zvModel *m, zvWork *work, const double *q, const double *v, double *bias) {
    ZI_REQUIRE(m && work && q && bias);
    with_elastic_force(m, zi_scratch_of(m, work), q, v, NULL, NULL, bias);
}

void zv_gravity_force(const zvModel *m, zvWork *work, const double *q, double *g) {
    ZI_REQUIRE(m && work && q && g);
    newton_euler(m, zi_scratch_of(m, work), q, NULL, NULL, m->tree.gravity, NULL, g);
}

void zv_mass_times(const zvModel *m, zvWork *work, const double *q, const double *x, double *y) {
    ZI_REQUIRE(m && work && q && y);
    newton_euler(m, zi_scratch_of(m, work), q, NULL, x, weightless, NULL, y);
}
