/* The table of joint types. */
#include "model/joint_type.h"

#include <string.h>

#include "base/require.h"
#include "beam/modes.h"

const ziJointType zi_joint_types[ZV_JOINT_TYPES] = {
    [ZV_JOINT_FIXED] = {.coordinates = "",
                        .moves = "",
                        .along = "",
                        .kernel = ZV_JOINT_FIXED,
                        .quaternion = -1,
                        .constant_in_parent = true,
                        .constant_in_body = true},
    [ZV_JOINT_REVOLUTE] = {.coordinates = "angle [rad]",
                           .moves = "a",
                           .along = "z",
                           .needs = ZI_JOINT_AXIS,
                           .kernel = ZV_JOINT_REVOLUTE,
                           .quaternion = -1,
                           .constant_in_parent = true,
                           .constant_in_body = true},
    [ZV_JOINT_CONTINUOUS] = {.coordinates = "angle [rad]",
                             .moves = "a",
                             .along = "z",
                             .needs = ZI_JOINT_AXIS,
                             .kernel = ZV_JOINT_REVOLUTE,
                             .quaternion = -1,
                             .constant_in_parent = true,
                             .constant_in_body = true},
    [ZV_JOINT_PRISMATIC] = {.coordinates = "displacement [m]",
                            .moves = "l",
                            .along = "z",
                            .needs = ZI_JOINT_AXIS,
                            .kernel = ZV_JOINT_PRISMATIC,
                            .quaternion = -1,
                            .constant_in_parent = true,
                            .constant_in_body = true},
    [ZV_JOINT_HELICAL] = {.coordinates = "angle [rad]",
                          .moves = "s",
                          .along = "z",
                          .needs = ZI_JOINT_AXIS | ZI_JOINT_PITCH,
                          .kernel = ZV_JOINT_HELICAL,
                          .quaternion = -1,
                          .constant_in_parent = true,
                          .constant_in_body = true},
    [ZV_JOINT_CURVE] = {.coordinates = "distance [m]",
                        .moves = "l",
                        .along = "c",
                        .needs = ZI_JOINT_PATH,
                        .kernel = ZV_JOINT_CURVE,
                        .quaternion = -1},
    [ZV_JOINT_CYLINDRICAL] = {.coordinates = "displacement [m], angle [rad]",
                              .moves = "lw",
                              .along = "zz",
                              .needs = ZI_JOINT_AXIS,
                              .kernel = ZV_JOINT_CYLINDRICAL,
                              .quaternion = -1,
                              .constant_in_parent = true,
                              .constant_in_body = true,
                              .v_parts = {"displacement", "angle"}},
    [ZV_JOINT_UNIVERSAL] = {.coordinates = "angle1, angle2 [rad]",
                            .moves = "aa",
                            .along = "ze",
                            .needs = ZI_JOINT_AXIS | ZI_JOINT_AXIS2,
                            .kernel = ZV_JOINT_UNIVERSAL,
                            .quaternion = -1,
                            .v_parts = {"angle1", "angle2"}},
    [ZV_JOINT_PLANAR] = {.coordinates = "x, y [m], angle [rad]",
                         .moves = "lla",
                         .along = "xyz",
                         .needs = ZI_JOINT_AXIS,
                         .kernel = ZV_JOINT_PLANAR,
                         .quaternion = -1,
                         .constant_in_parent = true,
                         .v_parts = {"x", "y", "angle"}},
    [ZV_JOINT_SPHERICAL] = {.coordinates = "qx, qy, qz, qw",
                            .moves = "aaa",
                            .along = "xyz",
                            .kernel = ZV_JOINT_SPHERICAL,
                            .quaternion = 0,
                            .constant_in_body = true,
                            .v_parts = {"wx", "wy", "wz"},
                            .q_parts = {"qx", "qy", "qz", "qw"}},
    [ZV_JOINT_FREE] = {.coordinates = "x, y, z [m], qx, qy, qz, qw",
                       .moves = "lllaaa",
                       .along = "xyzxyz",
                       .kernel = ZV_JOINT_FREE,
                       .quaternion = 3,
                       .constant_in_body = true,
                       .v_parts = {"vx", "vy", "vz", "wx", "wy", "wz"},
                       .q_parts = {"x", "y", "z", "qx", "qy", "qz", "qw"}},
};

static const struct {
    const char *word;
    int nq, nv;
} sizes[ZV_JOINT_TYPES] = {
#define ZV_X(name, word, nq, nv) {word, nq, nv},
    ZV_JOINT_LIST(ZV_X)
#undef ZV_X
};

const char *zv_joint_type_word(zvJointType type) { return sizes[type].word; }
int zv_joint_type_nq(zvJointType type) { return sizes[type].nq; }
int zv_joint_type_nv(zvJointType type) { return sizes[type].nv; }
const char *zv_joint_type_coordinates(zvJointType type) { return zi_joint_types[type].coordinates; }
int zv_joint_type_quaternion(zvJointType type) { return zi_joint_types[type].quaternion; }

int zi_joint_free_axes(zvJointType type, bool turning) {
    static const char names[] = "xyz";
    int axes = 0;
    for (int k = 0; zi_joint_types[type].moves[k]; k++) {
        const char *axis = strchr(names, zi_joint_types[type].along[k]);
        if (axis && (turning ? zi_joint_turns(type, k) : zi_joint_slides(type, k))) axes |= 1 << (axis - names);
    }
    return axes;
}

/* Units of what slides, of what turns, and of the numbers of a quaternion. */
static const char *unit(char kind, zvQuantity quantity) {
    static const char *const words[ZV_QUANTITIES][3] = {
        [ZV_QUANTITY_POSITION] = {"m", "rad", "1"},
        [ZV_QUANTITY_VELOCITY] = {"m/s", "rad/s", "1/s"},
        [ZV_QUANTITY_ACCELERATION] = {"m/s^2", "rad/s^2", "1/s^2"},
        [ZV_QUANTITY_FORCE] = {"N", "N m", "N m"},
        [ZV_QUANTITY_MOMENTUM] = {"N s", "N m s", "N m s"},
        [ZV_QUANTITY_INTEGRAL] = {"m s", "rad s", "s"},
        [ZV_QUANTITY_INERTIA] = {"kg", "kg m^2", "kg m^2"},
    };
    return words[quantity][kind == 'l' ? 0 : kind == 'n' ? 2 : 1];
}

const char *zv_joint_type_v_part(zvJointType type, int k) { return zi_joint_types[type].v_parts[k]; }

const char *zv_joint_type_v_unit(zvJointType type, int k, zvQuantity quantity) {
    return unit(zi_joint_types[type].moves[k], quantity);
}

const char *zv_joint_type_q_part(zvJointType type, int k) {
    const ziJointType *row = &zi_joint_types[type];
    return row->quaternion >= 0 ? row->q_parts[k] : row->v_parts[k];
}

const char *zv_joint_type_q_unit(zvJointType type, int k) {
    const ziJointType *row = &zi_joint_types[type];
    return unit(row->quaternion >= 0 && k >= row->quaternion ? 'n' : row->moves[k], ZV_QUANTITY_POSITION);
}

/* A coordinate of a beam is a length or an angle, one of modal data a number. */
const char *zv_model_elastic_unit(const zvModel *model, int link, int k, zvQuantity quantity) {
    ZI_REQUIRE(model);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(model));
    const zvBeam *beam = zv_model_link(model, link)->beam;
    return unit(!beam ? 'n' : zi_beam_angular(beam, k) ? 'a' : 'l', quantity);
}
