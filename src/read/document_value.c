/* Values of document nodes: numbers, angles, words and lists, each refused with the place, what was expected and what
 * was found. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "read/document.h"
#include "read/text.h"
#include "zveno/document.h"

static const double PI = 3.14159265358979323846;

const zvNode *zv_node_get(const zvNode *map, const char *key) {
    ZI_REQUIRE(key);
    if (!map || map->kind != ZV_NODE_MAP) return NULL;
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->keys[i], key) == 0) return map->items[i];
    return NULL;
}

/* Lists and maps by their size, so that a wrong count shows; texts as a quote. */
const char *zi_node_found(const zvNode *node, char buffer[ZI_FOUND_SIZE]) {
    const size_t size = ZI_FOUND_SIZE;
    char quote[ZI_QUOTE_SIZE];
    if (node->kind == ZV_NODE_LIST) {
        snprintf(buffer, size, "a list of %d", node->count);
    } else if (node->kind == ZV_NODE_MAP) {
        snprintf(buffer, size, "a map of %d key%s", node->count, node->count == 1 ? "" : "s");
    } else if (node->text[0] == '\0') {
        snprintf(buffer, size, "nothing");
    } else {
        snprintf(buffer, size, "\"%s\"", zi_text_quote(quote, node->text, strlen(node->text)));
    }
    return buffer;
}

static const char *token_of(const zvNode *node) {
    return node->kind == ZV_NODE_LIST ? "[" : node->kind == ZV_NODE_MAP ? "{" : node->text;
}

static zvStatus refuse_value(const zvNode *node, zvStatus status, const char *what, const char *wanted,
                             zvError *error) {
    char found[ZI_FOUND_SIZE];
    return zv_fail(error, status, node->mark, token_of(node), "%s: expected %s, found %s", what, wanted,
                   zi_node_found(node, found));
}

/* Writes the names that belong somewhere, separated by commas, as far as they fit. */
static void list_names(char *buffer, size_t size, const char *const *names, size_t count) {
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t need = strlen(names[i]) + 2;
        if (used + need + 4 >= size) {
            strcpy(buffer + used, "...");
            return;
        }
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", names[i], i + 1 < count ? ", " : "");
    }
}

/* An unknown key, with the one that was probably meant, or with those there are. */
static zvStatus refuse_name(const zvNode *map, int index, const char *what, const char *const *names, size_t count,
                            zvError *error) {
    char quote[ZI_QUOTE_SIZE], known[256];
    const char *key = map->keys[index];
    zi_text_quote(quote, key, strlen(key));
    const char *nearest = zi_meant_name(key, names, count);
    if (nearest)
        return zv_fail(error, ZV_SCHEMA, map->key_marks[index], key,
                       "expected a key of %s, found \"%s\"; did you mean \"%s\"?", what, quote, nearest);
    list_names(known, sizeof known, names, count);
    return zv_fail(error, ZV_SCHEMA, map->key_marks[index], key, "expected a key of %s, found \"%s\"; its keys are %s",
                   what, quote, known);
}

zvStatus zv_node_only(const zvNode *map, const char *what, const char *const *names, size_t count, zvError *error) {
    ZI_REQUIRE(map && (names || !count));
    if (map->kind != ZV_NODE_MAP) return refuse_value(map, ZV_SCHEMA, what, "a map (key: value)", error);
    for (int i = 0; i < map->count; i++) {
        size_t n = 0;
        while (n < count && strcmp(map->keys[i], names[n]) != 0) n++;
        if (n == count) return refuse_name(map, i, what, names, count, error);
    }
    return ZV_OK;
}

/* Numbers ---------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *p) {
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* The rest of "... pi", "... pi/4": *value is the factor before and becomes the angle. */
static ziNumberFault scan_pi(const char *p, const char **end, double *value) {
    *end = p;
    if (strncmp(p, "pi", 2) != 0) return ZI_NUMBER_NONE;
    *value *= PI;
    *end = skip_blanks(p + 2);
    if (**end != '/') return ZI_NUMBER_GOOD;
    double divisor;
    const ziNumberFault fault = zi_number_scan(skip_blanks(*end + 1), end, &divisor);
    if (fault != ZI_NUMBER_GOOD) return fault;
    if (divisor == 0) return ZI_NUMBER_NONE;
    *value /= divisor;
    return ZI_NUMBER_GOOD;
}

