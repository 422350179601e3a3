/* Elements of native files and the values that several kinds of them have. */
#include "read/native.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/document.h"
#include "read/text.h"

/* Elements of native files: maps whose keys and values are checked and named in error texts. */

const char *zi_map_what(const ziNamedMap *element, const char *key, char what[ZI_WHAT]) {
    char quote[ZI_QUOTE_SIZE] = "";
    const char *of = key ? " of " : "", *mark = element->name ? "\"" : "", *blank = element->name ? " " : "";
    if (element->name) zi_text_quote(quote, element->name, strlen(element->name));
    const int length =
        snprintf(what, ZI_WHAT, "%s%s%s%s%s%s%s", key ? key : "", of, element->kind, blank, mark, quote, mark);
    if (length < 0) what[0] = '\0'; /* a phrase that is too long is cut */
    return what;
}

zvMark zi_reading_mark(const ziReading *reading, zvMark mark) {
    mark.file = reading->file;
    return mark;
}

static const char *node_token(const zvNode *node) {
    switch (node->kind) {
    case ZV_NODE_SCALAR: return node->text;
    case ZV_NODE_LIST: return "[...]";
    case ZV_NODE_MAP: return "{...}";
    }
    return "";
}

/* What every message about a value of the wrong kind says; remedy may be empty. */
static zvStatus refuse_node(const ziReading *reading, const zvNode *node, const char *what, const char *wanted,
                            const char *remedy) {
    char found[ZI_FOUND_SIZE];
    return zv_fail(reading->error, ZV_SCHEMA, node->mark, node_token(node), "%s: expected %s, found %s%s%s", what,
                   wanted, zi_node_found(node, found), remedy[0] ? "; " : "", remedy);
}

static zvStatus need_map(const ziReading *reading, const zvNode *node, const char *what) {
    return node->kind == ZV_NODE_MAP ? ZV_OK : refuse_node(reading, node, what, "a map", "write key: value pairs");
}

static zvStatus missing_key(const ziReading *reading, const ziNamedMap *element, const char *key, const char *advice) {
    char what[ZI_WHAT];
    return zv_fail(reading->error, ZV_SCHEMA, element->node->mark, key, "%s: expected the key %s, found none; add %s",
                   zi_map_what(element, NULL, what), key, advice);
}

/* The name is read before the keys are checked, so that the error of a wrong key has the name. */
zvStatus zi_map_open(const ziReading *reading, const zvNode *node, const char *kind, const char *name_key,
                     const char *const *keys, size_t count, ziNamedMap *element) {
    *element = (ziNamedMap){node, kind, NULL};
    char what[ZI_WHAT];
    zvStatus status = need_map(reading, node, zi_map_what(element, NULL, what));
    if (status < 0) return status;
    if (name_key && zi_map_has(element, name_key)) {
        const char *name = NULL;
        status = zi_map_text(reading, element, name_key, &name);
        if (status < 0) return status;
        element->name = name;
    }
    status = zv_node_only(node, zi_map_what(element, NULL, what), keys, count, reading->error);
    if (status < 0) return status;
    if (name_key && !element->name) return missing_key(reading, element, name_key, "it, followed by a name");
    return ZV_OK;
}

zvStatus zi_map_part(const ziReading *reading, const ziNamedMap *element, const char *key, const char *kind,
                     const char *const *keys, size_t count, ziNamedMap *part) {
    *part = (ziNamedMap){zv_node_get(element->node, key), kind, element->name};
    if (!part->node) return ZV_OK;
    char what[ZI_WHAT];
    zi_map_what(part, NULL, what);
    zvStatus status = need_map(reading, part->node, what);
    return status < 0 ? status : zv_node_only(part->node, what, keys, count, reading->error);
}

zvStatus zi_map_inner(const ziReading *reading, const ziNamedMap *element, const char *key, const char *const *keys,
                      size_t count, char kind[ZI_WHAT], ziNamedMap *part) {
    const int length = snprintf(kind, ZI_WHAT, "%s of %s", key, element->kind);
    if (length < 0) kind[0] = '\0';
    return zi_map_part(reading, element, key, kind, keys, count, part);
}

