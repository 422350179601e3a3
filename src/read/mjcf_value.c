/* Attributes of MJCF elements: with default classes, angles in the units of the compiler, orientations in five forms.
 */
#include "read/mjcf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "spatial/quaternion.h"

static const ziXmlAttribute *find_in_class(const ziMjcf *m, ziMjcfItem item, const char *attribute) {
    for (int i = m->classes[item.class].last; i >= 0; i = m->defaults[i].next) {
        if (strcmp(m->defaults[i].element->name, item.kind) != 0) continue;
        const ziXmlAttribute *found = zi_xml_attribute(m->defaults[i].element, attribute);
        if (found) return found;
    }
    return NULL;
}

const ziXmlAttribute *zi_mjcf_find(const ziMjcf *m, ziMjcfItem item, const char *attribute) {
    const ziXmlAttribute *found = zi_xml_attribute(item.element, attribute);
    for (; !found && item.class >= 0; item.class = m->classes[item.class].parent)
        found = find_in_class(m, item, attribute);
    return found;
}

zvMark zi_mjcf_mark(const ziXmlElement *element) {
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    return name ? name->value_mark : element->mark;
}

zvStatus zi_mjcf_memory(const ziMjcf *m, const ziXmlElement *element) {
    const zvMark mark = element ? element->mark : (zvMark){m->name, 0, 0};
    return zv_fail(m->error, ZV_MEMORY, mark, "", "out of memory while reading the MJCF");
}

/* At the value of an attribute that is written, else at the element. */
zvStatus zi_mjcf_fail(const ziMjcf *m, zvStatus status, const ziXmlElement *element, const char *attribute,
                      const char *format, ...) {
    char text[400];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    const ziXmlAttribute *found = attribute ? zi_xml_attribute(element, attribute) : NULL;
    return zv_fail(m->error, status, found ? found->value_mark : element->mark, found ? found->value : element->name,
                   "%s", text);
}

/* What the file says and the robot will not have. */
zvStatus zi_mjcf_tell(ziMjcf *m, zvSeverity severity, const ziXmlElement *element, const char *once, const char *rule,
                      const char *why, const char *repair) {
    if (once && zi_names_find(&m->told, once) >= 0) return ZV_OK;
    const char *key = once ? zi_arena_text(&m->arena, once) : NULL;
    if (once && (!key || zi_names_add(&m->told, key, 0) < 0)) return zi_mjcf_memory(m, element);
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    const zvRemark remark = {severity,
                             ZV_NOT_SUPPORTED,
                             rule,
                             name ? element->name : "robot",
                             name ? name->value : zv_builder_name(m->builder),
                             element->name,
                             why,
                             repair,
                             zi_mjcf_mark(element)};
    return zv_builder_add_remark(m->builder, &remark, m->error);
}

const char *zi_mjcf_print(ziMjcf *m, const char *format, ...) {
    char text[512];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    return zi_arena_text(&m->arena, text);
}

zvStatus zi_mjcf_own_numbers(const ziMjcf *m, const ziXmlElement *element, const ziXmlAttribute *attribute, int least,
                             int most, double *values, int *count) {
    const ziXmlCount wanted = {least, most,
                               most == 1 ? "write one number" : "write them one after the other, separated by spaces"};
    return zi_xml_numbers(element, attribute, &wanted, values, count, m->error);
}

zvStatus zi_mjcf_numbers(const ziMjcf *m, ziMjcfItem item, const char *attribute, int least, int most, double *values,
                         int *count) {
    const ziXmlAttribute *found = zi_mjcf_find(m, item, attribute);
    if (count) *count = 0;
    return found ? zi_mjcf_own_numbers(m, item.element, found, least, most, values, count) : ZV_OK;
}

zvStatus zi_mjcf_number(const ziMjcf *m, ziMjcfItem item, const char *attribute, double *value) {
    return zi_mjcf_numbers(m, item, attribute, 1, 1, value, NULL);
}

const char *zi_mjcf_text(const ziMjcf *m, ziMjcfItem item, const char *attribute) {
    const ziXmlAttribute *found = zi_mjcf_find(m, item, attribute);
    return found && found->value[0] ? found->value : NULL;
}

/* The choices stand in the error, as many as fit. */
zvStatus zi_mjcf_word(const ziMjcf *m, ziMjcfItem item, const char *attribute, const char *const *words, int count,
                      int *value) {
    const ziXmlAttribute *found = zi_mjcf_find(m, item, attribute);
    if (!found) return ZV_OK;
    char list[200] = "", quote[ZI_QUOTE_SIZE];
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], found->value) == 0) {
            *value = i;
            return ZV_OK;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0          ? ""
                                 : i < count - 1 ? ", "
                                                 : " or ",
                                 words[i]);
        if (used >= sizeof list) used = sizeof list - 1;
    }
    return zv_fail(m->error, ZV_SCHEMA, found->value_mark, found->value, "%s of <%s>: expected %s, found \"%s\"",
                   attribute, item.element->name, list, zi_text_quote(quote, found->value, strlen(found->value)));
}

zvStatus zi_mjcf_flag(const ziMjcf *m, ziMjcfItem item, const char *attribute, bool *value) {
    static const char *const words[] = {"false", "true"};
    int index = *value;
    const zvStatus status = zi_mjcf_word(m, item, attribute, words, 2, &index);
    *value = index == 1;
    return status;
}

