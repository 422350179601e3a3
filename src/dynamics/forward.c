/* Forward and mixed dynamics, and products with M^-1, in model coordinates. Elastic forces of links are known
 * beforehand: they are taken from tau where tau is given and added to it where it is found. */
#include <string.h>

#include "dynamics/coupled.h"
#include "dynamics/external.h"
#include "linalg/ltl.h"
#include "model/lean.h"
#include "work/coupling.h"

static const double weightless[3] = {0, 0, 0};

/* tau less the elastic forces k of the links, both (nv) on the desk; rigid: tau itself, and no k. */
static const double *net_force(const zvModel *m, zvDesk *desk, const double *q, const double *v, const double *tau,
                               double **k) {
    *k = NULL;
    if (m->tree.ne == 0) return tau;
    double *net = zv_desk_doubles(desk, (size_t)m->nv);
    *k = zv_desk_doubles(desk, (size_t)m->nv);
    zv_elastic_force(m, q, v, *k);
    for (int i = 0; i < m->nv; i++) net[i] = (tau ? tau[i] : 0) - (*k)[i];
    return net;
}

/* Coordinates up to which factors of the contracted M take less than sweeps and multipliers of the couplings. */
enum { FEW_COUPLED = 16 };

/* E^T M E a = tau - E^T bias with dense factors, of a rigid robot with coupled joints that nothing pushes. */
static zvStatus forward_coupled(const zvModel *m, zvDesk desk, const double *q, const double *v, const double *tau,
                                double *a) {
    const size_t nv = (size_t)m->nv, nt = (size_t)m->tree.nv;
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v);
    double *M = zv_desk_doubles(&desk, nv * nv), *T = zv_desk_doubles(&desk, nt * nt);
    double *x = zv_desk_doubles(&desk, nv), *rest = zv_desk_doubles(&desk, nt);
    int parent[FEW_COUPLED];
    zv_kernels(m)->lean_inverse(&m->tree, desk, tq, tv, NULL, m->tree.gravity, rest);
    zv_contract(m, rest, x);
    zv_kernels(m)->lean_mass(&m->tree, desk, tq, T);
    zv_contract_matrix(m, T, M);
    for (int i = 0; i < m->nv; i++) {
        parent[i] = i - 1;
        x[i] = (tau ? tau[i] : 0) - x[i];
    }
    if (!ltl_factor(m->nv, parent, M, rest)) return ZV_SINGULAR;
    ltl_solve(m->nv, parent, M, x);
    memcpy(a, x, nv * sizeof *a);
    return ZV_OK;
}

zvStatus zv_forward_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *tau,
                             const double *fext, double *a) {
    zvDesk desk = zv_desk_of(m, work);
    double *k;
    const double *net = net_force(m, &desk, q, v, tau, &k);
    zvCoupled p = {.q = q, .v = v, .fext = fext, .gravity = m->tree.gravity};
    if (m->coupling.count && m->tree.lean && !fext && m->nv <= FEW_COUPLED && m->tree.nv <= ZV_DESK_MATRIX_MAX &&
        forward_coupled(m, desk, q, v, net, a) == ZV_OK)
        return ZV_OK;
    if (m->coupling.count) return zv_mixed_coupled(m, desk, p, net, NULL, a);
    const double *wrenches = zv_body_wrenches(m, &desk, q, fext);
    if (m->tree.lean && m->tree.lean->short_arm && !wrenches)
        return zv_kernels(m)->lean_forward(&m->tree, desk, q, v, net, m->tree.gravity, a);
    return zv_kernels(m)->articulated_forward(&m->tree, desk, q, v, net, m->tree.gravity, wrenches, a);
}

static zvStatus mixed(const zvModel *m, zvDesk desk, const double *q, const double *v, const unsigned char *given,
                      const double *fext, double *tau, double *a) {
    zvCoupled p = {.q = q, .v = v, .fext = fext, .given = given, .gravity = m->tree.gravity};
    if (m->coupling.count) return zv_mixed_coupled(m, desk, p, tau, tau, a);
    const double *wrenches = zv_body_wrenches(m, &desk, q, fext);
    return zv_kernels(m)->articulated_mixed(&m->tree, desk, q, v, given, m->tree.gravity, wrenches, NULL, tau, a);
}

