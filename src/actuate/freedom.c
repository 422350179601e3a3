#include "actuate/freedom.h"

#include "model/coordinate.h"

ziFreedom *zi_freedoms(const zvModel *model, ziArena *arena) {
    size_t nv = (size_t)zv_model_nv(model);
    ziFreedom *freedoms = zi_arena_alloc(arena, nv * sizeof *freedoms);
    const char **labels = zi_arena_alloc(arena, nv * sizeof *labels);
    int *coordinates = zi_arena_alloc(arena, nv * sizeof *coordinates);
    if (!freedoms || !labels || !coordinates || !zi_coordinate_labels(model, false, arena, labels)) return NULL;
    zi_coordinates_of_dofs(model, coordinates);
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        for (int k = 0; k < place.count; k++) {
            int dof = place.v_index + k;
            freedoms[dof] = (ziFreedom){.label = labels[dof],
                                        .coordinate = coordinates[dof],
                                        .elastic = true,
                                        .position_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_POSITION),
                                        .rate_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_VELOCITY),
                                        .force_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_FORCE),
                                        .integral_unit = zv_model_elastic_unit(model, link, k, ZV_QUANTITY_INTEGRAL)};
        }
    }
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        const zvJointType type = zv_model_joint(model, j)->type;
        for (int k = 0; k < place.nv; k++) {
            int dof = place.v_index + k;
            freedoms[dof] = (ziFreedom){.label = labels[dof],
                                        .coordinate = coordinates[dof],
                                        .position_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_POSITION),
                                        .rate_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_VELOCITY),
                                        .force_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_FORCE),
                                        .integral_unit = zv_joint_type_v_unit(type, k, ZV_QUANTITY_INTEGRAL)};
        }
    }
    return freedoms;
}
