/* Attributes and children of URDF elements. */
#include "read/urdf.h"

#include <stdio.h>
#include <string.h>

#include "read/text.h"

static const char blanks[] = " \t\r\n";

/* The only child of a name; a second one is refused, since it is not known which holds. */
zvStatus zi_urdf_child(const ziUrdf *urdf, const ziXmlElement *element, const char *name, const ziXmlElement **child) {
    *child = NULL;
    for (const ziXmlElement *e = element->first; e; e = e->next) {
        if (strcmp(e->name, name) != 0) continue;
        if (*child)
            return zv_fail(urdf->error, ZV_SCHEMA, e->mark, name,
                           "<%s>: expected one <%s>, found a second beside that of line %d; remove one of the two",
                           element->name, name, (*child)->mark.line);
        *child = e;
    }
    return ZV_OK;
}

zvStatus zi_urdf_need_child(const ziUrdf *urdf, const ziXmlElement *element, const char *name,
                            const ziXmlElement **child) {
    const zvStatus status = zi_urdf_child(urdf, element, name, child);
    if (status != ZV_OK || *child) return status;
    const ziXmlAttribute *own = zi_xml_attribute(element, "name");
    char quote[ZI_QUOTE_SIZE] = "";
    if (own) zi_text_quote(quote, own->value, strlen(own->value));
    return zv_fail(urdf->error, ZV_SCHEMA, element->mark, element->name,
                   "<%s%s%s%s>: expected a <%s>, found none; add it", element->name, own ? " name=\"" : "", quote,
                   own ? "\"" : "", name);
}

zvMark zi_urdf_mark(const ziXmlElement *element) {
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    return name ? name->value_mark : element->mark;
}

static zvStatus missing_attribute(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute) {
    return zv_fail(urdf->error, ZV_SCHEMA, element->mark, element->name,
                   "<%s>: expected %s=\"...\", found none; add it", element->name, attribute);
}

static bool is_xacro(const char *text) { return strstr(text, "${") || strstr(text, "$("); }

static zvStatus refuse_xacro(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute) {
    char quote[ZI_QUOTE_SIZE];
    return zv_fail(
        urdf->error, ZV_NOT_SUPPORTED, attribute->value_mark, attribute->value,
        "%s of <%s>: expected a value, found the xacro expression \"%s\"; run xacro first (xacro robot.xacro > "
        "robot.urdf) and read the result",
        attribute->name, element->name, zi_text_quote(quote, attribute->value, strlen(attribute->value)));
}

zvStatus zi_urdf_name(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, const char **value) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    if (!found) return missing_attribute(urdf, element, attribute);
    if (found->value[strspn(found->value, blanks)] == '\0')
        return zv_fail(urdf->error, ZV_SCHEMA, found->value_mark, attribute,
                       "%s of <%s>: expected a name, found nothing; write one", attribute, element->name);
    if (is_xacro(found->value)) return refuse_xacro(urdf, element, found);
    *value = found->value;
    return ZV_OK;
}

static int count_words(const char *text) {
    int count = 0;
    for (;;) {
        text += strspn(text, blanks);
        if (*text == '\0') return count;
        text += strcspn(text, blanks);
        count++;
    }
}

/* Tells which word of an attribute is no number, and how numbers are written. */
static zvStatus refuse_word(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute, int index,
                            const char *word, ziNumberFault fault) {
    char token[ZI_QUOTE_SIZE];
    const size_t length = strcspn(word, blanks);
    zi_text_quote(token, word, length);
    const char *advice = fault != ZI_NUMBER_NONE     ? ""
                         : memchr(word, ',', length) ? "; separate numbers by blanks and write decimals with a point"
                                                     : "; write a plain number such as 0.5 or 1e-3";
    return zv_fail(urdf->error, ZV_NUMBER, zi_xml_word_mark(attribute, index), token,
                   "%s of <%s>: expected %s, found \"%s\"%s", attribute->name, element->name, zi_number_expected(fault),
                   token, advice);
}

