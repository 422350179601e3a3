#include "simulate/triggers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/channel.h"

static const zvMark nowhere = {0};

/* Functions ------------------------------------------------------------------------------------------ */

/* Value of an event's function at the state shown; positive on the allowed side of limits and planes. */
static double function_of(zvTriggers *t, const zvEventSpec *e) {
    zvSystem *s = t->system;
    if (e->kind == ZV_EVENT_LIMIT) return e->side * (e->value - s->q[e->q_index]);
    if (e->kind == ZV_EVENT_PLANE) {
        zvPose pose;
        zv_frame_pose(s->model, s->work, s->q, e->frame, &pose);
        return e->normal[0] * pose.p[0] + e->normal[1] * pose.p[1] + e->normal[2] * pose.p[2] - e->value;
    }
    t->observer->reactions_known = false;
    zv_observe_channel(t->observer, e->channel, NULL, t->channel);
    return t->channel[e->entry] - e->value;
}

int zv_triggers_functions(zvTriggers *t, double time, const double *y, double *g) {
    zvSystem *s = t->system;
    zv_system_show(s, time, y);
    if (t->forces && zv_system_accelerate(s) < 0) return 1;
    for (int i = 0; i < t->own; i++) g[i] = function_of(t, &s->scenario->events[i]) + t->shift[i];
    if (t->count > t->own) zv_drives_events(s->drives, s->efforts, s->v, s->modes, g + t->own);
    return 0;
}

/* d/dt of the function of a limit or plane at the state shown. */
static double rate_of(zvTriggers *t, const zvEventSpec *e) {
    zvSystem *s = t->system;
    double velocity[6];
    if (e->kind == ZV_EVENT_LIMIT) return -e->side * s->v[e->v_index];
    zv_frame_velocity(s->model, s->work, s->q, s->v, e->frame, ZV_WORLD_AXES, velocity);
    return e->normal[0] * velocity[0] + e->normal[1] * velocity[1] + e->normal[2] * velocity[2];
}

/* d2/dt2; the state must have been accelerated. */
static double second_rate_of(zvTriggers *t, const zvEventSpec *e) {
    zvSystem *s = t->system;
    double x[6];
    if (e->kind == ZV_EVENT_LIMIT) return -e->side * s->efforts->a[e->v_index];
    zv_frame_acceleration(s->model, s->work, s->q, s->v, s->efforts->a, e->frame, ZV_WORLD_AXES, x);
    return e->normal[0] * x[0] + e->normal[1] * x[1] + e->normal[2] * x[2];
}

bool zv_trigger_counts(const zvTriggers *t, int event, int direction) {
    if (direction == 0) return false;
    if (event >= t->own) return true;
    const zvEventSpec *e = &t->system->scenario->events[event];
    if (e->kind != ZV_EVENT_THRESHOLD) return direction < 0;
    return e->direction == 0 || e->direction == direction;
}

bool zv_trigger_strikes(zvTriggers *t, int event, double time, const double *y) {
    if (event >= t->own || t->system->scenario->events[event].action != ZV_EVENT_BOUNCE) return false;
    zv_system_show(t->system, time, y);
    return rate_of(t, &t->system->scenario->events[event]) < 0;
}

zvStatus zv_triggers_check(zvTriggers *t, double time, const double *y, zvError *error) {
    zvSystem *s = t->system;
    for (int i = 0; i < t->own; i++) {
        const zvEventSpec *e = &s->scenario->events[i];
        if (e->kind == ZV_EVENT_THRESHOLD) continue;
        zv_system_show(s, time, y);
        double at = function_of(t, e), rate = rate_of(t, e);
        if (at == 0 && rate == 0 && zv_system_accelerate(s) >= 0) rate = second_rate_of(t, e);
        if (at > 0 || (at == 0 && rate >= 0)) continue;
        return zv_fail(error, ZV_SCHEMA, nowhere, e->name,
                       "event \"%s\" fires at once: at the start the %s is %g beyond %g; start on its allowed side",
                       e->name, e->kind == ZV_EVENT_LIMIT ? "coordinate" : "frame", -at, e->value);
    }
    return ZV_OK;
}

