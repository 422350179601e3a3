/* What URDF links look like: materials and shapes. */
#include "read/urdf.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

/* Colours of a URDF robot. A material is defined once, in <robot> or in any <visual>, and used by name anywhere. */

/* *color is NULL where the material has none (a mere reference, or a texture). */
static zvStatus find_color(const ziUrdf *urdf, const ziXmlElement *material, const ziXmlElement **color, double rgba[4],
                           zvError *reason) {
    ziUrdf trial = *urdf;
    trial.error = reason;
    *color = zi_urdf_first(material, "color");
    return !*color ? ZV_OK : zi_urdf_numbers(&trial, *color, "rgba", true, 4, rgba);
}

/* Notes the material unless it has no name, no colour, or was defined before. What is wrong in the material of a visual
 * is reported when the visual is read. */
static zvStatus collect_material(ziUrdf *urdf, const ziXmlElement *material, bool of_visual) {
    zvError reason = {0};
    const ziXmlElement *color;
    double rgba[4];
    const ziXmlAttribute *name = zi_xml_attribute(material, "name");
    const zvStatus status = find_color(urdf, material, &color, rgba, &reason);
    if (status != ZV_OK && of_visual) return ZV_OK;
    if (status != ZV_OK) return zi_urdf_leave_out(urdf, material, &reason, "material", name ? name->value : NULL);
    if (!name || !color || zi_names_find(&urdf->materials, name->value) >= 0) return ZV_OK;
    if (!zi_grow(&urdf->colors, urdf->ncolor, &urdf->color_capacity, sizeof *urdf->colors) ||
        zi_names_add(&urdf->materials, name->value, (int)urdf->ncolor) < 0)
        return zv_fail(urdf->error, ZV_MEMORY, material->mark, "", "out of memory while reading materials");
    memcpy(urdf->colors[urdf->ncolor++], rgba, sizeof rgba);
    return ZV_OK;
}

static zvStatus collect_children(ziUrdf *urdf, const ziXmlElement *element, bool of_visual) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "material") == 0) status = collect_material(urdf, e, of_visual);
    return status;
}

static zvStatus collect_visuals(ziUrdf *urdf, const ziXmlElement *link) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = link->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "visual") == 0) status = collect_children(urdf, e, true);
    return status;
}

zvStatus zi_urdf_collect_materials(ziUrdf *urdf, const ziXmlElement *robot) {
    zvStatus status = collect_children(urdf, robot, false);
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "link") == 0) status = collect_visuals(urdf, e);
    return status;
}

/* What is wrong with a colour is remarked, and the shape stays without one. */
zvStatus zi_urdf_visual_color(ziUrdf *urdf, const ziXmlElement *visual, zvShape *shape) {
    const ziXmlElement *material, *color;
    zvError reason = {0};
    ziUrdf trial = *urdf;
    trial.error = &reason;
    zvStatus status = zi_urdf_child(&trial, visual, "material", &material);
    if (status == ZV_OK && !material) return ZV_OK;
    if (status == ZV_OK) status = find_color(urdf, material, &color, shape->color, &reason);
    if (status != ZV_OK) return zi_urdf_leave_out(urdf, material, &reason, "link", shape->link);
    const ziXmlAttribute *name = zi_xml_attribute(material, "name");
    const int index = !color && name ? zi_names_find(&urdf->materials, name->value) : -1;
    if (index >= 0) memcpy(shape->color, urdf->colors[index], sizeof shape->color);
    shape->has_color = color || index >= 0;
    return ZV_OK;
}

/* Shapes of URDF links: <visual> and <collision> with box, cylinder, sphere or mesh. Other kinds of geometry, which
 * some tools add, are left out: shapes do not touch the dynamics. For the same reason a shape that is not complete, has
 * a number that is none or something that xacro has left behind is left out with a warning. */

typedef struct UrdfShapeKind {
    const char *word;
    zvShapeKind kind;
} UrdfShapeKind;

static const UrdfShapeKind kinds[] = {
    {"box", ZV_SHAPE_BOX}, {"cylinder", ZV_SHAPE_CYLINDER}, {"sphere", ZV_SHAPE_SPHERE}, {"mesh", ZV_SHAPE_MESH}};

static const UrdfShapeKind *shape_kind(const ziXmlElement *element) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].word, element->name) == 0) return &kinds[i];
    return NULL;
}

