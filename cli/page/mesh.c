/* Meshes in the document of a page: found, read once, and told of when that is not possible. */
#define _XOPEN_SOURCE 700
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json.h"
#include "page/parts.h"

enum { MOST_TOLD = 10, MOST_TRIANGLES = 1000000 }; /* problems; triangles of a page: 48 MB of text */

static bool told_before(const PageProblems *problems, const char *line) {
    for (const char *old = NULL; (old = page_problem_next(problems, old));)
        if (strcmp(old, line) == 0) return true;
    return false;
}

/* "mesh NAME of link LINK " and why it is not drawn; once for the models of all recordings. */
static void tell_mesh(PageMeshSet *set, const zvShape *shape, const char *why) {
    Text line = {0};
    text_printf(&line, "mesh %s of link %s %s", shape->mesh ? shape->mesh : "", shape->link, why);
    if (line.failed)
        set->failed = true;
    else if (set->told == MOST_TOLD)
        set->untold++;
    else if (!told_before(set->problems, line.bytes))
        page_problem(set->problems, "%s", line.bytes);
    set->told += set->told < MOST_TOLD;
    text_free(&line);
}

static void measure_mesh(PageMesh *m) {
    for (int k = 0; k < 3; k++) m->lower[k] = INFINITY, m->upper[k] = -INFINITY;
    for (size_t i = 0; i < 9 * m->mesh.count; i++) {
        m->lower[i % 3] = fmin(m->lower[i % 3], m->mesh.corners[i]);
        m->upper[i % 3] = fmax(m->upper[i % 3], m->mesh.corners[i]);
    }
}

/* Reads a mesh and numbers it. One that cannot be read, or has too many triangles for the page, is left out with the
 * reason. */
static void load(PageMeshSet *set, const zvShape *shape, PageMesh *m) {
    zvError error = {0};
    char line[sizeof error.file + sizeof error.text + 32], why[sizeof line + 32];
    const zvStatus status = zv_mesh_read_file(m->path, &m->mesh, &error);
    if (status == ZV_MEMORY) set->failed = true;
    if (status < 0) {
        snprintf(why, sizeof why, "is left out: %s", zv_error_line(&error, line, sizeof line));
        tell_mesh(set, shape, why);
    } else if (m->mesh.count > MOST_TRIANGLES - set->triangles) {
        snprintf(why, sizeof why, "is left out: with its %zu triangles the page would have more than %d", m->mesh.count,
                 MOST_TRIANGLES);
        tell_mesh(set, shape, why);
        zv_mesh_free(&m->mesh);
    } else {
        measure_mesh(m);
        m->number = set->drawn++;
        set->triangles += m->mesh.count;
    }
}

/* The kind of a file is told by the end of its name. */
static const char *suffix_of(const char *path) {
    const char *point = strrchr(path, '.');
    return point ? point : "";
}

/* Two names of one file are one mesh unless they tell of different kinds. */
static bool is_same(const PageMesh *m, const char *path, const char *file) {
    return m->path && strcmp(m->file, file) == 0 && strcmp(suffix_of(m->path), suffix_of(path)) == 0;
}

/* A mesh that was looked for before. What was not found goes by its name alone. */
static PageMesh *known(const PageMeshSet *set, const char *name, const char *path, const char *file) {
    for (int i = 0; i < set->count; i++) {
        PageMesh *m = &set->meshes[i];
        if (path ? is_same(m, path, file) : !m->path && strcmp(m->name, name) == 0) return m;
    }
    return NULL;
}

/* A new mesh at the end of the set; pointers to older ones are no longer valid. */
static PageMesh *add_mesh(PageMeshSet *set, const char *name) {
    PageMesh *larger = realloc(set->meshes, ((size_t)set->count + 1) * sizeof *larger);
    char *copy = malloc(strlen(name) + 1);
    if (larger) set->meshes = larger;
    if (!larger || !copy) {
        set->failed = true;
        free(copy);
        return NULL;
    }
    set->meshes[set->count] = (PageMesh){.name = strcpy(copy, name), .number = -1};
    return &set->meshes[set->count++];
}

/* Each file is read once, by whatever name; what cannot be drawn is reported once and remembered as empty. */
const PageMesh *page_mesh_of(PageMeshSet *set, const zvShape *shape) {
    const char *name = shape->mesh ? shape->mesh : "";
    char *path = page_mesh_path(set, shape), *file = path ? realpath(path, NULL) : NULL;
    if (!file) free(path), path = NULL;
    PageMesh *m = set->failed ? NULL : known(set, name, path, file);
    const bool is_new = !m && !set->failed && (m = add_mesh(set, name));
    if (!is_new) {
        free(path);
        free(file);
        return m && m->mesh.count ? m : NULL;
    }
    m->path = path;
    m->file = file;
    if (path)
        load(set, shape, m);
    else if (!set->missing++)
        set->first_missing = m->name, set->missing_link = shape->link;
    return m->mesh.count ? m : NULL;
}

/* What is missing is told in one line. */
static void tell_missing(const PageMeshSet *set) {
    char more[48] = "";
    Text line = {0};
    if (!set->missing) return;
    if (set->missing > 1) snprintf(more, sizeof more, " (and %d more)", set->missing - 1);
    text_printf(&line, "mesh %s of link %s is not found%s; --meshes DIR tells where meshes are", set->first_missing,
                set->missing_link, more);
    if (line.bytes && !told_before(set->problems, line.bytes)) page_problem(set->problems, "%s", line.bytes);
    text_free(&line);
}

/* Corners in single precision: the picture shows no more. */
void page_meshes_json(const PageMeshSet *set, Json *json) {
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < set->count; i++) {
        const PageMesh *m = &set->meshes[i];
        if (!m->mesh.count) continue;
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, m->name);
        json_key(json, "triangles"), json_integer(json, (int)m->mesh.count);
        json_key(json, "data"), base64_floats(json, m->mesh.corners, 9 * m->mesh.count);
        json_end(json);
    }
    json_end(json);
    tell_missing(set);
    if (set->untold) page_problem(set->problems, "and %d more meshes are left out", set->untold);
}

void page_meshes_free(PageMeshSet *set) {
    for (int i = 0; i < set->count; i++) {
        free(set->meshes[i].name);
        free(set->meshes[i].path);
        free(set->meshes[i].file);
        zv_mesh_free(&set->meshes[i].mesh);
    }
    free(set->meshes);
    *set = (PageMeshSet){0};
}

/* Where the file of a mesh is: as the model writes it, beside the file that names it, in the package of that name among
 * the folders above, or below the folders of --meshes. */

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

/* Where --package NAME=DIR has the package. */
static char *in_told_package(PageMeshSet *set, const char *name, const char *rest) {
    const size_t size = rest ? (size_t)(rest - name) : 0;
    char *path = NULL;
    for (int i = 0; !path && rest && set->where && i < set->where->package_count; i++) {
        const char *told = set->where->packages[i];
        if (strncmp(told, name, size) != 0 || told[size] != '=') continue;
        path = file_in(set, told + size + 1, strlen(told + size + 1), rest + 1);
    }
    return path;
}

static char *in_package(PageMeshSet *set, const zvShape *shape, const char *name) {
    const char *rest = strchr(name, '/');
    char *path = in_told_package(set, name, rest);
    if (!path) path = in_folders(set, name);
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

/* Packages are looked for where --package says, in --meshes and above the model's folder, other names beside the file
 * that writes them. */
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
