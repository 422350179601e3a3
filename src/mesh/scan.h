/* Words and numbers of a text file of a mesh, with their lines. Whatever the locale. */
#ifndef ZI_MESH_SCAN_H
#define ZI_MESH_SCAN_H

#include <stdbool.h>

#include "zveno/status.h"

typedef struct ziMeshScan {
    const char *file;
    const char *at, *stop;
    int line;
    const char *line_start;
    zvError *error;
} ziMeshScan;

/* A stretch of the text without blanks; size 0: there is none. */
typedef struct ziMeshWord {
    const char *text;
    size_t size;
    int column;
} ziMeshWord;

ziMeshScan zi_mesh_scan(const char *file, const char *bytes, size_t size, zvError *error);
/* The next word of the file, or of the line. A backslash at the end of a line joins the next one to it. */
ziMeshWord zi_mesh_word(ziMeshScan *scan);
ziMeshWord zi_mesh_word_in_line(ziMeshScan *scan);
void zi_mesh_skip_line(ziMeshScan *scan);
/* In letters of any case; `word` is in small ones. */
bool zi_mesh_is(ziMeshWord word, const char *text);
/* A finite float. */
zvStatus zi_mesh_number(const ziMeshScan *scan, ziMeshWord word, float *value);
/* Fails at a word: "expected ..., found WORD", or with the sentence alone where it is no matter of syntax. */
zvStatus zi_mesh_expected(const ziMeshScan *scan, ziMeshWord word, zvStatus status, const char *expected);
zvStatus zi_mesh_fail(const ziMeshScan *scan, ziMeshWord word, zvStatus status, const char *text);

#endif
