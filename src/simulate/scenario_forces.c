/* Forces of a scenario besides drives: what joints carry. */
#include "actuate/element.h"
#include "model/gear.h"
#include "simulate/scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What joints carry by themselves: springs, dampers, friction and flexible gears, from the model and from the scenario.
 */

static const double SMOOTHING = 0.01; /* rad/s or m/s */

/* Which springs, dampers and friction of the model's joints count, and the smoothing of friction. Read before the
 * model. */
zvStatus zi_scenario_passive(ziScenarioReader *reader, const ziNamedMap *root) {
    static const char *const keys[] = {"springs", "damping", "friction", "smoothing", "modal_damping"};
    const ziReading *reading = &reader->reading;
    const zvNode *node = zv_node_get(root->node, "passive");
    for (int i = 0; i < 3; i++) reader->passive[i] = true;
    reader->smoothing = SMOOTHING;
    if (!node) return ZV_OK;
    zvStatus status;
    if (node->kind == ZV_NODE_SCALAR) {
        bool on = true;
        status = zv_node_bool(node, "passive", &on, reader->error);
        for (int i = 0; i < 3; i++) reader->passive[i] = on;
        return status;
    }
    ziNamedMap passive;
    status = zi_map_part(reading, root, "passive", "passive", ZI_KEYS(keys), &passive);
    for (int i = 0; status >= 0 && i < 3; i++) status = zi_map_bool(reading, &passive, keys[i], &reader->passive[i]);
    if (status >= 0) status = zi_scenario_rate(reader, &passive, "smoothing", &reader->smoothing);
    return status;
}

/* One freedom with what the scenario says of it. */
typedef struct DofElement {
    ziNamedMap element;
    int dof;
    const zvDof *model; /* what the model says of it */
} DofElement;

/* The scenario's spring, else the model's; none without stiffness. */
static zvStatus add_spring(ziScenarioReader *reader, const DofElement *own) {
    static const char *const keys[] = {"stiffness", "rest"};
    ziNamedMap spring;
    double stiffness = 0, rest = 0;
    zvStatus status = zi_map_part(&reader->reading, &own->element, "spring", "spring of joint", ZI_KEYS(keys), &spring);
    if (status < 0) return status;
    if (!spring.node) {
        if (reader->coordinates[own->dof] < 0) return ZV_OK; /* along its rotation vector: a matrix */
        stiffness = own->model->stiffness;
        rest = own->model->rest;
    } else {
        status = zi_map_need(&reader->reading, &spring, "stiffness", "stiffness, in N m/rad or N/m");
        if (status >= 0) status = zi_scenario_not_negative(reader, &spring, "stiffness", &stiffness);
        const bool turns = strcmp(reader->v_units[own->dof], "rad") == 0;
        if (status >= 0) status = (turns ? zi_map_angle : zi_map_number)(&reader->reading, &spring, "rest", &rest);
    }
    if (status < 0 || stiffness == 0) return status;
    status = zv_drives_add_spring(reader->scenario->drives, NULL, own->dof, stiffness, rest, reader->error);
    return status < 0 ? zi_scenario_blame(reader, &own->element, own->element.node, status) : status;
}

static zvStatus add_damper(ziScenarioReader *reader, const DofElement *own) {
    double damping = own->model->damping;
    zvStatus status = zi_scenario_not_negative(reader, &own->element, "damping", &damping);
    if (status < 0 || damping == 0) return status;
    status = zv_drives_add_damper(reader->scenario->drives, NULL, own->dof, damping, reader->error);
    return status < 0 ? zi_scenario_blame(reader, &own->element, own->element.node, status) : status;
}

/* One number for both directions, or [forward, backward]. */
static zvStatus read_pair(ziScenarioReader *reader, const ziNamedMap *element, const char *key, double pair[2]) {
    const zvNode *node = zv_node_get(element->node, key);
    if (!node) return ZV_OK;
    zvStatus status;
    if (node->kind == ZV_NODE_LIST) {
        status = zi_map_numbers(&reader->reading, element, key, 2, pair);
    } else {
        status = zi_map_number(&reader->reading, element, key, &pair[0]);
        pair[1] = pair[0];
    }
    for (int i = 0; status >= 0 && i < 2; i++)
        if (pair[i] < 0)
            return zi_scenario_bad_number(reader, element, key, pair[i], "at least 0",
                                          "friction is written without sign");
    return status;
}

