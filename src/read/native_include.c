/* Files that native files name: robots under `include`, read before the including file, and modal data. They are found
 * beside the file that names them. Nesting is bounded, and a file that includes itself, directly or not, is refused. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read/native_parts.h"
#include "zveno/read.h"

enum { DEEPEST = 16, MOST_FILES = 256 };

/* path as seen from the directory of the including file; to be freed. */
static char *beside(const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    size_t directory = path[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1;
    size_t length = strlen(path);
    char *joined = malloc(directory + length + 1);
    if (!joined) return NULL;
    memcpy(joined, file, directory);
    memcpy(joined + directory, path, length + 1);
    return joined;
}

static bool same_file(const char *a, const char *b) {
    struct stat sa, sb;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

static zvStatus check_nesting(const ziReading *reading, const zvNode *node, const char *path) {
    for (const ziReading *open = reading; open; open = open->outer) {
        if (!same_file(open->file, path)) continue;
        return zv_fail(reading->error, ZV_SCHEMA, node->mark, node->text,
                       "\"%.100s\" includes itself%s; remove one of the includes", node->text,
                       open == reading ? "" : " through other files");
    }
    if (reading->depth + 1 > DEEPEST) {
        return zv_fail(reading->error, ZV_SIZE, node->mark, node->text,
                       "includes are nested more than %d deep; merge some of the files", DEEPEST);
    }
    return ZV_OK;
}

/* The first character tells the format, as in zv_read_file. */
static bool is_urdf(const ziSource *source) {
    const char *bytes = source->bytes;
    if (source->size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) bytes += 3;
    return bytes[strspn(bytes, " \t\r\n")] == '<';
}

/* The path of the file that a node names, kept by the builder. */
static zvStatus locate(const ziReading *reading, const zvNode *node, const char *what, const char **path) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, what, &name, reading->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0) {
        return zv_fail(reading->error, ZV_SCHEMA, node->mark, name, "%s must name a file; write its path", what);
    }
    char *joined = beside(reading->file, name);
    *path = joined ? zv_builder_keep(reading->builder, joined) : NULL;
    free(joined);
    if (*path) return ZV_OK;
    return zv_fail(reading->error, ZV_MEMORY, node->mark, name, "no memory for the name of a file");
}

static zvStatus load(const ziReading *reading, const zvNode *node, const char *what, const char *path,
                     ziSource *source) {
    if (++*reading->files > MOST_FILES) {
        return zv_fail(reading->error, ZV_SIZE, node->mark, node->text,
                       "more than %d files are included; merge some of them", MOST_FILES);
    }
    zvError inner = {0};
    zvStatus status = zi_source_load(path, source, &inner);
    if (status >= 0) return status;
    return zv_fail(reading->error, status, node->mark, node->text, "%s cannot be read: %s (%s)", what, inner.text,
                   path);
}

zvStatus zi_native_load(const ziReading *reading, const zvNode *node, const char *what, const char **path,
                        ziSource *source) {
    zvStatus status = locate(reading, node, what, path);
    return status < 0 ? status : load(reading, node, what, *path, source);
}

static zvStatus include_one(const ziReading *reading, const zvNode *node) {
    const char *path = NULL;
    zvStatus status = locate(reading, node, "include", &path);
    if (status < 0) return status;
    if ((status = check_nesting(reading, node, path)) < 0) return status;
    ziSource source;
    if ((status = load(reading, node, "the included file", path, &source)) < 0) return status;
    if (is_urdf(&source)) {
        status = zv_read_memory(reading->builder, path, source.bytes, source.size, ZV_FORMAT_URDF, reading->error);
    } else {
        ziReading nested = {reading->builder, path, reading, reading->depth + 1, reading->files, reading->error};
        status = zi_native_read_nested(&nested, source.bytes, source.size);
    }
    zi_source_free(&source);
    return status;
}

zvStatus zi_native_include(const ziReading *reading, const zvNode *node) {
    if (node->kind != ZV_NODE_LIST) return include_one(reading, node);
    for (int i = 0; i < node->count; i++) {
        zvStatus status = include_one(reading, node->items[i]);
        if (status < 0) return status;
    }
    return ZV_OK;
}
