/* Kernels of the dynamics: one text, compiled for several instruction sets, listed in one table per set.
 * All work in tree coordinates (model/tree.h). fext is NULL or (6 nb + ne): force and moment about each body's origin,
 * world axes, then a force for each elastic coordinate. */
#ifndef ZV_DYNAMICS_KERNELS_H
#define ZV_DYNAMICS_KERNELS_H

#include "dynamics/elastic_force.h"
#include "real/real.h"
#include "work/desk.h"
#include "zveno/dynamics.h"

/* What a body or a station does in inverse dynamics: its own axes, origin at its joint. */
typedef struct zvBodyMotion {
    real w[3], alpha[3]; /* angular velocity and acceleration */
    real a[3];           /* acceleration of the origin minus gravity */
    real R[9];           /* its axes to those of what it sits on (zvBody.base, zvStation.body), by columns */
    real p[3];           /* origin there */
    real f[6];           /* elastic bodies only: rate of their own momentum less gravity, about the origin */
} zvBodyMotion;

/* What the closed sweep is to achieve, all in tree coordinates and world axes. With a0 what the tree would do alone:
 *   accelerations  G a + bias = -2 feedback rate - feedback^2 gap
 *   velocities     a is a change of v:  rate + G a = 0      forces, gravity and the velocities' own forces play no part
 *   positions      a is a displacement: gap + G a = 0       likewise */
typedef enum zvTieLevel { ZV_TIE_ACCELERATIONS, ZV_TIE_VELOCITIES, ZV_TIE_POSITIONS, ZV_TIE_FREE } zvTieLevel;

typedef struct zvTying {
    zvTieLevel level;      /* ZV_TIE_FREE: G a = 0, for products with the inverse */
    const double *targets; /* ties x 3: value, rate, second rate; NULL: zvTie.target, at rest */
    double feedback;
    double floor; /* pivots below it are left out; 0: 1e-11 */
    /* answers */
    double *lambda;  /* rows of all ties */
    int dropped;     /* conditions found redundant or singular */
    double conflict; /* the largest of their residuals that no lambda removes, in the rows' own units */
    double margin;  /* the smallest pivot among the others, of the rows scaled to unit size: near a singular position; 1
                       when all are above 1e-4 */
    double measure; /* what that is to be compared with: the largest sum of absolute terms of such a row */
} zvTying;

typedef struct zvKernels {
    /* tau for q, v, a (v, a may be NULL: zero); gravity (3); motions (nb + ns), may be NULL, receives those of
     * bodies and stations */
    void (*newton_euler)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                         const double *gravity, const real *fext, real *tau, zvBodyMotion *motions);
    /* a for tau; v may be NULL: zero */
    zvStatus (*articulated_forward)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *tau,
                                    const double *gravity, const real *fext, real *a);
    /* fills tau or a, whichever is not given (NULL: all tau); structure, NULL for none, adds to M */
    zvStatus (*articulated_mixed)(const zvTree *t, zvDesk desk, const real *q, const real *v,
                                  const unsigned char *given, const double *gravity, const real *fext,
                                  const zvAugment *structure, real *tau, real *a);
    /* the same of a tree with ties (t->closed); structure NULL: none; given NULL: all tau */
    zvStatus (*articulated_closed)(const zvTree *t, zvDesk desk, const real *q, const real *v,
                                   const unsigned char *given, const double *gravity, const real *fext,
                                   const zvAugment *structure, zvTying *ties, real *tau, real *a);
    /* Minv (nv x nv): one elimination, then a pair of sweeps per column */
    zvStatus (*articulated_inverse)(const zvTree *t, zvDesk desk, const real *q, real *Minv);
    void (*composite)(const zvTree *t, zvDesk desk, const real *q, real *M);
    /* tau and M of rigid trees (t->lean) with no external forces; v, a NULL: zero; tau may be v or a */
    void (*lean_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                         const double *gravity, real *tau);
    void (*lean_mass)(const zvTree *t, zvDesk desk, const real *q, real *M);
    /* a for tau (NULL: zero) and M^-1, by factors of M: where paths to the root are short */
    zvStatus (*lean_forward)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *tau,
                             const double *gravity, real *a);
    zvStatus (*lean_minv)(const zvTree *t, zvDesk desk, const real *q, real *Minv);
    /* M (nv x nv, only the lower triangle is read) := M^-1 by sparse factorisation */
    zvStatus (*invert)(const zvTree *t, zvDesk desk, real *M);
    /* M by the published methods; rigid trees only */
    void (*yaskevich)(const zvTree *t, zvDesk desk, const real *q, real *M);
    void (*kosynka)(const zvTree *t, zvDesk desk, const real *q, real *M);
    void (*kane)(const zvTree *t, zvDesk desk, const real *q, real *M);
    void (*path)(const zvTree *t, zvDesk desk, const real *q, real *M);
    /* forces at a = 0 by the same; v may be NULL: zero; rigid trees only */
    void (*yaskevich_bias)(const zvTree *t, zvDesk desk, const real *q, const real *v, const double *gravity,
                           real *bias);
    void (*kane_bias)(const zvTree *t, zvDesk desk, const real *q, const real *v, const double *gravity, real *bias);
    void (*path_bias)(const zvTree *t, zvDesk desk, const real *q, const real *v, const double *gravity, real *bias);
    /* tau as newton_euler; rigid trees only */
    void (*path_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                         const double *gravity, const real *fext, real *tau);
    /* C (nv x nv) in the coordinates that the coupling leaves; v may be NULL: zero */
    void (*coriolis)(const zvTree *t, zvDesk desk, const zvCoupling *coupling, int nv, const real *q, const real *v,
                     real *C);
} zvKernels;

