/* The tables of methods for the forces at a = 0 and for inverse dynamics, and what a method is defined for. One
 * question, one signature, one row per method. */
#include "base/require.h"
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "work/coupling.h"

bool zv_domain_holds(zvDomain domain, const zvModel *m) {
    ZI_REQUIRE(m);
    return domain == ZV_DOMAIN_TREES || !m->tree.ne;
}

static zvStatus bias_newton_euler(const zvModel *m, zvWork *work, const double *q, const double *v, double *bias) {
    zv_bias(m, work, q, v, bias);
    return ZV_OK;
}

typedef void (*BiasKernel)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                           real *bias);

static zvStatus bias_by_kernel(const zvModel *m, zvWork *work, BiasKernel kernel, const double *q, const double *v,
                               double *bias) {
    if (!zv_domain_holds(ZV_DOMAIN_RIGID, m)) return ZV_NOT_SUPPORTED;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    double *tree_bias = zi_tree_vector(m, &scratch, bias);
    kernel(&m->tree, scratch, tq, tv, m->tree.gravity, tree_bias);
    zi_contract(m, tree_bias, bias);
    return ZV_OK;
}

#define PUBLISHED_BIAS(name)                                                                                      \
    static zvStatus bias_##name(const zvModel *m, zvWork *work, const double *q, const double *v, double *bias) { \
        return bias_by_kernel(m, work, zi_kernels(m)->name##_bias, q, v, bias);                                   \
    }
PUBLISHED_BIAS(yaskevich)
PUBLISHED_BIAS(kane)
PUBLISHED_BIAS(path)

static zvStatus inverse_newton_euler(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                                     const double *fext, double *tau) {
    zv_inverse_dynamics(m, work, q, v, a, fext, tau);
    return ZV_OK;
}

static zvStatus inverse_path(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                             const double *fext, double *tau) {
    if (!zv_domain_holds(ZV_DOMAIN_RIGID, m)) return ZV_NOT_SUPPORTED;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v), *ta = zi_tree_v(m, &scratch, a);
    const double *wrenches = zi_body_wrenches(m, &scratch, tq, fext);
    double *tree_tau = zi_tree_vector(m, &scratch, tau);
    zi_kernels(m)->path_inverse(&m->tree, scratch, tq, tv, ta, m->tree.gravity, wrenches, tree_tau);
    zi_contract(m, tree_tau, tau);
    return ZV_OK;
}

const zvBiasMethod *zv_bias_methods(size_t *count) {
    ZI_REQUIRE(count);
    static const zvBiasMethod rows[] = {
        {"newton-euler", bias_newton_euler, "O(n)", "recursive Newton-Euler at a = 0 (Kolyubin)", ZV_DOMAIN_TREES},
        {"yaskevich", bias_yaskevich, "O(n)", "sums of forces and moments (Yaskevich)", ZV_DOMAIN_RIGID},
        {"kane", bias_kane, "O(n depth)", "direct sum of partial velocities (Kane)", ZV_DOMAIN_RIGID},
        {"path", bias_path, "O(n depth)", "screw path matrix (Liu)", ZV_DOMAIN_RIGID},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}

const zvInverseMethod *zv_inverse_methods(size_t *count) {
    ZI_REQUIRE(count);
    static const zvInverseMethod rows[] = {
        {"newton-euler", inverse_newton_euler, "O(n)", "recursive Newton-Euler (Kolyubin)", ZV_DOMAIN_TREES},
        {"path", inverse_path, "O(n depth)", "joint wrenches by the screw path matrix (Liu)", ZV_DOMAIN_RIGID},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