/* Firing --------------------------------------------------------------------------------------------- */

/* Times shorter than this are no motion: a billionth of the run, or what the clock can tell apart. */
static double vanishing(const zvTriggers *t, double time) {
    return fmax(1e-9 * t->system->scenario->duration, 1024 * DBL_EPSILON * fabs(time));
}

static zvStatus watch_chatter(zvTriggers *t, int event, double time, zvError *error) {
    if (t->often[event] == 0 || time - t->since[event] > vanishing(t, time)) {
        t->since[event] = time;
        t->often[event] = 0;
    }
    t->often[event]++;
    if (t->often[event] <= 100) return ZV_OK;
    return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, zv_trigger_name(t, event),
                   "event \"%s\" fires again and again at t = %.9g s; %s", zv_trigger_name(t, event), time,
                   event < t->own ? "let it stop the run (action: stop), or bounce with a greater restitution"
                                  : "give the friction a smoothing velocity");
}

/* The function's gradient in v at the state shown. */
static void fill_normal(zvTriggers *t, const zvEventSpec *e) {
    zvSystem *s = t->system;
    if (e->kind == ZV_EVENT_LIMIT) {
        memset(t->normal, 0, (size_t)s->nv * sizeof *t->normal);
        t->normal[e->v_index] = -e->side;
        return;
    }
    zv_frame_jacobian(s->model, s->work, s->q, e->frame, ZV_WORLD_AXES, t->J);
    for (int i = 0; i < s->nv; i++) {
        t->normal[i] = e->normal[0] * t->J[i] + e->normal[1] * t->J[s->nv + i] + e->normal[2] * t->J[2 * s->nv + i];
    }
}

/* Newton's impact: the impulse along the normal n turns the approach n.v into -restitution n.v,
 *   dv = -(1 + restitution) (n.v) M^-1 n / (n M^-1 n). */
static zvStatus strike(zvTriggers *t, const zvEventSpec *e, double time, double *y, zvOccurrence *o, zvError *error) {
    zvSystem *s = t->system;
    double yield = 0;
    fill_normal(t, e);
    zvStatus status = zv_jump_kick(&t->jump, t->normal, t->kick);
    for (int i = 0; i < s->nv; i++) yield += t->normal[i] * t->kick[i];
    if (status < 0 || !(yield > 0)) {
        return zv_fail(error, ZV_PHYSICS, nowhere, e->name,
                       "event \"%s\" cannot bounce at t = %.9g s: nothing that is free to move takes the impulse",
                       e->name, time);
    }
    for (int i = 0; i < s->nv; i++) y[s->at_v + i] = s->v[i] - (1 + e->restitution) * o->before / yield * t->kick[i];
    o->after = -e->restitution * o->before;
    return zv_system_settle(s, time, y, error);
}

/* Flights that rise no higher are lost in the error of the steps. */
static double resolved(const zvScenario *scenario) {
    const zvIntegrationOptions *o = &scenario->integration;
    const zvIntegrationMethod *method = o->method ? zv_integration_method_find(o->method) : NULL;
    return method && method->family == ZV_FIXED_STEP ? 0 : 10 * (o->atol + o->rtol);
}

/* After a strike: fails when the next one would follow at once, since resting contact is not modelled. */
static zvStatus watch_rest(zvTriggers *t, const zvEventSpec *e, double time, const double *y, double leaving,
                           zvError *error) {
    zvSystem *s = t->system;
    zv_system_show(s, time, y);
    if (zv_system_accelerate(s) < 0) return ZV_OK; /* the next step will say so */
    const double pull = second_rate_of(t, e), height = -0.5 * leaving * leaving / pull;
    if (!(pull < 0)) return ZV_OK;
    if (2 * leaving > -pull * vanishing(t, time) && height > resolved(s->scenario)) return ZV_OK;
    return zv_fail(
        error, ZV_NO_CONVERGENCE, nowhere, e->name,
        "event \"%s\" comes to rest at t = %.9g s: its bounces follow each other at once, and lasting contact "
        "is not modelled; end the run before, or let the event stop it (action: stop)",
        e->name, time);
}

