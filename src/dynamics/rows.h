/* Every row of the tables (methods.h) over the kernels' scalar, in model coordinates. Compiled on doubles they are what
 * the library runs (methods.c, terms.c, forward.c); compiled on other scalars, what counts its operations
 * (codegen/traced.cpp) and what a test executes to compare with that count (tests/codegen/counting.cpp).
 *
 * A row refuses what lies outside of its domain with ZV_NOT_SUPPORTED; it never runs another row's kernel instead. */
#ifndef ZI_DYNAMICS_ROWS_H
#define ZI_DYNAMICS_ROWS_H

#include "dynamics/auto.h"
#include "dynamics/coupled.h"
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "linalg/ltdl.h"
#include "work/coupling.h"

static const double zi_no_gravity[3] = {0, 0, 0};

/* A question about one state, in model coordinates. */
typedef struct ziQuery {
    const zvModel *model;
    ziScratch scratch;
    const real *q, *v; /* v NULL: at rest */
    const real *x;     /* a of inverse, tau of forward dynamics; NULL: zero */
    const real *fext;  /* NULL: none */
    real *answer;
} ziQuery;

typedef zvStatus (*ziRow)(ziQuery);

static ZI_HOT bool row_holds(unsigned domain, const ziQuery *x) {
    if (domain & ZV_DOMAIN_RIGID && !x->model->tree.reduced) return false;
    if (domain & ZV_DOMAIN_UNLOADED && x->fext) return false;
    return !(domain & ZV_DOMAIN_UNCOUPLED && x->model->coupling.count);
}

/* -- forces: inverse dynamics, and those at a = 0 ---------------------------------------------------------------- */

/* E^T NE(q, v, a) without the elastic forces of links. */
static ZI_HOT void forces_general(ziQuery x, const double *gravity) {
    const zvModel *m = x.model;
    const real *q = zi_tree_q(m, &x.scratch, x.q), *v = zi_tree_v(m, &x.scratch, x.v),
               *a = zi_tree_v(m, &x.scratch, x.x), *wrenches = zi_body_wrenches(m, &x.scratch, q, x.fext);
    real *tau = zi_tree_vector(m, &x.scratch, x.answer);
    zi_kernels(m)->newton_euler(&m->tree, x.scratch, q, v, a, gravity, wrenches, tau, NULL);
    zi_contract(m, tau, x.answer);
}

static ZI_HOT void forces_reduced(ziQuery x, const double *gravity) {
    const zvModel *m = x.model;
    const real *q = zi_tree_q(m, &x.scratch, x.q), *v = zi_tree_v(m, &x.scratch, x.v),
               *a = zi_tree_v(m, &x.scratch, x.x);
    real *tau = zi_tree_vector(m, &x.scratch, x.answer);
    zi_kernels(m)->reduced_inverse(&m->tree, x.scratch, q, v, a, gravity, tau);
    zi_contract(m, tau, x.answer);
}

static ZI_HOT void forces_auto(ziQuery x, const double *gravity) {
    if (zi_auto_inverse(x.model, x.fext != NULL) == ZI_ROW_inverse_newton_euler_reduced)
        forces_reduced(x, gravity);
    else
        forces_general(x, gravity);
}

/* The elastic forces of links, NULL of rigid ones. The answer may be v: they are computed first and added last. */
static ZI_HOT const real *elastic_force_of(ziQuery *x) {
    if (!x->model->tree.ne) return NULL;
    real *k = zi_scratch_array(&x->scratch, real, x->model->nv);
    zv_elastic_force(x->model, x->q, x->v, k);
    return k;
}
static ZI_HOT void add_elastic_force(const ziQuery *x, const real *k) {
    for (int i = 0; k && i < x->model->nv; i++) x->answer[i] += k[i];
}

static ZI_HOT zvStatus row_inverse_newton_euler(ziQuery x) {
    const real *k = elastic_force_of(&x);
    forces_general(x, x.model->tree.gravity);
    add_elastic_force(&x, k);
    return ZV_OK;
}