zvStatus zv_mixed_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const unsigned char *given,
                           const double *fext, double *tau, double *a) {
    zvDesk desk = zv_desk_of(m, work);
    if (m->tree.ne == 0) return mixed(m, desk, q, v, given, fext, tau, a);
    double *k, *net = (double *)net_force(m, &desk, q, v, tau, &k);
    zvStatus status = mixed(m, desk, q, v, given, fext, net, a);
    for (int i = 0; i < m->nv; i++) {
        if (!zv_force_given(given, i)) tau[i] = net[i] + k[i];
    }
    return status;
}

zvStatus zv_flexible_inverse_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v,
                                      const double *fext, double *a, double *tau) {
    zvWork below = *work;
    unsigned char *given = zv_desk_take(&below.desk, (size_t)m->nv);
    memset(given, ZV_GIVEN_ACCELERATION, (size_t)m->nv);
    for (int i = 0; i < m->nlink; i++) {
        zvElasticPlace place = zv_model_elastic_place(m, i);
        memset(given + place.v_index, ZV_GIVEN_FORCE, (size_t)place.count);
        for (int k = place.v_index; k < place.v_index + place.count; k++) tau[k] = 0;
    }
    return zv_mixed_dynamics(m, &below, q, v, given, fext, tau, a);
}

zvStatus zv_mass_inverse_times(const zvModel *m, zvWork *work, const double *q, const double *x, double *y) {
    zvDesk desk = zv_desk_of(m, work);
    zvCoupled p = {.q = q, .gravity = weightless};
    if (m->coupling.count) return zv_mixed_coupled(m, desk, p, x, NULL, y);
    return zv_kernels(m)->articulated_forward(&m->tree, desk, q, NULL, x, weightless, NULL, y);
}

zvStatus zv_augmented_inverse_times(const zvModel *m, zvWork *work, const double *q, const double *extra,
                                    const double *x, double *y) {
    return zv_structural_inverse_times(m, work, q, NULL, extra, 0, 0, x, y);
}

const double *zv_more_armature(const zvModel *m, zvDesk *desk, const double *extra) {
    if (!extra) return m->tree.armature;
    size_t nv = (size_t)m->tree.nv;
    double *armature = zv_desk_doubles(desk, nv);
    memcpy(armature, m->tree.armature, nv * sizeof *armature);
    for (int i = 0; i < m->nv; i++) armature[m->coupling.own_v[i]] += extra[i];
    return armature;
}

const unsigned char *zv_free_or_locked(const zvModel *m, zvDesk *desk, const unsigned char *given) {
    if (!given) return NULL;
    unsigned char *locked = zv_desk_take(desk, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) locked[i] = given[i] == ZV_GIVEN_FORCE ? ZV_GIVEN_FORCE : ZV_LOCKED;
    return locked;
}

/* extra is armature more: a copy of the model with its own array of it goes through the same sweeps. */
zvStatus zv_structural_inverse_times(const zvModel *m, zvWork *work, const double *q, const unsigned char *given,
                                     const double *extra, double damping, double stiffness, const double *x,
                                     double *y) {
    zvDesk desk = zv_desk_of(m, work);
    zvModel copy = *m;
    copy.tree.armature = zv_more_armature(m, &desk, extra);
    const zvAugment structure = {damping, stiffness};
    zvCoupled p = {.q = q, .given = zv_free_or_locked(m, &desk, given), .gravity = weightless};
    if (m->tree.ne > 0 && (damping != 0 || stiffness != 0)) p.structure = &structure;
    if (m->coupling.count) return zv_mixed_coupled(&copy, desk, p, x, NULL, y);
    if (!given && !p.structure)
        return zv_kernels(m)->articulated_forward(&copy.tree, desk, q, NULL, x, weightless, NULL, y);
    double *tau = zv_desk_doubles(&desk, (size_t)m->nv);
    memcpy(tau, x, (size_t)m->nv * sizeof *tau);
    return zv_kernels(m)->articulated_mixed(&copy.tree, desk, q, NULL, p.given, weightless, NULL, p.structure, tau, y);
}
