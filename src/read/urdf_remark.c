/* What looks like a slip in a URDF that can be read. */
#include "read/urdf.h"

#include <stdio.h>
#include <string.h>

/* Slips in a URDF that do not keep it from being read. URDF files carry elements and attributes of many tools, which
 * are left out without a word; but a name that is nearly one of URDF's own was probably meant to be it, and leaving
 * that out silently changes the robot (<axes> gives the axis x, <limits> none). */

enum { NAMES = 12 };

/* What belongs in an element. Extensions that are common and near one of URDF's names are listed too. */
typedef struct UrdfNames {
    const char *name;
    const char *children[NAMES];
    const char *attributes[NAMES];
} UrdfNames;

static const UrdfNames urdf_names[] = {
    {"robot",
     {"link", "joint", "material", "transmission", "gazebo", "sensor", "loop_joint", "loop", "coupling"},
     {"name", "version"}},
    {"link", {"inertial", "visual", "collision", "sensor", "contact"}, {"name", "type"}},
    {"joint",
     {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"},
     {"name", "type"}},
    {"inertial", {"origin", "mass", "inertia"}, {NULL}},
    {"mass", {NULL}, {"value"}},
    {"inertia", {NULL}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
    {"origin", {NULL}, {"xyz", "rpy", "quat_xyzw"}},
    {"parent", {NULL}, {"link"}},
    {"child", {NULL}, {"link"}},
    {"axis", {NULL}, {"xyz"}},
    {"limit", {NULL}, {"lower", "upper", "effort", "velocity", "acceleration", "jerk"}},
    {"dynamics", {NULL}, {"damping", "friction"}},
    {"mimic", {NULL}, {"joint", "multiplier", "offset"}},
    {"visual", {"origin", "geometry", "material"}, {"name"}},
    {"collision", {"origin", "geometry", "material", "verbose"}, {"name"}},
    {"geometry", {"box", "cylinder", "sphere", "mesh", "capsule", "plane"}, {NULL}},
    {"box", {NULL}, {"size"}},
    {"cylinder", {NULL}, {"radius", "length"}},
    {"sphere", {NULL}, {"radius"}},
    {"mesh", {NULL}, {"filename", "scale"}},
    {"material", {"color", "texture"}, {"name"}},
    {"color", {NULL}, {"rgba"}},
    {"contact", {NULL}, {NULL}},
};

/* What other tools read in an element and what changes the motion, without having a place here. */
typedef struct UrdfLost {
    const char *element, *child;
    enum { ALWAYS, WHEN_TRUE, WHEN_FALSE } told;
    const char *repair;
} UrdfLost;

static const UrdfLost urdf_lost[] = {
    {"link", "gravity", WHEN_FALSE, "nothing to do, or set --gravity 0,0,0 for the whole robot"},
    {"link", "kinematic", WHEN_TRUE, "lock its joint (--lock)"},
    {"contact", "inertia_scaling", ALWAYS, "multiply the moments of inertia, if that is meant"},
    {"joint", "joint_properties", ALWAYS, "write <dynamics damping friction> instead"},
};

static const UrdfNames *names_in(const char *name) {
    for (size_t i = 0; i < sizeof urdf_names / sizeof *urdf_names; i++)
        if (strcmp(urdf_names[i].name, name) == 0) return &urdf_names[i];
    return NULL;
}

/* The name that was probably meant, or NULL when the word is right, has a prefix, or is something of its own. */
static const char *meant(const char *word, const char *const names[NAMES]) {
    size_t count = 0;
    for (; count < NAMES && names[count]; count++)
        if (strcmp(names[count], word) == 0) return NULL;
    return strchr(word, ':') ? NULL : zi_meant_name(word, names, count);
}

/* Whatever else stands in <dynamics> is a force, too. */
static bool is_unknown_force(const UrdfNames *names, const char *attribute) {
    return strcmp(names->name, "dynamics") == 0 && strcmp(attribute, "damping") != 0 &&
           strcmp(attribute, "friction") != 0 && !strchr(attribute, ':');
}

/* What is left out and told of a child that is no slip. */
static zvStatus remark_lost(const ziUrdf *owner, const ziXmlElement *element, const ziXmlElement *child) {
    for (size_t i = 0; i < sizeof urdf_lost / sizeof *urdf_lost; i++) {
        const UrdfLost *lost = &urdf_lost[i];
        if (strcmp(lost->element, element->name) != 0 || strcmp(lost->child, child->name) != 0) continue;
        if (lost->told != ALWAYS && !zi_urdf_says(child, lost->told == WHEN_TRUE)) continue;
        return zi_urdf_remark(owner, ZV_SEVERITY_WARNING, "left-out", child->mark, child->name, lost->repair,
                              "<%s> of <%s> changes the motion and is left out", child->name, element->name);
    }
    return ZV_OK;
}

/* A wrong name, an element written as an attribute, or a word of nobody. */
zvStatus zi_urdf_unknown_attribute(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute,
                                   const char *near, bool is_child) {
    char quote[ZI_QUOTE_SIZE], repair[96];
    zi_text_quote(quote, attribute->name, strlen(attribute->name));
    snprintf(repair, sizeof repair,
             is_child ? "write <%s> within the element"
             : near   ? "did you mean %s=\"...\"?"
                      : "remove it",
             is_child ? quote : near);
    return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "unknown-attribute", attribute->mark, attribute->name, repair,
                          "%s=\"...\" is not an attribute of <%s> and is left out", quote, element->name);
}

/* A wrong name, a wrong place, or a word of nobody. */
zvStatus zi_urdf_unknown_element(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlElement *child,
                                 const char *near, const char *place) {
    char quote[ZI_QUOTE_SIZE], repair[96];
    zi_text_quote(quote, child->name, strlen(child->name));
    snprintf(repair, sizeof repair,
             place  ? "it belongs in <%s>"
             : near ? "did you mean <%s>?"
                    : "remove it",
             place ? place : near);
    return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "unknown-element", child->mark, child->name, repair,
                          "<%s> is not an element of <%s> and is left out", quote, element->name);
}

