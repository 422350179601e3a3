/* Values of parameters in their places, and items of lists written out. Nodes are never written to: what holds no
 * expression is shared with the document as it was read. */
#include "read/parameters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/text.h"

enum { MOST_NODES = 4 * 1000 * 1000, MOST_TURNS = 1000 * 1000, DEEPEST = 128, LONGEST_TEXT = 4096 };

/* Scalars ----------------------------------------------------------------------------------------- */

/* Keys whose numbers have one unit whatever the joint or link, to be held against those of expressions. */
static const struct {
    const char *key;
    ziUnit unit;
} keys_with_units[] = {{"mass", {1, 0, 0}},     {"com", {0, 1, 0}},      {"xyz", {0, 1, 0}},  {"length", {0, 1, 0}},
                       {"radius", {0, 1, 0}},   {"inertia", {1, 2, 0}},  {"rpy", {0, 0, 0}},  {"gravity", {0, 1, -2}},
                       {"density", {1, -3, 0}}, {"E", {1, -1, -2}},      {"G", {1, -1, -2}},  {"duration", {0, 0, 1}},
                       {"start", {0, 0, 1}},    {"interval", {0, 0, 1}}, {"step", {0, 0, 1}}, {"max_step", {0, 0, 1}}};

/* Numbers without a unit are taken for those the key wants. */
static zvStatus check_unit(const ziExpansion *x, const zvNode *node, const char *key, ziUnit unit) {
    char wanted[ZI_UNIT_SIZE], found[ZI_UNIT_SIZE];
    if (!key || zi_unit_is(unit, (ziUnit){0, 0, 0})) return ZV_OK;
    for (size_t i = 0; i < sizeof keys_with_units / sizeof *keys_with_units; i++) {
        if (strcmp(keys_with_units[i].key, key) != 0 || zi_unit_is(keys_with_units[i].unit, unit)) continue;
        return zv_fail(x->error, ZV_NUMBER, node->mark, node->text, "%s: expected a number in %s, found one in %s", key,
                       zi_unit_text(keys_with_units[i].unit, wanted), zi_unit_text(unit, found));
    }
    return ZV_OK;
}

/* As the readers of numbers, words and truth values want them: 3, not 3.0, also where 6/2 was written. */
static const char *written(const ziExpressionValue *value, char buffer[40]) {
    if (value->kind == ZI_EXPRESSION_BOOL) return value->number != 0 ? "true" : "false";
    const char *text = zi_expression_text(value, buffer);
    const size_t length = strlen(text);
    if (value->kind == ZI_EXPRESSION_FLOAT && length > 2 && strcmp(text + length - 2, ".0") == 0)
        buffer[length - 2] = '\0';
    return text;
}

/* The end of an expression that begins behind "$(", at its bracket; NULL: it has none. */
static const char *closing_bracket(const char *p) {
    int open = 1;
    char quote = '\0';
    for (; *p; p++) {
        if (quote) {
            if (*p == quote) quote = '\0';
        } else if (*p == '"' || *p == '\'') {
            quote = *p;
        } else if (*p == '(') {
            open++;
        } else if (*p == ')' && --open == 0) {
            return p;
        }
    }
    return NULL;
}

/* One expression of a scalar, appended to its text. */
static zvStatus append_value(ziExpansion *x, const zvNode *node, const char *key, const char *at, const char *end,
                             char *text, size_t *used, bool *is_text) {
    ziExpressionValue value;
    char buffer[40];
    zvStatus status = zi_expansion_evaluate(x, node, at, (size_t)(end - at), &value);
    if (status >= 0) status = check_unit(x, node, key, value.unit);
    if (status < 0) return status;
    const char *part = written(&value, buffer);
    *is_text |= value.kind == ZI_EXPRESSION_TEXT;
    const size_t length = strlen(part);
    if (*used + length >= LONGEST_TEXT)
        return zv_fail(x->error, ZV_SIZE, node->mark, node->text, "a text with parameters is longer than %d characters",
                       LONGEST_TEXT);
    memcpy(text + *used, part, length);
    *used += length;
    return ZV_OK;
}

