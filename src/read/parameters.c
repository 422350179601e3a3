/* Parameters of documents: their names and values. */
#include "read/parameters.h"

#include <stdio.h>
#include <string.h>

#include "base/require.h"
#include "read/text.h"

enum { MOST_AHEAD = 16 }; /* parameters that need one below, which needs one below, ... */

typedef enum ParameterState { UNKNOWN, BUSY, KNOWN } ParameterState;

struct ziParameter {
    const char *name;
    const zvNode *node;
    ziExpressionValue value;
    ParameterState state;
};

zvStatus zi_expansion_no_memory(const ziExpansion *x) {
    return zv_fail(x->error, ZV_MEMORY, (zvMark){x->document->name, 0, 0}, "", "out of memory for the parameters");
}

/* Expressions ------------------------------------------------------------------------------------- */

/* Of counters and parameters; those not known yet are evaluated on the way. */
static bool look_up(void *context, const char *name, size_t length, ziExpressionValue *value,
                    char fault[ZI_EXPRESSION_FAULT]) {
    ziExpansion *x = context;
    char quote[64];
    snprintf(quote, sizeof quote, "%.*s", (int)(length < 63 ? length : 63), name);
    for (const ziCounter *c = x->counters; c; c = c->outer) {
        if (c->length != length || memcmp(c->name, name, length) != 0) continue;
        *value = (ziExpressionValue){.kind = ZI_EXPRESSION_INTEGER, .number = c->value};
        return true;
    }
    for (int i = 0; i < x->count; i++) {
        ziParameter *p = &x->parameters[i];
        if (strlen(p->name) != length || memcmp(p->name, name, length) != 0) continue;
        if (p->state == BUSY) {
            snprintf(fault, ZI_EXPRESSION_FAULT, "the parameter \"%s\" needs itself", quote);
            return false;
        }
        if (p->state == UNKNOWN && x->ahead == MOST_AHEAD) {
            snprintf(fault, ZI_EXPRESSION_FAULT,
                     "more than %d parameters need one another; write those first that others need", MOST_AHEAD);
            return false;
        }
        if (p->state == UNKNOWN) {
            const ziCounter *counters = x->counters;
            p->state = BUSY;
            x->ahead++;
            x->counters = NULL;
            const zvStatus status = zi_expansion_evaluate(x, p->node, p->node->text, strlen(p->node->text), &p->value);
            x->counters = counters;
            x->ahead--;
            fault[0] = '\0'; /* the error is told already */
            if (status < 0) return false;
            p->state = KNOWN;
        }
        *value = p->value;
        return true;
    }
    const char **names = zi_arena_alloc(&x->document->arena, ((size_t)x->count + 1) * sizeof *names);
    for (int i = 0; names && i < x->count; i++) names[i] = x->parameters[i].name;
    const char *near = names ? zv_nearest_name(quote, names, (size_t)x->count) : NULL;
    if (near)
        snprintf(fault, ZI_EXPRESSION_FAULT, "there is no parameter \"%s\"; did you mean \"%.60s\"?", quote, near);
    else
        snprintf(fault, ZI_EXPRESSION_FAULT, "there is no parameter \"%s\"", quote);
    return false;
}

const char *zi_expansion_keep(void *context, const char *text, size_t length) {
    ziExpansion *x = context;
    char *copy = zi_arena_alloc(&x->document->arena, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

zvMark zi_expansion_mark(const zvNode *node, const char *at) {
    zvMark mark = node->mark;
    if (!strchr(node->text, '\n') && at >= node->text) mark.column += (int)(at - node->text) + node->quoted;
    return mark;
}

/* A parameter in quotes is a text as it stands; a fault of one that this one needs is told in its place. */
zvStatus zi_expansion_evaluate(ziExpansion *x, const zvNode *node, const char *text, size_t length,
                               ziExpressionValue *value) {
    const ziExpressionNames names = {look_up, zi_expansion_keep, x, true};
    char fault[ZI_EXPRESSION_FAULT], quote[ZI_QUOTE_SIZE];
    if (node->quoted && text == node->text) { /* a parameter that is a text */
        *value = (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = text};
        return ZV_OK;
    }
    if (zi_expression_evaluate(text, length, &names, value, fault)) return ZV_OK;
    if (x->error && x->error->status < 0) return x->error->status; /* of a parameter that this one needs */
    return zv_fail(x->error, ZV_NUMBER, zi_expansion_mark(node, text), zi_text_quote(quote, text, length),
                   "\"%s\": expected an expression with a value, found that %s", quote, fault);
}

bool zi_is_parameter_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
    }
    return length > 0;
}

/* The document ------------------------------------------------------------------------------------ */