static ZI_HOT zvStatus row_inverse_newton_euler_reduced(ziQuery x) {
    if (!row_holds(ZI_UNLOADED, &x)) return ZV_NOT_SUPPORTED;
    forces_reduced(x, x.model->tree.gravity);
    return ZV_OK;
}

static ZI_HOT zvStatus row_inverse_auto(ziQuery x) {
    if (zi_auto_inverse(x.model, x.fext != NULL) == ZI_ROW_inverse_newton_euler) return row_inverse_newton_euler(x);
    forces_reduced(x, x.model->tree.gravity);
    return ZV_OK;
}

static inline zvStatus row_inverse_path(ziQuery x) {
    const zvModel *m = x.model;
    const real *k = elastic_force_of(&x);
    const real *q = zi_tree_q(m, &x.scratch, x.q), *v = zi_tree_v(m, &x.scratch, x.v),
               *a = zi_tree_v(m, &x.scratch, x.x), *wrenches = zi_body_wrenches(m, &x.scratch, q, x.fext);
    real *tau = zi_tree_vector(m, &x.scratch, x.answer);
    zi_kernels(m)->path_inverse(&m->tree, x.scratch, q, v, a, m->tree.gravity, wrenches, tau);
    zi_contract(m, tau, x.answer);
    add_elastic_force(&x, k);
    return ZV_OK;
}

/* The same question at a = 0 with nothing that pushes. */
static ZI_HOT ziQuery at_zero_acceleration(ziQuery x) {
    x.x = x.fext = NULL;
    return x;
}
static ZI_HOT zvStatus row_bias_auto(ziQuery x) { return row_inverse_auto(at_zero_acceleration(x)); }
static inline zvStatus row_bias_newton_euler(ziQuery x) { return row_inverse_newton_euler(at_zero_acceleration(x)); }
static inline zvStatus row_bias_newton_euler_reduced(ziQuery x) {
    return row_inverse_newton_euler_reduced(at_zero_acceleration(x));
}

typedef void (*ziBiasKernel)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                             real *bias);

static inline zvStatus bias_by(ziQuery x, ziBiasKernel kernel) {
    const zvModel *m = x.model;
    const real *k = elastic_force_of(&x);
    const real *q = zi_tree_q(m, &x.scratch, x.q), *v = zi_tree_v(m, &x.scratch, x.v);
    real *bias = zi_tree_vector(m, &x.scratch, x.answer);
    kernel(&m->tree, x.scratch, q, v, m->tree.gravity, bias);
    zi_contract(m, bias, x.answer);
    add_elastic_force(&x, k);
    return ZV_OK;
}
static inline zvStatus row_bias_yaskevich(ziQuery x) { return bias_by(x, zi_kernels(x.model)->yaskevich_bias); }
static inline zvStatus row_bias_kane(ziQuery x) { return bias_by(x, zi_kernels(x.model)->kane_bias); }
static inline zvStatus row_bias_path(ziQuery x) { return bias_by(x, zi_kernels(x.model)->path_bias); }

/* -- mass matrix ------------------------------------------------------------------------------------------------- */

typedef void (*ziMassKernel)(const ziTree *t, ziScratch scratch, const real *q, real *M);

/* M of the tree, contracted when mimic joints are coupled. */
static ZI_HOT zvStatus mass_by(ziQuery x, ziMassKernel kernel) {
    const zvModel *m = x.model;
    if (m->coupling.count && !zi_auto_has_matrix(m)) return ZV_NOT_SUPPORTED;
    const real *q = zi_tree_q(m, &x.scratch, x.q);
    const size_t nt = (size_t)m->tree.nv;
    real *T = m->coupling.count ? zi_scratch_array(&x.scratch, real, nt * nt) : x.answer;
    kernel(&m->tree, x.scratch, q, T);
    zi_contract_matrix(m, T, x.answer);
    return ZV_OK;
}

static ZI_HOT zvStatus row_mass_composite(ziQuery x) { return mass_by(x, zi_kernels(x.model)->composite); }

