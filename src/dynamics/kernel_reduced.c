/* Dynamics of one state on the reduced robot (model/reduced.h): the recursions that lanes of states use too. */
#include "dynamics/kernel_reduced_both.h"
#include "dynamics/kernels.h"
#include "linalg/ltdl.h"

void ZI_KERNEL(zi_reduced_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                   const double *gravity, real *tau) {
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    reduced_newton_euler(&x, scratch, v, a, gravity, tau);
}

static ZI_COLD void mass_branched(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    reduced_both(&x, scratch, M);
}

void ZI_KERNEL(zi_reduced_mass)(const ziTree *t, ziScratch scratch, const real *q, real *M) {
    if (t->reduced->branched) {
        mass_branched(t, scratch, q, M);
        return;
    }
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    reduced_composite(&x, scratch, M);
    reduced_mirror(t->nv, M);
}

static inline ltdlPaths paths_of(const ziTree *t) {
    const ltdlPaths w = {t->nv, t->dof_parent, t->dof_start};
    if (!w.parent || !w.start) __builtin_unreachable(); /* so that nobody looks again */
    return w;
}

/* M a = tau - bias */
zvStatus ZI_KERNEL(zi_reduced_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                       const real *tau, const double *gravity, real *a) {
    const size_t nv = (size_t)t->nv;
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    real *M = zi_scratch_array(&scratch, real, nv * nv), *rest = zi_scratch_array(&scratch, real, nv);
    real_ok ok = 1;
    reduced_newton_euler(&x, scratch, v, NULL, gravity, rest);
    for (size_t i = 0; i < nv; i++) a[i] = (tau ? tau[i] : 0) - rest[i];
    reduced_composite(&x, scratch, M);
    ltdl_factor(paths_of(t), M, rest, &ok);
    ltdl_solve(paths_of(t), M, a);
    return ok ? ZV_OK : ZV_SINGULAR;
}

zvStatus ZI_KERNEL(zi_reduced_minv)(const ziTree *t, ziScratch scratch, const real *q, real *Minv) {
    const Placed x = reduced_place(t, t->reduced->numbers, &scratch, q);
    real_stage();
    real *rest = zi_scratch_array(&scratch, real, t->nv);
    real_ok ok = 1;
    reduced_composite(&x, scratch, Minv);
    ltdl_factor(paths_of(t), Minv, rest, &ok);
    ltdl_invert(paths_of(t), Minv, rest);
    reduced_mirror(t->nv, Minv);
    return ok ? ZV_OK : ZV_SINGULAR;
}
