/* Names and units of degrees of freedom: a table with a row per type of joint. */
#include "actuate/freedom.h"

#include <stdio.h>
#include <string.h>

typedef struct Motion {
    const char *kind; /* per degree of freedom: 'a' turns, 'l' slides */
    bool quaternion;  /* v is not the rate of q */
    const char *names[ZV_MAX_DOF];
} Motion;

static const Motion motions[ZV_JOINT_TYPES] = {
    [ZV_FIXED] = {.kind = ""},
    [ZV_REVOLUTE] = {.kind = "a"},
    [ZV_CONTINUOUS] = {.kind = "a"},
    [ZV_PRISMATIC] = {.kind = "l"},
    [ZV_HELICAL] = {.kind = "a"},
    [ZV_CURVE] = {.kind = "l"},
    [ZV_CYLINDRICAL] = {.kind = "la", .names = {"displacement", "angle"}},
    [ZV_UNIVERSAL] = {.kind = "aa", .names = {"angle1", "angle2"}},
    [ZV_PLANAR] = {.kind = "lla", .names = {"x", "y", "angle"}},
    [ZV_SPHERICAL] = {.kind = "aaa", .quaternion = true, .names = {"wx", "wy", "wz"}},
    [ZV_FREE] = {.kind = "lllaaa", .quaternion = true, .names = {"vx", "vy", "vz", "wx", "wy", "wz"}},
};

static const char *label_of(zvArena *arena, const char *joint, const char *part) {
    size_t size = strlen(joint) + (part ? strlen(part) : 0) + 2;
    char *label = zv_arena_alloc(arena, size);
    if (label) snprintf(label, size, part ? "%s.%s" : "%s", joint, part);
    return label;
}

static void describe(const Motion *motion, int part, int q_index, zvFreedom *f) {
    bool turns = motion->kind[part] == 'a';
    f->coordinate = motion->quaternion ? -1 : q_index + part;
    f->position_unit = turns ? "rad" : "m";
    f->rate_unit = turns ? "rad/s" : "m/s";
    f->force_unit = turns ? "N m" : "N";
    f->integral_unit = turns ? "rad s" : "m s";
}

zvFreedom *zv_freedoms(const zvModel *model, zvArena *arena) {
    zvFreedom *freedoms = zv_arena_alloc(arena, (size_t)zv_model_nv(model) * sizeof *freedoms);
    if (!freedoms) return NULL;
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        const zvJoint *joint = zv_model_joint(model, j);
        const Motion *motion = &motions[joint->type];
        for (int k = 0; k < place.nv; k++) {
            zvFreedom *f = &freedoms[place.v_index + k];
            describe(motion, k, place.q_index, f);
            f->label = label_of(arena, joint->name, motion->names[k]);
            if (!f->label) return NULL;
        }
    }
    return freedoms;
}
