/* Inverse dynamics, the mass matrix and what they yield: every term of the equation of motion, in model coordinates.
 * Forces are Newton-Euler with the right choice of v, a and gravity ([Kolyubin] 3.1). */
#include "base/require.h"
#include "dynamics/rows.h"

void zv_inverse_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                         const double *fext, double *tau) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv));
    row_inverse_auto((ziQuery){m, zi_scratch_of(m, work), q, v, a, fext, tau});
}

void zv_bias(const zvModel *m, zvWork *work, const double *q, const double *v, double *bias) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(bias, m->nv));
    row_bias_auto((ziQuery){m, zi_scratch_of(m, work), .q = q, .v = v, .answer = bias});
}

void zv_gravity_force(const zvModel *m, zvWork *work, const double *q, double *g) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(g, m->nv));
    forces_auto((ziQuery){m, zi_scratch_of(m, work), .q = q, .answer = g}, m->tree.gravity);
}

void zv_mass_times(const zvModel *m, zvWork *work, const double *q, const double *x, double *y) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(y, m->nv) && ZI_ARRAY(x, m->nv));
    forces_auto((ziQuery){m, zi_scratch_of(m, work), .q = q, .x = x, .answer = y}, zi_no_gravity);
}

void zv_mass_matrix(const zvModel *m, zvWork *work, const double *q, double *M) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(M, m->nv));
    row_mass_auto((ziQuery){m, zi_scratch_of(m, work), .q = q, .answer = M});
}

zvStatus zv_mass_inverse(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(Minv, m->nv));
    return row_minv_auto((ziQuery){m, zi_scratch_of(m, work), .q = q, .answer = Minv});
}

void zv_coriolis_matrix(const zvModel *m, zvWork *work, const double *q, const double *v, double *C) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(C, m->nv));
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    zi_kernels(m)->coriolis(&m->tree, scratch, &m->coupling, m->nv, tq, tv, C);
}
