/* Modal data of native files. */
#include "read/native.h"

#include <stdio.h>

/* Nodes and interfaces of modal data, and the matrices and rows of numbers that modal data are made of. Sizes are
 * compared with what is in the file before any memory is taken for them. */

static const char each_mode[] = "mode of stiffness";

/* The list under a key, refused unless it has one entry for each of n modes (or whatever each is); NULL when the key is
 * absent. */
static zvStatus list_of_rows(const ziReading *reading, const ziNamedMap *element, const char *key, int n,
                             const char *each, const zvNode **list) {
    zvStatus status = zi_map_list(reading, element, key, list);
    if (status < 0 || !*list || (*list)->count == n) return status;
    char reason[120];
    snprintf(reason, sizeof reason, "%d row%s, one for each %s", n, n == 1 ? "" : "s", each);
    return zi_map_expected(reading, element, key, reason, "");
}

/* "row 2 of mass of modal of link ..." */
static const char *row_of(const ziNamedMap *element, const char *key, int row, char what[ZI_WHAT]) {
    char place[64];
    snprintf(place, sizeof place, "row %d of %s", row + 1, key);
    return zi_map_what(element, place, what);
}

/* The first entry tells a diagonal from a full matrix. */
zvStatus zi_native_square(const ziReading *reading, const ziNamedMap *element, const char *key, int n, const char *each,
                          ziArena *arena, const double **matrix) {
    const zvNode *list = NULL;
    zvStatus status = list_of_rows(reading, element, key, n, each, &list);
    if (status < 0 || !list) return status;
    const bool diagonal = list->items[0]->kind == ZV_NODE_SCALAR;
    double *A = zi_native_alloc(reading, element, arena, n * n, sizeof *A);
    if (!A) return ZV_MEMORY;
    *matrix = A;
    char what[ZI_WHAT];
    for (int i = 0; i < n && status >= 0; i++) {
        const zvNode *row = list->items[i];
        row_of(element, key, i, what);
        if (diagonal) {
            status = zv_node_number(row, what, &A[i * n + i], reading->error);
        } else if (row->kind == ZV_NODE_LIST && row->count != n) {
            return zv_fail(
                reading->error, ZV_SCHEMA, row->mark, "[...]",
                "%s: expected %d number%s, one for each %s, found %d; write a matrix of %d x %d, or %d number%s for a "
                "diagonal one",
                what, n, n == 1 ? "" : "s", each, row->count, n, n, n, n == 1 ? "" : "s");
        } else {
            status = zv_node_numbers(row, what, n, A + i * n, reading->error);
        }
    }
    return status;
}

/* One row of width numbers for each mode: 3 for a vector, 6 for displacement and rotation. A row of 6 without rotation
 * may have 3 numbers, and gets zeros behind them. */
static zvStatus read_mode_rows(const ziReading *reading, const ziNamedMap *element, const char *key, int n, int width,
                               ziArena *arena, const double **rows) {
    const zvNode *list = NULL;
    zvStatus status = list_of_rows(reading, element, key, n, each_mode, &list);
    if (status < 0 || !list) return status;
    double *values = zi_native_alloc(reading, element, arena, width * n, sizeof *values);
    if (!values) return ZV_MEMORY;
    *rows = values;
    char what[ZI_WHAT];
    for (int i = 0; i < n && status >= 0; i++) {
        const zvNode *row = list->items[i];
        const bool either = width == 6 && row->kind == ZV_NODE_LIST;
        row_of(element, key, i, what);
        if (either && row->count != 3 && row->count != 6) {
            return zv_fail(reading->error, ZV_SCHEMA, row->mark, "[...]",
                           "%s: expected 3 numbers (displacement) or 6 (displacement and rotation), found %d", what,
                           row->count);
        }
        status = zv_node_numbers(row, what, either ? row->count : width, values + width * i, reading->error);
    }
    return status;
}

static zvStatus need_place(const ziReading *reading, const ziNamedMap *element) {
    zvStatus status = zi_map_need(reading, element, "at", "at: [x, y, z] in the link frame");
    return status < 0 ? status : zi_map_need(reading, element, "shape", "shape, one row of 3 or 6 numbers per mode");
}

static zvStatus read_node(const ziReading *reading, const ziNamedMap *element, int n, ziArena *arena,
                          zvModalNode *node) {
    zvStatus status = need_place(reading, element);
    if (status < 0) return status;
    if ((status = zi_map_need(reading, element, "mass", "mass, in kg")) < 0) return status;
    if ((status = zi_map_numbers(reading, element, "at", 3, node->at)) < 0) return status;
    if ((status = zi_map_number(reading, element, "mass", &node->mass)) < 0) return status;
    if ((status = zi_native_moments(reading, element, node->moment)) < 0) return status;
    return read_mode_rows(reading, element, "shape", n, 6, arena, &node->shape);
}

