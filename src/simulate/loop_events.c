/* Events that close and open loops (docs/loops.md 11).
 *
 * Closing is an impact whose impulse G^T p acts along the conditions of the loop, while the loops that are closed
 * already and what follows a law keep to theirs (zv_loop_impact):
 *
 *   M (v' - v) = G^T p,   G v' = -e G v
 *
 * so momentum is kept but for what ground and laws take, and with e = 0 the energy 1/2 (v' - v) M (v' - v) is lost
 * (Carnot). With restitution e > 0 a loop whose sides meet faster than `latch` is thrown back and stays open. */
#include "simulate/loop_events.h"
#include "loops/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/impact.h"

static const zvMark nowhere = {0};
static const double SLACK = 1e-9; /* of a tolerance: an event located where the gap has just come down to it */

bool zi_event_is_of_loop(const ziEventSpec *e) { return e->action == ZI_EVENT_CLOSE || e->action == ZI_EVENT_OPEN; }

bool zi_event_swings(const ziEventSet *t, int event) {
    const ziEventSpec *e = &t->system->scenario->events[event];
    return zi_event_is_of_loop(e) && t->system->open[e->loop] == (e->action == ZI_EVENT_CLOSE);
}

/* The loops as they are to be kept at the state shown. */
static zvClosing closing_now(ziSystem *s) {
    zv_drives_aim(s->drives, s->efforts, zi_system_clock(s, s->t));
    return zv_efforts_closing(s->efforts);
}

/* Rows of the loop that count as closed: its gaps, or none. */
static void set_offsets(ziEventSet *t, int loop, const double *gaps) {
    ziSystem *s = t->system;
    const zvLoopPlace place = zv_model_loop_place(s->model, loop);
    for (int k = place.row; k < place.row + place.rows; k++) s->offsets[k] = gaps ? gaps[k] : 0;
}

static zvStatus too_far(const ziEventSet *t, const ziEventSpec *e, double time, double gap, zvError *error) {
    return zv_fail(error, ZV_CLOSURE, nowhere, zv_model_loop(t->system->model, e->loop)->name,
                   "event \"%s\" cannot close loop \"%s\" at t = %.9g s: its gap is %.3g of the robot's size, and its "
                   "tolerance %.3g; let the event come where the two sides meet, give it a larger tolerance, or close "
                   "the loop as it stands (place: here)",
                   e->name, zv_model_loop(t->system->model, e->loop)->name, time, gap, e->tolerance);
}

static zvStatus contradicts(const ziEventSet *t, const ziEventSpec *e, double time, double gap, const char *what,
                            zvError *error) {
    return zv_fail(error, ZV_CLOSURE, nowhere, zv_model_loop(t->system->model, e->loop)->name,
                   "event \"%s\" cannot close loop \"%s\" at t = %.9g s (gap %.3g of the robot's size): prescribed "
                   "motions, stops and the loops that are closed leave it no %s; prescribe fewer motions, or open "
                   "another loop first",
                   e->name, zv_model_loop(t->system->model, e->loop)->name, time, gap, what);
}

/* What an impulse does not move, and what the closing of positions does not move either: laws, stops. */
static void mark_given(ziEventSet *t, bool stops) {
    ziSystem *s = t->system;
    for (int i = 0; i < s->nv; i++) {
        const bool held = zv_drives_prescribes(s->drives, i) || (stops && s->held[i]);
        s->given[i] = held ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
    }
}

/* Whether the sides of the loop, thrown back before, are moving apart: rates and gaps of like signs. Where they meet
 * the gap is the rounding of the event's time and has no sign. */
static bool recedes(ziEventSet *t, int loop, double gap, double tolerance, const double *gaps, const double *rates) {
    static const double meets = 1e-3; /* of the tolerance */
    if (!(gap > meets * tolerance)) return false;
    const zvLoopPlace place = zv_model_loop_place(t->system->model, loop);
    double sum = 0;
    for (int k = place.row; k < place.row + place.rows; k++) sum += gaps[k] * rates[k];
    return sum > 0;
}

/* v += (1 + e) jump at the state shown. */
static zvStatus swing(ziEventSet *t, const zvClosing *closing, double restitution) {
    ziSystem *s = t->system;
    mark_given(t, false);
    const zvStatus status = zv_loop_impact(s->model, s->work, closing, s->q, s->v, s->given, t->kick, NULL);
    for (int i = 0; status >= 0 && i < s->nv; i++) s->v[i] += (1 + restitution) * t->kick[i];
    return status;
}

