/* Joint velocities and accelerations of least length that move a task as wanted. */
#include <string.h>

#include "opspace/task.h"

/* Inverse of J J^T over the joints that may move; their columns of w->J are the others' zeroed. */
static zvStatus open_rows(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task,
                          const unsigned char *held, const ziTaskRows *rows, ziMobility *mobility) {
    double B[36] = {0};
    size_t nv = (size_t)m->nv;
    zv_frame_jacobian(m, w->work, q, task->frame, task->axes, w->J);
    for (size_t k = 0; k < nv; k++) {
        for (size_t i = 0; i < 6 && held && held[k]; i++) w->J[i * nv + k] = 0;
        for (size_t i = 0; i < 6; i++) {
            for (size_t j = 0; j < 6; j++) B[6 * i + j] += w->J[i * nv + k] * w->J[j * nv + k];
        }
    }
    return zi_mobility_invert(B, rows, zi_task_reach(m, task->frame), mobility);
}

/* out = J^T (J J^T)^-1 x */
static void least(const zvModel *m, const zvTaskWork *w, const ziTaskRows *rows, const ziMobility *mobility,
                  const double *x, double *out) {
    double y[6];
    size_t nv = (size_t)m->nv;
    zi_mobility_times(mobility, rows->count, x, y);
    memset(out, 0, nv * sizeof *out);
    for (int i = 0; i < rows->count; i++) {
        const double *J = w->J + (size_t)rows->at[i] * nv;
        for (size_t k = 0; k < nv; k++) out[k] += J[k] * y[i];
    }
}

zvStatus zv_task_resolve(const zvModel *m, zvTaskWork *w, const double *q, const zvTask *task,
                         const unsigned char *held, const double *xd, const double *xdd, double *v_out, double *a_out) {
    ziTaskRows rows = zi_task_rows(task);
    ziMobility mobility;
    zvStatus status = open_rows(m, w, q, task, held, &rows, &mobility);
    least(m, w, &rows, &mobility, xd, v_out);
    if (!a_out) return status;
    double bias[6], x[6];
    zv_frame_bias(m, w->work, q, v_out, task->frame, task->axes, bias);
    for (int i = 0; i < rows.count; i++) x[i] = (xdd ? xdd[i] : 0) - bias[rows.at[i]];
    least(m, w, &rows, &mobility, x, a_out);
    return status;
}
