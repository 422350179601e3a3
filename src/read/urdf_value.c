/* Attributes and children of URDF elements. */
#include "read/urdf_value.h"

#include <string.h>

#include "read/number.h"

static const char blanks[] = " \t\r\n";

zvStatus zi_urdf_child(const ziUrdf *urdf, const ziXmlElement *element, const char *name, const ziXmlElement **child) {
    *child = NULL;
    for (const ziXmlElement *e = element->first; e; e = e->next) {
        if (strcmp(e->name, name) != 0) continue;
        if (*child)
            return zv_fail(urdf->error, ZV_SCHEMA, e->mark, name,
                           "<%s> has a second <%s>, the first stands in line %d; remove one of the two", element->name,
                           name, (*child)->mark.line);
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
    return zv_fail(urdf->error, ZV_SCHEMA, element->mark, element->name, "<%s%s%s%s> has no <%s>; add it",
                   element->name, own ? " name=\"" : "", quote, own ? "\"" : "", name);
}

zvMark zi_urdf_mark(const ziXmlElement *element) {
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    return name ? name->value_mark : element->mark;
}

static zvStatus missing(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute) {
    return zv_fail(urdf->error, ZV_SCHEMA, element->mark, element->name, "<%s> has no %s=\"...\"; add it",
                   element->name, attribute);
}

static bool is_xacro(const char *text) { return strstr(text, "${") || strstr(text, "$("); }

static zvStatus refuse_xacro(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute) {
    char quote[ZI_QUOTE_SIZE];
    return zv_fail(urdf->error, ZV_NOT_SUPPORTED, attribute->value_mark, attribute->value,
                   "%s of <%s> is the xacro expression \"%s\"; run xacro first (xacro robot.xacro > robot.urdf) and "
                   "read the result",
                   attribute->name, element->name, zi_text_quote(quote, attribute->value, strlen(attribute->value)));
}

zvStatus zi_urdf_name(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, const char **value) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    if (!found) return missing(urdf, element, attribute);
    if (found->value[strspn(found->value, blanks)] == '\0')
        return zv_fail(urdf->error, ZV_SCHEMA, found->value_mark, attribute, "%s of <%s> is empty; write a name",
                       attribute, element->name);
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

static zvStatus refuse_word(const ziUrdf *urdf, const ziXmlElement *element, const ziXmlAttribute *attribute, int index,
                            const char *word, ziNumberFault fault) {
    char token[ZI_QUOTE_SIZE];
    const size_t length = strcspn(word, blanks);
    zi_text_quote(token, word, length);
    const char *advice = fault != ZI_NUMBER_NONE     ? "write a finite number"
                         : memchr(word, ',', length) ? "separate numbers by blanks and write decimals with a point"
                                                     : "write a plain number such as 0.5 or 1e-3";
    return zv_fail(urdf->error, ZV_NUMBER, zi_xml_word_mark(attribute, index), token,
                   "%s of <%s> contains \"%s\", which is %s; %s", attribute->name, element->name, token,
                   zi_number_fault_phrase(fault), advice);
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

zvStatus zi_urdf_numbers(const ziUrdf *urdf, const ziXmlElement *element, const char *attribute, bool needed, int count,
                         double *values) {
    const ziXmlAttribute *found = zi_xml_attribute(element, attribute);
    if (!found) return needed ? missing(urdf, element, attribute) : ZV_OK;
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
                   "%s of <%s> needs %d number%s, but %d %s found; %s", attribute, element->name, count,
                   count == 1 ? "" : "s", words, words == 1 ? "was" : "were", count_advice(attribute, count));
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
