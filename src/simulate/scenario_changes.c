/* Values of a scenario, and of its robot, that are changed from outside: by the command line, and by the scenario
 * itself in a robot file with parameters. */
#include "read/change.h"
#include "simulate/scenario_read.h"

#include <string.h>

/* Keys of a model that is a map. */
static const char *const model_keys[] = {"file", "inline", "base", "mimic", "parameters"};

static bool is_model_key(const char *path) {
    for (size_t i = 0; i < sizeof model_keys / sizeof *model_keys; i++) {
        const size_t length = strlen(model_keys[i]);
        if (strncmp(path, model_keys[i], length) == 0 && strchr(".=", path[length])) return true;
    }
    return false;
}

/* Texts in one, for as long as the scenario; NULL ends them. */
static const char *chain_texts(ziScenarioReader *reader, const char *const *texts) {
    size_t size = 1;
    for (int i = 0; texts[i]; i++) size += strlen(texts[i]);
    char *whole = zi_arena_alloc(&reader->scenario->arena, size), *end = whole;
    for (int i = 0; whole && texts[i]; i++) {
        const size_t length = strlen(texts[i]);
        memcpy(end, texts[i], length);
        end += length;
    }
    return whole;
}

/* NULL: memory ran out. */
static zvStatus keep_for_robot(ziScenarioReader *reader, const char *change) {
    if (!change) return zi_scenario_no_memory(reader);
    reader->robot_changes[reader->scenario->model_change_count++] = change;
    return ZV_OK;
}

/* Behind "model." comes a key of the scenario, or a path into the robot: into its file, or what is written in place. */
static zvStatus apply_change(ziScenarioReader *reader, zvDocument *document, const char *change) {
    const zvNode *model = zv_node_get(zv_document_root(document), "model");
    const char *path = change + strlen("model.");
    if (!zi_change_is_of(change, "model") || !strchr(change, '=') || !model)
        return zv_document_change(document, change, reader->error);
    if (model->kind == ZV_NODE_MAP && is_model_key(path)) return zv_document_change(document, change, reader->error);
    if (zv_node_get(model, "inline")) {
        const char *inner = chain_texts(reader, (const char *const[]){"model.inline.", path, NULL});
        return inner ? zv_document_change(document, inner, reader->error) : zi_scenario_no_memory(reader);
    }
    return keep_for_robot(reader, chain_texts(reader, (const char *const[]){path, NULL}));
}

enum { MOST_GIVEN = 256 };

/* The text of each is kept behind the others, closed by a line end. */
zvStatus zi_scenario_change(ziScenarioReader *reader, zvDocument *document, int count, const char *const *changes) {
    size_t size = 1;
    for (int i = 0; i < count; i++) size += strlen(changes[i]) + 1;
    char *text = zi_arena_alloc(&reader->scenario->arena, size), *end = text;
    if (!text) return zi_scenario_no_memory(reader);
    reader->scenario->changes = text;
    const size_t most = (size_t)count + MOST_GIVEN;
    reader->robot_changes = zi_arena_alloc(&reader->scenario->arena, most * sizeof *reader->robot_changes);
    if (!reader->robot_changes) return zi_scenario_no_memory(reader);
    reader->scenario->model_changes = reader->robot_changes;
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(changes[i]);
        memcpy(end, changes[i], length);
        end += length;
        *end++ = '\n';
        const zvStatus status = apply_change(reader, document, changes[i]);
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* Texts keep their quotes, so that they stay texts. */
zvStatus zi_scenario_give_parameters(ziScenarioReader *reader, const ziNamedMap *model) {
    const zvNode *map = zv_node_get(model->node, "parameters");
    char found[ZI_FOUND_SIZE];
    if (!map) return ZV_OK;
    if (map->kind != ZV_NODE_MAP || map->count > MOST_GIVEN || zv_node_get(model->node, "inline"))
        return zv_fail(reader->error, ZV_SCHEMA, map->mark, "parameters",
                       "parameters of the model: expected a map of at most %d values for those of its file, found %s",
                       MOST_GIVEN,
                       zv_node_get(model->node, "inline") ? "them beside inline" : zi_node_found(map, found));
    for (int i = 0; i < map->count; i++) {
        const zvNode *value = map->items[i];
        if (value->kind != ZV_NODE_SCALAR)
            return zv_fail(reader->error, ZV_SCHEMA, value->mark, map->keys[i],
                           "parameter \"%.60s\" of the model: expected a number or a text, found %s", map->keys[i],
                           zi_node_found(value, found));
        const char *quote = value->quoted ? "'" : "";
        const char *kept = chain_texts(
            reader, (const char *const[]){"parameters.", map->keys[i], "=", quote, value->text, quote, NULL});
        const zvStatus status = keep_for_robot(reader, kept);
        if (status < 0) return status;
    }
    return ZV_OK;
}