/* INFINITE wants the word alone, so it is looked at in a copy that ends where the word ends. */
static ziNumberFault read_word(const char *word, double *value) {
    const size_t length = strcspn(word, blanks);
    const char *end;
    const ziNumberFault fault = zi_number_scan(word, &end, value);
    if (fault == ZI_NUMBER_GOOD && (size_t)(end - word) != length) return ZI_NUMBER_NONE;
    char copy[16];
    if (fault != ZI_NUMBER_NONE || length >= sizeof copy) return fault;
    memcpy(copy, word, length);
    copy[length] = '\0';
    return zi_number_scan(copy, &end, value);
}

static const char *count_advice(const char *attribute, int count) {
    if (count == 1) return "write one number";
    if (strcmp(attribute, "rpy") == 0) return "write roll pitch yaw separated by spaces";
    if (strcmp(attribute, "rgba") == 0) return "write red green blue alpha separated by spaces";
    return "write x y z separated by spaces";
}

/* Exactly so many numbers; each word has its own place. */
zvStatus zi_urdf_numbers(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, bool needed, int count,
                         double *values) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    if (!found) return needed ? missing_attribute(urdf, element, attribute) : ZV_OK;
    if (is_xacro(found->value)) return refuse_xacro(urdf, element, found);
    const int words = count_words(found->value);
    const char *p = found->value;
    for (int i = 0; i < words; i++) {
        p += strspn(p, blanks);
        double value;
        const ziNumberFault fault = read_word(p, &value);
        if (fault != ZI_NUMBER_GOOD) return refuse_word(urdf, element, found, i, p, fault);
        if (i < count && words == count) values[i] = value;
        p += strcspn(p, blanks);
    }
    if (words == count) return ZV_OK;
    return zv_fail(urdf->error, ZV_SCHEMA, found->value_mark, found->value,
                   "%s of <%s>: expected %d number%s, found %d; %s", attribute, element->name, count,
                   count == 1 ? "" : "s", words, count_advice(attribute, count));
}

zvStatus zi_urdf_origin(const ziUrdf *urdf, const ziXmlElement *element, zvPose *pose) {
    const ziXmlElement *origin;
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    zvStatus status = zi_urdf_child(urdf, element, "origin", &origin);
    if (status != ZV_OK || !origin) return status;
    status = zi_urdf_numbers(urdf, origin, "xyz", false, 3, xyz);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, origin, "rpy", false, 3, rpy);
    if (status == ZV_OK) *pose = zv_pose_from_rpy(xyz, rpy);
    return status;
}

zvSpot zi_urdf_spot(const ziXmlElement *element, const char *attribute) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    return found ? (zvSpot){found->value_mark.line, found->value_mark.column} : (zvSpot){0};
}

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

/* The link or joint (or robot) that has the slip. */
typedef struct RemarkOwner {
    const ziUrdf *urdf;
    const char *kind, *name;
} RemarkOwner;

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

static zvStatus add_remark(const RemarkOwner *owner, zvSeverity severity, const char *rule, zvMark mark,
                           const char *token, const char *why, const char *repair) {
    const zvRemark remark = {severity, ZV_SCHEMA, rule, owner->kind, owner->name, token, why, repair, mark};
    return zv_builder_add_remark(owner->urdf->builder, &remark, owner->urdf->error);
}

/* Attributes whose names are nearly right. */
static zvStatus remark_attributes(const RemarkOwner *owner, const ziXmlElement *element, const UrdfNames *names) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < element->nattribute && status == ZV_OK; i++) {
        const ziXmlAttribute *attribute = &element->attributes[i];
        const char *near = meant(attribute->name, names->attributes);
        if (!near) continue;
        char quote[ZI_QUOTE_SIZE], why[160], repair[64];
        zi_text_quote(quote, attribute->name, strlen(attribute->name));
        snprintf(why, sizeof why, "%s=\"...\" is not an attribute of <%s> and is left out", quote, element->name);
        snprintf(repair, sizeof repair, "did you mean %s=\"...\"?", near);
        status =
            add_remark(owner, ZV_SEVERITY_WARNING, "unknown-attribute", attribute->mark, attribute->name, why, repair);
    }
    return status;
}

