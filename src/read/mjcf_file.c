/* The files of an MJCF model: the main one and those that it includes, whose elements take the place of <include>. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/mjcf.h"

enum { MOST_FILES = 256 };

static bool is_absolute(const char *path) { return path[0] == '/'; }

/* directory of `from` + folder + "/" + file; an absolute part drops what is before it. */
static const char *join(ziMjcf *m, const char *from, const char *folder, const char *file) {
    const char *slash = from ? strrchr(from, '/') : NULL;
    if (is_absolute(file)) folder = "";
    const bool alone = is_absolute(file) || (folder && is_absolute(folder));
    const int directory = slash && !alone ? (int)(slash + 1 - from) : 0;
    const size_t length = folder ? strlen(folder) : 0;
    const char *between = length > 0 && folder[length - 1] != '/' ? "/" : "";
    const size_t size = (size_t)directory + length + strlen(file) + 2;
    char *path = zi_arena_alloc(&m->arena, size);
    if (path) snprintf(path, size, "%.*s%s%s%s", directory, from ? from : "", folder ? folder : "", between, file);
    return path;
}

const char *zi_mjcf_beside(ziMjcf *m, const char *folder, const char *file) { return join(m, m->name, folder, file); }

/* A file that is included twice would bring its elements twice, and one that includes itself would never end. */
static zvStatus check_new(const ziMjcf *m, const ziXmlElement *include, const char *path) {
    for (size_t i = 0; i < m->nfile; i++) {
        if (strcmp(m->files[i].path, path) != 0) continue;
        return zi_mjcf_fail(m, ZV_TOPOLOGY, include, "file",
                            "<include>: expected a file that is not there yet, found \"%.100s\" a second time; remove "
                            "one of the two, or the circle of includes",
                            path);
    }
    if (m->nfile < MOST_FILES) return ZV_OK;
    return zi_mjcf_fail(m, ZV_SIZE, include, "file", "<include>: expected at most %d files, found more", MOST_FILES);
}

static bool is_root(const ziXmlElement *root) {
    return strcmp(root->name, "mujoco") == 0 || strcmp(root->name, "mujocoinclude") == 0;
}

/* Reads an included file; *first is the first of its elements. */
static zvStatus load_included(ziMjcf *m, const ziXmlElement *include, const char *path, ziXmlElement **first) {
    if (!zi_grow(&m->files, m->nfile, &m->file_room, sizeof *m->files)) return zi_mjcf_memory(m, include);
    zvError reason = {0};
    ziMjcfFile file = {.path = path};
    zvStatus status = zi_source_load(path, &file.source, &reason);
    if (status != ZV_OK)
        return status == ZV_MEMORY ? zi_mjcf_memory(m, include)
                                   : zi_mjcf_fail(m, status, include, "file",
                                                  "<include>: expected a file at \"%.120s\", found none that can be "
                                                  "read: %.150s",
                                                  path, reason.text);
    status = zi_xml_read(path, file.source.bytes, file.source.size, &file.xml, m->error);
    if (status != ZV_OK) {
        zi_source_free(&file.source);
        return status;
    }
    m->files[m->nfile++] = file;
    ziXmlElement *root = zi_xml_tree(file.xml);
    if (!is_root(root))
        return zv_fail(m->error, ZV_SCHEMA, root->mark, root->name,
                       "expected the root element <mujoco> or <mujocoinclude> in an included file, found <%.60s>",
                       root->name);
    *first = root->first;
    return ZV_OK;
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Names are seen from the main file; what is not there is looked for beside the file that includes it. */
static zvStatus find_included(ziMjcf *m, const ziXmlElement *include, const char **path) {
    const ziXmlAttribute *file = zi_xml_attribute(include, "file");
    if (!file || !file->value[0])
        return zi_mjcf_fail(m, ZV_SCHEMA, include, NULL, "<include>: expected file=\"...\", found none; add it");
    *path = zi_mjcf_beside(m, NULL, file->value);
    if (*path && !exists(*path)) {
        const char *near = join(m, include->mark.file, NULL, file->value);
        if (!near) return zi_mjcf_memory(m, include);
        if (exists(near)) *path = near;
    }
    return *path ? check_new(m, include, *path) : zi_mjcf_memory(m, include);
}

/* Puts the elements of the file where <include> stands: none where it is empty. */
static zvStatus include_at(ziMjcf *m, ziXmlElement **link) {
    ziXmlElement *include = *link, *first = NULL;
    const char *path = NULL;
    zvStatus status = find_included(m, include, &path);
    if (status == ZV_OK) status = load_included(m, include, path, &first);
    if (status != ZV_OK) return status;
    ziXmlElement *last = first;
    while (last && last->next) last = last->next;
    if (last) last->next = include->next;
    *link = first ? first : include->next;
    return ZV_OK;
}

/* Walks over the tree, into what includes bring too. The number of files bounds it; depth is that of XML times it. */
static zvStatus expand_includes(ziMjcf *m, ziXmlElement *element, int depth) {
    if (depth > ZI_XML_DEPTH)
        return zi_mjcf_fail(m, ZV_SIZE, element, NULL,
                            "expected at most %d levels of elements with all includes, found more", ZI_XML_DEPTH);
    for (ziXmlElement **link = &element->first; *link;) {
        zvStatus status;
        if (strcmp((*link)->name, "include") == 0) {
            status = include_at(m, link);
        } else {
            status = expand_includes(m, *link, depth + 1);
            link = &(*link)->next;
        }
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

zvStatus zi_mjcf_load(ziMjcf *m, const char *name, const char *bytes, size_t size) {
    if (!zi_grow(&m->files, m->nfile, &m->file_room, sizeof *m->files)) return zi_mjcf_memory(m, NULL);
    ziMjcfFile file = {.path = name};
    const zvStatus status = zi_xml_read(name, bytes, size, &file.xml, m->error);
    if (status != ZV_OK) return status;
    m->files[m->nfile++] = file;
    m->root = zi_xml_root(file.xml);
    return expand_includes(m, zi_xml_tree(file.xml), 1);
}

/* The bytes of the main file belong to the caller. */
void zi_mjcf_free(ziMjcf *m) {
    for (size_t i = 0; i < m->nfile; i++) {
        zi_xml_destroy(m->files[i].xml);
        if (i > 0) zi_source_free(&m->files[i].source);
    }
    void *const arrays[] = {m->files,  m->classes, m->defaults, m->bodies, m->joints, m->geoms,
                            m->meshes, m->sites,   m->tendons,  m->terms,  m->colors};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    ziNames *const names[] = {&m->class_names,  &m->body_names,  &m->joint_names, &m->mesh_names,   &m->site_names,
                              &m->tendon_names, &m->color_names, &m->taken_links, &m->taken_joints, &m->told};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) zi_names_free(names[i]);
    zi_arena_free(&m->arena);
}
