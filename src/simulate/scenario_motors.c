/* Where the rotors of flexible joints begin. */
#include "simulate/scenario_read.h"

#include <string.h>

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
