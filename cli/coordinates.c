/* Names and units of coordinates: a table with a row per type of joint. */
#include "coordinates.h"

#include <string.h>

typedef struct Motion {
    const char *kind;                    /* per degree of freedom: 'a' turns, 'l' slides */
    const char *v_names[ZV_MAX_DOF];     /* of the freedoms, where there are several */
    const char *q_names[ZV_MAX_DOF + 1]; /* of the coordinates, where they differ from the freedoms */
    const char *coordinates;             /* names and units, for a table */
} Motion;

static const Motion motions[ZV_JOINT_TYPES] = {
    [ZV_FIXED] = {.kind = "", .coordinates = ""},
    [ZV_REVOLUTE] = {.kind = "a", .coordinates = "angle [rad]"},
    [ZV_CONTINUOUS] = {.kind = "a", .coordinates = "angle [rad]"},
    [ZV_PRISMATIC] = {.kind = "l", .coordinates = "displacement [m]"},
    [ZV_HELICAL] = {.kind = "a", .coordinates = "angle [rad]"},
    [ZV_CURVE] = {.kind = "l", .coordinates = "distance [m]"},
    [ZV_CYLINDRICAL] = {.kind = "la",
                        .v_names = {"displacement", "angle"},
                        .coordinates = "displacement [m], angle [rad]"},
    [ZV_UNIVERSAL] = {.kind = "aa", .v_names = {"angle1", "angle2"}, .coordinates = "angle1, angle2 [rad]"},
    [ZV_PLANAR] = {.kind = "lla", .v_names = {"x", "y", "angle"}, .coordinates = "x, y [m], angle [rad]"},
    [ZV_SPHERICAL] = {.kind = "aaa",
                      .v_names = {"wx", "wy", "wz"},
                      .q_names = {"qx", "qy", "qz", "qw"},
                      .coordinates = "qx, qy, qz, qw"},
    [ZV_FREE] = {.kind = "lllaaa",
                 .v_names = {"vx", "vy", "vz", "wx", "wy", "wz"},
                 .q_names = {"x", "y", "z", "qx", "qy", "qz", "qw"},
                 .coordinates = "x, y, z [m], qx, qy, qz, qw"},
};

static int entries_of(const Entry *entry) {
    const zvJointPlace place = zv_model_joint_place(entry->model, entry->joint);
    return entry->of_q ? place.nq : place.nv;
}

/* On to a joint that has the entry. */
static void entry_settle(Entry *entry) {
    while (entry->joint < zv_model_njoint(entry->model) && entry->part >= entries_of(entry)) {
        entry->joint++;
        entry->part = 0;
    }
}

Entry entry_first(const zvModel *model, bool of_q) {
    Entry entry = {.model = model, .of_q = of_q};
    entry_settle(&entry);
    return entry;
}

void entry_next(Entry *entry) {
    entry->part++;
    entry_settle(entry);
}

Entry entry_at(const zvModel *model, bool of_q, int index) {
    Entry entry = entry_first(model, of_q);
    while (index--) entry_next(&entry);
    return entry;
}

void entry_label(const Entry *entry, Text *out) {
    const zvJoint *joint = zv_model_joint(entry->model, entry->joint);
    const Motion *motion = &motions[joint->type];
    const char *const *names = entry->of_q && motion->q_names[0] ? motion->q_names : motion->v_names;
    text_name(out, joint->name);
    if (names[entry->part]) text_printf(out, ".%s", names[entry->part]);
}

const char *entry_unit(const Entry *entry, Quantity quantity) {
    static const char *const units[QUANTITIES][2] = {
        [QUANTITY_POSITION] = {"m", "rad"},
        [QUANTITY_VELOCITY] = {"m/s", "rad/s"},
        [QUANTITY_ACCELERATION] = {"m/s^2", "rad/s^2"},
        [QUANTITY_FORCE] = {"N", "N m"},
        [QUANTITY_MOMENTUM] = {"N s", "N m s"},
    };
    const char *kind = motions[zv_model_joint(entry->model, entry->joint)->type].kind;
    return units[quantity][kind[entry->part] == 'a'];
}

const char *entry_position_unit(const Entry *entry) {
    const Motion *motion = &motions[zv_model_joint(entry->model, entry->joint)->type];
    const int straight = (int)strcspn(motion->kind, "a");
    if (motion->q_names[0] && entry->part >= straight) return "1"; /* a quaternion stands for the rotations */
    return entry_unit(entry, QUANTITY_POSITION);
}

const char *joint_coordinates(zvJointType type) { return motions[type].coordinates; }
