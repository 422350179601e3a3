/* Curves of curve joints: from the description to what kernels evaluate. */
#ifndef ZV_MODEL_PATH_H
#define ZV_MODEL_PATH_H

#include "model/tree.h"

/* Lays the curve out in the arena; false when out of memory. The curve has passed the checks. */
bool zv_path_make(zvArena *arena, const zvCurve *curve, zvPath *path);
/* Where the curve is at q = 0; not finite when its numbers make no curve. */
void zv_path_start(const zvCurve *curve, double p[3]);
/* Bytes zv_path_make will ask for, with alignment. */
size_t zv_path_bytes(const zvCurve *curve);

#endif
