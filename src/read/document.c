/* YAML and JSON text into a tree of nodes. The only file that knows libyaml.
 *
 * libyaml delivers events; open lists and maps lie on a stack of at most MAX_DEPTH entries, their members so far on one
 * shared stack. When a list or map ends, its members move into the arena of the document and it becomes a member of
 * the one below. An alias is a second pointer to the same node; `weight` counts what a reader would see if every
 * alias were written out, so that a short file cannot become a billion values. */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/names.h"
#include "base/require.h"
#include "read/document.h"
#include "read/text.h"

enum { MAX_DEPTH = 64, MAX_VALUES = 16 * 1000 * 1000, SMALL_MAP = 16 };

typedef struct LoadedNode {
    zvNode node; /* first: a LoadedNode is a zvNode with what loading needs */
    int weight;  /* nodes below and here with aliases written out; at most MAX_VALUES */
    int height;  /* levels of lists and maps below and here; 0 for a scalar */
    bool open;
} LoadedNode;

typedef struct NodeMember {
    const char *key; /* NULL in a list */
    zvMark key_mark;
    LoadedNode *branch;
} NodeMember;

typedef struct OpenNode {
    LoadedNode *branch;
    size_t first;    /* its first member on the shared stack */
    const char *key; /* waits for its value; NULL = a key comes next */
    zvMark key_mark;
} OpenNode;

typedef struct DocumentLoader {
    zvDocument *document;
    const char *bytes;
    size_t size;
    OpenNode opened[MAX_DEPTH];
    int depth;
    NodeMember *members;
    size_t count, capacity;
    ziNames anchors; /* name -> index in anchored */
    LoadedNode **anchored;
    size_t nanchor, anchor_capacity;
    int nodes; /* written in the file so far */
    int documents;
    LoadedNode *root;
    zvError *error;
} DocumentLoader;

static zvMark mark_at(const DocumentLoader *loader, yaml_mark_t at) {
    return (zvMark){loader->document->name, (int)at.line + 1, (int)at.column + 1};
}

static zvMark file_mark(const DocumentLoader *loader) { return (zvMark){loader->document->name, 0, 0}; }

static zvStatus out_of_memory(DocumentLoader *loader) {
    return zv_fail(loader->error, ZV_MEMORY, file_mark(loader), "", "out of memory while reading the document");
}

/* Errors of libyaml ----------------------------------------------------------------------------- */

/* The word at a place, for the token of an error. */
static const char *word_at(const DocumentLoader *loader, zvMark mark, char buffer[ZI_QUOTE_SIZE]) {
    ziCursor cursor = zi_cursor_start(loader->bytes, loader->size);
    while (cursor.offset < loader->size &&
           (cursor.line < mark.line || (cursor.line == mark.line && cursor.column < mark.column)))
        zi_cursor_advance(&cursor, loader->bytes, cursor.offset + 1);
    const char *start = loader->bytes + cursor.offset;
    size_t length = 0;
    while (cursor.offset + length < loader->size && !strchr(" \t\r\n", start[length])) length++;
    if (length == 0 && cursor.offset < loader->size && *start == '\t') return "tab";
    return zi_text_quote(buffer, start, length);
}

/* What libyaml found, with its own place and the context it was in, as a sentence with advice. */
static zvStatus parser_failed(DocumentLoader *loader, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR) return out_of_memory(loader);
    const char *problem = parser->problem ? parser->problem : "the text is not YAML";
    if (parser->error == YAML_READER_ERROR) {
        const zvMark mark = zi_text_mark(loader->document->name, loader->bytes, loader->size, parser->problem_offset);
        return zv_fail(loader->error, ZV_SYNTAX, mark, "", "%s; save the file as plain UTF-8 text", problem);
    }
    char buffer[ZI_QUOTE_SIZE];
    const zvMark mark = mark_at(loader, parser->problem_mark);
    const char *word = word_at(loader, mark, buffer);
    if (strcmp(word, "tab") == 0)
        return zv_fail(loader->error, ZV_SYNTAX, mark, word,
                       "expected spaces for indentation, found a tab; YAML allows spaces only");
    if (!parser->context)
        return zv_fail(loader->error, ZV_SYNTAX, mark, word, "%s; check the YAML around this place", problem);
    return zv_fail(loader->error, ZV_SYNTAX, mark, word,
                   "%s %s that began in line %d; check brackets, quotes and indentation", problem, parser->context,
                   (int)parser->context_mark.line + 1);
}

/* Building the tree ----------------------------------------------------------------------------- */