/* A scalar with its expressions replaced. "$$(" is a "$(" that is none. */
static zvStatus expand_scalar(ziExpansion *x, const zvNode *node, const char *key, const zvNode **expanded) {
    char text[LONGEST_TEXT];
    size_t used = 0;
    bool is_text = false, whole = strncmp(node->text, "$(", 2) == 0;
    for (const char *p = node->text; *p;) {
        if (strncmp(p, "$(", 2) == 0) {
            const char *end = closing_bracket(p + 2);
            if (!end)
                return zv_fail(x->error, ZV_SYNTAX, zi_expansion_mark(node, p), p,
                               "expected a \")\" that ends the expression, found none");
            whole = whole && p == node->text && !end[1];
            const zvStatus status = append_value(x, node, key, p + 2, end, text, &used, &is_text);
            if (status < 0) return status;
            p = end + 1;
            continue;
        }
        if (strncmp(p, "$$(", 3) == 0) p++;
        if (used + 1 >= LONGEST_TEXT)
            return zv_fail(x->error, ZV_SIZE, node->mark, "", "a text with parameters is longer than %d characters",
                           LONGEST_TEXT);
        text[used++] = *p++;
    }
    zvNode *copy = zi_arena_alloc(&x->document->arena, sizeof *copy);
    if (!copy) return zi_expansion_no_memory(x);
    *copy = *node;
    copy->quoted = whole ? is_text : node->quoted;
    if (!(copy->text = zi_expansion_keep(x, text, used))) return zi_expansion_no_memory(x);
    *expanded = copy;
    return ZV_OK;
}

/* Lists and maps ---------------------------------------------------------------------------------- */

/* Members of a list on their way; they grow in the arena, by doubling. */
typedef struct Members {
    const zvNode **items;
    int count, capacity;
} Members;

/* Capacity doubles; what was smaller stays in the arena. */
static zvStatus add_member(ziExpansion *x, Members *members, const zvNode *node) {
    if (members->count == members->capacity) {
        const int wanted = 2 * members->capacity + 8;
        const zvNode **larger = zi_arena_alloc(&x->document->arena, (size_t)wanted * sizeof *larger);
        if (!larger) return zi_expansion_no_memory(x);
        if (members->count) memcpy(larger, members->items, (size_t)members->count * sizeof *larger);
        members->items = larger;
        members->capacity = wanted;
    }
    members->items[members->count++] = node;
    return ZV_OK;
}

static zvStatus expand_item(ziExpansion *x, const zvNode *item, const char *key, Members *members);

/* The items under `each`, in the place of the one that holds them. */
static zvStatus expand_each(ziExpansion *x, const zvNode *each, const char *key, Members *members) {
    if (each->kind != ZV_NODE_LIST) return expand_item(x, each, key, members);
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < each->count; i++) status = expand_item(x, each->items[i], key, members);
    return status;
}

/* A whole number between two parts of `i = first..last`. */
static zvStatus read_bound(ziExpansion *x, const zvNode *node, const char *at, const char *end, double *bound) {
    ziExpressionValue value;
    const zvStatus status = zi_expansion_evaluate(x, node, at, (size_t)(end - at), &value);
    if (status < 0) return status;
    *bound = value.number;
    const bool number = value.kind == ZI_EXPRESSION_INTEGER || value.kind == ZI_EXPRESSION_FLOAT;
    if (number && value.number == rint(value.number) && fabs(value.number) < 1e9) return ZV_OK;
    return zv_fail(x->error, ZV_NUMBER, zi_expansion_mark(node, at), node->text,
                   "for: expected whole numbers between which to count, found %.9g", value.number);
}

/* `i = first..last`: counter->name and both bounds. */
static zvStatus read_range(ziExpansion *x, const zvNode *node, ziCounter *counter, double bounds[2]) {
    const char *text = node->kind == ZV_NODE_SCALAR ? node->text : "";
    const char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL;
    counter->name = text;
    counter->length = strcspn(text, " =");
    if (!dots || !zi_is_parameter_name(text, counter->length) ||
        counter->length + strspn(text + counter->length, " ") != (size_t)(equals - text)) {
        char found[ZI_FOUND_SIZE];
        return zv_fail(x->error, ZV_SYNTAX, node->mark, text, "for: expected a range such as i = 1..n, found %s",
                       zi_node_found(node, found));
    }
    const zvStatus status = read_bound(x, node, equals + 1, dots, &bounds[0]);
    return status < 0 ? status : read_bound(x, node, dots + 2, text + strlen(text), &bounds[1]);
}

/* The counter is seen by what is under `each` alone. */
static zvStatus expand_for(ziExpansion *x, const zvNode *range, const zvNode *each, const char *key, Members *members) {
    ziCounter counter = {.outer = x->counters};
    double bounds[2] = {0, 0};
    zvStatus status = read_range(x, range, &counter, bounds);
    if (status < 0) return status;
    if (bounds[1] - bounds[0] >= MOST_TURNS)
        return zv_fail(x->error, ZV_SIZE, range->mark, range->text, "for: expected at most %d items, found more",
                       MOST_TURNS);
    for (counter.value = bounds[0]; status >= 0 && counter.value <= bounds[1]; counter.value++) {
        x->counters = &counter;
        status = expand_each(x, each, key, members);
        x->counters = counter.outer;
    }
    return status;
}

