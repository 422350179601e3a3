/* Inverse of the mass matrix through its sparse factors: best for short paths to the root. */
#include "dynamics/kernels.h"
#include "linalg/ltl.h"

zvStatus ZV_KERNEL(zv_invert)(const zvTree *t, zvDesk desk, double *M) {
    double *scratch = zv_desk_doubles(&desk, t->nv);
    if (!ltl_factor(t->nv, t->dof_parent, M, scratch)) return ZV_SINGULAR;
    ltl_inverse(t->nv, t->dof_parent, M, scratch);
    return ZV_OK;
}
