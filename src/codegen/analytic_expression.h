/* A sum as it is read: terms with one sine or cosine together, whole-number ratios in front of brackets:
 *   -0.4 sin(q2) (2 v1 v2 + v2^2) */
#ifndef ZV_CODEGEN_ANALYTIC_EXPRESSION_H
#define ZV_CODEGEN_ANALYTIC_EXPRESSION_H

#include "codegen/analytic_equations.h"
#include "codegen/emit_text.h"

/* How a language writes; @ stands for a number. */
typedef struct zvStyle {
    const char *times;     /* between factors */
    const char *turn[2];   /* cosine and sine with an opening bracket */
    const char *broken;    /* ends a line between terms and begins the next */
    int line;              /* terms on a line */
    int digits;            /* of a number, unless fewer give the same but for rounding */
    const char *ten;       /* times ten to the power @ */
    const char *symbol[3]; /* q, v, a of coordinate @ */
    const char *power;
} zvStyle;

typedef struct zvPen {
    zvCodeText *text;
    const zvStyle *style;
    int on_line;  /* terms written on this line */
    bool follows; /* a term stands before: the next one is joined to it by its sign */
} zvPen;

/* kind 0, 1, 2: q, v, a; i counts from 0. */
void zv_write_symbol(zvPen *pen, int kind, int i, int power);
/* The terms of a sum, joined to what stands before; nothing when there are none. */
void zv_write_sum(zvPen *pen, const zvEquations *equations, const zvFourier *sum);
/* The same times a symbol. */
void zv_write_sum_times(zvPen *pen, const zvEquations *equations, const zvFourier *sum, int kind, int i);
/* A sum that stands alone: "0" when it has no terms. */
void zv_write_alone(zvPen *pen, const zvEquations *equations, const zvFourier *sum);

#endif
