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
    {"axis2", ZV_JOINT_UNIVERSAL, NULL},
    {"pitch", ZV_JOINT_HELICAL, "pitch, the advance in m/rad"},
    {"curve", ZV_JOINT_CURVE, "curve with line, circle or spline"},
    {"ball", ZV_JOINT_CURVE, NULL}, /* of loops only */
};

zvStatus zi_native_need_specials(const ziReading *reading, const ziElement *element, zvJointType type) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const Special *special = &specials[i];
        if (special->type == type && special->advice) {
            zvStatus status = zi_element_need(reading, element, special->key, special->advice);
            if (status < 0) return status;
        }
    }
    return ZV_OK;
}

zvStatus zi_native_refuse_strangers(const ziReading *reading, const ziElement *element, zvJointType type) {
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const Special *special = &specials[i];
        if (special->type == type || !zi_element_has(element, special->key)) continue;
        char reason[160];
        snprintf(reason, sizeof reason, "belongs to a %s joint, and this one is %s; remove it or change the type",
                 zv_joint_type_word(special->type), zv_joint_type_word(type));
        return zi_element_refuse(reading, element, special->key, reason);
    }
    return ZV_OK;
}

static const char *const mimic_keys[] = {"joint", "ratio", "offset"};

static zvStatus open_mimic(const ziReading *reading, const ziElement *element, ziElement *mimic) {
    return zi_element_part(reading, element, "mimic", "mimic of joint", mimic_keys,
                           sizeof mimic_keys / sizeof *mimic_keys, mimic);
}

/* A joint carries its child by the child's origin; one that sits elsewhere in it can only close a loop. */
static zvStatus read_cut(const ziReading *reading, const ziElement *element, zvJoint *joint) {
    zvStatus status = zi_element_bool(reading, element, "cut", &joint->cut);
    if (status < 0) return status;
    if ((status = zi_native_pose(reading, element, "child_origin", &joint->child_origin)) < 0) return status;
    const bool placed = zi_element_has(element, "child_origin") || zi_joint_is_cut(joint);
    if (placed && !joint->cut && zi_element_has(element, "cut"))
        return zi_element_refuse(reading, element, "cut",
                                 "is false, but a joint with child_origin closes a loop; remove one of the two");
    joint->cut = placed;
    return ZV_OK;
}

zvStatus zi_native_joint_numbers(const ziReading *reading, const ziElement *element, zvJoint *joint) {
    zvStatus status = zi_native_refuse_strangers(reading, element, joint->type);
    if (status < 0) return status;
    if ((status = zi_native_pose(reading, element, "origin", &joint->origin)) < 0) return status;
    if ((status = zi_element_numbers(reading, element, "axis", 3, joint->axis)) < 0) return status;
    if ((status = zi_element_numbers(reading, element, "axis2", 3, joint->axis2)) < 0) return status;
    if ((status = zi_element_number(reading, element, "pitch", &joint->pitch)) < 0) return status;
    const ziDofKeys keys = zi_native_joint_dof_keys();
    if ((status = zi_native_dofs(reading, element, keys, joint->type, joint->dof)) < 0) return status;
    if ((status = read_cut(reading, element, joint)) < 0) return status;
    ziElement mimic;
    if ((status = open_mimic(reading, element, &mimic)) < 0 || !mimic.node) return status;
    if ((status = zi_element_number(reading, &mimic, "ratio", &joint->ratio)) < 0) return status;
    return zi_element_number(reading, &mimic, "offset", &joint->offset);
}

static zvStatus read_mimic(const ziReading *reading, const ziElement *element, zvJoint *joint) {
    ziElement mimic;
    zvStatus status = open_mimic(reading, element, &mimic);
    if (status < 0 || !mimic.node) return status;
    if (zv_joint_type_nq(joint->type) != 1) {
        return zi_element_refuse(reading, element, "mimic", "needs a joint with one coordinate; remove it");
    }
    if ((status = zi_element_need(reading, &mimic, "joint", "joint, the name of the joint to follow")) < 0) {
        return status;
    }
    joint->ratio = 1;
    joint->offset = 0;
    joint->mimic_spot = zi_element_spot(&mimic, "joint");
    return zi_element_text(reading, &mimic, "joint", &joint->mimic);
}

static zvStatus read_ends(const ziReading *reading, const ziElement *element, zvJoint *joint) {
    zvStatus status = zi_element_need(reading, element, "parent", "parent, the name of a link");
    if (status < 0) return status;
    if ((status = zi_element_need(reading, element, "child", "child, the name of a link")) < 0) return status;
    if ((status = zi_element_text(reading, element, "parent", &joint->parent)) < 0) return status;
    return zi_element_text(reading, element, "child", &joint->child);
}

static zvStatus read_type(const ziReading *reading, const ziElement *element, zvJointType *type) {
    zvStatus status = zi_element_need(reading, element, "type", "type, for example type: revolute");
    int choice = 0;
    if (status >= 0) status = zi_element_word(reading, element, "type", type_words, ZV_JOINT_TYPES, &choice);
    *type = (zvJointType)choice;
    return status;
}

static zvStatus read_joint(const ziReading *reading, const ziElement *element, zvJoint *joint, double **points) {
    zvJointType type;
    zvStatus status = read_type(reading, element, &type);
    if (status < 0) return status;
    *joint = zv_joint_default(element->name, type, NULL, NULL);
    joint->mark = zi_reading_mark(reading, element->node->mark);
    joint->parent_spot = zi_element_spot(element, "parent");
    joint->child_spot = zi_element_spot(element, "child");
    joint->axis_spot = zi_element_spot(element, "axis");
    joint->limits_spot = zi_element_spot(element, "limits");
    if ((status = read_ends(reading, element, joint)) < 0) return status;
    if ((status = zi_native_need_specials(reading, element, type)) < 0) return status;
    if ((status = read_mimic(reading, element, joint)) < 0) return status;
    if ((status = zi_native_joint_numbers(reading, element, joint)) < 0) return status;
    return type == ZV_JOINT_CURVE ? zi_native_curve(reading, element, &joint->curve, points) : ZV_OK;
}

zvStatus zi_native_joints(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name",  "type",  "parent",    "child", "origin", "axis", "axis2",
                                       "pitch", "curve", ZI_DOF_KEYS, "dofs",  "mimic",  "cut",  "child_origin"};
    for (int i = 0; i < list->count; i++) {
        ziElement element;
        zvStatus status =
            zi_element_open(reading, list->items[i], "joint", "name", keys, sizeof keys / sizeof *keys, &element);
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
