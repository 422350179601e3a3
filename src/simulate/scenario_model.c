/* The robot of a scenario and its initial state. */
#define _POSIX_C_SOURCE 200809L

#include "read/change.h"
#include "simulate/scenario_read.h"
#include "zveno/read.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The robot of a scenario: a file, a file with settings, or written in place. */

static const double STRONGEST = 500; /* m/s^2 */

static zvStatus keep_model_text(ziScenarioReader *reader, zvBuilder *builder) {
    char *text = NULL;
    size_t size = 0;
    const zvStatus status = zi_native_text(builder, &text, &size, reader->error);
    if (status < 0) return status;
    reader->scenario->model_text = zi_arena_text(&reader->scenario->arena, text ? text : "");
    free(text);
    return reader->scenario->model_text ? ZV_OK : zi_scenario_no_memory(reader);
}

static void strip_dofs(const ziScenarioReader *reader, zvDof *dof, const double **stiffness, const double **damping) {
    if (!reader->passive[0]) *stiffness = NULL;
    if (!reader->passive[1]) *damping = NULL;
    for (int k = 0; k < ZV_MAX_DOF; k++) {
        if (!reader->passive[0]) dof[k].stiffness = 0;
        if (!reader->passive[1]) dof[k].damping = 0;
        if (!reader->passive[2]) dof[k].friction = 0;
    }
}

/* Springs, dampers and friction that the scenario switches off. */
static void strip(const ziScenarioReader *reader, zvBuilder *builder) {
    for (int i = 0; i < zv_builder_njoint(builder); i++) {
        zvJoint *joint = zv_builder_joint(builder, i);
        strip_dofs(reader, joint->dof, &joint->stiffness_matrix, &joint->damping_matrix);
    }
    for (int i = 0; i < zv_builder_nloop(builder); i++) {
        zvLoop *loop = zv_builder_loop(builder, i);
        strip_dofs(reader, loop->dof, &loop->stiffness_matrix, &loop->damping_matrix);
    }
}

/* For whoever looks for the robot's meshes from elsewhere. In a folder without a name the path stays as it is. */
static zvStatus keep_path(ziScenarioReader *reader, const char *path) {
    char folder[PATH_MAX];
    ziArena *arena = &reader->scenario->arena;
    if (path[0] == '/' || !getcwd(folder, sizeof folder)) {
        reader->scenario->model_file = zi_arena_text(arena, path);
    } else {
        const size_t size = strlen(folder);
        char *whole = zi_arena_alloc(arena, size + strlen(path) + 2);
        if (whole) memcpy(whole, folder, size), whole[size] = '/', strcpy(whole + size + 1, path);
        reader->scenario->model_file = whole;
    }
    return reader->scenario->model_file ? ZV_OK : zi_scenario_no_memory(reader);
}

/* The path is seen from the scenario file; a failure to open it is shown at the key, others where they are. */
static zvStatus read_robot_file(ziScenarioReader *reader, const zvNode *node, zvBuilder *builder) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, "the file of the model", &name, reader->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, name,
                       "expected the path of a robot file in model, found none");
    const char *path = zi_scenario_beside(reader, name);
    if (!path) return ZV_MEMORY;
    status = keep_path(reader, path);
    if (status >= 0)
        status = zv_read_file_changed(builder, path, ZV_FORMAT_AUTO, reader->scenario->model_change_count,
                                      reader->robot_changes, reader->error);
    if (status != ZV_IO) return status; /* errors inside the file show their own place */
    zvError inner = *reader->error;
    return zv_fail(reader->error, status, node->mark, name, "the robot file cannot be read: %s (%.120s)", inner.text,
                   path);
}

