/* Changes of single values by path. Nodes are never written to: the maps and lists on the way to the value are copied,
 * so that a value shared by aliases changes only where the path leads. */
#include <stdlib.h>
#include <string.h>

#include "read/document.h"
#include "read/text.h"

enum { DEEPEST = 64 };

/* One map or list on the way. */
typedef struct Step {
    const zvNode *node; /* NULL: a map that is to be made */
    const char *key;    /* map: the key to go on with, in the arena */
    int index;          /* member; count of a map: to be added */
} Step;

typedef struct Change {
    zvDocument *document;
    const char *text; /* "--set path=value" */
    size_t lead;      /* characters of the text before the path */
    const char *path;
    Step steps[DEEPEST];
    int depth;
    zvError *error;
} Change;

static zvMark mark_of(const Change *change, const char *at) {
    return (zvMark){change->text, 1, (int)(change->lead + (size_t)(at - change->path)) + 1};
}

static zvStatus out_of_memory(const Change *change) {
    return zv_fail(change->error, ZV_MEMORY, (zvMark){change->text, 0, 0}, "", "out of memory while changing a value");
}

/* Finding the place ------------------------------------------------------------------------------- */

/* How much of rest is the next key: the longest key of the map that a dot or the end follows, else up to the next dot.
 */
static size_t key_length(const zvNode *map, const char *rest) {
    size_t longest = 0;
    for (int i = 0; map && map->kind == ZV_NODE_MAP && i < map->count; i++) {
        const size_t length = strlen(map->keys[i]);
        if (length > longest && strncmp(rest, map->keys[i], length) == 0 && strchr(".", rest[length])) longest = length;
    }
    return longest ? longest : strcspn(rest, ".");
}

static zvStatus list_index(const Change *change, const zvNode *list, const char *rest, size_t length, int *index) {
    char quote[ZI_QUOTE_SIZE];
    long value = 0;
    if (strspn(rest, "0123456789") >= length && length < 9)
        value = strtol(rest, NULL, 10);
    else
        value = -1;
    *index = (int)value;
    if (value >= 0 && value < list->count) return ZV_OK;
    zi_text_quote(quote, rest, length);
    if (list->count == 0)
        return zv_fail(change->error, ZV_NAME, mark_of(change, rest), quote, "\"%s\" is no item: this list is empty",
                       quote);
    return zv_fail(change->error, ZV_NAME, mark_of(change, rest), quote,
                   "\"%s\" is no item of this list; its items are numbered 0 to %d", quote, list->count - 1);
}

static zvStatus map_index(Change *change, const zvNode *map, const char *rest, size_t length, Step *step) {
    char *key = zi_arena_alloc(&change->document->arena, length + 1);
    if (!key) return out_of_memory(change);
    memcpy(key, rest, length);
    *step = (Step){map, key, 0};
    while (map && step->index < map->count && strcmp(map->keys[step->index], key) != 0) step->index++;
    return ZV_OK;
}

/* One step from node along rest; *next is the member there, NULL when it is to be made. */
static zvStatus go(Change *change, const zvNode *node, const char *rest, size_t length, const zvNode **next) {
    if (change->depth == DEEPEST)
        return zv_fail(change->error, ZV_SIZE, mark_of(change, rest), "", "the path has more than %d parts", DEEPEST);
    Step *step = &change->steps[change->depth++];
    *next = NULL;
    if (length == 0)
        return zv_fail(change->error, ZV_SYNTAX, mark_of(change, rest), change->path,
                       "a key is missing in \"%.100s\"; write keys with single dots between them", change->path);
    if (node && node->kind == ZV_NODE_SCALAR)
        return zv_fail(change->error, ZV_SCHEMA, mark_of(change, rest), node->text,
                       "what stands before .%.*s is the plain value \"%.60s\" and has no parts; set it as a whole",
                       (int)(length < 60 ? length : 60), rest, node->text);
    if (node && node->kind == ZV_NODE_LIST) {
        *step = (Step){node, NULL, 0};
        const zvStatus status = list_index(change, node, rest, length, &step->index);
        if (status == ZV_OK) *next = node->items[step->index];
        return status;
    }
    const zvStatus status = map_index(change, node, rest, length, step);
    if (status == ZV_OK && node && step->index < node->count) *next = node->items[step->index];
    return status;
}

static zvStatus find(Change *change) {
    const zvNode *node = change->document->root;
    const char *rest = change->path;
    for (;;) {
        const size_t length = key_length(node, rest);
        const zvStatus status = go(change, node, rest, length, &node);
        if (status != ZV_OK || rest[length] == '\0') return status;
        rest += length + 1;
    }
}

/* Replacing --------------------------------------------------------------------------------------- */

static bool copy_keys(const Change *change, const Step *step, zvNode *copy) {
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
        marks[old] = mark_of(change, change->path);
    }
    copy->keys = keys;
    copy->key_marks = marks;
    return true;
}

/* The map or list of a step with another member; NULL when out of memory. */
static const zvNode *replace(const Change *change, const Step *step, const zvNode *member) {
    ziArena *arena = &change->document->arena;
    zvNode *copy = zi_arena_alloc(arena, sizeof *copy);
    if (!copy) return NULL;
    if (step->node)
        *copy = *step->node;
    else
        *copy = (zvNode){.kind = ZV_NODE_MAP, .mark = mark_of(change, change->path)};
    const int old = copy->count;
    if (step->index == old) copy->count++;
    const zvNode **items = zi_arena_alloc(arena, (size_t)copy->count * sizeof *items);
    if (!items || (copy->kind == ZV_NODE_MAP && !copy_keys(change, step, copy))) return NULL;
    for (int i = 0; i < old; i++) items[i] = copy->items[i];
    items[step->index] = member;
    copy->items = items;
    return copy;
}

/* Parses the value where it stands in the text of the change, so that columns are those of the text. */
static zvStatus parse(Change *change, const char *value, const zvNode **node) {
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

zvStatus zv_document_set(zvDocument *document, const char *path, const char *value, zvError *error) {
    static const char lead[] = "--set ";
    char *text = zi_arena_alloc(&document->arena, sizeof lead + strlen(path) + 1 + strlen(value));
    Change change = {.document = document, .text = text, .lead = sizeof lead - 1, .path = path, .error = error};
    if (!text) return out_of_memory(&change);
    strcat(strcat(strcat(strcpy(text, lead), path), "="), value);
    zvStatus status = find(&change);
    const zvNode *node = NULL;
    if (status == ZV_OK) status = parse(&change, value, &node);
    for (int i = change.depth - 1; status == ZV_OK && i >= 0; i--)
        if (!(node = replace(&change, &change.steps[i], node))) status = out_of_memory(&change);
    if (status == ZV_OK) document->root = node;
    return status;
}
