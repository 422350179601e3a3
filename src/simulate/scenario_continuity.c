/* Prescribed motions must not jump in position: no force moves a mass at once. */
#include <string.h>

#include "simulate/jump.h"
#include "simulate/scenario_read.h"

/* The law of the n-th motion of the list: motions stand in the set in this order. */
static const zvNode *law_of(const zvNode *list, int n) {
    for (int i = 0; list && i < list->count; i++) {
        const zvNode *type = zv_node_get(list->items[i], "type");
        if (!type || !type->text || strcmp(type->text, "motion") != 0) continue;
        if (n-- == 0) return zv_node_get(list->items[i], "law");
    }
    return NULL;
}

zvStatus zi_scenario_continuity(ziScenarioReader *reader, const ziElement *root) {
    const zvScenario *scenario = reader->scenario;
    ziPositionJump jump;
    double *room = zi_scenario_scratch(reader, 2 * (size_t)zv_model_nv(scenario->model), sizeof *room);
    if (!room) return ZV_MEMORY;
    if (!zi_jump_of_motions(scenario, room, &jump)) return ZV_OK;
    const zvNode *law = law_of(zv_node_get(root->node, "drives"), jump.motion);
    if (jump.dof < 0) {
        const char *name = zv_model_loop(scenario->model, jump.loop)->name;
        return zv_fail(
            reader->error, ZV_PHYSICS, (law ? law : root->node)->mark, name,
            "the motion of loop \"%.60s\" jumps at t = %.9g s from %.9g to %.9g, which no force can do; make "
            "its parts meet",
            name, jump.t, jump.from, jump.to);
    }
    const int owner = reader->owners[jump.dof], k = jump.dof - zv_model_joint_place(scenario->model, owner).v_index;
    return zv_fail(reader->error, ZV_PHYSICS, (law ? law : root->node)->mark, reader->v_labels[jump.dof],
                   "the motion of joint \"%.60s\" jumps at t = %.9g s from %.9g to %.9g, by %.3g %s, which no force "
                   "can do; make its parts meet, or lead the joint there with a pd drive",
                   reader->v_labels[jump.dof], jump.t, jump.from, jump.to, jump.to - jump.from,
                   zv_joint_type_v_unit(zv_model_joint(scenario->model, owner)->type, k, ZV_QUANTITY_POSITION));
}