static ZI_HOT zvStatus row_mass_composite_reduced(ziQuery x) {
    return row_holds(ZI_RIGID, &x) ? mass_by(x, zi_kernels(x.model)->reduced_mass) : ZV_NOT_SUPPORTED;
}
static inline zvStatus row_mass_yaskevich(ziQuery x) { return mass_by(x, zi_kernels(x.model)->yaskevich); }
static inline zvStatus row_mass_kosynka(ziQuery x) { return mass_by(x, zi_kernels(x.model)->kosynka); }
static inline zvStatus row_mass_kane(ziQuery x) { return mass_by(x, zi_kernels(x.model)->kane); }
static inline zvStatus row_mass_path(ziQuery x) { return mass_by(x, zi_kernels(x.model)->path); }

/* Column j is the force of a unit acceleration of coordinate j at rest without gravity; takes one vector only. */
static inline zvStatus row_mass_columns(ziQuery x) {
    const int nv = x.model->nv;
    ziQuery column = x;
    real *e = zi_scratch_array(&column.scratch, real, nv);
    column.v = column.fext = NULL;
    column.x = e;
    for (int j = 0; j < nv; j++) {
        for (int i = 0; i < nv; i++) e[i] = i == j;
        column.answer = x.answer + (size_t)j * (size_t)nv;
        forces_general(column, zi_no_gravity);
    }
    return ZV_OK;
}

static ZI_HOT zvStatus row_mass_auto(ziQuery x) {
    const int row = zi_auto_mass(x.model);
    if (row == ZI_ROW_mass_columns) return row_mass_columns(x);
    return mass_by(x,
                   row == ZI_ROW_mass_composite ? zi_kernels(x.model)->composite : zi_kernels(x.model)->reduced_mass);
}

/* -- forward dynamics -------------------------------------------------------------------------------------------- */

/* Elastic forces of the links taken from tau, in scratch memory; rigid: tau itself. */
static ZI_HOT const real *without_elastic_force(ziQuery *x) {
    const zvModel *m = x->model;
    if (m->tree.ne == 0) return x->x;
    real *net = zi_scratch_array(&x->scratch, real, m->nv), *k = zi_scratch_array(&x->scratch, real, m->nv);
    zv_elastic_force(m, x->q, x->v, k);
    for (int i = 0; i < m->nv; i++) net[i] = (x->x ? x->x[i] : 0) - k[i];
    return net;
}

/* Sweeps of the tree and multipliers of the couplings. The tree may be singular where the robot is not: then the dense
 * matrix answers, or with sweeps_only it tells whether that is so, ZV_NOT_SUPPORTED, or the robot itself is singular.
 */
static inline zvStatus forward_coupled(const ziQuery *x, const real *tau, bool sweeps_only) {
    const ziCoupled p = {
        .q = x->q, .v = x->v, .fext = x->fext, .gravity = x->model->tree.gravity, .sweeps_only = sweeps_only};
    return zi_mixed_coupled(x->model, x->scratch, p, tau, NULL, x->answer);
}

static ZI_HOT zvStatus forward_by_sweeps(ziQuery x, bool sweeps_only) {
    const zvModel *m = x.model;
    const real *tau = without_elastic_force(&x);
    if (m->coupling.count) return forward_coupled(&x, tau, sweeps_only);
    const real *wrenches = zi_body_wrenches(m, &x.scratch, x.q, x.fext);
    return zi_kernels(m)->articulated_forward(&m->tree, x.scratch, x.q, x.v, tau, m->tree.gravity, wrenches, x.answer);
}
static inline zvStatus row_forward_articulated(ziQuery x) { return forward_by_sweeps(x, true); }

static ZI_HOT zvStatus forward_by_ldl(ziQuery x) {
    const zvModel *m = x.model;
    return zi_kernels(m)->reduced_forward(&m->tree, x.scratch, x.q, x.v, x.x, m->tree.gravity, x.answer);
}
static inline zvStatus row_forward_mass_reduced_ldl(ziQuery x) {
    if (!row_holds(ZI_UNCOUPLED, &x) || !zi_auto_has_matrix(x.model)) return ZV_NOT_SUPPORTED;
    return forward_by_ldl(x);
}