static zvStatus expand_if(ziExpansion *x, const zvNode *condition, const zvNode *each, const char *key,
                          Members *members) {
    ziExpressionValue value = {.kind = ZI_EXPRESSION_BOOL};
    char found[ZI_FOUND_SIZE];
    if (condition->kind != ZV_NODE_SCALAR)
        return zv_fail(x->error, ZV_SCHEMA, condition->mark, "", "if: expected a condition such as n > 2, found %s",
                       zi_node_found(condition, found));
    const zvStatus status = zi_expansion_evaluate(x, condition, condition->text, strlen(condition->text), &value);
    return status < 0 || !zi_expression_truth(&value) ? status : expand_each(x, each, key, members);
}

/* An item of a list: itself, or what `for` or `if` makes of `each`. */
static zvStatus expand_item(ziExpansion *x, const zvNode *item, const char *key, Members *members) {
    static const char *const names[] = {"for", "if", "each"};
    const zvNode *each = zv_node_get(item, "each"), *range = zv_node_get(item, "for"),
                 *condition = zv_node_get(item, "if");
    if (!range && !condition) {
        const zvNode *expanded = NULL;
        const zvStatus status = zi_expand_node(x, item, key, &expanded);
        return status < 0 ? status : add_member(x, members, expanded);
    }
    const zvStatus status = zv_node_only(item, "an item with for or if", names, 3, x->error);
    if (status < 0) return status;
    if (!each || (range && condition))
        return zv_fail(x->error, ZV_SCHEMA, item->mark, range ? "for" : "if",
                       "expected for or if, and each with the items that they are for, found %s",
                       each ? "both for and if" : "no each");
    if (++x->depth > DEEPEST)
        return zv_fail(x->error, ZV_SIZE, item->mark, "", "for and if are nested more than %d deep", DEEPEST);
    const zvStatus done =
        range ? expand_for(x, range, each, key, members) : expand_if(x, condition, each, key, members);
    x->depth--;
    return done;
}

/* A list in which nothing is written out or replaced stays the one it was. */
static zvStatus expand_list(ziExpansion *x, const zvNode *node, const char *key, const zvNode **expanded) {
    Members members = {0};
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < node->count; i++) status = expand_item(x, node->items[i], key, &members);
    bool same = status >= 0 && members.count == node->count;
    for (int i = 0; same && i < node->count; i++) same = members.items[i] == node->items[i];
    if (status < 0 || same) return status;
    zvNode *copy = zi_arena_alloc(&x->document->arena, sizeof *copy);
    if (!copy) return zi_expansion_no_memory(x);
    *copy = *node;
    copy->items = members.items;
    copy->count = members.count;
    *expanded = copy;
    return ZV_OK;
}

/* Its own copy begins with the first member that is replaced. */
static zvStatus expand_map(ziExpansion *x, const zvNode *node, const zvNode **expanded) {
    const zvNode **items = NULL;
    for (int i = 0; i < node->count; i++) {
        const zvNode *item = node->items[i];
        const zvStatus status = zi_expand_node(x, node->items[i], node->keys[i], &item);
        if (status < 0) return status;
        if (item != node->items[i] && !items) {
            items = zi_arena_alloc(&x->document->arena, (size_t)node->count * sizeof *items);
            if (!items) return zi_expansion_no_memory(x);
            memcpy(items, node->items, (size_t)node->count * sizeof *items);
        }
        if (items) items[i] = item;
    }
    if (!items) return ZV_OK;
    zvNode *copy = zi_arena_alloc(&x->document->arena, sizeof *copy);
    if (!copy) return zi_expansion_no_memory(x);
    *copy = *node;
    copy->items = items;
    *expanded = copy;
    return ZV_OK;
}

zvStatus zi_expand_node(ziExpansion *x, const zvNode *node, const char *key, const zvNode **expanded) {
    *expanded = node;
    if (++x->nodes > MOST_NODES)
        return zv_fail(x->error, ZV_SIZE, node->mark, "", "what is written out has more than %d values", MOST_NODES);
    if (node->kind == ZV_NODE_LIST) return expand_list(x, node, key, expanded);
    if (node->kind == ZV_NODE_MAP) return expand_map(x, node, expanded);
    return strstr(node->text, "$(") ? expand_scalar(x, node, key, expanded) : ZV_OK;
}
