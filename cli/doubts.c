/* Quaternions that were scaled, positions beyond the limits of joints, loops that are not closed: answers are given all
 * the same. */
#include "doubts.h"

#include <math.h>

#include "complain.h"
#include "zveno/loops.h"

static const double quaternion_rounding = 1e-9; /* a deviation from unit length that is not worth a word */
static const double limit_rounding = 1e-9;      /* of a position, likewise */
static const double loop_rounding = 1e-6;       /* of a loop's residual */

static void note_scaling(Doubts *doubts, const State *state) {
    if (state->deviation <= quaternion_rounding) return;
    if (!doubts->scaled++) doubts->first_scaled = state->mark;
    if (state->deviation > doubts->deviation) doubts->deviation = state->deviation;
}

static bool is_outside(const zvDof *dof, double q) {
    const double slack = limit_rounding * (1 + fabs(q));
    return dof->has_limits && (q < dof->lower - slack || q > dof->upper + slack);
}

/* Which entry of a joint's coordinates is beyond its limits, or -1; quaternions have none. */
static int entry_outside(const zvModel *model, int joint, const double *q) {
    const zvJointPlace place = zv_model_joint_place(model, joint);
    if (place.nq != place.nv) return -1;
    for (int i = 0; i < place.nq; i++)
        if (is_outside(&zv_model_joint(model, joint)->dof[i], q[place.q_index + i])) return i;
    return -1;
}

static void note_limits(Doubts *doubts, const zvModel *model, const State *state, int index) {
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const int entry = entry_outside(model, joint, state->q);
        if (entry < 0) continue;
        if (doubts->outside++) return;
        const zvDof *dof = &zv_model_joint(model, joint)->dof[entry];
        doubts->first_state = index;
        doubts->first_joint = joint;
        doubts->first_entry = zv_model_joint_place(model, joint).q_index + entry;
        doubts->value = state->q[doubts->first_entry];
        doubts->lower = dof->lower;
        doubts->upper = dof->upper;
        return;
    }
}

void doubts_note(Doubts *doubts, const zvModel *model, const State *state, int index) {
    note_scaling(doubts, state);
    note_limits(doubts, model, state, index);
}

void doubts_note_loops(Doubts *doubts, const zvModel *model, zvWork *work, const State *state, int index) {
    double gap = 0, rate = 0, worst = -1;
    if (!zv_model_nloop(model)) return;
    zv_loop_residual(model, work, NULL, state->q, state->v, -1, &gap, &rate);
    if (gap <= loop_rounding && rate <= loop_rounding) return;
    if (doubts->open++) return;
    doubts->first_open = index;
    for (int i = 0; i < zv_model_nloop(model); i++) {
        zv_loop_residual(model, work, NULL, state->q, state->v, i, &gap, &rate);
        if (fmax(gap, rate) <= worst) continue;
        worst = fmax(gap, rate);
        doubts->first_loop = i;
        doubts->gap = gap;
        doubts->rate = rate;
    }
}

void doubts_note_redundant(Doubts *doubts) { doubts->redundant++; }

static void warn_of_loops(const Doubts *doubts, const zvModel *model, int states) {
    const char *const plural = states == 1 ? "" : "s";
    if (doubts->open)
        warn(
            "the loops are not closed in %d of %d state%s, first state %d: loop \"%s\" has a gap of %.3g and a rate of "
            "%.3g; zveno assemble closes them",
            doubts->open, states, plural, doubts->first_open + 1, zv_model_loop(model, doubts->first_loop)->name,
            doubts->gap, doubts->rate);
    if (doubts->redundant)
        remark("conditions of the loops repeat each other in %d of %d state%s: the loop forces are those of least norm",
               doubts->redundant, states, plural);
}

void doubts_warn(const Doubts *doubts, const zvModel *model, int states) {
    const zvMark *mark = &doubts->first_scaled;
    if (doubts->scaled)
        warn("%s:%d:%d: quaternions were scaled to unit length in %d of %d states; they were off by up to %.3g",
             mark->file, mark->line, mark->column, doubts->scaled, states, doubts->deviation);
    if (doubts->outside)
        warn(
            "%d of %d state%s outside joint limits, first state %d: q[%d] of joint \"%s\" is %.6g, not in [%.6g, %.6g]",
            doubts->outside, states, states == 1 ? " lies" : "s lie", doubts->first_state + 1, doubts->first_entry,
            zv_model_joint(model, doubts->first_joint)->name, doubts->value, doubts->lower, doubts->upper);
    warn_of_loops(doubts, model, states);
}
