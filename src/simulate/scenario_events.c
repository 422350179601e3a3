/* Events of a scenario: planes that frames touch, thresholds of channels; limits are in scenario_limits.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/channel.h"
#include "simulate/scenario_events.h"

zvStatus zi_event_add(ziEventText *event, const char *name) {
    zvScenario *scenario = event->reader->scenario;
    event->spec.name = zi_arena_text(&scenario->arena, name);
    if (!event->spec.name) return zi_scenario_no_memory(event->reader);
    scenario->events[scenario->event_count++] = event->spec;
    return ZV_OK;
}

zvStatus zi_event_at_once(ziEventText *event, const zvNode *node, const char *name, const char *why) {
    return zv_fail(event->reader->error, ZV_NUMBER, node->mark, name,
                   "event \"%.80s\" fires at once: %s; change the initial state or the event", name, why);
}

/* Planes ---------------------------------------------------------------------------------------------- */

static zvStatus read_plane(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    const ziReading *reading = &reader->reading;
    const zvScenario *scenario = reader->scenario;
    ziEventSpec *spec = &event->spec;
    char name[200], why[200];
    zvStatus status = zi_scenario_frame(reader, &event->element, "frame", &spec->frame);
    if (status >= 0) status = zi_element_numbers(reading, &event->element, "normal", 3, spec->normal);
    if (status >= 0) status = zi_element_number(reading, &event->element, "offset", &spec->value);
    if (status < 0) return status;
    if (!zi_element_has(&event->element, "normal")) spec->normal[2] = 1;
    const double length = hypot(hypot(spec->normal[0], spec->normal[1]), spec->normal[2]);
    if (length == 0)
        return zi_element_refuse(reading, &event->element, "normal", "is zero; give the direction out of the plane");
    for (int i = 0; i < 3; i++) spec->normal[i] /= length;
    const char *frame = zv_model_frame(scenario->model, spec->frame).name;
    if (zv_model_frame_body(scenario->model, spec->frame) == 0)
        return zi_element_refuse(reading, &event->element, "frame", "stands still on the ground and never touches");
    snprintf(name, sizeof name, event->element.name ? "%.160s" : "touch %.160s",
             event->element.name ? event->element.name : frame);
    zvPose pose;
    zv_frame_pose(scenario->model, reader->work, scenario->q, spec->frame, &pose);
    const double height =
        spec->normal[0] * pose.p[0] + spec->normal[1] * pose.p[1] + spec->normal[2] * pose.p[2] - spec->value;
    if (height <
        -ZI_EVENT_TOUCH * (1 + fabs(spec->value))) { /* one that touches is judged by how it moves, by the run */
        snprintf(why, sizeof why, "frame \"%.60s\" begins %g m behind the plane", frame, -height);
        return zi_event_at_once(event, event->element.node, name, why);
    }
    return zi_event_add(event, name);
}

/* Thresholds ------------------------------------------------------------------------------------------ */

static zvStatus find_entry(ziEventText *event, const zvNode *node, const char *label) {
    ziScenarioReader *reader = event->reader;
    zvChannel channel;
    char known[240];
    const zvStatus status =
        zi_channel_describe(reader->scenario, event->spec.channel, &reader->scratch, &channel, reader->error);
    if (status < 0) return zi_scenario_blame(reader, &event->element, node, status);
    event->spec.entry = 0;
    if (!label && channel.width == 1) return ZV_OK;
    if (!label)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, node->text,
                       "channel \"%.60s\" has %d entries; name one, as in \"%.60s.%.60s\": %s", node->text,
                       channel.width, node->text, channel.labels[0],
                       zi_scenario_names(channel.labels, channel.width, known, sizeof known));
    while (event->spec.entry < channel.width && strcmp(channel.labels[event->spec.entry], label) != 0)
        event->spec.entry++;
    if (event->spec.entry < channel.width) return ZV_OK;
    return zi_scenario_unknown(reader, node->mark, "entry", label, channel.labels, channel.width);
}

/* Whether the entry is a number at all: no reference where nothing refers to the joint, */
static zvStatus refuse_unreferred(ziEventText *event, const zvNode *node) {
    ziScenarioReader *reader = event->reader;
    const zvScenario *scenario = reader->scenario;
    double *r = zi_scenario_scratch(reader, (size_t)zv_model_nv(scenario->model), sizeof *r);
    zvEfforts *efforts = r ? zv_efforts_create(scenario->drives, reader->error) : NULL;
    if (!efforts) return reader->error->status;
    zv_drives_reference(scenario->drives, efforts, scenario->start, r);
    zv_efforts_destroy(efforts);
    if (!isnan(r[event->spec.entry])) return ZV_OK;
    return zv_fail(reader->error, ZV_SCHEMA, node->mark, node->text,
                   "\"%.60s\" never has a value: no controller and no motion refers to joint \"%.60s\"; watch another "
                   "channel",
                   node->text, reader->v_labels[event->spec.entry]);
}

/* and no work without a ledger. */
static zvStatus refuse_silent(ziEventText *event, const zvNode *node) {
    enum { WORK_OF_ENERGY = 3 }; /* and after it the gap */
    const ziEventSpec *spec = &event->spec;
    if (spec->channel.kind == ZI_CHANNEL_REFERENCE) return refuse_unreferred(event, node);
    const bool works = spec->channel.kind == ZI_CHANNEL_WORK ||
                       (spec->channel.kind == ZI_CHANNEL_ENERGY && spec->entry >= WORK_OF_ENERGY);
    if (!works || event->reader->scenario->ledger) return ZV_OK;
    return zv_fail(
        event->reader->error, ZV_SCHEMA, node->mark, node->text,
        "\"%.60s\" never has a value with output: {ledger: false}; keep the ledger, or watch another channel",
        node->text);
}

