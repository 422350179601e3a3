/* What a batch knows of its robot: the lean robot in single precision, rows of its matrices, and which way forward
 * dynamics goes. */
#ifndef ZV_BATCH_PLAN_H
#define ZV_BATCH_PLAN_H

#include "model/lean.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Coordinates of a model beyond which there is no room for its square matrices. */
enum { ZV_BATCH_MATRIX_MAX = 512 };

/* Freedoms of the model as rows of matrices that have the zeros of its tree: the one before each on its way to the root
 * (-1: none), how many there are on it, and where its row begins when rows hold these and the freedom itself. Coupled
 * coordinates spoil the zeros: all freedoms are on the way of the last. Models without matrices have no rows. */
typedef struct zvRows {
    int n;
    int *parent, *depth; /* n */
    int *start;          /* n + 1 */
} zvRows;

typedef struct zvPlan {
    const zvModel *model;
    zvRows rows;
    zvLeanSingles *singles; /* nb */
    bool deep;              /* paths are so long that sweeps of O(n) take less than matrices */
} zvPlan;

/* False when out of memory; zv_plan_free in either case. */
bool zv_plan_make(const zvModel *model, zvPlan *plan);
void zv_plan_free(zvPlan *plan);

#ifdef __cplusplus
}
#endif
#endif
