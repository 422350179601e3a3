/* Packages: the folder that is called so, searched from the file outward. */
#define _XOPEN_SOURCE 700
#include "read/package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/builder.h"

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* NAME or NAME_description beside or above the folder that path names; path is shortened on the way. */
static char *search_outward(char *path, const char *name, size_t length) {
    while (path[0] == '/') {
        char *slash = strrchr(path, '/');
        if (strlen(slash + 1) == length && memcmp(slash + 1, name, length) == 0) return copy_of(path);
        const size_t size = strlen(path) + length + 2;
        char *inside = malloc(size);
        if (!inside) return NULL;
        snprintf(inside, size, "%s/%.*s", path[1] ? path : "", (int)length, name);
        if (is_folder(inside)) return inside;
        free(inside);
        if (!path[1]) return NULL;
        slash[slash == path] = '\0';
    }
    return NULL;
}

/* Names that are no single folder are not searched for. */
char *zi_package_find(const zvBuilder *b, const char *file, const char *name, size_t length) {
    for (size_t i = 0; i < b->npackage; i++)
        if (strlen(b->packages[i].name) == length && memcmp(b->packages[i].name, name, length) == 0)
            return copy_of(b->packages[i].folder);
    if (length == 0 || length > 255 || memchr(name, '/', length) || name[0] == '.') return NULL;
    char *path = realpath(file, NULL);
    if (!path) path = realpath(".", NULL);
    if (!path) return NULL;
    char *slash = strrchr(path, '/');
    if (slash && !is_folder(path)) slash[slash == path] = '\0';
    char *found = search_outward(path, name, length);
    free(path);
    return found;
}
