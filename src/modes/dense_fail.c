#include "modes/dense.h"

zvStatus zi_dense_fail(zvStatus status, zvError *error) {
    const zvMark none = {0};
    switch (status) {
    case ZV_OK: return ZV_OK;
    case ZV_MEMORY: return zv_fail(error, status, none, "", "out of memory");
    case ZV_NOT_SUPPORTED:
        return zv_fail(error, status, none, "",
                       "this build has no LAPACK, which modes and equilibria need; build with -DZVENO_LAPACK=ON");
    case ZV_NUMBER:
        return zv_fail(error, status, none, "",
                       "mass or stiffness is not finite; are the numbers of the state sensible?");
    case ZV_SINGULAR:
        return zv_fail(error, status, none, "",
                       "the mass matrix is singular: a part without inertia can move freely; give its link mass and "
                       "inertia, or its joint an armature, or hold it");
    default:
        return zv_fail(error, status, none, "",
                       "LAPACK did not find the eigenvalues; the numbers of the model may be too far apart");
    }
}
