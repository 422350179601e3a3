/* The events of a run: which of them are looked at, what each does when it fires, and what is said of it. */
#include "simulate/event_set.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/impact.h"
#include "simulate/loop_events.h"
#include "simulate/scenario.h"

static const zvMark nowhere = {0};

/* Functions ------------------------------------------------------------------------------------------ */

int zi_event_set_functions(ziEventSet *t, double time, const double *y, double *g) {
    ziSystem *s = t->system;
    bool forces = t->forces;
    for (int i = 0; i < t->own; i++) forces |= t->held[i];
    zi_system_show(s, time, y);
    if (forces && zi_system_accelerate(s) < 0) return 1;
    for (int i = 0; i < t->own; i++) { g[i] = t->held[i] ? zi_stop_force(t, i) : zi_event_value(t, i) + t->shift[i]; }
    if (t->count > t->own) zv_drives_events(s->drives, s->efforts, s->v, s->modes, g + t->own);
    return 0;
}

bool zi_event_counts(const ziEventSet *t, int event, int direction) {
    if (direction == 0) return false;
    if (event >= t->own) return true;
    const ziEventSpec *e = &t->system->scenario->events[event];
    if (e->kind != ZI_EVENT_THRESHOLD) return direction < 0;
    return e->direction == 0 || e->direction == direction;
}

bool zi_event_strikes(ziEventSet *t, int event, double time, const double *y) {
    if (event < t->own && zi_event_swings(t, event)) return true;
    if (event >= t->own || t->system->scenario->events[event].action != ZI_EVENT_BOUNCE) return false;
    zi_system_show(t->system, time, y);
    return zi_event_rate(t, event) < 0;
}

/* How far from zero rounding may have brought the function of something that touches. */
static double touching(const ziEventSpec *e) { return ZI_EVENT_TOUCH * (1 + fabs(e->value)); }

static zvStatus at_once(const ziEventSpec *e, double beyond, zvError *error) {
    const char *what = e->kind == ZI_EVENT_LIMIT ? "coordinate" : "frame";
    if (beyond > touching(e))
        return zv_fail(error, ZV_SCHEMA, nowhere, e->name,
                       "event \"%s\" fires at once: at the start the %s is %g beyond %g; start on its allowed side",
                       e->name, what, beyond, e->value);
    return zv_fail(error, ZV_SCHEMA, nowhere, e->name,
                   "event \"%s\" fires at once: at the start the %s is at %g and does not leave; start on its allowed "
                   "side",
                   e->name, what, e->value);
}

/* Whether the function is that of something which is to stay on one side. */
static bool is_barrier(const ziEventSpec *e) { return e->kind == ZI_EVENT_LIMIT || e->kind == ZI_EVENT_PLANE; }

/* What touches at rest is judged by the forces, what is beyond is refused with the remedy. */
zvStatus zi_event_set_check(ziEventSet *t, double time, double *y, zvError *error) {
    ziSystem *s = t->system;
    for (int i = 0; i < t->own; i++) {
        const ziEventSpec *e = &s->scenario->events[i];
        if (!is_barrier(e)) continue;
        zi_system_show(s, time, y);
        const double at = zi_event_value(t, i), near = touching(e);
        double rate = zi_event_rate(t, i);
        if (at > near) continue;
        if (at < -near) return at_once(e, -at, error);
        const bool rests = rate == 0;
        if (rests && zi_system_accelerate(s) >= 0) rate = zi_event_second_rate(t, i);
        if (rate < 0 && !(rests && e->kind == ZI_EVENT_LIMIT && e->action == ZI_EVENT_BOUNCE))
            return at_once(e, -at, error);
        zvStatus status = ZV_OK;
        if (rate < 0) status = zi_stop_hold(t, i, time, y, error);
        if (status < 0) return status;
        if (rate >= 0 && at < 0) t->shift[i] = -2 * at; /* it touches, and stays or leaves */
    }
    return ZV_OK;
}

/* Firing --------------------------------------------------------------------------------------------- */

/* Remedies where sticking and sliding find no end, and where a joint that breaks away moves nothing. */
static const char smooth[] =
    "give the friction of this joint a smoothing velocity instead of stick-slip (smoothing: 0.001, in rad/s or m/s)";
static const char no_mass[] = "give what the joint moves a mass, or the joint an armature";

