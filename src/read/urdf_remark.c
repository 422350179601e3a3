/* Slips in a URDF that do not keep it from being read. URDF files carry elements and attributes of many tools, which
 * are left out without a word; but a name that is nearly one of URDF's own was probably meant to be it, and leaving
 * that out silently changes the robot (<axes> gives the axis x, <limits> none). */
#include "read/urdf_remark.h"

#include <stdio.h>
#include <string.h>

#include "read/degrees.h"
#include "read/meant.h"

enum { NAMES = 12 };

/* What belongs in an element. Extensions that are common and near one of URDF's names are listed too. */
typedef struct Place {
    const char *name;
    const char *children[NAMES];
    const char *attributes[NAMES];
} Place;

static const Place places[] = {
    {"robot", {"link", "joint", "material", "transmission", "gazebo", "sensor"}, {"name", "version"}},
    {"link", {"inertial", "visual", "collision", "sensor", "contact"}, {"name", "type"}},
    {"joint",
     {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"},
     {"name", "type"}},
    {"inertial", {"origin", "mass", "inertia"}, {NULL}},
    {"mass", {NULL}, {"value"}},
    {"inertia", {NULL}, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
    {"origin", {NULL}, {"xyz", "rpy"}},
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
};

/* The link or joint (or robot) in which the slip stands. */
typedef struct Owner {
    const ziUrdf *urdf;
    const char *kind, *name;
} Owner;

static const Place *place_of(const char *name) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].name, name) == 0) return &places[i];
    return NULL;
}

/* The name that was probably meant, or NULL when the word is right, has a prefix, or is something of its own. */
static const char *meant(const char *word, const char *const names[NAMES]) {
    size_t count = 0;
    for (; count < NAMES && names[count]; count++)
        if (strcmp(names[count], word) == 0) return NULL;
    return strchr(word, ':') ? NULL : zi_meant_name(word, names, count);
}

static zvStatus add(const Owner *owner, zvSeverity severity, const char *rule, zvMark mark, const char *token,
                    const char *why, const char *repair) {
    const zvRemark remark = {severity, ZV_SCHEMA, rule, owner->kind, owner->name, token, why, repair, mark};
    return zv_builder_add_remark(owner->urdf->builder, &remark, owner->urdf->error);
}

static zvStatus remark_attributes(const Owner *owner, const ziXmlElement *element, const Place *place) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < element->nattribute && status == ZV_OK; i++) {
        const ziXmlAttribute *attribute = &element->attributes[i];
        const char *near = meant(attribute->name, place->attributes);
        if (!near) continue;
        char quote[ZI_QUOTE_SIZE], why[160], repair[64];
        zi_text_quote(quote, attribute->name, strlen(attribute->name));
        snprintf(why, sizeof why, "%s=\"...\" is not an attribute of <%s> and is left out", quote, element->name);
        snprintf(repair, sizeof repair, "did you mean %s=\"...\"?", near);
        status = add(owner, ZV_SEVERITY_WARNING, "unknown-attribute", attribute->mark, attribute->name, why, repair);
    }
    return status;
}

static zvStatus remark_child(const Owner *owner, const ziXmlElement *element, const ziXmlElement *child,
                             const char *near) {
    char quote[ZI_QUOTE_SIZE], why[160], repair[64];
    zi_text_quote(quote, child->name, strlen(child->name));
    snprintf(why, sizeof why, "<%s> is not an element of <%s> and is left out", quote, element->name);
    snprintf(repair, sizeof repair, "did you mean <%s>?", near);
    return add(owner, ZV_SEVERITY_WARNING, "unknown-element", child->mark, child->name, why, repair);
}

static zvStatus remark_angles(const Owner *owner, const ziXmlElement *origin) {
    double rpy[3] = {0, 0, 0};
    const ziXmlAttribute *attribute = zi_xml_attribute(origin, "rpy");
    if (!attribute || zi_urdf_numbers(owner->urdf, origin, "rpy", true, 3, rpy) != ZV_OK) return ZV_OK;
    return zi_degrees_remark(owner->urdf->builder, owner->kind, owner->name, attribute->value_mark, rpy,
                             owner->urdf->error);
}

/* Places are nested five deep at most, so the calls are too. */
static zvStatus remark_element(const Owner *owner, const ziXmlElement *element, const Place *place) {
    zvStatus status = remark_attributes(owner, element, place);
    if (status == ZV_OK && strcmp(place->name, "origin") == 0) status = remark_angles(owner, element);
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next) {
        const char *near = meant(e->name, place->children);
        if (near) {
            status = remark_child(owner, element, e, near);
            continue;
        }
        const Place *inner = NULL;
        for (int i = 0; i < NAMES && place->children[i] && !inner; i++)
            if (strcmp(place->children[i], e->name) == 0) inner = place_of(e->name);
        if (inner) status = remark_element(owner, e, inner);
    }
    return status;
}

/* URDF wants <limit> in revolute and prismatic joints; without it they move without end. */
static zvStatus remark_limit(const Owner *owner, const ziXmlElement *joint) {
    const ziXmlAttribute *type = zi_xml_attribute(joint, "type");
    if (!type || (strcmp(type->value, "revolute") != 0 && strcmp(type->value, "prismatic") != 0)) return ZV_OK;
    for (const ziXmlElement *e = joint->first; e; e = e->next)
        if (strcmp(e->name, "limit") == 0) return ZV_OK;
    char why[96];
    snprintf(why, sizeof why, "the %s joint has no <limit>, so its range is not bounded", type->value);
    return add(owner, ZV_SEVERITY_NOTE, "no-limit", zi_urdf_mark(joint), type->value, why,
               "add <limit lower upper effort velocity>, or make a revolute joint continuous");
}

zvStatus zi_urdf_remarks(const ziUrdf *urdf, const ziXmlElement *robot) {
    Owner owner = {urdf, "robot", zv_builder_name(urdf->builder)};
    zvStatus status = remark_attributes(&owner, robot, place_of("robot"));
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        const char *near = meant(e->name, place_of("robot")->children);
        if (near) {
            status = remark_child(&owner, robot, e, near);
            continue;
        }
        const bool joint = strcmp(e->name, "joint") == 0, link = strcmp(e->name, "link") == 0;
        const ziXmlAttribute *name = zi_xml_attribute(e, "name");
        const Owner inner = {urdf, e->name, name ? name->value : NULL};
        if (joint || link || strcmp(e->name, "material") == 0) status = remark_element(&inner, e, place_of(e->name));
        if (joint && status == ZV_OK) status = remark_limit(&inner, e);
    }
    return status;
}
