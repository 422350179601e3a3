/* Shapes of URDF links: <visual> and <collision> with box, cylinder, sphere or mesh. Other kinds of geometry, which
 * some tools add, are left out: shapes do not touch the dynamics. */
#include <string.h>

#include "read/urdf_part.h"

typedef struct Kind {
    const char *word;
    zvShapeKind kind;
} Kind;

static const Kind kinds[] = {{"box", ZV_BOX}, {"cylinder", ZV_CYLINDER}, {"sphere", ZV_SPHERE}, {"mesh", ZV_MESH}};

static const Kind *kind_of(const zvXmlElement *element) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].word, element->name) == 0) return &kinds[i];
    return NULL;
}

/* The one known body in a <geometry>; NULL when there are only unknown ones. */
static zvStatus find_body(const zvUrdf *urdf, const zvXmlElement *geometry, const zvXmlElement **body) {
    *body = NULL;
    if (!geometry->first)
        return zv_fail(urdf->error, ZV_SCHEMA, geometry->mark, "geometry",
                       "<geometry> is empty; put a <box>, <cylinder>, <sphere> or <mesh> in it");
    for (const zvXmlElement *e = geometry->first; e; e = e->next) {
        if (!kind_of(e)) continue;
        if (*body)
            return zv_fail(urdf->error, ZV_SCHEMA, e->mark, e->name,
                           "<geometry> has <%s> besides <%s> in line %d; give each its own <visual> or <collision>",
                           e->name, (*body)->name, (*body)->mark.line);
        *body = e;
    }
    return ZV_OK;
}

static zvStatus read_size(const zvUrdf *urdf, const zvXmlElement *body, zvShape *shape) {
    zvStatus status;
    switch (shape->kind) {
    case ZV_BOX: return zv_urdf_numbers(urdf, body, "size", true, 3, shape->size);
    case ZV_SPHERE: return zv_urdf_numbers(urdf, body, "radius", true, 1, shape->size);
    case ZV_CYLINDER:
        status = zv_urdf_numbers(urdf, body, "radius", true, 1, shape->size);
        return status != ZV_OK ? status : zv_urdf_numbers(urdf, body, "length", true, 1, shape->size + 1);
    case ZV_MESH:
        status = zv_urdf_name(urdf, body, "filename", &shape->mesh);
        return status != ZV_OK ? status : zv_urdf_numbers(urdf, body, "scale", false, 3, shape->size);
    }
    return ZV_OK;
}

zvStatus zv_urdf_add_shape(zvUrdf *urdf, const zvXmlElement *element, const char *link) {
    const zvXmlElement *geometry, *body = NULL;
    zvStatus status = zv_urdf_need_child(urdf, element, "geometry", &geometry);
    if (status == ZV_OK) status = find_body(urdf, geometry, &body);
    if (status != ZV_OK || !body) return status;
    zvShape shape = zv_shape_default(link, kind_of(body)->kind);
    const zvXmlAttribute *name = zv_xml_attribute(element, "name");
    shape.name = name && name->value[0] ? name->value : NULL;
    shape.collision = strcmp(element->name, "collision") == 0;
    shape.mark = zv_urdf_mark(element);
    status = zv_urdf_origin(urdf, element, &shape.pose);
    if (status == ZV_OK) status = read_size(urdf, body, &shape);
    if (status == ZV_OK && !shape.collision) status = zv_urdf_visual_color(urdf, element, &shape);
    return status != ZV_OK ? status : zv_builder_add_shape(urdf->builder, &shape, urdf->error);
}
