/* Numbers in single precision, packed rows, and which method of forward dynamics is cheaper. */
#include "batch/plan.h"

#include <stdlib.h>

#include "model/payload.h"

enum { DEEP_FROM = 512 }; /* in any case */

/* Operations, roughly: forward dynamics by M and its factors, and by separate bodies. */
static bool is_deep(const ziTree *t) {
    double matrix = 0;
    if (t->nv > DEEP_FROM) return true;
    for (int i = 0; i < t->nv; i++) {
        double path = 0;
        for (int k = t->dof_parent[i]; k >= 0; k = t->dof_parent[k]) path++;
        matrix += 150 + 20 * path + path * path / 2;
    }
    return matrix > 500.0 * t->nb;
}

/* Parents, depths and beginnings of packed rows, one allocation. Models above ZI_BATCH_MATRIX_MAX have none. False when
 * out of memory. */
static bool make_rows(const zvModel *m, ziRows *rows) {
    const int n = m->nv;
    if (m->tree.nv > ZI_BATCH_MATRIX_MAX) return true;
    int *room = malloc((3 * (size_t)n + 1) * sizeof *room);
    *rows = (ziRows){.n = n, .parent = room};
    if (!room) return false;
    rows->depth = room + n;
    rows->start = rows->depth + n;
    rows->start[0] = 0;
    for (int i = 0; i < n; i++) {
        const int up = m->coupling.count ? i - 1 : m->tree.dof_parent[i];
        rows->parent[i] = up;
        rows->depth[i] = up < 0 ? 0 : rows->depth[up] + 1;
        rows->start[i + 1] = rows->start[i] + rows->depth[i] + 1;
    }
    return true;
}

/* The numbers of the reduced robot in single precision. */
static void round_numbers(ziPlan *plan) {
    const ziTree *t = &plan->model->tree;
    const size_t each = sizeof(ziReducedNumbers) / sizeof(double);
    const double *from = (const double *)t->reduced->numbers;
    float *to = (float *)plan->singles;
    for (size_t i = 0; i < (size_t)t->nb * each; i++) to[i] = (float)from[i];
    plan->revision = zi_model_revision(plan->model);
}

bool zi_plan_make(const zvModel *model, ziPlan *plan) {
    const ziTree *t = &model->tree;
    const size_t nb = (size_t)t->nb;
    *plan = (ziPlan){.model = model, .deep = is_deep(t), .singles = malloc(nb * sizeof *plan->singles)};
    if (!plan->singles || !make_rows(model, &plan->rows)) return false;
    round_numbers(plan);
    return true;
}

void zi_plan_refresh(ziPlan *plan) {
    if (plan->revision != zi_model_revision(plan->model)) round_numbers(plan);
}

void zi_plan_free(ziPlan *plan) {
    free(plan->singles);
    free(plan->rows.parent);
    *plan = (ziPlan){0};
}
