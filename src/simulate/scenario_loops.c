/* Loops that come and go in a scenario: which of them are open at first, and what events say that close and open them.
 */
#include "simulate/scenario_events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/tree.h"
#include "zveno/loops.h"

static const double USUAL_TOLERANCE = 1e-3; /* of the robot's size */

/* The initial state -------------------------------------------------------------------------------------- */

/* loops: {NAME: open} or closed, instead of what the model says. Nobody else knows the model yet. */
zvStatus zi_scenario_open_loops(ziScenarioReader *reader, const ziNamedMap *initial) {
    static const char *const words[] = {"closed", "open"};
    const zvNode *map = zv_node_get(initial->node, "loops");
    zvStatus status = ZV_OK;
    if (!map) return ZV_OK;
    if (map->kind != ZV_NODE_MAP)
        return zi_map_expected(&reader->reading, initial, "loops", "a map from loops to open or closed",
                               "write {grip: open}");
    const ziNamedMap element = {map, "initial state of loops", NULL};
    for (int i = 0; status >= 0 && i < map->count; i++) {
        int loop, choice = 0;
        status = zi_scenario_loop(reader, map->keys[i], map->key_marks[i], &loop);
        if (status >= 0) status = zi_map_word(&reader->reading, &element, map->keys[i], ZI_KEYS(words), &choice);
        if (status >= 0) zi_model_open_loop(reader->scenario->model, loop, choice == 1);
    }
    return status;
}

/* Events ------------------------------------------------------------------------------------------------- */

/* Keys of closing that the action or the loop does not have would be ignored: refused. */
static zvStatus refuse_idle_keys(const ziEventText *event) {
    static const char *const keys[] = {ZI_SWING_KEYS};
    static const char *const reasons[2] = {"expected action: close beside it, found another; remove one",
                                           "expected action: close or open beside it, found another; remove one"};
    const ziEventAction action = event->spec.action;
    for (size_t i = action == ZI_EVENT_OPEN; i < sizeof keys / sizeof *keys; i++) {
        if (action != ZI_EVENT_CLOSE && zi_map_has(&event->element, keys[i]))
            return zi_map_refuse(&event->reader->reading, &event->element, keys[i], reasons[i == 0]);
    }
    return ZV_OK;
}

/* Where it closes: at the place of the model, to be near it, or as it stands when that can be kept. */
static zvStatus read_place(ziEventText *event) {
    static const char *const words[] = {"model", "here"};
    ziScenarioReader *reader = event->reader;
    const zvModel *model = reader->scenario->model;
    int place = 0;
    zvStatus status = zi_map_word(&reader->reading, &event->element, "place", ZI_KEYS(words), &place);
    event->spec.here = place == 1;
    event->spec.tolerance = event->spec.here ? INFINITY : USUAL_TOLERANCE;
    if (status >= 0) status = zi_scenario_positive(reader, &event->element, "tolerance", &event->spec.tolerance);
    if (status < 0 || !event->spec.here || zv_loop_keeps_offset(model, event->spec.loop)) return status;
    return zi_map_refuse(&reader->reading, &event->element, "place",
                         "expected model, found here with a loop that has one place only: loops of fixed, prismatic "
                         "and spherical joints, rods and couplings can be closed where they stand");
}

/* Restitution and the rate at which a loop is caught nevertheless belong together. */
static zvStatus read_latch(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    zvStatus status = zi_scenario_positive(reader, &event->element, "latch", &event->spec.latch);
    if (status < 0) return status;
    if (event->spec.restitution > 0 && !zi_map_has(&event->element, "latch"))
        return zi_map_refuse(&reader->reading, &event->element, "restitution",
                             "expected latch beside it, the rate of the loop in 1/s at which it is caught and closes, "
                             "found none; faster sides are thrown back");
    if (!(event->spec.restitution > 0) && zi_map_has(&event->element, "latch"))
        return zi_map_refuse(&reader->reading, &event->element, "latch",
                             "expected a restitution above 0 beside it, found none; remove it: without restitution a "
                             "loop closes at any rate");
    return ZV_OK;
}

/* The loop, and for closing where, how near and how fast. */
zvStatus zi_event_swing(ziEventText *event) {
    ziScenarioReader *reader = event->reader;
    const char *name = NULL;
    zvStatus status = refuse_idle_keys(event);
    if (status < 0 || (event->spec.action != ZI_EVENT_CLOSE && event->spec.action != ZI_EVENT_OPEN)) return status;
    status = zi_map_need(&reader->reading, &event->element, "loop", "loop, the name of the loop that it is about");
    if (status >= 0) status = zi_map_text(&reader->reading, &event->element, "loop", &name);
    if (status >= 0)
        status = zi_scenario_loop(reader, name, zv_node_get(event->element.node, "loop")->mark, &event->spec.loop);
    if (status < 0 || event->spec.action == ZI_EVENT_OPEN) return status;
    status = read_place(event);
    return status < 0 ? status : read_latch(event);
}

/* Whether some event does this to a loop. */
static bool is_done(const zvScenario *scenario, int loop, ziEventAction action) {
    for (int i = 0; i < scenario->event_count; i++)
        if (scenario->events[i].loop == loop && scenario->events[i].action == action) return true;
    return false;
}

/* The entry of the list that does this to a loop. */
static const zvNode *entry_of(const zvNode *list, const char *loop, const char *action) {
    for (int i = 0; list && i < list->count; i++) {
        const zvNode *node = zv_node_get(list->items[i], "loop"), *word = zv_node_get(list->items[i], "action");
        if (node && node->text && word && word->text && !strcmp(node->text, loop) && !strcmp(word->text, action))
            return node;
    }
    return NULL;
}

/* Recordings of runs whose loops come and go tell which are closed, whether that was asked for or not: the page draws
 * no others. */
static void add_channel(zvScenario *scenario) {
    bool swings = false;
    for (int i = 0; i < scenario->event_count; i++) swings |= scenario->events[i].loop >= 0;
    for (int i = 0; i < scenario->channel_count; i++) swings &= scenario->channels[i].kind != ZI_CHANNEL_CLOSED;
    if (swings) scenario->channels[scenario->channel_count++] = (ziChannelSpec){ZI_CHANNEL_CLOSED, -1};
}

/* An event that could never do anything is a mistake: of the loop's name, or of its state at first. */
zvStatus zi_event_check_swings(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvScenario *scenario = reader->scenario;
    const zvNode *list = zv_node_get(root->node, "events");
    for (int i = 0; i < zv_model_nloop(scenario->model); i++) {
        const zvLoop *loop = zv_model_loop(scenario->model, i);
        const ziEventAction action = loop->open ? ZI_EVENT_OPEN : ZI_EVENT_CLOSE,
                            other = loop->open ? ZI_EVENT_CLOSE : ZI_EVENT_OPEN;
        if (!is_done(scenario, i, action) || is_done(scenario, i, other)) continue;
        const zvNode *node = entry_of(list, loop->name, loop->open ? "open" : "close");
        return zv_fail(reader->error, ZV_SCHEMA, node ? node->mark : root->node->mark, loop->name,
                       "expected a loop that is %s at some time, found \"%.60s\", which is %s from the start and by no "
                       "event %s; write initial: {loops: {%.60s: %s}}, or an event with action: %s",
                       loop->open ? "closed" : "open", loop->name, loop->open ? "open" : "closed",
                       loop->open ? "closed" : "opened", loop->name, loop->open ? "closed" : "open",
                       loop->open ? "close" : "open");
    }
    add_channel(reader->scenario);
    return ZV_OK;
}