/* A file name, or a map with a file or a description in place and settings. */
static zvStatus read_robot(ziScenarioReader *reader, const ziNamedMap *root, zvBuilder *builder) {
    static const char *const keys[] = {"file", "inline", "base", "mimic", "parameters"};
    static const char *const bases[] = {"fixed", "free"}, *const mimics[] = {"coupled", "independent"};
    const ziReading *reading = &reader->reading;
    const zvNode *node = zv_node_get(root->node, "model");
    if (node->kind != ZV_NODE_MAP) return read_robot_file(reader, node, builder);
    ziNamedMap model;
    zvStatus status = zi_map_part(reading, root, "model", "model", ZI_KEYS(keys), &model);
    if (status < 0) return status;
    const zvNode *file = zv_node_get(node, "file"), *inlined = zv_node_get(node, "inline");
    if (!file == !inlined)
        return zv_fail(
            reader->error, ZV_SCHEMA, node->mark, "model",
            "model: expected file, the path of a robot file, or inline, a robot written here, found both or neither");
    status = zi_scenario_give_parameters(reader, &model);
    if (status >= 0)
        status = file ? read_robot_file(reader, file, builder)
                      : zv_read_node(builder, reader->reading.file, inlined, reader->error);
    int base = 0, mimic = 0;
    if (status >= 0) status = zi_map_word(reading, &model, "base", ZI_KEYS(bases), &base);
    if (status >= 0) status = zi_map_word(reading, &model, "mimic", ZI_KEYS(mimics), &mimic);
    if (status < 0) return status;
    if (zi_map_has(&model, "base")) zv_builder_set_free_base(builder, base == 1);
    if (zi_map_has(&model, "mimic")) zv_builder_set_mimic_coupled(builder, mimic == 0);
    return ZV_OK;
}

/* A gravity of hundreds of m/s^2 is a wrong unit: refused. */
static zvStatus read_gravity(ziScenarioReader *reader, const ziNamedMap *root, zvBuilder *builder) {
    double g[3];
    zv_builder_gravity(builder, g);
    const zvStatus status = zi_map_numbers(&reader->reading, root, "gravity", 3, g);
    if (status < 0 || !zi_map_has(root, "gravity")) return status;
    const double size = hypot(hypot(g[0], g[1]), g[2]);
    if (!(size <= STRONGEST))
        return zi_scenario_bad_number(reader, root, "gravity", size, "gravity as on a planet, in m/s^2",
                                      "on Earth it is 9.81: was it written in millimetres?");
    zv_builder_set_gravity(builder, g);
    return ZV_OK;
}

/* The text of the model is kept before what the scenario leaves out is stripped. */
static zvStatus freeze(ziScenarioReader *reader, const ziNamedMap *root, zvBuilder *builder) {
    zvScenario *scenario = reader->scenario;
    zvStatus status = read_robot(reader, root, builder);
    if (status >= 0) status = read_gravity(reader, root, builder);
    if (status >= 0) status = keep_model_text(reader, builder);
    if (status < 0) return status;
    strip(reader, builder);
    status = zv_builder_freeze(builder, &scenario->model, reader->error);
    if (status < 0) return zi_scenario_blame(reader, root, zv_node_get(root->node, "model"), status);
    if (zv_model_nv(scenario->model) == 0)
        return zv_fail(reader->error, ZV_SCHEMA, zv_node_get(root->node, "model")->mark, "model",
                       "expected a joint that moves in the robot \"%.60s\", found none; there is nothing to simulate",
                       zv_model_name(scenario->model));
    return ZV_OK;
}

/* Model, workspace and labels: what all later sections resolve names with. */
zvStatus zi_scenario_model_section(ziScenarioReader *reader, const ziNamedMap *root) {
    zvScenario *scenario = reader->scenario;
    zvStatus status = zi_map_need(&reader->reading, root, "model", "model: FILE, the robot");
    if (status < 0) return status;
    zvBuilder *builder = zv_builder_create(reader->error);
    if (!builder) return ZV_MEMORY;
    status = freeze(reader, root, builder);
    zv_builder_destroy(builder);
    if (status < 0) return status;
    if (!scenario->title && !(scenario->title = zi_arena_text(&scenario->arena, zv_model_name(scenario->model))))
        return zi_scenario_no_memory(reader);
    if (!(scenario->drives = zv_drives_create(scenario->model, reader->error))) return reader->error->status;
    if (!(reader->work = zv_work_create(scenario->model, reader->error))) return reader->error->status;
    return zi_scenario_label(reader);
}