/* The table of the instruction set that the model was frozen for. */
const zvKernels *zv_kernels(const zvModel *model);

/* Declarations for the set being compiled. */
extern const zvKernels ZV_KERNEL(zv_kernels);
void ZV_KERNEL(zv_newton_euler)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau, zvBodyMotion *motions);
zvStatus ZV_KERNEL(zv_articulated_forward)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *tau,
                                           const double *gravity, const real *fext, real *a);
zvStatus ZV_KERNEL(zv_articulated_mixed)(const zvTree *t, zvDesk desk, const real *q, const real *v,
                                         const unsigned char *given, const double *gravity, const real *fext,
                                         const zvAugment *structure, real *tau, real *a);
zvStatus ZV_KERNEL(zv_articulated_closed)(const zvTree *t, zvDesk desk, const real *q, const real *v,
                                          const unsigned char *given, const double *gravity, const real *fext,
                                          const zvAugment *structure, zvTying *ties, real *tau, real *a);
zvStatus ZV_KERNEL(zv_articulated_inverse)(const zvTree *t, zvDesk desk, const real *q, real *Minv);
void ZV_KERNEL(zv_composite)(const zvTree *t, zvDesk desk, const real *q, real *M);
zvStatus ZV_KERNEL(zv_invert)(const zvTree *t, zvDesk desk, real *M);
void ZV_KERNEL(zv_lean_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                                const double *gravity, real *tau);
void ZV_KERNEL(zv_lean_mass)(const zvTree *t, zvDesk desk, const real *q, real *M);
zvStatus ZV_KERNEL(zv_lean_forward)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *tau,
                                    const double *gravity, real *a);
zvStatus ZV_KERNEL(zv_lean_minv)(const zvTree *t, zvDesk desk, const real *q, real *Minv);
void ZV_KERNEL(zv_yaskevich)(const zvTree *t, zvDesk desk, const real *q, real *M);
void ZV_KERNEL(zv_kosynka)(const zvTree *t, zvDesk desk, const real *q, real *M);
void ZV_KERNEL(zv_kane)(const zvTree *t, zvDesk desk, const real *q, real *M);
void ZV_KERNEL(zv_path)(const zvTree *t, zvDesk desk, const real *q, real *M);
void ZV_KERNEL(zv_yaskevich_bias)(const zvTree *t, zvDesk desk, const real *q, const real *v, const double *gravity,
                                  real *bias);
void ZV_KERNEL(zv_kane_bias)(const zvTree *t, zvDesk desk, const real *q, const real *v, const double *gravity,
                             real *bias);
void ZV_KERNEL(zv_path_bias)(const zvTree *t, zvDesk desk, const real *q, const real *v, const double *gravity,
                             real *bias);
void ZV_KERNEL(zv_path_inverse)(const zvTree *t, zvDesk desk, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau);
void ZV_KERNEL(zv_coriolis)(const zvTree *t, zvDesk desk, const zvCoupling *coupling, int nv, const real *q,
                            const real *v, real *C);

#endif
