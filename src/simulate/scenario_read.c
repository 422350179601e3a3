/* What all sections of a scenario need: memory, files, places of failures, numbers with a sign. */
#include "simulate/scenario_read.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

zvStatus zv_scenario_no_memory(zvScenarioReader *reader) {
    return zv_fail(reader->error, ZV_MEMORY, (zvMark){reader->reading.file, 0, 0}, "",
                   "out of memory while reading the scenario");
}

void *zv_scenario_scratch(zvScenarioReader *reader, size_t count, size_t size) {
    void *room = count > SIZE_MAX / 2 / size ? NULL : zv_arena_alloc(&reader->scratch, count * size);
    if (!room) zv_scenario_no_memory(reader);
    return room;
}

/* FNV-1a */
void zv_scenario_hash(zvScenarioReader *reader, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) reader->hash = (reader->hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
}

zvStatus zv_scenario_blame(zvScenarioReader *reader, const zvElement *element, const zvNode *node, zvStatus status) {
    zvError *error = reader->error;
    if (status == ZV_MEMORY || error->file[0] || error->line > 0) return status;
    char text[sizeof error->text], token[sizeof error->token], what[ZV_WHAT];
    memcpy(text, error->text, sizeof text);
    memcpy(token, error->token, sizeof token);
    if (!token[0] && node->kind == ZV_NODE_SCALAR) snprintf(token, sizeof token, "%s", node->text);
    const bool named = element->name && strstr(text, element->name); /* says itself what it is about */
    return zv_fail(error, status, node->mark, token, "%s%s%s", named ? "" : zv_element_what(element, NULL, what),
                   named ? "" : ": ", text);
}

const char *zv_scenario_beside(zvScenarioReader *reader, const char *path) {
    const char *file = reader->reading.file, *slash = strrchr(file, '/');
    const size_t directory = path[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1, length = strlen(path);
    char *joined = zv_arena_alloc(&reader->scenario->arena, directory + length + 1);
    if (!joined) return zv_scenario_no_memory(reader), NULL;
    memcpy(joined, file, directory);
    memcpy(joined + directory, path, length + 1);
    zvInput *input = zv_arena_alloc(&reader->scenario->arena, sizeof *input);
    if (!input) return zv_scenario_no_memory(reader), NULL;
    *input = (zvInput){joined, reader->scenario->inputs};
    reader->scenario->inputs = input;
    return joined;
}

zvStatus zv_scenario_load(zvScenarioReader *reader, const zvNode *node, const char *what, const char **path,
                          zvSource *source) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, what, &name, reader->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, name, "%s must name a file; write its path", what);
    if (!(*path = zv_scenario_beside(reader, name))) return ZV_MEMORY;
    zvError inner = {0};
    if ((status = zv_source_load(*path, source, &inner)) < 0)
        return zv_fail(reader->error, status, node->mark, name, "%s cannot be read: %s (%.120s)", what, inner.text,
                       *path);
    zv_scenario_hash(reader, source->bytes, source->size);
    return ZV_OK;
}

zvStatus zv_scenario_bad_number(zvScenarioReader *reader, const zvElement *element, const char *key, double value,
                                const char *reason) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZV_WHAT];
    return zv_fail(reader->error, ZV_NUMBER, node->mark, node->kind == ZV_NODE_SCALAR ? node->text : "", "%s is %g; %s",
                   zv_element_what(element, key, what), value, reason);
}

zvStatus zv_scenario_positive(zvScenarioReader *reader, const zvElement *element, const char *key, double *value) {
    const zvStatus status = zv_element_number(&reader->reading, element, key, value);
    if (status < 0 || !zv_element_has(element, key) || *value > 0) return status;
    return zv_scenario_bad_number(reader, element, key, *value, "it must be greater than 0");
}

zvStatus zv_scenario_not_negative(zvScenarioReader *reader, const zvElement *element, const char *key, double *value) {
    const zvStatus status = zv_element_number(&reader->reading, element, key, value);
    if (status < 0 || !zv_element_has(element, key) || *value >= 0) return status;
    return zv_scenario_bad_number(reader, element, key, *value, "it must not be negative");
}