static LoadedNode *new_branch(DocumentLoader *loader, zvNodeKind kind, yaml_mark_t at) {
    LoadedNode *branch = zi_arena_alloc(&loader->document->arena, sizeof *branch);
    if (!branch) return NULL;
    branch->node.kind = kind;
    branch->node.mark = mark_at(loader, at);
    branch->weight = 1;
    loader->nodes++;
    return branch;
}

/* Gives a finished node to the list or map on top, or makes it the root. */
static zvStatus attach(DocumentLoader *loader, LoadedNode *branch) {
    if (loader->depth == 0) {
        loader->root = branch;
        return ZV_OK;
    }
    OpenNode *open = &loader->opened[loader->depth - 1];
    LoadedNode *owner = open->branch;
    if (loader->nodes > MAX_VALUES || owner->weight + branch->weight > MAX_VALUES)
        return zv_fail(
            loader->error, ZV_SIZE, owner->node.mark, "",
            "the document holds more than %d values, aliases counted as often as they are used; split the file",
            MAX_VALUES);
    if (!zi_grow(&loader->members, loader->count, &loader->capacity, sizeof *loader->members))
        return out_of_memory(loader);
    loader->members[loader->count++] = (NodeMember){open->key, open->key_mark, branch};
    open->key = NULL;
    owner->weight += branch->weight;
    if (owner->height <= branch->height) owner->height = branch->height + 1;
    return ZV_OK;
}

/* Anchors are kept by name, for aliases; two of the same name would hide one another. */
static zvStatus remember_anchor(DocumentLoader *loader, const yaml_char_t *anchor, LoadedNode *branch) {
    if (!anchor) return ZV_OK;
    if (zi_names_find(&loader->anchors, (const char *)anchor) >= 0)
        return zv_fail(loader->error, ZV_NAME, branch->node.mark, (const char *)anchor,
                       "the anchor &%.40s is defined twice; give the second one another name", (const char *)anchor);
    char *name = zi_arena_text(&loader->document->arena, (const char *)anchor);
    if (!name || !zi_grow(&loader->anchored, loader->nanchor, &loader->anchor_capacity, sizeof *loader->anchored) ||
        zi_names_add(&loader->anchors, name, (int)loader->nanchor) < 0)
        return out_of_memory(loader);
    loader->anchored[loader->nanchor++] = branch;
    return ZV_OK;
}

static bool awaits_key(const DocumentLoader *loader) {
    const OpenNode *open = loader->depth > 0 ? &loader->opened[loader->depth - 1] : NULL;
    return open && open->branch->node.kind == ZV_NODE_MAP && !open->key;
}

static zvStatus refuse_key(DocumentLoader *loader, yaml_mark_t at) {
    return zv_fail(loader->error, ZV_SYNTAX, mark_at(loader, at), "",
                   "expected a plain word as key, found a list, map or alias; write key: value");
}

/* Tags: the standard ones change nothing but !!str, which makes a text of a number. */
static zvStatus check_tag(DocumentLoader *loader, const yaml_char_t *tag, yaml_mark_t at, bool *is_text) {
    static const char standard[] = "tag:yaml.org,2002:";
    static const char *const known[] = {"str", "int", "float", "bool", "null", "seq", "map"};
    *is_text = false;
    if (!tag) return ZV_OK;
    const char *text = (const char *)tag;
    if (strcmp(text, "!") == 0) {
        *is_text = true;
        return ZV_OK;
    }
    if (strncmp(text, standard, sizeof standard - 1) == 0) {
        const char *word = text + sizeof standard - 1;
        *is_text = strcmp(word, "str") == 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(word, known[i]) == 0) return ZV_OK;
    }
    return zv_fail(loader->error, ZV_NOT_SUPPORTED, mark_at(loader, at), text,
                   "the tag %.60s is not supported; write the value without it", text);
}

static zvStatus take_key(DocumentLoader *loader, const char *text, const yaml_event_t *event) {
    const zvMark mark = mark_at(loader, event->start_mark);
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && strcmp(text, "<<") == 0)
        return zv_fail(loader->error, ZV_NOT_SUPPORTED, mark, "<<",
                       "the merge key << is not supported; write the keys out, or use an alias for a whole value");
    OpenNode *open = &loader->opened[loader->depth - 1];
    open->key = text;
    open->key_mark = mark;
    return ZV_OK;
}