/* Friction as a map of its parameters. Breakaway below Coulomb friction is refused, and stick_slip with smoothing. */
static zvStatus read_friction(ziScenarioReader *reader, const ziNamedMap *element, zvFriction *friction) {
    bool stick_slip = false;
    zvStatus status = read_pair(reader, element, "coulomb", friction->coulomb);
    if (status >= 0) status = read_pair(reader, element, "breakaway", friction->breakaway);
    for (int i = 0; status >= 0 && i < 2 && zi_map_has(element, "breakaway"); i++)
        if (friction->breakaway[i] < friction->coulomb[i])
            return zi_scenario_bad_number(reader, element, "breakaway", friction->breakaway[i],
                                          "at least as much as coulomb", NULL);
    if (status >= 0) status = zi_scenario_rate(reader, element, "stribeck", &friction->stribeck);
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "viscous", &friction->viscous);
    if (status >= 0) status = zi_scenario_rate(reader, element, "smoothing", &friction->smoothing);
    if (status >= 0) status = zi_map_bool(&reader->reading, element, "stick_slip", &stick_slip);
    if (status >= 0 && stick_slip && zi_map_has(element, "smoothing") && friction->smoothing > 0)
        return zi_map_refuse(&reader->reading, element, "stick_slip",
                             "expected stick_slip or smoothing, found both; keep one");
    if (stick_slip) friction->smoothing = 0;
    return status;
}

/* Without a section the model's friction, smoothed as the scenario says. */
static zvStatus add_friction(ziScenarioReader *reader, const DofElement *own) {
    static const char *const keys[] = {"coulomb", "breakaway", "stribeck", "viscous", "smoothing", "stick_slip"};
    const zvNode *node = zv_node_get(own->element.node, "friction");
    zvFriction friction = {.smoothing = reader->smoothing};
    zvStatus status = ZV_OK;
    if (!node) {
        friction.coulomb[0] = friction.coulomb[1] = own->model->friction;
    } else if (node->kind != ZV_NODE_MAP) {
        status = read_pair(reader, &own->element, "friction", friction.coulomb);
    } else {
        ziNamedMap part;
        status = zi_map_part(&reader->reading, &own->element, "friction", "friction of joint", ZI_KEYS(keys), &part);
        if (status >= 0) status = read_friction(reader, &part, &friction);
    }
    if (status < 0) return status;
    if (!node && friction.coulomb[0] == 0) return ZV_OK;
    status = zv_drives_add_friction(reader->scenario->drives, NULL, own->dof, &friction, reader->error);
    return status < 0 ? zi_scenario_blame(reader, &own->element, node ? node : own->element.node, status) : status;
}

/* Nothing but false, which leaves out the model's gear; not where the links lack the inertia of its rotor. */
static zvStatus read_rigid(ziScenarioReader *reader, const DofElement *own) {
    const zvJoint *joint = zv_model_joint(reader->scenario->model, reader->owners[own->dof]);
    bool flexible = false;
    const zvStatus status = zi_map_bool(&reader->reading, &own->element, "flexible", &flexible);
    if (status >= 0 && !flexible && joint->flexible && zi_rotor_couples(joint->flexible))
        return zi_map_refuse(&reader->reading, &own->element, "flexible",
                             "expected the gear of the model, whose rotor has an axis and is not in the inertia of the "
                             "links, found false; remove rotor_axis from the robot, or flexible from there");
    if (status < 0 || !flexible) return status;
    return zi_map_refuse(&reader->reading, &own->element, "flexible",
                         "expected false, or a map with stiffness and inertia, found true; remove it to keep the gear "
                         "of the model");
}

