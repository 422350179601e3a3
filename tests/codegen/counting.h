/* Rows of the tables of methods, executed on a number that counts. */
#ifndef ZV_TEST_CODEGEN_COUNTING_H
#define ZV_TEST_CODEGEN_COUNTING_H

#include "zveno/codegen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a row at a state in model coordinates; x is a or tau. operations receives what was executed; false when there is
 * no such row or it refuses. */
bool execute_row(const zvModel *model, zvQuestion question, const char *name, const double *q, const double *v,
                 const double *x, double *answer, zvOperations *operations);

#ifdef __cplusplus
}
#endif
#endif
