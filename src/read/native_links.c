/* Links, frames, shapes and loops of native files. */
#include "model/joint_type.h"
#include "read/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/dh.h"

/* Shapes of native files: boxes, cylinders, spheres and meshes. */

static const char *const kind_words[] = {"box", "cylinder", "sphere", "mesh"}; /* in the order of zvShapeKind */

typedef struct ShapeSize {
    const char *key;
    zvShapeKind kind;
    int at, count;      /* where the numbers lie in size */
    const char *advice; /* NULL: there is a default */
} ShapeSize;

static const ShapeSize shape_sizes[] = {
    {"size", ZV_SHAPE_BOX, 0, 3, "size: [x, y, z], the edges in m"},
    {"radius", ZV_SHAPE_CYLINDER, 0, 1, "radius, in m"},
    {"length", ZV_SHAPE_CYLINDER, 1, 1, "length, in m"},
    {"radius", ZV_SHAPE_SPHERE, 0, 1, "radius, in m"},
    {"scale", ZV_SHAPE_MESH, 0, 3, NULL},
};
enum { SIZES = sizeof shape_sizes / sizeof *shape_sizes };

/* Whether a key is one of a kind's sizes. */
static bool is_size_of(const char *key, zvShapeKind kind) {
    for (int i = 0; i < SIZES; i++) {
        if (shape_sizes[i].kind == kind && strcmp(shape_sizes[i].key, key) == 0) return true;
    }
    return false;
}

/* The sizes that belong to the kind of a shape; those of other kinds are refused. */
static zvStatus read_shape_size(const ziReading *reading, const ziNamedMap *element, zvShape *shape) {
    for (int i = 0; i < SIZES; i++) {
        const ShapeSize *row = &shape_sizes[i];
        zvStatus status = ZV_OK;
        if (!is_size_of(row->key, shape->kind) && zi_map_has(element, row->key)) {
            char reason[120];
            snprintf(reason, sizeof reason, "expected a key of a %s, found another; remove it or change kind",
                     kind_words[shape->kind]);
            return zi_map_refuse(reading, element, row->key, reason);
        }
        if (row->kind != shape->kind) continue;
        if (row->advice && (status = zi_map_need(reading, element, row->key, row->advice)) < 0) return status;
        status = row->count == 1 ? zi_map_number(reading, element, row->key, &shape->size[row->at])
                                 : zi_map_numbers(reading, element, row->key, row->count, shape->size);
        if (status < 0) return status;
    }
    return ZV_OK;
}

static zvStatus read_mesh(const ziReading *reading, const ziNamedMap *element, zvShape *shape) {
    if (shape->kind == ZV_SHAPE_MESH) {
        zvStatus status = zi_map_need(reading, element, "file", "file, the name of the mesh file");
        return status < 0 ? status : zi_map_text(reading, element, "file", &shape->mesh);
    }
    if (!zi_map_has(element, "file")) return ZV_OK;
    return zi_map_refuse(reading, element, "file",
                         "expected kind: mesh beside it, found another; write that or remove it");
}

static zvStatus read_color(const ziReading *reading, const ziNamedMap *element, zvShape *shape) {
    const zvNode *node = zv_node_get(element->node, "color");
    if (!node) return ZV_OK;
    if (node->kind != ZV_NODE_LIST || (node->count != 3 && node->count != 4)) {
        return zi_map_expected(reading, element, "color", "[red, green, blue] or [red, green, blue, alpha]", "");
    }
    shape->has_color = true;
    shape->color[3] = 1;
    return zi_map_numbers(reading, element, "color", node->count, shape->color);
}

/* Everything but the kind; place moves a shape from the frame of its row into that of the link. */
static zvStatus read_shape_values(const ziReading *reading, const ziNamedMap *element, const zvPose *place,
                                  zvShape *shape) {
    zvStatus status = read_shape_size(reading, element, shape);
    if (status < 0) return status;
    if ((status = zi_map_text(reading, element, "name", &shape->name)) < 0) return status;
    if ((status = zi_map_bool(reading, element, "collision", &shape->collision)) < 0) return status;
    if ((status = read_mesh(reading, element, shape)) < 0) return status;
    if ((status = read_color(reading, element, shape)) < 0) return status;
    if ((status = zi_native_pose(reading, element, "pose", &shape->pose)) < 0) return status;
    if (place) shape->pose = zi_dh_compose(place, &shape->pose);
    return ZV_OK;
}

