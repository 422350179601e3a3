/* Joints of native files: types, axes, curves and mimic; the freedoms are in native_dof.c. */
#include <stdio.h>
#include <stdlib.h>

#include "model/loop.h"
#include "read/native_parts.h"

static const char *const type_words[] = {
#define ZV_X(name, word, nq, nv) word,
    ZV_JOINT_LIST(ZV_X)
#undef ZV_X
};

/* Keys that belong to one type of joint only. */
typedef struct Special {
    const char *key;
    zvJointType type;
    const char *advice; /* what to add when the type needs it; NULL when there is a default */
} Special;

static const Special specials[] = {
    {"axis2", ZV_UNIVERSAL, NULL},
    {"pitch", ZV_HELICAL, "pitch, the advance in m/rad"},
    {"curve", ZV_CURVE, "curve with line, circle or spline"},
    {"ball", ZV_CURVE, NULL}, /* of loops only */
};

zvStatus zv_native_need_specials(const zvReading *reading, const zvElement *element, zvJointType type) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const Special *special = &specials[i];
        if (special->type == type && special->advice) {
            zvStatus status = zv_element_need(reading, element, special->key, special->advice);
            if (status < 0) return status;
        }
    }
    return ZV_OK;
}

zvStatus zv_native_refuse_strangers(const zvReading *reading, const zvElement *element, zvJointType type) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const Special *special = &specials[i];
        if (special->type == type || !zv_element_has(element, special->key)) continue;
        char reason[160];
        snprintf(reason, sizeof reason, "belongs to a %s joint, and this one is %s; remove it or change the type",
                 zv_joint_type_word(special->type), zv_joint_type_word(type));
        return zv_element_refuse(reading, element, special->key, reason);
    }
    return ZV_OK;
}

static const char *const mimic_keys[] = {"joint", "ratio", "offset"};

static zvStatus open_mimic(const zvReading *reading, const zvElement *element, zvElement *mimic) {
    return zv_element_part(reading, element, "mimic", "mimic of joint", mimic_keys,
                           sizeof mimic_keys / sizeof *mimic_keys, mimic);
}

/* A joint carries its child by the child's origin; one that sits elsewhere in it can only close a loop. */
static zvStatus read_cut(const zvReading *reading, const zvElement *element, zvJoint *joint) {
    zvStatus status = zv_element_bool(reading, element, "cut", &joint->cut);
    if (status < 0) return status;
    if ((status = zv_native_pose(reading, element, "child_origin", &joint->child_origin)) < 0) return status;
    const bool placed = zv_element_has(element, "child_origin") || zv_joint_is_cut(joint);
    if (placed && !joint->cut && zv_element_has(element, "cut"))
        return zv_element_refuse(reading, element, "cut",
                                 "is false, but a joint with child_origin closes a loop; remove one of the two");
    joint->cut = placed;
    return ZV_OK;
}

zvStatus zv_native_joint_numbers(const zvReading *reading, const zvElement *element, zvJoint *joint) {
    zvStatus status = zv_native_refuse_strangers(reading, element, joint->type);
    if (status < 0) return status;
    if ((status = zv_native_pose(reading, element, "origin", &joint->origin)) < 0) return status;
    if ((status = zv_element_numbers(reading, element, "axis", 3, joint->axis)) < 0) return status;
    if ((status = zv_element_numbers(reading, element, "axis2", 3, joint->axis2)) < 0) return status;
    if ((status = zv_element_number(reading, element, "pitch", &joint->pitch)) < 0) return status;
    const zvDofKeys keys = zv_native_joint_dof_keys();
    if ((status = zv_native_dofs(reading, element, keys, joint->type, joint->dof)) < 0) return status;
    if ((status = read_cut(reading, element, joint)) < 0) return status;
    zvElement mimic;
    if ((status = open_mimic(reading, element, &mimic)) < 0 || !mimic.node) return status;
    if ((status = zv_element_number(reading, &mimic, "ratio", &joint->ratio)) < 0) return status;
    return zv_element_number(reading, &mimic, "offset", &joint->offset);
}

static zvStatus read_mimic(const zvReading *reading, const zvElement *element, zvJoint *joint) {
    zvElement mimic;
    zvStatus status = open_mimic(reading, element, &mimic);
    if (status < 0 || !mimic.node) return status;
    if (zv_joint_type_nq(joint->type) != 1) {
        return zv_element_refuse(reading, element, "mimic", "needs a joint with one coordinate; remove it");
    }
    if ((status = zv_element_need(reading, &mimic, "joint", "joint, the name of the joint to follow")) < 0) {
        return status;
    }
    joint->ratio = 1;
    joint->offset = 0;
    joint->mimic_spot = zv_element_spot(&mimic, "joint");
    return zv_element_text(reading, &mimic, "joint", &joint->mimic);
}

static zvStatus read_ends(const zvReading *reading, const zvElement *element, zvJoint *joint) {
    zvStatus status = zv_element_need(reading, element, "parent", "parent, the name of a link");
    if (status < 0) return status;
    if ((status = zv_element_need(reading, element, "child", "child, the name of a link")) < 0) return status;
    if ((status = zv_element_text(reading, element, "parent", &joint->parent)) < 0) return status;
    return zv_element_text(reading, element, "child", &joint->child);
}

static zvStatus read_type(const zvReading *reading, const zvElement *element, zvJointType *type) {
    zvStatus status = zv_element_need(reading, element, "type", "type, for example type: revolute");
    int choice = 0;
    if (status >= 0) status = zv_element_word(reading, element, "type", type_words, ZV_JOINT_TYPES, &choice);
    *type = (zvJointType)choice;
    return status;
}

static zvStatus read_joint(const zvReading *reading, const zvElement *element, zvJoint *joint, double **points) {
    zvJointType type;
    zvStatus status = read_type(reading, element, &type);
    if (status < 0) return status;
    *joint = zv_joint_default(element->name, type, NULL, NULL);
    joint->mark = zv_reading_mark(reading, element->node->mark);
    joint->parent_spot = zv_element_spot(element, "parent");
    joint->child_spot = zv_element_spot(element, "child");
    joint->axis_spot = zv_element_spot(element, "axis");
    joint->limits_spot = zv_element_spot(element, "limits");
    if ((status = read_ends(reading, element, joint)) < 0) return status;
    if ((status = zv_native_need_specials(reading, element, type)) < 0) return status;
    if ((status = read_mimic(reading, element, joint)) < 0) return status;
    if ((status = zv_native_joint_numbers(reading, element, joint)) < 0) return status;
    return type == ZV_CURVE ? zv_native_curve(reading, element, &joint->curve, points) : ZV_OK;
}

zvStatus zv_native_joints(const zvReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name",  "type",  "parent",    "child", "origin", "axis", "axis2",
                                       "pitch", "curve", ZV_DOF_KEYS, "dofs",  "mimic",  "cut",  "child_origin"};
    for (int i = 0; i < list->count; i++) {
        zvElement element;
        zvStatus status =
            zv_element_open(reading, list->items[i], "joint", "name", keys, sizeof keys / sizeof *keys, &element);
        if (status < 0) return status;
        zvJoint joint;
        double *points = NULL;
        status = read_joint(reading, &element, &joint, &points);
        if (status >= 0) status = zv_builder_add_joint(reading->builder, &joint, reading->error);
        free(points);
        if (status < 0) return status;
    }
    return ZV_OK;
}
