/* Rows that are left out, and how far they are from being met. Their residuals are judged by the sizes of what they are
 * made of: motions of both ends, which cancel when nothing is wrong. */
#ifndef ZI_DYNAMICS_KERNEL_CLOSED_CONFLICT_H
#define ZI_DYNAMICS_KERNEL_CLOSED_CONFLICT_H

#include "dynamics/kernel_closed.h"

static inline real size_of(vec3 a) { return sqrt(v3_dot(a, a)); }

/* What velocities, or positions, add to the sizes of linear and angular rows at the level of the sweep. */
static inline void add_motion_size(ziConstraintLevel level, const Spot *x, real reach, real *lin, real *ang) {
    const real w = size_of(x->w), v = size_of(x->v);
    if (level == ZI_CONSTRAINT_ACCELERATIONS) {
        *lin += w * (v + w * reach);
        *ang += w * w;
    } else if (level == ZI_CONSTRAINT_VELOCITIES) {
        *lin += v + w * reach;
        *ang += w;
    } else if (level == ZI_CONSTRAINT_POSITIONS) {
        *lin += size_of(x->p) + reach;
        *ang += 1;
    }
}

/* Sum of absolute terms of the rows of constraint i that are left out, the largest. */
static inline real constraint_measure(const Closed *c, int i, const ArticulatedBody *row, const motion *acc,
                                      const double *a) {
    const ziConstraint *constraint = &c->tree->constraint[i];
    const ziConstraintEnd *end[2] = {&constraint->a, &constraint->b};
    real lin = 0, ang = 0, largest = 0;
    constraint_now now;
    if (constraint->kind == ZV_LOOP_COUPLING) {
        real sum = fabs(c->gamma[constraint->row]);
        for (int k = 0; k < constraint->terms; k++) sum += fabs(constraint->term[k].ratio * a[constraint->term[k].v]);
        return c->out[constraint->row] ? sum : 0;
    }
    const constraint_row x = row_as_constraint(&row[constraint->a.row], &c->spot[constraint->a.row]);
    const constraint_row y = row_as_constraint(&row[constraint->b.row], &c->spot[constraint->b.row]);
    constraint_place(constraint, &x, &y, &now);
    for (int k = 0; k < 2; k++) {
        const motion there = acc[end[k]->row];
        const real reach = size_of(k ? now.reach_b : now.reach_a), turn = size_of(there.ang);
        lin += size_of(there.lin) + turn * reach;
        ang += turn;
        add_motion_size(c->constraints->level, &c->spot[end[k]->row], reach, &lin, &ang);
    }
    for (int k = 0; k < now.rows; k++) {
        const real sum = fabs(c->gamma[constraint->row + k]) + size_of(now.lin[k]) * lin + size_of(now.ang[k]) * ang;
        if (c->out[constraint->row + k]) largest = fmax(largest, sum);
    }
    return largest;
}

static ZI_COLD void measure_conflict(const Closed *c, const ArticulatedBody *row, const motion *acc, const double *a) {
    for (int i = 0; i < c->tree->constraints; i++) {
        const ziConstraint *constraint = &c->tree->constraint[i];
        bool any = false;
        for (int k = 0; k < constraint->rows; k++) any = any || c->out[constraint->row + k];
        if (any) c->constraints->measure = fmax(c->constraints->measure, constraint_measure(c, i, row, acc, a));
    }
}

#endif