/* An event that fires a hundred times within one moment would never end: refused by name. */
static zvStatus watch_chatter(ziEventSet *t, int event, double time, zvError *error) {
    if (t->often[event] == 0 || time - t->since[event] > zi_event_moment(t, time)) {
        t->since[event] = time;
        t->often[event] = 0;
    }
    t->often[event]++;
    if (t->often[event] <= 100) return ZV_OK;
    return zv_fail(error, ZV_NO_CONVERGENCE, nowhere, zi_event_name(t, event),
                   "event \"%s\" fires again and again at t = %.9g s; %s", zi_event_name(t, event), time,
                   event < t->own ? "let it stop the run (action: stop), or bounce with a greater restitution"
                                  : smooth);
}

static ziEventOutcome outcome_of(const char *what) {
    if (strcmp(what, "sticks") == 0) return ZI_OUTCOME_STICKS;
    return strcmp(what, "slips forward") == 0 ? ZI_OUTCOME_FORWARD : ZI_OUTCOME_BACKWARD;
}

/* Sticking and sliding: the drives choose the new mode, which may change others too. */
static zvStatus change_mode(ziEventSet *t, int event, double time, double *y, ziOutcome *out, zvError *error) {
    ziSystem *s = t->system;
    const char *what = "sticks";
    zi_system_show(s, time, y);
    zvStatus status = zv_drives_switch(s->drives, s->efforts, s->work, event - t->own, zi_system_clock(s, time), s->q,
                                       s->v, s->z, s->modes, &what);
    if (status < 0) {
        return zv_fail(error, status, nowhere, zi_event_name(t, event), "%s cannot go on at t = %.9g s: %s; %s",
                       zi_event_name(t, event), time, zv_status_sentence(status),
                       status == ZV_SINGULAR ? no_mass : smooth);
    }
    memcpy(y + s->at_v, s->v, (size_t)s->nv * sizeof *y);
    if (s->loops) memcpy(y, s->q, (size_t)s->nq * sizeof *y); /* closed, as the velocities are */
    out->jumped = true;
    out->event_record.what = outcome_of(what);
    return ZV_OK;
}

/* Events of the scenario act by their action, those of the drives change modes. */
static zvStatus act(ziEventSet *t, int event, int direction, double time, double *y, ziOutcome *out, zvError *error) {
    if (event >= t->own) return change_mode(t, event, time, y, out, error);
    if (t->held[event]) {
        out->jumped = true;
        out->event_record.what = ZI_OUTCOME_LEAVES;
        return zi_stop_release(t, event, time, y, error);
    }
    const ziEventSpec *e = &t->system->scenario->events[event];
    if (e->action == ZI_EVENT_BOUNCE) return zi_impact_bounce(t, event, time, y, out, error);
    if (zi_event_is_of_loop(e)) return zi_loop_fire(t, event, time, y, out, error);
    zi_system_show(t->system, time, y);
    out->event_record.what = direction > 0 ? ZI_OUTCOME_RISES : ZI_OUTCOME_FALLS;
    if (is_barrier(e)) out->event_record.before = out->event_record.after = zi_event_rate(t, event);
    out->stop = e->action == ZI_EVENT_STOP;
    return ZV_OK;
}

static void keep_loops(const ziEventSet *t, const unsigned char *open, unsigned char *to, const double *offsets,
                       double *to_offsets) {
    memcpy(to, open, (size_t)zv_model_nloop(t->system->model));
    memcpy(to_offsets, offsets, (size_t)zv_model_nloop_rows(t->system->model) * sizeof *offsets);
}

void zi_event_set_keep(ziEventSet *t, const double *y) {
    const ziSystem *s = t->system;
    memcpy(t->y_before, y, (size_t)s->size * sizeof *y);
    memcpy(t->modes_before, s->modes, (size_t)(t->count - t->own));
    memcpy(t->held_before, t->held, (size_t)t->own);
    keep_loops(t, s->open, t->open_before, s->offsets, t->offsets_before);
}

void zi_event_set_recover(ziEventSet *t, double *y) {
    ziSystem *s = t->system;
    memcpy(y, t->y_before, (size_t)s->size * sizeof *y);
    memcpy(s->modes, t->modes_before, (size_t)(t->count - t->own));
    memcpy(t->held, t->held_before, (size_t)t->own);
    keep_loops(t, t->open_before, s->open, t->offsets_before, s->offsets);
    zi_stops_tell(t);
}

