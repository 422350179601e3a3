/* Kernels of the derivatives: one table per instruction set. Tree coordinates, rigid trees; docs/derivatives.md has the
 * formulas. */
#ifndef ZI_DERIVE_KERNELS_H
#define ZI_DERIVE_KERNELS_H

#include "dynamics/factors.h"
#include "model/tree.h"
#include "real/real.h"
#include "work/scratch.h"
#include "zveno/derive.h"

/* What acts on bodies from outside, constant in the world's axes, at their origins. */
typedef struct ziLoads {
    const real *wrench; /* nb x 6: force, moment; NULL: nothing acts, nor is `sway` read */
    const real *sway;   /* nb x 9, by columns: K of eq. (14), the moment that a turn of the body takes from them */
} ziLoads;

/* Whether accelerations are solved for apart and not with the derivatives: on paths longer than this, where sweeps take
 * less than factors (arms meet at 41, chains at 39; docs/derivatives.md) and are more exact, and where coupled joints
 * spoil the tree's zeros. */
enum { ZI_DERIVED_APART_FROM = 40 };
/* Responses by sweeps, too. */
static inline bool zi_derived_by_sweeps(const zvModel *model) {
    return !model->coupling.count && model->tree.max_depth > ZI_DERIVED_APART_FROM;
}
static inline bool zi_derived_apart(const zvModel *model) {
    return model->coupling.count || zi_derived_by_sweeps(model);
}

typedef struct ziDeriveKernels {
    /* dq, dv, da (nv x nv): derivatives of tau; each may be NULL. v and a may be NULL: zero. */
    void (*inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                    const double *gravity, ziLoads loads, real *dq, real *dv, real *da);
    /* The acceleration a that tau makes, dq and dv of `inverse` at that a, and the factors of M: what tree_respond
     * (dynamics/kernels.h) needs. v, tau, dq, dv may be NULL. Whether M is positive to rounding. */
    real_ok (*forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *tau,
                       const double *gravity, ziLoads loads, real *a, real *dq, real *dv, real *L);
} ziDeriveKernels;

const ziDeriveKernels *zi_derive_kernels(const zvModel *model);

extern const ziDeriveKernels ZI_KERNEL(zi_derive_kernels);
void ZI_KERNEL(zi_derive_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                  const double *gravity, ziLoads loads, real *dq, real *dv, real *da);
real_ok ZI_KERNEL(zi_derive_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *tau,
                                     const double *gravity, ziLoads loads, real *a, real *dq, real *dv, real *L);

#endif
