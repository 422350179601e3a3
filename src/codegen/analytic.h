/* Equations of motion in analytic form, derived by computer as [Liu] wished: NAME.tex for reading, NAME.mac for Maxima,
 * NAME.py for SymPy. */
#ifndef ZI_CODEGEN_ANALYTIC_H
#define ZI_CODEGEN_ANALYTIC_H

#include <stdbool.h>

#include "codegen/fourier.h"
#include "codegen/letters.h"
#include "real/tape.h"
#include "zveno/codegen.h"
#include "zveno/status.h"

/* What the sines and cosines of a program are taken of: constant + sum of factor times position.
 *
 * The angles of the normal form are unit x position, with units such that all factors are whole multiples of them:
 * 1 for a joint's own angle, 1/2 where another joint follows it half way, 1/radius on a circle. Factors without a
 * common measure (of at most 16 multiples) are angles of their own. */

typedef struct ziAngle {
    int q; /* position it belongs to */
    double unit;
} ziAngle;

typedef struct ziAngles {
    int nq;
    int count;
    ziAngle *angle;
    int *row;     /* nodes of the tape: row of form, or -1 for nodes that no sine needs */
    double *form; /* rows of 1 + nq: constant and factors */
} ziAngles;

/* wanted: nodes of the tape that matter. ZV_NOT_SUPPORTED when a sine is taken of something else than angles.
 * zi_angles_free in either case. */
zvStatus zi_angles_find(const ziTape *tape, const bool *wanted, int nq, ziAngles *angles);
void zi_angles_free(ziAngles *angles);

/* The argument of a sine or cosine node: returns the constant, and the multiple of each angle. */
double zi_angles_argument(const ziAngles *angles, const ziTape *tape, int node, int *multiple);

/* The outputs of a tape as sums, with the angles found for them and the space opened; inputs are numbered below
 * `variables`, the first nq are positions. sum (count) is zeroed and to be freed in either case, as are the angles and
 * the space. */
zvStatus zi_sums_make(const ziTape *tape, int nq, int variables, int count, const ziEdge *output, ziAngles *angles,
                      ziFourierSpace *space, ziFourier *sum);

/* The equations of motion of a small robot, M(q) a + c(q, v) + g(q) = tau, in the normal form of fourier.h. Its
 * variables are numbered as the inputs of traced.h, q, v, a, and behind them those of derivation.h, the letters. */

typedef struct ziEquations {
    int nq, nv;               /* equal where there are loops: with their arc lengths (derivation.h) */
    const ziLetters *letters; /* NULL: none */
    ziAngles angles;
    ziFourierSpace space;
    ziFourier *M;             /* nv x nv, on and above the diagonal; without a */
    ziFourier *c;             /* nv: terms with v */
    ziFourier *g;             /* nv: the rest */
    size_t terms;             /* of all nv equations, a multiplied out */
    size_t greatest;          /* of one of them */
    ziFourier *passive, *dry; /* nv, or NULL: p = passive - dry sign(v) */
    ziFourier *J;             /* 6 x nv of the frame, or NULL */

    /* Loops: gap = 0, G v = 0, G a + gamma = 0, M a + c + g = tau + p + G^T lam. */
    int rows;
    ziFourier *gap, *gamma; /* rows */
    ziFourier *G;           /* rows x nv */
    ziFourier *C;           /* nv x nv: Coriolis matrix by Christoffel's symbols, c = C v */
    /* v = P v_r for the independent coordinates: entries of the dependent ones are Num/Delta. */
    int independents;
    int *independent, *dependent; /* indices; rows dependent ones */
    ziFourier Delta;              /* determinant of the dependent columns of G; no terms: not reduced */
    ziFourier *Num;               /* rows x independents */
} ziEquations;

/* output: the nv forces of inverse dynamics on the tape. ZV_SIZE when an equation has more than
 * ZV_CODEGEN_MAX_TERMS terms, ZV_NOT_SUPPORTED when the program is no such sum; error has a text.
 * zi_equations_free in either case. */
zvStatus zi_equations_make(const ziTape *tape, int nq, int nv, const ziEdge *output, ziEquations *equations,
                           zvError *error);
/* All of what the options ask for, by derivation.h. */
zvStatus zi_equations_derive(const zvModel *model, const zvCodegenOptions *options, const ziLetters *letters,
                             ziEquations *equations, zvError *error);
void zi_equations_free(ziEquations *equations);

/* Reduces the equations of loops; independent (nv of the tree) marks coordinates, or NULL: the nearest to the ground
 * that serve. Without a reduction Delta has no terms: more than three conditions, or some that repeat others.
 * ZV_SINGULAR when the loops do not leave the marked coordinates independent. */
zvStatus zi_equations_reduce(const zvModel *model, ziEquations *equations, const unsigned char *independent,
                             zvError *error);
enum { ZI_MOST_REDUCED = 3 };

/* Sums of Newton's and Euler's terms to M, c and g; frees nothing. */
zvStatus zi_equations_split(ziEquations *equations, int row, const ziFourier *sum);
/* The rate of each angle by coordinate q, for zi_fourier_derivative. */
void zi_angle_rates(const ziEquations *equations, int q, double *rate);
/* Loops: gap and rates are sums; terms of a rate without v are none (ZI_EDGE_UNKNOWN on the tape). */
zvStatus zi_equations_close(ziEquations *equations, int rows, ziFourier *gap, ziFourier *rate, const bool *has_rate);
/* Coefficients of v in a sum that is linear in it: row (nv). */
zvStatus zi_equations_row(ziEquations *equations, const ziFourier *sum, ziFourier *row);

/* The part of zv_codegen for languages other than C. Joints whose coordinates are quaternions and
 * those on splines are ZV_NOT_SUPPORTED. statements of the inverse function are the terms of all equations. */
zvStatus zi_generate_analytic(const zvModel *model, const zvCodegenOptions *options, const char *directory,
                              zvCodegenSummary *summary, zvError *error);

#endif