/* All or nothing: an event that fails half way has changed neither y nor modes nor stops, and there is nothing to tell
 * of it but the failure. */
zvStatus zi_event_fire(ziEventSet *t, int event, int direction, double time, double *y, ziOutcome *out,
                       zvError *error) {
    *out = (ziOutcome){.event_record = {.t = time, .event = event}};
    if (!zi_event_counts(t, event, direction)) return ZV_OK;
    zvStatus status = watch_chatter(t, event, time, error);
    if (status < 0) return status;
    zi_event_set_keep(t, y);
    out->fired = true;
    status = act(t, event, direction, time, y, out, error);
    if (status >= 0) return status;
    zi_event_set_recover(t, y);
    *out = (ziOutcome){.event_record = {.t = time, .event = event}};
    return status;
}

void zi_event_set_release(ziEventSet *t) {
    memset(t->held, 0, (size_t)t->own);
    memset(t->shift, 0, (size_t)t->own * sizeof *t->shift);
    zi_stops_tell(t);
}

void zi_event_set_relax(ziEventSet *t, double time, const double *y) {
    bool shown = false;
    for (int i = 0; i < t->own; i++) {
        if (t->shift[i] == 0 || t->held[i]) continue;
        if (!shown) zi_system_show(t->system, time, y);
        shown = true;
        if (zi_event_value(t, i) > 4 * t->shift[i]) t->shift[i] = 0;
    }
}

/* Words ---------------------------------------------------------------------------------------------- */

const char *zi_event_name(const ziEventSet *t, int event) {
    if (event < t->own) return t->system->scenario->events[event].name;
    return zv_drives_event_name(t->system->drives, event - t->own);
}

/* Of changes of mode. */
static const char *const words[ZI_OUTCOMES] = {
    [ZI_OUTCOME_STICKS] = "sticks", [ZI_OUTCOME_FORWARD] = "slips forward", [ZI_OUTCOME_BACKWARD] = "slips backward"};

bool zi_event_is_known(const ziEventSet *t, const ziEventRecord *o) {
    if (o->event < 0 || o->event >= t->count || (int)o->what < 0 || o->what >= ZI_OUTCOMES) return false;
    const bool swings = o->what >= ZI_OUTCOME_CLOSES && o->what <= ZI_OUTCOME_IS_SO;
    if (swings) return o->event < t->own && t->system->scenario->events[o->event].loop >= 0;
    return (o->event >= t->own) == (words[o->what] != NULL);
}

/* Words for modes, numbers for limits, planes and thresholds. */
const char *zi_event_text(const ziEventSet *t, const ziEventRecord *o, char *buffer, size_t size) {
    assert(zi_event_is_known(t, o));
    if (words[o->what]) {
        snprintf(buffer, size, "%s", words[o->what]);
        return buffer;
    }
    const ziEventSpec *e = &t->system->scenario->events[o->event];
    const bool bounces = o->what == ZI_OUTCOME_BOUNCES;
    if (*zi_loop_text(t, o, buffer, size)) return buffer;
    if (e->kind == ZI_EVENT_TIME) {
        snprintf(buffer, size, "the time %.9g s comes", e->value);
    } else if (e->kind == ZI_EVENT_THRESHOLD) {
        snprintf(buffer, size, "%s %s through %.9g", t->labels[o->event],
                 o->what == ZI_OUTCOME_RISES ? "rises" : "falls", e->value);
    } else if (o->what == ZI_OUTCOME_LEAVES) {
        snprintf(buffer, size, "leaves %.9g", e->value);
    } else if (o->what == ZI_OUTCOME_RESTS) {
        snprintf(buffer, size, "reaches %.9g with velocity %.9g, rests", e->value, -e->side * o->before);
    } else if (e->kind == ZI_EVENT_LIMIT) {
        snprintf(buffer, size, "reaches %.9g with velocity %.9g%s", e->value, -e->side * o->before,
                 bounces ? ", bounces" : "");
    } else {
        snprintf(buffer, size, "frame \"%s\" meets the plane with velocity %.9g%s",
                 zv_model_frame(t->system->model, e->frame).name, o->before, bounces ? ", bounces" : "");
    }
    return buffer;
}

/* Creation ------------------------------------------------------------------------------------------- */

