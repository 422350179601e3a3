/* Tendons of a scenario: drives of a sum of coordinates. */
#include "simulate/scenario_read.h"

#include <math.h>

/* One bound for both directions, or a list of both. */
static zvStatus read_bounds(ziScenarioReader *reader, const ziNamedMap *element, zvTendon *tendon) {
    const zvNode *node = zv_node_get(element->node, "limit");
    const ziLawPlace place = {.kind = "limit of drive", .name = element->name, .width = 2, .strict = true};
    double bounds[2] = {0, 0};
    zvStatus status = ZV_OK;
    if (node && node->kind == ZV_NODE_LIST) {
        status = zi_scenario_vector(reader, element, "limit", &place, false, bounds);
        if (status >= 0 && !(bounds[0] < bounds[1]))
            return zi_map_expected(&reader->reading, element, "limit", "a lower bound below the upper one",
                                   "write limit: [least, greatest], or one number for both directions");
    } else if (node) {
        status = zi_scenario_positive(reader, element, "limit", &bounds[1]);
        bounds[0] = -bounds[1];
    }
    tendon->lower = bounds[0];
    tendon->upper = bounds[1];
    return status;
}

/* Ratios, 1 unless given; the length where the run begins. */
static zvStatus read_ratios(ziScenarioReader *reader, const ziNamedMap *element, const ziFreedoms *freedoms,
                            double *ratios, double *length) {
    const ziLawPlace place = {
        .kind = "drive", .name = element->name, .width = freedoms->count, .freedoms = freedoms, .strict = true};
    for (int i = 0; i < freedoms->count; i++) ratios[i] = 1;
    const zvStatus status = zi_scenario_vector(reader, element, "ratios", &place, true, ratios);
    *length = 0;
    for (int i = 0; status >= 0 && i < freedoms->count; i++)
        *length += ratios[i] * reader->scenario->q[reader->coordinates[freedoms->dofs[i]]];
    return status;
}

/* Gains of a spring and a damper, of which one may be left out. */
static zvStatus read_gains(ziScenarioReader *reader, const ziNamedMap *element, zvTendon *tendon) {
    zvStatus status = zi_scenario_not_negative(reader, element, "kp", &tendon->kp);
    if (status >= 0) status = zi_scenario_not_negative(reader, element, "kd", &tendon->kd);
    if (status >= 0) status = zi_map_bool(&reader->reading, element, "passive", &tendon->passive);
    return status < 0 ? status : read_bounds(reader, element, tendon);
}

/* Without a reference the tendon holds its initial length. */
zvStatus zi_scenario_tendon(ziScenarioReader *reader, const ziNamedMap *element, const char *name,
                            const ziFreedoms *freedoms) {
    zvTendon tendon = {0};
    double *ratios = zi_scenario_scratch(reader, (size_t)freedoms->count, sizeof *ratios), length = 0;
    if (!ratios) return ZV_MEMORY;
    zvStatus status = zi_scenario_need_positions(reader, element, freedoms);
    if (status >= 0) status = read_ratios(reader, element, freedoms, ratios, &length);
    if (status >= 0) status = read_gains(reader, element, &tendon);
    if (status < 0) return status;
    tendon.ratios = ratios;
    const ziLawPlace place = {.kind = "reference of drive", .name = name, .width = 1, .from = &length};
    const ziLawPlace more = {.kind = "feedforward of drive", .name = name, .width = 1};
    zvLaw *reference = zi_map_has(element, "reference")
                           ? zi_scenario_law(reader, zv_node_get(element->node, "reference"), &place)
                           : zv_law_constant(1, &length, reader->error);
    if (!reference) return reader->error->status;
    zvLaw *feedforward = NULL;
    if (zi_map_has(element, "feedforward") &&
        !(feedforward = zi_scenario_law(reader, zv_node_get(element->node, "feedforward"), &more))) {
        zv_law_destroy(reference);
        return reader->error->status;
    }
    status = zv_drives_add_tendon(reader->scenario->drives, name, freedoms->count, freedoms->dofs, &tendon, reference,
                                  feedforward, reader->error);
    return status < 0 ? zi_scenario_blame(reader, element, element->node, status) : status;
}
