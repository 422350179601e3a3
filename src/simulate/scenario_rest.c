/* States of rest in a scenario: where motors stand, that a run begins at equilibrium, and load cases. */
#include "simulate/scenario_read.h"

#include <string.h>

#include "base/require.h"

/* Equilibrium ------------------------------------------------------------------------------------------ */

/* initial: equilibrium, a word in place of the map. */
bool zi_scenario_at_rest(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *node = zv_node_get(root->node, "initial");
    const bool alone = node && node->kind == ZV_NODE_SCALAR && strcmp(node->text, "equilibrium") == 0;
    if (alone) reader->scenario->at_rest = true;
    return alone;
}

/* hold: names of joints that stay where the guess has them. */
static zvStatus read_held(ziScenarioReader *reader, const zvNode *list) {
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < list->count; i++) {
        ziFreedoms freedoms;
        const char *name = NULL;
        status = zv_node_text(list->items[i], "hold of equilibrium", &name, reader->error);
        if (status >= 0) status = zi_scenario_freedom(reader, name, list->items[i]->mark, "joint", &freedoms);
        for (int k = 0; status >= 0 && k < freedoms.count; k++) reader->scenario->rest_held[freedoms.dofs[k]] = 1;
    }
    return status;
}

/* Velocities are those of a steady motion: only what is held can have them. */
static zvStatus check_velocities(ziScenarioReader *reader, const ziNamedMap *initial) {
    const zvScenario *scenario = reader->scenario;
    for (int i = 0; i < zv_model_nv(scenario->model); i++) {
        if (!reader->v_given[i] || scenario->v[i] == 0 || scenario->rest_held[i]) continue;
        return zv_fail(
            reader->error, ZV_SCHEMA, zv_node_get(initial->node, "equilibrium")->mark, reader->v_labels[i],
            "equilibrium of the initial state: expected rest, or hold: [%.60s] for a steady motion of \"%.60s\", "
            "found its velocity under v",
            reader->v_labels[i], reader->v_labels[i]);
    }
    return ZV_OK;
}

/* equilibrium: true, or a map. */
zvStatus zi_scenario_rest(ziScenarioReader *reader, const ziNamedMap *initial) {
    static const char *const keys[] = {"hold"};
    zvScenario *scenario = reader->scenario;
    const zvNode *node = zv_node_get(initial->node, "equilibrium"), *list = NULL;
    if (!node) return ZV_OK;
    if (node->kind == ZV_NODE_SCALAR) {
        const zvStatus status = zi_map_bool(&reader->reading, initial, "equilibrium", &scenario->at_rest);
        if (status < 0 || !scenario->at_rest) return status;
    }
    scenario->at_rest = true;
    scenario->rest_held = zi_arena_alloc(&scenario->arena, (size_t)zv_model_nv(scenario->model) + 1);
    if (!scenario->rest_held) return zi_scenario_no_memory(reader);
    zvStatus status = ZV_OK;
    if (node->kind != ZV_NODE_SCALAR) {
        ziNamedMap rest;
        status = zi_map_part(&reader->reading, initial, "equilibrium", "the equilibrium", ZI_KEYS(keys), &rest);
        if (status >= 0) status = zi_map_list(&reader->reading, &rest, "hold", &list);
        if (status >= 0 && list) status = read_held(reader, list);
    }
    return status < 0 ? status : check_velocities(reader, initial);
}

/* Load cases ------------------------------------------------------------------------------------------- */

/* A list of texts with a sign of equality in each. */
static zvStatus read_case(ziScenarioReader *reader, const zvNode *list, zvLoadCase *to) {
    ziArena *arena = &reader->scenario->arena;
    const char **changes;
    char found[ZI_FOUND_SIZE];
    if (list->kind != ZV_NODE_LIST)
        return zv_fail(reader->error, ZV_SCHEMA, list->mark, to->name,
                       "load case \"%.60s\": expected a list of changes \"key.path=value\", as of --set, found %s",
                       to->name, zi_node_found(list, found));
    if (!(changes = zi_arena_alloc(arena, ((size_t)list->count + 1) * sizeof *changes)))
        return zi_scenario_no_memory(reader);
    for (int i = 0; i < list->count; i++) {
        const char *text = NULL;
        const zvStatus status = zv_node_text(list->items[i], "change of a load case", &text, reader->error);
        if (status < 0) return status;
        if (!strchr(text, '='))
            return zv_fail(reader->error, ZV_SYNTAX, list->items[i]->mark, text,
                           "load case \"%.60s\": expected key.path=value, found \"%.60s\"", to->name, text);
        if (!(changes[i] = zi_arena_text(arena, text))) return zi_scenario_no_memory(reader);
    }
    to->changes = changes;
    to->count = list->count;
    return ZV_OK;
}

