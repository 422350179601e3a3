/* Singular positions of loops in a run: what there is to tell of them. Those that a branch goes through are passed in
 * silence (loops/singular.c). */
#include "simulate/system.h"

#include "loops/near.h"
#include "loops/reduction.h"
#include "loops/tell.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double near_singular = 1e-3; /* margins that count as passing one */
static const double displaced = 0.1;      /* rad, or parts of the robot's size */
static const double moved_on = 1e-3;      /* likewise */
static const double strayed = 1;          /* likewise */
static const double vanished = 1e-11;     /* margins of positions that are singular to the last digit */
static const double probed = 1e-3;        /* rad, or parts of the robot's size */
static const double aside = 1e-2;         /* parts of a velocity */

/* Of mixed dynamics at the position s->q, with what motions lead. -1: it is not known. */
static int led_redundancy(ziSystem *s, zvClosing *closing) {
    bool any = false;
    for (int i = 0; i < s->nv; i++) {
        const bool led = zv_drives_prescribes(s->drives, i);
        s->given[i] = led ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
        any |= led;
    }
    memset(s->buffer, 0, (size_t)s->nv * sizeof *s->buffer);
    memset(s->v, 0, (size_t)s->nv * sizeof *s->v);
    if (!any) return -1;
    const zvStatus status = zv_closed_mixed_dynamics(s->model, s->work, closing, s->q, NULL, s->given, NULL, s->v,
                                                     s->buffer, s->efforts->lambda);
    return status < 0 ? -1 : closing->singularity->dropped;
}

/* At a closed position beside the one given, which may be a singular one itself. */
void zi_system_count_redundant(ziSystem *s, const double *q) {
    const zvModel *m = s->model;
    zvSingularity near = {0};
    zvClosing closing = {.singularity = &near, .redundant = INT_MAX, .open = s->open, .offsets = s->offsets};
    s->efforts->loops_redundant = INT_MAX;
    s->efforts->loops_redundant_led = -1;
    for (int i = 0; i < s->nv; i++) s->buffer[i] = displaced * sin(1.0 + i * i); /* in no special direction */
    zv_position_add(m, q, s->buffer, s->q);
    if (zv_assemble(m, s->work, &closing, NULL, s->q, NULL) < 0) return;
    memset(s->v, 0, (size_t)s->nv * sizeof *s->v);
    if (zv_closed_forward_dynamics(m, s->work, &closing, s->q, NULL, NULL, NULL, s->buffer, s->efforts->lambda) < 0)
        return;
    s->efforts->loops_redundant = near.dropped;
    s->efforts->loops_redundant_led = led_redundancy(s, &closing);
}

void zi_system_note_singular(ziSystem *s) {
    const zvSingularity *x = &s->efforts->singularity;
    if (!s->singular.resolved || (!(x->margin < near_singular) && x->resolved)) return; /* the first that was open */
    s->singular = *x;
    s->singular_fresh = true;
    s->singular_t = s->t;
    memcpy(s->singular_q, s->q, (size_t)s->nq * sizeof *s->q);
}

void zi_system_look_singular(ziSystem *s, double t, const double *y) {
    s->singular = (zvSingularity){.margin = 1, .loop = -1, .resolved = true};
    zi_system_show(s, t, y);
    zi_system_accelerate(s);
}

bool zi_system_tell_singular(const ziSystem *s, double since, char *text, size_t size) {
    const bool seen = s->loops && (s->singular.margin < near_singular || !s->singular.resolved);
    if (!seen || s->singular_t < since) return false;
    const int loop = s->singular.loop;
    if (loop < 0)
        snprintf(text, size, "all loops, t = %.9g s", s->singular_t);
    else
        snprintf(text, size, "loop \"%s\", t = %.9g s", zv_model_loop(s->model, loop)->name, s->singular_t);
    zi_tell_loop_joints(s->model, loop, s->singular_q, s->signs, text, size);
    return true;
}

/* Whether the loop in question, or any where none is known, has gone on from where nothing told how. */
static bool has_moved_on(ziSystem *s) {
    const int loop = s->singular.loop, end = loop < 0 ? zv_model_nloop(s->model) : loop + 1;
    bool moved = false;
    for (int i = 0; i < s->nv; i++) s->locked[i] = zv_drives_prescribes(s->drives, i);
    for (int i = loop < 0 ? 0 : loop; i < end && !moved; i++)
        moved = zi_loop_moved(s->model, i, s->locked, s->singular_q, s->q, s->signs) > moved_on;
    return moved;
}

/* What was seen on a step that was not taken, far from where the motion then went, is forgotten. */
static void forget_tries(ziSystem *s) {
    if (!s->singular_fresh) return;
    s->singular_fresh = false;
    memset(s->locked, 0, (size_t)s->nv * sizeof *s->locked);
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        if (zi_loop_moved(s->model, i, s->locked, s->singular_q, s->q, s->signs) <= strayed) continue;
        s->singular = (zvSingularity){.margin = 1, .loop = -1, .resolved = true};
        return;
    }
}

