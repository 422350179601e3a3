/* Native robot files: included files first, then what modifies them, then the sections in their order. */
#define _POSIX_C_SOURCE 200809L
#include "read/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/builder.h"
#include "read/change.h"
#include "zveno/read.h"

/* Files that native files name: robots under `include`, read before the including file, and modal data. They are found
 * beside the file that names them. Nesting is bounded, and a file that includes itself, directly or not, is refused. */

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

/* A file that includes itself would never end; neither may a chain of includes be too deep. */
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

/* The first character tells XML, of either format, from YAML, as in zv_read_file. */
static bool is_xml(const ziSource *source) {
    const char *bytes = source->bytes;
    if (source->size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) bytes += 3;
    return bytes[strspn(bytes, " \t\r\n")] == '<';
}

/* The path of the file that a node names, kept by the builder. */
static zvStatus locate_file(const ziReading *reading, const zvNode *node, const char *what, const char **path) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, what, &name, reading->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0) {
        return zv_fail(reading->error, ZV_SCHEMA, node->mark, name, "%s: expected the path of a file, found \"%s\"",
                       what, name);
    }
    char *joined = beside(reading->file, name);
    *path = joined ? zv_builder_keep(reading->builder, joined) : NULL;
    free(joined);
    if (*path) return ZV_OK;
    return zv_fail(reading->error, ZV_MEMORY, node->mark, name, "no memory for the name of a file");
}

/* The bytes of an included file; a failure is placed where the file is named. */
static zvStatus load_named_file(const ziReading *reading, const zvNode *node, const char *what, const char *path,
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
    zvStatus status = locate_file(reading, node, what, path);
    return status < 0 ? status : load_named_file(reading, node, what, *path, source);
}

