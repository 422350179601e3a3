/* Gaps of loops, their rates, and what is left of their second rates when nothing accelerates. */
#include "loops/gaps.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "loops/ends.h"
#include "work/coupling.h"

static const double *targets_of(const zvClosing *closing) { return closing ? closing->targets : NULL; }

/* All loops in one sweep. Ties of mimic joints, which come behind them, are left out: in model coordinates they hold by
 * themselves. */
static ziConstraintState *states_of(const zvModel *m, ziScratch scratch, const zvClosing *closing, const double *q,
                                    const double *v) {
    ziClosedTree loops = *m->tree.closed;
    ziTree tree = m->tree;
    loops.constraints = m->nloop;
    tree.closed = &loops;
    ziConstraintState *states = zi_scratch_take(&scratch, (size_t)m->nloop * sizeof *states);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    zi_kinematics_kernels(m)->constraints(&tree, scratch, tq, tv, targets_of(closing), states);
    return states;
}

void zv_loop_gaps(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                  double *gaps, double *rates) {
    if (m->nloop == 0) return;
    const ziConstraintState *state = states_of(m, zi_scratch_of(m, work), closing, q, v);
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        memcpy(gaps + constraint->row, state[i].gap, (size_t)constraint->rows * sizeof *gaps);
        if (rates) memcpy(rates + constraint->row, state[i].rate, (size_t)constraint->rows * sizeof *rates);
    }
}

/* Rows with a direction of force are lengths; turns and the sums of couplings stay as they are. Numbers that are none
 * count as infinite. */
static double largest(double so_far, const double *direction, double size, double x) {
    const bool length = direction[0] != 0 || direction[1] != 0 || direction[2] != 0;
    const double y = fabs(length ? x / size : x);
    return y <= so_far ? so_far : isfinite(y) ? y : INFINITY;
}

static ziConstraintState state_of_one(const zvModel *m, ziScratch scratch, const zvClosing *closing, const double *q,
                                      const double *v, int loop) {
    const ziConstraint *constraint = &m->tree.closed->constraint[loop];
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    ziConstraintState state;
    ziEnds ends;
    zi_ends_at(m, scratch, constraint, tq, tv, &ends);
    zi_ends_gap(constraint, &ends, constraint_target_of(constraint, targets_of(closing), loop), tq, tv, state.gap,
                state.rate);
    for (int k = 0; k < constraint->rows; k++) v3_to(state.T[k], ends.now.lin[k]);
    return state;
}

static ziLeft worst_of(const zvModel *m, const ziConstraintState *state, int first, int count) {
    ziLeft left = {0};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < m->tree.closed->constraint[first + i].rows; k++) {
            left.gap = largest(left.gap, state[i].T[k], m->tree.closed->size, state[i].gap[k]);
            left.rate = largest(left.rate, state[i].T[k], m->tree.closed->size, state[i].rate[k]);
        }
    }
    return left;
}

double zi_reach_of(const zvModel *m, const ziConstraintState *states) {
    double square = 0;
    for (int i = 0; i < m->nloop; i++) {
        const vec3 point = v3_of(states[i].point);
        square = fmax(square, v3_dot(point, point));
    }
    return sqrt(square) / m->tree.closed->size;
}

/* Beyond the last number the loops are too far away to be seen at all. */
double zi_closed_within(double reach) { return fmin(fmax(1e-12, 16 * DBL_EPSILON * reach), 1e-6); }
double zi_done_within(double reach) { return fmin(fmax(4e-15, 2 * DBL_EPSILON * reach), 1e-7); }

ziLeft zi_loops_left(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v) {
    if (m->nloop == 0) return (ziLeft){0};
    const ziConstraintState *states = states_of(m, zi_scratch_of(m, work), closing, q, v);
    ziLeft left = worst_of(m, states, 0, m->nloop);
    left.reach = zi_reach_of(m, states);
    return left;
}

void zv_loop_residual(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                      int loop, double *gap, double *rate) {
    ziLeft left = {0};
    assert(loop < m->nloop);
    if (loop < 0) {
        left = zi_loops_left(m, work, closing, q, v);
    } else {
        const ziConstraintState one = state_of_one(m, zi_scratch_of(m, work), closing, q, v, loop);
        left = worst_of(m, &one, loop, 1);
    }
    if (gap) *gap = left.gap;
    if (rate) *rate = left.rate;
}

/* T.(acceleration of b against a at a = 0) + gamma */
static void second_rate(const ziConstraint *constraint, const ziEnds *ends, constraint_target target, double *bias) {
    const constraint_now *now = &ends->now;
    if (constraint->kind == ZV_LOOP_COUPLING) {
        bias[0] = -target.second;
        return;
    }
    constraint_gamma(constraint, &ends->a, &ends->b, now, target, bias);
    const motion b = motion_shift(ends->acc_b, now->reach_b), a = motion_shift(ends->acc_a, now->reach_a);
    const vec3 lin = v3_sub(b.lin, a.lin), ang = v3_sub(b.ang, a.ang);
    for (int k = 0; k < now->rows; k++) bias[k] += v3_dot2(now->lin[k], lin, now->ang[k], ang);
}

void zv_loop_bias(const zvModel *m, zvWork *work, const zvClosing *closing, const double *q, const double *v,
                  double *bias) {
    if (m->nloop == 0) return;
    ziScratch scratch = zi_scratch_of(m, work);
    const double *tq = zi_tree_q(m, &scratch, q), *tv = zi_tree_v(m, &scratch, v);
    const double feedback = closing ? closing->feedback : 0;
    for (int i = 0; i < m->nloop; i++) {
        const ziConstraint *constraint = &m->tree.closed->constraint[i];
        const constraint_target target = constraint_target_of(constraint, targets_of(closing), i);
        ziEnds ends;
        zi_ends_at(m, scratch, constraint, tq, tv, &ends);
        second_rate(constraint, &ends, target, bias + constraint->row);
        if (feedback == 0) continue;
        double gap[ZV_MAX_DOF], rate[ZV_MAX_DOF];
        zi_ends_gap(constraint, &ends, target, tq, tv, gap, rate);
        for (int k = 0; k < constraint->rows; k++)
            bias[constraint->row + k] += feedback * (2 * rate[k] + feedback * gap[k]); /* Baumgarte */
    }
}
