/* The equations of motion of a small robot, M(q) a + c(q, v) + g(q) = tau, in the normal form of fourier.h. Its
 * variables are numbered as the inputs of traced.h: q, v, a. */
#ifndef ZI_CODEGEN_ANALYTIC_EQUATIONS_H
#define ZI_CODEGEN_ANALYTIC_EQUATIONS_H

#include "codegen/analytic_angles.h"
#include "codegen/fourier.h"

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

#endif