/* The initial state: neutral and at rest, then a state file, then positions and velocities by joint or elastic link. */

static const double quaternion_refused = 1e-6; /* farther than this from unit length is a mistake */

/* q or v being filled. */
typedef struct InitialValues {
    const char *key;
    bool of_q;
    int count;
    double *values;
    const char *const *labels;
    bool *named; /* (count) by the map that is being read */
    bool guess;  /* what closes the loops may move it */
} InitialValues;

static zvStatus set_number(ziScenarioReader *reader, const InitialValues *target, const zvNode *node, int index) {
    char what[ZI_WHAT];
    snprintf(what, sizeof what, "initial %s of \"%.80s\"", target->of_q ? "position" : "velocity",
             target->labels[index]);
    if (!target->guess) (target->of_q ? reader->q_given : reader->v_given)[index] = true;
    const char *unit = (target->of_q ? reader->q_units : reader->v_units)[index];
    return zi_node_value(node, what, strcmp(unit, "rad") == 0, &target->values[index], reader->error);
}

static zvStatus read_list(ziScenarioReader *reader, const InitialValues *target, const zvNode *list, int first,
                          int count, const char *what) {
    char order[240];
    if (list->count != count)
        return zv_fail(reader->error, ZV_SIZE, list->mark, target->key, "%s: expected %d entries, found %d: %s", what,
                       count, list->count, zi_scenario_names(target->labels + first, count, order, sizeof order));
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < count; i++) status = set_number(reader, target, list->items[i], first + i);
    return status;
}

/* A label and the list of its joint or link may not both give a number. */
static zvStatus claim_label(ziScenarioReader *reader, const InitialValues *target, zvMark mark, const char *name,
                            int first, int count) {
    for (int i = first; i < first + count; i++) {
        if (target->named[i])
            return zv_fail(reader->error, ZV_NAME, mark, name,
                           "expected %s of \"%.80s\" once, found it twice; remove one", target->key, target->labels[i]);
        target->named[i] = true;
    }
    return ZV_OK;
}

/* One entry of a map: a joint, one of its degrees of freedom, or an elastic link. */
static zvStatus read_joint(ziScenarioReader *reader, const InitialValues *target, const zvNode *map, int i) {
    const zvModel *model = reader->scenario->model;
    const char *name = map->keys[i];
    const zvNode *node = map->items[i];
    const int joint = zv_model_find_joint(model, name), link = joint < 0 ? zv_model_find_frame(model, name) : -1;
    int first = 0, count = 1;
    if (link >= 0 && link < zv_model_nlink(model) && zv_model_elastic_place(model, link).count > 0) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        first = target->of_q ? place.q_index : place.v_index;
        count = place.count;
    } else if (joint >= 0) {
        ziFreedoms unused;
        const zvStatus status = zi_scenario_freedom(reader, name, map->key_marks[i], "joint", &unused);
        if (status < 0) return status; /* cannot move */
        const zvJointPlace place = zv_model_joint_place(model, joint);
        first = target->of_q ? place.q_index : place.v_index;
        count = target->of_q ? place.nq : place.nv;
    } else {
        while (first < target->count && strcmp(target->labels[first], name) != 0) first++;
        if (first == target->count)
            return zi_scenario_unknown(reader, map->key_marks[i], "joint", name, target->labels, target->count);
    }
    const zvStatus status = claim_label(reader, target, map->key_marks[i], name, first, count);
    if (status < 0) return status;
    char what[ZI_WHAT];
    snprintf(what, sizeof what, "%s of %s \"%.80s\"", target->key, link >= 0 ? "link" : "joint", name);
    if (node->kind == ZV_NODE_LIST) return read_list(reader, target, node, first, count, what);
    if (count == 1) return set_number(reader, target, node, first);
    char order[200], found[ZI_FOUND_SIZE];
    return zv_fail(reader->error, ZV_SCHEMA, node->mark, node->kind == ZV_NODE_SCALAR ? node->text : "",
                   "%s: expected a list of %d numbers, found %s; write %s", what, count, zi_node_found(node, found),
                   zi_scenario_names(target->labels + first, count, order, sizeof order));
}

