/* One loop by the paths to its two ends. */
#include "loops/ends.h"

zvFrameSpot zv_end_spot(const zvTree *t, const zvTieEnd *end) {
    zvFrameSpot spot = {.body = end->body, .station = end->row < t->nb ? -1 : end->row - t->nb};
    for (int i = 0; i < 3; i++) spot.in_body.R[4 * i] = 1;
    return spot;
}

static motion move_row(const zvModel *m, zvDesk desk, const zvTieEnd *end, const double *q, const double *v,
                       tie_row *row) {
    const zvFrameSpot spot = zv_end_spot(&m->tree, end);
    zvPlacement pose;
    double velocity[6], acceleration[6];
    zv_kinematics_kernels(m)->frame_motion(&m->tree, desk, &spot, q, v, NULL, &pose, velocity, acceleration);
    row->R = m3_of(pose.R);
    row->p = v3_of(pose.p);
    row->v = v3_of(velocity);
    row->w = v3_of(velocity + 3);
    return motion_of(v3_of(acceleration), v3_of(acceleration + 3));
}

void zv_ends_at(const zvModel *m, zvDesk desk, const zvTie *tie, const double *q, const double *v, zvEnds *ends) {
    if (tie->kind != ZV_LOOP_COUPLING) {
        ends->acc_a = move_row(m, desk, &tie->a, q, v, &ends->a);
        ends->acc_b = move_row(m, desk, &tie->b, q, v, &ends->b);
    }
    tie_place(tie, &ends->a, &ends->b, &ends->now);
}

void zv_ends_gap(const zvTie *tie, const zvEnds *ends, tie_target target, const double *q, const double *v, double *gap,
                 double *rate) {
    if (tie->kind == ZV_LOOP_COUPLING) {
        gap[0] = tie_sum_q(tie, q) - target.value;
        if (rate) rate[0] = (v ? tie_sum_v(tie, v) : 0) - target.rate;
        return;
    }
    tie_gap(tie, &ends->b, &ends->now, target, gap);
    if (rate) tie_rate(tie, &ends->a, &ends->b, &ends->now, target, rate);
}
