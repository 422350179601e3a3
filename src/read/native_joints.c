/* Joints of native files: paths, freedoms, types, axes and mimic. */
#include "model/joint_type.h"
#include "read/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/order.h"

/* Paths of curve joints and loops: a line, a circle or a spline through points. */

static zvStatus read_line(const ziReading *reading, const ziNamedMap *curve, zvCurve *out) {
    static const char *const keys[] = {"direction"};
    char kind[ZI_WHAT];
    ziNamedMap line;
    zvStatus status = zi_map_inner(reading, curve, "line", keys, 1, kind, &line);
    if (status < 0) return status;
    if ((status = zi_map_need(reading, &line, "direction", "direction: [x, y, z]")) < 0) return status;
    out->kind = ZV_CURVE_LINE;
    return zi_map_numbers(reading, &line, "direction", 3, out->direction);
}

/* Radius is needed; centre, normal and start have defaults. */
static zvStatus read_circle(const ziReading *reading, const ziNamedMap *curve, zvCurve *out) {
    static const char *const keys[] = {"center", "normal", "start", "radius"};
    static const double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    char kind[ZI_WHAT];
    ziNamedMap circle;
    zvStatus status = zi_map_inner(reading, curve, "circle", keys, 4, kind, &circle);
    if (status < 0) return status;
    if ((status = zi_map_need(reading, &circle, "radius", "radius, in m")) < 0) return status;
    out->kind = ZV_CURVE_CIRCLE;
    memcpy(out->normal, z, sizeof z);
    memcpy(out->start, x, sizeof x);
    if ((status = zi_map_numbers(reading, &circle, "center", 3, out->center)) < 0) return status;
    if ((status = zi_map_numbers(reading, &circle, "normal", 3, out->normal)) < 0) return status;
    if ((status = zi_map_numbers(reading, &circle, "start", 3, out->start)) < 0) return status;
    return zi_map_number(reading, &circle, "radius", &out->radius);
}

/* Two points or more, in memory that the caller frees once the builder has copied them. */
static zvStatus read_points(const ziReading *reading, const ziNamedMap *spline, zvCurve *out, double **points) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(reading, spline, "points", &list);
    if (status < 0) return status;
    if (list->count < 2) return zi_map_expected(reading, spline, "points", "at least two points", "");
    *points = malloc((size_t)list->count * 3 * sizeof **points);
    if (!*points)
        return zv_fail(reading->error, ZV_MEMORY, list->mark, "points", "no memory for the points of a spline");
    char what[ZI_WHAT];
    zi_map_what(spline, "point", what);
    for (int i = 0; i < list->count; i++) {
        status = zv_node_numbers(list->items[i], what, 3, *points + 3 * i, reading->error);
        if (status < 0) return status;
    }
    out->count = list->count;
    out->points = *points;
    return ZV_OK;
}

/* A path through points, open or closed. */
static zvStatus read_spline(const ziReading *reading, const ziNamedMap *curve, zvCurve *out, double **points) {
    static const char *const keys[] = {"points", "closed"};
    char kind[ZI_WHAT];
    ziNamedMap spline;
    zvStatus status = zi_map_inner(reading, curve, "spline", keys, 2, kind, &spline);
    if (status < 0) return status;
    if ((status = zi_map_need(reading, &spline, "points", "points: [[x, y, z], ...]")) < 0) return status;
    out->kind = ZV_CURVE_SPLINE;
    if ((status = zi_map_bool(reading, &spline, "closed", &out->closed)) < 0) return status;
    return read_points(reading, &spline, out, points);
}

/* Exactly one kind of path. */
zvStatus zi_native_curve(const ziReading *reading, const ziNamedMap *element, zvCurve *curve, double **points) {
    static const char *const keys[] = {"line", "circle", "spline"};
    char kind[ZI_WHAT];
    ziNamedMap part;
    zvStatus status = zi_map_inner(reading, element, "curve", keys, 3, kind, &part);
    if (status < 0) return status;
    if (part.node->count != 1) {
        return zi_map_expected(reading, element, "curve", "exactly one of line, circle and spline",
                               "keep one of the keys");
    }
    if (zi_map_has(&part, "line")) return read_line(reading, &part, curve);
    if (zi_map_has(&part, "circle")) return read_circle(reading, &part, curve);
    return read_spline(reading, &part, curve, points);
}

/* Freedoms of native joints and loops: limits, rotor, friction and spring. */