/* Points with mass from which the integrals of the modes are summed. */
static zvStatus read_nodes(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    static const char *const keys[] = {"at", "mass", "inertia", "shape"};
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(reading, element, "nodes", &list);
    if (status < 0 || !list) return status;
    if (list->count == 0) {
        return zi_map_refuse(reading, element, "nodes",
                             "expected nodes, found none; add them, or mass and the integrals instead");
    }
    zvModalNode *nodes = zi_native_alloc(reading, element, arena, list->count, sizeof *nodes);
    if (!nodes) return ZV_MEMORY;
    modal->nodes = nodes;
    modal->node_count = list->count;
    for (int i = 0; i < list->count && status >= 0; i++) {
        char kind[ZI_WHAT];
        snprintf(kind, sizeof kind, "node %d of %s", i + 1, element->kind);
        ziNamedMap node = {list->items[i], kind, element->name};
        char what[ZI_WHAT];
        status = zv_node_only(node.node, zi_map_what(&node, NULL, what), keys, 4, reading->error);
        if (status >= 0) status = read_node(reading, &node, modal->count, arena, &nodes[i]);
    }
    return status;
}

/* A place where joints and frames may be attached: name, position and the modes there. */
static zvStatus read_interface(const ziReading *reading, const ziNamedMap *element, int n, ziArena *arena,
                               zvModalInterface *place) {
    zvStatus status = need_place(reading, element);
    const char *name = NULL;
    if (status >= 0) status = zi_map_need(reading, element, "name", "name, a word for error texts");
    if (status >= 0) status = zi_map_text(reading, element, "name", &name);
    if (status < 0) return status;
    if (!(place->name = zi_arena_text(arena, name)))
        return zv_fail(reading->error, ZV_MEMORY, element->node->mark, "", "no memory for the interfaces of a link");
    if ((status = zi_map_numbers(reading, element, "at", 3, place->at)) < 0) return status;
    return read_mode_rows(reading, element, "shape", n, 6, arena, &place->shape);
}

/* Interfaces have names, by which joints find them. */
static zvStatus read_interfaces(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    static const char *const keys[] = {"name", "at", "shape"};
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(reading, element, "interfaces", &list);
    if (status < 0 || !list || list->count == 0) return status;
    zvModalInterface *places = zi_native_alloc(reading, element, arena, list->count, sizeof *places);
    if (!places) return ZV_MEMORY;
    modal->interfaces = places;
    modal->interface_count = list->count;
    for (int i = 0; i < list->count && status >= 0; i++) {
        char kind[ZI_WHAT], what[ZI_WHAT];
        snprintf(kind, sizeof kind, "interface %d of %s", i + 1, element->kind);
        ziNamedMap place = {list->items[i], kind, element->name};
        status = zv_node_only(place.node, zi_map_what(&place, NULL, what), keys, 3, reading->error);
        if (status >= 0) status = read_interface(reading, &place, modal->count, arena, &places[i]);
    }
    return status;
}

static zvStatus read_places_of_modes(const ziReading *reading, const ziNamedMap *element, ziArena *arena,
                                     zvModal *modal) {
    zvStatus status = read_nodes(reading, element, arena, modal);
    return status < 0 ? status : read_interfaces(reading, element, arena, modal);
}

/* Modal data of native files, in place or in a file of their own: what a finite-element reduction exports. */

#define MODAL_KEYS "names", "mass", "stiffness", "damping", "nodes", "translation", "rotation", "interfaces"

/* The stiffness says how many modes there are; everything else has to agree. */
static zvStatus read_mode_count(const ziReading *reading, const ziNamedMap *element, int *count) {
    zvStatus status =
        zi_map_need(reading, element, "stiffness", "stiffness, a matrix or a list of numbers, one for each mode");
    const zvNode *list = NULL;
    if (status >= 0) status = zi_map_list(reading, element, "stiffness", &list);
    if (status < 0) return status;
    *count = list->count;
    if (*count == 0) {
        return zi_map_refuse(reading, element, "stiffness", "expected a number or row for each mode, found none");
    }
    if (*count <= ZV_MAX_MODES) return ZV_OK;
    char reason[120];
    snprintf(reason, sizeof reason, "at most %d modes", ZV_MAX_MODES);
    return zi_map_expected(reading, element, "stiffness", reason, "keep the lowest ones");
}

/* A name for each mode. */
static zvStatus read_names(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(reading, element, "names", &list);
    if (status < 0 || !list) return status;
    if (list->count != modal->count) {
        char reason[120];
        snprintf(reason, sizeof reason, "%d name%s, one for each mode of stiffness", modal->count,
                 modal->count == 1 ? "" : "s");
        return zi_map_expected(reading, element, "names", reason, "");
    }
    const char **names = zi_native_alloc(reading, element, arena, list->count, sizeof *names);
    if (!names) return ZV_MEMORY;
    modal->names = names;
    char what[ZI_WHAT];
    zi_map_what(element, "a name", what);
    for (int i = 0; i < list->count; i++) {
        const char *name = NULL;
        if ((status = zv_node_text(list->items[i], what, &name, reading->error)) < 0) return status;
        if (!(names[i] = zi_arena_text(arena, name)))
            return zv_fail(reading->error, ZV_MEMORY, list->mark, "", "no memory for %s", what);
    }
    return ZV_OK;
}

