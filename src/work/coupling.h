/* Between model and tree coordinates. Without coupled mimic joints they are the same and nothing is copied;
 * with them the tree's come from scratch memory. v_tree = E v,  tau = E^T tau_tree. */
#ifndef ZI_WORK_COUPLING_H
#define ZI_WORK_COUPLING_H

#include "model/tree.h"
#include "work/scratch.h"

const double *zi_tree_q(const zvModel *model, ziScratch *scratch, const double *q);
const double *zi_tree_v(const zvModel *model, ziScratch *scratch, const double *v); /* NULL stays NULL */
/* Room for a tree vector whose contraction goes to v; v itself when uncoupled. */
double *zi_tree_room(const zvModel *model, ziScratch *scratch, double *v);
/* v := E^T tree */
void zi_contract(const zvModel *model, const double *tree, double *v);
/* X (rows x nv) := T (rows x tree nv) E */
void zi_contract_columns(const zvModel *model, int rows, const double *T, double *X);
/* X (nv x nv) := E^T T E, T (tree nv x tree nv) */
void zi_contract_matrix(const zvModel *model, const double *T, double *X);

#endif
