/* The tables of methods: one question, one signature, one row per method. */
#include "dynamics/kernels.h"
#include "dynamics/mass.h"
#include "linalg/ltl.h"
#include "work/coupling.h"

static zvStatus mass_composite(const zvModel *m, zvWork *work, const double *q, double *M) {
    zv_mass_matrix(m, work, q, M);
    return ZV_OK;
}

static zvStatus mass_columns(const zvModel *m, zvWork *work, const double *q, double *M) {
    zv_mass_by_columns(m, work, q, M);
    return ZV_OK;
}

/* M a = tau + external - bias by factors of the mass matrix. */
static zvStatus forward_mass(const zvModel *m, zvWork *work, const double *q, const double *v, const double *tau,
                             const double *fext, double *a) {
    if (m->tree.nv > ZV_DESK_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    zvWork below = *work;
    double *M = zv_desk_doubles(&below.desk, (size_t)m->nv * (size_t)m->nv);
    int *parent = zv_desk_take(&below.desk, (size_t)m->nv * sizeof *parent);
    double *x = zv_desk_doubles(&below.desk, m->nv), *scratch = zv_desk_doubles(&below.desk, m->nv);
    zv_inverse_dynamics(m, &below, q, v, NULL, fext, x);
    zv_mass_matrix(m, &below, q, M);
    for (int i = 0; i < m->nv; i++) {
        parent[i] = m->coupling.count ? i - 1 : m->tree.dof_parent[i];
        x[i] = (tau ? tau[i] : 0) - x[i];
    }
    if (!ltl_factor(m->nv, parent, M, scratch)) return ZV_SINGULAR;
    ltl_solve(m->nv, parent, M, x);
    for (int i = 0; i < m->nv; i++) a[i] = x[i];
    return ZV_OK;
}

const zvMassMethod *zv_mass_methods(size_t *count) {
    static const zvMassMethod rows[] = {
        {"composite", mass_composite, "O(n depth)", "composite bodies (Stepanenko)"},
        {"columns", mass_columns, "O(n^2)", "unit accelerations in Newton-Euler (Kolyubin)"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}

const zvForwardMethod *zv_forward_methods(size_t *count) {
    static const zvForwardMethod rows[] = {
        {"articulated", zv_forward_dynamics, "O(n)", "separate bodies (Vereshchagin)"},
        {"mass", forward_mass, "O(n^2 depth)", "mass matrix and sparse factors"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
