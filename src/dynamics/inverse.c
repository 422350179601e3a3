/* Inverse dynamics and what it yields: every term by the right choice of v, a and gravity ([Kolyubin] 3.1). */
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "model/lean.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

/* tau = E^T NE(q, v, a) with the given gravity; v and a may be NULL. */
static void newton_euler(const zvModel *m, zvDesk desk, const double *q, const double *v, const double *a,
                         const double *gravity, const double *fext, double *tau) {
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v), *ta = zv_tree_v(m, &desk, a);
    const double *wrenches = zv_body_wrenches(m, &desk, tq, fext);
    double *tree_tau = zv_tree_room(m, &desk, tau);
    if (m->tree.lean && !wrenches)
        zv_kernels(m)->lean_inverse(&m->tree, desk, tq, tv, ta, gravity, tree_tau);
    else
        zv_kernels(m)->newton_euler(&m->tree, desk, tq, tv, ta, gravity, wrenches, tree_tau, NULL);
    zv_contract(m, tree_tau, tau);
}

/* The same with the elastic forces of the links added. tau may be v: they are reckoned first. */
static void with_elastic_force(const zvModel *m, zvDesk desk, const double *q, const double *v, const double *a,
                               const double *fext, double *tau) {
    double *k = m->tree.ne ? zv_desk_doubles(&desk, (size_t)m->nv) : NULL;
    if (k) zv_elastic_force(m, q, v, k);
    newton_euler(m, desk, q, v, a, m->tree.gravity, fext, tau);
    for (int i = 0; k && i < m->nv; i++) tau[i] += k[i];
}

void zv_inverse_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                         const double *fext, double *tau) {
    with_elastic_force(m, zv_desk_of(m, work), q, v, a, fext, tau);
}

void zv_bias(const zvModel *m, zvWork *work, const double *q, const double *v, double *bias) {
    with_elastic_force(m, zv_desk_of(m, work), q, v, NULL, NULL, bias);
}

void zv_gravity_force(const zvModel *m, zvWork *work, const double *q, double *g) {
    newton_euler(m, zv_desk_of(m, work), q, NULL, NULL, m->tree.gravity, NULL, g);
}

void zv_mass_times(const zvModel *m, zvWork *work, const double *q, const double *x, double *y) {
    newton_euler(m, zv_desk_of(m, work), q, NULL, x, weightless, NULL, y);
}
