/* A lean robot of its own for a program, and what has none. */
#include <stdlib.h>

#include "codegen/lean.h"

static zvStatus refuse(const zvTree *t, zvError *error) {
    const zvMark nowhere = {0};
    if (t->ne)
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL,
                       "straight-line programs are for rigid links; this robot has elastic ones");
    for (int i = 1; i < t->nb; i++)
        if (t->body[i].type == ZV_CURVE && t->body[i].data->path.kind == ZV_CURVE_SPLINE)
            return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL,
                           "a spline under a curve joint chooses its piece at run time; straight-line programs know "
                           "lines and circles");
    return ZV_OK;
}

zvStatus zv_lean_make(const zvModel *model, int frame, zvLean *lean, zvError *error) {
    *lean = (zvLean){.model = model, .nb = model->tree.nb};
    const zvStatus status = refuse(&model->tree, error);
    if (status != ZV_OK) return status;
    lean->body = malloc((size_t)lean->nb * sizeof *lean->body);
    if (!lean->body) return zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory");
    zv_lean_prepare(lean, frame);
    return ZV_OK;
}

void zv_lean_free(zvLean *lean) {
    free(lean->body);
    *lean = (zvLean){0};
}