/* The one known body in a <geometry>; NULL when there are only unknown ones. */
static zvStatus find_body(const ziUrdf *urdf, const ziXmlElement *geometry, const ziXmlElement **body) {
    *body = NULL;
    if (!geometry->first)
        return zv_fail(urdf->error, ZV_SCHEMA, geometry->mark, "geometry",
                       "<geometry>: expected a <box>, <cylinder>, <sphere> or <mesh>, found nothing; put one in it");
    for (const ziXmlElement *e = geometry->first; e; e = e->next) {
        if (!shape_kind(e)) continue;
        if (*body)
            return zv_fail(urdf->error, ZV_SCHEMA, e->mark, e->name,
                           "<geometry>: expected one body, found <%s> besides <%s> in line %d; give each its own "
                           "<visual> or <collision>",
                           e->name, (*body)->name, (*body)->mark.line);
        *body = e;
    }
    return ZV_OK;
}

/* Sizes by kind; a mesh has a file and perhaps a scale. */
static zvStatus read_size(const ziUrdf *urdf, const ziXmlElement *body, zvShape *shape) {
    zvStatus status;
    switch (shape->kind) {
    case ZV_SHAPE_BOX: return zi_urdf_numbers(urdf, body, "size", true, 3, shape->size);
    case ZV_SHAPE_SPHERE: return zi_urdf_numbers(urdf, body, "radius", true, 1, shape->size);
    case ZV_SHAPE_CYLINDER:
        status = zi_urdf_numbers(urdf, body, "radius", true, 1, shape->size);
        return status != ZV_OK ? status : zi_urdf_numbers(urdf, body, "length", true, 1, shape->size + 1);
    case ZV_SHAPE_MESH:
        status = zi_urdf_name(urdf, body, "filename", &shape->mesh);
        return status != ZV_OK ? status : zi_urdf_numbers(urdf, body, "scale", false, 3, shape->size);
    }
    return ZV_OK;
}

/* The error says "what is wrong; what to do"; here the two have places of their own. */
zvStatus zi_urdf_leave_out(const ziUrdf *urdf, const ziXmlElement *element, const zvError *reason, const char *kind,
                           const char *name) {
    if (reason->status != ZV_SCHEMA && reason->status != ZV_NUMBER && reason->status != ZV_NOT_SUPPORTED) {
        if (urdf->error) *urdf->error = *reason;
        return reason->status;
    }
    const char *advice = strstr(reason->text, "; ");
    const int length = advice ? (int)(advice - reason->text) : (int)strlen(reason->text);
    char why[sizeof reason->text + 32];
    snprintf(why, sizeof why, "the %s is left out: %.*s", element->name, length, reason->text);
    const zvRemark remark = {ZV_SEVERITY_WARNING,
                             reason->status,
                             "shape-left-out",
                             kind,
                             name,
                             reason->token,
                             why,
                             advice ? advice + 2 : "mend it; the dynamics is not touched",
                             {element->mark.file, reason->line, reason->column}};
    return zv_builder_add_remark(urdf->builder, &remark, urdf->error);
}

/* *body is NULL when there is nothing to draw. */
static zvStatus read_shape(const ziUrdf *urdf, const ziXmlElement *element, const char *link, const ziXmlElement **body,
                           zvShape *shape) {
    const ziXmlElement *geometry;
    *body = NULL;
    zvStatus status = zi_urdf_need_child(urdf, element, "geometry", &geometry);
    if (status == ZV_OK) status = find_body(urdf, geometry, body);
    if (status != ZV_OK || !*body) return status;
    *shape = zv_shape_default(link, shape_kind(*body)->kind);
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    shape->name = name && name->value[0] ? name->value : NULL;
    shape->collision = strcmp(element->name, "collision") == 0;
    shape->mark = zi_urdf_mark(element);
    status = zi_urdf_origin(urdf, element, &shape->pose);
    return status != ZV_OK ? status : read_size(urdf, *body, shape);
}

/* A shape that is not complete is left out with a remark: dynamics do not need it. */
zvStatus zi_urdf_add_shape(ziUrdf *urdf, const ziXmlElement *element, const char *link) {
    zvError reason = {0};
    ziUrdf trial = *urdf;
    trial.error = &reason;
    const ziXmlElement *body;
    zvShape shape;
    zvStatus status = read_shape(&trial, element, link, &body, &shape);
    if (status != ZV_OK) return zi_urdf_leave_out(urdf, element, &reason, "link", link);
    if (!body) return ZV_OK;
    if (!shape.collision) status = zi_urdf_visual_color(urdf, element, &shape);
    return status != ZV_OK ? status : zv_builder_add_shape(urdf->builder, &shape, urdf->error);
}
