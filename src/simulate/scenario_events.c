/* Events of a scenario: the list, what they do, and limits of joints; the other kinds are in scenario_event_kinds.c. */
#include "simulate/scenario_events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/coordinate.h"

/* Limit events: each limit of each joint named, those of coupled followers too, is an event of its own. */

/* A coordinate with limits: ratio q + offset of a freedom of the model; ratio 1, offset 0 but for followers. */
typedef struct Watched {
    int joint, part; /* the joint with the limits, and which of its freedoms */
    int dof;
    double ratio, offset;
} Watched;

typedef struct EventWatch {
    ziEventText *event;
    Watched *list;
    int count;
} EventWatch;

/* Adds the freedoms of a joint; that of a follower is ratio q + offset of its master, through a chain of followers. */
static void watch_joint(EventWatch *watch, int joint) {
    const zvModel *model = watch->event->reader->scenario->model;
    zvJointPlace place = zv_model_joint_place(model, joint);
    Watched w = {.joint = joint, .ratio = 1};
    while (place.mimic >= 0) {
        const zvJoint *j = zv_model_joint(model, joint);
        w.offset += w.ratio * j->offset;
        w.ratio *= j->ratio;
        joint = place.mimic;
        place = zv_model_joint_place(model, joint);
    }
    if (w.ratio == 0) return; /* it never moves */
    for (w.part = 0; w.part < place.nv; w.part++) {
        w.dof = place.v_index + w.part;
        watch->list[watch->count++] = w;
    }
}

static void watch_freedoms(EventWatch *watch, const ziFreedoms *freedoms) {
    const ziScenarioReader *reader = watch->event->reader;
    for (int i = 0; i < freedoms->count; i++) {
        const int dof = freedoms->dofs[i], joint = reader->owners[dof];
        const int part = dof - zv_model_joint_place(reader->scenario->model, joint).v_index;
        watch->list[watch->count++] = (Watched){joint, part, dof, 1, 0};
    }
}

/* The coupled follower that a node names, or -1. */
static int follower_of(const zvModel *model, const zvNode *node) {
    const int joint = node && node->kind == ZV_NODE_SCALAR ? zv_model_find_joint(model, node->text) : -1;
    return joint >= 0 && zv_model_joint_place(model, joint).mimic >= 0 ? joint : -1;
}

/* Adds the freedoms of a named joint, none twice. A follower is watched by its own limits, through its master's motion.
 */
static zvStatus watch_named(EventWatch *watch, const zvNode *node) {
    ziScenarioReader *reader = watch->event->reader;
    const int follower = follower_of(reader->scenario->model, node), before = watch->count;
    ziFreedoms freedoms;
    if (follower >= 0) {
        watch_joint(watch, follower);
    } else {
        const char *name = NULL;
        zvStatus status = zv_node_text(node, "a joint", &name, reader->error);
        if (status >= 0) status = zi_scenario_freedom(reader, name, node->mark, "joint", &freedoms);
        if (status < 0) return status;
        for (int i = 0; i < freedoms.count; i++) { /* the list has room for each freedom once */
            for (int k = 0; k < before; k++)
                if (watch->list[k].dof == freedoms.dofs[i] && watch->list[k].joint == reader->owners[freedoms.dofs[i]])
                    return zv_fail(reader->error, ZV_NAME, node->mark, name,
                                   "expected joint \"%.60s\" once, found it twice; remove one", name);
        }
        watch_freedoms(watch, &freedoms);
        return ZV_OK;
    }
    for (int k = 0; k < before; k++)
        if (watch->list[k].joint == follower)
            return zv_fail(reader->error, ZV_NAME, node->mark, node->text,
                           "expected joint \"%.60s\" once, found it twice; remove one", node->text);
    return ZV_OK;
}

/* The coordinates whose limits are watched. Names of followers are resolved here, other lists as those of drives are;
 * "all" includes the followers. */
