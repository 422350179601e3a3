/* Forces of a scenario on frames: spring-dampers and bushings between two of them, loads. */
#include "actuate/element.h"
#include "simulate/scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Spring {
    ziScenarioReader *reader;
    ziNamedMap element;
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
    return zi_map_refuse(
        &reader->reading, &spring->element, "to",
        "expected a frame of another body than from, found one of the same; the spring would do nothing");
}

/* How many elements have the name already, or it with a number. */
static int count_named(const zvDrives *drives, const char *name) {
    const size_t length = strlen(name);
    int count = 0;
    for (size_t i = 0; i < drives->nelement; i++) {
        const char *other = drives->elements[i].name;
        count += strncmp(other, name, length) == 0 && (!other[length] || other[length] == ' ');
    }
    return count;
}

/* "from-to", and "from-to 2" for the next one between the same frames. */
static zvStatus name_spring(Spring *spring) {
    if (spring->element.name) return ZV_OK;
    const zvModel *model = spring->reader->scenario->model;
    const char *from = zv_model_frame(model, spring->from).name, *to = zv_model_frame(model, spring->to).name;
    const size_t size = strlen(from) + strlen(to) + 16;
    char *name = zi_scenario_scratch(spring->reader, size, 1);
    if (!name) return ZV_MEMORY;
    snprintf(name, size, "%s-%s", from, to);
    const int before = count_named(spring->reader->scenario->drives, name);
    if (before) snprintf(name, size, "%s-%s %d", from, to, before + 1);
    spring->element.name = name;
    return ZV_OK;
}

/* Between two frames; without a length the distance at the start. */
static zvStatus read_spring(ziScenarioReader *reader, const zvNode *node) {
    static const char *const keys[] = {"from", "to", "stiffness", "damping", "length", "name"};
    const ziReading *reading = &reader->reading;
    Spring spring = {.reader = reader};
    ziNamedMap *element = &spring.element;
    zvStatus status = zi_map_open(reading, node, "spring", NULL, ZI_KEYS(keys), element);
    if (status >= 0) status = zi_map_text(reading, element, "name", &element->name);
    if (status >= 0) status = read_frames(&spring);
    if (status >= 0) status = name_spring(&spring);
    if (status >= 0) status = zi_map_need(reading, element, "stiffness", "stiffness: 1000, in N/m");
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "stiffness", &spring.stiffness);
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "damping", &spring.damping);
    if (status >= 0) status = read_length(&spring);
    if (status < 0) return status;
    status = zv_drives_add_coupler(reader->scenario->drives, element->name, spring.from, spring.to, spring.stiffness,
                                   spring.damping, spring.length, reader->error);
    return status < 0 ? zi_scenario_blame(reader, element, node, status) : status;
}

/* Bushings: the same with matrices. */

/* Where the frames stand in the initial position, as displacement and rotation vector. */
static void apart_now(const Spring *bushing, double rest[6]) {
    const zvScenario *scenario = bushing->reader->scenario;
    zvPose from, to;
    double apart[6];
    zv_frame_pose(scenario->model, bushing->reader->work, scenario->q, bushing->from, &from);
    zv_frame_pose(scenario->model, bushing->reader->work, scenario->q, bushing->to, &to);
    zv_pose_error(&to, &from, apart);
    for (int i = 0; i < 6; i++) {
        rest[i] = 0;
        for (int k = 0; k < 3; k++) rest[i] += from.R[3 * k + i % 3] * apart[i / 3 * 3 + k];
    }
}

/* Six numbers, or now; without it zero, where the two frames coincide. */
static zvStatus read_rest(const Spring *bushing, double rest[6]) {
    const zvNode *node = zv_node_get(bushing->element.node, "rest");
    if (node && node->kind == ZV_NODE_SCALAR && strcmp(node->text, "now") == 0) {
        apart_now(bushing, rest);
        return ZV_OK;
    }
    return node ? zi_map_freedoms(&bushing->reader->reading, &bushing->element, "rest", ZV_JOINT_FREE, rest) : ZV_OK;
}

