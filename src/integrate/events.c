/* Location of the first zero of the event functions inside a step, on the method's own interpolant.
 *
 * As in CVODE's rootfinder [Hindmarsh], a bracket shrinks by the secant with halved weights (Illinois), for the
 * function whose secant crosses first; it ends at its right end, where the sign has changed, so that going on does not
 * find the same zero again. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/method.h"

int zi_events_create(zvIntegrator *in) {
    ziEvents *e = &in->events;
    size_t count = (size_t)in->ode.event_count;
    e->fired = zi_arena_alloc(&in->arena, count * sizeof *e->fired);
    e->phase = zi_arena_alloc(&in->arena, count);
    e->lo = zi_arena_alloc(&in->arena, count * sizeof *e->lo);
    e->hi = zi_arena_alloc(&in->arena, count * sizeof *e->hi);
    e->mid = zi_arena_alloc(&in->arena, count * sizeof *e->mid);
    e->past = zi_arena_alloc(&in->arena, count * sizeof *e->past);
    e->band = zi_arena_alloc(&in->arena, count * sizeof *e->band);
    e->y = zi_arena_alloc(&in->arena, count ? (size_t)in->size * sizeof *e->y : 0);
    return e->fired && e->phase && e->lo && e->hi && e->mid && e->past && e->band && e->y;
}

static zvStatus look(zvIntegrator *in, double t, const double *y, double *g, zvError *error) {
    return zi_call_events(in, t, y, g) ? zi_trouble_fail(in, "an event function", error) : ZV_OK;
}

zvStatus zi_events_inside(zvIntegrator *in, double t, double *g, zvError *error) {
    in->stepper->at(in, t, in->events.y);
    return look(in, t, in->events.y, g, error);
}

/* A function that fired counts as zero when the caller starts anew at the event: otherwise the last bit of a ball's
 * height at the impact would decide whether it is said to rise through the floor. Guards only fall. */
zvStatus zi_events_start(zvIntegrator *in, zvError *error) {
    ziEvents *e = &in->events;
    int count = in->ode.event_count;
    if (count == 0) return ZV_OK;
    zvStatus status = look(in, in->t, in->y, e->lo, error);
    if (status < 0) return status;
    for (int i = 0; i < count; i++) {
        if (!e->any_fired || !e->fired[i] || zi_is_guard(in, i)) e->band[i] = 0;
        double away = zi_is_guard(in, i) ? e->lo[i] : fabs(e->lo[i]);
        e->phase[i] = away <= e->band[i] ? ZI_LEAVING : ZI_WATCHED;
        e->fired[i] = 0;
    }
    e->any_fired = false;
    e->past_gap = 0;
    zi_guards_start(in);
    return ZV_OK;
}

void zi_events_forget(zvIntegrator *in) {
    ziEvents *e = &in->events;
    for (int i = 0; i < in->ode.event_count; i++) {
        e->fired[i] = 0;
        if (e->any_fired) e->band[i] = 0;
    }
    e->any_fired = false;
}

/* Functions that were zero at the start: their sign shortly after it counts. */
static zvStatus leave_zeros(zvIntegrator *in, double *right, bool *fell, zvError *error) {
    ziEvents *e = &in->events;
    bool any = false;
    for (int i = 0; i < in->ode.event_count; i++) any |= e->phase[i] == ZI_LEAVING;
    double shortly = in->t_before + fmax(1e-4 * (in->t - in->t_before), 8 * DBL_EPSILON * fabs(in->t));
    if (!any || shortly >= in->t) return ZV_OK;
    zvStatus status = zi_events_inside(in, shortly, e->mid, error);
    for (int i = 0; status >= 0 && i < in->ode.event_count; i++) {
        if (e->phase[i] != ZI_LEAVING || zi_is_guard(in, i) || fabs(e->mid[i]) <= e->band[i]) continue;
        e->phase[i] = ZI_WATCHED;
        e->lo[i] = e->mid[i];
    }
    return status < 0 || !in->ode.guards ? status : zi_guards_leave(in, shortly, right, fell, error);
}

/* Guards may rise: they fire when they fall. */
static bool crosses(const zvIntegrator *in, int i, const double *right) {
    const ziEvents *e = &in->events;
    if (e->phase[i] != ZI_WATCHED) return false;
    return (e->lo[i] > 0 && right[i] <= 0) || (e->lo[i] < 0 && right[i] >= 0 && !zi_is_guard(in, i));
}

static bool any_crosses(const zvIntegrator *in, const double *right) {
    for (int i = 0; i < in->ode.event_count; i++) {
        if (crosses(in, i, right)) return true;
    }
    return false;
}

/* Where in (0, 1) the first secant is zero; weights below 1 pull it away from an end that stays too long. */
static double secant(const zvIntegrator *in, double weight_lo, double weight_hi) {
    const ziEvents *e = &in->events;
    double first = 1;
    for (int i = 0; i < in->ode.event_count; i++) {
        if (!crosses(in, i, e->hi)) continue;
        double lo = weight_lo * fabs(e->lo[i]), hi = weight_hi * fabs(e->hi[i]);
        first = fmin(first, lo / (lo + hi));
    }
    return first;
}

static void swap(double **a, double **b) {
    double *keep = *a;
    *a = *b;
    *b = keep;
}