/* What is given by name stays when loops are closed; a list of all numbers is a guess. */
static void hold_named(ziScenarioReader *reader, const InitialValues *target) {
    const zvModel *model = reader->scenario->model;
    unsigned char *held = target->of_q ? reader->q_held : reader->v_held;
    for (int i = 0; !target->of_q && i < target->count; i++) held[i] |= target->named[i];
    for (int i = 0; target->of_q && i < zv_model_nv(model); i++) {
        const int at = reader->coordinates[i];
        if (at >= 0) held[i] |= target->named[at];
    }
    for (int j = 0; target->of_q && j < zv_model_njoint(model); j++) { /* quaternions: all or nothing */
        const zvJointPlace place = zv_model_joint_place(model, j);
        bool any = false;
        for (int k = 0; k < place.nq; k++) any |= target->named[place.q_index + k];
        for (int k = 0; any && place.nq != place.nv && k < place.nv; k++) held[place.v_index + k] = 1;
    }
}

/* All numbers as a list, or some by name. */
static zvStatus read_target(ziScenarioReader *reader, const zvNode *map, InitialValues *target) {
    const zvNode *node = zv_node_get(map, target->key);
    if (!node) return ZV_OK;
    if (node->kind == ZV_NODE_LIST) return read_list(reader, target, node, 0, target->count, target->key);
    if (node->kind != ZV_NODE_MAP)
        return zv_fail(
            reader->error, ZV_SCHEMA, node->mark, node->text,
            "%s: expected a list of %d numbers or a map from joints to values, found \"%.60s\"; write {elbow: 0.5}",
            target->key, target->count, node->text);
    zvStatus status = ZV_OK;
    target->named = zi_scenario_scratch(reader, (size_t)target->count, sizeof *target->named);
    if (!target->named) return ZV_MEMORY;
    for (int i = 0; status >= 0 && i < node->count; i++) status = read_joint(reader, target, node, i);
    if (!target->guess) hold_named(reader, target);
    return status;
}

/* q of a map, at the place where one of its numbers may stand. */
static const zvNode *place_of(const zvNode *map, const char *joint, int index) {
    const zvNode *q = zv_node_get(map, "q");
    if (!q) return map;
    if (q->kind == ZV_NODE_LIST) return q->items[index];
    const zvNode *node = zv_node_get(q, joint);
    return node ? node : q;
}

/* Quaternions must have unit length, coordinates must be within what degrees or millimetres would explain. */
static zvStatus check_positions(ziScenarioReader *reader, const zvNode *map) {
    const zvScenario *scenario = reader->scenario;
    for (int joint = 0; joint < zv_model_njoint(scenario->model); joint++) {
        const zvJointPlace place = zv_model_joint_place(scenario->model, joint);
        const char *name = zv_model_joint(scenario->model, joint)->name;
        if (place.nq > place.nv) { /* the last four are a quaternion */
            const double *x = scenario->q + place.q_index + place.nq - 4;
            const double length = hypot(hypot(x[0], x[1]), hypot(x[2], x[3]));
            if (fabs(length - 1) <= quaternion_refused) continue;
            return zv_fail(reader->error, ZV_NUMBER, place_of(map, name, place.q_index + place.nq - 4)->mark, name,
                           "expected length 1 of the quaternion (x, y, z, w) of joint \"%.60s\", found %.9g", name,
                           length);
        }
        for (int k = 0; k < place.nv; k++) {
            const zvNode *node = place_of(map, name, place.q_index + k);
            const zvStatus status =
                zi_scenario_check_position(reader, node, place.v_index + k, scenario->q[place.q_index + k]);
            if (status < 0) return status;
        }
    }
    return ZV_OK;
}

