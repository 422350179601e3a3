/* Equations of motion in analytic form, derived by computer as [Liu] wished: NAME.tex for reading, NAME.mac for Maxima.
 */
#ifndef ZI_CODEGEN_ANALYTIC_H
#define ZI_CODEGEN_ANALYTIC_H

#include "zveno/codegen.h"

/* The part of zv_generate for ZV_LANGUAGE_LATEX and ZV_LANGUAGE_MAXIMA. Joints whose coordinates are quaternions and
 * those on splines are ZV_NOT_SUPPORTED. statements of the inverse function are the terms of all equations. */
zvStatus zi_generate_analytic(const zvModel *model, const zvGenerateOptions *options, const char *directory,
                              zvGenerateSummary *summary, zvError *error);

#endif
