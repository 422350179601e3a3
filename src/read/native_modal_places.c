/* Nodes and interfaces of modal data, and the matrices and rows of numbers that modal data are made of. Sizes are
 * compared with what stands in the file before any room is taken for them. */
#include <stdio.h>

#include "read/native_elastic.h"
#include "read/native_parts.h"

/* The list under a key, refused unless it has one entry for each of n modes; NULL when the key is absent. */
static zvStatus list_of_modes(const ziReading *reading, const ziElement *element, const char *key, int n,
                              const zvNode **list) {
    zvStatus status = zi_element_list(reading, element, key, list);
    if (status < 0 || !*list || (*list)->count == n) return status;
    char reason[120];
    snprintf(reason, sizeof reason, "has %d row%s, but stiffness is for %d mode%s; write one row for each",
             (*list)->count, (*list)->count == 1 ? "" : "s", n, n == 1 ? "" : "s");
    return zi_element_refuse(reading, element, key, reason);
}

/* "row 2 of mass of modal of link ..." */
static const char *row_of(const ziElement *element, const char *key, int row, char what[ZI_WHAT]) {
    char place[64];
    snprintf(place, sizeof place, "row %d of %s", row + 1, key);
    return zi_element_what(element, place, what);
}

zvStatus zi_native_square(const ziReading *reading, const ziElement *element, const char *key, int n, ziArena *arena,
                          const double **matrix) {
    const zvNode *list = NULL;
    zvStatus status = list_of_modes(reading, element, key, n, &list);
    if (status < 0 || !list) return status;
    const bool diagonal = list->items[0]->kind == ZV_NODE_SCALAR;
    double *A = zi_native_room(reading, element, arena, n * n, sizeof *A);
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
                "%s has %d number%s, but stiffness is for %d mode%s; write a matrix of %d x %d, or %d number%s "
                "for a diagonal one",
                what, row->count, row->count == 1 ? "" : "s", n, n == 1 ? "" : "s", n, n, n, n == 1 ? "" : "s");
        } else {
            status = zv_node_numbers(row, what, n, A + i * n, reading->error);
        }
    }
    return status;
}

zvStatus zi_native_triples(const ziReading *reading, const ziElement *element, const char *key, int n, ziArena *arena,
                           const double **rows) {
    const zvNode *list = NULL;
    zvStatus status = list_of_modes(reading, element, key, n, &list);
    if (status < 0 || !list) return status;
    double *values = zi_native_room(reading, element, arena, 3 * n, sizeof *values);
    if (!values) return ZV_MEMORY;
    *rows = values;
    char what[ZI_WHAT];
    for (int i = 0; i < n && status >= 0; i++)
        status = zv_node_numbers(list->items[i], row_of(element, key, i, what), 3, values + 3 * i, reading->error);
    return status;
}

zvStatus zi_native_mode_rows(const ziReading *reading, const ziElement *element, const char *key, int n, ziArena *arena,
                             const double **rows) {
    const zvNode *list = NULL;
    zvStatus status = list_of_modes(reading, element, key, n, &list);
    if (status < 0 || !list) return status;
    double *values = zi_native_room(reading, element, arena, 6 * n, sizeof *values);
    if (!values) return ZV_MEMORY;
    *rows = values;
    char what[ZI_WHAT];
    for (int i = 0; i < n && status >= 0; i++) {
        const zvNode *row = list->items[i];
        row_of(element, key, i, what);
        if (row->kind == ZV_NODE_LIST && row->count != 3 && row->count != 6) {
            return zv_fail(reading->error, ZV_SCHEMA, row->mark, "[...]",
                           "%s has %d number%s; write 3 (displacement) or 6 (displacement and rotation)", what,
                           row->count, row->count == 1 ? "" : "s");
        }
        status = zv_node_numbers(row, what, row->kind == ZV_NODE_LIST ? row->count : 6, values + 6 * i, reading->error);
    }
    return status;
}

