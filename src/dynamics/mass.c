/* Mass matrix, its inverse, and the Coriolis matrix in model coordinates. */
#include "dynamics/mass.h"

#include "base/require.h"
#include "dynamics/kernels.h"
#include "model/reduced.h"
#include "work/coupling.h"

/* Paths longer than this make sweeps, O(n^2), cheaper than factors, O(n^2 depth). */
enum { SWEEPS_FROM = 64 };
/* Paths up to which the reduced kernels take less than those that carry all columns of a subtree together; paths, and
 * dofs, up to which factors without square roots take less than those whose rows go through vector instructions. */
enum { REDUCED_MASS_TO = 24, REDUCED_FACTORS_TO = 16, REDUCED_FACTORS_DOFS = 48 };

static bool reduced_to(const zvModel *m, int depth) { return m->tree.reduced && m->tree.max_depth <= depth; }

static ziMassKernel mass_kernel(const zvModel *m) {
    return reduced_to(m, REDUCED_MASS_TO) ? zi_kernels(m)->reduced_mass : zi_kernels(m)->composite;
}

void zi_mass_by_columns(const zvModel *m, zvWork *work, const double *q, double *M) {
    zvWork below = *work;
    double *e = zi_scratch_doubles(&below.scratch, (size_t)m->nv);
    for (int j = 0; j < m->nv; j++) e[j] = 0;
    for (int j = 0; j < m->nv; j++) {
        e[j] = 1;
        zv_mass_times(m, &below, q, e, M + (size_t)j * (size_t)m->nv);
        e[j] = 0;
    }
}

zvStatus zi_mass_by_kernel(const zvModel *m, zvWork *work, ziMassKernel kernel, const double *q, double *M) {
    if (m->coupling.count && m->tree.nv > ZI_SCRATCH_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q);
    double *T = m->coupling.count ? zi_scratch_doubles(&scratch, (size_t)m->tree.nv * (size_t)m->tree.nv) : M;
    kernel(&m->tree, scratch, tq, T);
    zi_contract_matrix(m, T, M);
    return ZV_OK;
}

void zv_mass_matrix(const zvModel *m, zvWork *work, const double *q, double *M) {
    ZI_REQUIRE(m && work && q && M);
    if (zi_mass_by_kernel(m, work, mass_kernel(m), q, M) != ZV_OK) zi_mass_by_columns(m, work, q, M);
}

void zv_coriolis_matrix(const zvModel *m, zvWork *work, const double *q, const double *v, double *C) {
    ZI_REQUIRE(m && work && q && C);
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    zi_kernels(m)->coriolis(&m->tree, scratch, &m->coupling, m->nv, tq, tv, C);
}

/* Coupled coordinates spoil the tree's zeros: dense factors of the contracted matrix. */
static zvStatus inverse_coupled(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    zv_mass_matrix(m, work, q, Minv); /* clears scratch memory, so it comes first */
    ziScratch scratch = zi_scratch_of(m, work);
    int *parent = zi_scratch_take(&scratch, (size_t)m->nv * sizeof *parent);
    for (int i = 0; i < m->nv; i++) parent[i] = i - 1;
    ziTree dense = {.nv = m->nv, .dof_parent = parent};
    return zi_kernels(m)->invert(&dense, scratch, Minv);
}

/* Row k is the answer to a unit force in k; symmetric only to rounding, so one triangle is taken. */
static zvStatus inverse_by_sweeps(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    size_t nv = (size_t)m->nv;
    zvStatus status = zi_kernels(m)->articulated_inverse(&m->tree, zi_scratch_of(m, work), q, Minv);
    for (size_t i = 0; i < nv; i++) {
        for (size_t j = 0; j < i; j++) Minv[i * nv + j] = Minv[j * nv + i];
    }
    return status;
}

zvStatus zv_mass_inverse(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    ZI_REQUIRE(m && work && q && Minv);
    if (m->coupling.count) return inverse_coupled(m, work, q, Minv);
    if (m->tree.max_depth > SWEEPS_FROM) return inverse_by_sweeps(m, work, q, Minv);
    if (reduced_to(m, REDUCED_FACTORS_TO) && m->nv <= REDUCED_FACTORS_DOFS)
        return zi_kernels(m)->reduced_minv(&m->tree, zi_scratch_of(m, work), q, Minv);
    mass_kernel(m)(&m->tree, zi_scratch_of(m, work), q, Minv);
    return zi_kernels(m)->invert(&m->tree, zi_scratch_of(m, work), Minv);
}