/* answer := M^-1 (tau - bias) with the zeros that paths tell of; M is destroyed, bias may be anywhere but in the
 * answer. */
static inline zvStatus solve_for_acceleration(ziQuery x, ltdlPaths paths, real *M, real *bias) {
    const int nv = x.model->nv;
    real_ok ok = 1;
    real *scratch = zi_scratch_array(&x.scratch, real, nv);
    for (int i = 0; i < nv; i++) bias[i] = (x.x ? x.x[i] : 0) - bias[i];
    ltdl_factor(paths, M, scratch, &ok);
    if (!ok) return ZV_SINGULAR;
    ltdl_solve(paths, M, bias);
    for (int i = 0; i < nv; i++) x.answer[i] = bias[i];
    return ZV_OK;
}

/* E^T M E a = tau - E^T bias, both by the reduced recursions. */
static inline zvStatus row_forward_mass_reduced(ziQuery x) {
    const zvModel *m = x.model;
    if (!row_holds(ZI_UNLOADED, &x) || !zi_auto_has_matrix(m)) return ZV_NOT_SUPPORTED;
    const size_t nv = (size_t)m->nv, nt = (size_t)m->tree.nv;
    const real *q = zi_tree_q(m, &x.scratch, x.q), *v = zi_tree_v(m, &x.scratch, x.v);
    real *M = zi_scratch_array(&x.scratch, real, nv * nv), *bias = zi_scratch_array(&x.scratch, real, nv);
    ziScratch tree = x.scratch; /* what is needed until M and bias are contracted */
    real *T = m->coupling.count ? zi_scratch_array(&tree, real, nt * nt) : M;
    real *tree_bias = zi_tree_vector(m, &tree, bias);
    zi_kernels(m)->reduced_inverse(&m->tree, tree, q, v, NULL, m->tree.gravity, tree_bias);
    zi_contract(m, tree_bias, bias);
    zi_kernels(m)->reduced_mass(&m->tree, tree, q, T);
    zi_contract_matrix(m, T, M);
    return solve_for_acceleration(x, zi_dof_paths(m), M, bias);
}

/* M by one of its rows, the bias by newton-euler. */
static inline zvStatus forward_with(ziRow mass, ltdlPaths paths, ziQuery x) {
    const size_t nv = (size_t)x.model->nv;
    if (!zi_auto_has_matrix(x.model)) return ZV_NOT_SUPPORTED;
    real *M = zi_scratch_array(&x.scratch, real, nv * nv), *bias = zi_scratch_array(&x.scratch, real, nv);
    ziQuery part = x;
    part.x = NULL;
    part.answer = M;
    const zvStatus status = mass(part);
    if (status != ZV_OK) return status;
    part.answer = bias;
    row_inverse_newton_euler(part);
    return solve_for_acceleration(x, paths, M, bias);
}
static inline zvStatus forward_by(ziRow mass, ziQuery x) { return forward_with(mass, zi_dof_paths(x.model), x); }
static inline zvStatus row_forward_mass(ziQuery x) { return forward_by(row_mass_composite, x); }
static inline zvStatus row_forward_mass_dense(ziQuery x) {
    return forward_with(row_mass_composite, ltdl_dense(x.model->nv), x);
}
static inline zvStatus row_forward_columns(ziQuery x) { return forward_by(row_mass_columns, x); }
static inline zvStatus row_forward_yaskevich(ziQuery x) { return forward_by(row_mass_yaskevich, x); }
static inline zvStatus row_forward_kosynka(ziQuery x) { return forward_by(row_mass_kosynka, x); }
static inline zvStatus row_forward_kane(ziQuery x) { return forward_by(row_mass_kane, x); }
static inline zvStatus row_forward_path(ziQuery x) { return forward_by(row_mass_path, x); }

