/* Names and units of coordinates: a table with a row per type of joint. */
#include "coordinates.h"

#include <string.h>

typedef struct Motion {
    const char *kind;                    /* per degree of freedom: 'a' turns, 'l' slides */
    const char *v_names[ZV_MAX_DOF];     /* of the freedoms, where there are several */
    const char *q_names[ZV_MAX_DOF + 1]; /* of the coordinates, where they differ from the freedoms */
    const char *unit;                    /* of the coordinates */
} Motion;

static const Motion motions[ZV_JOINT_TYPES] = {
    [ZV_FIXED] = {.kind = "", .unit = ""},
    [ZV_REVOLUTE] = {.kind = "a", .unit = "rad"},
    [ZV_CONTINUOUS] = {.kind = "a", .unit = "rad"},
    [ZV_PRISMATIC] = {.kind = "l", .unit = "m"},
    [ZV_HELICAL] = {.kind = "a", .unit = "rad"},
    [ZV_CURVE] = {.kind = "l", .unit = "m"},
    [ZV_CYLINDRICAL] = {.kind = "la", .v_names = {"slide", "angle"}, .unit = "m, rad"},
    [ZV_UNIVERSAL] = {.kind = "aa", .v_names = {"1", "2"}, .unit = "rad"},
    [ZV_PLANAR] = {.kind = "lla", .v_names = {"x", "y", "angle"}, .unit = "m, m, rad"},
    [ZV_SPHERICAL] = {.kind = "aaa",
                      .v_names = {"wx", "wy", "wz"},
                      .q_names = {"qx", "qy", "qz", "qw"},
                      .unit = "quaternion"},
    [ZV_FREE] = {.kind = "lllaaa",
                 .v_names = {"vx", "vy", "vz", "wx", "wy", "wz"},
                 .q_names = {"x", "y", "z", "qx", "qy", "qz", "qw"},
                 .unit = "m, quaternion"},
};

/* The joint an entry of v (or q) belongs to. */
static int joint_at(const zvModel *model, int index, bool of_q) {
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const zvJointPlace place = zv_model_joint_place(model, joint);
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        if (index >= first && index < first + count) return joint;
    }
    return -1;
}

static void put_label(const zvJoint *joint, const char *part, Text *out) {
    text_name(out, joint->name);
    if (part) text_printf(out, ".%s", part);
}

void label_v(const zvModel *model, int index, Text *out) {
    const int joint = joint_at(model, index, false);
    if (joint < 0) return;
    const zvJoint *at = zv_model_joint(model, joint);
    put_label(at, motions[at->type].v_names[index - zv_model_joint_place(model, joint).v_index], out);
}

void label_q(const zvModel *model, int index, Text *out) {
    const int joint = joint_at(model, index, true);
    if (joint < 0) return;
    const zvJoint *at = zv_model_joint(model, joint);
    const Motion *motion = &motions[at->type];
    const int part = index - zv_model_joint_place(model, joint).q_index;
    put_label(at, motion->q_names[0] ? motion->q_names[part] : motion->v_names[part], out);
}

const char *unit_of(const zvModel *model, int index, Quantity quantity) {
    static const char *const units[QUANTITIES][2] = {
        [QUANTITY_POSITION] = {"m", "rad"},
        [QUANTITY_ACCELERATION] = {"m/s^2", "rad/s^2"},
        [QUANTITY_FORCE] = {"N", "N m"},
        [QUANTITY_MOMENTUM] = {"N s", "N m s"},
    };
    const int joint = joint_at(model, index, false);
    if (joint < 0) return "";
    const char *kind = motions[zv_model_joint(model, joint)->type].kind;
    return units[quantity][kind[index - zv_model_joint_place(model, joint).v_index] == 'a'];
}

const char *joint_unit(zvJointType type) { return motions[type].unit; }