/* number | number deg, of angles | [sign | number *] pi [/ number] */
static ziNumberFault scan_value(const char *text, bool angle, double *value) {
    const char *p = text, *end;
    const double sign = *p == '-' ? -1.0 : 1.0;
    const char *unsigned_part = *p == '-' || *p == '+' ? skip_blanks(p + 1) : p;
    ziNumberFault fault;
    if (strncmp(unsigned_part, "pi", 2) == 0) {
        *value = sign;
        fault = scan_pi(unsigned_part, &end, value);
    } else {
        fault = zi_number_scan(text, &end, value);
        if (fault != ZI_NUMBER_GOOD) return fault;
        p = skip_blanks(end);
        if (*p == '*') {
            fault = scan_pi(skip_blanks(p + 1), &end, value);
        } else if (angle && strncmp(p, "deg", 3) == 0) {
            *value *= PI / 180.0;
            end = p + 3;
        }
    }
    if (fault != ZI_NUMBER_GOOD) return fault;
    if (*skip_blanks(end) != '\0') return ZI_NUMBER_NONE;
    return isfinite(*value) ? ZI_NUMBER_GOOD : ZI_NUMBER_TOO_LARGE;
}

/* What to write instead of something that is no number; degrees where they cannot be meant are told apart. */
static const char *number_remedy(const zvNode *node, bool angle) {
    double unused;
    if (angle) return "; write a number such as 0.5, pi/2 or 30 deg";
    if (scan_value(node->text, true, &unused) == ZI_NUMBER_GOOD) return "; only angles are written in deg";
    return "; write a number such as 0.5";
}

/* A scalar as a finite number, also in multiples of pi. */
zvStatus zi_node_value(const zvNode *node, const char *what, bool angle, double *value, zvError *error) {
    if (node->kind != ZV_NODE_SCALAR || node->text[0] == '\0')
        return refuse_value(node, ZV_SCHEMA, what, "a number", error);
    char quote[ZI_QUOTE_SIZE];
    zi_text_quote(quote, node->text, strlen(node->text));
    if (node->quoted)
        return zv_fail(error, ZV_NUMBER, node->mark, node->text,
                       "%s: expected a number, found the text \"%s\"; write the number without quotes", what, quote);
    double found = 0;
    const ziNumberFault fault = scan_value(node->text, angle, &found);
    if (fault == ZI_NUMBER_GOOD) {
        *value = found;
        return ZV_OK;
    }
    return zv_fail(error, ZV_NUMBER, node->mark, node->text, "%s: expected %s, found \"%s\"%s", what,
                   zi_number_expected(fault), quote, fault == ZI_NUMBER_NONE ? number_remedy(node, angle) : "");
}

zvStatus zv_node_number(const zvNode *node, const char *what, double *value, zvError *error) {
    ZI_REQUIRE(node && value);
    return zi_node_value(node, what, false, value, error);
}

zvStatus zv_node_angle(const zvNode *node, const char *what, double *value, zvError *error) {
    ZI_REQUIRE(node && value);
    return zi_node_value(node, what, true, value, error);
}

