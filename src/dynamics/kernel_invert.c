/* Inverse of the mass matrix through its sparse factors: best for short paths to the root. */
#include "dynamics/kernels.h"
#include "linalg/ltl.h"

zvStatus ZI_KERNEL(zi_invert)(const ziTree *t, ziScratch scratch, real *M) {
    real *row = zi_scratch_array(&scratch, real, t->nv);
    if (!ltl_factor(t->nv, t->dof_parent, M, row)) return ZV_SINGULAR;
    ltl_inverse(t->nv, t->dof_parent, M, row);
    return ZV_OK;
}
