/* Location of the first zero of the event functions inside a step, on the method's own interpolant.
 *
 * As in CVODE's rootfinder [Hindmarsh], a bracket shrinks by the secant with halved weights (Illinois), for the
 * function whose secant crosses first; it ends at its right end, where the sign has changed, so that going on does not
 * find the same zero again. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/method.h"

int zv_events_create(zvIntegrator *in) {
    zvEvents *e = &in->events;
    size_t count = (size_t)in->ode.event_count;
    e->fired = zv_arena_alloc(&in->arena, count * sizeof *e->fired);
    e->waiting = zv_arena_alloc(&in->arena, count);
    e->lo = zv_arena_alloc(&in->arena, count * sizeof *e->lo);
    e->hi = zv_arena_alloc(&in->arena, count * sizeof *e->hi);
    e->mid = zv_arena_alloc(&in->arena, count * sizeof *e->mid);
    e->band = zv_arena_alloc(&in->arena, count * sizeof *e->band);
    e->y = zv_arena_alloc(&in->arena, count ? (size_t)in->size * sizeof *e->y : 0);
    return e->fired && e->waiting && e->lo && e->hi && e->mid && e->band && e->y;
}

static zvStatus look(zvIntegrator *in, double t, const double *y, double *g, zvError *error) {
    return zv_call_events(in, t, y, g) ? zv_trouble_fail(in, "an event function", error) : ZV_OK;
}

static zvStatus look_inside(zvIntegrator *in, double t, double *g, zvError *error) {
    in->stepper->at(in, t, in->events.y);
    return look(in, t, in->events.y, g, error);
}

/* A function that fired counts as zero when the caller starts anew at the event: otherwise the last bit of a ball's
 * height at the impact would decide whether it is said to rise through the floor. */
zvStatus zv_events_start(zvIntegrator *in, zvError *error) {
    zvEvents *e = &in->events;
    int count = in->ode.event_count;
    if (count == 0) return ZV_OK;
    zvStatus status = look(in, in->t, in->y, e->lo, error);
    if (status < 0) return status;
    for (int i = 0; i < count; i++) {
        if (!e->any_fired || !e->fired[i]) e->band[i] = 0;
        e->waiting[i] = fabs(e->lo[i]) <= e->band[i];
        e->fired[i] = 0;
    }
    e->any_fired = false;
    return ZV_OK;
}

void zv_events_forget(zvIntegrator *in) {
    zvEvents *e = &in->events;
    for (int i = 0; i < in->ode.event_count; i++) {
        e->fired[i] = 0;
        if (e->any_fired) e->band[i] = 0;
    }
    e->any_fired = false;
}

/* Functions that were zero at the start: their sign shortly after it counts. */
static zvStatus leave_zeros(zvIntegrator *in, zvError *error) {
    zvEvents *e = &in->events;
    int any = 0;
    for (int i = 0; i < in->ode.event_count; i++) any |= e->waiting[i];
    double shortly = in->t_before + fmax(1e-4 * (in->t - in->t_before), 8 * DBL_EPSILON * fabs(in->t));
    if (!any || shortly >= in->t) return ZV_OK;
    zvStatus status = look_inside(in, shortly, e->mid, error);
    for (int i = 0; status >= 0 && i < in->ode.event_count; i++) {
        if (!e->waiting[i] || fabs(e->mid[i]) <= e->band[i]) continue;
        e->waiting[i] = 0;
        e->lo[i] = e->mid[i];
    }
    return status;
}

static bool crosses(const zvEvents *e, int i, const double *right) {
    return !e->waiting[i] && ((e->lo[i] > 0 && right[i] <= 0) || (e->lo[i] < 0 && right[i] >= 0));
}

static bool any_crosses(const zvEvents *e, int count, const double *right) {
    for (int i = 0; i < count; i++) {
        if (crosses(e, i, right)) return true;
    }
    return false;
}

/* Where in (0, 1) the first secant is zero; weights below 1 pull it away from an end that stays too long. */
static double secant(const zvEvents *e, int count, double weight_lo, double weight_hi) {
    double first = 1;
    for (int i = 0; i < count; i++) {
        if (!crosses(e, i, e->hi)) continue;
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
    zvEvents *e = &in->events;
    int count = in->ode.event_count, side = 0;
    double narrow = 16 * DBL_EPSILON * (fabs(hi) + (hi - lo)), weight_lo = 1, weight_hi = 1;
    for (int turn = 1; hi - lo > narrow && turn < 200; turn++) {
        double part = turn % 4 == 0 ? 0.5 : secant(e, count, weight_lo, weight_hi);
        double mid = fmin(fmax(lo + part * (hi - lo), lo + narrow / 2), hi - narrow / 2);
        zvStatus status = look_inside(in, mid, e->mid, error);
        if (status < 0) return status;
        if (any_crosses(e, count, e->mid)) {
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

static void note_fired(zvEvents *e, int count) {
    e->any_fired = true;
    for (int i = 0; i < count; i++) {
        e->fired[i] = !crosses(e, i, e->hi) ? 0 : e->hi[i] > e->lo[i] ? 1 : -1;
        e->band[i] = 4 * (fabs(e->lo[i]) + fabs(e->hi[i]));
    }
}

/* Projecting moves the state a little and may undo the change of sign; then a moment later is the event, so that who
 * goes on from here, with or without a start, does not meet it again. hi becomes the values at the projected state. */
static zvStatus project_event(zvIntegrator *in, double last, zvError *error) {
    zvEvents *e = &in->events;
    int count = in->ode.event_count;
    for (double later = 16 * DBL_EPSILON * (fabs(last) + (last - in->t_before));; later *= 2) {
        if (zv_call_project(in, in->t, in->y)) return zv_trouble_fail(in, "the projection", error);
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

zvStatus zv_events_search(zvIntegrator *in, bool *found, zvError *error) {
    zvEvents *e = &in->events;
    int count = in->ode.event_count;
    *found = false;
    if (count == 0) return ZV_OK;
    zvStatus status = look(in, in->t, in->y, e->hi, error);
    if (status >= 0) status = leave_zeros(in, error);
    if (status < 0) return status;
    if (any_crosses(e, count, e->hi)) {
        double event = in->t;
        status = shrink(in, in->t_before, in->t, &event, error);
        if (status < 0) return status;
        note_fired(e, count);
        status = move_to(in, event, error);
        *found = true;
    }
    swap(&e->lo, &e->hi);
    for (int i = 0; i < count; i++) e->waiting[i] = e->lo[i] == 0 || (e->waiting[i] && fabs(e->lo[i]) <= e->band[i]);
    return status;
}