bool zi_native_turns(zvJointType type, int k) {
    return strcmp(zv_joint_type_v_unit(type, k, ZV_QUANTITY_POSITION), "rad") == 0;
}

/* A range of a coordinate needs both ends; effort and velocity do not need each other. */
static zvStatus read_limits(const ziReading *reading, const ziNamedMap *element, zvJointType type, bool turns,
                            zvDof *dof) {
    static const char *const keys[] = {"lower", "upper", "effort", "velocity"};
    char kind[ZI_WHAT];
    ziNamedMap limits;
    zvStatus status = zi_map_inner(reading, element, "limits", keys, sizeof keys / sizeof *keys, kind, &limits);
    if (status < 0 || !limits.node) return status;
    bool lower = zi_map_has(&limits, "lower"), upper = zi_map_has(&limits, "upper");
    if ((lower || upper) && zi_joint_has_quaternion(type)) { /* there is no coordinate to limit */
        return zi_map_refuse(reading, &limits, lower ? "lower" : "upper",
                             "expected no limits of a quaternion, found one; remove lower and upper");
    }
    if (lower != upper && !dof->has_limits) {
        return zi_map_refuse(reading, &limits, lower ? "lower" : "upper", "expected both lower and upper, found one");
    }
    if (lower || upper) dof->has_limits = true;
    const ziNumberKey numbers[] = {{"lower", &dof->lower, turns},
                                   {"upper", &dof->upper, turns},
                                   {"effort", &dof->effort, false},
                                   {"velocity", &dof->velocity, turns}};
    return zi_map_keyed_numbers(reading, &limits, numbers, sizeof numbers / sizeof *numbers);
}

/* A rotor behind a gear is felt at the joint with the square of the ratio. */
static zvStatus read_rotor(const ziReading *reading, const ziNamedMap *element, zvDof *dof) {
    static const char *const keys[] = {"inertia", "ratio"};
    char kind[ZI_WHAT];
    ziNamedMap rotor;
    zvStatus status = zi_map_inner(reading, element, "rotor", keys, sizeof keys / sizeof *keys, kind, &rotor);
    if (status < 0 || !rotor.node) return status;
    if (zi_map_has(element, "armature")) {
        return zi_map_refuse(reading, element, "rotor",
                             "expected rotor or armature, found both; armature = rotor inertia x ratio^2: keep one");
    }
    double inertia = 0, ratio = 1;
    if ((status = zi_map_need(reading, &rotor, "inertia", "inertia, in kg m^2")) < 0) return status;
    const ziNumberKey numbers[] = {{"inertia", &inertia, false}, {"ratio", &ratio, false}};
    if ((status = zi_map_keyed_numbers(reading, &rotor, numbers, 2)) < 0) return status;
    dof->armature = inertia * ratio * ratio;
    return ZV_OK;
}

/* Whether what stands under a key is a list: a matrix of all freedoms. */
static bool is_list(const ziNamedMap *element, const char *key) {
    const zvNode *node = zv_node_get(element->node, key);
    return node && node->kind == ZV_NODE_LIST;
}

static zvStatus open_spring(const ziReading *reading, const ziNamedMap *element, char kind[ZI_WHAT],
                            ziNamedMap *spring) {
    static const char *const keys[] = {"stiffness", "rest"};
    return zi_map_inner(reading, element, "spring", keys, sizeof keys / sizeof *keys, kind, spring);
}

/* whole: of a joint, where lists are those of all freedoms and are read elsewhere. */
static zvStatus read_spring(const ziReading *reading, const ziNamedMap *element, bool whole, bool turns, zvDof *dof) {
    char kind[ZI_WHAT];
    ziNamedMap spring;
    zvStatus status = open_spring(reading, element, kind, &spring);
    const ziNumberKey numbers[] = {{"stiffness", &dof->stiffness, false}, {"rest", &dof->rest, turns}};
    for (int i = 0; status >= 0 && spring.node && i < 2; i++) {
        if (!whole || !is_list(&spring, numbers[i].key))
            status = zi_map_keyed_numbers(reading, &spring, numbers + i, 1);
    }
    return status;
}

