#include "simulate/triggers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/channel.h"

static const zvMark nowhere = {0};

/* Functions ------------------------------------------------------------------------------------------ */

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double zv_trigger_value(zvTriggers *t, int event) {
    zvSystem *s = t->system;
    const zvEventSpec *e = &s->scenario->events[event];
    if (e->kind == ZV_EVENT_LIMIT) return e->side * (e->value - (e->ratio * s->q[e->q_index] + e->offset));
    if (e->kind == ZV_EVENT_PLANE) {
        zvPose pose;
        zv_system_frame(s, e->frame, &pose, NULL);
        return dot(e->normal, pose.p) - e->value;
    }
    t->observer->reactions_known = false;
    zv_observe_channel(t->observer, e->channel, NULL, t->channel);
    return t->channel[e->entry] - e->value;
}

double zv_trigger_rate(zvTriggers *t, int event) {
    zvSystem *s = t->system;
    const zvEventSpec *e = &s->scenario->events[event];
    zvPose pose;
    double velocity[6];
    if (e->kind == ZV_EVENT_LIMIT) return -e->side * e->ratio * s->v[e->v_index];
    zv_system_frame(s, e->frame, &pose, velocity);
    return dot(e->normal, velocity);
}

double zv_trigger_second_rate(zvTriggers *t, int event) {
    zvSystem *s = t->system;
    const zvEventSpec *e = &s->scenario->events[event];
    double x[6];
    if (e->kind == ZV_EVENT_LIMIT) return -e->side * e->ratio * s->efforts->a[e->v_index];
    zv_frame_acceleration(s->model, s->work, s->q, s->v, s->efforts->a, e->frame, ZV_WORLD_AXES, x);
    return dot(e->normal, x);
}

int zv_triggers_functions(zvTriggers *t, double time, const double *y, double *g) {
    zvSystem *s = t->system;
    bool forces = t->forces;
    for (int i = 0; i < t->own; i++) forces |= t->held[i];
    zv_system_show(s, time, y);
    if (forces && zv_system_accelerate(s) < 0) return 1;
    for (int i = 0; i < t->own; i++) { g[i] = t->held[i] ? zv_stop_force(t, i) : zv_trigger_value(t, i) + t->shift[i]; }
    if (t->count > t->own) zv_drives_events(s->drives, s->efforts, s->v, s->modes, g + t->own);
    return 0;
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
    return zv_trigger_rate(t, event) < 0;
}

/* How far from zero rounding may have brought the function of something that touches. */
static double touching(const zvEventSpec *e) { return ZV_EVENT_TOUCH * (1 + fabs(e->value)); }

static zvStatus at_once(const zvEventSpec *e, double beyond, zvError *error) {
    const char *what = e->kind == ZV_EVENT_LIMIT ? "coordinate" : "frame";
    if (beyond > touching(e))
        return zv_fail(error, ZV_SCHEMA, nowhere, e->name,
                       "event \"%s\" fires at once: at the start the %s is %g beyond %g; start on its allowed side",
                       e->name, what, beyond, e->value);
    return zv_fail(error, ZV_SCHEMA, nowhere, e->name,
                   "event \"%s\" fires at once: at the start the %s is at %g and does not leave; start on its allowed "
                   "side",
                   e->name, what, e->value);
}

zvStatus zv_triggers_check(zvTriggers *t, double time, double *y, zvError *error) {
    zvSystem *s = t->system;
    for (int i = 0; i < t->own; i++) {
        const zvEventSpec *e = &s->scenario->events[i];
        if (e->kind == ZV_EVENT_THRESHOLD) continue;
        zv_system_show(s, time, y);
        const double at = zv_trigger_value(t, i), near = touching(e);
        double rate = zv_trigger_rate(t, i);
        if (at > near) continue;
        if (at < -near) return at_once(e, -at, error);
        const bool rests = rate == 0;
        if (rests && zv_system_accelerate(s) >= 0) rate = zv_trigger_second_rate(t, i);
        if (rate < 0 && !(rests && e->kind == ZV_EVENT_LIMIT && e->action == ZV_EVENT_BOUNCE))
            return at_once(e, -at, error);
        zvStatus status = ZV_OK;
        if (rate < 0) status = zv_stop_hold(t, i, time, y, error);
        if (status < 0) return status;
        if (rate >= 0 && at < 0) t->shift[i] = -2 * at; /* it touches, and stays or leaves */
    }
    return ZV_OK;
}

