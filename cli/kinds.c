/* What a file is, told from its first bytes or its keys. */
#define _POSIX_C_SOURCE 200809L
#include "kinds.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { BEGINNING = 64 * 1024 }; /* bytes in which a URDF file has its root, behind comments */

/* The first bytes of a regular file, ended by zero; a pipe would wait for its writer. */
static size_t read_beginning(const char *path, char *bytes) {
    struct stat state;
    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode)) return 0;
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, BEGINNING, file) : 0;
    if (file) fclose(file);
    bytes[size] = '\0';
    return size;
}

/* The version keys tell native files apart. */
static FileKind root_kind(const zvNode *root) {
    if (!root || root->kind != ZV_NODE_MAP) return FILE_UNKNOWN;
    if (zv_node_get(root, "zveno_scenario")) return FILE_SCENARIO;
    return zv_node_get(root, "zveno") ? FILE_ROBOT : FILE_DOCUMENT;
}

static FileKind document_kind(const char *path) {
    zvDocument *document = NULL;
    if (zv_document_read_file(path, &document, NULL) < 0) return FILE_UNKNOWN;
    const FileKind kind = root_kind(zv_document_root(document));
    zv_document_destroy(document);
    return kind;
}

/* A file in angle brackets: a robot in URDF, a page, a picture. */
static FileKind markup_kind(const char *start) {
    if (strstr(start, "<robot")) return FILE_ROBOT;
    if (!strncasecmp(start, "<!doctype html", 14) || !strncasecmp(start, "<html", 5)) return FILE_PAGE;
    return strstr(start, "<svg") ? FILE_PICTURE : FILE_UNKNOWN;
}

/* HDF5, or a table that zveno wrote; other tables have no mark. */
static bool begins_as_recording(const char *bytes, size_t size) {
    static const char hdf5[] = "\211HDF\r\n\032\n", csv[] = "# zveno recording";
    const size_t length = sizeof hdf5 - 1;
    return (size >= length && !memcmp(bytes, hdf5, length)) || !strncmp(bytes, csv, sizeof csv - 1);
}

bool is_recording(const char *path) {
    static const char *const suffixes[] = {".h5", ".hdf5", ".csv"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t length = strlen(path), tail = strlen(suffixes[i]);
        if (length > tail && !strcasecmp(path + length - tail, suffixes[i])) return true;
    }
    char bytes[BEGINNING + 1];
    const size_t size = read_beginning(path, bytes);
    return size && begins_as_recording(bytes, size);
}

FileKind file_kind(const char *path) {
    char bytes[BEGINNING + 1];
    const size_t size = read_beginning(path, bytes);
    if (!size) return FILE_UNKNOWN;
    if (begins_as_recording(bytes, size)) return FILE_RECORDING;
    const char *start = bytes + (strncmp(bytes, "\xEF\xBB\xBF", 3) ? 0 : 3);
    start += strspn(start, " \t\r\n");
    if (*start == '<') return markup_kind(start);
    if (!strncmp(bytes, "\211PNG\r\n", 6)) return FILE_PICTURE;
    return document_kind(path);
}

/* Says what was found and which verbs take it. */
static void blame(const char *path, FileKind kind, FileKind wanted, zvError *error) {
    static const char *const words[] = {[FILE_ROBOT] = "a robot",         [FILE_SCENARIO] = "a scenario",
                                        [FILE_RECORDING] = "a recording", [FILE_DOCUMENT] = "a YAML or JSON file",
                                        [FILE_PAGE] = "a web page",       [FILE_PICTURE] = "a picture",
                                        [FILE_STATE] = "a state"};
    static const char *const takers[] = {
        [FILE_ROBOT] = "zveno info and zveno view show it; to simulate it, write a scenario that names it: model: FILE",
        [FILE_SCENARIO] = "zveno simulate runs it, zveno view shows the run",
        [FILE_RECORDING] = "zveno info, show, plot, report and view show it, zveno convert writes it as CSV",
        [FILE_DOCUMENT] = "recordings are the .h5 and .csv files that zveno simulate writes",
        [FILE_PAGE] = "open it in a browser",
        [FILE_PICTURE] = "open it in a browser"};
    zv_fail(error, ZV_SCHEMA, (zvMark){.file = path}, "", "expected %s, found %s; %s", words[wanted], words[kind],
            takers[kind]);
}

/* A document that is neither robot nor scenario may be meant as one: its reader knows best what is missing. Of a page
 * in the place of a robot it knows that the download went wrong. */
void file_blame_kind(const char *path, FileKind wanted, zvError *error) {
    const FileKind kind = error->status == ZV_MEMORY ? FILE_UNKNOWN : file_kind(path);
    if (kind == FILE_UNKNOWN || kind == wanted || (kind == FILE_DOCUMENT && wanted != FILE_RECORDING)) return;
    if (kind == FILE_PAGE && wanted == FILE_ROBOT) return;
    blame(path, kind, wanted, error);
}

bool document_blame_kind(const char *path, const zvNode *root, FileKind wanted, zvError *error) {
    const FileKind kind = root_kind(root);
    if (kind == FILE_UNKNOWN || kind == FILE_DOCUMENT || kind == wanted) return false;
    blame(path, kind, wanted, error);
    return true;
}
