/* Motions of free and ball joints in a scenario: position and orientation as laws. */
#include "actuate/element.h"
#include "simulate/scenario_read.h"

#include <math.h>
#include <string.h>

static const double disagreement = 1e-6; /* between the initial state and the motion, m or rad */

/* A motion being read. */
typedef struct PoseText {
    ziScenarioReader *reader;
    const ziNamedMap *element;
    const char *name;
    int joint;
    zvLaw *position; /* owned until the route takes it */
} PoseText;

static zvRoute *refuse_pose(PoseText *text) {
    zv_law_destroy(text->position);
    text->position = NULL;
    return NULL;
}

/* The constructors of routes know no place. */
static zvRoute *blame_pose(const PoseText *text, const zvNode *node, zvRoute *route) {
    if (!route) zi_scenario_blame(text->reader, text->element, node, text->reader->error->status);
    return route;
}

static zvLaw *orientation_law(const PoseText *text, const ziNamedMap *map, int width) {
    const ziLawPlace place = {.kind = "orientation of drive", .name = text->name, .width = width, .motion = true};
    if (zi_map_need(&text->reader->reading, map, "law", "law: the angles as laws of time") < 0) return NULL;
    return zi_scenario_law(text->reader, zv_node_get(map->node, "law"), &place);
}

static zvRoute *read_vector(PoseText *text, const ziNamedMap *map) {
    zvLaw *law = orientation_law(text, map, 3);
    if (!law) return refuse_pose(text);
    return blame_pose(text, map->node, zv_route_vector(text->position, law, text->reader->error));
}

/* Letters first: they tell how many angles there are. */
static zvRoute *read_angles(PoseText *text, const ziNamedMap *map) {
    const char *axes = NULL;
    if (zi_map_need(&text->reader->reading, map, "axes", "axes: zyx, for yaw, pitch and roll") < 0 ||
        zi_map_text(&text->reader->reading, map, "axes", &axes) < 0)
        return refuse_pose(text);
    const size_t count = strlen(axes);
    if (count < 1 || count > 3 || strspn(axes, "xyz") != count) {
        zi_map_expected(&text->reader->reading, map, "axes", "one to three of the letters x, y, z",
                        "write zyx for yaw, pitch and roll");
        return refuse_pose(text);
    }
    zvLaw *law = orientation_law(text, map, (int)count);
    if (!law) return refuse_pose(text);
    return blame_pose(text, map->node, zv_route_angles(text->position, axes, law, text->reader->error));
}

/* Turns one after the other, each at rest at its ends: the sum of a profile for each. */
static zvLaw *staged_progress(PoseText *text, const ziLawText *keys, int count) {
    static const char *const words[] = {ZI_PROFILES};
    ziScenarioReader *reader = text->reader;
    double *times = NULL;
    int given = 0, profile = 1, made = 0;
    if (zi_scenario_law_times(keys, &given, &times) < 0) return NULL;
    if (given != count || count < 2) {
        zi_map_refuse(&reader->reading, &keys->element, "times",
                      "expected two quaternions at least and a time for each, found other numbers of them");
        return NULL;
    }
    if (zi_map_word(&reader->reading, &keys->element, "profile", ZI_KEYS(words), &profile) < 0) return NULL;
    zvLaw **parts = zi_scenario_scratch(reader, (size_t)count, sizeof *parts);
    while (parts && made < count - 1) {
        if (!(parts[made] = zi_scenario_profile(reader, profile, times[made], times[made + 1] - times[made]))) break;
        made++;
    }
    if (made == count - 1) return zv_law_sum(made, parts, reader->error);
    while (made > 0) zv_law_destroy(parts[--made]);
    return NULL;
}

