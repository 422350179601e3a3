/* The table of methods for forward dynamics: separate bodies, or a mass matrix by any method and its factors. */
#include "base/require.h"
#include "dynamics/mass.h"
#include "linalg/ltl.h"

/* M a = tau + external - bias with M by one of its methods; its factors keep the zeros of branches. Coupled mimic
 * joints spoil these zeros: dense factors of the contracted matrix. */
static zvStatus forward_by(zvMassFunction mass, const zvModel *m, zvWork *work, const double *q, const double *v,
                           const double *tau, const double *fext, double *a) {
    if (m->tree.nv > ZI_SCRATCH_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    zvWork below = *work;
    double *M = zi_scratch_doubles(&below.scratch, (size_t)m->nv * (size_t)m->nv);
    int *parent = zi_scratch_array(&below.scratch, int, m->nv);
    double *x = zi_scratch_doubles(&below.scratch, (size_t)m->nv),
           *scratch = zi_scratch_doubles(&below.scratch, (size_t)m->nv);
    const zvStatus status = mass(m, &below, q, M);
    if (status != ZV_OK) return status;
    zv_inverse_dynamics(m, &below, q, v, NULL, fext, x);
    for (int i = 0; i < m->nv; i++) {
        parent[i] = m->coupling.count ? i - 1 : m->tree.dof_parent[i];
        x[i] = (tau ? tau[i] : 0) - x[i];
    }
    if (!ltl_factor(m->nv, parent, M, scratch)) return ZV_SINGULAR;
    ltl_solve(m->nv, parent, M, x);
    for (int i = 0; i < m->nv; i++) a[i] = x[i];
    return ZV_OK;
}

#define FORWARD_BY(method)                                                                             \
    static zvStatus forward_##method(const zvModel *m, zvWork *work, const double *q, const double *v, \
                                     const double *tau, const double *fext, double *a) {               \
        return forward_by(zi_mass_##method, m, work, q, v, tau, fext, a);                              \
    }
FORWARD_BY(composite)
FORWARD_BY(yaskevich)
FORWARD_BY(kosynka)
FORWARD_BY(kane)
FORWARD_BY(columns)
FORWARD_BY(path)

const zvForwardMethod *zv_forward_methods(size_t *count) {
    ZI_REQUIRE(count);
    static const char factors[] = "O(n^2 depth)"; /* whole rows are taken: fast, and no dearer than a dense matrix */
    static const zvForwardMethod rows[] = {
        {"articulated", zv_forward_dynamics, "O(n)", "separate bodies (Vereshchagin)", ZV_DOMAIN_TREES},
        {"mass", forward_composite, factors, "mass matrix and sparse factors", ZV_DOMAIN_TREES},
        {"columns", forward_columns, factors, "forces and columns of M by Newton-Euler (Kolyubin)", ZV_DOMAIN_TREES},
        {"mass-yaskevich", forward_yaskevich, factors, "mass matrix by yaskevich", ZV_DOMAIN_RIGID},
        {"mass-kosynka", forward_kosynka, factors, "mass matrix by kosynka", ZV_DOMAIN_RIGID},
        {"mass-kane", forward_kane, factors, "mass matrix by kane", ZV_DOMAIN_RIGID},
        {"mass-path", forward_path, factors, "mass matrix by path", ZV_DOMAIN_RIGID},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
