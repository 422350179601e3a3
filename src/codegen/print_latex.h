/* Equations of motion as a small document for LaTeX. */
#ifndef ZV_CODEGEN_PRINT_LATEX_H
#define ZV_CODEGEN_PRINT_LATEX_H

#include "codegen/analytic_equations.h"
#include "codegen/emit_text.h"
#include "zveno/model.h"

/* A page for reading: coefficients have six digits. */
void zv_print_latex(zvCodeText *text, const zvModel *model, const zvEquations *equations);

#endif
