/* The rows of a task, and the inverse of a mobility B = J W J^T with damping where a row can hardly be moved. */
#include "base/require.h"
#include "linalg/cholesky.h"
#include "opspace/kernels.h"
#include "opspace/task.h"
#include "real/isa.h"

#include <math.h>
#include <string.h>

ZI_CHOOSE_KERNELS(ziTaskKernels, zi_task_kernels)

/* Lengths and angles are made comparable by one number each: the trace of B's linear and of its angular block, over all
 * three directions. So the measure does not depend on how the axes are turned, nor on which rows a task has: a row that
 * the frame cannot follow is small beside what it can do. A half that does not move at all is measured by the other
 * one, at a thousandth of the reach. */

#define NEAR_SINGULAR 1e-6 /* rcond below which damping sets in */
#define OTHER_HALF 1e-3    /* of the reach */
#define PIVOT_FLOOR 1e-15  /* of a matrix scaled to one */
#define CLEAR_PIVOT 1e-9   /* likewise: above it nothing is gained by choosing pivots */

ziTaskRows zi_task_rows(const zvTask *task) {
    ziTaskRows rows = {0};
    for (int i = 0; i < 6; i++) {
        if (task->rows >> i & 1) rows.at[rows.count++] = i;
    }
    return rows;
}

int zv_task_width(const zvTask *task) {
    ZI_REQUIRE(task);
    return zi_task_rows(task).count;
}

/* From a body's origin to the section that carries something, undeformed. */
static double attachment_reach(const ziTree *t, int attachment) {
    return attachment < 0 ? 0 : zi_length(t->attachment[attachment].at);
}

double zi_task_reach(const zvModel *m, int frame) {
    const ziTree *t = &m->tree;
    zvPose pose = zi_frame_in_body(m, frame);
    double reach = zi_length(pose.p) + attachment_reach(t, zi_frame_attachment(m, frame));
    for (int i = zv_model_frame_body(m, frame); i; i = t->body[i].parent)
        reach += zi_length(t->body[i].r) + attachment_reach(t, t->body[i].base - t->nb);
    return reach > 0 ? reach : 1;
}

/* What one may expect of a linear and of an angular row. */
static void expected_sizes(const double B[36], double reach, double size[2]) {
    double linear = B[0] + B[7] + B[14], angular = B[21] + B[28] + B[35], arm = OTHER_HALF * reach;
    size[0] = linear + arm * arm * angular;
    size[1] = angular + OTHER_HALF * OTHER_HALF / (reach * reach) * linear;
    if (size[0] == 0) size[0] = size[1] = 1; /* nothing moves */
}

/* 1 / trace(A^-1): between the least eigenvalue and a sixth of it, and smooth. inverse is filled unless it is 0. */
static double invert_task(int m, const double A[36], double diagonal, double inverse[36]) {
    double L[36], trace = 0;
    int order[CHOLESKY_MAX];
    for (int i = 0; i < m * m; i++) L[i] = A[i];
    for (int i = 0; i < m; i++) L[i * m + i] += diagonal;
    if (cholesky_factor(m, L, order, PIVOT_FLOOR) < m) return 0;
    cholesky_inverse(m, L, order, inverse);
    for (int i = 0; i < m; i++) trace += inverse[i * m + i];
    return m ? 1 / trace : 1;
}

/* The same where no pivot is small, which is the rule: rows that the task does not have are those of 1. */
static double invert_clear(const ziTaskKernels *kernels, int m, const double A[36], double inverse[36]) {
    double whole[36] = {0}, full[36], trace = 0;
    const bool all = m == 6;
    double *answer = all ? inverse : full;
    for (int i = m; i < 6; i++) whole[7 * i] = 1;
    for (int i = 0; i < m && !all; i++) memcpy(whole + 6 * i, A + m * i, (size_t)m * sizeof *A);
    if (!(kernels->invert_six(all ? A : whole, answer) > CLEAR_PIVOT)) return 0;
    for (int i = 0; i < m; i++) {
        trace += answer[7 * i];
        if (!all) memcpy(inverse + m * i, full + 6 * i, (size_t)m * sizeof *inverse);
    }
    return 1 / trace;
}

/* In scaled rows, damped where the reciprocal condition is small; then ZV_DEGRADED. */
zvStatus zi_mobility_invert(const zvModel *model, const double B[36], const ziTaskRows *rows, double reach,
                            ziMobility *out) {
    double size[2], unit[6], A[36];
    const int m = rows->count;
    expected_sizes(B, reach, size);
    const double over[2] = {1 / sqrt(size[0]), 1 / sqrt(size[1])};
    for (int i = 0; i < m; i++) unit[i] = over[rows->at[i] / 3];
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) A[i * m + j] = unit[i] * unit[j] * B[6 * rows->at[i] + rows->at[j]];
    }
    *out = (ziMobility){0};
    if (m > 0) out->rcond = invert_clear(zi_task_kernels(model), m, A, out->inverse);
    if (out->rcond < NEAR_SINGULAR) out->rcond = invert_task(m, A, 0, out->inverse);
    double lack = 1 - out->rcond / NEAR_SINGULAR;
    double damping = lack > 0 ? NEAR_SINGULAR * lack * lack : 0;
    if (damping > 0) invert_task(m, A, damping, out->inverse);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) out->inverse[i * m + j] *= unit[i] * unit[j];
    }
    for (int half = 0; half < 2; half++) out->damping[half] = damping * size[half];
    return damping > 0 ? ZV_DEGRADED : ZV_OK;
}

void zi_mobility_times(const ziMobility *mobility, int m, const double *x, double *y) {
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++) y[i] += mobility->inverse[i * m + j] * x[j];
    }
}