/* A shape of a link does not name it; a shape of the robot must. */
static zvStatus open_shape(const ziReading *reading, const zvNode *node, const char *link, ziNamedMap *element) {
    static const char *const keys[] = {"kind", "size",  "radius",    "length", "file", "scale",
                                       "pose", "color", "collision", "name",   "link"};
    size_t count = sizeof keys / sizeof *keys - (link ? 1 : 0);
    zvStatus status = zi_map_open(reading, node, link ? "shape of link" : "shape", NULL, keys, count, element);
    element->name = link;
    if (status < 0) return status;
    if (!link) {
        status = zi_map_need(reading, element, "link", "link, the name of the link it belongs to");
        if (status < 0 || (status = zi_map_text(reading, element, "link", &element->name)) < 0) return status;
        element->kind = "shape of link";
    }
    return zi_map_need(reading, element, "kind", "kind: box, cylinder, sphere or mesh");
}

/* Shapes of a link, or of any link when they name it themselves. */
zvStatus zi_native_shapes(const ziReading *reading, const zvNode *list, const char *link, const zvPose *place) {
    for (int i = 0; i < list->count; i++) {
        ziNamedMap element;
        zvStatus status = open_shape(reading, list->items[i], link, &element);
        if (status < 0) return status;
        int kind = 0;
        if ((status = zi_map_word(reading, &element, "kind", kind_words, 4, &kind)) < 0) return status;
        zvShape shape = zv_shape_default(element.name, (zvShapeKind)kind);
        if (kind == ZV_SHAPE_MESH) shape.size[0] = shape.size[1] = shape.size[2] = 1;
        shape.mark = zi_reading_mark(reading, element.node->mark);
        if ((status = read_shape_values(reading, &element, place, &shape)) < 0) return status;
        if ((status = zv_builder_add_shape(reading->builder, &shape, reading->error)) < 0) return status;
    }
    return ZV_OK;
}

/* Links and frames of native files. */

static zvStatus read_link(const ziReading *reading, const ziNamedMap *element, ziArena *arena) {
    zvLink link = zv_link_default(element->name);
    link.mark = zi_reading_mark(reading, element->node->mark);
    link.mass_spot = zi_map_spot(element, "mass");
    link.inertia_spot = zi_map_spot(element, "inertia");
    zvStatus status = zi_native_inertia(reading, element, &link);
    if (status >= 0) status = zi_native_elastic(reading, element, arena, &link);
    return status < 0 ? status : zv_builder_add_link(reading->builder, &link, reading->error);
}

/* A link and its shapes. What is elastic of it is in an arena that is freed once the builder has copied it. */
static zvStatus add_link_and_shapes(const ziReading *reading, const ziNamedMap *element) {
    ziArena arena = {0};
    zvStatus status = read_link(reading, element, &arena);
    zi_arena_free(&arena);
    if (status < 0) return status;
    const zvNode *shapes = NULL;
    if ((status = zi_map_list(reading, element, "shapes", &shapes)) < 0 || !shapes) return status;
    return zi_native_shapes(reading, shapes, element->name, NULL);
}

zvStatus zi_native_links(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name", ZI_INERTIA_KEYS, ZI_ELASTIC_KEYS, "shapes"};
    return zi_map_each(reading, list, "link", keys, sizeof keys / sizeof *keys, add_link_and_shapes);
}

static zvStatus add_frame(const ziReading *reading, const ziNamedMap *element) {
    zvFrame frame = zv_frame_default(element->name, NULL);
    frame.mark = zi_reading_mark(reading, element->node->mark);
    zvStatus status = zi_map_need(reading, element, "link", "link, the name of the link it is fixed to");
    if (status < 0) return status;
    if ((status = zi_map_text(reading, element, "link", &frame.link)) < 0) return status;
    if ((status = zi_native_pose(reading, element, "pose", &frame.pose)) < 0) return status;
    return zv_builder_add_frame(reading->builder, &frame, reading->error);
}

zvStatus zi_native_frames(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name", "link", "pose"};
    return zi_map_each(reading, list, "frame", keys, sizeof keys / sizeof *keys, add_frame);
}

/* Loops of native files: joints that close one, rods, and couplings of coordinates. */

#define PLACE_KEYS "parent", "child", "origin", "child_origin"
#define MOTION_KEYS "axis", "axis2", "pitch", "curve", "ball", "damping", "spring", "dofs", "driven", "value"

#define ROD_MOTION "its length is moved by a motion drive with loop: NAME in the scenario; remove it here"

/* The kinds in the order of zvLoopKind, and the keys each has besides name, type and open. */
typedef struct LoopKeys {
    const char *word; /* how error texts call it */
    const char *keys[14];
} LoopKeys;

static const LoopKeys loop_keys[] = {
    {"loop of a joint", {PLACE_KEYS, MOTION_KEYS}},
    {"rod", {PLACE_KEYS, "length"}},
    {"coupling", {"terms", "offset"}},
};
enum { KINDS = sizeof loop_keys / sizeof *loop_keys, MOST_KEYS = sizeof loop_keys->keys / sizeof *loop_keys->keys };

