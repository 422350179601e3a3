/* Reduced robots (model/reduced.h) that straight-line programs are made of. */
#ifndef ZI_CODEGEN_REDUCED_H
#define ZI_CODEGEN_REDUCED_H

#include "model/reduced.h"
#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* frame: index as in kinematics.h, or -1. ZV_NOT_SUPPORTED for elastic links and splines. zi_reduced_free in either
 * case.
 */
zvStatus zi_reduced_make(const zvModel *model, int frame, ziReduced *reduced, zvError *error);
void zi_reduced_free(ziReduced *reduced);

#ifdef __cplusplus
}
#endif
#endif