/* After the loops have changed: conditions that repeat each other, modes and stops that fit. */
static zvStatus settle(ziEventSet *t, double time, double *y, zvError *error) {
    ziSystem *s = t->system;
    memcpy(y, s->q, (size_t)s->nq * sizeof *y);
    memcpy(y + s->at_v, s->v, (size_t)s->nv * sizeof *y);
    zi_system_count_redundant(s, y);
    const zvStatus status = zi_system_settle(s, time, y, error);
    return status < 0 ? status : zi_stops_settle(t, time, y, error);
}

/* Closes at the place the model gives, or where it stands; told is the gap before. */
static zvStatus close_loop(ziEventSet *t, int event, double time, double *y, ziOutcome *out, zvError *error) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    double rate, *gap = &out->event_record.before, *gaps = t->loop_gaps, *rates = t->loop_rates;
    s->open[e->loop] = 0;
    set_offsets(t, e->loop, NULL);
    const zvClosing closing = closing_now(s);
    zv_loop_gaps(s->model, s->work, &closing, s->q, s->v, gaps, rates);
    zv_loop_residual(s->model, s->work, &closing, s->q, s->v, e->loop, gap, &rate);
    if (!(*gap <= e->tolerance * (1 + SLACK))) return too_far(t, e, time, *gap, error);
    if (e->restitution > 0 && !e->here && recedes(t, e->loop, *gap, e->tolerance, gaps, rates)) {
        s->open[e->loop] = 1;
        out->fired = out->jumped = false;
        return ZV_OK;
    }
    if (e->here) set_offsets(t, e->loop, gaps);
    const bool caught = e->restitution == 0 || rate <= e->latch; /* else thrown back, where it is */
    mark_given(t, true);
    zvStatus status = ZV_OK;
    if (!e->here && caught) status = zi_close_near(s->model, s->work, &closing, s->given, s->q, NULL);
    if (status < 0) return contradicts(t, e, time, *gap, "way to close", error);
    status = swing(t, &closing, caught ? 0 : e->restitution);
    if (status < 0) return contradicts(t, e, time, *gap, "motion", error);
    out->event_record.what = caught ? ZI_OUTCOME_CLOSES : ZI_OUTCOME_REBOUNDS;
    if (!caught) {
        s->open[e->loop] = 1;
        set_offsets(t, e->loop, NULL);
    }
    return settle(t, time, y, error);
}

/* All but what fires as the loop is already changes velocities or forces: a jump. */
zvStatus zi_loop_fire(ziEventSet *t, int event, double time, double *y, ziOutcome *out, zvError *error) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    zi_system_show(s, time, y);
    out->event_record.what = ZI_OUTCOME_IS_SO;
    if (!zi_event_swings(t, event)) return ZV_OK;
    out->jumped = true;
    if (e->action == ZI_EVENT_CLOSE) return close_loop(t, event, time, y, out, error);
    s->open[e->loop] = 1;
    set_offsets(t, e->loop, NULL);
    out->event_record.what = ZI_OUTCOME_OPENS;
    return settle(t, time, y, error);
}

/* Gap and energy of a closing, in words. */
const char *zi_loop_text(const ziEventSet *t, const ziEventRecord *o, char *buffer, size_t size) {
    const ziEventSpec *e = &t->system->scenario->events[o->event];
    const char *name = e->loop >= 0 ? zv_model_loop(t->system->model, e->loop)->name : "";
    switch (o->what) {
    case ZI_OUTCOME_CLOSES:
        snprintf(buffer, size, "loop \"%.100s\" closes at a gap of %.3g, energy %+.9g J", name, o->before, o->after);
        break;
    case ZI_OUTCOME_REBOUNDS:
        snprintf(buffer, size, "loop \"%.100s\" is thrown back at a gap of %.3g, energy %+.9g J", name, o->before,
                 o->after);
        break;
    case ZI_OUTCOME_OPENS: snprintf(buffer, size, "loop \"%.100s\" opens", name); break;
    case ZI_OUTCOME_IS_SO:
        snprintf(buffer, size, "loop \"%.100s\" is %s already", name, e->action == ZI_EVENT_CLOSE ? "closed" : "open");
        break;
    default: buffer[0] = 0;
    }
    return buffer;
}
