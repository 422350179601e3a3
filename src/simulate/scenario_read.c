/* What all sections of a scenario need: memory, files, places of failures, numbers with a sign. */
#include "simulate/scenario_read.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

zvStatus zi_scenario_no_memory(ziScenarioReader *reader) {
    return zv_fail(reader->error, ZV_MEMORY, (zvMark){reader->reading.file, 0, 0}, "",
                   "out of memory while reading the scenario");
}

void *zi_scenario_scratch(ziScenarioReader *reader, size_t count, size_t size) {
    void *room = count > SIZE_MAX / 2 / size ? NULL : zi_arena_alloc(&reader->scratch, count * size);
    if (!room) zi_scenario_no_memory(reader);
    return room;
}

/* FNV-1a */
void zi_scenario_hash(ziScenarioReader *reader, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) reader->hash = (reader->hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
}

zvStatus zi_scenario_blame(ziScenarioReader *reader, const ziElement *element, const zvNode *node, zvStatus status) {
    zvError *error = reader->error;
    if (status == ZV_MEMORY || error->file[0] || error->line > 0) return status;
    char text[sizeof error->text], token[sizeof error->token], what[ZI_WHAT];
    memcpy(text, error->text, sizeof text);
    memcpy(token, error->token, sizeof token);
    if (!token[0] && node->kind == ZV_NODE_SCALAR) snprintf(token, sizeof token, "%s", node->text);
    const bool named = element->name && strstr(text, element->name); /* says itself what it is about */
    return zv_fail(error, status, node->mark, token, "%s%s%s", named ? "" : zi_element_what(element, NULL, what),
                   named ? "" : ": ", text);
}

const char *zi_scenario_beside(ziScenarioReader *reader, const char *path) {
    const char *file = reader->reading.file, *slash = strrchr(file, '/');
    const size_t directory = path[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1, length = strlen(path);
    char *joined = zi_arena_alloc(&reader->scenario->arena, directory + length + 1);
    if (!joined) return zi_scenario_no_memory(reader), NULL;
    memcpy(joined, file, directory);
    memcpy(joined + directory, path, length + 1);
    ziInput *input = zi_arena_alloc(&reader->scenario->arena, sizeof *input);
    if (!input) return zi_scenario_no_memory(reader), NULL;
    *input = (ziInput){joined, reader->scenario->inputs};
    reader->scenario->inputs = input;
    return joined;
}

zvStatus zi_scenario_load(ziScenarioReader *reader, const zvNode *node, const char *what, const char **path,
                          ziSource *source) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, what, &name, reader->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, name, "%s must name a file; write its path", what);
    if (!(*path = zi_scenario_beside(reader, name))) return ZV_MEMORY;
    zvError inner = {0};
    if ((status = zi_source_load(*path, source, &inner)) < 0)
        return zv_fail(reader->error, status, node->mark, name, "%s cannot be read: %s (%.120s)", what, inner.text,
                       *path);
    zi_scenario_hash(reader, source->bytes, source->size);
    return ZV_OK;
}

zvStatus zi_scenario_bad_number(ziScenarioReader *reader, const ziElement *element, const char *key, double value,
                                const char *reason) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return zv_fail(reader->error, ZV_NUMBER, node->mark, node->kind == ZV_NODE_SCALAR ? node->text : "", "%s is %g; %s",
                   zi_element_what(element, key, what), value, reason);
}

zvStatus zi_scenario_positive(ziScenarioReader *reader, const ziElement *element, const char *key, double *value) {
    const zvStatus status = zi_element_number(&reader->reading, element, key, value);
    if (status < 0 || !zi_element_has(element, key) || *value > 0) return status;
    return zi_scenario_bad_number(reader, element, key, *value, "it must be greater than 0");
}

zvStatus zi_scenario_not_negative(ziScenarioReader *reader, const ziElement *element, const char *key, double *value) {
    const zvStatus status = zi_element_number(&reader->reading, element, key, value);
    if (status < 0 || !zi_element_has(element, key) || *value >= 0) return status;
    return zi_scenario_bad_number(reader, element, key, *value, "it must not be negative");
}