/* Freedom k of a joint of this type; whole: as the joint itself says for all of them. */
static zvStatus read_dof(const ziReading *reading, const ziNamedMap *element, bool whole, zvJointType type, int k,
                         zvDof *dof) {
    const bool turns = zi_native_turns(type, k);
    zvStatus status = read_limits(reading, element, type, turns, dof);
    if (status < 0) return status;
    if ((status = zi_map_number(reading, element, "armature", &dof->armature)) < 0) return status;
    if ((status = read_rotor(reading, element, dof)) < 0) return status;
    if (!whole || !is_list(element, "damping")) status = zi_map_number(reading, element, "damping", &dof->damping);
    if (status < 0) return status;
    if ((status = zi_map_number(reading, element, "friction", &dof->friction)) < 0) return status;
    return read_spring(reading, element, whole, turns, dof);
}

/* Matrices under damping, and under stiffness of spring; rest of all freedoms is a list beside them. What is given
 * takes the place of what was there, which `modify` relies on. */
static zvStatus read_matrices(const ziReading *reading, const ziNamedMap *element, zvJointType type, zvDof *dofs,
                              const double **stiffness, const double **damping) {
    const int nv = zv_joint_type_nv(type);
    char kind[ZI_WHAT];
    ziArena *arena = &reading->builder->texts;
    double rest[ZV_MAX_DOF];
    ziNamedMap spring;
    zvStatus status = ZV_OK;
    if (zi_map_has(element, "damping")) *damping = NULL;
    if (is_list(element, "damping")) {
        status = zi_native_square(reading, element, "damping", nv, "freedom", arena, damping);
        for (int k = 0; k < nv; k++) dofs[k].damping = 0;
    }
    if (status >= 0) status = open_spring(reading, element, kind, &spring);
    if (status < 0 || !spring.node) return status;
    if (zi_map_has(&spring, "stiffness")) *stiffness = NULL;
    if (is_list(&spring, "stiffness")) {
        status = zi_native_square(reading, &spring, "stiffness", nv, "freedom", arena, stiffness);
        for (int k = 0; k < nv; k++) dofs[k].stiffness = 0;
    }
    if (status < 0 || !is_list(&spring, "rest")) return status;
    status = zi_map_freedoms(reading, &spring, "rest", type, rest);
    for (int k = 0; status >= 0 && k < nv; k++) dofs[k].rest = rest[k];
    return status;
}

/* A fixed joint has nothing to damp or to limit. */
static zvStatus refuse_dof_keys(const ziReading *reading, const ziNamedMap *element) {
    static const char *const keys[] = {ZI_DOF_KEYS, "dofs"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!zi_map_has(element, keys[i])) continue;
        return zi_map_refuse(reading, element, keys[i],
                             "expected a joint that moves, found a fixed one; remove it or change the type");
    }
    return ZV_OK;
}

/* One map for each freedom, in the order of the coordinates. */
static zvStatus read_dof_list(const ziReading *reading, const ziNamedMap *element, const zvNode *list, ziDofKeys keys,
                              zvJointType type, zvDof *dofs) {
    int nv = zv_joint_type_nv(type);
    if (list->count != nv) {
        char reason[160];
        snprintf(reason, sizeof reason, "one map for each of the %d freedom%s of a %s joint", nv, nv == 1 ? "" : "s",
                 zv_joint_type_word(type));
        return zi_map_expected(reading, element, "dofs", reason, "");
    }
    for (int i = 0; i < nv; i++) {
        char kind[ZI_WHAT];
        snprintf(kind, sizeof kind, "freedom %d of %s", i + 1, element->kind);
        ziNamedMap dof;
        zvStatus status = zi_map_open(reading, list->items[i], kind, NULL, keys.names, keys.count, &dof);
        if (status < 0) return status;
        dof.name = element->name;
        if ((status = read_dof(reading, &dof, false, type, i, &dofs[i])) < 0) return status;
    }
    return ZV_OK;
}

ziDofKeys zi_native_joint_dof_keys(void) {
    static const char *const names[] = {ZI_DOF_KEYS};
    return (ziDofKeys){names, sizeof names / sizeof *names};
}

/* Keys of the element hold for all freedoms; those in dofs come after and override them. */
zvStatus zi_native_dofs(const ziReading *reading, const ziNamedMap *element, ziDofKeys keys, zvJointType type,
                        zvDof *dofs, const double **stiffness, const double **damping) {
    int nv = zv_joint_type_nv(type);
    if (nv == 0) return refuse_dof_keys(reading, element);
    for (int i = 0; i < nv; i++) {
        zvStatus status = read_dof(reading, element, true, type, i, &dofs[i]);
        if (status < 0) return status;
    }
    const zvNode *list = NULL;
    zvStatus status = read_matrices(reading, element, type, dofs, stiffness, damping);
    if (status >= 0) status = zi_map_list(reading, element, "dofs", &list);
    if (status < 0 || !list) return status;
    return read_dof_list(reading, element, list, keys, type, dofs);
}