/* An included file is read by the reader of its format, as if it stood here. */
static zvStatus include_one(const ziReading *reading, const zvNode *node) {
    const char *path = NULL;
    zvStatus status = locate_file(reading, node, "include", &path);
    if (status < 0) return status;
    if ((status = check_nesting(reading, node, path)) < 0) return status;
    ziSource source;
    if ((status = load_named_file(reading, node, "the included file", path, &source)) < 0) return status;
    if (is_xml(&source)) {
        status = zv_read_memory(reading->builder, path, source.bytes, source.size, ZV_FORMAT_AUTO, reading->error);
    } else {
        ziReading nested = {.builder = reading->builder,
                            .file = path,
                            .outer = reading,
                            .depth = reading->depth + 1,
                            .files = reading->files,
                            .error = reading->error};
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

/* The section `modify`: numbers of links and joints that an included file has brought; links may become elastic. */

typedef const char *(*NameOf)(zvBuilder *builder, int index);

static const char *link_name(zvBuilder *builder, int index) { return zv_builder_link(builder, index)->name; }
static const char *joint_name(zvBuilder *builder, int index) { return zv_builder_joint(builder, index)->name; }

/* A name that modify mentions and no included file has brought, with the nearest there is. */
static zvStatus refuse_unknown(const ziReading *reading, const ziNamedMap *element, int count, NameOf name_of) {
    const char *nearest = NULL;
    const char **names = malloc((size_t)count * sizeof *names + 1);
    if (names) {
        for (int i = 0; i < count; i++) names[i] = name_of(reading->builder, i);
        nearest = zv_nearest_name(element->name, names, (size_t)count);
    }
    zvMark mark = zv_node_get(element->node, "name")->mark;
    zvStatus status =
        nearest ? zv_fail(reading->error, ZV_NAME, mark, element->name,
                          "no included %s is called \"%.60s\"; did you mean \"%.60s\"?", element->kind, element->name,
                          nearest)
                : zv_fail(reading->error, ZV_NAME, mark, element->name,
                          "no included %s is called \"%.60s\"; modify changes what include brings in, other elements "
                          "are changed at their own place",
                          element->kind, element->name);
    free(names);
    return status;
}

/* What a beam or the nodes of modal data weigh comes besides the inertia of the link. */
static bool weighs_itself(const zvLink *link) { return link->beam || (link->modal && link->modal->node_count > 0); }

/* Makes a link elastic. Whether the inertia it had stays as a rigid part cannot be guessed, so mass has to be said. */
static zvStatus modify_elastic(const ziReading *reading, const ziNamedMap *element, const zvLink *before,
                               zvLink *link) {
    const bool beam = zi_map_has(element, "beam"), modal = zi_map_has(element, "modal");
    if (!beam && !modal) return ZV_OK;
    zvStatus status = zi_native_elastic(reading, element, &reading->builder->texts, link);
    if (status < 0) return status;
    if (!zi_map_has(element, "mass")) {
        if (before->inertia.mass == 0 || weighs_itself(before) || !weighs_itself(link)) return ZV_OK;
        char reason[240];
        snprintf(reason, sizeof reason,
                 "expected no mass of the included link beside its own, found %g kg; add mass: 0 when that was the "
                 "same mass, or "
                 "mass: %g to keep it as a rigid part",
                 before->inertia.mass, before->inertia.mass);
        return zi_map_refuse(reading, element, beam ? "beam" : "modal", reason);
    }
    if (link->inertia.mass != 0) return ZV_OK;
    const bool com = zi_map_has(element, "com"), moments = zi_map_has(element, "inertia");
    if (!com) memset(link->inertia.com, 0, sizeof link->inertia.com);
    if (!moments) memset(link->inertia.moment, 0, sizeof link->inertia.moment);
    link->has_inertia = com || moments;
    return ZV_OK;
}

/* Changes what the keys say of a link, and nothing when something about them is wrong. */
static zvStatus modify_link(const ziReading *reading, const ziNamedMap *element) {
    int index = zv_builder_find_link(reading->builder, element->name);
    if (index < 0) return refuse_unknown(reading, element, zv_builder_nlink(reading->builder), link_name);
    zvLink *link = zv_builder_link(reading->builder, index);
    const zvLink before = *link;
    /* spots count in the file of the mark */
    link->mark = zi_reading_mark(reading, element->node->mark);
    link->mass_spot = zi_map_spot(element, "mass");
    link->inertia_spot = zi_map_spot(element, "inertia");
    link->elastic_spot = (zvSpot){0};
    zvStatus status = zi_native_inertia(reading, element, link);
    return status < 0 ? status : modify_elastic(reading, element, &before, link);
}

/* The name of the master is a text and stays; its ratio and offset may change. */
static zvStatus check_mimic(const ziReading *reading, const ziNamedMap *element, const zvJoint *joint) {
    const zvNode *mimic = zv_node_get(element->node, "mimic");
    if (!mimic) return ZV_OK;
    if (!joint->mimic)
        return zi_map_refuse(
            reading, element, "mimic",
            "expected a joint that follows already, found one that does not; modify adds no mimic: remove it");
    if (mimic->kind == ZV_NODE_MAP && zv_node_get(mimic, "joint")) {
        return zi_map_refuse(reading, element, "mimic",
                             "expected ratio and offset, found another joint, which modify cannot give");
    }
    return ZV_OK;
}

/* Changes numbers of a joint; type and links stay, since the tree is built on them. */
static zvStatus modify_joint(const ziReading *reading, const ziNamedMap *element) {
    int index = zv_builder_find_joint(reading->builder, element->name);
    if (index < 0) return refuse_unknown(reading, element, zv_builder_njoint(reading->builder), joint_name);
    zvJoint *joint = zv_builder_joint(reading->builder, index);
    joint->mark = zi_reading_mark(reading, element->node->mark);
    zvStatus status = check_mimic(reading, element, joint);
    return status < 0 ? status : zi_native_joint_numbers(reading, element, joint);
}

/* Each entry names a link or joint that is there already. */
zvStatus zi_native_modify(const ziReading *reading, const ziNamedMap *robot) {
    static const char *const keys[] = {"links", "joints"};
    static const char *const link_keys[] = {"name", ZI_INERTIA_KEYS, ZI_ELASTIC_KEYS};
    static const char *const joint_keys[] = {"name", "origin", "axis", "axis2",        "pitch",   ZI_DOF_KEYS,
                                             "dofs", "mimic",  "cut",  "child_origin", "flexible"};
    ziNamedMap modify;
    zvStatus status = zi_map_part(reading, robot, "modify", "modify", keys, 2, &modify);
    if (status < 0 || !modify.node) return status;
    const zvNode *links = NULL, *joints = NULL;
    if ((status = zi_map_list(reading, &modify, "links", &links)) < 0) return status;
    if ((status = zi_map_list(reading, &modify, "joints", &joints)) < 0) return status;
    status = zi_map_each(reading, links, "link", link_keys, sizeof link_keys / sizeof *link_keys, modify_link);
    if (status < 0) return status;
    return zi_map_each(reading, joints, "joint", joint_keys, sizeof joint_keys / sizeof *joint_keys, modify_joint);
}

/* Native robot files: the sections in their order. Included files come first, then what modifies them, then the links,
 * the joints and chains (in the order of the file, which is the order of the coordinates), frames, loops and shapes. */

enum { FORMAT = 1 };

/* The version decides how everything below is to be read. */
static zvStatus check_version(const ziReading *reading, const ziNamedMap *robot) {
    const zvNode *node = zv_node_get(robot->node, "zveno");
    if (!node) {
        return zv_fail(reading->error, ZV_SCHEMA, robot->node->mark, "zveno",
                       zv_node_get(robot->node, "zveno_scenario")
                           ? "expected a robot, found a scenario; a native robot file begins with \"zveno: %d\""
                           : "the key zveno is missing; a native robot file begins with \"zveno: %d\"",
                       FORMAT);
    }
    int version = 0;
    zvStatus status = zv_node_integer(node, "the format version after zveno", &version, reading->error);
    if (status < 0 || version == FORMAT) return status;
    return zv_fail(reading->error, ZV_NOT_SUPPORTED, node->mark, node->text,
                   "the file is of format %d, and this version reads format %d; write zveno: %d or get a newer version",
                   version, FORMAT, FORMAT);
}

/* Name, gravity, base and mimic joints: what belongs to the robot as a whole. */
static zvStatus read_settings(const ziReading *reading, const ziNamedMap *robot) {
    static const char *const bases[] = {"fixed", "free"}, *const mimics[] = {"coupled", "independent"};
    const char *name = NULL;
    zvStatus status = zi_map_text(reading, robot, "name", &name);
    if (status < 0) return status;
    if (name && (status = zv_builder_set_name(reading->builder, name, reading->error)) < 0) return status;
    const zvNode *named = zv_node_get(robot->node, "name"), *gravity = zv_node_get(robot->node, "gravity");
    const zvMark mark = zi_reading_mark(reading, named ? named->mark : robot->node->mark);
    status = zi_builder_mark(reading->builder, mark, gravity ? &gravity->mark : NULL, reading->error);
    if (status < 0) return status;
    double g[3];
    if ((status = zi_map_numbers(reading, robot, "gravity", 3, g)) < 0) return status;
    if (zi_map_has(robot, "gravity")) zv_builder_set_gravity(reading->builder, g);
    int base = 0, mimic = 0;
    if ((status = zi_map_word(reading, robot, "base", bases, 2, &base)) < 0) return status;
    if (zi_map_has(robot, "base")) zv_builder_set_free_base(reading->builder, base == 1);
    if ((status = zi_map_word(reading, robot, "mimic_joints", mimics, 2, &mimic)) < 0) return status;
    if (zi_map_has(robot, "mimic_joints")) zv_builder_set_mimic_coupled(reading->builder, mimic == 0);
    return ZV_OK;
}

typedef zvStatus (*SectionReader)(const ziReading *reading, const zvNode *list);

static zvStatus read_section(const ziReading *reading, const ziNamedMap *robot, const char *key,
                             SectionReader section) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(reading, robot, key, &list);
    return status < 0 || !list ? status : section(reading, list);
}

static zvStatus read_free_shapes(const ziReading *reading, const zvNode *list) {
    return zi_native_shapes(reading, list, NULL, NULL);
}

/* In the order of the file, which is the order of coordinates. */
static zvStatus read_joints_and_chains(const ziReading *reading, const ziNamedMap *robot) {
    for (int i = 0; i < robot->node->count; i++) {
        zvStatus status = ZV_OK;
        if (strcmp(robot->node->keys[i], "joints") == 0) {
            status = read_section(reading, robot, "joints", zi_native_joints);
        } else if (strcmp(robot->node->keys[i], "chain") == 0) {
            status = zi_native_chains(reading, robot->node->items[i]);
        }
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* The sections in an order in which names are there before they are used. */
static zvStatus read_robot(const ziReading *reading, const zvNode *root, bool needs_version) {
    static const char *const keys[] = {"zveno", "name",   "gravity", "base",  "mimic_joints", "include", "modify",
                                       "links", "joints", "frames",  "loops", "shapes",       "chain"};
    ziNamedMap robot = {root, "the robot file", NULL};
    zvStatus status;
    /* the version first: a newer format may well have keys that are unknown here */
    const bool versioned = root->kind == ZV_NODE_MAP && (needs_version || zv_node_get(root, "zveno"));
    if (versioned && (status = check_version(reading, &robot)) < 0) return status;
    status = zi_map_open(reading, root, robot.kind, NULL, keys, sizeof keys / sizeof *keys, &robot);
    if (status < 0) return status;
    zv_builder_set_cutting(reading->builder, true); /* what URDF cannot say, a native file can mean */
    const zvNode *include = zv_node_get(root, "include");
    if (include && (status = zi_native_include(reading, include)) < 0) return status;
    if ((status = zi_native_modify(reading, &robot)) < 0) return status;
    if ((status = read_settings(reading, &robot)) < 0) return status;
    if ((status = read_section(reading, &robot, "links", zi_native_links)) < 0) return status;
    if ((status = read_joints_and_chains(reading, &robot)) < 0) return status;
    if ((status = read_section(reading, &robot, "frames", zi_native_frames)) < 0) return status;
    if ((status = read_section(reading, &robot, "loops", zi_native_loops)) < 0) return status;
    return read_section(reading, &robot, "shapes", read_free_shapes);
}

/* Parameters as they are given, then their values in their places. */
static zvStatus expand_document(const ziReading *reading, zvDocument *document) {
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < reading->change_count; i++)
        if (zi_change_is_of(reading->changes[i], "parameters"))
            status = zv_document_change(document, reading->changes[i], reading->error);
    return status < 0 ? status : zv_document_expand(document, reading->error);
}

/* A document of its own for every file: the builder keeps what is needed of it. */
zvStatus zi_native_read_nested(const ziReading *reading, const char *bytes, size_t size) {
    zvDocument *document = NULL;
    zvStatus status = zv_document_read_memory(reading->file, bytes, size, &document, reading->error);
    if (status < 0) return status;
    status = expand_document(reading, document);
    const zvNode *root = zv_document_root(document);
    if (status >= 0 && root) {
        status = read_robot(reading, root, true);
    } else if (status >= 0) {
        zvMark mark = {reading->file, 1, 1};
        status = zv_fail(reading->error, ZV_SCHEMA, mark, "", "the file is empty; begin it with \"zveno: %d\"", FORMAT);
    }
    zv_document_destroy(document);
    return status;
}

/* Marks point at the name that the builder keeps. */
zvStatus zi_native_read_changed(zvBuilder *builder, const char *name, const char *bytes, size_t size, int change_count,
                                const char *const *changes, zvError *error) {
    int files = 0;
    ziReading reading = {.builder = builder,
                         .file = zv_builder_keep(builder, name),
                         .files = &files,
                         .change_count = change_count,
                         .changes = changes,
                         .error = error};
    zvMark mark = {name, 0, 0};
    if (!reading.file) return zv_fail(error, ZV_MEMORY, mark, "", "no memory to read the file");
    return zi_native_read_nested(&reading, bytes, size);
}

zvStatus zi_native_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error) {
    return zi_native_read_changed(builder, name, bytes, size, 0, NULL, error);
}

zvStatus zi_native_read_node(zvBuilder *builder, const char *name, const zvNode *node, zvError *error) {
    int files = 0;
    ziReading reading = {.builder = builder, .file = zv_builder_keep(builder, name), .files = &files, .error = error};
    if (!reading.file) return zv_fail(error, ZV_MEMORY, node->mark, "", "no memory to read the robot");
    return read_robot(&reading, node, false);
}
