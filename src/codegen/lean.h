/* Lean robots (model/lean.h) that straight-line programs are made of. */
#ifndef ZV_CODEGEN_LEAN_H
#define ZV_CODEGEN_LEAN_H

#include "model/lean.h"
#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* frame: index as in kinematics.h, or -1. ZV_NOT_SUPPORTED for elastic links and splines. zv_lean_free in either case.
 */
zvStatus zv_lean_make(const zvModel *model, int frame, zvLean *lean, zvError *error);
void zv_lean_free(zvLean *lean);

#ifdef __cplusplus
}
#endif
#endif