static zvStatus remark_child(const RemarkOwner *owner, const ziXmlElement *element, const ziXmlElement *child,
                             const char *near) {
    char quote[ZI_QUOTE_SIZE], why[160], repair[64];
    zi_text_quote(quote, child->name, strlen(child->name));
    snprintf(why, sizeof why, "<%s> is not an element of <%s> and is left out", quote, element->name);
    snprintf(repair, sizeof repair, "did you mean <%s>?", near);
    return add_remark(owner, ZV_SEVERITY_WARNING, "unknown-element", child->mark, child->name, why, repair);
}

static zvStatus remark_angles(const RemarkOwner *owner, const ziXmlElement *origin) {
    double rpy[3] = {0, 0, 0};
    const ziXmlAttribute *attribute = zi_xml_attribute(origin, "rpy");
    if (!attribute || zi_urdf_numbers(owner->urdf, origin, "rpy", true, 3, rpy) != ZV_OK) return ZV_OK;
    return zi_degrees_remark(owner->urdf->builder, owner->kind, owner->name, attribute->value_mark, rpy,
                             owner->urdf->error);
}

/* Elements of URDF are nested five deep at most, so the calls are too. */
static zvStatus remark_element(const RemarkOwner *owner, const ziXmlElement *element, const UrdfNames *names) {
    zvStatus status = remark_attributes(owner, element, names);
    if (status == ZV_OK && strcmp(names->name, "origin") == 0) status = remark_angles(owner, element);
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next) {
        const char *near = meant(e->name, names->children);
        if (near) {
            status = remark_child(owner, element, e, near);
            continue;
        }
        const UrdfNames *inner = NULL;
        for (int i = 0; i < NAMES && names->children[i] && !inner; i++)
            if (strcmp(names->children[i], e->name) == 0) inner = names_in(e->name);
        if (inner) status = remark_element(owner, e, inner);
    }
    return status;
}

/* URDF wants <limit> in revolute and prismatic joints; without it they move without end. */
static zvStatus remark_limit(const RemarkOwner *owner, const ziXmlElement *joint) {
    const ziXmlAttribute *type = zi_xml_attribute(joint, "type");
    if (!type || (strcmp(type->value, "revolute") != 0 && strcmp(type->value, "prismatic") != 0)) return ZV_OK;
    for (const ziXmlElement *e = joint->first; e; e = e->next)
        if (strcmp(e->name, "limit") == 0) return ZV_OK;
    char why[96];
    snprintf(why, sizeof why, "the %s joint has no <limit>, so its range is not bounded", type->value);
    return add_remark(owner, ZV_SEVERITY_NOTE, "no-limit", zi_urdf_mark(joint), type->value, why,
                      "add <limit lower upper effort velocity>, or make a revolute joint continuous");
}

/* Walks over what the reader leaves out, after the robot has been read. */
zvStatus zi_urdf_remarks(const ziUrdf *urdf, const ziXmlElement *robot) {
    RemarkOwner owner = {urdf, "robot", zv_builder_name(urdf->builder)};
    zvStatus status = remark_attributes(&owner, robot, names_in("robot"));
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        const char *near = meant(e->name, names_in("robot")->children);
        if (near) {
            status = remark_child(&owner, robot, e, near);
            continue;
        }
        const bool joint = strcmp(e->name, "joint") == 0, link = strcmp(e->name, "link") == 0;
        const ziXmlAttribute *name = zi_xml_attribute(e, "name");
        const RemarkOwner inner = {urdf, e->name, name ? name->value : NULL};
        if (joint || link || strcmp(e->name, "material") == 0) status = remark_element(&inner, e, names_in(e->name));
        if (joint && status == ZV_OK) status = remark_limit(&inner, e);
    }
    return status;
}