static zvStatus read_damping(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    const zvNode *node = zv_node_get(element->node, "damping");
    if (node && node->kind == ZV_NODE_LIST) {
        return zi_native_square(reading, element, "damping", modal->count, each_mode, arena, &modal->damping_matrix);
    }
    ziNamedMap part;
    zvStatus status = zi_native_damping(reading, element, true, modal->count, arena, &part, &modal->damping);
    if (status < 0 || !part.node) return status;
    return zi_native_square(reading, &part, "matrix", modal->count, each_mode, arena, &modal->damping_matrix);
}

/* Without nodes the integrals are given; with nodes they are sums over them. */
static zvStatus read_integrals(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    static const char *const keys[2] = {"translation", "rotation"};
    const double **const rows[2] = {&modal->translation, &modal->rotation};
    bool nodes = zi_map_has(element, "nodes");
    zvStatus status = ZV_OK;
    if (!nodes) status = zi_map_need(reading, element, "mass", "mass, the generalised mass, or nodes");
    for (int i = 0; i < 2 && status >= 0; i++) {
        if (nodes && zi_map_has(element, keys[i])) {
            return zi_map_refuse(reading, element, keys[i],
                                 "expected it or the nodes, over which it is summed, found both; remove one");
        }
        status = read_mode_rows(reading, element, keys[i], modal->count, 3, arena, rows[i]);
    }
    if (status < 0) return status;
    return zi_native_square(reading, element, "mass", modal->count, each_mode, arena, &modal->mass);
}

static zvStatus read_modal(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    zvStatus status = read_mode_count(reading, element, &modal->count);
    if (status < 0) return status;
    if ((status = read_names(reading, element, arena, modal)) < 0) return status;
    status = zi_native_square(reading, element, "stiffness", modal->count, each_mode, arena, &modal->stiffness);
    if (status < 0) return status;
    if ((status = read_integrals(reading, element, arena, modal)) < 0) return status;
    if ((status = read_damping(reading, element, arena, modal)) < 0) return status;
    return read_places_of_modes(reading, element, arena, modal);
}

static zvStatus read_document(const ziReading *reading, const ziNamedMap *element, const zvNode *root, ziArena *arena,
                              zvModal *modal) {
    static const char *const keys[] = {MODAL_KEYS};
    char what[ZI_WHAT];
    const ziNamedMap inner = {root, element->kind, element->name};
    zvStatus status =
        zv_node_only(root, zi_map_what(&inner, NULL, what), keys, sizeof keys / sizeof *keys, reading->error);
    return status < 0 ? status : read_modal(reading, &inner, arena, modal);
}

/* The file has what could be written here; it is found beside this one. */
static zvStatus read_from_file(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvModal *modal) {
    if (element->node->count != 1) {
        return zi_map_refuse(reading, element, "file",
                             "expected it alone, found other keys beside it; put all of them into the file, or none");
    }
    ziSource source;
    const char *path = NULL;
    char what[ZI_WHAT];
    zvStatus status =
        zi_native_load(reading, zv_node_get(element->node, "file"), zi_map_what(element, "file", what), &path, &source);
    if (status < 0) return status;
    zvDocument *document = NULL;
    status = zv_document_read_memory(path, source.bytes, source.size, &document, reading->error);
    zi_source_free(&source);
    if (status < 0) return status;
    const zvNode *root = zv_document_root(document);
    status = root ? read_document(reading, element, root, arena, modal)
                  : zv_fail(reading->error, ZV_SCHEMA, (zvMark){path, 1, 1}, "",
                            "the file is empty; write the keys of modal data, stiffness first");
    zv_document_destroy(document);
    return status;
}

/* In place, or in a file of their own. */
zvStatus zi_native_modal(const ziReading *reading, const ziNamedMap *link, ziArena *arena, const zvModal **out) {
    static const char *const keys[] = {MODAL_KEYS, "file"};
    ziNamedMap element;
    zvStatus status = zi_map_part(reading, link, "modal", "modal of link", keys, sizeof keys / sizeof *keys, &element);
    if (status < 0) return status;
    zvModal *modal = zi_native_alloc(reading, &element, arena, 1, sizeof *modal);
    if (!modal) return ZV_MEMORY;
    *out = modal;
    return zi_map_has(&element, "file") ? read_from_file(reading, &element, arena, modal)
                                        : read_modal(reading, &element, arena, modal);
}
