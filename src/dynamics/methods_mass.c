/* The table of methods for the mass matrix. */
#include "base/require.h"
#include "dynamics/mass.h"

zvStatus zi_mass_composite(const zvModel *m, zvWork *work, const double *q, double *M) {
    zv_mass_matrix(m, work, q, M);
    return ZV_OK;
}

zvStatus zi_mass_columns(const zvModel *m, zvWork *work, const double *q, double *M) {
    zi_mass_by_columns(m, work, q, M);
    return ZV_OK;
}

/* Published methods are kernels of rigid trees. */
#define PUBLISHED_MASS(name)                                                              \
    zvStatus zi_mass_##name(const zvModel *m, zvWork *work, const double *q, double *M) { \
        if (!zv_domain_holds(ZV_DOMAIN_RIGID, m)) return ZV_NOT_SUPPORTED;                \
        return zi_mass_by_kernel(m, work, zi_kernels(m)->name, q, M);                     \
    }
PUBLISHED_MASS(yaskevich)
PUBLISHED_MASS(kosynka)
PUBLISHED_MASS(kane)
PUBLISHED_MASS(path)

const zvMassMethod *zv_mass_methods(size_t *count) {
    ZI_REQUIRE(count);
    static const zvMassMethod rows[] = {
        {"composite", zi_mass_composite, "O(n depth)", "composite bodies (Stepanenko)", ZV_DOMAIN_TREES},
        {"yaskevich", zi_mass_yaskevich, "O(n depth)", "recursive sums over bodies (Yaskevich)", ZV_DOMAIN_RIGID},
        {"kosynka", zi_mass_kosynka, "O(n depth^2)", "block-triangular matrices (Yaskevich)", ZV_DOMAIN_RIGID},
        {"kane", zi_mass_kane, "O(n depth^2)", "direct sum of partial velocities (Kane)", ZV_DOMAIN_RIGID},
        {"columns", zi_mass_columns, "O(n^2)", "unit accelerations in Newton-Euler (Kolyubin)", ZV_DOMAIN_TREES},
        {"path", zi_mass_path, "O(n depth^2)", "screw path matrix (Liu)", ZV_DOMAIN_RIGID},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
