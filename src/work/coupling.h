/* Between model and tree coordinates. Without coupled mimic joints they are the same and nothing is copied;
 * with them the tree's come from the desk. v_tree = E v,  tau = E^T tau_tree. */
#ifndef ZV_WORK_COUPLING_H
#define ZV_WORK_COUPLING_H

#include "model/tree.h"
#include "work/desk.h"

const double *zv_tree_q(const zvModel *model, zvDesk *desk, const double *q);
const double *zv_tree_v(const zvModel *model, zvDesk *desk, const double *v); /* NULL stays NULL */
/* Room for a tree vector whose contraction goes to v; v itself when uncoupled. */
double *zv_tree_room(const zvModel *model, zvDesk *desk, double *v);
/* v := E^T tree */
void zv_contract(const zvModel *model, const double *tree, double *v);
/* X (rows x nv) := T (rows x tree nv) E */
void zv_contract_columns(const zvModel *model, int rows, const double *T, double *X);
/* X (nv x nv) := E^T T E, T (tree nv x tree nv) */
void zv_contract_matrix(const zvModel *model, const double *T, double *X);

#endif
