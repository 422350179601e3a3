/* Products with the stiffness and damping of elastic links. */
#ifndef ZV_DYNAMICS_ELASTIC_FORCE_H
#define ZV_DYNAMICS_ELASTIC_FORCE_H

#include "model/tree.h"

/* What is added to M in the rows of elastic coordinates: damping D + stiffness K. */
typedef struct zvAugment {
    double damping, stiffness;
} zvAugment;

/* y += (damping D + stiffness K) x, both in tree coordinates. */
void zv_structure_times(const zvTree *tree, zvAugment structure, const double *x, double *y);
/* A += damping D + stiffness K, tree coordinates; A is (nv x nv). */
void zv_structure_add(const zvTree *tree, zvAugment structure, double *A);

#endif