static zvStatus fill_watch(EventWatch *watch) {
    ziScenarioReader *reader = watch->event->reader;
    const zvModel *model = reader->scenario->model;
    const ziNamedMap *element = &watch->event->element;
    const zvNode *one = zv_node_get(element->node, "joint"), *list = zv_node_get(element->node, "joints");
    if (one && !list && follower_of(model, one) >= 0) return watch_named(watch, one);
    bool followers = false;
    for (int i = 0; list && list->kind == ZV_NODE_LIST && i < list->count; i++)
        followers = followers || follower_of(model, list->items[i]) >= 0;
    if (followers && !one) {
        zvStatus status = ZV_OK;
        for (int i = 0; status >= 0 && i < list->count; i++) status = watch_named(watch, list->items[i]);
        return status;
    }
    ziFreedoms freedoms;
    const zvStatus status = zi_scenario_freedoms(reader, element, false, &freedoms);
    if (status < 0) return status;
    watch_freedoms(watch, &freedoms);
    const bool all = list && list->kind == ZV_NODE_SCALAR;
    for (int i = 0; all && i < zv_model_njoint(model); i++)
        if (zv_model_joint_place(model, i).mimic >= 0) watch_joint(watch, i);
    return ZV_OK;
}

static const char *label_of(const ziScenarioReader *reader, const Watched *w, char *buffer, size_t size) {
    const zvJoint *joint = zv_model_joint(reader->scenario->model, w->joint);
    if (reader->owners[w->dof] == w->joint) return reader->v_labels[w->dof];
    const char *part = zv_joint_type_nv(joint->type) > 1 ? zv_joint_type_v_part(joint->type, w->part) : NULL;
    snprintf(buffer, size, "%.60s%s%s", joint->name, part ? "." : "", part ? part : "");
    return buffer;
}

/* One event per limit; it must not be passed at the start. */
static zvStatus add_limit(ziEventText *event, const Watched *w, int side, bool several) {
    static const char *const words[] = {"lower", "upper"};
    ziScenarioReader *reader = event->reader;
    const zvScenario *scenario = reader->scenario;
    const zvDof *limits = &zv_model_joint(scenario->model, w->joint)->dof[w->part];
    char text[100], name[200], why[200];
    const char *label = label_of(reader, w, text, sizeof text), *given = event->element.name;
    if (given && !several)
        snprintf(name, sizeof name, "%.100s %s", given, words[side > 0]);
    else
        snprintf(name, sizeof name, "%.80s %.80s %s", given ? given : "limit", label, words[side > 0]);
    ziEventSpec *spec = &event->spec;
    spec->q_index = reader->coordinates[w->dof];
    spec->v_index = w->dof;
    spec->side = side;
    spec->ratio = w->ratio;
    spec->offset = w->offset;
    spec->value = side > 0 ? limits->upper : limits->lower;
    const double at = w->ratio * scenario->q[spec->q_index] + w->offset, gap = side * (spec->value - at);
    const double near = ZI_EVENT_TOUCH * (1 + fabs(spec->value));
    /* one that touches at rest is judged by the forces, by the run */
    if (gap < -near || (gap <= near && side * w->ratio * scenario->v[w->dof] > 0)) {
        const zvNode *one = zv_node_get(event->element.node, "joint");
        snprintf(why, sizeof why, "joint \"%.60s\" begins at %g, and its %s limit is %g", label, at, words[side > 0],
                 spec->value);
        return zi_event_at_once(event, one ? one : event->element.node, name, why);
    }
    return zi_event_add(event, name);
}

static zvStatus no_limits(const ziEventText *event) {
    const zvNode *one = zv_node_get(event->element.node, "joint"), *list = zv_node_get(event->element.node, "joints");
    return zv_fail(event->reader->error, ZV_SCHEMA, (one ? one : list)->mark, one && one->text ? one->text : "joints",
                   "expected limits of %s in the model, found none; add limits: {lower, upper} there, or watch it with "
                   "type: threshold",
                   one ? "the joint" : "these joints");
}

