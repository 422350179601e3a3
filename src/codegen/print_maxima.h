/* Equations of motion as a file that Maxima loads. */
#ifndef ZV_CODEGEN_PRINT_MAXIMA_H
#define ZV_CODEGEN_PRINT_MAXIMA_H

#include "codegen/analytic_equations.h"
#include "codegen/emit_text.h"
#include "zveno/model.h"

/* Symbols q1, v1, a1, ...; assigns M, c, g and tau. */
void zv_print_maxima(zvCodeText *text, const zvModel *model, const zvEquations *equations);

#endif
