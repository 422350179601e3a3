/* The dense side of closed loops: dependent and independent velocities, multipliers from forces. Model coordinates. */
#ifndef ZI_LOOPS_REDUCTION_H
#define ZI_LOOPS_REDUCTION_H

#include "work/scratch.h"
#include "zveno/loops.h"

/* Conditions whose pivot (rows of G brought to one scale) is below this repeat others. */
#define ZI_REDUCTION_FLOOR 1e-9

/* Whether scratch memory has room for dense matrices of this model's loops. */
bool zi_fits_dense(const zvModel *model);

/* What the rows of loops are multiplied by (rows) to be turns: conditions on lengths are compared with the size of the
 * robot, couplings with their largest term. */
void zi_row_units(const zvModel *model, zvWork *work, const double *q, double *unit);
/* How many turns a unit of velocity i may make: 1, or 1 / size of the robot for a length. */
double zi_velocity_reach(const zvModel *model, int i);
/* The largest rate of the joints that loops run through, lengths in sizes of the robot, 1/s. */
double zi_swiftest_joint(const zvModel *model, const double *v);

/* The rows of zv_loop_jacobian times their units, zeros where entries are rounding: of a door with two hinges nothing
 * is left. */
int zi_closed_rows(const zvModel *model, const zvClosing *closing);
void zi_dense_jacobian(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, double *G,
                       double *unit);

/* lambda (rows) with G^T lambda = forces, of least norm; forces (nv) are spent, those that no lambda gives are left
 * out. ZV_DEGRADED when conditions repeat each other. */
zvStatus zi_least_multipliers(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                              double *forces, double *lambda);

/* x (n) := D^-1 x for D (n x n) symmetric, which becomes its factor; scratch is (n). */
zvStatus zi_solve_reduced(int n, double *D, double *scratch, double *x);

/* Y (n x m) := P^T X with P (nv x n), X (nv x m) */
void zi_project_columns(int nv, int n, const double *P, int m, const double *X, double *Y);
/* Y (rows x m) := A (rows x inner) X (inner x m) */
void zi_multiply(int rows, int inner, const double *A, int m, const double *X, double *Y);

struct zvReduction {
    int nv, rows, n, rank;
    bool chosen, switched;
    int *independent;        /* n, rising */
    int *taken;              /* nv: the row of E that gives a dependent velocity, -1: independent */
    unsigned char *kinds;    /* nv: for elimination */
    unsigned char *depended; /* nv: 1 for those that were dependent at the last call */
    double *P, *Pdot;        /* nv x n */
    double *gamma, *along;   /* nv */
    double *D, *C, *G;       /* n x n, n x n, n */
    double *E;               /* rows x (nv + rows): G reduced, and what reduced it */
    double *square, *thin;   /* nv x nv, 2 nv x nv: scratch */
    double *bias, *spare;    /* rows, 6 nv + 2 rows: scratch */
    void *block;
};

/* [Kolyubin] 3.3: the second row of zv_closed_methods. */
zvStatus zi_partition_dynamics(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                               const double *v, const double *tau, const double *fext, double *a, double *lambda);

#endif