zvStatus zi_map_each(const ziReading *reading, const zvNode *list, const char *kind, const char *const *keys,
                     size_t count, ziMapReader read) {
    zvStatus status = ZV_OK;
    for (int i = 0; list && i < list->count && status >= 0; i++) {
        ziNamedMap element;
        status = zi_map_open(reading, list->items[i], kind, "name", keys, count, &element);
        if (status >= 0) status = read(reading, &element);
    }
    return status < 0 ? status : ZV_OK;
}

bool zi_map_has(const ziNamedMap *element, const char *key) { return zv_node_get(element->node, key) != NULL; }

zvStatus zi_map_need(const ziReading *reading, const ziNamedMap *element, const char *key, const char *advice) {
    return zi_map_has(element, key) ? ZV_OK : missing_key(reading, element, key, advice);
}

/* One number by the reader of numbers or of angles; a key that is not there leaves the value. */
static zvStatus map_value(const ziReading *reading, const ziNamedMap *element, const char *key,
                          zvStatus (*read)(const zvNode *, const char *, double *, zvError *), double *value) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? read(node, zi_map_what(element, key, what), value, reading->error) : ZV_OK;
}

static zvStatus map_values(const ziReading *reading, const ziNamedMap *element, const char *key, bool angles, int count,
                           double *values) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zi_node_values(node, zi_map_what(element, key, what), angles, count, values, reading->error) : ZV_OK;
}

zvStatus zi_map_number(const ziReading *reading, const ziNamedMap *element, const char *key, double *value) {
    return map_value(reading, element, key, zv_node_number, value);
}

zvStatus zi_map_numbers(const ziReading *reading, const ziNamedMap *element, const char *key, int count,
                        double *values) {
    return map_values(reading, element, key, false, count, values);
}

zvStatus zi_map_angle(const ziReading *reading, const ziNamedMap *element, const char *key, double *value) {
    return map_value(reading, element, key, zv_node_angle, value);
}

zvStatus zi_map_angles(const ziReading *reading, const ziNamedMap *element, const char *key, int count,
                       double *values) {
    return map_values(reading, element, key, true, count, values);
}

/* As the others, but that each entry is an angle or not. */
zvStatus zi_map_freedoms(const ziReading *reading, const ziNamedMap *element, const char *key, zvJointType type,
                         double *values) {
    const int count = zv_joint_type_nv(type);
    const zvNode *node = zv_node_get(element->node, key);
    zvStatus status = ZV_OK;
    char what[ZI_WHAT];
    if (!node || node->kind != ZV_NODE_LIST || node->count != count)
        return zi_map_numbers(reading, element, key, count, values);
    for (int k = 0; k < count && status >= 0; k++)
        status = zi_node_value(node->items[k], zi_map_what(element, key, what), zi_native_turns(type, k), &values[k],
                               reading->error);
    return status;
}

zvStatus zi_map_keyed_numbers(const ziReading *reading, const ziNamedMap *element, const ziNumberKey *numbers,
                              size_t count) {
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < count && status >= 0; i++)
        status = (numbers[i].angle ? zi_map_angle : zi_map_number)(reading, element, numbers[i].key, numbers[i].value);
    return status;
}

zvStatus zi_map_bool(const ziReading *reading, const ziNamedMap *element, const char *key, bool *value) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zv_node_bool(node, zi_map_what(element, key, what), value, reading->error) : ZV_OK;
}

zvStatus zi_map_text(const ziReading *reading, const ziNamedMap *element, const char *key, const char **value) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zv_node_text(node, zi_map_what(element, key, what), value, reading->error) : ZV_OK;
}