static zvStatus read_map(ziScenarioReader *reader, const zvNode *map) {
    zvScenario *scenario = reader->scenario;
    const int nq = zv_model_nq(scenario->model), nv = zv_model_nv(scenario->model);
    InitialValues targets[] = {{"guess", true, nq, scenario->q, reader->q_labels, NULL, true},
                               {"q", true, nq, scenario->q, reader->q_labels, NULL, false},
                               {"v", false, nv, scenario->v, reader->v_labels, NULL, false}};
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < 3; i++) status = read_target(reader, map, &targets[i]);
    return status < 0 ? status : check_positions(reader, map);
}

static zvStatus read_state_document(ziScenarioReader *reader, const zvNode *root, const char *path) {
    static const char *const keys[] = {"q", "v", "a", "tau", "fext", "given"};
    if (root && root->kind == ZV_NODE_LIST && root->count == 1) root = root->items[0];
    if (!root || root->kind == ZV_NODE_LIST)
        return zv_fail(reader->error, ZV_SCHEMA, (zvMark){path, 1, 1}, "",
                       "expected a file with one state, a map with q and v, found another");
    const zvStatus status = zv_node_only(root, "a state", ZI_KEYS(keys), reader->error);
    return status < 0 ? status : read_map(reader, root);
}

/* As zveno writes states; its numbers stand before those of q and v. */
static zvStatus read_state_file(ziScenarioReader *reader, const zvNode *node) {
    const char *path = NULL;
    ziSource source;
    zvStatus status = zi_scenario_load(reader, node, "state of the initial state", &path, &source);
    if (status < 0) return status;
    zvDocument *document = NULL;
    status = zv_document_read_memory(path, source.bytes, source.size, &document, reader->error);
    if (status >= 0) status = read_state_document(reader, zv_document_root(document), path);
    zv_document_destroy(document);
    zi_source_free(&source);
    return status;
}

/* Neutral and at rest, then a state file, then single values; closed loops are assembled from there. */
zvStatus zi_scenario_initial(ziScenarioReader *reader, const ziNamedMap *root) {
    static const char *const keys[] = {"q", "v", "motors", "state", "guess", "assemble", "loops", "equilibrium"};
    zvScenario *scenario = reader->scenario;
    scenario->q = zi_arena_alloc(&scenario->arena, (size_t)zv_model_nq(scenario->model) * sizeof *scenario->q);
    scenario->v = zi_arena_alloc(&scenario->arena, (size_t)zv_model_nv(scenario->model) * sizeof *scenario->v);
    if (!scenario->q || !scenario->v) return zi_scenario_no_memory(reader);
    zv_neutral(scenario->model, scenario->q);
    reader->assemble = true;
    ziNamedMap initial = {0};
    zvStatus status = ZV_OK;
    if (!zi_scenario_at_rest(reader, root))
        status = zi_map_part(&reader->reading, root, "initial", "the initial state", ZI_KEYS(keys), &initial);
    if (status < 0) return status;
    if (!initial.node) return zi_scenario_assemble(reader, root, false);
    if ((status = zi_scenario_open_loops(reader, &initial)) < 0) return status;
    const zvNode *state = zv_node_get(initial.node, "state");
    if (state && (status = read_state_file(reader, state)) < 0) return status;
    if ((status = read_map(reader, initial.node)) < 0) return status;
    zv_position_normalize(scenario->model, scenario->q);
    for (int i = 4; i < 7 && zv_model_nloop(scenario->model) == 0; i++) {
        if (zi_map_has(&initial, keys[i]))
            return zi_map_refuse(&reader->reading, &initial, keys[i],
                                 "expected a model with closed loops, found one without; remove it");
    }
    status = zi_map_bool(&reader->reading, &initial, "assemble", &reader->assemble);
    if (status >= 0) status = zi_scenario_rest(reader, &initial);
    return status < 0 ? status : zi_scenario_assemble(reader, root, false);
}