/* Every limit of every joint that the event names; one without any is refused. */
static zvStatus event_limits(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    const zvModel *model = reader->scenario->model;
    size_t most = 0;
    for (int i = 0; i < zv_model_njoint(model); i++) most += (size_t)zv_joint_type_nv(zv_model_joint(model, i)->type);
    EventWatch watch = {.event = event, .list = zi_scenario_scratch(reader, most, sizeof *watch.list)};
    if (!watch.list) return ZV_MEMORY;
    zvStatus status = fill_watch(&watch);
    if (status < 0) return status;
    int found = 0;
    for (int i = 0; i < watch.count; i++) {
        const Watched *w = &watch.list[i];
        if (!zv_model_joint(model, w->joint)->dof[w->part].has_limits || reader->coordinates[w->dof] < 0) continue;
        found++;
        if ((status = add_limit(event, w, -1, watch.count > 1)) < 0) return status;
        if ((status = add_limit(event, w, +1, watch.count > 1)) < 0) return status;
    }
    return found ? ZV_OK : no_limits(event);
}

/* The list -------------------------------------------------------------------------------------------- */

typedef struct EventKind {
    const char *word;
    zvStatus (*read)(ziEventText *event);
    bool bounces;
    const char *keys[8]; /* besides those of all */
} EventKind;

