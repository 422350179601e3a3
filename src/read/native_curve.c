/* Paths of curve joints and loops: a line, a circle or a spline through points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/native_parts.h"

static zvStatus read_line(const ziReading *reading, const ziElement *curve, zvCurve *out) {
    static const char *const keys[] = {"direction"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "line of %s", curve->kind);
    ziElement line;
    zvStatus status = zi_element_part(reading, curve, "line", kind, keys, 1, &line);
    if (status < 0) return status;
    if ((status = zi_element_need(reading, &line, "direction", "direction: [x, y, z]")) < 0) return status;
    out->kind = ZV_CURVE_LINE;
    return zi_element_numbers(reading, &line, "direction", 3, out->direction);
}

static zvStatus read_circle(const ziReading *reading, const ziElement *curve, zvCurve *out) {
    static const char *const keys[] = {"center", "normal", "start", "radius"};
    static const double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "circle of %s", curve->kind);
    ziElement circle;
    zvStatus status = zi_element_part(reading, curve, "circle", kind, keys, 4, &circle);
    if (status < 0) return status;
    if ((status = zi_element_need(reading, &circle, "radius", "radius, in m")) < 0) return status;
    out->kind = ZV_CURVE_CIRCLE;
    memcpy(out->normal, z, sizeof z);
    memcpy(out->start, x, sizeof x);
    if ((status = zi_element_numbers(reading, &circle, "center", 3, out->center)) < 0) return status;
    if ((status = zi_element_numbers(reading, &circle, "normal", 3, out->normal)) < 0) return status;
    if ((status = zi_element_numbers(reading, &circle, "start", 3, out->start)) < 0) return status;
    return zi_element_number(reading, &circle, "radius", &out->radius);
}

static zvStatus read_points(const ziReading *reading, const ziElement *spline, zvCurve *out, double **points) {
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, spline, "points", &list);
    if (status < 0) return status;
    if (list->count < 2) return zi_element_refuse(reading, spline, "points", "must be at least two");
    *points = malloc((size_t)list->count * 3 * sizeof **points);
    if (!*points)
        return zv_fail(reading->error, ZV_MEMORY, list->mark, "points", "no memory for the points of a spline");
    char what[ZI_WHAT];
    zi_element_what(spline, "point", what);
    for (int i = 0; i < list->count; i++) {
        status = zv_node_numbers(list->items[i], what, 3, *points + 3 * i, reading->error);
        if (status < 0) return status;
    }
    out->count = list->count;
    out->points = *points;
    return ZV_OK;
}

static zvStatus read_spline(const ziReading *reading, const ziElement *curve, zvCurve *out, double **points) {
    static const char *const keys[] = {"points", "closed"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "spline of %s", curve->kind);
    ziElement spline;
    zvStatus status = zi_element_part(reading, curve, "spline", kind, keys, 2, &spline);
    if (status < 0) return status;
    if ((status = zi_element_need(reading, &spline, "points", "points: [[x, y, z], ...]")) < 0) return status;
    out->kind = ZV_CURVE_SPLINE;
    if ((status = zi_element_bool(reading, &spline, "closed", &out->closed)) < 0) return status;
    return read_points(reading, &spline, out, points);
}

zvStatus zi_native_curve(const ziReading *reading, const ziElement *element, zvCurve *curve, double **points) {
    static const char *const keys[] = {"line", "circle", "spline"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "curve of %s", element->kind);
    ziElement part;
    zvStatus status = zi_element_part(reading, element, "curve", kind, keys, 3, &part);
    if (status < 0) return status;
    if (part.node->count != 1) {
        return zi_element_refuse(reading, element, "curve", "must have exactly one of line, circle and spline");
    }
    if (zi_element_has(&part, "line")) return read_line(reading, &part, curve);
    if (zi_element_has(&part, "circle")) return read_circle(reading, &part, curve);
    return read_spline(reading, &part, curve, points);
}
