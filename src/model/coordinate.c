/* A table with a row per type of joint, what coordinates of elastic links are, and what follows for a model. */
#include "model/coordinate.h"

#include <stdio.h>
#include <string.h>

#include "base/require.h"
#include "beam/modes.h"

typedef struct Motion {
    const char *kind;                    /* per degree of freedom: 'a' turns, 'l' slides */
    const char *v_parts[ZV_MAX_DOF];     /* of the freedoms, where there are several */
    const char *q_kind;                  /* of the coordinates, where they differ from the freedoms: 'n' is a number */
    const char *q_parts[ZV_MAX_DOF + 1]; /* likewise */
} Motion;

static const Motion motions[ZV_JOINT_TYPES] = {
    [ZV_JOINT_FIXED] = {.kind = ""},
    [ZV_JOINT_REVOLUTE] = {.kind = "a"},
    [ZV_JOINT_CONTINUOUS] = {.kind = "a"},
    [ZV_JOINT_PRISMATIC] = {.kind = "l"},
    [ZV_JOINT_HELICAL] = {.kind = "a"},
    [ZV_JOINT_CURVE] = {.kind = "l"},
    [ZV_JOINT_CYLINDRICAL] = {.kind = "la", .v_parts = {"displacement", "angle"}},
    [ZV_JOINT_UNIVERSAL] = {.kind = "aa", .v_parts = {"angle1", "angle2"}},
    [ZV_JOINT_PLANAR] = {.kind = "lla", .v_parts = {"x", "y", "angle"}},
    [ZV_JOINT_SPHERICAL] = {.kind = "aaa",
                            .v_parts = {"wx", "wy", "wz"},
                            .q_kind = "nnnn",
                            .q_parts = {"qx", "qy", "qz", "qw"}},
    [ZV_JOINT_FREE] = {.kind = "lllaaa",
                       .v_parts = {"vx", "vy", "vz", "wx", "wy", "wz"},
                       .q_kind = "lllnnnn",
                       .q_parts = {"x", "y", "z", "qx", "qy", "qz", "qw"}},
};

static const char *unit(char kind, zvQuantity quantity) {
    static const char *const words[ZV_QUANTITIES][3] = {
        [ZV_QUANTITY_POSITION] = {"m", "rad", "1"},
        [ZV_QUANTITY_VELOCITY] = {"m/s", "rad/s", "1/s"},
        [ZV_QUANTITY_ACCELERATION] = {"m/s^2", "rad/s^2", "1/s^2"},
        [ZV_QUANTITY_FORCE] = {"N", "N m", "N m"},
        [ZV_QUANTITY_MOMENTUM] = {"N s", "N m s", "N m s"},
        [ZV_QUANTITY_INTEGRAL] = {"m s", "rad s", "s"},
    };
    return words[quantity][kind == 'l' ? 0 : kind == 'a' ? 1 : 2];
}

const char *zv_joint_type_v_part(zvJointType type, int k) { return motions[type].v_parts[k]; }

const char *zv_joint_type_v_unit(zvJointType type, int k, zvQuantity quantity) {
    return unit(motions[type].kind[k], quantity);
}

const char *zv_joint_type_q_part(zvJointType type, int k) {
    const Motion *motion = &motions[type];
    return motion->q_kind ? motion->q_parts[k] : motion->v_parts[k];
}

const char *zv_joint_type_q_unit(zvJointType type, int k) {
    const Motion *motion = &motions[type];
    return unit((motion->q_kind ? motion->q_kind : motion->kind)[k], ZV_QUANTITY_POSITION);
}

static char elastic_kind(const zvLink *link, int k) {
    if (!link->beam) return 'n';
    return zi_beam_angular(link->beam, k) ? 'a' : 'l';
}

const char *zv_model_elastic_unit(const zvModel *model, int link, int k, zvQuantity quantity) {
    ZI_REQUIRE(model);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(model));
    return unit(elastic_kind(zv_model_link(model, link), k), quantity);
}

static char *label(ziArena *arena, const char *name, const char *part) {
    if (!part) return zi_arena_text(arena, name);
    size_t size = strlen(name) + strlen(part) + 2;
    char *text = zi_arena_alloc(arena, size);
    if (text) snprintf(text, size, "%s.%s", name, part);
    return text;
}

bool zi_coordinate_labels(const zvModel *model, bool of_q, ziArena *arena, const char **labels) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const zvJoint *joint = zv_model_joint(model, i);
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        for (int k = 0; k < count; k++) {
            const char *part = of_q ? zv_joint_type_q_part(joint->type, k) : zv_joint_type_v_part(joint->type, k);
            labels[first + k] = label(arena, joint->name, part);
            if (!labels[first + k]) return false;
        }
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        const int first = of_q ? place.q_index : place.v_index;
        for (int k = 0; k < place.count; k++) {
            labels[first + k] = label(arena, zv_model_link(model, i)->name, zv_model_elastic_part(model, i, k));
            if (!labels[first + k]) return false;
        }
    }
    return true;
}

void zi_coordinate_units(const zvModel *model, bool of_q, zvQuantity quantity, const char **units) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const zvJointType type = zv_model_joint(model, i)->type;
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        for (int k = 0; k < count; k++)
            units[first + k] = of_q ? zv_joint_type_q_unit(type, k) : zv_joint_type_v_unit(type, k, quantity);
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        const int first = of_q ? place.q_index : place.v_index;
        for (int k = 0; k < place.count; k++)
            units[first + k] = zv_model_elastic_unit(model, i, k, of_q ? ZV_QUANTITY_POSITION : quantity);
    }
}

void zi_coordinates_of_dofs(const zvModel *model, int *coordinate) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        for (int k = 0; k < place.nv; k++)
            coordinate[place.v_index + k] = place.nq == place.nv ? place.q_index + k : -1;
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        for (int k = 0; k < place.count; k++) coordinate[place.v_index + k] = place.q_index + k;
    }
}

/* From follower to master, the laws put into each other. */
ziFollow zi_joint_follow(const zvModel *model, int joint) {
    ziFollow f = {.ratio = 1};
    zvJointPlace place = zv_model_joint_place(model, joint);
    for (; place.mimic >= 0; place = zv_model_joint_place(model, joint)) {
        const zvJoint *own = zv_model_joint(model, joint);
        f.offset += f.ratio * own->offset;
        f.ratio *= own->ratio;
        joint = place.mimic;
    }
    f.dof = place.v_index;
    return f;
}