/* A key or a value, whichever the open map waits for. */
static zvStatus take_scalar(DocumentLoader *loader, const yaml_event_t *event) {
    const char *value = (const char *)event->data.scalar.value;
    if (memchr(value, '\0', event->data.scalar.length))
        return zv_fail(loader->error, ZV_SYNTAX, mark_at(loader, event->start_mark), "\\0",
                       "the text contains a zero character (\\0); remove it");
    bool is_text;
    zvStatus status = check_tag(loader, event->data.scalar.tag, event->start_mark, &is_text);
    if (status != ZV_OK) return status;
    const char *text = zi_arena_text(&loader->document->arena, value);
    if (!text) return out_of_memory(loader);
    if (awaits_key(loader)) return take_key(loader, text, event);
    LoadedNode *branch = new_branch(loader, ZV_NODE_SCALAR, event->start_mark);
    if (!branch) return out_of_memory(loader);
    branch->node.text = text;
    branch->node.quoted = is_text || event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    status = remember_anchor(loader, event->data.scalar.anchor, branch);
    return status != ZV_OK ? status : attach(loader, branch);
}

/* A value that was given before; refused where it would contain itself or nest too deeply. */
static zvStatus take_alias(DocumentLoader *loader, const yaml_event_t *event) {
    const char *name = (const char *)event->data.alias.anchor;
    const zvMark mark = mark_at(loader, event->start_mark);
    if (awaits_key(loader)) return refuse_key(loader, event->start_mark);
    const int index = zi_names_find(&loader->anchors, name);
    if (index < 0)
        return zv_fail(loader->error, ZV_NAME, mark, name,
                       "the alias *%.40s has no anchor before it; write &%.40s at the value it repeats", name, name);
    LoadedNode *branch = loader->anchored[index];
    if (branch->open)
        return zv_fail(loader->error, ZV_SYNTAX, mark, name,
                       "the alias *%.40s is inside the value it refers to; a value cannot contain itself", name);
    if (loader->depth + branch->height > MAX_DEPTH)
        return zv_fail(loader->error, ZV_SYNTAX, mark, name,
                       "with the alias *%.40s lists and maps are nested deeper than %d levels", name, MAX_DEPTH);
    return attach(loader, branch);
}

/* Begins a list or map: its members are collected on the stack until it ends. */
static zvStatus open_branch(DocumentLoader *loader, zvNodeKind kind, const yaml_char_t *anchor, const yaml_char_t *tag,
                            yaml_mark_t at) {
    if (awaits_key(loader)) return refuse_key(loader, at);
    if (loader->depth == MAX_DEPTH)
        return zv_fail(loader->error, ZV_SYNTAX, mark_at(loader, at), "",
                       "lists and maps are nested deeper than %d levels; a robot file never is", MAX_DEPTH);
    bool is_text;
    zvStatus status = check_tag(loader, tag, at, &is_text);
    if (status != ZV_OK) return status;
    LoadedNode *branch = new_branch(loader, kind, at);
    if (!branch) return out_of_memory(loader);
    branch->height = 1;
    branch->open = true;
    loader->opened[loader->depth++] = (OpenNode){branch, loader->count, NULL, {NULL, 0, 0}};
    return remember_anchor(loader, anchor, branch);
}

/* Closing lists and maps ------------------------------------------------------------------------ */

static zvStatus refuse_twice(DocumentLoader *loader, const NodeMember *first, const NodeMember *second) {
    return zv_fail(loader->error, ZV_NAME, second->key_mark, second->key,
                   "the key \"%.60s\" was already given in line %d; remove one of the two", second->key,
                   first->key_mark.line);
}

/* Refuses a key that is given twice; large maps by a table, since pairs would take quadratic time. */
static zvStatus check_keys(DocumentLoader *loader, const NodeMember *members, int count) {
    if (count <= SMALL_MAP) {
        for (int i = 1; i < count; i++)
            for (int j = 0; j < i; j++)
                if (strcmp(members[i].key, members[j].key) == 0) return refuse_twice(loader, &members[j], &members[i]);
        return ZV_OK;
    }
    ziNames names = {0};
    zvStatus status = ZV_OK;
    for (int i = 0; i < count && status == ZV_OK; i++) {
        const int held = zi_names_add(&names, members[i].key, i);
        if (held < 0) status = out_of_memory(loader);
        if (held >= 0 && held != i) status = refuse_twice(loader, &members[held], &members[i]);
    }
    zi_names_free(&names);
    return status;
}

/* Moves the members of a finished node from the shared stack into the arena. */
static bool settle_members(DocumentLoader *loader, zvNode *node, const NodeMember *members) {
    ziArena *arena = &loader->document->arena;
    const size_t count = (size_t)node->count;
    const zvNode **items = zi_arena_alloc(arena, count * sizeof *items);
    if (!items) return false;
    for (size_t i = 0; i < count; i++) items[i] = &members[i].branch->node;
    node->items = items;
    if (node->kind != ZV_NODE_MAP) return true;
    const char **keys = zi_arena_alloc(arena, count * sizeof *keys);
    zvMark *marks = zi_arena_alloc(arena, count * sizeof *marks);
    if (!keys || !marks) return false;
    for (size_t i = 0; i < count; i++) {
        keys[i] = members[i].key;
        marks[i] = members[i].key_mark;
    }
    node->keys = keys;
    node->key_marks = marks;
    return true;
}

