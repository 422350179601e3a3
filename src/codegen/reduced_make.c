/* A reduced robot of its own for a program, and what has none. */
#include <stdlib.h>

#include "codegen/reduced.h"

/* What the recursions of generated code do not cover. */
static zvStatus refuse_tree(const ziTree *t, zvError *error) {
    const zvMark nowhere = {0};
    if (t->ne)
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL,
                       "straight-line programs are for rigid links; this robot has elastic ones");
    for (int i = 1; i < t->nb; i++)
        if (t->body[i].type == ZV_JOINT_CURVE && t->body[i].data->path.kind == ZV_CURVE_SPLINE)
            return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL,
                           "a spline under a curve joint chooses its piece at run time; straight-line programs know "
                           "lines and circles");
    return ZV_OK;
}

zvStatus zi_reduced_make(const zvModel *model, int frame, ziReduced *reduced, zvError *error) {
    *reduced = (ziReduced){.model = model, .nb = model->tree.nb};
    const zvStatus status = refuse_tree(&model->tree, error);
    if (status != ZV_OK) return status;
    reduced->body = malloc((size_t)reduced->nb * sizeof *reduced->body);
    if (!reduced->body) return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory");
    zi_reduced_prepare(reduced, frame);
    return ZV_OK;
}

void zi_reduced_free(ziReduced *reduced) {
    free(reduced->body);
    *reduced = (ziReduced){0};
}
