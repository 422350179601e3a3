/* Quaternions that were scaled, positions beyond the limits of joints, loops that are not closed: answers are given all
 * the same. */
#include "doubts.h"

#include <math.h>

#include "complain.h"
#include "loop_sight.h"
#include "zveno/loops.h"

static const double quaternion_rounding = 1e-9; /* a deviation from unit length that is not worth a word */
static const double limit_rounding = 1e-9;      /* of a position, likewise */
static const double loop_rounding = 1e-6;       /* of a loop's residual */
static const double patience = 2e9;             /* operations on singular positions in a run */

void doubts_note_scaling(Doubts *doubts, const State *state) {
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

void doubts_note_limits(Doubts *doubts, const zvModel *model, const double *q) {
    const int index = doubts->looked++;
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const int entry = entry_outside(model, joint, q);
        if (entry < 0) continue;
        if (doubts->outside++) return;
        const zvDof *dof = &zv_model_joint(model, joint)->dof[entry];
        doubts->first_state = index;
        doubts->first_joint = joint;
        doubts->first_entry = zv_model_joint_place(model, joint).q_index + entry;
        doubts->value = q[doubts->first_entry];
        doubts->lower = dof->lower;
        doubts->upper = dof->upper;
        return;
    }
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

/* Only the first singular position is told, and not at any price. */
void doubts_note_redundant(Doubts *doubts, const zvModel *model, const double *q, int index) {
    const double rows = zv_model_nloop_rows(model);
    doubts->redundant++;
    doubts->spent += rows * rows * zv_model_nv(model);
    if (doubts->singular || doubts->spent > patience) return;
    const Sight sight = loop_sight_at(model, q);
    if (!sight.singular) return;
    doubts->singular = index + 1;
    doubts->freedoms = sight.mobility.freedoms;
    doubts->nearby = sight.nearby.freedoms;
}

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
    if (doubts->singular)
        remark("state %d is at a singular position: %d degree%s of freedom there, %d nearby", doubts->singular,
               doubts->freedoms, doubts->freedoms == 1 ? "" : "s", doubts->nearby);
}

void doubts_warn(const Doubts *doubts, const zvModel *model, int states, const char *what) {
    const zvMark *mark = &doubts->first_scaled;
    if (doubts->scaled)
        warn("%s:%d:%d: quaternions were scaled to unit length in %d of %d states; they were off by up to %.3g",
             mark->file, mark->line, mark->column, doubts->scaled, states, doubts->deviation);
    if (doubts->outside)
        warn("%d of %d %s%s outside joint limits, first %s %d: q[%d] of joint \"%s\" is %.6g, not in [%.6g, %.6g]",
             doubts->outside, doubts->looked, what, doubts->looked == 1 ? " lies" : "s lie", what,
             doubts->first_state + 1, doubts->first_entry, zv_model_joint(model, doubts->first_joint)->name,
             doubts->value, doubts->lower, doubts->upper);
    warn_of_loops(doubts, model, states);
}