/* Ends a list or map: its members leave the stack for the arena, and it becomes a member itself. */
static zvStatus close_branch(DocumentLoader *loader) {
    const OpenNode open = loader->opened[--loader->depth];
    /* an empty list at the very start: there is no stack yet */
    const NodeMember *members = loader->members ? loader->members + open.first : NULL;
    zvNode *node = &open.branch->node;
    node->count = (int)(loader->count - open.first);
    if (node->kind == ZV_NODE_MAP) {
        const zvStatus status = check_keys(loader, members, node->count);
        if (status != ZV_OK) return status;
    }
    if (node->count > 0 && !settle_members(loader, node, members)) return out_of_memory(loader);
    loader->count = open.first;
    open.branch->open = false;
    return attach(loader, open.branch);
}

/* Events ---------------------------------------------------------------------------------------- */

/* One event of libyaml. */
static zvStatus take_event(DocumentLoader *loader, const yaml_event_t *event) {
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (loader->documents++ == 0) return ZV_OK;
        return zv_fail(loader->error, ZV_SYNTAX, mark_at(loader, event->start_mark), "---",
                       "a second document begins here; keep one document in a file");
    case YAML_ALIAS_EVENT: return take_alias(loader, event);
    case YAML_SCALAR_EVENT: return take_scalar(loader, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_branch(loader, ZV_NODE_LIST, event->data.sequence_start.anchor, event->data.sequence_start.tag,
                           event->start_mark);
    case YAML_MAPPING_START_EVENT:
        return open_branch(loader, ZV_NODE_MAP, event->data.mapping_start.anchor, event->data.mapping_start.tag,
                           event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_branch(loader);
    default: return ZV_OK;
    }
}

/* Events until the end of the stream or the first failure. */
static zvStatus run_yaml_parser(DocumentLoader *loader, yaml_parser_t *parser) {
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)loader->bytes, loader->size);
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return parser_failed(loader, parser);
        const zvStatus status = take_event(loader, &event);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

/* Checks the bytes, then builds the tree; what the loader borrowed is returned on every path. */
static zvStatus load_document(zvDocument *document, const char *bytes, size_t size, zvError *error) {
    const size_t start = zi_cursor_start(bytes, size).offset; /* libyaml would count a byte-order mark as a column */
    DocumentLoader loader = {.document = document, .bytes = bytes + start, .size = size - start, .error = error};
    zvStatus status = zi_text_check(document->name, bytes, size, 1, error);
    if (status != ZV_OK) return status;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return out_of_memory(&loader);
    status = run_yaml_parser(&loader, &parser);
    yaml_parser_delete(&parser);
    free(loader.members);
    free(loader.anchored);
    zi_names_free(&loader.anchors);
    if (loader.root) document->root = &loader.root->node;
    return status;
}

/* The caller gets a document only when all of it was read. */
zvStatus zv_document_read_memory(const char *name, const char *bytes, size_t size, zvDocument **document,
                                 zvError *error) {
    ZI_REQUIRE((bytes || !size) && document);
    *document = NULL;
    zvDocument *made = calloc(1, sizeof *made);
    if (made) made->name = zi_arena_text(&made->arena, name ? name : "");
    if (!made || !made->name) {
        zv_document_destroy(made);
        return zv_fail(error, ZV_MEMORY, (zvMark){name, 0, 0}, "", "out of memory while reading the document");
    }
    const zvStatus status = load_document(made, bytes, size, error);
    if (status != ZV_OK) {
        zv_document_destroy(made);
        return status;
    }
    *document = made;
    return ZV_OK;
}

zvStatus zv_document_read_file(const char *path, zvDocument **document, zvError *error) {
    ZI_REQUIRE(path && document);
    *document = NULL;
    ziSource source;
    zvStatus status = zi_source_load(path, &source, error);
    if (status != ZV_OK) return status;
    status = zv_document_read_memory(zi_source_name(path), source.bytes, source.size, document, error);
    zi_source_free(&source);
    return status;
}

void zv_document_destroy(zvDocument *document) {
    while (document) {
        zvDocument *next = document->changes;
        zi_arena_free(&document->arena);
        free(document);
        document = next;
    }
}

const zvNode *zv_document_root(const zvDocument *document) {
    ZI_REQUIRE(document);
    return document->root;
}
