/* What a scenario makes of the limits of the model's joints: limits: stop or ignore, effort: saturate or ignore, of all
 * joints and of single ones. */
#include <math.h>

#include "simulate/scenario_read.h"

/* Numbers of a freedom as the model has them. */
static const zvDof *dof_of(const ziScenarioReader *reader, int dof) {
    const zvModel *model = reader->scenario->model;
    const int joint = reader->owners[dof];
    return joint < 0 ? NULL : &zv_model_joint(model, joint)->dof[dof - zv_model_joint_place(model, joint).v_index];
}

static bool has_number(const ziScenarioReader *reader, int dof, bool of_effort) {
    const zvDof *of = dof_of(reader, dof);
    return of && (of_effort ? of->effort > 0 : of->has_limits);
}

/* Freedoms named, or all; acting on joints of which none has a limit is refused. */
static zvStatus read_choice(ziScenarioReader *reader, const ziNamedMap *element, bool of_effort,
                            const ziFreedoms *freedoms, unsigned char *chosen) {
    static const char *const words[2][2] = {{"ignore", "stop"}, {"ignore", "saturate"}};
    const char *key = of_effort ? "effort" : "limits";
    int choice = 0;
    bool any = false;
    const zvStatus status = zi_map_word(&reader->reading, element, key, words[of_effort], 2, &choice);
    if (status < 0 || !zi_map_has(element, key)) return status;
    const int count = freedoms ? freedoms->count : zv_model_nv(reader->scenario->model);
    for (int i = 0; i < count; i++) {
        const int dof = freedoms ? freedoms->dofs[i] : i;
        if (!has_number(reader, dof, of_effort)) continue;
        chosen[dof] = (unsigned char)choice;
        any = true;
    }
    if (any || choice == 0) return ZV_OK;
    return zi_map_refuse(&reader->reading, element, key,
                         of_effort ? "expected an effort limit in the model, found none; add limits: {effort} there"
                                   : "expected limits in the model, found none; add limits: {lower, upper} there");
}

static zvStatus read_both(ziScenarioReader *reader, const ziNamedMap *element, const ziFreedoms *freedoms) {
    const zvStatus status = read_choice(reader, element, false, freedoms, reader->stops);
    return status < 0 ? status : read_choice(reader, element, true, freedoms, reader->saturates);
}

/* First of all joints, then of those that are named. */
zvStatus zi_scenario_limits(ziScenarioReader *reader, const ziNamedMap *root) {
    const int nv = zv_model_nv(reader->scenario->model);
    const zvNode *map = zv_node_get(root->node, "joints");
    reader->stops = zi_scenario_scratch(reader, (size_t)nv, 1);
    reader->saturates = zi_scenario_scratch(reader, (size_t)nv, 1);
    if (!reader->stops || !reader->saturates) return ZV_MEMORY;
    zvStatus status = read_both(reader, root, NULL);
    for (int i = 0; status >= 0 && map && i < map->count; i++) {
        const ziNamedMap element = {map->items[i], "joint", map->keys[i]};
        ziFreedoms freedoms;
        status = zi_scenario_freedom(reader, map->keys[i], map->key_marks[i], "joint", &freedoms);
        if (status >= 0) status = read_both(reader, &element, &freedoms);
    }
    for (int i = 0; status >= 0 && i < nv; i++) {
        if (reader->saturates[i])
            status = zv_drives_saturate(reader->scenario->drives, i, dof_of(reader, i)->effort, reader->error);
    }
    return status;
}

/* The effort limits of the model's joints, infinite where a joint has none; refused when no joint has one. */
zvStatus zi_scenario_model_limit(ziScenarioReader *reader, const ziNamedMap *element, const ziFreedoms *freedoms,
                                 const double **limit) {
    const zvModel *model = reader->scenario->model;
    double *efforts = zi_scenario_scratch(reader, (size_t)freedoms->count, sizeof *efforts);
    if (!efforts) return ZV_MEMORY;
    bool any = false;
    for (int i = 0; i < freedoms->count; i++) {
        const int dof = freedoms->dofs[i], joint = reader->owners[dof];
        const int first = zv_model_joint_place(model, joint).v_index;
        const double effort = zv_model_joint(model, joint)->dof[dof - first].effort;
        efforts[i] = effort > 0 ? effort : INFINITY;
        any |= effort > 0;
    }
    *limit = efforts;
    if (any) return ZV_OK;
    return zi_map_refuse(
        &reader->reading, element, "limit",
        "expected effort limits on these joints of the model, found none; add them there, or write numbers");
}

/* What controllers take for their limit when they have none of their own. */
zvStatus zi_scenario_saturation(ziScenarioReader *reader, const ziFreedoms *freedoms, const double **limit) {
    bool any = false;
    double *forces = zi_scenario_scratch(reader, (size_t)freedoms->count, sizeof *forces);
    if (!forces) return ZV_MEMORY;
    for (int i = 0; i < freedoms->count; i++) {
        const int dof = freedoms->dofs[i];
        forces[i] = reader->saturates[dof] ? dof_of(reader, dof)->effort : INFINITY;
        any |= reader->saturates[dof] != 0;
    }
    if (any) *limit = forces;
    return ZV_OK;
}