/* Names are words of their own: those that expressions know already are refused. */
static zvStatus open_parameters(ziExpansion *x, const zvNode *map) {
    static const char *const taken[] = {"pi",  "e",    "tau",   "if",   "else",  "and",  "or",
                                        "not", "True", "False", "true", "false", "None", "math"};
    x->parameters = zi_arena_alloc(&x->document->arena, ((size_t)map->count + 1) * sizeof *x->parameters);
    if (!x->parameters) return zi_expansion_no_memory(x);
    for (x->count = 0; x->count < map->count; x->count++) {
        const char *name = map->keys[x->count];
        const zvNode *node = map->items[x->count];
        bool good = zi_is_parameter_name(name, strlen(name));
        for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) good = good && strcmp(name, taken[i]) != 0;
        if (!good)
            return zv_fail(x->error, ZV_NAME, map->key_marks[x->count], name,
                           "expected a name of letters, digits and _ for a parameter, which expressions do not know "
                           "otherwise, found \"%.60s\"",
                           name);
        if (node->kind != ZV_NODE_SCALAR || (!node->quoted && !node->text[0])) {
            char found[ZI_FOUND_SIZE];
            return zv_fail(x->error, ZV_SCHEMA, node->mark, name,
                           "parameter \"%.60s\": expected a number, an expression or a text in quotes, found %s", name,
                           zi_node_found(node, found));
        }
        x->parameters[x->count] = (ziParameter){.name = name, .node = node};
    }
    return ZV_OK;
}

/* All of them, used or not, so that a wrong one does not hide. */
static zvStatus evaluate_parameters(ziExpansion *x) {
    zvParameter *told = zi_arena_alloc(&x->document->arena, ((size_t)x->count + 1) * sizeof *told);
    if (!told) return zi_expansion_no_memory(x);
    for (int i = 0; i < x->count; i++) {
        ziParameter *p = &x->parameters[i];
        char fault[ZI_EXPRESSION_FAULT] = "", unit[ZI_UNIT_SIZE];
        ziExpressionValue value;
        if (!look_up(x, p->name, strlen(p->name), &value, fault))
            return x->error->status < 0 ? x->error->status
                                        : zv_fail(x->error, ZV_NUMBER, p->node->mark, p->name, "%s", fault);
        const char *kept = zi_expansion_keep(x, unit, strlen(zi_unit_text(value.unit, unit)));
        if (!kept) return zi_expansion_no_memory(x);
        told[i] =
            (zvParameter){p->name, p->node->text, value.kind != ZI_EXPRESSION_TEXT, value.number, kept, p->node->mark};
    }
    x->document->parameters = told;
    x->document->nparameter = x->count;
    return ZV_OK;
}

/* The root without the map that has done its work. */
static const zvNode *without(ziExpansion *x, const zvNode *root, const char *key) {
    const size_t count = (size_t)root->count;
    zvNode *copy = zi_arena_alloc(&x->document->arena, sizeof *copy);
    const zvNode **items = zi_arena_alloc(&x->document->arena, count * sizeof *items);
    const char **keys = zi_arena_alloc(&x->document->arena, count * sizeof *keys);
    zvMark *marks = zi_arena_alloc(&x->document->arena, count * sizeof *marks);
    if (!copy || !items || !keys || !marks) return NULL;
    *copy = *root;
    copy->count = 0;
    for (int i = 0; i < root->count; i++) {
        if (strcmp(root->keys[i], key) == 0) continue;
        items[copy->count] = root->items[i];
        keys[copy->count] = root->keys[i];
        marks[copy->count++] = root->key_marks[i];
    }
    copy->items = items;
    copy->keys = keys;
    copy->key_marks = marks;
    return copy;
}

bool zi_parameter_value(zvDocument *document, const char *name, ziExpressionValue *value) {
    zvError error = {0};
    char fault[ZI_EXPRESSION_FAULT];
    ziExpansion x = {.document = document, .error = &error};
    const zvNode *map = zv_node_get(document->root, "parameters");
    if (!map || map->kind != ZV_NODE_MAP || open_parameters(&x, map) < 0) return false;
    return look_up(&x, name, strlen(name), value, fault);
}

/* First the values, then their places; the map itself is gone after that. */
zvStatus zv_document_expand(zvDocument *document, zvError *error) {
    ZI_REQUIRE(document);
    zvError own = {0};
    ziExpansion x = {.document = document, .error = error ? error : &own};
    const zvNode *map = zv_node_get(document->root, "parameters"), *rest = NULL, *root = NULL;
    char found[ZI_FOUND_SIZE];
    if (!map) return ZV_OK;
    x.error->status = ZV_OK;
    const bool empty = map->kind == ZV_NODE_SCALAR && !map->quoted && !map->text[0];
    if (map->kind != ZV_NODE_MAP && !empty)
        return zv_fail(error, ZV_SCHEMA, map->mark, "parameters",
                       "parameters: expected a map from names to numbers and expressions, found %s",
                       zi_node_found(map, found));
    zvStatus status = empty ? ZV_OK : open_parameters(&x, map);
    if (status >= 0) status = evaluate_parameters(&x);
    if (status >= 0 && !(rest = without(&x, document->root, "parameters"))) status = zi_expansion_no_memory(&x);
    if (status >= 0) status = zi_expand_node(&x, rest, NULL, &root);
    if (status >= 0) document->root = root;
    return status;
}

int zv_document_nparameter(const zvDocument *document) {
    ZI_REQUIRE(document);
    return document->nparameter;
}

const zvParameter *zv_document_parameter(const zvDocument *document, int index) {
    ZI_REQUIRE(document);
    ZI_REQUIRE_INDEX(index, document->nparameter);
    return &document->parameters[index];
}
