/* Modes in the document of a page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "page/modes.h"
#include "zveno/document.h"

static zvStatus fail_memory(const zvNode *node, zvError *error) {
    return zv_fail(error, ZV_MEMORY, node->mark, "", "%s", zv_status_sentence(ZV_MEMORY));
}

/* Member of a map that must be there. */
static zvStatus need(const zvNode *map, const char *key, const zvNode **member, zvError *error) {
    *member = map->kind == ZV_NODE_MAP ? zv_node_get(map, key) : NULL;
    if (*member) return ZV_OK;
    return zv_fail(error, ZV_SCHEMA, map->mark, key, "the key \"%s\" is missing; zveno modes MODEL --json prints it",
                   key);
}

static zvStatus read_number(const zvNode *map, const char *key, double *value, zvError *error) {
    const zvNode *node;
    const zvStatus status = need(map, key, &node, error);
    return status < 0 ? status : zv_node_number(node, key, value, error);
}

/* The amplitude of one degree of freedom. */
static zvStatus read_part(const zvNode *map, const char *label, double *value, zvError *error) {
    const zvNode *node = zv_node_get(map, label);
    if (node) return zv_node_number(node, label, value, error);
    return zv_fail(error, ZV_NAME, map->mark, label,
                   "the shape does not tell \"%s\", which the robot of the recording has; are these its modes?", label);
}

/* By name, not by order: a file of another robot is recognised by a name that does not fit. */
static zvStatus read_shape(const zvNode *map, const zvModel *model, double *shape, zvError *error) {
    const int nv = zv_model_nv(model);
    if (map->kind != ZV_NODE_MAP)
        return zv_fail(error, ZV_SCHEMA, map->mark, "shape", "a shape names degrees of freedom: {joint1: 0.5, ...}");
    EntryCursor entry = entry_first(model, false);
    zvStatus status = ZV_OK;
    for (int i = 0; i < nv && status >= 0; i++, entry_next(&entry)) {
        Text label = {0};
        entry_label(&entry, &label);
        status = label.bytes ? read_part(map, label.bytes, &shape[i], error) : fail_memory(map, error);
        text_free(&label);
    }
    if (status < 0 || map->count == nv) return status;
    return zv_fail(error, ZV_SIZE, map->mark, "shape",
                   "the shape tells %d degrees of freedom, the robot of the recording has %d; are these its modes?",
                   map->count, nv);
}

static zvStatus read_mode(const zvNode *map, const zvModel *model, PageMode *mode, double *shape, zvError *error) {
    const zvNode *node;
    zvStatus status = need(map, "shape", &node, error);
    if (status >= 0) status = read_number(map, "frequency", &mode->frequency, error);
    if (status >= 0) status = read_number(map, "hertz", &mode->hertz, error);
    if (status >= 0) status = read_number(map, "damping", &mode->damping, error);
    return status < 0 ? status : read_shape(node, model, shape, error);
}

/* Frequencies, damping and shapes; memory for all of them at once. */
static zvStatus read_list(const zvNode *list, PageModes *m, zvError *error) {
    if (list->kind != ZV_NODE_LIST)
        return zv_fail(error, ZV_SCHEMA, list->mark, "modes", "modes are a list, as zveno modes MODEL --json prints");
    const size_t nv = (size_t)zv_model_nv(m->model), count = (size_t)list->count;
    m->modes = calloc(count + 1, sizeof *m->modes);
    m->shapes = calloc(count * nv + 1, sizeof *m->shapes);
    if (!m->modes || !m->shapes) return fail_memory(list, error);
    zvStatus status = ZV_OK;
    for (; m->count < list->count && status >= 0; m->count++)
        status =
            read_mode(list->items[m->count], m->model, &m->modes[m->count], m->shapes + (size_t)m->count * nv, error);
    return status;
}

/* Where the robot stands: "q", or "equilibrium", or the neutral position. */
static zvStatus read_state(const zvNode *map, PageModes *m, zvError *error) {
    const zvNode *node = zv_node_get(map, "q");
    const int nq = zv_model_nq(m->model);
    if (!node) node = zv_node_get(map, "equilibrium");
    if (!(m->q = calloc((size_t)nq + 1, sizeof *m->q))) return fail_memory(map, error);
    if (node) return zv_node_numbers(node, "the position of the modes", nq, m->q, error);
    zv_neutral(m->model, m->q);
    return ZV_OK;
}

/* What zveno modes --json wrote: one map, or a list with one. */
static zvStatus read_root(const char *path, const zvNode *root, PageModes *m, zvError *error) {
    const zvNode *joints, *list;
    const char *word;
    if (!root) return zv_fail(error, ZV_SCHEMA, (zvMark){.file = path}, "", "the file is empty; modes belong there");
    if (root->kind == ZV_NODE_LIST && root->count == 1) root = root->items[0];
    if (root->kind == ZV_NODE_LIST)
        return zv_fail(error, ZV_SCHEMA, root->mark, "", "modes of %d states; a page shows those of one", root->count);
    zvStatus status = need(root, "modes", &list, error);
    if (status >= 0) status = need(root, "joints", &joints, error);
    if (status >= 0) status = zv_node_text(joints, "joints", &word, error);
    if (status < 0) return status;
    snprintf(m->joints, sizeof m->joints, "%s", word);
    status = read_list(list, m, error);
    return status < 0 ? status : read_state(root, m, error);
}

zvStatus page_modes_read(const char *path, const zvModel *model, PageModes *modes, zvError *error) {
    zvDocument *document = NULL;
    *modes = (PageModes){.model = model};
    zvStatus status = zv_document_read_file(path, &document, error);
    if (status >= 0) status = read_root(path, zv_document_root(document), modes, error);
    zv_document_destroy(document);
    return status;
}

/* Position, frequencies, damping and shapes of the modes; null without --modes. */
void page_modes_json(const PageModes *m, Json *json) {
    if (!m->model) {
        json_text(json, NULL);
        return;
    }
    const size_t nv = (size_t)zv_model_nv(m->model);
    json_map(json, JSON_LINE);
    json_key(json, "q"), json_numbers(json, m->q, (size_t)zv_model_nq(m->model));
    json_key(json, "joints"), json_text(json, m->joints);
    json_key(json, "modes"), json_list(json, JSON_BLOCK);
    for (int k = 0; k < m->count; k++) {
        json_map(json, JSON_LINE);
        json_key(json, "frequency"), json_number(json, m->modes[k].frequency);
        json_key(json, "hertz"), json_number(json, m->modes[k].hertz);
        json_key(json, "damping"), json_number(json, m->modes[k].damping);
        json_key(json, "shape"), json_numbers(json, m->shapes + (size_t)k * nv, nv);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void page_modes_free(PageModes *modes) {
    free(modes->modes);
    free(modes->shapes);
    free(modes->q);
    *modes = (PageModes){0};
}