/* A gear with a rotor behind it, in place of the model's; false: rigid. */
static zvStatus add_flexible(ziScenarioReader *reader, const DofElement *own) {
    static const char *const keys[] = {ZI_FLEXIBLE_KEYS};
    const zvNode *node = zv_node_get(own->element.node, "flexible");
    ziNamedMap part;
    zvFlexibleJoint gear = {.ratio = 1};
    if (node && node->kind == ZV_NODE_SCALAR) return read_rigid(reader, own);
    zvStatus status =
        zi_map_part(&reader->reading, &own->element, "flexible", "flexible gear of joint", ZI_KEYS(keys), &part);
    if (status < 0 || !part.node) return status;
    status = zi_map_need(&reader->reading, &part, "stiffness", "stiffness, in N m/rad");
    if (status >= 0) status = zi_map_need(&reader->reading, &part, "inertia", "inertia of the rotor, in kg m^2");
    if (status >= 0) status = zi_scenario_positive(reader, &part, "stiffness", &gear.stiffness);
    if (status >= 0) status = zi_scenario_positive(reader, &part, "inertia", &gear.inertia);
    if (status >= 0) status = zi_scenario_not_negative(reader, &part, "damping", &gear.damping);
    if (status >= 0) status = zi_scenario_not_negative(reader, &part, "motor_damping", &gear.motor_damping);
    if (status >= 0) status = zi_scenario_not_negative(reader, &part, "cubic", &gear.cubic);
    if (status >= 0) status = zi_map_number(&reader->reading, &part, "ratio", &gear.ratio);
    if (status >= 0 && gear.ratio == 0)
        status = zi_scenario_bad_number(reader, &part, "ratio", 0, "a gear ratio other than 0", NULL);
    if (status >= 0) status = zi_gear_points(&reader->reading, &part, &gear);
    if (status < 0) return status;
    status = zv_drives_add_flexible(reader->scenario->drives, NULL, own->dof, &gear, reader->error);
    return status < 0 ? zi_scenario_blame(reader, &own->element, part.node, status) : status;
}

static zvStatus add_own(ziScenarioReader *reader, const DofElement *own) {
    zvStatus status = ZV_OK;
    if (reader->skip[own->dof]) {
        status = add_spring(reader, own);
        if (status >= 0) status = add_damper(reader, own);
        if (status >= 0) status = add_friction(reader, own);
    }
    return status < 0 ? status : add_flexible(reader, own);
}

/* A matrix belongs to all freedoms of its joint: a spring or damper that replaces it has to name the whole joint. */
static zvStatus whole_joint_only(ziScenarioReader *reader, const DofElement *own, zvMark mark,
                                 const ziFreedoms *freedoms) {
    if (freedoms->count == 0) return ZV_OK;
    const zvModel *model = reader->scenario->model;
    const int j = reader->owners[freedoms->dofs[0]];
    const zvJoint *joint = zv_model_joint(model, j);
    const bool spring = joint->stiffness_matrix && zi_map_has(&own->element, "spring");
    const bool damper = joint->damping_matrix && zi_map_has(&own->element, "damping");
    if (freedoms->count == zv_model_joint_place(model, j).nv || !(spring || damper)) return ZV_OK;
    return zv_fail(reader->error, ZV_SCHEMA, mark, joint->name,
                   "expected the whole joint \"%s\", since its %s is a matrix over all its freedoms, found one of them",
                   joint->name, spring ? "spring" : "damping");
}

