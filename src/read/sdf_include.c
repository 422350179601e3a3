/* Models that an SDF file includes: found by their URI, read, and kept as long as the reading goes on. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read/package.h"
#include "read/sdf.h"

enum { MOST_FILES = 256 };

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static const char *print_path(ziSdf *s, const char *folder, int length, const char *rest) {
    const size_t size = (size_t)length + strlen(rest) + 2;
    char *path = zi_arena_alloc(&s->arena, size);
    if (path) snprintf(path, size, "%.*s%s%s", length, folder, length && *rest ? "/" : "", rest);
    return path;
}

/* The path that a URI means: a package or model by its folder, else a path, seen from the file that names it. NULL:
 * nowhere here. */
static const char *path_of(ziSdf *s, const ziXmlElement *include, const char *uri) {
    static const char *const schemes[] = {"model://", "package://"};
    const char *from = include->mark.file ? include->mark.file : "";
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t size = strlen(schemes[i]);
        if (strncmp(uri, schemes[i], size) != 0) continue;
        const size_t name = strcspn(uri + size, "/");
        char *folder = zi_package_find(s->u.builder, from, uri + size, name);
        if (!folder) return NULL;
        const char *rest = uri + size + name;
        const char *path = print_path(s, folder, (int)strlen(folder), rest + strspn(rest, "/"));
        free(folder);
        return path;
    }
    if (strncmp(uri, "file://", 7) == 0) uri += 7;
    if (strstr(uri, "://")) return NULL;
    const char *slash = strrchr(from, '/');
    return uri[0] == '/' || !slash ? uri : print_path(s, from, (int)(slash - from), uri);
}

/* The file that model.config names for the newest version of the format. */
static const char *file_of_config(ziSdf *s, const char *path) {
    const char *config = print_path(s, path, (int)strlen(path), "model.config");
    const char *found = "model.sdf";
    zvError reason = {0};
    ziSource source;
    ziXml *xml = NULL;
    double newest = -1;
    if (!config || !is_file(config) || zi_source_load(config, &source, &reason) != ZV_OK) return found;
    if (zi_xml_read(config, source.bytes, source.size, &xml, &reason) == ZV_OK) {
        const ziXmlElement *root = zi_xml_root(xml);
        for (const ziXmlElement *e = root->first; e; e = e->next) {
            const ziXmlAttribute *version = zi_xml_attribute(e, "version");
            const double number = version ? atof(version->value) : 0;
            if (strcmp(e->name, "sdf") != 0 || number <= newest) continue;
            const char *text = zi_sdf_own_text(s, e);
            if (!text || !*text) continue;
            newest = number;
            found = text;
        }
        zi_xml_destroy(xml);
    }
    zi_source_free(&source);
    return found;
}

/* Told once for each URI. */
static zvStatus not_there(ziSdf *s, const ziXmlElement *include, const char *uri) {
    const size_t size = strlen(uri) + 9;
    char *key = zi_arena_alloc(&s->arena, size);
    if (!key) return zv_fail(s->u.error, ZV_MEMORY, include->mark, "", "out of memory while reading the SDF");
    snprintf(key, size, "include %s", uri);
    if (zi_names_find(&s->told, key) >= 0) return ZV_OK;
    if (zi_names_add(&s->told, key, 0) < 0)
        return zv_fail(s->u.error, ZV_MEMORY, include->mark, "", "out of memory while reading the SDF");
    return zi_urdf_remark(&s->u, ZV_SEVERITY_WARNING, "not-modelled", include->mark, "include",
                          "tell where it is with --package NAME=DIR, or put it beside the file",
                          "the model \"%.120s\" is not found and left out", uri);
}

/* Reads the file of a path, or that of its folder; *root is NULL where none can be opened. */
static zvStatus load_model_file(ziSdf *s, const ziXmlElement *include, const char *path, const ziXmlElement **root) {
    zvError reason = {0};
    ziSource source;
    ziXml *xml;
    if (is_folder(path)) path = print_path(s, path, (int)strlen(path), file_of_config(s, path));
    if (!path) return zv_fail(s->u.error, ZV_MEMORY, include->mark, "", "out of memory while reading the SDF");
    if (!is_file(path)) return ZV_OK;
    if (s->nfile == MOST_FILES)
        return zv_fail(s->u.error, ZV_SIZE, include->mark, path,
                       "<include>: expected at most %d files, found more; do they include each other?", MOST_FILES);
    zvStatus status = zi_source_load(path, &source, &reason);
    if (status == ZV_IO) return ZV_OK;
    if (status != ZV_OK) return zv_fail(s->u.error, status, include->mark, path, "<include>: %.300s", reason.text);
    const char *file = zv_builder_keep(s->u.builder, path);
    status = file ? zi_xml_read(file, source.bytes, source.size, &xml, s->u.error)
                  : zv_fail(s->u.error, ZV_MEMORY, include->mark, "", "out of memory while reading the SDF");
    if (status == ZV_OK && !zi_grow(&s->files, s->nfile, &s->file_room, sizeof *s->files)) {
        zi_xml_destroy(xml);
        status = zv_fail(s->u.error, ZV_MEMORY, include->mark, "", "out of memory while reading the SDF");
    }
    if (status != ZV_OK) {
        zi_source_free(&source);
        return status;
    }
    s->files[s->nfile++] = (ziSdfFile){xml, source};
    *root = zi_xml_root(xml);
    return ZV_OK;
}

/* The model of the file, and how old its format is. */
zvStatus zi_sdf_included(ziSdf *s, const ziXmlElement *include, const ziXmlElement **model, bool *old_axes) {
    const char *uri = zi_sdf_text(s, include, "uri");
    const ziXmlElement *root = NULL;
    *model = NULL;
    if (!uri || !*uri)
        return zv_fail(s->u.error, ZV_SCHEMA, include->mark, "include",
                       "<include>: expected a <uri>, found none; write model://NAME or a path");
    const char *path = path_of(s, include, uri);
    zvStatus status = path ? load_model_file(s, include, path, &root) : ZV_OK;
    if (status != ZV_OK) return status;
    if (!root) return not_there(s, include, uri);
    *old_axes = zi_sdf_has_old_axes(root);
    *model = zi_urdf_first(root, "model");
    if (*model) return ZV_OK;
    return zi_urdf_remark(&s->u, ZV_SEVERITY_WARNING, "not-modelled", include->mark, "include",
                          "nothing to do if it is a light or an actor",
                          "the file \"%.120s\" has no <model> and is left out", uri);
}

void zi_sdf_free_files(ziSdf *s) {
    for (size_t i = 0; i < s->nfile; i++) {
        zi_xml_destroy(s->files[i].xml);
        zi_source_free(&s->files[i].source);
    }
    free(s->files);
}
