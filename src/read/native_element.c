/* Elements of native files: maps whose keys and values are checked and named in error texts. */
#include "read/native_element.h"

#include <stdio.h>
#include <string.h>

#include "read/meant.h"
#include "read/text.h"

const char *zi_element_what(const ziElement *element, const char *key, char what[ZI_WHAT]) {
    const char *of = key ? " of " : "";
    if (element->name) {
        char quote[ZI_QUOTE_SIZE];
        zi_text_quote(quote, element->name, strlen(element->name));
        snprintf(what, ZI_WHAT, "%s%s%s \"%s\"", key ? key : "", of, element->kind, quote);
    } else {
        snprintf(what, ZI_WHAT, "%s%s%s", key ? key : "", of, element->kind);
    }
    return what;
}

zvMark zi_reading_mark(const ziReading *reading, zvMark mark) {
    mark.file = reading->file;
    return mark;
}

static const char *node_token(const zvNode *node) {
    switch (node->kind) {
    case ZV_NODE_SCALAR: return node->text;
    case ZV_NODE_LIST: return "[...]";
    case ZV_NODE_MAP: return "{...}";
    }
    return "";
}

static zvStatus need_map(const ziReading *reading, const zvNode *node, const char *what) {
    if (node->kind == ZV_NODE_MAP) return ZV_OK;
    return zv_fail(reading->error, ZV_SCHEMA, node->mark, node_token(node), "%s must be a map; write key: value pairs",
                   what);
}

static zvStatus missing(const ziReading *reading, const ziElement *element, const char *key, const char *advice) {
    char what[ZI_WHAT];
    return zv_fail(reading->error, ZV_SCHEMA, element->node->mark, key, "%s has no %s; add %s",
                   zi_element_what(element, NULL, what), key, advice);
}

zvStatus zi_element_open(const ziReading *reading, const zvNode *node, const char *kind, const char *name_key,
                         const char *const *keys, size_t count, ziElement *element) {
    *element = (ziElement){node, kind, NULL};
    char what[ZI_WHAT];
    zvStatus status = need_map(reading, node, zi_element_what(element, NULL, what));
    if (status < 0) return status;
    if (name_key && zi_element_has(element, name_key)) {
        const char *name = NULL;
        status = zi_element_text(reading, element, name_key, &name);
        if (status < 0) return status;
        element->name = name;
    }
    status = zv_node_only(node, zi_element_what(element, NULL, what), keys, count, reading->error);
    if (status < 0) return status;
    if (name_key && !element->name) return missing(reading, element, name_key, "it, followed by a name");
    return ZV_OK;
}

zvStatus zi_element_part(const ziReading *reading, const ziElement *element, const char *key, const char *kind,
                         const char *const *keys, size_t count, ziElement *part) {
    *part = (ziElement){zv_node_get(element->node, key), kind, element->name};
    if (!part->node) return ZV_OK;
    char what[ZI_WHAT];
    zi_element_what(part, NULL, what);
    zvStatus status = need_map(reading, part->node, what);
    return status < 0 ? status : zv_node_only(part->node, what, keys, count, reading->error);
}

bool zi_element_has(const ziElement *element, const char *key) { return zv_node_get(element->node, key) != NULL; }

zvStatus zi_element_need(const ziReading *reading, const ziElement *element, const char *key, const char *advice) {
    return zi_element_has(element, key) ? ZV_OK : missing(reading, element, key, advice);
}

zvStatus zi_element_number(const ziReading *reading, const ziElement *element, const char *key, double *value) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zv_node_number(node, zi_element_what(element, key, what), value, reading->error) : ZV_OK;
}

zvStatus zi_element_numbers(const ziReading *reading, const ziElement *element, const char *key, int count,
                            double *values) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zv_node_numbers(node, zi_element_what(element, key, what), count, values, reading->error) : ZV_OK;
}

zvStatus zi_element_bool(const ziReading *reading, const ziElement *element, const char *key, bool *value) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zv_node_bool(node, zi_element_what(element, key, what), value, reading->error) : ZV_OK;
}

zvStatus zi_element_text(const ziReading *reading, const ziElement *element, const char *key, const char **value) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return node ? zv_node_text(node, zi_element_what(element, key, what), value, reading->error) : ZV_OK;
}

/* "fixed, revolute or prismatic" */
static void join_words(const char *const *words, size_t count, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        int length = snprintf(text + used, size - used, "%s%s", before, words[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

zvStatus zi_element_word(const ziReading *reading, const ziElement *element, const char *key, const char *const *words,
                         size_t count, int *choice) {
    const char *word = NULL;
    zvStatus status = zi_element_text(reading, element, key, &word);
    if (status < 0 || !word) return status;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *choice = (int)i;
        return ZV_OK;
    }
    char what[ZI_WHAT], list[ZI_WHAT], meant[80] = "";
    const char *nearest = zi_meant_name(word, words, count);
    join_words(words, count, list, sizeof list);
    if (nearest) snprintf(meant, sizeof meant, " (did you mean %s?)", nearest);
    return zv_fail(reading->error, ZV_SCHEMA, zv_node_get(element->node, key)->mark, word,
                   "%s is \"%.60s\"%s; it can be %s", zi_element_what(element, key, what), word, meant, list);
}

zvStatus zi_element_list(const ziReading *reading, const ziElement *element, const char *key, const zvNode **list) {
    const zvNode *node = zv_node_get(element->node, key);
    if (!node) return ZV_OK;
    char what[ZI_WHAT];
    if (node->kind != ZV_NODE_LIST) {
        return zv_fail(reading->error, ZV_SCHEMA, node->mark, node_token(node),
                       "%s must be a list; write its items on lines that begin with \"- \"",
                       zi_element_what(element, key, what));
    }
    *list = node;
    return ZV_OK;
}

zvStatus zi_element_refuse(const ziReading *reading, const ziElement *element, const char *key, const char *reason) {
    const zvNode *node = zv_node_get(element->node, key);
    char what[ZI_WHAT];
    return zv_fail(reading->error, ZV_SCHEMA, node->mark, node_token(node), "%s %s",
                   zi_element_what(element, key, what), reason);
}

zvSpot zi_element_spot(const ziElement *element, const char *key) {
    const zvNode *node = zv_node_get(element->node, key);
    return node ? (zvSpot){node->mark.line, node->mark.column} : (zvSpot){0};
}