/* First which of the model's own elements are replaced, then, when they have been added, the new ones. */
static zvStatus each_joint(ziScenarioReader *reader, const zvNode *map, bool adding) {
    static const char *const keys[] = {"spring", "damping", "friction", "flexible", "limits", "effort"};
    const zvModel *model = reader->scenario->model;
    for (int i = 0; i < map->count; i++) {
        DofElement own = {.element = {map->items[i], "joint", map->keys[i]}};
        ziFreedoms freedoms;
        char what[ZI_WHAT];
        zvStatus status = zi_scenario_freedom(reader, map->keys[i], map->key_marks[i], "joint", &freedoms);
        if (status >= 0)
            status = zv_node_only(map->items[i], zi_map_what(&own.element, NULL, what), ZI_KEYS(keys), reader->error);
        if (status >= 0) status = whole_joint_only(reader, &own, map->key_marks[i], &freedoms);
        const bool replaces = zi_map_has(&own.element, "spring") || zi_map_has(&own.element, "damping") ||
                              zi_map_has(&own.element, "friction");
        for (int k = 0; status >= 0 && k < freedoms.count; k++) {
            own.dof = freedoms.dofs[k];
            const int joint = reader->owners[own.dof], first = zv_model_joint_place(model, joint).v_index;
            own.model = &zv_model_joint(model, joint)->dof[own.dof - first];
            reader->geared[own.dof] |= zi_map_has(&own.element, "flexible");
            if (adding)
                status = add_own(reader, &own);
            else
                reader->skip[own.dof] |= (unsigned char)(replaces | zi_map_has(&own.element, "spring") << 1 |
                                                         zi_map_has(&own.element, "damping") << 2);
        }
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* What is left of the matrices of joints that were named: a spring or a damper takes the place of the matrix of all its
 * joint's freedoms. */
static zvStatus add_matrices(ziScenarioReader *reader) {
    const zvModel *model = reader->scenario->model;
    zvStatus status = ZV_OK;
    for (int j = 0; status >= 0 && j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        unsigned named = 0;
        for (int k = 0; k < place.nv; k++) named |= reader->skip[place.v_index + k];
        if (named)
            status = zi_add_joint_matrices(reader->scenario->drives, j, !(named & 2), !(named & 4), reader->error);
    }
    return status;
}

/* Named joints replace what the model gives them; the others keep it. */
zvStatus zi_scenario_joints(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *map = zv_node_get(root->node, "joints");
    zvStatus status = ZV_OK;
    const size_t nv = (size_t)zv_model_nv(reader->scenario->model);
    if (!(reader->skip = zi_scenario_scratch(reader, nv, 1)) || !(reader->geared = zi_scenario_scratch(reader, nv, 1)))
        return ZV_MEMORY;
    char found[ZI_FOUND_SIZE];
    if (map && map->kind != ZV_NODE_MAP)
        return zv_fail(reader->error, ZV_SCHEMA, map->mark, map->kind == ZV_NODE_SCALAR ? map->text : "[",
                       "joints: expected a map from joints to what they carry, found %s; write {elbow: {damping: 0.5}}",
                       zi_node_found(map, found));
    if (map) status = each_joint(reader, map, false);
    if (status >= 0)
        status = zv_drives_add_passive(reader->scenario->drives, reader->smoothing, reader->skip, reader->error);
    if (status < 0) return zi_scenario_blame(reader, root, map ? map : root->node, status);
    if (map) status = each_joint(reader, map, true);
    if (status >= 0 && map) status = add_matrices(reader);
    if (status < 0) return status;
    status = zv_drives_add_flexible_joints(reader->scenario->drives, reader->geared, reader->error);
    return status < 0 ? zi_scenario_blame(reader, root, map ? map : root->node, status) : status;
}

/* Ratios of critical damping of the modes of all elastic links together, with the joints locked where the run begins:
 * one number for all modes, or a list for the first ones. */
zvStatus zi_scenario_modal_damping(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *passive = zv_node_get(root->node, "passive");
    const ziNamedMap element = {passive, "passive", NULL};
    const zvNode *node = passive && passive->kind == ZV_NODE_MAP ? zv_node_get(passive, "modal_damping") : NULL;
    zvElasticDamping damping = {0};
    zvStatus status = ZV_OK;
    if (!node) return ZV_OK;
    if (node->kind == ZV_NODE_LIST) {
        double *ratios = zi_scenario_scratch(reader, (size_t)node->count, sizeof *ratios);
        if (!ratios) return ZV_MEMORY;
        status = zi_map_numbers(&reader->reading, &element, "modal_damping", node->count, ratios);
        damping.ratios = ratios;
        damping.count = node->count;
    } else {
        status = zi_scenario_not_negative(reader, &element, "modal_damping", &damping.ratio);
    }
    if (status < 0) return status;
    if (damping.ratio >= 1)
        return zi_scenario_bad_number(reader, &element, "modal_damping", damping.ratio,
                                      "a ratio of critical damping below 1", "one per cent is 0.01");
    status = zv_drives_add_modal_damping(reader->scenario->drives, "modal damping", &damping, reader->scenario->q,
                                         reader->error);
    return status < 0 ? zi_scenario_blame(reader, &element, node, status) : status;
}
