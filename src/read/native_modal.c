/* Modal data of native files, in place or in a file of their own: what a finite-element reduction exports. */
#include <stdio.h>

#include "read/native_elastic.h"
#include "read/native_parts.h"

#define MODAL_KEYS "names", "mass", "stiffness", "damping", "nodes", "translation", "rotation", "interfaces"

/* The stiffness says how many modes there are; everything else has to agree. */
static zvStatus count_modes(const ziReading *reading, const ziElement *element, int *count) {
    zvStatus status =
        zi_element_need(reading, element, "stiffness", "stiffness, a matrix or a list of numbers, one for each mode");
    const zvNode *list = NULL;
    if (status >= 0) status = zi_element_list(reading, element, "stiffness", &list);
    if (status < 0) return status;
    *count = list->count;
    if (*count == 0) {
        return zi_element_refuse(reading, element, "stiffness", "is empty; write a number or row for each mode");
    }
    if (*count <= ZV_MAX_MODES) return ZV_OK;
    char reason[120];
    snprintf(reason, sizeof reason, "is for %d modes; a link has at most %d: keep the lowest ones", *count,
             ZV_MAX_MODES);
    return zi_element_refuse(reading, element, "stiffness", reason);
}

static zvStatus read_names(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, element, "names", &list);
    if (status < 0 || !list) return status;
    if (list->count != modal->count) {
        char reason[120];
        snprintf(reason, sizeof reason, "has %d entries, but stiffness is for %d mode%s; name each of them",
                 list->count, modal->count, modal->count == 1 ? "" : "s");
        return zi_element_refuse(reading, element, "names", reason);
    }
    const char **names = zi_native_room(reading, element, arena, list->count, sizeof *names);
    if (!names) return ZV_MEMORY;
    modal->names = names;
    char what[ZI_WHAT];
    zi_element_what(element, "a name", what);
    for (int i = 0; i < list->count; i++) {
        const char *name = NULL;
        if ((status = zv_node_text(list->items[i], what, &name, reading->error)) < 0) return status;
        if (!(names[i] = zi_arena_text(arena, name)))
            return zv_fail(reading->error, ZV_MEMORY, list->mark, "", "no memory for %s", what);
    }
    return ZV_OK;
}

static zvStatus read_damping(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    const zvNode *node = zv_node_get(element->node, "damping");
    if (node && node->kind == ZV_NODE_LIST) {
        return zi_native_square(reading, element, "damping", modal->count, arena, &modal->damping_matrix);
    }
    ziElement part;
    zvStatus status = zi_native_damping(reading, element, true, modal->count, arena, &part, &modal->damping);
    if (status < 0 || !part.node) return status;
    return zi_native_square(reading, &part, "matrix", modal->count, arena, &modal->damping_matrix);
}

/* Without nodes the integrals are given; with nodes they are sums over them. */
static zvStatus read_integrals(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    static const char *const keys[2] = {"translation", "rotation"};
    const double **const rows[2] = {&modal->translation, &modal->rotation};
    bool nodes = zi_element_has(element, "nodes");
    zvStatus status = ZV_OK;
    if (!nodes) status = zi_element_need(reading, element, "mass", "mass, the generalised mass, or nodes");
    for (int i = 0; i < 2 && status >= 0; i++) {
        if (nodes && zi_element_has(element, keys[i])) {
            return zi_element_refuse(reading, element, keys[i], "is summed over the nodes; remove it or them");
        }
        status = zi_native_triples(reading, element, keys[i], modal->count, arena, rows[i]);
    }
    if (status < 0) return status;
    return zi_native_square(reading, element, "mass", modal->count, arena, &modal->mass);
}

static zvStatus read_modal(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    zvStatus status = count_modes(reading, element, &modal->count);
    if (status < 0) return status;
    if ((status = read_names(reading, element, arena, modal)) < 0) return status;
    status = zi_native_square(reading, element, "stiffness", modal->count, arena, &modal->stiffness);
    if (status < 0) return status;
    if ((status = read_integrals(reading, element, arena, modal)) < 0) return status;
    if ((status = read_damping(reading, element, arena, modal)) < 0) return status;
    return zi_native_modal_places(reading, element, arena, modal);
}

static zvStatus read_document(const ziReading *reading, const ziElement *element, const zvNode *root, ziArena *arena,
                              zvModal *modal) {
    static const char *const keys[] = {MODAL_KEYS};
    char what[ZI_WHAT];
    const ziElement inner = {root, element->kind, element->name};
    zvStatus status =
        zv_node_only(root, zi_element_what(&inner, NULL, what), keys, sizeof keys / sizeof *keys, reading->error);
    return status < 0 ? status : read_modal(reading, &inner, arena, modal);
}

static zvStatus read_from_file(const ziReading *reading, const ziElement *element, ziArena *arena, zvModal *modal) {
    if (element->node->count != 1) {
        return zi_element_refuse(reading, element, "file",
                                 "stands beside other keys; put all of them into the file, or none");
    }
    ziSource source;
    const char *path = NULL;
    char what[ZI_WHAT];
    zvStatus status = zi_native_load(reading, zv_node_get(element->node, "file"),
                                     zi_element_what(element, "file", what), &path, &source);
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

zvStatus zi_native_modal(const ziReading *reading, const ziElement *link, ziArena *arena, const zvModal **out) {
    static const char *const keys[] = {MODAL_KEYS, "file"};
    ziElement element;
    zvStatus status =
        zi_element_part(reading, link, "modal", "modal of link", keys, sizeof keys / sizeof *keys, &element);
    if (status < 0) return status;
    zvModal *modal = zi_native_room(reading, &element, arena, 1, sizeof *modal);
    if (!modal) return ZV_MEMORY;
    *out = modal;
    return zi_element_has(&element, "file") ? read_from_file(reading, &element, arena, modal)
                                            : read_modal(reading, &element, arena, modal);
}
