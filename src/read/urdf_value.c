/* Attributes and children of URDF elements. */
#include "read/urdf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/text.h"

static const char blanks[] = " \t\r\n";

zvStatus zi_urdf_remark(const ziUrdf *urdf, zvSeverity severity, const char *rule, zvMark mark, const char *token,
                        const char *repair, const char *why, ...) {
    char sentence[256];
    va_list args;
    va_start(args, why);
    vsnprintf(sentence, sizeof sentence, why, args);
    va_end(args);
    const zvRemark remark = {severity, ZV_SCHEMA, rule, urdf->kind, urdf->name, token, sentence, repair, mark};
    return zv_builder_add_remark(urdf->builder, &remark, urdf->error);
}

const ziXmlElement *zi_urdf_first(const ziXmlElement *element, const char *name) {
    for (const ziXmlElement *e = element->first; e; e = e->next)
        if (strcmp(e->name, name) == 0) return e;
    return NULL;
}

/* The first child of a name holds, as with every other reader of URDF; that there is a second is told. */
zvStatus zi_urdf_child(const ziUrdf *urdf, const ziXmlElement *element, const char *name, const ziXmlElement **child) {
    *child = zi_urdf_first(element, name);
    for (const ziXmlElement *e = *child ? (*child)->next : NULL; e; e = e->next) {
        if (strcmp(e->name, name) != 0) continue;
        return zi_urdf_remark(
            urdf, ZV_SEVERITY_WARNING, "duplicate-element", e->mark, name, "remove the one that is not meant",
            "expected one <%.40s> in <%.40s>, found a second: that of line %d is read, this is left out", name,
            element->name, (*child)->mark.line);
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

/* With the first reason that expressions had to stay as they are. */
static zvStatus refuse_xacro(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute) {
    char quote[ZI_QUOTE_SIZE];
    return zv_fail(urdf->error, ZV_NOT_SUPPORTED, attribute->value_mark, attribute->value,
                   "%s of <%s>: expected a value, found the xacro expression \"%s\"%s%.120s; run xacro first (xacro "
                   "robot.xacro > robot.urdf) and read the result",
                   attribute->name, element->name, zi_text_quote(quote, attribute->value, strlen(attribute->value)),
                   urdf->unexpanded ? ": " : "", urdf->unexpanded ? urdf->unexpanded : "");
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

static const char *count_advice(const char *attribute, int count) {
    if (count == 1) return "write one number";
    if (strcmp(attribute, "rpy") == 0) return "write roll pitch yaw separated by spaces";
    if (strcmp(attribute, "quat_xyzw") == 0) return "write x y z w separated by spaces";
    if (strcmp(attribute, "rgba") == 0) return "write red green blue alpha separated by spaces";
    return "write x y z separated by spaces";
}

/* Exactly so many numbers; each word has its own place. */
zvStatus zi_urdf_numbers(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, bool needed, int count,
                         double *values) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    if (!found) return needed ? missing_attribute(urdf, element, attribute) : ZV_OK;
    if (is_xacro(found->value)) return refuse_xacro(urdf, element, found);
    const ziXmlCount wanted = {count, count, count_advice(attribute, count)};
    return zi_xml_numbers(element, found, &wanted, values, NULL, urdf->error);
}

static const double quaternion_slack = 1e-3; /* of its length, and beside rpy */

/* quat_xyzw of URDF 1.2; beside rpy it may only say the same. */
static zvStatus read_quaternion(const ziUrdf *urdf, const ziXmlElement *origin, double R[9]) {
    double u[4] = {0, 0, 0, 1}, turned[9], farthest = 0;
    zvStatus status = zi_urdf_numbers(urdf, origin, "quat_xyzw", true, 4, u);
    if (status != ZV_OK) return status;
    const ziXmlAttribute *attribute = zi_xml_attribute(origin, "quat_xyzw");
    const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
    if (!(fabs(length - 1) <= quaternion_slack))
        return zv_fail(urdf->error, ZV_NUMBER, attribute->value_mark, attribute->value,
                       "quat_xyzw of <origin>: expected a quaternion of length 1, found %.6g; the order is x, y, z, w: "
                       "check the numbers",
                       length);
    for (int i = 0; i < 4; i++) u[i] /= length;
    zi_quaternion_rotation(u, turned);
    for (int i = 0; i < 9; i++) farthest = fmax(farthest, fabs(turned[i] - R[i]));
    if (!zi_xml_attribute(origin, "rpy")) {
        memcpy(R, turned, sizeof turned);
    } else if (farthest > quaternion_slack) {
        return zv_fail(urdf->error, ZV_SCHEMA, attribute->mark, "quat_xyzw",
                       "<origin>: expected rpy or quat_xyzw, found both, and they differ; remove one of the two");
    }
    return ZV_OK;
}

zvStatus zi_urdf_origin(const ziUrdf *urdf, const ziXmlElement *element, zvPose *pose) {
    const ziXmlElement *origin;
    const zvStatus status = zi_urdf_child(urdf, element, "origin", &origin);
    return status != ZV_OK || !origin ? status : zi_urdf_pose(urdf, origin, pose);
}

zvStatus zi_urdf_pose(const ziUrdf *urdf, const ziXmlElement *origin, zvPose *pose) {
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    zvStatus status = zi_urdf_numbers(urdf, origin, "xyz", false, 3, xyz);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, origin, "rpy", false, 3, rpy);
    if (status != ZV_OK) return status;
    *pose = zv_pose_from_rpy(xyz, rpy);
    return zi_xml_attribute(origin, "quat_xyzw") ? read_quaternion(urdf, origin, pose->R) : ZV_OK;
}

zvSpot zi_urdf_spot(const ziXmlElement *element, const char *attribute) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    return found ? (zvSpot){found->value_mark.line, found->value_mark.column} : (zvSpot){0};
}

/* Text is looked at as an attribute whose name is the element's. */
zvStatus zi_urdf_text_number(const ziUrdf *urdf, const ziXmlElement *element, double *value) {
    if (zi_xml_attribute(element, "value")) return zi_urdf_numbers(urdf, element, "value", true, 1, value);
    const ziXmlAttribute text = {.name = "text", .value = element->text, element->text_mark, element->text_mark};
    const ziXmlElement stand_in = {.name = element->name, .nattribute = 1, .attributes = &text, .mark = element->mark};
    return zi_urdf_numbers(urdf, &stand_in, "text", true, 1, value);
}

/* As text or as "value". */
bool zi_urdf_says(const ziXmlElement *element, bool truth) {
    const ziXmlAttribute *value = zi_xml_attribute(element, "value");
    const char *text = value ? value->value : element->text;
    text += strspn(text, blanks);
    const size_t length = strcspn(text, blanks);
    const char *words[2] = {truth ? "true" : "false", truth ? "1" : "0"};
    for (int i = 0; i < 2; i++)
        if (strlen(words[i]) == length && memcmp(text, words[i], length) == 0) return true;
    return false;
}