/* "fixed, revolute or prismatic" */
static void join_words(const char *const *words, size_t count, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        int length = snprintf(text + used, size - used, "%s%s", before, words[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

/* A word that is none of those expected is refused with the one that was probably meant. */
zvStatus zi_map_word(const ziReading *reading, const ziNamedMap *element, const char *key, const char *const *words,
                     size_t count, int *choice) {
    const char *word = NULL;
    zvStatus status = zi_map_text(reading, element, key, &word);
    if (status < 0 || !word) return status;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *choice = (int)i;
        return ZV_OK;
    }
    char list[ZI_WHAT], meant[80] = "";
    const char *nearest = zi_meant_name(word, words, count);
    join_words(words, count, list, sizeof list);
    if (nearest) snprintf(meant, sizeof meant, "did you mean %s?", nearest);
    return zi_map_expected(reading, element, key, list, meant);
}

/* A single value is no list of one: the brackets must be there. */
zvStatus zi_map_list(const ziReading *reading, const ziNamedMap *element, const char *key, const zvNode **list) {
    const zvNode *node = zv_node_get(element->node, key);
    if (!node) return ZV_OK;
    char what[ZI_WHAT];
    if (node->kind != ZV_NODE_LIST)
        return refuse_node(reading, node, zi_map_what(element, key, what), "a list",
                           "write its items on lines that begin with \"- \"");
    *list = node;
    return ZV_OK;
}

zvStatus zi_map_expected(const ziReading *reading, const ziNamedMap *element, const char *key, const char *wanted,
                         const char *remedy) {
    char what[ZI_WHAT];
    return refuse_node(reading, zv_node_get(element->node, key), zi_map_what(element, key, what), wanted, remedy);
}

zvStatus zi_map_refuse(const ziReading *reading, const ziNamedMap *element, const char *key, const char *reason) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return zv_fail(reading->error, ZV_SCHEMA, node->mark, node_token(node), "%s: %s", zi_map_what(element, key, what),
                   reason);
}

zvSpot zi_map_spot(const ziNamedMap *element, const char *key) {
    const zvNode *node = zv_node_get(element->node, key);
    return node ? (zvSpot){node->mark.line, node->mark.column} : (zvSpot){0};
}

/* Values of native files: poses (rpy, quaternion or rotation matrix) and inertias (about the centre of mass or the
 * origin of the frame). */

static const double quaternion_refused = 1e-3;  /* farther than this from unit length a digit is wrong */
static const double quaternion_rounding = 1e-9; /* a deviation that is not worth a word */
/* A rotation matrix is kept as written, so it has to be one. */
static const double rotation_slack = 1e-6;

void zi_quaternion_rotation(const double u[4], double R[9]) {
    double x = u[0], y = u[1], z = u[2], w = u[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - z * w), R[2] = 2 * (x * z + y * w);
    R[3] = 2 * (x * y + z * w), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - x * w);
    R[6] = 2 * (x * z - y * w), R[7] = 2 * (y * z + x * w), R[8] = 1 - 2 * (x * x + y * y);
}

/* Says that a quaternion was scaled when its length is off by more than its digits explain. */
static zvStatus remark_quaternion(const ziReading *reading, const ziNamedMap *owner, const ziNamedMap *pose,
                                  double length) {
    if (fabs(length - 1) <= quaternion_rounding) return ZV_OK;
    char token[32], why[128];
    snprintf(token, sizeof token, "%.12g", length);
    snprintf(why, sizeof why, "the quaternion has length %.12g, not 1, and is scaled to unit length", length);
    const zvMark mark = zi_reading_mark(reading, zv_node_get(pose->node, "quaternion")->mark);
    const zvRemark remark = {
        ZV_SEVERITY_WARNING,         ZV_NUMBER, "quaternion-length", owner->kind, owner->name, token, why,
        "write more digits, or rpy", mark};
    return zv_builder_add_remark(reading->builder, &remark, reading->error);
}

