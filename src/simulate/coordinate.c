/* Names and units of coordinates: a table with a row per type of joint. */
#include "simulate/coordinate.h"

#include <stdio.h>
#include <string.h>

typedef struct Motion {
    const char *kind;                    /* per degree of freedom: 'a' turns, 'l' slides */
    const char *v_names[ZV_MAX_DOF];     /* of the freedoms, where there are several */
    const char *q_names[ZV_MAX_DOF + 1]; /* of the coordinates, where they differ from the freedoms */
    const char *q_kind;                  /* of the coordinates, where they differ: 'n' is a pure number */
} Motion;

static const Motion motions[ZV_JOINT_TYPES] = {
    [ZV_FIXED] = {.kind = ""},
    [ZV_REVOLUTE] = {.kind = "a"},
    [ZV_CONTINUOUS] = {.kind = "a"},
    [ZV_PRISMATIC] = {.kind = "l"},
    [ZV_HELICAL] = {.kind = "a"},
    [ZV_CURVE] = {.kind = "l"},
    [ZV_CYLINDRICAL] = {.kind = "la", .v_names = {"displacement", "angle"}},
    [ZV_UNIVERSAL] = {.kind = "aa", .v_names = {"angle1", "angle2"}},
    [ZV_PLANAR] = {.kind = "lla", .v_names = {"x", "y", "angle"}},
    [ZV_SPHERICAL] = {.kind = "aaa",
                      .v_names = {"wx", "wy", "wz"},
                      .q_names = {"qx", "qy", "qz", "qw"},
                      .q_kind = "nnnn"},
    [ZV_FREE] = {.kind = "lllaaa",
                 .v_names = {"vx", "vy", "vz", "wx", "wy", "wz"},
                 .q_names = {"x", "y", "z", "qx", "qy", "qz", "qw"},
                 .q_kind = "lllnnnn"},
};

static const Motion *motion_of(const zvModel *model, int joint) { return &motions[zv_model_joint(model, joint)->type]; }

static char *label(zvArena *arena, const char *joint, const char *part) {
    if (!part) return zv_arena_text(arena, joint);
    size_t size = strlen(joint) + strlen(part) + 2;
    char *text = zv_arena_alloc(arena, size);
    if (text) snprintf(text, size, "%s.%s", joint, part);
    return text;
}

bool zv_coordinate_labels(const zvModel *model, bool of_q, zvArena *arena, const char **labels) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const Motion *motion = motion_of(model, i);
        const char *const *names = of_q && motion->q_names[0] ? motion->q_names : motion->v_names;
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        for (int k = 0; k < count; k++) {
            labels[first + k] = label(arena, zv_model_joint(model, i)->name, names[k]);
            if (!labels[first + k]) return false;
        }
    }
    return true;
}

void zv_coordinate_units(const zvModel *model, bool of_q, zvQuantity quantity, const char **units) {
    static const char *const words[ZV_QUANTITIES][2] = {
        [ZV_QUANTITY_POSITION] = {"m", "rad"},
        [ZV_QUANTITY_VELOCITY] = {"m/s", "rad/s"},
        [ZV_QUANTITY_ACCELERATION] = {"m/s^2", "rad/s^2"},
        [ZV_QUANTITY_FORCE] = {"N", "N m"},
    };
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const Motion *motion = motion_of(model, i);
        const char *kind = of_q && motion->q_kind ? motion->q_kind : motion->kind;
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        for (int k = 0; k < count; k++) { units[first + k] = kind[k] == 'n' ? "1" : words[quantity][kind[k] == 'a']; }
    }
}

void zv_coordinates_of_dofs(const zvModel *model, int *coordinate) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        for (int k = 0; k < place.nv; k++) {
            coordinate[place.v_index + k] = place.nq == place.nv ? place.q_index + k : -1;
        }
    }
}
