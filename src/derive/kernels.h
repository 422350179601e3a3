/* Kernels of the derivatives: one table per instruction set. Tree coordinates, rigid trees; docs/derivatives.md has the
 * formulas. */
#ifndef ZV_DERIVE_KERNELS_H
#define ZV_DERIVE_KERNELS_H

#include "model/tree.h"
#include "real/real.h"
#include "work/desk.h"
#include "zveno/derive.h"

/* What acts on bodies from outside, constant in the world's axes, at their origins. */
typedef struct zvLoads {
    const real *wrench; /* nb x 6: force, moment; NULL: nothing acts, nor is `sway` read */
    const real *sway;   /* nb x 9, by columns: K of eq. (14), the moment that a turn of the body takes from them */
} zvLoads;

typedef struct zvDeriveKernels {
    /* dq, dv, da (nv x nv): derivatives of tau; each may be NULL. v and a may be NULL: zero. */
    void (*inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a, const double *gravity,
                    zvLoads loads, real *dq, real *dv, real *da);
    /* M (n x n, only its lower triangle is read, zero outside the tree) becomes its inverse; X := -M^-1 X for X (n x n)
     * in the two matrices of which either may be NULL. parent as in linalg/ltl.h. */
    zvStatus (*respond)(int n, const int *parent, zvDesk desk, real *M, real *X0, real *X1);
} zvDeriveKernels;

const zvDeriveKernels *zv_derive_kernels(const zvModel *model);

extern const zvDeriveKernels ZV_KERNEL(zv_derive_kernels);
void ZV_KERNEL(zv_derive_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                                  const double *gravity, zvLoads loads, real *dq, real *dv, real *da);
zvStatus ZV_KERNEL(zv_derive_respond)(int n, const int *parent, zvDesk desk, real *M, real *X0, real *X1);

#endif
