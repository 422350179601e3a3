/* Shapes of native files: boxes, cylinders, spheres and meshes. */
#include <stdio.h>
#include <string.h>

#include "read/dh.h"
#include "read/native_parts.h"

static const char *const kind_words[] = {"box", "cylinder", "sphere", "mesh"}; /* in the order of zvShapeKind */

typedef struct Size {
    const char *key;
    zvShapeKind kind;
    int at, count;      /* where the numbers lie in size */
    const char *advice; /* NULL: there is a default */
} Size;

static const Size sizes[] = {
    {"size", ZV_SHAPE_BOX, 0, 3, "size: [x, y, z], the edges in m"},
    {"radius", ZV_SHAPE_CYLINDER, 0, 1, "radius, in m"},
    {"length", ZV_SHAPE_CYLINDER, 1, 1, "length, in m"},
    {"radius", ZV_SHAPE_SPHERE, 0, 1, "radius, in m"},
    {"scale", ZV_SHAPE_MESH, 0, 3, NULL},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Whether a key is one of a kind's sizes. */
static bool fits(const char *key, zvShapeKind kind) {
    for (int i = 0; i < SIZES; i++) {
        if (sizes[i].kind == kind && strcmp(sizes[i].key, key) == 0) return true;
    }
    return false;
}

static zvStatus read_size(const ziReading *reading, const ziElement *element, zvShape *shape) {
    for (int i = 0; i < SIZES; i++) {
        const Size *row = &sizes[i];
        zvStatus status = ZV_OK;
        if (!fits(row->key, shape->kind) && zi_element_has(element, row->key)) {
            char reason[120];
            snprintf(reason, sizeof reason, "does not belong to a %s; remove it or change kind",
                     kind_words[shape->kind]);
            return zi_element_refuse(reading, element, row->key, reason);
        }
        if (row->kind != shape->kind) continue;
        if (row->advice && (status = zi_element_need(reading, element, row->key, row->advice)) < 0) return status;
        status = row->count == 1 ? zi_element_number(reading, element, row->key, &shape->size[row->at])
                                 : zi_element_numbers(reading, element, row->key, row->count, shape->size);
        if (status < 0) return status;
    }
    return ZV_OK;
}

static zvStatus read_mesh(const ziReading *reading, const ziElement *element, zvShape *shape) {
    if (shape->kind == ZV_SHAPE_MESH) {
        zvStatus status = zi_element_need(reading, element, "file", "file, the name of the mesh file");
        return status < 0 ? status : zi_element_text(reading, element, "file", &shape->mesh);
    }
    if (!zi_element_has(element, "file")) return ZV_OK;
    return zi_element_refuse(reading, element, "file", "belongs to a mesh; write kind: mesh or remove it");
}

static zvStatus read_color(const ziReading *reading, const ziElement *element, zvShape *shape) {
    const zvNode *node = zv_node_get(element->node, "color");
    if (!node) return ZV_OK;
    if (node->kind != ZV_NODE_LIST || (node->count != 3 && node->count != 4)) {
        return zi_element_refuse(reading, element, "color", "must be [red, green, blue] or [red, green, blue, alpha]");
    }
    shape->has_color = true;
    shape->color[3] = 1;
    return zi_element_numbers(reading, element, "color", node->count, shape->color);
}

static zvStatus read_shape(const ziReading *reading, const ziElement *element, const zvPose *place, zvShape *shape) {
    zvStatus status = read_size(reading, element, shape);
    if (status < 0) return status;
    if ((status = zi_element_text(reading, element, "name", &shape->name)) < 0) return status;
    if ((status = zi_element_bool(reading, element, "collision", &shape->collision)) < 0) return status;
    if ((status = read_mesh(reading, element, shape)) < 0) return status;
    if ((status = read_color(reading, element, shape)) < 0) return status;
    if ((status = zi_native_pose(reading, element, "pose", &shape->pose)) < 0) return status;
    if (place) shape->pose = zi_dh_compose(place, &shape->pose);
    return ZV_OK;
}

/* A shape of a link does not name it; a shape of the robot must. */
static zvStatus open_shape(const ziReading *reading, const zvNode *node, const char *link, ziElement *element) {
    static const char *const keys[] = {"kind", "size",  "radius",    "length", "file", "scale",
                                       "pose", "color", "collision", "name",   "link"};
    size_t count = sizeof keys / sizeof *keys - (link ? 1 : 0);
    zvStatus status = zi_element_open(reading, node, link ? "shape of link" : "shape", NULL, keys, count, element);
    element->name = link;
    if (status < 0) return status;
    if (!link) {
        status = zi_element_need(reading, element, "link", "link, the name of the link it belongs to");
        if (status < 0 || (status = zi_element_text(reading, element, "link", &element->name)) < 0) return status;
        element->kind = "shape of link";
    }
    return zi_element_need(reading, element, "kind", "kind: box, cylinder, sphere or mesh");
}

zvStatus zi_native_shapes(const ziReading *reading, const zvNode *list, const char *link, const zvPose *place) {
    for (int i = 0; i < list->count; i++) {
        ziElement element;
        zvStatus status = open_shape(reading, list->items[i], link, &element);
        if (status < 0) return status;
        int kind = 0;
        if ((status = zi_element_word(reading, &element, "kind", kind_words, 4, &kind)) < 0) return status;
        zvShape shape = zv_shape_default(element.name, (zvShapeKind)kind);
        if (kind == ZV_SHAPE_MESH) shape.size[0] = shape.size[1] = shape.size[2] = 1;
        shape.mark = zi_reading_mark(reading, element.node->mark);
        if ((status = read_shape(reading, &element, place, &shape)) < 0) return status;
        if ((status = zv_builder_add_shape(reading->builder, &shape, reading->error)) < 0) return status;
    }
    return ZV_OK;
}