/* A length near one is rounding and is scaled away; one far from it is another order or an error. */
static zvStatus read_quaternion(const ziReading *reading, const ziNamedMap *owner, const ziNamedMap *pose,
                                double R[9]) {
    double u[4];
    zvStatus status = zi_map_numbers(reading, pose, "quaternion", 4, u);
    if (status < 0) return status;
    double length = hypot(hypot(u[0], u[1]), hypot(u[2], u[3]));
    if (!(fabs(length - 1) <= quaternion_refused)) {
        char reason[160];
        snprintf(reason, sizeof reason,
                 "expected a quaternion of length 1, found %.6g; the order is x, y, z, w: check the numbers", length);
        return zi_map_refuse(reading, pose, "quaternion", reason);
    }
    for (int i = 0; i < 4; i++) u[i] /= length;
    zi_quaternion_rotation(u, R);
    return remark_quaternion(reading, owner, pose, length);
}

/* Largest entry of |R R^T - 1|. */
static double orthogonality_error(const double R[9]) {
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = R[3 * i] * R[3 * j] + R[3 * i + 1] * R[3 * j + 1] + R[3 * i + 2] * R[3 * j + 2];
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    }
    return worst;
}

static double determinant(const double R[9]) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

/* A matrix that is orthonormal to the digits given; mirrors are refused. */
static zvStatus read_rotation(const ziReading *reading, const ziNamedMap *pose, double R[9]) {
    zvStatus status = zi_map_numbers(reading, pose, "rotation", 9, R);
    if (status < 0) return status;
    double off = orthogonality_error(R);
    char reason[160];
    if (!(off <= rotation_slack)) {
        snprintf(reason, sizeof reason, "expected orthonormal rows, found them off by %.2g; write more digits or rpy",
                 off);
        return zi_map_refuse(reading, pose, "rotation", reason);
    }
    if (determinant(R) < 0) {
        return zi_map_refuse(reading, pose, "rotation",
                             "expected right-handed rows, found a reflection (determinant -1)");
    }
    return ZV_OK;
}

/* Of two rotations it is not known which one is meant. */
static zvStatus refuse_two_rotations(const ziReading *reading, const ziNamedMap *pose) {
    static const char *const keys[] = {"rpy", "quaternion", "rotation"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!zi_map_has(pose, keys[i])) continue;
        if (first) {
            char reason[80];
            snprintf(reason, sizeof reason, "expected one rotation, found two: %s is given, too; keep one", first);
            return zi_map_refuse(reading, pose, keys[i], reason);
        }
        first = keys[i];
    }
    return ZV_OK;
}

/* A letter stands for a coordinate axis, with a minus sign for its opposite. */
zvStatus zi_native_axis(const ziReading *reading, const ziNamedMap *element, const char *key, double axis[3]) {
    const zvNode *node = zv_node_get(element->node, key);
    if (!node || node->kind != ZV_NODE_SCALAR) return zi_map_numbers(reading, element, key, 3, axis);
    const bool opposite = node->text[0] == '-';
    const char *letter = node->text + opposite;
    if (strlen(letter) != 1 || *letter < 'x' || *letter > 'z') {
        char quote[ZI_QUOTE_SIZE], what[ZI_WHAT];
        zi_text_quote(quote, node->text, strlen(node->text));
        return zv_fail(
            reading->error, ZV_SCHEMA, node->mark, node->text,
            "%s: expected a list of 3 numbers, or one of x, y, z, -x, -y, -z, found \"%s\"; write [0, 1, 0] or y",
            zi_map_what(element, key, what), quote);
    }
    for (int i = 0; i < 3; i++) axis[i] = *letter - 'x' == i ? (opposite ? -1 : 1) : 0;
    return ZV_OK;
}

