/* Forward and mixed dynamics, and products with M^-1, in model coordinates. Elastic forces of links are known
 * beforehand: they are taken from tau where tau is given and added to it where it is found. */
#include <string.h>

#include "base/require.h"
#include "dynamics/rows.h"

zvStatus zv_forward_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *tau,
                             const double *fext, double *a) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(a, m->nv));
    return row_forward_auto((ziQuery){m, zi_scratch_of(m, work), q, v, tau, fext, a});
}

static zvStatus mixed(const zvModel *m, ziScratch scratch, const double *q, const double *v, const unsigned char *given,
                      const double *fext, double *tau, double *a) {
    ziCoupled p = {.q = q, .v = v, .fext = fext, .given = given, .gravity = m->tree.gravity};
    if (m->coupling.count) return zi_mixed_coupled(m, scratch, p, tau, tau, a);
    const double *wrenches = zi_body_wrenches(m, &scratch, q, fext);
    return zi_kernels(m)->articulated_mixed(&m->tree, scratch, q, v, given, m->tree.gravity, wrenches, NULL, tau, a);
}

/* Elastic forces are taken from given tau before, and added to found tau after. */
zvStatus zv_mixed_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const unsigned char *given,
                           const double *fext, double *tau, double *a) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(given, m->nv) && ZI_ARRAY(tau, m->nv) && ZI_ARRAY(a, m->nv));
    ziScratch scratch = zi_scratch_of(m, work);
    if (m->tree.ne == 0) return mixed(m, scratch, q, v, given, fext, tau, a);
    double *net = zi_scratch_doubles(&scratch, (size_t)m->nv), *k = zi_scratch_doubles(&scratch, (size_t)m->nv);
    zv_elastic_force(m, q, v, k);
    for (int i = 0; i < m->nv; i++) net[i] = tau[i] - k[i];
    zvStatus status = mixed(m, scratch, q, v, given, fext, net, a);
    for (int i = 0; i < m->nv; i++) {
        if (!zi_force_given(given, i)) tau[i] = net[i] + k[i];
    }
    return status;
}

/* A mixed problem: accelerations of the joints are given, forces of the elastic coordinates are zero. */
zvStatus zv_flexible_inverse_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v,
                                      const double *fext, double *a, double *tau) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(a, m->nv) && ZI_ARRAY(tau, m->nv));
    zvWork below = *work;
    unsigned char *given = zi_scratch_take(&below.scratch, (size_t)m->nv);
    memset(given, ZV_GIVEN_ACCELERATION, (size_t)m->nv);
    for (int i = 0; i < m->nlink; i++) {
        zvElasticPlace place = zv_model_elastic_place(m, i);
        memset(given + place.v_index, ZV_GIVEN_FORCE, (size_t)place.count);
        for (int k = place.v_index; k < place.v_index + place.count; k++) tau[k] = 0;
    }
    return zv_mixed_dynamics(m, &below, q, v, given, fext, tau, a);
}

zvStatus zv_mass_inverse_times(const zvModel *m, zvWork *work, const double *q, const double *x, double *y) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(y, m->nv) && ZI_ARRAY(x, m->nv));
    ziScratch scratch = zi_scratch_of(m, work);
    ziCoupled p = {.q = q, .gravity = zi_no_gravity};
    if (m->coupling.count) return zi_mixed_coupled(m, scratch, p, x, NULL, y);
    return zi_kernels(m)->articulated_forward(&m->tree, scratch, q, NULL, x, zi_no_gravity, NULL, y);
}

zvStatus zv_augmented_inverse_times(const zvModel *m, zvWork *work, const double *q, const double *extra,
                                    const double *x, double *y) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(y, m->nv) && ZI_ARRAY(x, m->nv));
    return zv_structural_inverse_times(m, work, q, NULL, extra, 0, 0, x, y);
}

const double *zi_more_armature(const zvModel *m, ziScratch *scratch, const double *extra) {
    if (!extra) return m->tree.armature;
    size_t nv = (size_t)m->tree.nv;
    double *armature = zi_scratch_doubles(scratch, nv);
    memcpy(armature, m->tree.armature, nv * sizeof *armature);
    for (int i = 0; i < m->nv; i++) armature[m->coupling.own_v[i]] += extra[i];
    return armature;
}

const unsigned char *zi_free_or_locked(const zvModel *m, ziScratch *scratch, const unsigned char *given) {
    if (!given) return NULL;
    unsigned char *locked = zi_scratch_take(scratch, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) locked[i] = given[i] == ZV_GIVEN_FORCE ? ZV_GIVEN_FORCE : ZV_GIVEN_LOCKED;
    return locked;
}

/* extra is armature more: a copy of the model with its own array of it goes through the same sweeps. */
zvStatus zv_structural_inverse_times(const zvModel *m, zvWork *work, const double *q, const unsigned char *given,
                                     const double *extra, double damping, double stiffness, const double *x,
                                     double *y) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(y, m->nv) && ZI_ARRAY(x, m->nv));
    ziScratch scratch = zi_scratch_of(m, work);
    zvModel copy = *m;
    copy.tree.armature = zi_more_armature(m, &scratch, extra);
    const ziAugment structure = {damping, stiffness};
    ziCoupled p = {.q = q, .given = zi_free_or_locked(m, &scratch, given), .gravity = zi_no_gravity};
    if (m->tree.ne > 0 && (damping != 0 || stiffness != 0)) p.structure = &structure;
    if (m->coupling.count) return zi_mixed_coupled(&copy, scratch, p, x, NULL, y);
    if (!given && !p.structure)
        return zi_kernels(m)->articulated_forward(&copy.tree, scratch, q, NULL, x, zi_no_gravity, NULL, y);
    double *tau = zi_scratch_doubles(&scratch, (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) tau[i] = x[i];
    return zi_kernels(m)->articulated_mixed(&copy.tree, scratch, q, NULL, p.given, zi_no_gravity, NULL, p.structure,
                                            tau, y);
}