/* The first that is worth telling stays. */
void zi_system_judge_singular(ziSystem *s) {
    char where[ZI_LOOP_WARNING / 2];
    forget_tries(s);
    if (!s->singular.resolved && !s->guessed) s->guessed = has_moved_on(s);
    if (*s->loop_warning || (s->singular.resolved && s->closes)) return;
    if (!zi_system_tell_singular(s, -INFINITY, where, sizeof where)) return;
    if (!s->singular.resolved)
        snprintf(s->loop_warning, ZI_LOOP_WARNING,
                 "the loops are in a singular position from which several motions go on, and nothing tells which (%s): "
                 "start beside it, or give the velocities of as many joints as are free there, along one branch",
                 where);
    else
        snprintf(s->loop_warning, ZI_LOOP_WARNING,
                 "the loops passed a singular position (%s), where errors grow and another branch begins, and nothing "
                 "keeps them closed: use loops: {stabilisation: projection}",
                 where);
}

/* Where the loops are a little way along the velocities, closed: s->q of the state that was placed moves by h v to
 * `straight` and is closed to s->q. false: they cannot be closed there. */
static bool step_along(ziSystem *s, const double *q, const double *v, double h, double *straight) {
    const zvClosing closing = zv_efforts_closing(s->efforts);
    for (int i = 0; i < s->nv; i++) s->buffer[i] = h * v[i];
    zv_position_add(s->model, q, s->buffer, straight);
    memcpy(s->q, straight, (size_t)s->nq * sizeof *straight);
    return zi_close_near(s->model, s->work, &closing, NULL, s->q, NULL) >= 0;
}

/* How far closing moves the joints of any loop, over how far they went; *loop is the one that moves most. */
static double moved_aside(ziSystem *s, const double *straight, double length, int *loop) {
    double most = 0;
    memset(s->locked, 0, (size_t)s->nv * sizeof *s->locked);
    for (int i = 0; i < zv_model_nloop(s->model); i++) {
        const double moved = s->open[i] ? 0 : zi_loop_moved(s->model, i, s->locked, straight, s->q, s->signs);
        if (moved > most) *loop = i;
        most = fmax(most, moved);
    }
    return most / length;
}

/* `, joint = rate unit` of the joints of a loop on the motion that closing led to. */
static void tell_rates(const ziSystem *s, int loop, const double *v, const double *straight, double h, char *text,
                       size_t size) {
    size_t used = 0;
    zv_loop_signs(s->model, loop, s->signs);
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvJointPlace place = zv_model_joint_place(s->model, j);
        if (s->signs[j] == 0 || place.nv != 1) continue;
        const zvJoint *joint = zv_model_joint(s->model, j);
        const double rate = v[place.v_index] + (s->q[place.q_index] - straight[place.q_index]) / h;
        const int written = snprintf(text + used, size - used, "%s%.60s = %.6g %s", used ? ", " : "", joint->name, rate,
                                     zv_joint_type_v_unit(joint->type, 0, ZV_QUANTITY_VELOCITY));
        if (written < 0 || (size_t)written >= size - used) return;
        used += (size_t)written;
    }
}

/* At a singular position the loops leave velocities a freedom too many: only those along a branch are motions, of which
 * the second derivative of the conditions speaks. Along one, closing moves a short straight path by its square; aside
 * of all, by a part of its length, however short. */
zvStatus zi_system_check_branch(ziSystem *s, double t, const double *y, zvError *error) {
    char where[ZI_LOOP_WARNING / 2], rates[200] = "";
    double off[2];
    int loop = 0;
    if (!s->closes || s->scenario->any_branch) return ZV_OK;
    zi_system_look_singular(s, t, y);
    const bool singular = !s->singular.resolved || s->singular.margin < vanished;
    double *q = s->singular_q, *v = s->v, *straight = s->q_near;
    const double swiftest = zi_swiftest_joint(s->model, v);
    if (!singular || !(swiftest > 0)) return ZV_OK;
    for (int k = 0; k < 2; k++) {
        const double length = k ? probed / 8 : probed;
        if (!step_along(s, q, v, length / swiftest, straight)) return ZV_OK;
        off[k] = moved_aside(s, straight, length, &loop);
    }
    if (!(off[1] > aside && off[1] > off[0] / 2)) return ZV_OK;
    s->singular.loop = loop;
    if (!zi_system_tell_singular(s, -INFINITY, where, sizeof where)) return ZV_OK;
    tell_rates(s, loop, v, straight, probed / 8 / swiftest, rates, sizeof rates);
    return zv_fail(error, ZV_CLOSURE, (zvMark){0}, "v",
                   "expected initial velocities along one of the motions that go on from the singular position (%s), "
                   "found some %.2g of their size aside of all; one such motion has %s",
                   where, off[1], rates);
}