/* Firing --------------------------------------------------------------------------------------------- */

double zv_trigger_moment(const zvTriggers *t, double time) {
    return fmax(1e-9 * t->system->scenario->duration, 1024 * DBL_EPSILON * fabs(time));
}

static zvStatus watch_chatter(zvTriggers *t, int event, double time, zvError *error) {
    if (t->often[event] == 0 || time - t->since[event] > zv_trigger_moment(t, time)) {
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
    if (s->loops) memcpy(y, s->q, (size_t)s->nq * sizeof *y); /* closed, as the velocities are */
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
    if (t->held[event]) {
        out->jumped = true;
        out->occurrence.what = ZV_OCCASION_LEAVES;
        return zv_stop_release(t, event, time, y, error);
    }
    const zvEventSpec *e = &t->system->scenario->events[event];
    if (e->action == ZV_EVENT_BOUNCE) return zv_impact_bounce(t, event, time, y, out, error);
    zv_system_show(t->system, time, y);
    out->occurrence.what = direction > 0 ? ZV_OCCASION_RISES : ZV_OCCASION_FALLS;
    if (e->kind != ZV_EVENT_THRESHOLD) out->occurrence.before = out->occurrence.after = zv_trigger_rate(t, event);
    out->stop = e->action == ZV_EVENT_STOP;
    return ZV_OK;
}

void zv_triggers_relax(zvTriggers *t, double time, const double *y) {
    bool shown = false;
    for (int i = 0; i < t->own; i++) {
        if (t->shift[i] == 0 || t->held[i]) continue;
        if (!shown) zv_system_show(t->system, time, y);
        shown = true;
        if (zv_trigger_value(t, i) > 4 * t->shift[i]) t->shift[i] = 0;
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
    } else if (o->what == ZV_OCCASION_LEAVES) {
        snprintf(buffer, size, "leaves %.9g", e->value);
    } else if (o->what == ZV_OCCASION_RESTS) {
        snprintf(buffer, size, "reaches %.9g with velocity %.9g, rests", e->value, -e->side * o->before);
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
    t->held = zv_arena_alloc(&t->system->arena, (size_t)t->own + 1);
    t->guards = zv_arena_alloc(&t->system->arena, (size_t)t->count + 1);
    t->since = doubles(t, t->count);
    t->often = doubles(t, t->count);
    t->channel = doubles(t, widest);
    t->J = doubles(t, 6 * t->system->nv);
    t->normal = doubles(t, t->system->nv);
    t->kick = doubles(t, t->system->nv);
    t->labels = zv_arena_alloc(&t->system->arena, ((size_t)t->own + 1) * sizeof *t->labels);
    return t->shift && t->held && t->guards && t->since && t->often && t->channel && t->J && t->normal && t->kick &&
           t->labels && zv_jump_create(&t->jump, t->system);
}

zvStatus zv_triggers_create(zvTriggers *t, zvSystem *system, zvObserver *observer, zvError *error) {
    const int modes = zv_drives_nmode(system->drives);
    *t = (zvTriggers){.system = system, .observer = observer, .own = system->scenario->event_count};
    t->count = t->own + modes;
    t->forces = modes > 0;
    if (!make_room(t)) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory for the events");
    memset(t->guards, 1, (size_t)t->count);
    for (int i = 0; i < t->own; i++) {
        if (system->scenario->events[i].kind != ZV_EVENT_THRESHOLD) continue;
        t->guards[i] = 0;
        zvStatus status = label_threshold(t, i, error);
        if (status < 0) return status;
    }
    system->triggers = t;
    return ZV_OK;
}

void zv_triggers_arm(zvTriggers *t, double time, const double *y) {
    zv_system_show(t->system, time, y);
    for (int i = 0; i < t->own; i++) {
        const zvEventSpec *e = &t->system->scenario->events[i];
        if (e->kind == ZV_EVENT_THRESHOLD || e->action != ZV_EVENT_RECORD) continue;
        t->guards[i] = zv_trigger_value(t, i) > 1e-9;
    }
}
