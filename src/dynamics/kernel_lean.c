/* Dynamics of one state on the lean robot (model/lean.h): the texts that lanes of states go through too. */
#include "dynamics/kernel_lean_both.h"
#include "dynamics/kernels.h"
#include "linalg/ltdl.h"

void ZV_KERNEL(zv_lean_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                                const double *gravity, real *tau) {
    const Placed x = lean_place(t, t->lean->numbers, &desk, q);
    lean_newton_euler(&x, desk, v, a, gravity, tau);
}

static ZV_COLD void mass_branched(const zvTree *t, zvDesk desk, const real *q, real *M) {
    const Placed x = lean_place(t, t->lean->numbers, &desk, q);
    lean_both(&x, desk, M);
}

void ZV_KERNEL(zv_lean_mass)(const zvTree *t, zvDesk desk, const real *q, real *M) {
    if (t->lean->branched) {
        mass_branched(t, desk, q, M);
        return;
    }
    const Placed x = lean_place(t, t->lean->numbers, &desk, q);
    lean_composite(&x, desk, M);
    lean_mirror(t->nv, M);
}

static inline ltdlWays ways_of(const zvTree *t) {
    const ltdlWays w = {t->nv, t->dof_parent, t->dof_start};
    return w;
}

/* M a = tau - bias */
zvStatus ZV_KERNEL(zv_lean_forward)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *tau,
                                    const double *gravity, real *a) {
    const size_t nv = (size_t)t->nv;
    const Placed x = lean_place(t, t->lean->numbers, &desk, q);
    real *M = zv_desk_array(&desk, real, nv * nv), *rest = zv_desk_array(&desk, real, nv);
    verdict sound = 1;
    lean_newton_euler(&x, desk, v, NULL, gravity, rest);
    for (size_t i = 0; i < nv; i++) a[i] = (tau ? tau[i] : 0) - rest[i];
    lean_composite(&x, desk, M);
    ltdl_factor(ways_of(t), (sided *)M, (sided *)rest, &sound);
    ltdl_solve(ways_of(t), (sided *)M, (sided *)a);
    return sound ? ZV_OK : ZV_SINGULAR;
}

zvStatus ZV_KERNEL(zv_lean_minv)(const zvTree *t, zvDesk desk, const real *q, real *Minv) {
    const Placed x = lean_place(t, t->lean->numbers, &desk, q);
    sided *rest = zv_desk_array(&desk, sided, t->nv);
    verdict sound = 1;
    lean_composite(&x, desk, Minv);
    ltdl_factor(ways_of(t), (sided *)Minv, rest, &sound);
    ltdl_invert(ways_of(t), (sided *)Minv, rest);
    lean_mirror(t->nv, Minv);
    return sound ? ZV_OK : ZV_SINGULAR;
}