/* From one quaternion to another, or through a list of them. */
static zvRoute *read_slerp(PoseText *text, const ziNamedMap *map) {
    ziScenarioReader *reader = text->reader;
    const ziLawPlace four = {.kind = "orientation of drive", .name = text->name, .width = 4};
    const ziLawText keys = {reader, *map, &four, 0};
    double ends[8], *list = ends, start, end;
    int count = 2;
    zvLaw *progress = NULL;
    if (zi_map_has(map, "quaternions")) {
        if (zi_scenario_law_rows(&keys, "quaternions", 2, &count, &list) >= 0)
            progress = staged_progress(text, &keys, count);
    } else if (zi_map_need(&reader->reading, map, "from", "from: [x, y, z, w], or quaternions with times") >= 0 &&
               zi_map_need(&reader->reading, map, "to", "to: [x, y, z, w]") >= 0 &&
               zi_map_numbers(&reader->reading, map, "from", 4, ends) >= 0 &&
               zi_map_numbers(&reader->reading, map, "to", 4, ends + 4) >= 0) {
        progress = zi_scenario_progress(reader, map, &start, &end);
    }
    if (!progress) return refuse_pose(text);
    return blame_pose(text, map->node, zv_route_slerp(text->position, count, list, progress, reader->error));
}

/* A list of four numbers: it stays. */
static zvRoute *read_fixed(PoseText *text, const zvNode *node) {
    ziScenarioReader *reader = text->reader;
    const ziLawPlace place = {.kind = "orientation of drive", .name = text->name, .width = 4};
    double e[4];
    const double zero = 0;
    if (zi_scenario_vector(reader, text->element, "orientation", &place, false, e) < 0) return refuse_pose(text);
    zvLaw *rest = zv_law_constant(1, &zero, reader->error);
    if (!rest) return refuse_pose(text);
    return blame_pose(text, node, zv_route_slerp(text->position, 1, e, rest, reader->error));
}

typedef struct PoseKind {
    const char *word;
    zvRoute *(*read)(PoseText *text, const ziNamedMap *map);
    const char *keys[9]; /* besides type */
} PoseKind;

static const PoseKind pose_kinds[] = {
    {"vector", read_vector, {"law"}},
    {"angles", read_angles, {"axes", "law"}},
    {"slerp", read_slerp, {"from", "to", "duration", "start", "progress", "quaternions", "times", "profile"}},
};
enum { POSE_KINDS = sizeof pose_kinds / sizeof *pose_kinds };

/* Four numbers, or a map whose type decides which keys are known. */
static zvRoute *read_orientation(PoseText *text, const zvNode *node) {
    const ziReading *reading = &text->reader->reading;
    const ziNamedMap map = {node, "orientation of drive", text->name};
    const char *words[POSE_KINDS], *keys[10] = {"type"};
    char what[ZI_WHAT];
    int choice = 0;
    size_t count = 1;
    if (node->kind != ZV_NODE_MAP) return read_fixed(text, node);
    for (int i = 0; i < POSE_KINDS; i++) words[i] = pose_kinds[i].word;
    if (zi_map_need(reading, &map, "type", "type: vector, angles or slerp") < 0 ||
        zi_map_word(reading, &map, "type", words, POSE_KINDS, &choice) < 0)
        return refuse_pose(text);
    while (count < 9 && pose_kinds[choice].keys[count - 1]) {
        keys[count] = pose_kinds[choice].keys[count - 1];
        count++;
    }
    if (zv_node_only(node, zi_map_what(&map, NULL, what), keys, count, text->reader->error) < 0)
        return refuse_pose(text);
    return pose_kinds[choice].read(text, &map);
}

/* Velocities likewise, then they are the motion's. */
static zvStatus begin_rates(const PoseText *text, const ziPoseData *x, const double *v) {
    zvScenario *scenario = text->reader->scenario;
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < 6; i++) {
        const bool linear = i < 3, led = linear ? x->places : x->turns;
        const int dof = linear ? x->at_v + i : x->at_w + i - 3;
        const char *key = linear ? "position" : "orientation";
        if (led)
            status = zi_scenario_begin_rate(text->reader, dof, v[dof], zv_node_get(text->element->node, key)->mark);
    }
    if (status >= 0) memcpy(scenario->v, v, (size_t)zv_model_nv(scenario->model) * sizeof *v);
    return status;
}