/* Where factors of few coupled coordinates find M singular, the multipliers are asked before that is the answer. */
static ZI_HOT zvStatus row_forward_auto(ziQuery x) {
    const int row = zi_auto_forward(x.model, x.fext != NULL);
    if (row == ZI_ROW_forward_mass_reduced_ldl) return forward_by_ldl(x);
    if (row == ZI_ROW_forward_mass_reduced && row_forward_mass_reduced(x) == ZV_OK) return ZV_OK;
    return forward_by_sweeps(x, false);
}

/* -- inverse of the mass matrix ---------------------------------------------------------------------------------- */

/* M, which a row has put into the answer, inverted there. */
static inline zvStatus invert_answer(ziQuery x) {
    const zvModel *m = x.model;
    if (!m->coupling.count) return zi_kernels(m)->invert(&m->tree, x.scratch, x.answer);
    ziTree dense = {0}; /* without paths */
    dense.nv = m->nv;
    return zi_kernels(m)->invert(&dense, x.scratch, x.answer);
}

static ZI_HOT zvStatus minv_by(ziRow mass, ziQuery x) {
    const zvStatus status = mass(x);
    return status == ZV_OK ? invert_answer(x) : status;
}
static inline zvStatus row_minv_mass(ziQuery x) { return minv_by(row_mass_composite, x); }
static inline zvStatus row_minv_mass_reduced(ziQuery x) { return minv_by(row_mass_composite_reduced, x); }
static inline zvStatus row_minv_columns(ziQuery x) { return minv_by(row_mass_columns, x); }
static inline zvStatus row_minv_yaskevich(ziQuery x) { return minv_by(row_mass_yaskevich, x); }
static inline zvStatus row_minv_kosynka(ziQuery x) { return minv_by(row_mass_kosynka, x); }
static inline zvStatus row_minv_kane(ziQuery x) { return minv_by(row_mass_kane, x); }
static inline zvStatus row_minv_path(ziQuery x) { return minv_by(row_mass_path, x); }

static inline zvStatus row_minv_mass_reduced_ldl(ziQuery x) {
    if (!row_holds(ZI_RIGID | ZV_DOMAIN_UNCOUPLED, &x)) return ZV_NOT_SUPPORTED;
    const ziTree *t = &x.model->tree;
    const ziKernels *kernels = zi_kernels(x.model);
    kernels->reduced_paths(t, x.scratch, x.q, x.answer);
    return kernels->tree_inverse(t->nv, t->dof_parent, x.scratch, x.answer) ? ZV_OK : ZV_SINGULAR;
}

/* Row k is the answer to a unit force in k; symmetric only to rounding, so one triangle is taken. */
static inline zvStatus row_minv_articulated(ziQuery x) {
    const size_t nv = (size_t)x.model->nv;
    if (!row_holds(ZV_DOMAIN_UNCOUPLED, &x)) return ZV_NOT_SUPPORTED;
    const zvStatus status = zi_kernels(x.model)->articulated_inverse(&x.model->tree, x.scratch, x.q, x.answer);
    for (size_t i = 0; i < nv; i++)
        for (size_t j = 0; j < i; j++) x.answer[i * nv + j] = x.answer[j * nv + i];
    return status;
}

/* Both triangles, one the mirror image of the other. */
static inline zvStatus row_minv_subtrees(ziQuery x) {
    if (!row_holds(ZI_RIGID | ZV_DOMAIN_UNCOUPLED, &x)) return ZV_NOT_SUPPORTED;
    return zi_kernels(x.model)->subtrees(&x.model->tree, x.scratch, x.q, NULL, NULL, x.answer);
}

static ZI_HOT zvStatus row_minv_auto(ziQuery x) {
    switch (zi_auto_inverse_mass(x.model)) {
    case ZI_ROW_minv_mass_reduced_ldl: return row_minv_mass_reduced_ldl(x);
    case ZI_ROW_minv_mass_reduced: return row_minv_mass_reduced(x);
    case ZI_ROW_minv_subtrees: return row_minv_subtrees(x);
    case ZI_ROW_minv_articulated: return row_minv_articulated(x);
    case ZI_ROW_minv_columns: return row_minv_columns(x);
    default: return row_minv_mass(x);
    }
}

#endif
