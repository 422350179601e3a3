/* Mass matrix, its inverse, and the Coriolis matrix in model coordinates. */
#include "dynamics/mass.h"

#include "dynamics/kernels.h"
#include "model/lean.h"
#include "work/coupling.h"

/* Paths longer than this make sweeps, O(n^2), cheaper than factors, O(n^2 depth). */
enum { SWEEPS_FROM = 64 };
/* Paths up to which the lean texts take less than those that carry all columns of a subtree together; paths, and dofs,
 * up to which factors without square roots take less than those whose rows go through vector instructions. */
enum { LEAN_MASS_TO = 24, LEAN_FACTORS_TO = 16, LEAN_FACTORS_DOFS = 48 };

static bool lean_to(const zvModel *m, int depth) { return m->tree.lean && m->tree.max_depth <= depth; }

static zvMassKernel mass_kernel(const zvModel *m) {
    return lean_to(m, LEAN_MASS_TO) ? zv_kernels(m)->lean_mass : zv_kernels(m)->composite;
}

void zv_mass_by_columns(const zvModel *m, zvWork *work, const double *q, double *M) {
    zvWork below = *work;
    double *e = zv_desk_doubles(&below.desk, (size_t)m->nv);
    for (int j = 0; j < m->nv; j++) e[j] = 0;
    for (int j = 0; j < m->nv; j++) {
        e[j] = 1;
        zv_mass_times(m, &below, q, e, M + (size_t)j * (size_t)m->nv);
        e[j] = 0;
    }
}

zvStatus zv_mass_by_kernel(const zvModel *m, zvWork *work, zvMassKernel kernel, const double *q, double *M) {
    if (m->coupling.count && m->tree.nv > ZV_DESK_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q);
    double *T = m->coupling.count ? zv_desk_doubles(&desk, (size_t)m->tree.nv * (size_t)m->tree.nv) : M;
    kernel(&m->tree, desk, tq, T);
    zv_contract_matrix(m, T, M);
    return ZV_OK;
}

void zv_mass_matrix(const zvModel *m, zvWork *work, const double *q, double *M) {
    if (zv_mass_by_kernel(m, work, mass_kernel(m), q, M) != ZV_OK) zv_mass_by_columns(m, work, q, M);
}

void zv_coriolis_matrix(const zvModel *m, zvWork *work, const double *q, const double *v, double *C) {
    zvDesk desk = zv_desk_of(m, work);
    const double *tq = zv_tree_q(m, &desk, q), *tv = zv_tree_v(m, &desk, v);
    zv_kernels(m)->coriolis(&m->tree, desk, &m->coupling, m->nv, tq, tv, C);
}

/* Coupled coordinates spoil the tree's zeros: dense factors of the contracted matrix. */
static zvStatus inverse_coupled(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    zv_mass_matrix(m, work, q, Minv); /* clears the desk, so it comes first */
    zvDesk desk = zv_desk_of(m, work);
    int *parent = zv_desk_take(&desk, (size_t)m->nv * sizeof *parent);
    for (int i = 0; i < m->nv; i++) parent[i] = i - 1;
    zvTree dense = {.nv = m->nv, .dof_parent = parent};
    return zv_kernels(m)->invert(&dense, desk, Minv);
}

/* Row k is the answer to a unit force in k; symmetric only to rounding, so one triangle is taken. */
static zvStatus inverse_by_sweeps(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    size_t nv = (size_t)m->nv;
    zvStatus status = zv_kernels(m)->articulated_inverse(&m->tree, zv_desk_of(m, work), q, Minv);
    for (size_t i = 0; i < nv; i++) {
        for (size_t j = 0; j < i; j++) Minv[i * nv + j] = Minv[j * nv + i];
    }
    return status;
}

zvStatus zv_mass_inverse(const zvModel *m, zvWork *work, const double *q, double *Minv) {
    if (m->coupling.count) return inverse_coupled(m, work, q, Minv);
    if (m->tree.max_depth > SWEEPS_FROM) return inverse_by_sweeps(m, work, q, Minv);
    if (lean_to(m, LEAN_FACTORS_TO) && m->nv <= LEAN_FACTORS_DOFS)
        return zv_kernels(m)->lean_minv(&m->tree, zv_desk_of(m, work), q, Minv);
    mass_kernel(m)(&m->tree, zv_desk_of(m, work), q, Minv);
    return zv_kernels(m)->invert(&m->tree, zv_desk_of(m, work), Minv);
}
