/* Equations of motion in analytic form, derived by computer as [Liu] wished: NAME.tex for reading, NAME.mac for Maxima.
 */
#ifndef ZI_CODEGEN_ANALYTIC_H
#define ZI_CODEGEN_ANALYTIC_H

#include <stdbool.h>

#include "codegen/fourier.h"
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

/* The equations of motion of a small robot, M(q) a + c(q, v) + g(q) = tau, in the normal form of fourier.h. Its
 * variables are numbered as the inputs of traced.h: q, v, a. */

typedef struct ziEquations {
    int nq, nv;
    ziAngles angles;
    ziFourierSpace space;
    ziFourier *M;    /* nv x nv, on and above the diagonal; without a */
    ziFourier *c;    /* nv: terms with v */
    ziFourier *g;    /* nv: the rest */
    size_t terms;    /* of all nv equations, a multiplied out */
    size_t greatest; /* of one of them */
} ziEquations;

/* output: the nv forces of inverse dynamics on the tape. ZV_SIZE when an equation has more than
 * ZV_GENERATE_MAX_TERMS terms, ZV_NOT_SUPPORTED when the program is no such sum; error has a text.
 * zi_equations_free in either case. */
zvStatus zi_equations_make(const ziTape *tape, int nq, int nv, const ziEdge *output, ziEquations *equations,
                           zvError *error);
void zi_equations_free(ziEquations *equations);

/* The part of zv_generate for ZV_LANGUAGE_LATEX and ZV_LANGUAGE_MAXIMA. Joints whose coordinates are quaternions and
 * those on splines are ZV_NOT_SUPPORTED. statements of the inverse function are the terms of all equations. */
zvStatus zi_generate_analytic(const zvModel *model, const zvGenerateOptions *options, const char *directory,
                              zvGenerateSummary *summary, zvError *error);

#endif