/* A map from names to lists of changes; what they change is checked where they are used. */
zvStatus zi_scenario_cases(ziScenarioReader *reader, const ziNamedMap *root) {
    zvScenario *scenario = reader->scenario;
    const zvNode *map = zv_node_get(root->node, "cases");
    zvStatus status = ZV_OK;
    if (!map) return ZV_OK;
    if (map->kind != ZV_NODE_MAP)
        return zi_map_expected(&reader->reading, root, "cases", "a map from names to lists of changes",
                               "write {full: [\"loads.0.force=[0, 0, -200]\"]}");
    scenario->cases = zi_arena_alloc(&scenario->arena, ((size_t)map->count + 1) * sizeof *scenario->cases);
    if (!scenario->cases) return zi_scenario_no_memory(reader);
    for (int i = 0; status >= 0 && i < map->count; i++) {
        zvLoadCase *to = &scenario->cases[i];
        if (!(to->name = zi_arena_text(&scenario->arena, map->keys[i]))) return zi_scenario_no_memory(reader);
        if ((status = read_case(reader, map->items[i], to)) >= 0) scenario->case_count++;
    }
    return status;
}

int zv_scenario_ncase(const zvScenario *scenario) {
    ZI_REQUIRE(scenario);
    return scenario->case_count;
}

zvLoadCase zv_scenario_case(const zvScenario *scenario, int index) {
    ZI_REQUIRE(scenario && index >= 0 && index < scenario->case_count);
    return scenario->cases[index];
}

/* Motors ---------------------------------------------------------------------------------------------- */

/* The entry of z that is the motor angle of a freedom, or -1; its rate follows it. */
static int motor_state(const zvDrives *drives, int dof) {
    for (int i = 0; i + 1 < zv_drives_nstate(drives); i++) {
        const zvDriveState angle = zv_drives_state(drives, i), rate = zv_drives_state(drives, i + 1);
        if (angle.dof == dof && angle.is_position && rate.dof == dof && !rate.is_position) return i;
    }
    return -1;
}

/* Angle and rate of one rotor, by the name of its joint. */
static zvStatus read_motor(ziScenarioReader *reader, const zvNode *map, int i) {
    static const char *const keys[] = {"theta", "rate"};
    ziFreedoms freedoms;
    zvStatus status = zi_scenario_freedom(reader, map->keys[i], map->key_marks[i], "joint", &freedoms);
    if (status < 0) return status;
    const int at = freedoms.count == 1 ? motor_state(reader->scenario->drives, freedoms.dofs[0]) : -1;
    if (at < 0)
        return zv_fail(reader->error, ZV_NAME, map->key_marks[i], map->keys[i],
                       "expected a joint with flexible: {...}, which has a motor state, found \"%.60s\" without",
                       map->keys[i]);
    ziNamedMap motor;
    status = zi_map_open(&reader->reading, map->items[i], "the motor", NULL, ZI_KEYS(keys), &motor);
    if (status < 0) return status;
    motor = (ziNamedMap){map->items[i], "the motor of joint", map->keys[i]};
    status = zi_map_angle(&reader->reading, &motor, "theta", &reader->scenario->z[at]);
    if (status >= 0) status = zi_map_angle(&reader->reading, &motor, "rate", &reader->scenario->z[at + 1]);
    return status;
}

/* By name, or one word for all. */
static zvStatus read_motors(ziScenarioReader *reader, const zvNode *node) {
    static const char *const words[] = {"unstretched", "equilibrium"};
    zvStatus status = ZV_OK;
    if (node->kind == ZV_NODE_MAP) {
        for (int i = 0; status >= 0 && i < node->count; i++) status = read_motor(reader, node, i);
        return status;
    }
    const zvNode *initial = zv_node_get(reader->root, "initial");
    const ziNamedMap element = {initial, "the initial state", NULL};
    int choice = 0;
    status = zi_map_word(&reader->reading, &element, "motors", ZI_KEYS(words), &choice);
    reader->scenario->motors_at_equilibrium = choice == 1;
    return status;
}

/* After the drives, which own the states of rotors. */
zvStatus zi_scenario_motors(ziScenarioReader *reader, const ziNamedMap *root) {
    zvScenario *scenario = reader->scenario;
    const zvNode *node = zv_node_get(zv_node_get(root->node, "initial"), "motors");
    const size_t count = (size_t)zv_drives_nstate(scenario->drives);
    if (!(scenario->z = zi_arena_alloc(&scenario->arena, count * sizeof *scenario->z)))
        return zi_scenario_no_memory(reader);
    zvEfforts *efforts = zv_efforts_create(scenario->drives, reader->error);
    if (!efforts) return reader->error->status;
    zv_drives_initial(scenario->drives, efforts, reader->work, scenario->q, scenario->v, false, scenario->z);
    zv_efforts_destroy(efforts);
    return node ? read_motors(reader, node) : ZV_OK;
}
