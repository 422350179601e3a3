/* Rows that are left out, and how far they are from being met. Their residuals are judged by the sizes of what they are
 * made of: motions of both ends, which cancel when nothing is wrong. */
#ifndef ZV_DYNAMICS_KERNEL_CLOSED_CONFLICT_H
#define ZV_DYNAMICS_KERNEL_CLOSED_CONFLICT_H

#include "dynamics/kernel_closed.h"

static inline real size_of(vec3 a) { return sqrt(v3_dot(a, a)); }

/* What velocities, or positions, add to the sizes of linear and angular rows at the level of the sweep. */
static inline void add_motion_size(zvTieLevel level, const Spot *x, real reach, real *lin, real *ang) {
    const real w = size_of(x->w), v = size_of(x->v);
    if (level == ZV_TIE_ACCELERATIONS) {
        *lin += w * (v + w * reach);
        *ang += w * w;
    } else if (level == ZV_TIE_VELOCITIES) {
        *lin += v + w * reach;
        *ang += w;
    } else if (level == ZV_TIE_POSITIONS) {
        *lin += size_of(x->p) + reach;
        *ang += 1;
    }
}

/* Sum of absolute terms of the rows of tie i that are left out, the largest. */
static inline real tie_measure(const Closed *c, int i, const Row *row, const motion *acc, const double *a) {
    const zvTie *tie = &c->tree->tie[i];
    const zvTieEnd *end[2] = {&tie->a, &tie->b};
    real lin = 0, ang = 0, largest = 0;
    tie_now now;
    if (tie->kind == ZV_LOOP_COUPLING) {
        real sum = fabs(c->gamma[tie->row]);
        for (int k = 0; k < tie->terms; k++) sum += fabs(tie->term[k].ratio * a[tie->term[k].v]);
        return c->out[tie->row] ? sum : 0;
    }
    const tie_row x = row_as_tie(&row[tie->a.row], &c->spot[tie->a.row]);
    const tie_row y = row_as_tie(&row[tie->b.row], &c->spot[tie->b.row]);
    tie_place(tie, &x, &y, &now);
    for (int k = 0; k < 2; k++) {
        const motion there = acc[end[k]->row];
        const real reach = size_of(k ? now.reach_b : now.reach_a), turn = size_of(there.ang);
        lin += size_of(there.lin) + turn * reach;
        ang += turn;
        add_motion_size(c->ties->level, &c->spot[end[k]->row], reach, &lin, &ang);
    }
    for (int k = 0; k < now.rows; k++) {
        const real sum = fabs(c->gamma[tie->row + k]) + size_of(now.lin[k]) * lin + size_of(now.ang[k]) * ang;
        if (c->out[tie->row + k]) largest = fmax(largest, sum);
    }
    return largest;
}

static ZV_COLD void measure_conflict(const Closed *c, const Row *row, const motion *acc, const double *a) {
    for (int i = 0; i < c->tree->ties; i++) {
        const zvTie *tie = &c->tree->tie[i];
        bool some = false;
        for (int k = 0; k < tie->rows; k++) some = some || c->out[tie->row + k];
        if (some) c->ties->measure = fmax(c->ties->measure, tie_measure(c, i, row, acc, a));
    }
}

#endif
