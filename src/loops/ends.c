/* One loop by the paths to its two ends. */
#include "loops/ends.h"

ziFrameSpot zi_end_spot(const ziTree *t, const ziConstraintEnd *end) {
    ziFrameSpot spot = {.body = end->body, .attachment = end->row < t->nb ? -1 : end->row - t->nb};
    for (int i = 0; i < 3; i++) spot.in_body.R[4 * i] = 1;
    return spot;
}

static motion move_row(const zvModel *m, ziScratch scratch, const ziConstraintEnd *end, const double *q,
                       const double *v, constraint_row *row) {
    const ziFrameSpot spot = zi_end_spot(&m->tree, end);
    ziPlacement pose;
    double velocity[6], acceleration[6];
    zi_kinematics_kernels(m)->frame_motion(&m->tree, scratch, &spot, q, v, NULL, &pose, velocity, acceleration);
    row->R = m3_of(pose.R);
    row->p = v3_of(pose.p);
    row->v = v3_of(velocity);
    row->w = v3_of(velocity + 3);
    return motion_of(v3_of(acceleration), v3_of(acceleration + 3));
}

void zi_ends_at(const zvModel *m, ziScratch scratch, const ziConstraint *constraint, const double *q, const double *v,
                ziEnds *ends) {
    if (constraint->kind != ZV_LOOP_COUPLING) {
        ends->acc_a = move_row(m, scratch, &constraint->a, q, v, &ends->a);
        ends->acc_b = move_row(m, scratch, &constraint->b, q, v, &ends->b);
    }
    constraint_place(constraint, &ends->a, &ends->b, &ends->now);
}

void zi_ends_gap(const ziConstraint *constraint, const ziEnds *ends, constraint_target target, const double *q,
                 const double *v, double *gap, double *rate) {
    if (constraint->kind == ZV_LOOP_COUPLING) {
        gap[0] = constraint_sum_q(constraint, q) - target.value;
        if (rate) rate[0] = (v ? constraint_sum_v(constraint, v) : 0) - target.rate;
        return;
    }
    constraint_gap(constraint, &ends->b, &ends->now, target, gap);
    if (rate) constraint_rate(constraint, &ends->a, &ends->b, &ends->now, target, rate);
}