static const EventKind kinds[] = {
    [ZI_EVENT_LIMIT] = {"limit", event_limits, true, {"joint", "joints"}},
    [ZI_EVENT_PLANE] = {"plane", zi_event_plane, true, {"frame", "normal", "offset"}},
    [ZI_EVENT_THRESHOLD] = {"threshold", zi_event_threshold, false, {"channel", "value", "direction"}},
    [ZI_EVENT_TIME] = {"time", zi_event_time, false, {"at"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What an event does: record, stop, or bounce with a restitution of at most 1; thresholds cannot bounce. */
static zvStatus read_action(ziEventText *event, const EventKind *kind) {
    static const char *const words[] = {[ZI_EVENT_RECORD] = "record",
                                        [ZI_EVENT_STOP] = "stop",
                                        [ZI_EVENT_BOUNCE] = "bounce",
                                        [ZI_EVENT_CLOSE] = "close",
                                        [ZI_EVENT_OPEN] = "open"};
    const ziReading *reading = &event->reader->reading;
    int action = ZI_EVENT_RECORD;
    zvStatus status = zi_map_word(reading, &event->element, "action", ZI_KEYS(words), &action);
    event->spec.restitution = action != ZI_EVENT_CLOSE;
    if (status >= 0)
        status = zi_scenario_not_negative(event->reader, &event->element, "restitution", &event->spec.restitution);
    if (status < 0) return status;
    event->spec.action = (ziEventAction)action;
    if (action == ZI_EVENT_BOUNCE && !kind->bounces)
        return zi_map_refuse(reading, &event->element, "action",
                             "expected record or stop, found bounce: only limits and planes throw back");
    if (event->spec.restitution > 1)
        return zi_scenario_bad_number(event->reader, &event->element, "restitution", event->spec.restitution,
                                      "at most 1", "more would bring energy at each bounce");
    if (zi_map_has(&event->element, "restitution") && action != ZI_EVENT_BOUNCE && action != ZI_EVENT_CLOSE)
        return zi_map_refuse(reading, &event->element, "restitution",
                             "expected action: bounce beside it, found another; remove one");
    return zi_event_swing(event);
}

/* The type decides which keys are known. */
static zvStatus read_event_map(ziScenarioReader *reader, const zvNode *node) {
    const ziReading *reading = &reader->reading;
    ziEventText event = {.reader = reader, .element = {node, "event", NULL}};
    const char *words[KINDS], *keys[16] = {"type", "name", "action", "restitution", ZI_SWING_KEYS};
    size_t count = 8;
    int choice = 0;
    char what[ZI_WHAT];
    if (node->kind != ZV_NODE_MAP) return zv_node_only(node, "an event", keys, 1, reader->error);
    for (int i = 0; i < KINDS; i++) words[i] = kinds[i].word;
    zvStatus status = zi_map_text(reading, &event.element, "name", &event.element.name);
    if (status >= 0) status = zi_map_need(reading, &event.element, "type", "type: limit, plane, threshold or time");
    if (status >= 0) status = zi_map_word(reading, &event.element, "type", words, KINDS, &choice);
    if (status < 0) return status;
    for (int i = 0; i < 8 && kinds[choice].keys[i]; i++) keys[count++] = kinds[choice].keys[i];
    status = zv_node_only(node, zi_map_what(&event.element, NULL, what), keys, count, reader->error);
    event.spec = (ziEventSpec){.kind = (ziEventKind)choice,
                               .q_index = -1,
                               .v_index = -1,
                               .ratio = 1,
                               .frame = -1,
                               .loop = -1,
                               .channel = {ZI_CHANNEL_Q, -1}};
    if (status >= 0) status = read_action(&event, &kinds[choice]);
    return status < 0 ? status : kinds[choice].read(&event);
}

/* Whether an event of the scenario throws this joint back from its limits. */
static bool is_thrown_back(const zvScenario *scenario, int own, const Watched *w) {
    for (int i = 0; i < own; i++) {
        const ziEventSpec *e = &scenario->events[i];
        if (e->kind == ZI_EVENT_LIMIT && e->action == ZI_EVENT_BOUNCE && e->v_index == w->dof && e->ratio == w->ratio)
            return true;
    }
    return false;
}

/* Stops of limits: stop are bounces without restitution: the joint comes to rest on its limit. What follows a law is
 * not stopped, and events of the scenario come first. */
static zvStatus add_stops(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvScenario *scenario = reader->scenario;
    const int own = scenario->event_count;
    for (int j = 0; j < zv_model_njoint(scenario->model); j++) {
        const ziFollow law = zi_joint_follow(scenario->model, j);
        const zvJoint *joint = zv_model_joint(scenario->model, j);
        for (int k = 0; law.ratio != 0 && k < zv_joint_type_nv(joint->type); k++) {
            const Watched w = {j, k, law.dof + k, law.ratio, law.offset};
            ziEventText event = {.reader = reader, .element = {root->node, "event", NULL}};
            if (!joint->dof[k].has_limits || !reader->stops[w.dof] || reader->coordinates[w.dof] < 0) continue;
            if (zv_drives_prescribes(scenario->drives, w.dof) || is_thrown_back(scenario, own, &w)) continue;
            event.spec = (ziEventSpec){.kind = ZI_EVENT_LIMIT,
                                       .action = ZI_EVENT_BOUNCE,
                                       .frame = -1,
                                       .loop = -1,
                                       .channel = {ZI_CHANNEL_Q, -1}};
            zvStatus status = add_limit(&event, &w, -1, true);
            if (status >= 0) status = add_limit(&event, &w, +1, true);
            if (status < 0) return status;
        }
    }
    return ZV_OK;
}

/* The list of events, in memory for the most events that it can expand to. */
zvStatus zi_scenario_events(ziScenarioReader *reader, const ziNamedMap *root) {
    zvScenario *scenario = reader->scenario;
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(&reader->reading, root, "events", &list);
    if (status < 0) return status;
    /* a limit may stand for two events of every freedom of every joint, followers too */
    size_t most = 0, freedoms = 0;
    const int count = list ? list->count : 0;
    for (int i = 0; i < zv_model_njoint(scenario->model); i++)
        freedoms += (size_t)zv_joint_type_nv(zv_model_joint(scenario->model, i)->type);
    for (int i = 0; i < count; i++) {
        const zvNode *type = zv_node_get(list->items[i], "type");
        const bool limit = type && type->text && strcmp(type->text, "limit") == 0;
        most += limit ? 2 * freedoms : 1;
    }
    if (!(scenario->events = zi_arena_alloc(&scenario->arena, (most + 2 * freedoms) * sizeof *scenario->events)))
        return zi_scenario_no_memory(reader);
    for (int i = 0; status >= 0 && i < count; i++) status = read_event_map(reader, list->items[i]);
    if (status >= 0) status = zi_event_check_swings(reader, root);
    return status < 0 ? status : add_stops(reader, root);
}
