/* The equations of motion of a small robot, M(q) a + c(q, v) + g(q) = tau, in the normal form of fourier.h. Its
 * variables are numbered as the inputs of traced.h: q, v, a. */
#ifndef ZV_CODEGEN_ANALYTIC_EQUATIONS_H
#define ZV_CODEGEN_ANALYTIC_EQUATIONS_H

#include "codegen/analytic_angles.h"
#include "codegen/fourier.h"

typedef struct zvEquations {
    int nq, nv;
    zvAngles angles;
    zvFourierSpace space;
    zvFourier *M;    /* nv x nv, on and above the diagonal; without a */
    zvFourier *c;    /* nv: terms with v */
    zvFourier *g;    /* nv: the rest */
    size_t terms;    /* of all nv equations, a multiplied out */
    size_t greatest; /* of one of them */
} zvEquations;

/* output: the nv forces of inverse dynamics on the tape. ZV_SIZE when an equation has more than
 * ZV_GENERATE_MAX_TERMS terms, ZV_NOT_SUPPORTED when the program is no such sum; error has a text.
 * zv_equations_free in either case. */
zvStatus zv_equations_make(const zvTape *tape, int nq, int nv, const zvEdge *output, zvEquations *equations,
                           zvError *error);
void zv_equations_free(zvEquations *equations);

#endif