/* A list of exactly so many numbers; an error is placed at the number that is wrong. */
zvStatus zi_node_values(const zvNode *node, const char *what, bool angles, int count, double *values, zvError *error) {
    char text[160];
    if (node->kind != ZV_NODE_LIST) {
        snprintf(text, sizeof text, "a list of %d numbers", count);
        return refuse_value(node, ZV_SCHEMA, what, text, error);
    }
    if (node->count != count)
        return zv_fail(error, ZV_SCHEMA, node->mark, "[", "%s: expected %d number%s, found %d; %s", what, count,
                       count == 1 ? "" : "s", node->count,
                       count == 3 ? "write [x, y, z]" : "write them in [ ] with commas between them");
    for (int i = 0; i < count; i++) {
        snprintf(text, sizeof text, "number %d of %.120s", i + 1, what);
        const zvStatus status = zi_node_value(node->items[i], text, angles, &values[i], error);
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

zvStatus zv_node_numbers(const zvNode *node, const char *what, int count, double *values, zvError *error) {
    ZI_REQUIRE(node && values);
    return zi_node_values(node, what, false, count, values, error);
}

/* Other values ------------------------------------------------------------------------------------ */

/* Digits only: 3.0 and 1e3 are refused, since whoever writes them may mean something else. */
zvStatus zv_node_integer(const zvNode *node, const char *what, int *value, zvError *error) {
    ZI_REQUIRE(node && value);
    static const char wanted[] = "a whole number";
    if (node->kind != ZV_NODE_SCALAR) return refuse_value(node, ZV_SCHEMA, what, wanted, error);
    const char *p = node->text;
    if (*p == '-' || *p == '+') p++;
    const size_t digits = strspn(p, "0123456789");
    if (node->quoted || digits == 0 || p[digits] != '\0') return refuse_value(node, ZV_NUMBER, what, wanted, error);
    long long number = 0;
    for (; *p && number <= INT_MAX; p++) number = 10 * number + (*p - '0');
    if (node->text[0] == '-') number = -number;
    if (number > INT_MAX || number < -INT_MAX)
        return refuse_value(node, ZV_NUMBER, what, "a whole number of at most nine digits", error);
    *value = (int)number;
    return ZV_OK;
}

zvStatus zv_node_bool(const zvNode *node, const char *what, bool *value, zvError *error) {
    ZI_REQUIRE(node && value);
    static const char *const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
    for (int i = 0; i < 6 && node->kind == ZV_NODE_SCALAR && !node->quoted; i++) {
        if (strcmp(node->text, words[i]) != 0) continue;
        *value = i % 2 == 1;
        return ZV_OK;
    }
    return refuse_value(node, ZV_SCHEMA, what, "true or false", error);
}

zvStatus zv_node_text(const zvNode *node, const char *what, const char **value, zvError *error) {
    ZI_REQUIRE(node && value);
    if (node->kind != ZV_NODE_SCALAR || (node->text[0] == '\0' && !node->quoted))
        return refuse_value(node, ZV_SCHEMA, what, "a word", error);
    *value = node->text;
    return ZV_OK;
}

/* Changes of single values by path. Nodes are never written to: the maps and lists on the way to the value are copied,
 * so that a value shared by aliases changes only where the path leads. */

enum { DEEPEST = 64 };

/* One map or list on the way. */
typedef struct PathStep {
    const zvNode *node; /* NULL: a map that is to be made */
    const char *key;    /* map: the key to go on with, in the arena */
    int index;          /* member; count of a map: to be added */
} PathStep;

typedef struct PathChange {
    zvDocument *document;
    const char *text; /* "--set path=value" */
    size_t lead;      /* characters of the text before the path */
    const char *path;
    PathStep steps[DEEPEST];
    int depth;
    zvError *error;
} PathChange;

static zvMark path_mark(const PathChange *change, const char *at) {
    return (zvMark){change->text, 1, (int)(change->lead + (size_t)(at - change->path)) + 1};
}

static zvStatus out_of_memory(const PathChange *change) {
    return zv_fail(change->error, ZV_MEMORY, (zvMark){change->text, 0, 0}, "", "out of memory while changing a value");
}

/* Finding the place ------------------------------------------------------------------------------- */

/* What a member is called in a path: by its key in a map, by its name in a list of maps; NULL: by nothing. */
static const char *member_name(const zvNode *node, int i) {
    if (node->kind == ZV_NODE_MAP) return node->keys[i];
    const zvNode *name = zv_node_get(node->items[i], "name");
    return name && name->kind == ZV_NODE_SCALAR ? name->text : NULL;
}

/* How much of rest is the next key: the longest name of a member that a dot or the end follows, else up to the next
 * dot. */
static size_t key_length(const zvNode *node, const char *rest) {
    size_t longest = 0;
    for (int i = 0; node && node->kind != ZV_NODE_SCALAR && i < node->count; i++) {
        const char *name = member_name(node, i);
        const size_t length = name ? strlen(name) : 0;
        if (length > longest && strncmp(rest, name, length) == 0 && strchr(".", rest[length])) longest = length;
    }
    return longest ? longest : strcspn(rest, ".");
}

/* Refuses a step that is no item: with the nearest name where items have names. */
static zvStatus refuse_item(const PathChange *change, const zvNode *list, const char *rest, size_t length) {
    char quote[ZI_QUOTE_SIZE];
    const char **names = zi_arena_alloc(&change->document->arena, ((size_t)list->count + 1) * sizeof *names);
    size_t count = 0;
    zi_text_quote(quote, rest, length);
    if (list->count == 0)
        return zv_fail(change->error, ZV_NAME, path_mark(change, rest), quote, "\"%s\" is no item: this list is empty",
                       quote);
    for (int i = 0; names && i < list->count; i++)
        if (member_name(list, i)) names[count++] = member_name(list, i);
    const char *near = names ? zv_nearest_name(quote, names, count) : NULL;
    if (near)
        return zv_fail(change->error, ZV_NAME, path_mark(change, rest), quote,
                       "\"%s\" is no item of this list; did you mean \"%s\"?", quote, near);
    return zv_fail(change->error, ZV_NAME, path_mark(change, rest), quote,
                   "\"%s\" is no item of this list; its items are numbered 0 to %d, or go by their names", quote,
                   list->count - 1);
}

/* The entry of a list that a step of the path names, by its name or its number. */
static zvStatus list_index(const PathChange *change, const zvNode *list, const char *rest, size_t length, int *index) {
    for (*index = 0; *index < list->count; ++*index) {
        const char *name = member_name(list, *index);
        if (name && strlen(name) == length && strncmp(rest, name, length) == 0) return ZV_OK;
    }
    const bool number = strspn(rest, "0123456789") >= length && length < 9;
    *index = number ? (int)strtol(rest, NULL, 10) : -1;
    return *index >= 0 && *index < list->count ? ZV_OK : refuse_item(change, list, rest, length);
}

static zvStatus map_index(PathChange *change, const zvNode *map, const char *rest, size_t length, PathStep *step) {
    char *key = zi_arena_alloc(&change->document->arena, length + 1);
    if (!key) return out_of_memory(change);
    memcpy(key, rest, length);
    *step = (PathStep){map, key, 0};
    while (map && step->index < map->count && strcmp(map->keys[step->index], key) != 0) step->index++;
    return ZV_OK;
}

/* One step from node along rest; *next is the member there, NULL when it is to be made. */
static zvStatus step_into(PathChange *change, const zvNode *node, const char *rest, size_t length,
                          const zvNode **next) {
    if (change->depth == DEEPEST)
        return zv_fail(change->error, ZV_SIZE, path_mark(change, rest), "", "the path has more than %d parts", DEEPEST);
    PathStep *step = &change->steps[change->depth++];
    *next = NULL;
    if (length == 0)
        return zv_fail(change->error, ZV_SYNTAX, path_mark(change, rest), change->path,
                       "a key is missing in \"%.100s\"; write keys with single dots between them", change->path);
    if (node && node->kind == ZV_NODE_SCALAR)
        return zv_fail(change->error, ZV_SCHEMA, path_mark(change, rest), node->text,
                       "expected a map or list before .%.*s, found the value \"%.60s\"; set it as a whole",
                       (int)(length < 60 ? length : 60), rest, node->text);
    if (node && node->kind == ZV_NODE_LIST) {
        *step = (PathStep){node, NULL, 0};
        const zvStatus status = list_index(change, node, rest, length, &step->index);
        if (status == ZV_OK) *next = node->items[step->index];
        return status;
    }
    const zvStatus status = map_index(change, node, rest, length, step);
    if (status == ZV_OK && node && step->index < node->count) *next = node->items[step->index];
    return status;
}

static zvStatus find_place(PathChange *change) {
    const zvNode *node = change->document->root;
    const char *rest = change->path;
    for (;;) {
        const size_t length = key_length(node, rest);
        const zvStatus status = step_into(change, node, rest, length, &node);
        if (status != ZV_OK || rest[length] == '\0') return status;
        rest += length + 1;
    }
}

/* Replacing --------------------------------------------------------------------------------------- */

/* Keys of the map that is changed, with the new one behind when it was not there. */
static bool copy_keys(const PathChange *change, const PathStep *step, zvNode *copy) {
    const size_t count = (size_t)copy->count;
    const char **keys = zi_arena_alloc(&change->document->arena, count * sizeof *keys);
    zvMark *marks = zi_arena_alloc(&change->document->arena, count * sizeof *marks);
    if (!keys || !marks) return false;
    const size_t old = step->node ? (size_t)step->node->count : 0;
    if (old) {
        memcpy(keys, step->node->keys, old * sizeof *keys);
        memcpy(marks, step->node->key_marks, old * sizeof *marks);
    }
    if (count > old) {
        keys[old] = step->key;
        marks[old] = path_mark(change, change->path);
    }
    copy->keys = keys;
    copy->key_marks = marks;
    return true;
}

/* The map or list of a step with another member; NULL when out of memory. */
static const zvNode *replace_member(const PathChange *change, const PathStep *step, const zvNode *member) {
    ziArena *arena = &change->document->arena;
    zvNode *copy = zi_arena_alloc(arena, sizeof *copy);
    if (!copy) return NULL;
    if (step->node)
        *copy = *step->node;
    else
        *copy = (zvNode){.kind = ZV_NODE_MAP, .mark = path_mark(change, change->path)};
    const int old = copy->count;
    if (step->index == old) copy->count++;
    const zvNode **items = zi_arena_alloc(arena, (size_t)copy->count * sizeof *items);
    if (!items || (copy->kind == ZV_NODE_MAP && !copy_keys(change, step, copy))) return NULL;
    for (int i = 0; i < old; i++) items[i] = copy->items[i];
    items[step->index] = member;
    copy->items = items;
    return copy;
}

/* Parses the value at its place in the text of the change, so that columns are those of the text. */
static zvStatus parse_value(PathChange *change, const char *value, const zvNode **node) {
    const size_t lead = strchr(value, '\n') ? 0 : change->lead + strlen(change->path) + 1, length = strlen(value);
    char *bytes = malloc(lead + length + 1);
    if (!bytes) return out_of_memory(change);
    memset(bytes, ' ', lead);
    memcpy(bytes + lead, value, length + 1);
    zvDocument *parsed = NULL;
    const zvStatus status = zv_document_read_memory(change->text, bytes, lead + length, &parsed, change->error);
    free(bytes);
    if (status != ZV_OK) return status;
    parsed->changes = change->document->changes;
    change->document->changes = parsed;
    *node = parsed->root;
    if (*node) return ZV_OK;
    return zv_fail(change->error, ZV_SYNTAX, (zvMark){change->text, 0, 0}, "", "a value is missing after the =");
}

/* The value is parsed as a document of its own, so that its errors have places in the text of the option. */
zvStatus zv_document_set(zvDocument *document, const char *path, const char *value, zvError *error) {
    ZI_REQUIRE(document && path && value);
    static const char lead[] = "--set ";
    char *text = zi_arena_alloc(&document->arena, sizeof lead + strlen(path) + 1 + strlen(value));
    PathChange change = {.document = document, .text = text, .lead = sizeof lead - 1, .path = path, .error = error};
    if (!text) return out_of_memory(&change);
    strcat(strcat(strcat(strcpy(text, lead), path), "="), value);
    zvStatus status = find_place(&change);
    const zvNode *node = NULL;
    if (status == ZV_OK) status = parse_value(&change, value, &node);
    for (int i = change.depth - 1; status == ZV_OK && i >= 0; i--)
        if (!(node = replace_member(&change, &change.steps[i], node))) status = out_of_memory(&change);
    if (status == ZV_OK) document->root = node;
    return status;
}