/* The function is zero here but for rounding and the error of the step. Raised above both it is found to fall again
 * however short the flight. */
static void raise(zvTriggers *t, int event, double time, double rate) {
    const zvScenario *scenario = t->system->scenario;
    const zvEventSpec *e = &scenario->events[event];
    const double slack = fabs(e->value) + (fabs(time) + scenario->duration) * fabs(rate);
    const double again = rate < 0 ? 0 : 2 * t->shift[event];
    t->shift[event] = fmax(again, 1024 * DBL_EPSILON * slack - function_of(t, e));
}

static zvStatus bounce(zvTriggers *t, int event, double time, double *y, zvOutcome *out, zvError *error) {
    const zvEventSpec *e = &t->system->scenario->events[event];
    zvOccurrence *o = &out->occurrence;
    zv_system_show(t->system, time, y);
    o->what = ZV_OCCASION_BOUNCES;
    o->before = o->after = rate_of(t, e);
    out->jumped = true;
    out->happened = o->before < 0; /* else it is leaving: after another impact, or seen so by the error of a step */
    raise(t, event, time, o->before);
    if (!out->happened) return ZV_OK;
    zvStatus status = strike(t, e, time, y, o, error);
    return status < 0 ? status : watch_rest(t, e, time, y, o->after, error);
}

static zvOccasion occasion_of(const char *what) {
    if (strcmp(what, "sticks") == 0) return ZV_OCCASION_STICKS;
    return strcmp(what, "slips forward") == 0 ? ZV_OCCASION_FORWARD : ZV_OCCASION_BACKWARD;
}

static zvStatus change_mode(zvTriggers *t, int event, double time, double *y, zvOutcome *out, zvError *error) {
    zvSystem *s = t->system;
    const char *what = "sticks";
    zv_system_show(s, time, y);
    zvStatus status = zv_drives_switch(s->drives, s->efforts, s->work, event - t->own, zv_system_clock(s, time), s->q,
                                       s->v, s->z, s->modes, &what);
    if (status < 0) {
        return zv_fail(error, status, nowhere, zv_trigger_name(t, event), "%s cannot go on at t = %.9g s: %s",
                       zv_trigger_name(t, event), time, zv_status_sentence(status));
    }
    memcpy(y + s->at_v, s->v, (size_t)s->nv * sizeof *y);
    out->jumped = true;
    out->occurrence.what = occasion_of(what);
    return ZV_OK;
}

zvStatus zv_trigger_fire(zvTriggers *t, int event, int direction, double time, double *y, zvOutcome *out,
                         zvError *error) {
    *out = (zvOutcome){.occurrence = {.t = time, .event = event}};
    if (!zv_trigger_counts(t, event, direction)) return ZV_OK;
    out->happened = true;
    zvStatus status = watch_chatter(t, event, time, error);
    if (status < 0) return status;
    if (event >= t->own) return change_mode(t, event, time, y, out, error);
    const zvEventSpec *e = &t->system->scenario->events[event];
    if (e->action == ZV_EVENT_BOUNCE) return bounce(t, event, time, y, out, error);
    zv_system_show(t->system, time, y);
    out->occurrence.what = direction > 0 ? ZV_OCCASION_RISES : ZV_OCCASION_FALLS;
    if (e->kind != ZV_EVENT_THRESHOLD) out->occurrence.before = out->occurrence.after = rate_of(t, e);
    out->stop = e->action == ZV_EVENT_STOP;
    return ZV_OK;
}

void zv_triggers_relax(zvTriggers *t, double time, const double *y) {
    bool shown = false;
    for (int i = 0; i < t->own; i++) {
        if (t->shift[i] == 0) continue;
        if (!shown) zv_system_show(t->system, time, y);
        shown = true;
        if (function_of(t, &t->system->scenario->events[i]) > 4 * t->shift[i]) t->shift[i] = 0;
    }
}

/* Words ---------------------------------------------------------------------------------------------- */