static zvStatus need_place(const ziReading *reading, const ziElement *element) {
    zvStatus status = zi_element_need(reading, element, "at", "at: [x, y, z] in the link frame");
    return status < 0 ? status
                      : zi_element_need(reading, element, "shape", "shape, one row of 3 or 6 numbers per mode");
}

static zvStatus read_node(const ziReading *reading, const ziElement *element, int n, ziArena *arena,
                          zvModalNode *node) {
    zvStatus status = need_place(reading, element);
    if (status < 0) return status;
    if ((status = zi_element_need(reading, element, "mass", "mass, in kg")) < 0) return status;
    if ((status = zi_element_numbers(reading, element, "at", 3, node->at)) < 0) return status;
    if ((status = zi_element_number(reading, element, "mass", &node->mass)) < 0) return status;
    if ((status = zi_native_moments(reading, element, node->moment)) < 0) return status;
    return zi_native_mode_rows(reading, element, "shape", n, arena, &node->shape);
}

static zvStatus read_nodes(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    static const char *const keys[] = {"at", "mass", "inertia", "shape"};
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, element, "nodes", &list);
    if (status < 0 || !list) return status;
    if (list->count == 0) {
        return zi_element_refuse(reading, element, "nodes", "is empty; add nodes, or mass and the integrals instead");
    }
    zvModalNode *nodes = zi_native_room(reading, element, arena, list->count, sizeof *nodes);
    if (!nodes) return ZV_MEMORY;
    modal->nodes = nodes;
    modal->node_count = list->count;
    for (int i = 0; i < list->count && status >= 0; i++) {
        char kind[ZI_WHAT];
        snprintf(kind, sizeof kind, "node %d of %s", i + 1, element->kind);
        ziElement node = {list->items[i], kind, element->name};
        char what[ZI_WHAT];
        status = zv_node_only(node.node, zi_element_what(&node, NULL, what), keys, 4, reading->error);
        if (status >= 0) status = read_node(reading, &node, modal->count, arena, &nodes[i]);
    }
    return status;
}

static zvStatus read_interface(const ziReading *reading, const ziElement *element, int n, ziArena *arena,
                               zvModalInterface *place) {
    zvStatus status = need_place(reading, element);
    const char *name = NULL;
    if (status >= 0) status = zi_element_need(reading, element, "name", "name, a word for error texts");
    if (status >= 0) status = zi_element_text(reading, element, "name", &name);
    if (status < 0) return status;
    if (!(place->name = zi_arena_text(arena, name)))
        return zv_fail(reading->error, ZV_MEMORY, element->node->mark, "", "no memory for the interfaces of a link");
    if ((status = zi_element_numbers(reading, element, "at", 3, place->at)) < 0) return status;
    return zi_native_mode_rows(reading, element, "shape", n, arena, &place->shape);
}

static zvStatus read_interfaces(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    static const char *const keys[] = {"name", "at", "shape"};
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, element, "interfaces", &list);
    if (status < 0 || !list || list->count == 0) return status;
    zvModalInterface *places = zi_native_room(reading, element, arena, list->count, sizeof *places);
    if (!places) return ZV_MEMORY;
    modal->interfaces = places;
    modal->interface_count = list->count;
    for (int i = 0; i < list->count && status >= 0; i++) {
        char kind[ZI_WHAT], what[ZI_WHAT];
        snprintf(kind, sizeof kind, "interface %d of %s", i + 1, element->kind);
        ziElement place = {list->items[i], kind, element->name};
        status = zv_node_only(place.node, zi_element_what(&place, NULL, what), keys, 3, reading->error);
        if (status >= 0) status = read_interface(reading, &place, modal->count, arena, &places[i]);
    }
    return status;
}

zvStatus zi_native_modal_places(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    zvStatus status = read_nodes(reading, element, arena, modal);
    return status < 0 ? status : read_interfaces(reading, element, arena, modal);
}