/* Attributes whose names are nearly right. */
static zvStatus remark_attributes(const ziUrdf *owner, const ziXmlElement *element, const UrdfNames *names) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < element->nattribute && status == ZV_OK; i++) {
        const ziXmlAttribute *attribute = &element->attributes[i];
        const char *near = meant(attribute->name, names->attributes);
        if (!near && is_unknown_force(names, attribute->name)) near = "damping";
        if (!near) continue;
        status = zi_urdf_unknown_attribute(owner, element, attribute, near, false);
    }
    return status;
}

static zvStatus remark_angles(const ziUrdf *owner, const ziXmlElement *origin) {
    double rpy[3] = {0, 0, 0};
    const ziXmlAttribute *attribute = zi_xml_attribute(origin, "rpy");
    if (!attribute || zi_urdf_numbers(owner, origin, "rpy", true, 3, rpy) != ZV_OK) return ZV_OK;
    return zi_degrees_remark(owner->builder, owner->kind, owner->name, attribute->value_mark, rpy, owner->error);
}

/* Elements of URDF are nested five deep at most, so the calls are too. */
static zvStatus remark_element(const ziUrdf *owner, const ziXmlElement *element, const UrdfNames *names) {
    zvStatus status = remark_attributes(owner, element, names);
    if (status == ZV_OK && strcmp(names->name, "origin") == 0) status = remark_angles(owner, element);
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next) {
        const char *near = meant(e->name, names->children);
        if (near) {
            status = zi_urdf_unknown_element(owner, element, e, near, NULL);
            continue;
        }
        status = remark_lost(owner, element, e);
        const UrdfNames *inner = NULL;
        for (int i = 0; i < NAMES && names->children[i] && !inner; i++)
            if (strcmp(names->children[i], e->name) == 0) inner = names_in(e->name);
        if (inner && status == ZV_OK) status = remark_element(owner, e, inner);
    }
    return status;
}

/* URDF wants <limit> in revolute and prismatic joints; without it they move without end. */
static zvStatus remark_limit(const ziUrdf *owner, const ziXmlElement *joint) {
    const ziXmlAttribute *type = zi_xml_attribute(joint, "type");
    if (!type || (strcmp(type->value, "revolute") != 0 && strcmp(type->value, "prismatic") != 0)) return ZV_OK;
    for (const ziXmlElement *e = joint->first; e; e = e->next)
        if (strcmp(e->name, "limit") == 0) return ZV_OK;
    return zi_urdf_remark(owner, ZV_SEVERITY_NOTE, "no-limit", zi_urdf_mark(joint), type->value,
                          "add <limit lower upper effort velocity>, or make a revolute joint continuous",
                          "the %s joint has no <limit>, so its range is not bounded", type->value);
}

/* Walks over what the reader leaves out, after the robot has been read. */
zvStatus zi_urdf_remarks(const ziUrdf *urdf, const ziXmlElement *robot) {
    ziUrdf owner = *urdf, inner = *urdf;
    owner.kind = "robot", owner.name = zv_builder_name(urdf->builder);
    zvStatus status = remark_attributes(&owner, robot, names_in("robot"));
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        const char *near = meant(e->name, names_in("robot")->children);
        if (near) {
            status = zi_urdf_unknown_element(&owner, robot, e, near, NULL);
            continue;
        }
        const bool joint = strcmp(e->name, "joint") == 0, link = strcmp(e->name, "link") == 0;
        const ziXmlAttribute *name = zi_xml_attribute(e, "name");
        inner.kind = e->name, inner.name = name ? name->value : NULL;
        if (joint || link || strcmp(e->name, "material") == 0) status = remark_element(&inner, e, names_in(e->name));
        if (joint && status == ZV_OK) status = remark_limit(&inner, e);
    }
    return status;
}
