/* Singular positions of loops in a run: what there is to tell of them. Those that a branch goes through are passed in
 * silence (loops/singular.c). */
#include "simulate/system.h"

#include "loops/tell.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double near_singular = 1e-3; /* margins that count as passing one */
static const double displaced = 0.1;      /* rad, or parts of the robot's size */
static const double moved_on = 1e-3;      /* likewise */

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

/* The first that is worth telling stays. */
void zi_system_judge_singular(ziSystem *s) {
    char where[ZI_LOOP_WARNING / 2];
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
