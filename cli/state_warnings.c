/* What is doubtful in states, told once for all of them: quaternions that were scaled, positions beyond the limits of
 * joints, loops that are not closed, keys that were not taken. Answers are given all the same. */
#include <math.h>

#include "complain.h"
#include "loops.h"
#include "state.h"
#include "zveno/loops.h"

static const double quaternion_rounding = 1e-9; /* a deviation from unit length that is not worth a word */
static const double limit_rounding = 1e-9;      /* of a position, likewise */
static const double loop_rounding = 1e-6;       /* of a loop's residual */
static const double patience = 2e9;             /* operations on singular positions in a run */

void state_warnings_note_scaling(StateWarnings *warnings, const State *state) {
    if (state->deviation <= quaternion_rounding) return;
    if (!warnings->scaled++) warnings->first_scaled = state->mark;
    if (state->deviation > warnings->deviation) warnings->deviation = state->deviation;
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

/* Counts positions beyond limits and keeps the first: one warning tells of all states. */
void state_warnings_note_limits(StateWarnings *warnings, const zvModel *model, const double *q) {
    const int index = warnings->looked++;
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const int entry = entry_outside(model, joint, q);
        if (entry < 0) continue;
        if (warnings->outside++) return;
        const zvDof *dof = &zv_model_joint(model, joint)->dof[entry];
        warnings->first_state = index;
        warnings->first_joint = joint;
        warnings->first_entry = zv_model_joint_place(model, joint).q_index + entry;
        warnings->value = q[warnings->first_entry];
        warnings->lower = dof->lower;
        warnings->upper = dof->upper;
        return;
    }
}

/* Counts states that do not close the loops, and keeps the loop that is worst in the first of them. */
void state_warnings_note_loops(StateWarnings *warnings, const zvModel *model, zvWork *work, const State *state,
                               int index) {
    double gap = 0, rate = 0, worst = -1;
    if (!zv_model_nloop(model)) return;
    zv_loop_residual(model, work, NULL, state->q, state->v, -1, &gap, &rate);
    if (gap <= loop_rounding && rate <= loop_rounding) return;
    if (warnings->open++) return;
    warnings->first_open = index;
    for (int i = 0; i < zv_model_nloop(model); i++) {
        zv_loop_residual(model, work, NULL, state->q, state->v, i, &gap, &rate);
        if (fmax(gap, rate) <= worst) continue;
        worst = fmax(gap, rate);
        warnings->first_loop = i;
        warnings->gap = gap;
        warnings->rate = rate;
    }
}

/* Only the first singular position is told, and not at any price. */
void state_warnings_note_redundant(StateWarnings *warnings, const zvModel *model, const double *q, int index) {
    const double rows = zv_model_nloop_rows(model);
    warnings->redundant++;
    warnings->spent += rows * rows * zv_model_nv(model);
    if (warnings->singular || warnings->spent > patience) return;
    const LoopMobility mobility = loop_mobility_at(model, q);
    if (!mobility.singular) return;
    warnings->singular = index + 1;
    warnings->freedoms = mobility.mobility.freedoms;
    warnings->nearby = mobility.nearby.freedoms;
}

/* Open loops, conditions that repeat each other, singular positions: each in one line. */
static void warn_of_loops(const StateWarnings *warnings, const zvModel *model, int states) {
    const char *const plural = states == 1 ? "" : "s";
    if (warnings->open)
        warn("the loops are not closed in %d of %d state%s, first state %d: loop \"%s\" has a gap of %.3g (of the "
             "robot's "
             "size, or rad) and a rate of %.3g 1/s; zveno assemble closes them",
             warnings->open, states, plural, warnings->first_open + 1, zv_model_loop(model, warnings->first_loop)->name,
             warnings->gap, warnings->rate);
    if (warnings->redundant)
        remark("conditions of the loops repeat each other in %d of %d state%s: the loop forces are those of least norm",
               warnings->redundant, states, plural);
    if (warnings->singular)
        remark("state %d is at a singular position: %d degree%s of freedom there, %d nearby", warnings->singular,
               warnings->freedoms, warnings->freedoms == 1 ? "" : "s", warnings->nearby);
}

/* "the state has a, tau, which zveno mass does not take": silence would look like an answer for them. */
static void tell_ignored(const StateWarnings *warnings, const char *verb) {
    static const char *const names[] = {"a", "tau", "fext", "given", "jerk", "snap", "theta", "theta_rate"};
    Text list = {0};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (warnings->ignored >> i & 1) text_printf(&list, "%s%s", list.size ? ", " : "", names[i]);
    if (list.size)
        remark("the state has %s, which zveno %s does not take; zveno help %s tells what it takes", list.bytes, verb,
               verb);
    text_free(&list);
}

/* One warning per kind, with how many states it concerns and where the first one is. */
void state_warnings_warn(const StateWarnings *warnings, const zvModel *model, int states, const char *verb,
                         const char *what) {
    const zvMark *mark = &warnings->first_scaled;
    if (warnings->scaled)
        warn("%s:%d:%d: quaternions were scaled to unit length in %d of %d states; they were off by up to %.3g",
             mark->file, mark->line, mark->column, warnings->scaled, states, warnings->deviation);
    if (warnings->outside)
        warn("%d of %d %s%s outside joint limits, first %s %d: q[%d] of joint \"%s\" is %.6g, not in [%.6g, %.6g]",
             warnings->outside, warnings->looked, what, warnings->looked == 1 ? " lies" : "s lie", what,
             warnings->first_state + 1, warnings->first_entry, zv_model_joint(model, warnings->first_joint)->name,
             warnings->value, warnings->lower, warnings->upper);
    if (warnings->unchosen)
        remark("%d of %d state%s a, but no given, which says where it is known: all forces were taken as known, and a "
               "was found; write given: [a, ...]",
               warnings->unchosen, states, states == 1 ? " has" : "s have");
    warn_of_loops(warnings, model, states);
    tell_ignored(warnings, verb);
}
