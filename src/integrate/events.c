/* Location of the first zero of the event functions inside a step, on the method's own interpolant.
 *
 * As in CVODE's rootfinder [Hindmarsh], a bracket shrinks by the secant with halved weights (Illinois), for the
 * function whose secant crosses first; it ends at its right end, where the sign has changed, so that going on does not
 * find the same zero again. */

#include "integrate/method.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void swap(double **a, double **b) {
    double *keep = *a;
    *a = *b;
    *b = keep;
}

/* Arrays for the values at both ends of a bracket and between; 0 when out of memory. */
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

static zvStatus evaluate_events(zvIntegrator *in, double t, const double *y, double *g, zvError *error) {
    return zi_call_events(in, t, y, g) ? zi_trouble_fail(in, "an event function", error) : ZV_OK;
}

/* The functions at a time inside the step. */
static zvStatus events_inside(zvIntegrator *in, double t, double *g, zvError *error) {
    in->stepper->at(in, t, in->events.y);
    return evaluate_events(in, t, in->events.y, g, error);
}

/* Guards: event functions that must not fall below zero. Two ways of doing so show no change of sign at the ends of a
 * step: to leave zero downwards where the integration starts, and to dip below zero and come back. */

/* Leaving zero -------------------------------------------------------------------------------------------- */

/* Rounding of a guard: what it changes by when every unknown moves by some of its last bits. */
static void guards_start(zvIntegrator *in) {
    ziEvents *e = &in->events;
    bool any = false;
    for (int i = 0; i < in->ode.event_count; i++) any |= zi_is_guard(in, i) && e->phase[i] == ZI_LEAVING;
    if (!any) return;
    for (int i = 0; i < in->ode.size; i++) { /* not all alike: differences of unknowns are to be seen too */
        e->y[i] = in->y[i] * (1 + (i % 2 ? -1 : 1) * (4 + i % 3) * DBL_EPSILON);
    }
    ziTrouble trouble = in->trouble;
    bool known = zi_call_events(in, in->t, e->y, e->mid) == 0;
    in->trouble = trouble;
    for (int i = 0; known && i < in->ode.event_count; i++) {
        if (zi_is_guard(in, i)) e->band[i] = fabs(e->mid[i] - e->lo[i]);
    }
}

typedef enum Crossing { STAYS, RISES, FALLS, RISES_BELOW } Crossing;

/* A guard that starts below zero, as no guard should, must not fall further. */
static Crossing crossing_of(const ziEvents *e, int i, double g) {
    double base = e->lo[i] < -e->band[i] ? e->lo[i] : 0;
    if (g > e->band[i]) return RISES;
    if (g < base - e->band[i]) return FALLS;
    return base < 0 && g > base + e->band[i] ? RISES_BELOW : STAYS;
}

/* Guard i is below zero at t. Was it above zero before, in a flight shorter than we first looked? */
static zvStatus look_earlier(zvIntegrator *in, int i, double t, bool *rose, zvError *error) {
    ziEvents *e = &in->events;
    double least = 8 * DBL_EPSILON * fabs(t);
    *rose = false;
    for (double after = (t - in->t_before) / 16; after > least; after /= 16) {
        zvStatus status = events_inside(in, in->t_before + after, e->mid, error);
        if (status < 0) return status;
        Crossing crossing = crossing_of(e, i, e->mid[i]);
        if (crossing == FALLS) continue;
        *rose = crossing == RISES;
        if (*rose) e->lo[i] = e->mid[i];
        break;
    }
    return ZV_OK;
}

/* Guard i falls, seen at t, where mid holds the values if t is not the end of the step. */
static zvStatus fall(zvIntegrator *in, int i, double t, double *right, bool *fell, zvError *error) {
    ziEvents *e = &in->events;
    bool rose;
    zvStatus status = look_earlier(in, i, t, &rose, error);
    if (status < 0) return status;
    if (!rose) {
        e->fired[i] = -1;
        *fell = true;
        return ZV_OK;
    }
    e->phase[i] = ZI_WATCHED;
    if (t >= *right) return ZV_OK;
    *right = t;
    return events_inside(in, t, e->hi, error);
}

/* Guards that are leaving zero in this step; e->mid holds the values at `shortly` after its beginning. *fell: some left
 * downwards at once; fired tells which. One that rose first and fell then moves the right end of the search, with hi.
 */