/* Shrinks [lo, hi] until it is as narrow as rounding of t allows; *event = its right end. */
static zvStatus shrink(zvIntegrator *in, double lo, double hi, double *event, zvError *error) {
    ziEvents *e = &in->events;
    int side = 0;
    double narrow = 16 * DBL_EPSILON * (fabs(hi) + (hi - lo)), weight_lo = 1, weight_hi = 1;
    for (int turn = 1; hi - lo > narrow && turn < 200; turn++) {
        double part = turn % 4 == 0 ? 0.5 : secant(in, weight_lo, weight_hi);
        double mid = fmin(fmax(lo + part * (hi - lo), lo + narrow / 2), hi - narrow / 2);
        zvStatus status = zi_events_inside(in, mid, e->mid, error);
        if (status < 0) return status;
        if (any_crosses(in, e->mid)) {
            hi = mid;
            swap(&e->hi, &e->mid);
            weight_hi = 1;
            weight_lo = side == 1 ? weight_lo / 2 : 1;
            side = 1;
        } else {
            lo = mid;
            swap(&e->lo, &e->mid);
            weight_lo = 1;
            weight_hi = side == -1 ? weight_hi / 2 : 1;
            side = -1;
        }
    }
    *event = hi;
    return ZV_OK;
}

static void note_fired(zvIntegrator *in) {
    ziEvents *e = &in->events;
    e->any_fired = true;
    for (int i = 0; i < in->ode.event_count; i++) {
        e->fired[i] = !crosses(in, i, e->hi) ? 0 : e->hi[i] > e->lo[i] ? 1 : -1;
        e->band[i] = 4 * (fabs(e->lo[i]) + fabs(e->hi[i]));
    }
}

/* Projecting moves the state a little and may undo the change of sign; then a moment later is the event, so that who
 * goes on from here, with or without a start, does not meet it again. hi becomes the values at the projected state. */
static zvStatus project_event(zvIntegrator *in, double last, zvError *error) {
    ziEvents *e = &in->events;
    int count = in->ode.event_count;
    for (double later = 16 * DBL_EPSILON * (fabs(last) + (last - in->t_before));; later *= 2) {
        if (zi_call_project(in, in->t, in->y)) return zi_trouble_fail(in, "the projection", error);
        zvStatus status = look(in, in->t, in->y, e->mid, error);
        if (status < 0) return status;
        bool changed = true;
        for (int i = 0; i < count; i++) changed &= !e->fired[i] || e->mid[i] * e->fired[i] >= 0;
        if (changed || in->t >= last) break;
        in->t = fmin(in->t + later, last);
        in->stepper->at(in, in->t, in->y);
    }
    swap(&e->hi, &e->mid);
    for (int i = 0; i < count; i++) e->band[i] = fmax(e->band[i], 2 * fabs(e->hi[i]));
    return ZV_OK;
}

/* The state becomes that of the event. A one-step method projects it and goes on from there. */
static zvStatus move_to(zvIntegrator *in, double event, zvError *error) {
    double last = in->t;
    if (event < last) in->stepper->at(in, event, in->y);
    in->t = event;
    if (!in->stepper->one_step) return ZV_OK;
    in->cut = true;
    return in->ode.project ? project_event(in, last, error) : ZV_OK;
}

/* Guards that leave zero downwards fire where the step began. */
static void stay(zvIntegrator *in) {
    if (in->t_before > in->from) {
        in->stepper->at(in, in->t_before, in->y);
    } else {
        memcpy(in->y, in->y_from, (size_t)in->size * sizeof *in->y);
    }
    in->t = in->t_before;
    in->cut = in->stepper->one_step;
    in->events.any_fired = true;
    memcpy(in->events.hi, in->events.lo, (size_t)in->ode.event_count * sizeof *in->events.lo);
}

/* The values at t become the left ones. */
static void go_on(zvIntegrator *in, bool found) {
    ziEvents *e = &in->events;
    swap(&e->past, &e->lo);
    swap(&e->lo, &e->hi);
    e->past_gap = found ? 0 : in->t - in->t_before;
    for (int i = 0; i < in->ode.event_count; i++) {
        double g = e->lo[i];
        if (!zi_is_guard(in, i)) {
            bool resting = e->phase[i] == ZI_LEAVING && fabs(g) <= e->band[i];
            e->phase[i] = g == 0 || resting ? ZI_LEAVING : ZI_WATCHED;
        } else if (e->fired[i]) {
            e->phase[i] = ZI_BELOW;
        } else if (e->phase[i] == ZI_BELOW && g > 0) {
            e->phase[i] = ZI_WATCHED;
        } else if (e->phase[i] == ZI_WATCHED && g <= 0) { /* another's projection has moved it */
            e->phase[i] = ZI_LEAVING;
            e->band[i] = 0;
        }
    }
}

zvStatus zi_events_search(zvIntegrator *in, bool *found, zvError *error) {
    ziEvents *e = &in->events;
    double right = in->t;
    bool fell = false;
    *found = false;
    if (in->ode.event_count == 0) return ZV_OK;
    zvStatus status = look(in, in->t, in->y, e->hi, error);
    if (status >= 0) status = leave_zeros(in, &right, &fell, error);
    if (status >= 0 && in->ode.guards && !fell) status = zi_guards_dip(in, &right, error);
    if (status < 0) return status;
    if (fell) {
        stay(in);
        *found = true;
    } else if (any_crosses(in, e->hi)) {
        status = shrink(in, in->t_before, right, &right, error);
        if (status < 0) return status;
        note_fired(in);
        status = move_to(in, right, error);
        *found = true;
    }
    go_on(in, *found);
    return status;
}