const char *zv_trigger_name(const zvTriggers *t, int event) {
    if (event < t->own) return t->system->scenario->events[event].name;
    return zv_drives_event_name(t->system->drives, event - t->own);
}

const char *zv_trigger_text(const zvTriggers *t, const zvOccurrence *o, char *buffer, size_t size) {
    static const char *const words[ZV_OCCASIONS] = {[ZV_OCCASION_STICKS] = "sticks",
                                                    [ZV_OCCASION_FORWARD] = "slips forward",
                                                    [ZV_OCCASION_BACKWARD] = "slips backward"};
    if (words[o->what]) {
        snprintf(buffer, size, "%s", words[o->what]);
        return buffer;
    }
    const zvEventSpec *e = &t->system->scenario->events[o->event];
    const bool bounces = o->what == ZV_OCCASION_BOUNCES;
    if (e->kind == ZV_EVENT_THRESHOLD) {
        snprintf(buffer, size, "%s %s through %.9g", t->labels[o->event],
                 o->what == ZV_OCCASION_RISES ? "rises" : "falls", e->value);
    } else if (e->kind == ZV_EVENT_LIMIT) {
        snprintf(buffer, size, "reaches %.9g with velocity %.9g%s", e->value, -e->side * o->before,
                 bounces ? ", bounces" : "");
    } else {
        snprintf(buffer, size, "frame \"%s\" meets the plane with velocity %.9g%s",
                 zv_model_frame(t->system->model, e->frame).name, o->before, bounces ? ", bounces" : "");
    }
    return buffer;
}

/* Creation ------------------------------------------------------------------------------------------- */

static zvStatus label_threshold(zvTriggers *t, int event, zvError *error) {
    zvSystem *s = t->system;
    const zvEventSpec *e = &s->scenario->events[event];
    zvChannel channel;
    zvStatus status = zv_channel_describe(s->scenario, e->channel, &s->arena, &channel, error);
    if (status < 0) return status;
    const size_t size = strlen(channel.name) + strlen(channel.labels[e->entry]) + 2;
    char *text = zv_arena_alloc(&s->arena, size);
    if (!text) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory for the events");
    snprintf(text, size, "%s %s", channel.name, channel.labels[e->entry]);
    t->labels[event] = text;
    t->forces |= zv_channel_needs_forces(e->channel.kind);
    return ZV_OK;
}

static double *doubles(zvTriggers *t, int count) {
    return zv_arena_alloc(&t->system->arena, ((size_t)count + 1) * sizeof(double));
}

static bool make_room(zvTriggers *t) {
    const zvScenario *scenario = t->system->scenario;
    int widest = 0;
    for (int i = 0; i < t->own; i++) {
        const zvEventSpec *e = &scenario->events[i];
        int width = e->kind == ZV_EVENT_THRESHOLD ? zv_channel_width(scenario, e->channel) : 0;
        if (width > widest) widest = width;
    }
    t->shift = doubles(t, t->own);
    t->since = doubles(t, t->count);
    t->often = doubles(t, t->count);
    t->channel = doubles(t, widest);
    t->J = doubles(t, 6 * t->system->nv);
    t->normal = doubles(t, t->system->nv);
    t->kick = doubles(t, t->system->nv);
    t->labels = zv_arena_alloc(&t->system->arena, ((size_t)t->own + 1) * sizeof *t->labels);
    return t->shift && t->since && t->often && t->channel && t->J && t->normal && t->kick && t->labels &&
           zv_jump_create(&t->jump, t->system);
}

zvStatus zv_triggers_create(zvTriggers *t, zvSystem *system, zvObserver *observer, zvError *error) {
    const int modes = zv_drives_nmode(system->drives);
    *t = (zvTriggers){.system = system, .observer = observer, .own = system->scenario->event_count};
    t->count = t->own + modes;
    t->forces = modes > 0;
    if (!make_room(t)) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory for the events");
    for (int i = 0; i < t->own; i++) {
        if (system->scenario->events[i].kind != ZV_EVENT_THRESHOLD) continue;
        zvStatus status = label_threshold(t, i, error);
        if (status < 0) return status;
    }
    system->triggers = t;
    return ZV_OK;
}
