/* Numbers in single precision, and the cheaper way. */
#include "batch/plan.h"

#include <stdlib.h>

enum { DEEP_FROM = 512 }; /* in any case */

/* Operations, roughly: forward dynamics by M and its factors, and by separate bodies. */
static bool is_deep(const zvTree *t) {
    double matrix = 0;
    if (t->nv > DEEP_FROM) return true;
    for (int i = 0; i < t->nv; i++) {
        double path = 0;
        for (int k = t->dof_parent[i]; k >= 0; k = t->dof_parent[k]) path++;
        matrix += 150 + 20 * path + path * path / 2;
    }
    return matrix > 500.0 * t->nb;
}

bool zv_plan_make(const zvModel *model, zvPlan *plan) {
    const zvTree *t = &model->tree;
    const size_t each = sizeof(zvLeanNumbers) / sizeof(double), nb = (size_t)t->nb;
    *plan = (zvPlan){.model = model, .deep = is_deep(t), .singles = malloc(nb * sizeof *plan->singles)};
    if (!plan->singles) return false;
    const double *from = (const double *)t->lean->numbers;
    float *to = (float *)plan->singles;
    for (size_t i = 0; i < nb * each; i++) to[i] = (float)from[i];
    return true;
}

void zv_plan_free(zvPlan *plan) {
    free(plan->singles);
    *plan = (zvPlan){0};
}