static zvStatus guards_leave(zvIntegrator *in, double shortly, double *right, bool *fell, zvError *error) {
    ziEvents *e = &in->events;
    double end = in->t;
    zvStatus status = ZV_OK;
    for (int i = 0; i < in->ode.event_count; i++) {
        if (!zi_is_guard(in, i) || e->phase[i] != ZI_LEAVING) continue;
        Crossing crossing = crossing_of(e, i, e->mid[i]);
        if (crossing == RISES) e->lo[i] = e->mid[i];
        if (crossing == RISES) e->phase[i] = ZI_WATCHED;
        if (crossing == RISES_BELOW) e->phase[i] = ZI_BELOW;
        /* look_earlier overwrites mid: fetched again for the guards that follow */
        if (crossing == FALLS) {
            status = fall(in, i, shortly, right, fell, error);
            if (status >= 0) status = events_inside(in, shortly, e->mid, error);
        }
        if (status < 0) return status;
    }
    for (int i = 0; *right == end && !*fell && status >= 0 && i < in->ode.event_count; i++) {
        if (!zi_is_guard(in, i) || e->phase[i] != ZI_LEAVING) continue;
        Crossing crossing = crossing_of(e, i, e->hi[i]);
        if (crossing == RISES) e->phase[i] = ZI_WATCHED, e->lo[i] = e->hi[i];
        if (crossing == RISES_BELOW) e->phase[i] = ZI_BELOW;
        if (crossing == FALLS) status = fall(in, i, end, right, fell, error);
    }
    return status;
}

/* Dips ---------------------------------------------------------------------------------------------------- */

typedef struct EventPoint {
    double x, g; /* time after t_before, value */
} EventPoint;

/* Whether guard i could reach zero inside a step of length h. Slopes at its ends, from the step before, tell about how
 * far it may swing; a parabola would come down by half of that at the most. Costs no evaluation. */
static bool may_dip(const ziEvents *e, int i, double h) {
    if (e->past_gap == 0) return true;
    double before = (e->lo[i] - e->past[i]) / e->past_gap, now = (e->hi[i] - e->lo[i]) / h;
    double left = (before * h + now * e->past_gap) / (h + e->past_gap), right = 2 * now - left;
    return fmin(e->lo[i], e->hi[i]) < h * (fabs(left) + fabs(right)) / 2;
}

static zvStatus probe(zvIntegrator *in, int i, EventPoint *p, zvError *error) {
    zvStatus status = events_inside(in, in->t_before + p->x, in->events.mid, error);
    p->g = in->events.mid[i];
    return status;
}

/* The vertex of the parabola through three points; x = p[1].x when there is none. */
static EventPoint vertex(const EventPoint p[3]) {
    double a = p[1].x - p[0].x, b = p[2].x - p[1].x;
    double left = (p[1].g - p[0].g) / a, right = (p[2].g - p[1].g) / b, bend = (right - left) / (a + b);
    if (!(bend > 0)) return p[1];
    double slope = (left * b + right * a) / (a + b), shift = -slope / (2 * bend);
    return (EventPoint){p[1].x + shift, p[1].g + 0.5 * slope * shift};
}

/* p[1] is lower than its neighbours: the minimum lies between them. Ends at a point below zero, or when none is to be
 * expected. */
static zvStatus descend(zvIntegrator *in, int i, EventPoint p[3], EventPoint *lowest, zvError *error) {
    const double golden = 0.381966;
    for (int turn = 0; turn < 12; turn++) {
        EventPoint next = vertex(p);
        double width = p[2].x - p[0].x, near = 1e-3 * width;
        if (next.g > 0 && p[1].g - next.g < 0.05 * p[1].g && turn > 0) return ZV_OK;
        if (!(fabs(next.x - p[1].x) > near && next.x > p[0].x + near && next.x < p[2].x - near)) {
            bool wider_left = p[1].x - p[0].x > p[2].x - p[1].x;
            next.x = p[1].x + golden * (wider_left ? p[0].x - p[1].x : p[2].x - p[1].x);
        }
        zvStatus status = probe(in, i, &next, error);
        *lowest = next;
        if (status < 0 || next.g < 0) return status;
        bool left = next.x < p[1].x;
        if (next.g < p[1].g) {
            p[left ? 2 : 0] = p[1];
            p[1] = next;
        } else {
            p[left ? 0 : 2] = next;
        }
    }
    return ZV_OK;
}

/* Looks for a point of guard i below zero in (0, h): only if it falls at the left end and rises at the right one. The
 * last point looked at, with its values in mid, is *lowest. */
