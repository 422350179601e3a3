/* Guards: event functions that must not fall below zero. Two ways of doing so show no change of sign at the ends of a
 * step: to leave zero downwards where the integration starts, and to dip below zero and come back. */
#include <float.h>
#include <math.h>

#include "integrate/method.h"

static void swap(double **a, double **b) {
    double *keep = *a;
    *a = *b;
    *b = keep;
}

/* Leaving zero -------------------------------------------------------------------------------------------- */

/* Rounding of a guard: what it changes by when every unknown moves by some of its last bits. */
void zi_guards_start(zvIntegrator *in) {
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

typedef enum Way { STAYS, RISES, FALLS, RISES_BELOW } Way;

/* A guard that starts below zero, as no guard should, must not fall further. */
static Way way_of(const ziEvents *e, int i, double g) {
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
        zvStatus status = zi_events_inside(in, in->t_before + after, e->mid, error);
        if (status < 0) return status;
        Way way = way_of(e, i, e->mid[i]);
        if (way == FALLS) continue;
        *rose = way == RISES;
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
    return zi_events_inside(in, t, e->hi, error);
}

zvStatus zi_guards_leave(zvIntegrator *in, double shortly, double *right, bool *fell, zvError *error) {
    ziEvents *e = &in->events;
    double end = in->t;
    zvStatus status = ZV_OK;
    for (int i = 0; i < in->ode.event_count; i++) {
        if (!zi_is_guard(in, i) || e->phase[i] != ZI_LEAVING) continue;
        Way way = way_of(e, i, e->mid[i]);
        if (way == RISES) e->lo[i] = e->mid[i];
        if (way == RISES) e->phase[i] = ZI_WATCHED;
        if (way == RISES_BELOW) e->phase[i] = ZI_BELOW;
        /* look_earlier overwrites mid: fetched again for the guards that follow */
        if (way == FALLS) {
            status = fall(in, i, shortly, right, fell, error);
            if (status >= 0) status = zi_events_inside(in, shortly, e->mid, error);
        }
        if (status < 0) return status;
    }
    for (int i = 0; *right == end && !*fell && status >= 0 && i < in->ode.event_count; i++) {
        if (!zi_is_guard(in, i) || e->phase[i] != ZI_LEAVING) continue;
        Way way = way_of(e, i, e->hi[i]);
        if (way == RISES) e->phase[i] = ZI_WATCHED, e->lo[i] = e->hi[i];
        if (way == RISES_BELOW) e->phase[i] = ZI_BELOW;
        if (way == FALLS) status = fall(in, i, end, right, fell, error);
    }
    return status;
}

/* Dips ---------------------------------------------------------------------------------------------------- */

typedef struct Point {
    double x, g; /* time after t_before, value */
} Point;

/* Whether guard i could reach zero inside a step of length h. Slopes at its ends, from the step before, tell about how
 * far it may swing; a parabola would come down by half of that at the most. Costs no evaluation. */
static bool may_dip(const ziEvents *e, int i, double h) {
    if (e->past_gap == 0) return true;
    double before = (e->lo[i] - e->past[i]) / e->past_gap, now = (e->hi[i] - e->lo[i]) / h;
    double left = (before * h + now * e->past_gap) / (h + e->past_gap), right = 2 * now - left;
    return fmin(e->lo[i], e->hi[i]) < h * (fabs(left) + fabs(right)) / 2;
}

static zvStatus probe(zvIntegrator *in, int i, Point *p, zvError *error) {
    zvStatus status = zi_events_inside(in, in->t_before + p->x, in->events.mid, error);
    p->g = in->events.mid[i];
    return status;
}

/* The vertex of the parabola through three points; x = p[1].x when there is none. */
static Point vertex(const Point p[3]) {
    double a = p[1].x - p[0].x, b = p[2].x - p[1].x;
    double left = (p[1].g - p[0].g) / a, right = (p[2].g - p[1].g) / b, bend = (right - left) / (a + b);
    if (!(bend > 0)) return p[1];
    double slope = (left * b + right * a) / (a + b), shift = -slope / (2 * bend);
    return (Point){p[1].x + shift, p[1].g + 0.5 * slope * shift};
}

/* p[1] is lower than its neighbours: the minimum lies between them. Ends at a point below zero, or when none is to be
 * expected. */
static zvStatus descend(zvIntegrator *in, int i, Point p[3], Point *lowest, zvError *error) {
    const double golden = 0.381966;
    for (int turn = 0; turn < 12; turn++) {
        Point next = vertex(p);
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
static zvStatus find_dip(zvIntegrator *in, int i, double h, Point *lowest, zvError *error) {
    const ziEvents *e = &in->events;
    const Point first = {0, e->lo[i]}, last = {h, e->hi[i]};
    Point left = {h / 64, 0}, right = {h - h / 64, 0};
    zvStatus status = probe(in, i, &left, error);
    *lowest = left;
    if (status < 0 || left.g < 0 || left.g >= first.g) return status;
    status = probe(in, i, &right, error);
    *lowest = right;
    if (status < 0 || right.g < 0 || right.g >= last.g) return status;
    double down = first.g - left.g, up = last.g - right.g;
    Point middle = {fmin(fmax(h * down / (down + up), h / 32), h - h / 32), 0};
    status = probe(in, i, &middle, error);
    *lowest = middle;
    if (status < 0 || middle.g < 0) return status;
    if (left.g < middle.g && left.g <= right.g) return descend(in, i, (Point[]){first, left, middle}, lowest, error);
    if (right.g < middle.g) return descend(in, i, (Point[]){middle, right, last}, lowest, error);
    return descend(in, i, (Point[]){left, middle, right}, lowest, error);
}

zvStatus zi_guards_dip(zvIntegrator *in, double *right, zvError *error) {
    ziEvents *e = &in->events;
    for (int i = 0; i < in->ode.event_count; i++) {
        double h = *right - in->t_before;
        if (!zi_is_guard(in, i) || e->phase[i] != ZI_WATCHED || e->lo[i] <= 0 || e->hi[i] <= 0) continue;
        if (!may_dip(e, i, h)) continue;
        Point lowest;
        zvStatus status = find_dip(in, i, h, &lowest, error);
        if (status < 0) return status;
        if (lowest.g >= 0) continue;
        *right = in->t_before + lowest.x;
        swap(&e->hi, &e->mid);
        i = -1; /* another may dip earlier still; each moves the end once at the most */
    }
    return ZV_OK;
}
