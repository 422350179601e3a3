/* Equations of motion as a small document for LaTeX. */
#ifndef ZI_CODEGEN_PRINT_LATEX_H
#define ZI_CODEGEN_PRINT_LATEX_H

#include "codegen/analytic_equations.h"
#include "codegen/emit_text.h"
#include "zveno/model.h"

/* A page for reading: coefficients have six digits. */
void zi_print_latex(ziCodeText *text, const zvModel *model, const ziEquations *equations);

#endif