static zvStatus find_dip(zvIntegrator *in, int i, double h, EventPoint *lowest, zvError *error) {
    const ziEvents *e = &in->events;
    const EventPoint first = {0, e->lo[i]}, last = {h, e->hi[i]};
    EventPoint left = {h / 64, 0}, right = {h - h / 64, 0};
    zvStatus status = probe(in, i, &left, error);
    *lowest = left;
    if (status < 0 || left.g < 0 || left.g >= first.g) return status;
    status = probe(in, i, &right, error);
    *lowest = right;
    if (status < 0 || right.g < 0 || right.g >= last.g) return status;
    double down = first.g - left.g, up = last.g - right.g;
    EventPoint middle = {fmin(fmax(h * down / (down + up), h / 32), h - h / 32), 0};
    status = probe(in, i, &middle, error);
    *lowest = middle;
    if (status < 0 || middle.g < 0) return status;
    if (left.g < middle.g && left.g <= right.g)
        return descend(in, i, (EventPoint[]){first, left, middle}, lowest, error);
    if (right.g < middle.g) return descend(in, i, (EventPoint[]){middle, right, last}, lowest, error);
    return descend(in, i, (EventPoint[]){left, middle, right}, lowest, error);
}

/* Guards above zero at both ends of [t_before, *right] that are below it between: then *right moves there, with hi. */
static zvStatus guards_dip(zvIntegrator *in, double *right, zvError *error) {
    ziEvents *e = &in->events;
    for (int i = 0; i < in->ode.event_count; i++) {
        double h = *right - in->t_before;
        if (!zi_is_guard(in, i) || e->phase[i] != ZI_WATCHED || e->lo[i] <= 0 || e->hi[i] <= 0) continue;
        if (!may_dip(e, i, h)) continue;
        EventPoint lowest;
        zvStatus status = find_dip(in, i, h, &lowest, error);
        if (status < 0) return status;
        if (lowest.g >= 0) continue;
        *right = in->t_before + lowest.x;
        swap(&e->hi, &e->mid);
        i = -1; /* another may dip earlier still; each moves the end once at the most */
    }
    return ZV_OK;
}

/* A function that fired counts as zero when the caller starts anew at the event: otherwise the last bit of a ball's
 * height at the impact would decide whether it is said to rise through the floor. Guards only fall. */
zvStatus zi_events_start(zvIntegrator *in, zvError *error) {
    ziEvents *e = &in->events;
    int count = in->ode.event_count;
    if (count == 0) return ZV_OK;
    zvStatus status = evaluate_events(in, in->t, in->y, e->lo, error);
    if (status < 0) return status;
    for (int i = 0; i < count; i++) {
        if (!e->any_fired || !e->fired[i] || zi_is_guard(in, i)) e->band[i] = 0;
        double away = zi_is_guard(in, i) ? e->lo[i] : fabs(e->lo[i]);
        e->phase[i] = away <= e->band[i] ? ZI_LEAVING : ZI_WATCHED;
        e->fired[i] = 0;
    }
    e->any_fired = false;
    e->past_gap = 0;
    guards_start(in);
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
    zvStatus status = events_inside(in, shortly, e->mid, error);
    for (int i = 0; status >= 0 && i < in->ode.event_count; i++) {
        if (e->phase[i] != ZI_LEAVING || zi_is_guard(in, i) || fabs(e->mid[i]) <= e->band[i]) continue;
        e->phase[i] = ZI_WATCHED;
        e->lo[i] = e->mid[i];
    }
    return status < 0 || !in->ode.guards ? status : guards_leave(in, shortly, right, fell, error);
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

/* Shrinks [lo, hi] until it is as narrow as rounding of t allows, by the Illinois variant of the secant and every
 * fourth time by bisection; *event = its right end. */
static zvStatus shrink(zvIntegrator *in, double lo, double hi, double *event, zvError *error) {
    ziEvents *e = &in->events;
    int side = 0;
    double narrow = 16 * DBL_EPSILON * (fabs(hi) + (hi - lo)), weight_lo = 1, weight_hi = 1;
    for (int turn = 1; hi - lo > narrow && turn < 200; turn++) {
        double part = turn % 4 == 0 ? 0.5 : secant(in, weight_lo, weight_hi);
        double mid = fmin(fmax(lo + part * (hi - lo), lo + narrow / 2), hi - narrow / 2);
        zvStatus status = events_inside(in, mid, e->mid, error);
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
        zvStatus status = evaluate_events(in, in->t, in->y, e->mid, error);
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

/* Prepares the search in the next step: the values at t become the left ones, and the phase of each event follows from
 * them. */
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

/* Zeros left at the start, then dips of guards, then changes of sign; the first one in time counts. */
zvStatus zi_events_search(zvIntegrator *in, bool *found, zvError *error) {
    ziEvents *e = &in->events;
    double right = in->t;
    bool fell = false;
    *found = false;
    if (in->ode.event_count == 0) return ZV_OK;
    zvStatus status = evaluate_events(in, in->t, in->y, e->hi, error);
    if (status >= 0) status = leave_zeros(in, &right, &fell, error);
    if (status >= 0 && in->ode.guards && !fell) status = guards_dip(in, &right, error);
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