/* xyz and one of rpy, quaternion and rotation; what is absent stays. */
zvStatus zi_native_pose(const ziReading *reading, const ziNamedMap *element, const char *key, zvPose *pose) {
    static const char *const keys[] = {"xyz", "rpy", "quaternion", "rotation"};
    char kind[ZI_WHAT];
    ziNamedMap part;
    const zvNode *node = zv_node_get(element->node, key);
    if (node && node->kind == ZV_NODE_LIST)
        return zi_map_refuse(
            reading, element, key,
            "expected a map, found a list; write {xyz: [x, y, z]} or {xyz: [x, y, z], rpy: [r, p, y]}");
    zvStatus status = zi_map_inner(reading, element, key, keys, sizeof keys / sizeof *keys, kind, &part);
    if (status < 0 || !part.node) return status;
    if ((status = refuse_two_rotations(reading, &part)) < 0) return status;
    if ((status = zi_map_numbers(reading, &part, "xyz", 3, pose->p)) < 0) return status;
    if (zi_map_has(&part, "quaternion")) return read_quaternion(reading, element, &part, pose->R);
    if (zi_map_has(&part, "rotation")) return read_rotation(reading, &part, pose->R);
    if (!zi_map_has(&part, "rpy")) return ZV_OK;
    double rpy[3];
    if ((status = zi_map_angles(reading, &part, "rpy", 3, rpy)) < 0) return status;
    *pose = zv_pose_from_rpy(pose->p, rpy);
    const zvMark mark = zi_reading_mark(reading, zv_node_get(part.node, "rpy")->mark);
    return zi_degrees_remark(reading->builder, element->kind, element->name, mark, rpy, reading->error);
}

/* Steiner: from the origin of the frame to the centre of mass c. */
static void move_to_com(double J[6], double m, const double c[3]) {
    J[0] -= m * (c[1] * c[1] + c[2] * c[2]);
    J[3] -= m * (c[0] * c[0] + c[2] * c[2]);
    J[5] -= m * (c[0] * c[0] + c[1] * c[1]);
    J[1] += m * c[0] * c[1];
    J[2] += m * c[0] * c[2];
    J[4] += m * c[1] * c[2];
}

/* Three numbers are the diagonal, six the upper triangle. */
zvStatus zi_native_moments(const ziReading *reading, const ziNamedMap *element, double J[6]) {
    const zvNode *node = zv_node_get(element->node, "inertia");
    if (!node) return ZV_OK;
    if (node->kind != ZV_NODE_LIST || (node->count != 3 && node->count != 6)) {
        return zi_map_expected(reading, element, "inertia", "a list of 3 numbers (xx yy zz) or 6 (xx xy xz yy yz zz)",
                               "");
    }
    double given[6];
    zvStatus status = zi_map_numbers(reading, element, "inertia", node->count, given);
    if (status < 0) return status;
    if (node->count == 6) {
        for (int i = 0; i < 6; i++) J[i] = given[i];
    } else {
        J[0] = given[0], J[3] = given[1], J[5] = given[2];
        J[1] = J[2] = J[4] = 0;
    }
    return ZV_OK;
}

/* Moments about the origin are moved to the centre of mass, about which the model keeps them. */
zvStatus zi_native_inertia(const ziReading *reading, const ziNamedMap *element, zvLink *link) {
    static const char *const points[] = {"com", "origin"};
    zvInertia *inertia = &link->inertia;
    zvStatus status = zi_map_number(reading, element, "mass", &inertia->mass);
    if (status < 0) return status;
    if ((status = zi_map_numbers(reading, element, "com", 3, inertia->com)) < 0) return status;
    int point = 0;
    if ((status = zi_map_word(reading, element, "inertia_about", points, 2, &point)) < 0) return status;
    bool moments = zi_map_has(element, "inertia");
    if (zi_map_has(element, "inertia_about") && !moments) {
        return zi_map_refuse(reading, element, "inertia_about", "expected inertia beside it, found none; add inertia");
    }
    if (moments) {
        if ((status = zi_native_moments(reading, element, inertia->moment)) < 0) return status;
        if (point == 1) move_to_com(inertia->moment, inertia->mass, inertia->com);
    }
    if (moments || zi_map_has(element, "mass") || zi_map_has(element, "com")) link->has_inertia = true;
    return ZV_OK;
}