/* Between two frames, as the matrices of a free joint. */
static zvStatus read_bushing(ziScenarioReader *reader, const zvNode *node) {
    static const char *const keys[] = {"from", "to", "stiffness", "damping", "rest", "name"};
    const ziReading *reading = &reader->reading;
    Spring bushing = {.reader = reader};
    ziNamedMap *element = &bushing.element;
    const double *K = NULL, *D = NULL;
    double rest[6] = {0};
    zvStatus status = zi_map_open(reading, node, "bushing", NULL, ZI_KEYS(keys), element);
    if (status >= 0) status = zi_map_text(reading, element, "name", &element->name);
    if (status >= 0) status = read_frames(&bushing);
    if (status >= 0) status = name_spring(&bushing);
    if (status >= 0) status = zi_native_square(reading, element, "stiffness", 6, "freedom", &reader->scratch, &K);
    if (status >= 0) status = zi_native_square(reading, element, "damping", 6, "freedom", &reader->scratch, &D);
    if (status >= 0 && !K && !D)
        status = zi_map_need(reading, element, "stiffness", "stiffness or damping, 6 numbers or a matrix of 6 x 6");
    if (status >= 0) status = read_rest(&bushing, rest);
    if (status < 0) return status;
    status = zv_drives_add_bushing(reader->scenario->drives, element->name, bushing.from, bushing.to, K, D, rest,
                                   reader->error);
    return status < 0 ? zi_scenario_blame(reader, element, node, status) : status;
}

zvStatus zi_scenario_bushings(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(&reader->reading, root, "bushings", &list);
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = read_bushing(reader, list->items[i]);
    return status < 0 || !list ? status : zi_scenario_distinct(reader, list, "bushing");
}

zvStatus zi_scenario_springs(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(&reader->reading, root, "springs", &list);
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = read_spring(reader, list->items[i]);
    return status < 0 || !list ? status : zi_scenario_distinct(reader, list, "spring");
}

/* Forces and moments on frames. */

/* Three entries of a load: a law, or zero when the key is absent. */
static zvLaw *read_half(ziScenarioReader *reader, const ziNamedMap *load, const char *key, const char *kind) {
    const zvNode *node = zv_node_get(load->node, key);
    const ziLawPlace place = {.kind = kind, .name = load->name, .width = 3, .strict = true};
    const double zero[3] = {0};
    return node ? zi_scenario_law(reader, node, &place) : zv_law_constant(3, zero, reader->error);
}

/* Force and moment are one law of six entries. */
static zvStatus add_load(ziScenarioReader *reader, const ziNamedMap *load, int frame, zvAxes axes) {
    zvLaw *halves[2] = {read_half(reader, load, "force", "force of load"), NULL};
    if (!halves[0]) return reader->error->status;
    if (!(halves[1] = read_half(reader, load, "moment", "moment of load"))) {
        zv_law_destroy(halves[0]);
        return reader->error->status;
    }
    zvLaw *law = zv_law_join(2, halves, reader->error);
    if (!law) return reader->error->status;
    const zvStatus status = zv_drives_add_load(reader->scenario->drives, load->name, frame, axes, law, reader->error);
    return status < 0 ? zi_scenario_blame(reader, load, load->node, status) : status;
}

/* Axes of the world, or of the frame for a load that turns with it. */
static zvStatus read_load(ziScenarioReader *reader, const zvNode *node) {
    static const char *const keys[] = {"frame", "axes", "force", "moment", "name"};
    static const char *const words[] = {[ZV_AXES_WORLD] = "world", [ZV_AXES_LOCAL] = "local"};
    const ziReading *reading = &reader->reading;
    ziNamedMap load;
    int frame = 0, axes = ZV_AXES_WORLD;
    zvStatus status = zi_map_open(reading, node, "load", NULL, ZI_KEYS(keys), &load);
    if (status >= 0) status = zi_map_text(reading, &load, "name", &load.name);
    if (status >= 0) status = zi_scenario_frame(reader, &load, "frame", &frame);
    if (status >= 0) status = zi_map_word(reading, &load, "axes", ZI_KEYS(words), &axes);
    if (status < 0) return status;
    char what[ZI_WHAT];
    if (!zi_map_has(&load, "force") && !zi_map_has(&load, "moment"))
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, "force",
                       "%s: expected force or moment, found neither; add one", zi_map_what(&load, NULL, what));
    if (zv_model_frame_body(reader->scenario->model, frame) == 0)
        return zi_map_refuse(reading, &load, "frame",
                             "expected a frame that moves, found one on the ground; a load there does nothing");
    if (!load.name) load.name = zv_model_frame(reader->scenario->model, frame).name;
    return add_load(reader, &load, frame, (zvAxes)axes);
}

zvStatus zi_scenario_loads(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(&reader->reading, root, "loads", &list);
    for (int i = 0; status >= 0 && list && i < list->count; i++) status = read_load(reader, list->items[i]);
    return status;
}
