/* Inverse of the mass matrix through its sparse factors: best for short paths to the root. */
#include "dynamics/kernels.h"
#include "linalg/ltdl.h"

zvStatus ZI_KERNEL(zi_invert)(const ziTree *t, ziScratch scratch, real *M) {
    const ltdlPaths paths = {t->nv, t->dof_parent, t->dof_start};
    real *row = zi_scratch_array(&scratch, real, t->nv);
    real_ok ok = 1;
    ltdl_factor(paths, M, row, &ok);
    if (!ok) return ZV_SINGULAR;
    ltdl_invert_long(paths, M, row);
    return ZV_OK;
}