/* Joints of native files: types, axes, curves and mimic. */

static const char *const type_words[] = {
#define ZV_X(name, word, nq, nv) word,
    ZV_JOINT_LIST(ZV_X)
#undef ZV_X
};

/* Keys that belong to some type of joint only. */
typedef struct TypeKey {
    const char *key;
    int need;           /* of ziJointType */
    const char *advice; /* what to add when the type needs it; NULL when there is a default */
} TypeKey;

static const TypeKey type_keys[] = {
    {"axis2", ZI_JOINT_AXIS2, NULL},
    {"pitch", ZI_JOINT_PITCH, "pitch, the advance in m/rad"},
    {"curve", ZI_JOINT_PATH, "curve with line, circle or spline"},
    {"ball", ZI_JOINT_PATH, NULL}, /* of loops only */
};

/* The first type of joint that has the key. */
static const char *owner_of(const TypeKey *special) {
    int type = 0;
    while (!zi_joint_needs((zvJointType)type, special->need)) type++;
    return zv_joint_type_word((zvJointType)type);
}

zvStatus zi_native_need_specials(const ziReading *reading, const ziNamedMap *element, zvJointType type) {
    for (size_t i = 0; i < sizeof type_keys / sizeof *type_keys; i++) {
        const TypeKey *special = &type_keys[i];
        if (zi_joint_needs(type, special->need) && special->advice) {
            zvStatus status = zi_map_need(reading, element, special->key, special->advice);
            if (status < 0) return status;
        }
    }
    return ZV_OK;
}

zvStatus zi_native_refuse_strangers(const ziReading *reading, const ziNamedMap *element, zvJointType type) {
    for (size_t i = 0; i < sizeof type_keys / sizeof *type_keys; i++) {
        const TypeKey *special = &type_keys[i];
        if (zi_joint_needs(type, special->need) || !zi_map_has(element, special->key)) continue;
        char reason[160];
        snprintf(reason, sizeof reason, "expected a %s joint, found a %s one; remove it or change the type",
                 owner_of(special), zv_joint_type_word(type));
        return zi_map_refuse(reading, element, special->key, reason);
    }
    return ZV_OK;
}

static const char *const mimic_keys[] = {"joint", "ratio", "offset"};

static zvStatus open_mimic(const ziReading *reading, const ziNamedMap *element, ziNamedMap *mimic) {
    return zi_map_part(reading, element, "mimic", "mimic of joint", mimic_keys, sizeof mimic_keys / sizeof *mimic_keys,
                       mimic);
}

/* A joint carries its child by the child's origin; one that sits elsewhere in it can only close a loop. */
static zvStatus read_cut(const ziReading *reading, const ziNamedMap *element, zvJoint *joint) {
    zvStatus status = zi_map_bool(reading, element, "cut", &joint->cut);
    if (status < 0) return status;
    if ((status = zi_native_pose(reading, element, "child_origin", &joint->child_origin)) < 0) return status;
    const bool placed = zi_map_has(element, "child_origin") || zi_joint_is_cut(joint);
    if (placed && !joint->cut && zi_map_has(element, "cut"))
        return zi_map_refuse(
            reading, element, "cut",
            "expected true beside child_origin, which closes a loop, found false; remove one of the two");
    joint->cut = placed;
    return ZV_OK;
}

