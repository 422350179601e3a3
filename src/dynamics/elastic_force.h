/* Products with the stiffness and damping of elastic links. */
#ifndef ZI_DYNAMICS_ELASTIC_FORCE_H
#define ZI_DYNAMICS_ELASTIC_FORCE_H

#include "model/tree.h"

/* What is added to M in the rows of elastic coordinates: damping D + stiffness K. */
typedef struct ziAugment {
    double damping, stiffness;
} ziAugment;

/* y += (damping D + stiffness K) x, both in tree coordinates. */
void zi_structure_times(const ziTree *tree, ziAugment structure, const double *x, double *y);
/* M += damping D + stiffness K, model coordinates; M is (nv x nv). */
void zi_structure_add(const zvModel *model, ziAugment structure, double *M);

#endif
