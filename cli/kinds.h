/* What a file is: a robot, a scenario or a recording. */
#ifndef ZVENO_CLI_KINDS_H
#define ZVENO_CLI_KINDS_H

#include <stdbool.h>

#include "zveno/document.h"
#include "zveno/status.h"

typedef enum FileKind {
    FILE_UNKNOWN,
    FILE_ROBOT,
    FILE_SCENARIO,
    FILE_RECORDING,
    FILE_DOCUMENT,
    FILE_PAGE,
    FILE_PICTURE,
    FILE_STATE /* is never found, only wanted: states have no mark of their own */
} FileKind;

/* By what is in it, whatever its name. FILE_PAGE: HTML; FILE_PICTURE: SVG or PNG; FILE_DOCUMENT: a map in YAML or JSON
 * that is neither robot nor scenario; FILE_UNKNOWN: none of all that, or no regular file that can be read. */
FileKind file_kind(const char *path);

/* Whether the name ends as those of recordings do, or the file begins as they do. */
bool is_recording(const char *path);

/* After a file could not be read as what was wanted: when it is of another kind, the error says so, and which verbs
 * take it; else it stays as it is. */
void file_blame_kind(const char *path, FileKind wanted, zvError *error);

/* The same for a document that has been parsed, wherever it came from: false when it may be what was wanted. */
bool document_blame_kind(const char *path, const zvNode *root, FileKind wanted, zvError *error);

#endif
