/* Kernels of the dynamics: one source each, compiled for several instruction sets, listed in one table per set.
 * All work in tree coordinates (model/tree.h). fext is NULL or (6 nb + ne): force and moment about each body's origin,
 * world axes, then a force for each elastic coordinate. */
#ifndef ZI_DYNAMICS_KERNELS_H
#define ZI_DYNAMICS_KERNELS_H

#include "dynamics/elastic_force.h"
#include "real/real.h"
#include "work/scratch.h"
#include "zveno/dynamics.h"

/* What a body or an attachment does in inverse dynamics: its own axes, origin at its joint. */
typedef struct ziBodyMotion {
    real w[3], alpha[3]; /* angular velocity and acceleration */
    real a[3];           /* acceleration of the origin minus gravity */
    real R[9];           /* its axes to those of what it sits on (ziBody.base, ziAttachment.body), by columns */
    real p[3];           /* origin there */
    real f[6];           /* elastic bodies only: rate of their own momentum less gravity, about the origin */
} ziBodyMotion;

/* What the closed sweep is to achieve, all in tree coordinates and world axes. With a0 what the tree would do alone:
 *   accelerations  G a + bias = -2 feedback rate - feedback^2 gap
 *   velocities     a is a change of v:  rate + G a = 0      forces, gravity and the velocities' own forces play no part
 *   positions      a is a displacement: gap + G a = 0       likewise */
typedef enum ziConstraintLevel {
    ZI_CONSTRAINT_ACCELERATIONS,
    ZI_CONSTRAINT_VELOCITIES,
    ZI_CONSTRAINT_POSITIONS,
    ZI_CONSTRAINT_FREE
} ziConstraintLevel;

typedef struct ziConstraintTask {
    ziConstraintLevel level;   /* ZI_CONSTRAINT_FREE: G a = 0, for products with the inverse */
    const double *targets;     /* constraints x 3: value, rate, second rate; NULL: ziConstraint.target, at rest */
    const unsigned char *open; /* constraints: 1 where one asks for nothing, lambda = 0; NULL: all do */
    const double *offsets;     /* rows: gaps that count as closed; NULL: zero */
    double feedback;
    double floor; /* pivots in units of their rows (margin) below it are left out; 0: those that repeat others */
    /* answers */
    double *lambda;  /* rows of all constraints */
    int dropped;     /* conditions found redundant or singular */
    double conflict; /* the largest of their residuals that no lambda removes, in the rows' own units */
    double margin; /* the smallest pivot among the others, over A of a direction in which the masses of the constraint's
                      links move freely: the square of how well it is held; at most 1 */
    int weakest;   /* constraint that has it; -1: none */
    double measure; /* what that is to be compared with: the largest sum of absolute terms of such a row */
} ziConstraintTask;

typedef struct ziKernels {
    /* tau for q, v, a (v, a may be NULL: zero); gravity (3); motions (nb + ns), may be NULL, receives those of
     * bodies and attachments */
    void (*newton_euler)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                         const double *gravity, const real *fext, real *tau, ziBodyMotion *motions);
    /* a for tau; v may be NULL: zero */
    zvStatus (*articulated_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *tau,
                                    const double *gravity, const real *fext, real *a);
    /* fills tau or a, whichever is not given (NULL: all tau); structure, NULL for none, adds to M */
    zvStatus (*articulated_mixed)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                  const unsigned char *given, const double *gravity, const real *fext,
                                  const ziAugment *structure, real *tau, real *a);
    /* the same of a tree with constraints (t->closed); structure NULL: none; given NULL: all tau */
    zvStatus (*articulated_closed)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                   const unsigned char *given, const double *gravity, const real *fext,
                                   const ziAugment *structure, ziConstraintTask *constraints, real *tau, real *a);
    /* Minv (nv x nv): one elimination, then a pair of sweeps per column */
    zvStatus (*articulated_inverse)(const ziTree *t, ziScratch scratch, const real *q, real *Minv);
    /* X0, X1 := -M^-1 X0, -M^-1 X1 and Minv := M^-1 (nv x nv; NULL: not wanted): one elimination, then all columns
     * together, those of the inverse along their subtrees; rigid trees only */
    zvStatus (*subtrees)(const ziTree *t, ziScratch scratch, const real *q, real *X0, real *X1, real *Minv);
    void (*composite)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    /* tau and M of rigid trees (t->reduced) with no external forces; v, a NULL: zero; tau may be v or a */
    void (*reduced_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                            const double *gravity, real *tau);
    void (*reduced_mass)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    /* a for tau (NULL: zero) by factors of M: where paths to the root are short */
    zvStatus (*reduced_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *tau,
                                const double *gravity, real *a);
    /* M as packed paths (factors.h), which tree_inverse inverts */
    void (*reduced_paths)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    /* Sparse factors of M over it (n x n, only its lower triangle is read, zero outside the tree); parent as in
     * factors.h. Whether M is positive to rounding. */
    real_ok (*tree_factor)(int n, const int *parent, ziScratch scratch, real *M);
    /* Factors become the inverse of M; X := -M^-1 X for X (n x n, zero outside the tree) in the two matrices of which
     * either may be NULL. */
    void (*tree_respond)(int n, const int *parent, ziScratch scratch, real *L, real *X0, real *X1);
    /* M^-1 over packed paths of M. Whether M is positive to rounding. */
    real_ok (*tree_inverse)(int n, const int *parent, ziScratch scratch, real *M);
    /* M (nv x nv, only the lower triangle is read) := M^-1 by sparse factorisation */
    zvStatus (*invert)(const ziTree *t, ziScratch scratch, real *M);
    /* M by the published methods; rigid trees only */
    void (*yaskevich)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    void (*kosynka)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    void (*kane)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    void (*path)(const ziTree *t, ziScratch scratch, const real *q, real *M);
    /* forces at a = 0 by the same; v may be NULL: zero; rigid trees only */
    void (*yaskevich_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                           real *bias);
    void (*kane_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                      real *bias);
    void (*path_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                      real *bias);
    /* tau as newton_euler; rigid trees only */
    void (*path_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                         const double *gravity, const real *fext, real *tau);
    /* C (nv x nv) in the coordinates that the coupling leaves; v may be NULL: zero */
    void (*coriolis)(const ziTree *t, ziScratch scratch, const ziCoupling *coupling, int nv, const real *q,
                     const real *v, real *C);
} ziKernels;

