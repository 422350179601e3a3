/* Derivatives in model coordinates: coupled mimic joints contract both sides, tau = E^T tau_tree(E q, E v, E a). */
#include "zveno/derive.h"

#include "base/require.h"
#include "derive/elastic.h"
#include "derive/loads.h"
#include "dynamics/kernels.h"
#include "work/coupling.h"
#include "zveno/dynamics.h"

/* The kernel with its results in the caller's matrices. */
static void derive_tree(const zvModel *m, ziScratch scratch, const double *q, const double *v, const double *a,
                        const double *fext, double *const X[3]) {
    const ziLoads loads = zi_derive_loads(m, &scratch, q, fext);
    zi_derive_kernels(m)->inverse(&m->tree, scratch, q, v, a, m->tree.gravity, loads, X[0], X[1], X[2]);
}

/* One sweep; each result is contracted from a matrix of the tree, for which coupled robots have space in scratch
 * memory.
 */
static void derive_coupled(const zvModel *m, ziScratch scratch, const double *q, const double *v, const double *a,
                           const double *fext, double *const X[3]) {
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    const size_t square = (size_t)m->tree.nv * (size_t)m->tree.nv;
    double *T[3];
    for (int i = 0; i < 3; i++) T[i] = X[i] ? zi_scratch_doubles(&scratch, square) : NULL;
    derive_tree(m, scratch, tq, tv, ta, fext, T);
    for (int i = 0; i < 3; i++)
        if (X[i]) zi_contract_matrix(m, T[i], X[i]);
}

static zvStatus derive(const zvModel *m, ziScratch scratch, const double *q, const double *v, const double *a,
                       const double *fext, double *const X[3]) {
    if (m->coupling.count && m->tree.nv > ZI_SCRATCH_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    (m->coupling.count ? derive_coupled : derive_tree)(m, scratch, q, v, a, fext, X);
    return ZV_OK;
}

zvStatus zv_inverse_derivatives(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                                const double *fext, double *dq, double *dv, double *da) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq));
    double *const X[3] = {dq, dv, da};
    const ziScratch scratch = zi_scratch_of(m, work);
    return m->tree.ne > 0 ? zi_derive_elastic(m, work, scratch, q, v, a, fext, X)
                          : derive(m, scratch, q, v, a, fext, X);
}

/* a, and what it is differentiated from: dq, dv of inverse dynamics at that a, and factors of M. */
static zvStatus forward_tree(const zvModel *m, ziScratch scratch, const double *q, const double *v, const double *tau,
                             const double *fext, double *a, double *dq, double *dv, double *L) {
    const ziLoads loads = zi_derive_loads(m, &scratch, q, fext);
    const real_ok ok =
        zi_derive_kernels(m)->forward(&m->tree, scratch, q, v, tau, m->tree.gravity, loads, a, dq, dv, L);
    return ok ? ZV_OK : ZV_SINGULAR;
}

/* The same one after the other. */
static zvStatus forward_apart(const zvModel *m, zvWork *below, const int *parent, const double *q, const double *v,
                              const double *tau, const double *fext, double *a, double *dq, double *dv, double *L) {
    zvStatus status = zv_forward_dynamics(m, below, q, v, tau, fext, a);
    if (status == ZV_OK) status = derive(m, below->scratch, q, v, a, fext, (double *[3]){dq, dv, L});
    if (status == ZV_OK && !zi_kernels(m)->tree_factor(m->nv, parent, below->scratch, L)) status = ZV_SINGULAR;
    return status;
}

/* The same on long paths, and all that follows from it: columns of dq, dv go through the articulated bodies. */
static zvStatus forward_by_sweeps(const zvModel *m, zvWork *below, const double *q, const double *v, const double *tau,
                                  const double *fext, double *a, double *dq, double *dv, double *dtau) {
    zvStatus status = zv_forward_dynamics(m, below, q, v, tau, fext, a);
    if (status == ZV_OK && (dq || dv)) status = derive(m, below->scratch, q, v, a, fext, (double *[3]){dq, dv, NULL});
    return status == ZV_OK ? zi_kernels(m)->subtrees(&m->tree, below->scratch, q, dq, dv, dtau) : status;
}

/* d a/d x = -M^-1 (d tau/d x at that a): (19). Coupled coordinates spoil the tree's zeros: then M is taken as full. */
zvStatus zv_forward_derivatives(const zvModel *m, zvWork *work, const double *q, const double *v, const double *tau,
                                const double *fext, double *a, double *dq, double *dv, double *dtau) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq));
    const size_t nv = (size_t)m->nv;
    const bool sweeps = zi_derived_by_sweeps(m);
    if (!dtau && !sweeps && nv > ZI_SCRATCH_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    zvWork below = *work;
    below.scratch = zi_scratch_of(m, work);
    if (!a) a = zi_scratch_doubles(&below.scratch, nv);
    if (m->tree.ne > 0) return zi_derive_forward_elastic(m, work, below.scratch, q, v, tau, fext, a, dq, dv, dtau);
    if (sweeps) return forward_by_sweeps(m, &below, q, v, tau, fext, a, dq, dv, dtau);
    if (!dtau) dtau = zi_scratch_doubles(&below.scratch, nv * nv);
    const int *parent = m->tree.dof_parent;
    if (m->coupling.count) {
        int *line = zi_scratch_take(&below.scratch, nv * sizeof *line);
        for (int i = 0; i < m->nv; i++) line[i] = i - 1;
        parent = line;
    }
    const zvStatus status = zi_derived_apart(m) ? forward_apart(m, &below, parent, q, v, tau, fext, a, dq, dv, dtau)
                                                : forward_tree(m, below.scratch, q, v, tau, fext, a, dq, dv, dtau);
    if (status == ZV_OK) zi_kernels(m)->tree_respond(m->nv, parent, below.scratch, dtau, dq, dv);
    return status;
}
