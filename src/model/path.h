/* Curves of curve joints: from the description to what kernels evaluate. */
#ifndef ZI_MODEL_PATH_H
#define ZI_MODEL_PATH_H

#include "model/tree.h"

/* Lays the curve out in the arena; false when out of memory. The curve has passed the checks. */
bool zi_path_make(ziArena *arena, const zvCurve *curve, ziPath *path);
/* Where the curve is at q = 0; not finite when its numbers make no curve. */
void zi_path_start(const zvCurve *curve, double p[3]);
/* Bytes zi_path_make will ask for, with alignment. */
size_t zi_path_bytes(const zvCurve *curve);

#endif
