/* Where the file of a mesh is: as the model writes it, beside the file that names it, in the package of that name among
 * the folders above, or below the folders of --meshes. */
#define _XOPEN_SOURCE 700
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "page_parts.h"

/* "FOLDER/NAME" when that is a file; to be freed. A link keeps its own name, whose end tells the kind of the file. */
static char *file_in(PageMeshSet *set, const char *folder, size_t size, const char *name) {
    struct stat info;
    char *path = malloc(size + strlen(name) + 2);
    if (!path) return set->failed = true, NULL;
    memcpy(path, folder, size);
    if (size && folder[size - 1] != '/') path[size++] = '/';
    strcpy(path + size, name);
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) return path;
    free(path);
    return NULL;
}

/* Beside another file, whose folder is all up to the last slash. */
static char *beside(PageMeshSet *set, const char *file, const char *name) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!file) return NULL;
    return file_in(set, file, slash ? (size_t)(slash - file) + 1 : 0, name);
}

static char *in_folders(PageMeshSet *set, const char *name) {
    char *path = NULL;
    for (int i = 0; !path && set->where && i < set->where->folder_count; i++)
        path = file_in(set, set->where->folders[i], strlen(set->where->folders[i]), name);
    return path;
}

/* In the folders above a file: one that is called as the package, or has it beside. name is PACKAGE/REST. */
static char *in_package_above(PageMeshSet *set, const char *file, const char *name) {
    const char *rest = strchr(name, '/');
    char *whole = file ? realpath(file, NULL) : NULL, *path = NULL;
    for (char *end = whole ? strrchr(whole, '/') : NULL; end && rest && !path; end = strrchr(whole, '/')) {
        *end = '\0'; /* whole is now a folder above; "" the root */
        const char *last = strrchr(whole, '/');
        const size_t size = (size_t)(rest - name);
        if (last && strlen(last + 1) == size && memcmp(last + 1, name, size) == 0)
            path = file_in(set, whole, strlen(whole), rest + 1);
        if (!path) path = file_in(set, *whole ? whole : "/", *whole ? strlen(whole) : 1, name);
    }
    free(whole);
    return path;
}

static char *in_package(PageMeshSet *set, const zvShape *shape, const char *name) {
    const char *rest = strchr(name, '/');
    char *path = in_folders(set, name);
    if (!path && rest) path = in_folders(set, rest + 1);
    if (!path) path = in_package_above(set, shape->mark.file, name);
    if (!path && set->where) path = in_package_above(set, set->where->model, name);
    if (!path && set->where) path = in_package_above(set, set->where->source, name);
    return path;
}

static const char *after(const char *text, const char *start) {
    const size_t size = strlen(start);
    return strncmp(text, start, size) == 0 ? text + size : NULL;
}

char *page_mesh_path(PageMeshSet *set, const zvShape *shape) {
    const char *name = shape->mesh ? shape->mesh : "", *package = after(name, "package://");
    if (!package) package = after(name, "model://");
    if (package) return in_package(set, shape, package);
    if (after(name, "file://")) name = after(name, "file://");
    if (*name == '/') {
        char *path = file_in(set, "", 0, name);
        return path ? path : in_folders(set, strrchr(name, '/') + 1);
    }
    char *path = beside(set, shape->mark.file, name);
    if (!path && set->where) path = beside(set, set->where->model, name);
    if (!path && set->where) path = beside(set, set->where->source, name);
    return path ? path : in_folders(set, name);
}
