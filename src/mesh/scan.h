/* Words and numbers of a text file of a mesh, with the line they stand in. Whatever the locale. */
#ifndef ZV_MESH_SCAN_H
#define ZV_MESH_SCAN_H

#include <stdbool.h>

#include "zveno/status.h"

typedef struct zvMeshScan {
    const char *file;
    const char *at, *stop;
    int line;
    const char *line_start;
    zvError *error;
} zvMeshScan;

/* A stretch of the text without blanks; size 0: there is none. */
typedef struct zvMeshWord {
    const char *text;
    size_t size;
    int column;
} zvMeshWord;

zvMeshScan zv_mesh_scan(const char *file, const char *bytes, size_t size, zvError *error);
/* The next word of the file, or of the line. A backslash at the end of a line joins the next one to it. */
zvMeshWord zv_mesh_word(zvMeshScan *scan);
zvMeshWord zv_mesh_word_in_line(zvMeshScan *scan);
void zv_mesh_skip_line(zvMeshScan *scan);
/* In letters of any case; `word` is in small ones. */
bool zv_mesh_is(zvMeshWord word, const char *text);
/* A finite float. */
zvStatus zv_mesh_number(const zvMeshScan *scan, zvMeshWord word, float *value);
/* Fails at a word; the format has no arguments but these. */
zvStatus zv_mesh_fail(const zvMeshScan *scan, zvMeshWord word, zvStatus status, const char *text);

#endif
