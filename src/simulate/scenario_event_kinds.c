/* Kinds of events: planes that frames touch, thresholds of channels, times. */
#include "simulate/scenario_events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

zvStatus zi_event_add(ziEventText *event, const char *name) {
    zvScenario *scenario = event->reader->scenario;
    event->spec.name = zi_arena_text(&scenario->arena, name);
    if (!event->spec.name) return zi_scenario_no_memory(event->reader);
    scenario->events[scenario->event_count++] = event->spec;
    return ZV_OK;
}

zvStatus zi_event_at_once(ziEventText *event, const zvNode *node, const char *name, const char *why) {
    return zv_fail(event->reader->error, ZV_NUMBER, node->mark, name,
                   "event \"%.80s\": expected it not to fire at once, found %s; change the initial state or the event",
                   name, why);
}

/* Planes ---------------------------------------------------------------------------------------------- */

/* Event of a frame at a plane; the normal (z unless given) is made a unit vector. A frame that begins behind the plane
 * is refused, one that touches it is judged by the run. */
zvStatus zi_event_plane(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    const ziReading *reading = &reader->reading;
    const zvScenario *scenario = reader->scenario;
    ziEventSpec *spec = &event->spec;
    char name[200], why[200];
    zvStatus status = zi_scenario_frame(reader, &event->element, "frame", &spec->frame);
    if (status >= 0) status = zi_map_numbers(reading, &event->element, "normal", 3, spec->normal);
    if (status >= 0) status = zi_map_number(reading, &event->element, "offset", &spec->value);
    if (status < 0) return status;
    if (!zi_map_has(&event->element, "normal")) spec->normal[2] = 1;
    const double length = hypot(hypot(spec->normal[0], spec->normal[1]), spec->normal[2]);
    if (length == 0)
        return zi_map_refuse(reading, &event->element, "normal",
                             "expected the direction out of the plane, found the zero vector");
    for (int i = 0; i < 3; i++) spec->normal[i] /= length;
    const char *frame = zv_model_frame(scenario->model, spec->frame).name;
    if (zv_model_frame_body(scenario->model, spec->frame) == 0)
        return zi_map_refuse(reading, &event->element, "frame",
                             "expected a frame that moves, found one on the ground, which never touches");
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

/* A channel with several entries needs the label of one; *unit receives what the entry is measured in. */
static zvStatus find_entry(ziEventText *event, const zvNode *node, const char *label, const char **unit) {
    ziScenarioReader *reader = event->reader;
    zvChannel channel;
    char known[240];
    const zvStatus status =
        zi_channel_describe(reader->scenario, event->spec.channel, &reader->scratch, &channel, reader->error);
    if (status < 0) return zi_scenario_blame(reader, &event->element, node, status);
    event->spec.entry = 0;
    *unit = channel.units ? channel.units[0] : channel.unit;
    if (!label && channel.width == 1) return ZV_OK;
    if (!label)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, node->text,
                       "expected one entry of channel \"%.60s\", found %d; name one, as in \"%.60s.%.60s\": %s",
                       node->text, channel.width, node->text, channel.labels[0],
                       zi_scenario_names(channel.labels, channel.width, known, sizeof known));
    while (event->spec.entry < channel.width && strcmp(channel.labels[event->spec.entry], label) != 0)
        event->spec.entry++;
    if (event->spec.entry < channel.width) {
        if (channel.units) *unit = channel.units[event->spec.entry];
        return ZV_OK;
    }
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
                   "expected a channel with values, found \"%.60s\": no controller and no motion refers to joint "
                   "\"%.60s\"; watch another channel",
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
    return zv_fail(event->reader->error, ZV_SCHEMA, node->mark, node->text,
                   "expected a channel with values, found \"%.60s\" with output: {ledger: false}; keep the ledger, or "
                   "watch another channel",
                   node->text);
}

/* An entry of a channel, a value, and the direction that counts. */
zvStatus zi_event_threshold(ziEventText *event) {
    static const char *const directions[] = {"both", "rising", "falling"};
    ziScenarioReader *reader = event->reader;
    const ziReading *reading = &reader->reading;
    const char *label = NULL, *unit = NULL;
    char name[200];
    int direction = 0;
    zvStatus status = zi_map_need(reading, &event->element, "channel", "channel: v.elbow, for example");
    if (status >= 0) status = zi_map_need(reading, &event->element, "value", "value, the threshold");
    if (status >= 0) status = zi_map_word(reading, &event->element, "direction", ZI_KEYS(directions), &direction);
    if (status < 0) return status;
    event->spec.direction = direction == 2 ? -1 : direction;
    const zvNode *node = zv_node_get(event->element.node, "channel");
    status = zi_scenario_channel(reader, node, true, &event->spec.channel, &label);
    if (status >= 0) status = find_entry(event, node, label, &unit);
    if (status >= 0)
        status = (unit && strncmp(unit, "rad", 3) == 0 ? zi_map_angle : zi_map_number)(reading, &event->element,
                                                                                       "value", &event->spec.value);
    if (status >= 0) status = refuse_silent(event, node);
    if (status < 0) return status;
    snprintf(name, sizeof name, "%.160s", event->element.name ? event->element.name : node->text);
    return zi_event_add(event, name);
}

/* Times ----------------------------------------------------------------------------------------------- */

/* Strictly within the run: what is so from the start is the initial state, and after the end nothing happens. */
zvStatus zi_event_time(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    const zvScenario *scenario = reader->scenario;
    char name[200], expected[120];
    zvStatus status = zi_map_need(&reader->reading, &event->element, "at", "at, the time in s");
    if (status >= 0) status = zi_map_number(&reader->reading, &event->element, "at", &event->spec.value);
    if (status < 0) return status;
    const double at = event->spec.value, end = scenario->start + scenario->duration;
    snprintf(expected, sizeof expected, "a time between start and end of the run, %g s and %g s", scenario->start, end);
    if (!(at > scenario->start && at < end))
        return zi_scenario_bad_number(reader, &event->element, "at", at, expected, NULL);
    snprintf(name, sizeof name, event->element.name ? "%.160s" : "time %.160s",
             event->element.name ? event->element.name : zv_node_get(event->element.node, "at")->text);
    return zi_event_add(event, name);
}