static bool has_key(const LoopKeys *kind, const char *key) {
    for (int i = 0; i < MOST_KEYS && kind->keys[i]; i++) {
        if (strcmp(kind->keys[i], key) == 0) return true;
    }
    return strcmp(key, "name") == 0 || strcmp(key, "type") == 0 || strcmp(key, "open") == 0;
}

/* Whose key it is; there are no others. */
static const LoopKeys *key_owner(const char *key) {
    int i = 0;
    while (i + 1 < KINDS && !has_key(&loop_keys[i], key)) i++;
    return &loop_keys[i];
}

static void list_keys(const LoopKeys *kind, char *text, size_t size) {
    size_t used = 0;
    for (int i = 0; i < MOST_KEYS && kind->keys[i] && used < size; i++) {
        int length = snprintf(text + used, size - used, ", %s", kind->keys[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

/* A key of another kind of loop is refused with the keys that this kind has. */
static zvStatus refuse_other_kinds(const ziReading *reading, const ziNamedMap *element, zvLoopKind kind) {
    for (int i = 0; i < element->node->count; i++) {
        const char *key = element->node->keys[i];
        if (has_key(&loop_keys[kind], key)) continue;
        if (kind == ZV_LOOP_ROD && strcmp(key, "driven") == 0)
            return zi_map_refuse(reading, element, key, "expected a key of a rod, found another: " ROD_MOTION);
        char list[160] = "", reason[320];
        list_keys(&loop_keys[kind], list, sizeof list);
        snprintf(reason, sizeof reason, "expected a %s, found a %s, whose keys are name, type%s, open",
                 key_owner(key)->word, loop_keys[kind].word, list);
        return zi_map_refuse(reading, element, key, reason);
    }
    return ZV_OK;
}

/* A loop is closed by a joint, by a rod, or by a coupling; free: by a spring alone, a bushing. */
static zvStatus read_kind(const ziReading *reading, const ziNamedMap *element, zvLoopKind *kind, zvJointType *type) {
    enum { WORDS = ZV_JOINT_TYPES + 2 };
    const char *words[WORDS];
    int choice = 0;
    for (int i = 0; i < ZV_JOINT_TYPES; i++) words[i] = zv_joint_type_word((zvJointType)i);
    words[ZV_JOINT_TYPES] = "rod";
    words[ZV_JOINT_TYPES + 1] = "coupling";
    zvStatus status = zi_map_need(reading, element, "type", "type, for example type: revolute");
    if (status < 0) return status;
    if ((status = zi_map_word(reading, element, "type", words, WORDS, &choice)) < 0) return status;
    *kind = choice < WORDS - 2 ? ZV_LOOP_JOINT : choice == WORDS - 2 ? ZV_LOOP_ROD : ZV_LOOP_COUPLING;
    *type = choice < ZV_JOINT_TYPES ? (zvJointType)choice : ZV_JOINT_FIXED;
    return ZV_OK;
}

static zvStatus read_places(const ziReading *reading, const ziNamedMap *element, zvLoop *loop) {
    zvStatus status = zi_map_need(reading, element, "parent", "parent, the name of a link or frame");
    if (status < 0) return status;
    if ((status = zi_map_need(reading, element, "child", "child, the name of a link or frame")) < 0) return status;
    if ((status = zi_map_text(reading, element, "parent", &loop->parent)) < 0) return status;
    if ((status = zi_map_text(reading, element, "child", &loop->child)) < 0) return status;
    loop->parent_spot = zi_map_spot(element, "parent");
    loop->child_spot = zi_map_spot(element, "child");
    if ((status = zi_native_pose(reading, element, "origin", &loop->origin)) < 0) return status;
    return zi_native_pose(reading, element, "child_origin", &loop->child_origin);
}

/* Prescribed motion: of the only freedom. */
static zvStatus read_drive(const ziReading *reading, const ziNamedMap *element, zvLoop *loop) {
    zvStatus status = zi_map_bool(reading, element, "driven", &loop->driven);
    if (status < 0) return status;
    if (loop->driven && zv_joint_type_nv(loop->type) != 1)
        return zi_map_refuse(reading, element, "driven", "expected a joint with one freedom, found another; remove it");
    if (!loop->driven && zi_map_has(element, "value"))
        return zi_map_refuse(reading, element, "value",
                             "expected a driven loop, found another; add driven: true or remove it");
    const bool turns = loop->driven && zi_native_turns(loop->type, 0);
    return (turns ? zi_map_angle : zi_map_number)(reading, element, "value", &loop->value);
}

/* A joint that closes a loop: as in a tree, but of its freedoms damping and spring alone. */
static zvStatus read_joint_loop(const ziReading *reading, const ziNamedMap *element, zvLoop *loop, double **points) {
    static const char *const names[] = {"damping", "spring"};
    const ziDofKeys keys = {names, sizeof names / sizeof *names};
    zvStatus status = zi_native_refuse_strangers(reading, element, loop->type);
    if (status < 0) return status;
    if ((status = zi_native_need_specials(reading, element, loop->type)) < 0) return status;
    if ((status = read_places(reading, element, loop)) < 0) return status;
    loop->axis_spot = zi_map_spot(element, "axis");
    if ((status = zi_native_axis(reading, element, "axis", loop->axis)) < 0) return status;
    if ((status = zi_native_axis(reading, element, "axis2", loop->axis2)) < 0) return status;
    if ((status = zi_map_number(reading, element, "pitch", &loop->pitch)) < 0) return status;
    if ((status = zi_map_bool(reading, element, "ball", &loop->ball)) < 0) return status;
    if ((status = zi_native_dofs(reading, element, keys, loop->type, loop->dof, &loop->stiffness_matrix,
                                 &loop->damping_matrix)) < 0)
        return status;
    if ((status = read_drive(reading, element, loop)) < 0) return status;
    return zi_joint_needs(loop->type, ZI_JOINT_PATH) ? zi_native_curve(reading, element, &loop->curve, points) : ZV_OK;
}

static zvStatus read_rod(const ziReading *reading, const ziNamedMap *element, zvLoop *loop) {
    zvStatus status = read_places(reading, element, loop);
    if (status < 0) return status;
    status = zi_map_need(reading, element, "length", "length, the distance in m that it keeps between its ends");
    return status < 0 ? status : zi_map_number(reading, element, "length", &loop->length);
}

/* Ratios of coordinates by the names of their joints. */
static zvStatus read_coupling(const ziReading *reading, const ziNamedMap *element, zvLoop *loop, zvLoopTerm **terms) {
    zvStatus status = zi_map_need(reading, element, "terms", "terms: {joint: ratio, ...}");
    if (status < 0) return status;
    const zvNode *map = zv_node_get(element->node, "terms");
    if (map->kind != ZV_NODE_MAP || map->count == 0)
        return zi_map_expected(reading, element, "terms", "a map from joints to ratios", "write {motor: 1, wheel: 3}");
    *terms = malloc((size_t)map->count * sizeof **terms);
    if (!*terms) return zv_fail(reading->error, ZV_MEMORY, map->mark, "terms", "no memory for the terms of a coupling");
    const ziNamedMap part = {map, "terms of coupling", element->name};
    char what[ZI_WHAT];
    for (int i = 0; i < map->count; i++) {
        (*terms)[i].joint = map->keys[i];
        zi_map_what(&part, "ratio", what);
        status = zv_node_number(map->items[i], what, &(*terms)[i].ratio, reading->error);
        if (status < 0) return status;
    }
    loop->term_count = map->count;
    loop->terms = *terms;
    return zi_map_angle(reading, element, "offset", &loop->offset);
}

/* What a loop points at until it has been added. */
typedef struct LoopMemory {
    double *points;
    zvLoopTerm *terms;
} LoopMemory;

/* The kind decides what else is read. */
static zvStatus read_loop(const ziReading *reading, const ziNamedMap *element, LoopMemory *memory, zvLoop *loop) {
    zvLoopKind kind = ZV_LOOP_JOINT;
    zvJointType type = ZV_JOINT_FIXED;
    zvStatus status = read_kind(reading, element, &kind, &type);
    if (status < 0) return status;
    if ((status = refuse_other_kinds(reading, element, kind)) < 0) return status;
    *loop = zv_loop_default(element->name, kind, type, NULL, NULL);
    loop->mark = zi_reading_mark(reading, element->node->mark);
    if ((status = zi_map_bool(reading, element, "open", &loop->open)) < 0) return status;
    switch (kind) {
    case ZV_LOOP_ROD: return read_rod(reading, element, loop);
    case ZV_LOOP_COUPLING: return read_coupling(reading, element, loop, &memory->terms);
    case ZV_LOOP_JOINT: break;
    }
    return read_joint_loop(reading, element, loop, &memory->points);
}

/* Memory of a loop is freed once the builder has copied it. */
static zvStatus add_loop(const ziReading *reading, const ziNamedMap *element) {
    zvLoop loop;
    LoopMemory memory = {0};
    zvStatus status = read_loop(reading, element, &memory, &loop);
    if (status >= 0) status = zv_builder_add_loop(reading->builder, &loop, reading->error);
    free(memory.points);
    free(memory.terms);
    return status;
}

zvStatus zi_native_loops(const ziReading *reading, const zvNode *list) {
    static const char *const keys[] = {"name", "type", PLACE_KEYS, MOTION_KEYS, "length", "terms", "offset", "open"};
    return zi_map_each(reading, list, "loop", keys, sizeof keys / sizeof *keys, add_loop);
}