/* The table of the instruction set that the model was frozen for. */
const ziKernels *zi_kernels(const zvModel *model);

/* Declarations for the set being compiled. */
extern const ziKernels ZI_KERNEL(zi_kernels);
void ZI_KERNEL(zi_newton_euler)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau, ziBodyMotion *motions);
zvStatus ZI_KERNEL(zi_articulated_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                           const real *tau, const double *gravity, const real *fext, real *a);
zvStatus ZI_KERNEL(zi_articulated_mixed)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                         const unsigned char *given, const double *gravity, const real *fext,
                                         const ziAugment *structure, real *tau, real *a);
zvStatus ZI_KERNEL(zi_articulated_closed)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                          const unsigned char *given, const double *gravity, const real *fext,
                                          const ziAugment *structure, ziConstraintTask *constraints, real *tau,
                                          real *a);
zvStatus ZI_KERNEL(zi_articulated_inverse)(const ziTree *t, ziScratch scratch, const real *q, real *Minv);
zvStatus ZI_KERNEL(zi_subtrees)(const ziTree *t, ziScratch scratch, const real *q, real *X0, real *X1, real *Minv);
void ZI_KERNEL(zi_composite)(const ziTree *t, ziScratch scratch, const real *q, real *M);
zvStatus ZI_KERNEL(zi_invert)(const ziTree *t, ziScratch scratch, real *M);
void ZI_KERNEL(zi_reduced_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                   const double *gravity, real *tau);
void ZI_KERNEL(zi_reduced_mass)(const ziTree *t, ziScratch scratch, const real *q, real *M);
zvStatus ZI_KERNEL(zi_reduced_forward)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                       const real *tau, const double *gravity, real *a);
void ZI_KERNEL(zi_reduced_paths)(const ziTree *t, ziScratch scratch, const real *q, real *M);
real_ok ZI_KERNEL(zi_tree_factor)(int n, const int *parent, ziScratch scratch, real *M);
void ZI_KERNEL(zi_tree_respond)(int n, const int *parent, ziScratch scratch, real *L, real *X0, real *X1);
real_ok ZI_KERNEL(zi_tree_inverse)(int n, const int *parent, ziScratch scratch, real *M);
void ZI_KERNEL(zi_yaskevich)(const ziTree *t, ziScratch scratch, const real *q, real *M);
void ZI_KERNEL(zi_kosynka)(const ziTree *t, ziScratch scratch, const real *q, real *M);
void ZI_KERNEL(zi_kane)(const ziTree *t, ziScratch scratch, const real *q, real *M);
void ZI_KERNEL(zi_path)(const ziTree *t, ziScratch scratch, const real *q, real *M);
void ZI_KERNEL(zi_yaskevich_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v,
                                  const double *gravity, real *bias);
void ZI_KERNEL(zi_kane_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                             real *bias);
void ZI_KERNEL(zi_path_bias)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                             real *bias);
void ZI_KERNEL(zi_path_inverse)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const real *a,
                                const double *gravity, const real *fext, real *tau);
void ZI_KERNEL(zi_coriolis)(const ziTree *t, ziScratch scratch, const ziCoupling *coupling, int nv, const real *q,
                            const real *v, real *C);

#endif