double zi_mjcf_angle(const ziMjcf *m, double written) { return m->degrees ? written * (acos(-1) / 180) : written; }

/* Orientations ------------------------------------------------------------------------------------ */

static double length_of(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

void zi_mjcf_rotation(const double wxyz[4], double R[9]) {
    zi_rotation_of((double[4]){wxyz[1], wxyz[2], wxyz[3], wxyz[0]}, R);
}

/* About a direction by an angle. */
static void turned_about(const double axis[3], double angle, double R[9]) {
    const double s = sin(angle / 2) / length_of(axis, 3);
    zi_rotation_of((double[4]){s * axis[0], s * axis[1], s * axis[2], cos(angle / 2)}, R);
}

static void multiply(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 9; i++) {
        const double *row = A + i / 3 * 3, *column = B + i % 3;
        C[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
}

void zi_mjcf_from_z(const double z[3], double R[9]) {
    const double size = length_of(z, 3), x = z[0] / size, y = z[1] / size, w = z[2] / size;
    /* half-way quaternion (z x direction, 1 + cos); straight down is half a turn about x */
    const double e[4] = {-y, x, 0, 1 + w};
    if (hypot(x, y) < 1e-10 && w < 0)
        zi_rotation_of((double[4]){1, 0, 0, 0}, R);
    else
        zi_rotation_of(e, R);
}

/* Small letters turn about axes that turn along, capital ones about those of the parent. */
void zi_mjcf_euler(const ziMjcf *m, const double angles[3], double R[9]) {
    memcpy(R, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *R);
    for (int i = 0; i < 3; i++) {
        const char letter = m->eulerseq[i];
        const bool along = letter >= 'x';
        double axis[3] = {0}, T[9], product[9];
        axis[along ? letter - 'x' : letter - 'X'] = 1;
        turned_about(axis, zi_mjcf_angle(m, angles[i]), T);
        along ? multiply(R, T, product) : multiply(T, R, product);
        memcpy(R, product, sizeof product);
    }
}

/* x is kept, y made orthogonal to it. False where they are parallel. */
static bool turn_axes(const double xy[6], double R[9]) {
    const double nx = length_of(xy, 3);
    double x[3], y[3];
    double along = 0;
    for (int i = 0; i < 3; i++) x[i] = xy[i] / nx, along += x[i] * xy[3 + i];
    for (int i = 0; i < 3; i++) y[i] = xy[3 + i] - along * x[i];
    const double ny = length_of(y, 3);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i] / ny;
        R[3 * i + 2] = (x[j] * y[k] - x[k] * y[j]) / ny;
    }
    return nx > 1e-14 && ny > 1e-14;
}

typedef enum Orientation { QUAT, AXISANGLE, XYAXES, ZAXIS, EULER, FORMS } Orientation;

static const char *const forms[FORMS] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

/* The numbers of one form into a rotation. */
static zvStatus read_form(const ziMjcf *m, ziMjcfItem item, Orientation form, double R[9]) {
    static const int counts[FORMS] = {4, 4, 6, 3, 3};
    double n[6];
    const zvStatus status = zi_mjcf_numbers(m, item, forms[form], counts[form], counts[form], n, NULL);
    if (status != ZV_OK) return status;
    bool good = true;
    switch (form) {
    case QUAT: good = length_of(n, 4) > 1e-14; break;
    case AXISANGLE:
    case ZAXIS: good = length_of(n, 3) > 1e-14; break;
    default: break;
    }
    if (good && form == QUAT) zi_mjcf_rotation(n, R);
    if (good && form == AXISANGLE) turned_about(n, zi_mjcf_angle(m, n[3]), R);
    if (good && form == ZAXIS) zi_mjcf_from_z(n, R);
    if (form == XYAXES) good = turn_axes(n, R);
    if (form == EULER) zi_mjcf_euler(m, n, R);
    for (int i = 0; i < 9 && good; i++) good = isfinite(R[i]) != 0;
    if (good) return ZV_OK;
    return zi_mjcf_fail(m, ZV_NUMBER, item.element, forms[form],
                        "%s of <%s>: expected numbers that are an orientation, found zero, parallel or too large ones",
                        forms[form], item.element->name);
}

/* The element's own form counts before that of its class; two in one element contradict each other. A quaternion
 * gives way to the others, which stand for it. */
zvStatus zi_mjcf_orientation(const ziMjcf *m, ziMjcfItem item, double R[9]) {
    memcpy(R, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *R);
    int own = -1, found = -1;
    for (int f = QUAT; f < FORMS; f++) {
        if (zi_xml_attribute(item.element, forms[f])) {
            if (own > QUAT)
                return zi_mjcf_fail(m, ZV_SCHEMA, item.element, forms[f],
                                    "<%s>: expected one orientation, found %s beside %s; remove one of the two",
                                    item.element->name, forms[f], forms[own]);
            own = f;
        }
        if (zi_mjcf_find(m, item, forms[f])) found = f;
    }
    const int form = own >= 0 ? own : found;
    return form < 0 ? ZV_OK : read_form(m, item, (Orientation)form, R);
}

zvStatus zi_mjcf_pose(const ziMjcf *m, ziMjcfItem item, zvPose *pose) {
    *pose = zv_pose_identity();
    const zvStatus status = zi_mjcf_numbers(m, item, "pos", 3, 3, pose->p, NULL);
    return status != ZV_OK ? status : zi_mjcf_orientation(m, item, pose->R);
}
