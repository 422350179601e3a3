/* A sum as it is read: terms with one sine or cosine together, whole-number ratios in front of brackets:
 *   -0.4 sin(q2) (2 v1 v2 + v2^2) */
#ifndef ZI_CODEGEN_ANALYTIC_PRINT_H
#define ZI_CODEGEN_ANALYTIC_PRINT_H

#include "codegen/analytic.h"
#include "codegen/code.h"
#include "zveno/model.h"

/* How a language writes; @ stands for a number. */
typedef struct ziStyle {
    const char *times;     /* between factors */
    const char *turn[2];   /* cosine and sine with an opening bracket */
    const char *broken;    /* ends a line between terms and begins the next */
    int line;              /* terms on a line */
    int digits;            /* of a number, unless fewer give the same but for rounding */
    const char *ten;       /* times ten to the power @ */
    const char *symbol[3]; /* q, v, a of coordinate @ */
    const char *power;
} ziStyle;

typedef struct ziPen {
    ziCode *code;
    const ziStyle *style;
    int on_line;  /* terms written on this line */
    bool follows; /* a term stands before: the next one is joined to it by its sign */
} ziPen;

/* kind 0, 1, 2: q, v, a; i counts from 0. */
void zi_write_symbol(ziPen *pen, int kind, int i, int power);
/* The terms of a sum, joined to what stands before; nothing when there are none. */
void zi_write_sum(ziPen *pen, const ziEquations *equations, const ziFourier *sum);
/* The same times a symbol. */
void zi_write_sum_times(ziPen *pen, const ziEquations *equations, const ziFourier *sum, int kind, int i);
/* A sum that stands alone: "0" when it has no terms. */
void zi_write_alone(ziPen *pen, const ziEquations *equations, const ziFourier *sum);

/* Equations of motion as a small document for LaTeX. */

/* A page for reading: coefficients have six digits. */
void zi_print_latex(ziCode *code, const zvModel *model, const ziEquations *equations);

/* Equations of motion as a file that Maxima loads. */

/* Symbols q1, v1, a1, ...; assigns M, c, g and tau. */
void zi_print_maxima(ziCode *code, const zvModel *model, const ziEquations *equations);

#endif
