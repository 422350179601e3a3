/* Equations of motion as a file that Maxima loads. */
#ifndef ZI_CODEGEN_PRINT_MAXIMA_H
#define ZI_CODEGEN_PRINT_MAXIMA_H

#include "codegen/analytic_equations.h"
#include "codegen/emit_text.h"
#include "zveno/model.h"

/* Symbols q1, v1, a1, ...; assigns M, c, g and tau. */
void zi_print_maxima(ziCodeText *text, const zvModel *model, const ziEquations *equations);

#endif
