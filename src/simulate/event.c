/* Functions of events and their rates, and what counts as one moment. */
#include "simulate/event.h"

#include <float.h>
#include <math.h>

#include "simulate/scenario.h"

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Signed so that limits and planes are positive on the allowed side. */
double zi_event_value(ziEventSet *t, int event) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    if (e->kind == ZI_EVENT_LIMIT) return e->side * (e->value - (e->ratio * s->q[e->q_index] + e->offset));
    if (e->kind == ZI_EVENT_TIME) return e->value - s->t;
    if (e->kind == ZI_EVENT_PLANE) {
        zvPose pose;
        zi_system_frame(s, e->frame, &pose, NULL);
        return dot(e->normal, pose.p) - e->value;
    }
    t->observer->reactions_known = false;
    zi_observe_channel(t->observer, e->channel, NULL, t->channel);
    return t->channel[e->entry] - e->value;
}

double zi_event_rate(ziEventSet *t, int event) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    zvPose pose;
    double velocity[6];
    if (e->kind == ZI_EVENT_LIMIT) return -e->side * e->ratio * s->v[e->v_index];
    zi_system_frame(s, e->frame, &pose, velocity);
    return dot(e->normal, velocity);
}

double zi_event_second_rate(ziEventSet *t, int event) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    double x[6];
    if (e->kind == ZI_EVENT_LIMIT) return -e->side * e->ratio * s->efforts->a[e->v_index];
    zv_frame_acceleration(s->model, s->work, s->q, s->v, s->efforts->a, e->frame, ZV_AXES_WORLD, x);
    return dot(e->normal, x);
}

double zi_event_moment(const ziEventSet *t, double time) {
    return fmax(1e-9 * t->system->scenario->duration, 1024 * DBL_EPSILON * fabs(time));
}