/* The motion decides where its joint begins; an initial state that says otherwise is a mistake. */
static zvStatus begin_pose(const PoseText *text) {
    ziScenarioReader *reader = text->reader;
    zvScenario *scenario = reader->scenario;
    const zvDrives *drives = scenario->drives;
    const ziElement *e = &drives->elements[drives->nelement - 1];
    const ziPoseData *x = &e->of.pose;
    const size_t nq = (size_t)zv_model_nq(scenario->model), nv = (size_t)zv_model_nv(scenario->model);
    double *q = zi_scenario_scratch(reader, nq + nv, sizeof *q), *v = q + nq, place = 0, turn = 0;
    if (!q) return ZV_MEMORY;
    memcpy(q, scenario->q, nq * sizeof *q);
    memcpy(v, scenario->v, nv * sizeof *v);
    e->kind->impose(drives, e, NULL, scenario->start, q, v);
    for (int i = 0; x->places && i < 3; i++)
        if (reader->q_given[x->at_p + i]) place = hypot(place, q[x->at_p + i] - scenario->q[x->at_p + i]);
    for (int i = 0; x->turns && i < 4; i++)
        if (reader->q_given[x->at_turn + i]) turn = hypot(turn, 2 * (q[x->at_turn + i] - scenario->q[x->at_turn + i]));
    memcpy(scenario->q, q, nq * sizeof *q);
    if (place <= disagreement && turn <= disagreement) return begin_rates(text, x, v);
    const char *key = place > disagreement ? "position" : "orientation",
               *joint = zv_model_joint(scenario->model, text->joint)->name;
    return zv_fail(
        reader->error, ZV_NUMBER, zv_node_get(text->element->node, key)->mark, joint,
        "expected the motion of joint \"%.60s\" to begin at its initial %s, found it %.3g %s away; make them "
        "equal, or leave one of them out",
        joint, key, place > disagreement ? place : turn, place > disagreement ? "m" : "rad");
}

/* The joint whose freedoms are all of a list, and free or a ball; -1 with the error. */
static int joint_of_pose(const PoseText *text, const ziFreedoms *freedoms) {
    ziScenarioReader *reader = text->reader;
    const zvModel *model = reader->scenario->model;
    const char *key = zi_map_has(text->element, "joint") ? "joint" : "joints";
    const int joint = reader->owners[freedoms->dofs[0]];
    const zvJointType type = zv_model_joint(model, joint)->type;
    bool alone = freedoms->count == zv_joint_type_nv(type);
    for (int i = 0; i < freedoms->count; i++) alone = alone && reader->owners[freedoms->dofs[i]] == joint;
    if (alone && (type == ZV_JOINT_FREE || type == ZV_JOINT_SPHERICAL)) return joint;
    zi_map_refuse(
        &reader->reading, text->element, key,
        "expected the name of one free or ball joint beside position or orientation, found another; give a law "
        "of its coordinates instead");
    return -1;
}

/* The joint, the laws of place and turn, the drive, and where it begins. */
zvStatus zi_scenario_pose_motion(ziScenarioReader *reader, const ziNamedMap *element, const char *name,
                                 const ziFreedoms *freedoms) {
    const zvNode *place = zv_node_get(element->node, "position"), *turn = zv_node_get(element->node, "orientation");
    PoseText text = {.reader = reader, .element = element, .name = name};
    if (zi_map_has(element, "law"))
        return zi_map_refuse(&reader->reading, element, "law",
                             "expected a law, or position and orientation, found both; keep one");
    if ((text.joint = joint_of_pose(&text, freedoms)) < 0) return reader->error->status;
    const zvModel *model = reader->scenario->model;
    if (place && zv_model_joint(model, text.joint)->type == ZV_JOINT_SPHERICAL)
        return zi_map_refuse(&reader->reading, element, "position",
                             "expected an orientation alone for a ball joint, found a position; leave it out");
    const double *from = reader->scenario->q + zv_model_joint_place(model, text.joint).q_index;
    const ziLawPlace three = {.kind = "position of drive", .name = name, .width = 3, .from = from, .strict = true};
    if (place && !(text.position = zi_scenario_law(reader, place, &three))) return reader->error->status;
    zvRoute *route = turn ? read_orientation(&text, turn)
                          : blame_pose(&text, place, zv_route_vector(text.position, NULL, reader->error));
    if (!route) return reader->error->status;
    const zvStatus status = zv_drives_add_pose_motion(reader->scenario->drives, name, text.joint, route, reader->error);
    if (status < 0) return zi_scenario_blame(reader, element, element->node, status);
    return begin_pose(&text);
}