/* "channel label", made once, so that texts need no memory during the run. */
static zvStatus label_threshold(ziEventSet *t, int event, zvError *error) {
    ziSystem *s = t->system;
    const ziEventSpec *e = &s->scenario->events[event];
    zvChannel channel;
    zvStatus status = zi_channel_describe(s->scenario, e->channel, &s->arena, &channel, error);
    if (status < 0) return status;
    const size_t size = strlen(channel.name) + strlen(channel.labels[e->entry]) + 2;
    char *text = zi_arena_alloc(&s->arena, size);
    if (!text) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory for the events");
    snprintf(text, size, "%s %s", channel.name, channel.labels[e->entry]);
    t->labels[event] = text;
    t->forces |= zi_channel_needs_forces(e->channel.kind);
    return ZV_OK;
}

static double *doubles(ziEventSet *t, int count) {
    return zi_arena_alloc(&t->system->arena, ((size_t)count + 1) * sizeof(double));
}

/* All arrays in the system's arena: nothing is allocated while events fire. */
static bool take_event_arrays(ziEventSet *t) {
    const zvScenario *scenario = t->system->scenario;
    int widest = 0;
    for (int i = 0; i < t->own; i++) {
        const ziEventSpec *e = &scenario->events[i];
        int width = e->kind == ZI_EVENT_THRESHOLD ? zi_channel_width(scenario, e->channel) : 0;
        if (width > widest) widest = width;
    }
    t->shift = doubles(t, t->own);
    t->held = zi_arena_alloc(&t->system->arena, (size_t)t->own + 1);
    t->guards = zi_arena_alloc(&t->system->arena, (size_t)t->count + 1);
    t->since = doubles(t, t->count);
    t->often = doubles(t, t->count);
    t->channel = doubles(t, widest);
    t->J = doubles(t, 6 * t->system->nv);
    t->normal = doubles(t, t->system->nv);
    t->kick = doubles(t, t->system->nv);
    t->loop_gaps = doubles(t, zv_model_nloop_rows(t->system->model));
    t->loop_rates = doubles(t, zv_model_nloop_rows(t->system->model));
    t->offsets_before = doubles(t, zv_model_nloop_rows(t->system->model));
    t->open_before = zi_arena_alloc(&t->system->arena, (size_t)zv_model_nloop(t->system->model) + 1);
    t->labels = zi_arena_alloc(&t->system->arena, ((size_t)t->own + 1) * sizeof *t->labels);
    t->y_before = doubles(t, t->system->size);
    t->modes_before = zi_arena_alloc(&t->system->arena, (size_t)(t->count - t->own) + 1);
    t->held_before = zi_arena_alloc(&t->system->arena, (size_t)t->own + 1);
    return t->loop_gaps && t->loop_rates && t->offsets_before && t->open_before && t->y_before && t->modes_before &&
           t->held_before && t->shift && t->held && t->guards && t->since && t->often && t->channel && t->J &&
           t->normal && t->kick && t->labels && zi_jump_create(&t->jump, t->system);
}

/* Limits, planes and modes of friction begin as guards, thresholds and times never are; zi_event_set_arm takes back
 * those that may be passed, and are. */
zvStatus zi_event_set_create(ziEventSet *t, ziSystem *system, ziObserver *observer, zvError *error) {
    const int modes = zv_drives_nmode(system->drives);
    *t = (ziEventSet){.system = system, .observer = observer, .own = system->scenario->event_count};
    t->count = t->own + modes;
    t->forces = modes > 0;
    if (!take_event_arrays(t)) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory for the events");
    memset(t->guards, 1, (size_t)t->count);
    for (int i = 0; i < t->own; i++) {
        const ziEventKind kind = system->scenario->events[i].kind;
        t->guards[i] = kind != ZI_EVENT_THRESHOLD && kind != ZI_EVENT_TIME;
        if (kind != ZI_EVENT_THRESHOLD) continue;
        zvStatus status = label_threshold(t, i, error);
        if (status < 0) return status;
    }
    system->event_set = t;
    system->events = zi_event_set_functions;
    return ZV_OK;
}

void zi_event_set_arm(ziEventSet *t, double time, const double *y) {
    zi_system_show(t->system, time, y);
    for (int i = 0; i < t->own; i++) {
        const ziEventSpec *e = &t->system->scenario->events[i];
        if (!is_barrier(e) || e->action == ZI_EVENT_STOP || e->action == ZI_EVENT_BOUNCE) continue;
        t->guards[i] = zi_event_value(t, i) > 1e-9;
    }
}
