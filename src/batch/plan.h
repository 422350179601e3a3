/* What a batch knows of its robot: the reduced robot in single precision, rows of its matrices, and which way forward
 * dynamics goes. */
#ifndef ZI_BATCH_PLAN_H
#define ZI_BATCH_PLAN_H

#include "model/reduced.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Coordinates of a model beyond which scratch memory has no capacity for its square matrices. */
enum { ZI_BATCH_MATRIX_MAX = 512 };

/* Freedoms of the model as rows of matrices that have the zeros of its tree: the one before each on its path to the
 * root (-1: none), how many there are on it, and where its row begins when rows hold these and the freedom itself.
 * Coupled coordinates spoil the zeros: all freedoms are on the path of the last. Models without matrices have no rows.
 */
typedef struct ziRows {
    int n;
    int *parent, *depth; /* n */
    int *start;          /* n + 1 */
} ziRows;

typedef struct ziPlan {
    const zvModel *model;
    ziRows rows;
    ziReducedSingles *singles; /* nb */
    unsigned revision;         /* of the model they were made of (model/payload.h) */
    bool deep;                 /* paths are so long that sweeps of O(n) take less than matrices */
} ziPlan;

/* False when out of memory; zi_plan_free in either case. */
bool zi_plan_make(const zvModel *model, ziPlan *plan);
/* After the inertia of a link was changed: the numbers in single precision. */
void zi_plan_refresh(ziPlan *plan);
void zi_plan_free(ziPlan *plan);

#ifdef __cplusplus
}
#endif
#endif