/* What is common to reading a joint and modifying one. */
zvStatus zi_native_joint_numbers(const ziReading *reading, const ziNamedMap *element, zvJoint *joint) {
    zvStatus status = zi_native_refuse_strangers(reading, element, joint->type);
    if (status < 0) return status;
    if ((status = zi_native_pose(reading, element, "origin", &joint->origin)) < 0) return status;
    if ((status = zi_native_axis(reading, element, "axis", joint->axis)) < 0) return status;
    if ((status = zi_native_axis(reading, element, "axis2", joint->axis2)) < 0) return status;
    if ((status = zi_map_number(reading, element, "pitch", &joint->pitch)) < 0) return status;
    const ziDofKeys keys = zi_native_joint_dof_keys();
    if ((status = zi_native_dofs(reading, element, keys, joint->type, joint->dof, &joint->stiffness_matrix,
                                 &joint->damping_matrix)) < 0)
        return status;
    if ((status = zi_native_flexible(reading, element, &joint->flexible)) < 0) return status;
    if ((status = read_cut(reading, element, joint)) < 0) return status;
    ziNamedMap mimic;
    if ((status = open_mimic(reading, element, &mimic)) < 0 || !mimic.node) return status;
    const ziNumberKey numbers[] = {{"ratio", &joint->ratio, false},
                                   {"offset", &joint->offset, zi_native_turns(joint->type, 0)}};
    return zi_map_keyed_numbers(reading, &mimic, numbers, 2);
}

/* The joint to follow, and how; only joints with one coordinate can. */
static zvStatus read_mimic(const ziReading *reading, const ziNamedMap *element, zvJoint *joint) {
    ziNamedMap mimic;
    zvStatus status = open_mimic(reading, element, &mimic);
    if (status < 0 || !mimic.node) return status;
    if (zv_joint_type_nq(joint->type) != 1) {
        return zi_map_refuse(reading, element, "mimic",
                             "expected a joint with one coordinate, found another; remove it");
    }
    if ((status = zi_map_need(reading, &mimic, "joint", "joint, the name of the joint to follow")) < 0) {
        return status;
    }
    joint->ratio = 1;
    joint->offset = 0;
    joint->mimic_spot = zi_map_spot(&mimic, "joint");
    return zi_map_text(reading, &mimic, "joint", &joint->mimic);
}

static zvStatus read_ends(const ziReading *reading, const ziNamedMap *element, zvJoint *joint) {
    zvStatus status = zi_map_need(reading, element, "parent", "parent, the name of a link");
    if (status < 0) return status;
    if ((status = zi_map_need(reading, element, "child", "child, the name of a link")) < 0) return status;
    if ((status = zi_map_text(reading, element, "parent", &joint->parent)) < 0) return status;
    return zi_map_text(reading, element, "child", &joint->child);
}

static zvStatus read_type(const ziReading *reading, const ziNamedMap *element, zvJointType *type) {
    zvStatus status = zi_map_need(reading, element, "type", "type, for example type: revolute");
    int choice = 0;
    if (status >= 0) status = zi_map_word(reading, element, "type", type_words, ZV_JOINT_TYPES, &choice);
    *type = (zvJointType)choice;
    return status;
}

/* Type first: it decides which keys belong to the joint. */
static zvStatus read_joint(const ziReading *reading, const ziNamedMap *element, zvJoint *joint, double **points) {
    zvJointType type;
    zvStatus status = read_type(reading, element, &type);
    if (status < 0) return status;
    *joint = zv_joint_default(element->name, type, NULL, NULL);
    joint->mark = zi_reading_mark(reading, element->node->mark);
    joint->parent_spot = zi_map_spot(element, "parent");
    joint->child_spot = zi_map_spot(element, "child");
    joint->axis_spot = zi_map_spot(element, "axis");
    joint->limits_spot = zi_map_spot(element, "limits");
    if ((status = read_ends(reading, element, joint)) < 0) return status;
    if ((status = zi_native_need_specials(reading, element, type)) < 0) return status;
    if ((status = read_mimic(reading, element, joint)) < 0) return status;
    if ((status = zi_native_joint_numbers(reading, element, joint)) < 0) return status;
    return zi_joint_needs(type, ZI_JOINT_PATH) ? zi_native_curve(reading, element, &joint->curve, points) : ZV_OK;
}

/* The points of a curve are freed once the builder has copied them. */
static zvStatus add_joint(const ziReading *reading, const ziNamedMap *element) {
    zvJoint joint;
    double *points = NULL;
    zvStatus status = read_joint(reading, element, &joint, &points);
    if (status >= 0) status = zv_builder_add_joint(reading->builder, &joint, reading->error);
    free(points);
    return status;
}

zvStatus zi_native_joints(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name", "type",  "parent", "child",        "origin",
                                       "axis", "axis2", "pitch",  "curve",        ZI_DOF_KEYS,
                                       "dofs", "mimic", "cut",    "child_origin", "flexible"};
    return zi_map_each(reading, list, "joint", keys, sizeof keys / sizeof *keys, add_joint);
}
