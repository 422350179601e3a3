/* What a batch knows of its robot: the lean robot in single precision, and which way forward dynamics goes. */
#ifndef ZV_BATCH_PLAN_H
#define ZV_BATCH_PLAN_H

#include "model/lean.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zvPlan {
    const zvModel *model;
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