static zvStatus read_threshold(ziEventText *event) {
    static const char *const directions[] = {"both", "rising", "falling"};
    ziScenarioReader *reader = event->reader;
    const ziReading *reading = &reader->reading;
    const char *label = NULL;
    char name[200];
    int direction = 0;
    zvStatus status = zi_element_need(reading, &event->element, "channel", "channel: v.elbow, for example");
    if (status >= 0) status = zi_element_need(reading, &event->element, "value", "value, the threshold");
    if (status >= 0) status = zi_element_number(reading, &event->element, "value", &event->spec.value);
    if (status >= 0) status = zi_element_word(reading, &event->element, "direction", ZI_KEYS(directions), &direction);
    if (status < 0) return status;
    event->spec.direction = direction == 2 ? -1 : direction;
    const zvNode *node = zv_node_get(event->element.node, "channel");
    status = zi_scenario_channel(reader, node, true, &event->spec.channel, &label);
    if (status >= 0) status = find_entry(event, node, label);
    if (status >= 0) status = refuse_silent(event, node);
    if (status < 0) return status;
    snprintf(name, sizeof name, "%.160s", event->element.name ? event->element.name : node->text);
    return zi_event_add(event, name);
}

/* The list -------------------------------------------------------------------------------------------- */

typedef struct EventKind {
    const char *word;
    zvStatus (*read)(ziEventText *event);
    bool bounces;
    const char *keys[8]; /* besides type, name and action */
} EventKind;

static const EventKind kinds[] = {
    [ZI_EVENT_LIMIT] = {"limit", zi_event_limits, true, {"joint", "joints", "restitution"}},
    [ZI_EVENT_PLANE] = {"plane", read_plane, true, {"frame", "normal", "offset", "restitution"}},
    [ZI_EVENT_THRESHOLD] = {"threshold", read_threshold, false, {"channel", "value", "direction"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static zvStatus read_action(ziEventText *event, const EventKind *kind) {
    static const char *const words[] = {
        [ZI_EVENT_RECORD] = "record", [ZI_EVENT_STOP] = "stop", [ZI_EVENT_BOUNCE] = "bounce"};
    const ziReading *reading = &event->reader->reading;
    int action = ZI_EVENT_RECORD;
    event->spec.restitution = 1;
    zvStatus status = zi_element_word(reading, &event->element, "action", ZI_KEYS(words), &action);
    if (status >= 0)
        status = zi_scenario_not_negative(event->reader, &event->element, "restitution", &event->spec.restitution);
    if (status < 0) return status;
    event->spec.action = (ziEventAction)action;
    if (action == ZI_EVENT_BOUNCE && !kind->bounces)
        return zi_element_refuse(reading, &event->element, "action",
                                 "cannot be bounce: only limits and planes throw back; write record or stop");
    if (event->spec.restitution > 1)
        return zi_scenario_bad_number(event->reader, &event->element, "restitution", event->spec.restitution,
                                      "it is at most 1, or a bounce would bring energy");
    if (zi_element_has(&event->element, "restitution") && action != ZI_EVENT_BOUNCE)
        return zi_element_refuse(reading, &event->element, "restitution", "belongs to action: bounce");
    return ZV_OK;
}

static zvStatus read_event(ziScenarioReader *reader, const zvNode *node) {
    const ziReading *reading = &reader->reading;
    ziEventText event = {.reader = reader, .element = {node, "event", NULL}};
    const char *words[KINDS], *keys[12] = {"type", "name", "action"};
    size_t count = 3;
    int choice = 0;
    char what[ZI_WHAT];
    if (node->kind != ZV_NODE_MAP) return zv_node_only(node, "an event", keys, 1, reader->error);
    for (int i = 0; i < KINDS; i++) words[i] = kinds[i].word;
    zvStatus status = zi_element_text(reading, &event.element, "name", &event.element.name);
    if (status >= 0) status = zi_element_need(reading, &event.element, "type", "type: limit, plane or threshold");
    if (status >= 0) status = zi_element_word(reading, &event.element, "type", words, KINDS, &choice);
    if (status < 0) return status;
    for (int i = 0; i < 8 && kinds[choice].keys[i]; i++) keys[count++] = kinds[choice].keys[i];
    status = zv_node_only(node, zi_element_what(&event.element, NULL, what), keys, count, reader->error);
    event.spec = (ziEventSpec){.kind = (ziEventKind)choice,
                               .q_index = -1,
                               .v_index = -1,
                               .ratio = 1,
                               .frame = -1,
                               .channel = {ZI_CHANNEL_Q, -1}};
    if (status >= 0) status = read_action(&event, &kinds[choice]);
    return status < 0 ? status : kinds[choice].read(&event);
}

zvStatus zi_scenario_events(ziScenarioReader *reader, const ziElement *root) {
    zvScenario *scenario = reader->scenario;
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(&reader->reading, root, "events", &list);
    if (status < 0 || !list) return status;
    /* a limit may stand for two events of every freedom of every joint, followers too */
    size_t most = 0, freedoms = 0;
    for (int i = 0; i < zv_model_njoint(scenario->model); i++)
        freedoms += (size_t)zv_joint_type_nv(zv_model_joint(scenario->model, i)->type);
    for (int i = 0; i < list->count; i++) {
        const zvNode *type = zv_node_get(list->items[i], "type");
        const bool limit = type && type->text && strcmp(type->text, "limit") == 0;
        most += limit ? 2 * freedoms : 1;
    }
    if (!(scenario->events = zi_arena_alloc(&scenario->arena, most * sizeof *scenario->events)))
        return zi_scenario_no_memory(reader);
    for (int i = 0; status >= 0 && i < list->count; i++) status = read_event(reader, list->items[i]);
    return status;
}
