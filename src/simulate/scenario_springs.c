/* Spring-dampers between frames. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulate/scenario_read.h"

typedef struct Spring {
    ziScenarioReader *reader;
    ziElement element;
    int from, to;
    double stiffness, damping, length;
} Spring;

/* The distance of the frames in the initial position; zero when only rounding tells them apart. */
static double distance_now(const Spring *spring) {
    const zvScenario *scenario = spring->reader->scenario;
    zvPose from, to;
    double distance = 0, size = 0;
    zv_frame_pose(scenario->model, spring->reader->work, scenario->q, spring->from, &from);
    zv_frame_pose(scenario->model, spring->reader->work, scenario->q, spring->to, &to);
    for (int i = 0; i < 3; i++) {
        distance = hypot(distance, to.p[i] - from.p[i]);
        size += fabs(to.p[i]) + fabs(from.p[i]);
    }
    return distance > 1e-12 * size ? distance : 0;
}

static zvStatus read_length(Spring *spring) {
    const zvNode *node = zv_node_get(spring->element.node, "length");
    spring->length = distance_now(spring);
    if (!node || (node->kind == ZV_NODE_SCALAR && strcmp(node->text, "now") == 0)) return ZV_OK;
    return zi_scenario_not_negative(spring->reader, &spring->element, "length", &spring->length);
}

static zvStatus read_frames(Spring *spring) {
    ziScenarioReader *reader = spring->reader;
    const zvModel *model = reader->scenario->model;
    zvStatus status = zi_scenario_frame(reader, &spring->element, "from", &spring->from);
    if (status >= 0) status = zi_scenario_frame(reader, &spring->element, "to", &spring->to);
    if (status < 0) return status;
    if (zv_model_frame_body(model, spring->from) != zv_model_frame_body(model, spring->to)) return ZV_OK;
    return zi_element_refuse(&reader->reading, &spring->element, "to",
                             "belongs to the same body as from; the spring would do nothing: join two bodies");
}

/* "from-to" */
static zvStatus name_spring(Spring *spring) {
    if (spring->element.name) return ZV_OK;
    const zvModel *model = spring->reader->scenario->model;
    const char *from = zv_model_frame(model, spring->from).name, *to = zv_model_frame(model, spring->to).name;
    const size_t size = strlen(from) + strlen(to) + 2;
    char *name = zi_scenario_scratch(spring->reader, size, 1);
    if (!name) return ZV_MEMORY;
    snprintf(name, size, "%s-%s", from, to);
    spring->element.name = name;
    return ZV_OK;
}

static zvStatus read_spring(ziScenarioReader *reader, const zvNode *node) {
    static const char *const keys[] = {"from", "to", "stiffness", "damping", "length", "name"};
    const ziReading *reading = &reader->reading;
    Spring spring = {.reader = reader};
    ziElement *element = &spring.element;
    zvStatus status = zi_element_open(reading, node, "spring", NULL, ZI_KEYS(keys), element);
    if (status >= 0) status = zi_element_text(reading, element, "name", &element->name);
    if (status >= 0) status = read_frames(&spring);
    if (status >= 0) status = name_spring(&spring);
    if (status >= 0) status = zi_element_need(reading, element, "stiffness", "stiffness: 1000, in N/m");
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "stiffness", &spring.stiffness);
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "damping", &spring.damping);
    if (status >= 0) status = read_length(&spring);
    if (status < 0) return status;
    status = zv_drives_add_coupler(reader->scenario->drives, element->name, spring.from, spring.to, spring.stiffness,
                                   spring.damping, spring.length, reader->error);
    return status < 0 ? zi_scenario_blame(reader, element, node, status) : status;
}

zvStatus zi_scenario_springs(ziScenarioReader *reader, const ziElement *root) {
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(&reader->reading, root, "springs", &list);
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = read_spring(reader, list->items[i]);
    return status < 0 || !list ? status : zi_scenario_distinct(reader, list, "spring");
}
