/* Flexible joints of native files: gear, rotor, and the law of the gear's deflection. */
#include <stdio.h>

#include "model/builder.h"
#include "read/native.h"

/* [[deflection, torque], ...], for positive ones alone; that they rise the rules say. */
zvStatus zi_gear_points(const ziReading *reading, const ziNamedMap *map, zvFlexibleJoint *gear) {
    const zvNode *list = NULL;
    char what[ZI_WHAT], wanted[96];
    zvStatus status = zi_map_list(reading, map, "law", &list);
    if (status < 0 || !list) return status;
    if (zi_map_has(map, "cubic"))
        return zi_map_refuse(reading, map, "law",
                             "expected law or cubic, found both; a law through points has its own stiffening");
    if (list->count < 1 || list->count > ZV_GEAR_POINTS) {
        snprintf(wanted, sizeof wanted, "1 to %d points [deflection, torque]", ZV_GEAR_POINTS);
        return zi_map_expected(reading, map, "law", wanted, "");
    }
    gear->cubic = 0;
    gear->points = list->count;
    for (int i = 0; status >= 0 && i < list->count; i++) {
        double point[2];
        status = zv_node_numbers(list->items[i], zi_map_what(map, "law", what), 2, point, reading->error);
        if (status >= 0) gear->law[i] = (zvGearPoint){point[0], point[1]};
    }
    return status;
}

/* Where the values stand, for the rules. */
static zvStatus mark_values(const ziReading *reading, const ziNamedMap *part, const char *const *keys, size_t count) {
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < count && status >= 0; i++) {
        const zvNode *value = zv_node_get(part->node, keys[i]);
        if (value && part->name)
            status = zi_builder_mark_key(reading->builder, part->name, keys[i], value->mark, reading->error);
    }
    return status;
}

/* What is not said stays as an earlier file has it. */
zvStatus zi_native_flexible(const ziReading *reading, const ziNamedMap *element, const zvFlexibleJoint **flexible) {
    static const char *const keys[] = {ZI_FLEXIBLE_KEYS, "rotor_axis"};
    char kind[ZI_WHAT];
    ziNamedMap part;
    zvStatus status = zi_map_inner(reading, element, "flexible", keys, sizeof keys / sizeof *keys, kind, &part);
    if (status < 0 || !part.node) return status;
    zvFlexibleJoint *gear = zi_native_alloc(reading, element, &reading->builder->texts, 1, sizeof *gear);
    if (!gear) return ZV_MEMORY;
    *gear = *flexible ? **flexible : (zvFlexibleJoint){.ratio = 1};
    const ziNumberKey numbers[] = {{"stiffness", &gear->stiffness, false},
                                   {"damping", &gear->damping, false},
                                   {"inertia", &gear->inertia, false},
                                   {"ratio", &gear->ratio, false},
                                   {"motor_damping", &gear->motor_damping, false},
                                   {"cubic", &gear->cubic, false}};
    if (!*flexible) {
        status = zi_map_need(reading, &part, "stiffness", "stiffness, in N m/rad");
        if (status >= 0) status = zi_map_need(reading, &part, "inertia", "inertia of the rotor, in kg m^2");
    }
    *flexible = gear;
    if (status >= 0) status = mark_values(reading, &part, keys, sizeof keys / sizeof *keys);
    if (status >= 0) status = zi_map_keyed_numbers(reading, &part, numbers, sizeof numbers / sizeof *numbers);
    if (status >= 0) status = zi_gear_points(reading, &part, gear);
    return status < 0 ? status : zi_native_axis(reading, &part, "rotor_axis", gear->rotor_axis);
}
