/* Joints of a URDF robot. */
#include <string.h>

#include "read/meant.h"
#include "read/urdf_part.h"

static const char *const words[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_CONTINUOUS, ZV_JOINT_PRISMATIC,
                                    ZV_JOINT_FIXED,    ZV_JOINT_FREE,       ZV_JOINT_PLANAR};
enum { TYPES = sizeof words / sizeof words[0] };

static zvStatus read_type(const ziUrdf *urdf, const ziXmlElement *joint, zvJointType *type) {
    const char *word;
    const zvStatus status = zi_urdf_name(urdf, joint, "type", &word);
    if (status != ZV_OK) return status;
    for (int i = 0; i < TYPES; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *type = types[i];
        return ZV_OK;
    }
    char quote[ZI_QUOTE_SIZE];
    zi_text_quote(quote, word, strlen(word));
    const zvMark mark = zi_xml_attribute(joint, "type")->value_mark;
    const char *nearest = zi_meant_name(word, words, TYPES);
    if (nearest)
        return zv_fail(urdf->error, ZV_SCHEMA, mark, word, "\"%s\" is not a type of joint; did you mean \"%s\"?", quote,
                       nearest);
    return zv_fail(
        urdf->error, ZV_SCHEMA, mark, word,
        "\"%s\" is not a type of joint; URDF has revolute, continuous, prismatic, fixed, floating and planar", quote);
}

/* The link attribute of <parent> or <child>. */
static zvStatus read_end(const ziUrdf *urdf, const ziXmlElement *joint, const char *which, const char **link,
                         zvSpot *spot) {
    const ziXmlElement *end;
    const zvStatus status = zi_urdf_need_child(urdf, joint, which, &end);
    if (status != ZV_OK) return status;
    *spot = zi_urdf_spot(end, "link");
    return zi_urdf_name(urdf, end, "link", link);
}

/* The axis is (1, 0, 0) unless given. Exporters write 0 0 0 for joints that have none: only there it does no harm. */
static zvStatus read_axis(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const bool has_axis = joint->type != ZV_JOINT_FIXED && joint->type != ZV_JOINT_FREE;
    const ziXmlElement *axis;
    double xyz[3] = {1, 0, 0};
    zvStatus status = zi_urdf_child(urdf, element, "axis", &axis);
    if (status == ZV_OK && axis) status = zi_urdf_numbers(urdf, axis, "xyz", true, 3, xyz);
    if (status != ZV_OK || !has_axis) return status;
    if (xyz[0] == 0 && xyz[1] == 0 && xyz[2] == 0) {
        const ziXmlAttribute *attribute = zi_xml_attribute(axis, "xyz");
        char quote[ZI_QUOTE_SIZE];
        return zv_fail(urdf->error, ZV_PHYSICS, attribute->value_mark, attribute->value,
                       "the axis of joint \"%s\" is zero and has no direction; write for example 0 0 1",
                       zi_text_quote(quote, joint->name, strlen(joint->name)));
    }
    memcpy(joint->axis, xyz, sizeof xyz);
    if (axis) joint->axis_spot = zi_urdf_spot(axis, "xyz");
    return ZV_OK;
}

/* Bounds count only where lower or upper is written; a continuous joint has none whatever is written. */
static zvStatus read_limit(const ziUrdf *urdf, const ziXmlElement *element, zvDof *dof, bool bounded, zvSpot *spot) {
    const ziXmlElement *limit;
    zvStatus status = zi_urdf_child(urdf, element, "limit", &limit);
    if (status != ZV_OK || !limit) return status;
    *spot = (zvSpot){limit->mark.line, limit->mark.column};
    double lower = 0, upper = 0;
    status = zi_urdf_numbers(urdf, limit, "lower", false, 1, &lower);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, limit, "upper", false, 1, &upper);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, limit, "effort", false, 1, &dof->effort);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, limit, "velocity", false, 1, &dof->velocity);
    if (!bounded || !(zi_xml_attribute(limit, "lower") || zi_xml_attribute(limit, "upper"))) return status;
    dof->has_limits = true;
    dof->lower = lower;
    dof->upper = upper;
    return status;
}

static zvStatus read_dynamics(const ziUrdf *urdf, const ziXmlElement *element, zvDof *dof) {
    const ziXmlElement *dynamics;
    zvStatus status = zi_urdf_child(urdf, element, "dynamics", &dynamics);
    if (status != ZV_OK || !dynamics) return status;
    status = zi_urdf_numbers(urdf, dynamics, "damping", false, 1, &dof->damping);
    return status != ZV_OK ? status : zi_urdf_numbers(urdf, dynamics, "friction", false, 1, &dof->friction);
}

/* URDF writes one set of numbers per joint: every freedom of the joint gets it. */
static zvStatus read_dofs(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const bool bounded = joint->type == ZV_JOINT_REVOLUTE || joint->type == ZV_JOINT_PRISMATIC;
    zvDof dof = joint->dof[0];
    zvStatus status = read_limit(urdf, element, &dof, bounded, &joint->limits_spot);
    if (status == ZV_OK) status = read_dynamics(urdf, element, &dof);
    for (int i = 0; i < zv_joint_type_nv(joint->type) && status == ZV_OK; i++) joint->dof[i] = dof;
    return status;
}

static zvStatus read_mimic(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const ziXmlElement *mimic;
    zvStatus status = zi_urdf_child(urdf, element, "mimic", &mimic);
    if (status != ZV_OK || !mimic) return status;
    joint->mimic_spot = zi_urdf_spot(mimic, "joint");
    status = zi_urdf_name(urdf, mimic, "joint", &joint->mimic);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, mimic, "multiplier", false, 1, &joint->ratio);
    return status != ZV_OK ? status : zi_urdf_numbers(urdf, mimic, "offset", false, 1, &joint->offset);
}

zvStatus zi_urdf_add_joint(ziUrdf *urdf, const ziXmlElement *element) {
    const char *name, *parent, *child;
    zvJointType type = ZV_JOINT_FIXED;
    zvStatus status = zi_urdf_name(urdf, element, "name", &name);
    if (status == ZV_OK) status = read_type(urdf, element, &type);
    zvSpot parent_spot = {0}, child_spot = {0};
    if (status == ZV_OK) status = read_end(urdf, element, "parent", &parent, &parent_spot);
    if (status == ZV_OK) status = read_end(urdf, element, "child", &child, &child_spot);
    if (status != ZV_OK) return status;
    zvJoint joint = zv_joint_default(name, type, parent, child);
    joint.parent_spot = parent_spot;
    joint.child_spot = child_spot;
    joint.mark = zi_urdf_mark(element);
    status = zi_urdf_origin(urdf, element, &joint.origin);
    if (status == ZV_OK) status = read_axis(urdf, element, &joint);
    if (status == ZV_OK) status = read_dofs(urdf, element, &joint);
    if (status == ZV_OK) status = read_mimic(urdf, element, &joint);
    return status != ZV_OK ? status : zv_builder_add_joint(urdf->builder, &joint, urdf->error);
}
