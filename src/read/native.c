/* Native robot files: the sections in their order. Included files come first, then what modifies them, then the links,
 * the joints and chains (in the order of the file, which is the order of the coordinates), frames, loops and shapes. */
#include "read/native.h"

#include <stdio.h>
#include <string.h>

#include "read/native_parts.h"

enum { FORMAT = 1 };

static zvStatus check_version(const ziReading *reading, const ziElement *robot) {
    const zvNode *node = zv_node_get(robot->node, "zveno");
    if (!node) {
        return zv_fail(reading->error, ZV_SCHEMA, robot->node->mark, "zveno",
                       "the key zveno is missing; a native robot file begins with \"zveno: %d\"", FORMAT);
    }
    int version = 0;
    zvStatus status = zv_node_integer(node, "the format version after zveno", &version, reading->error);
    if (status < 0 || version == FORMAT) return status;
    return zv_fail(reading->error, ZV_NOT_SUPPORTED, node->mark, node->text,
                   "the file is of format %d, and this version reads format %d; write zveno: %d or get a newer version",
                   version, FORMAT, FORMAT);
}

static zvStatus read_settings(const ziReading *reading, const ziElement *robot) {
    static const char *const bases[] = {"fixed", "free"}, *const mimics[] = {"coupled", "independent"};
    const char *name = NULL;
    zvStatus status = zi_element_text(reading, robot, "name", &name);
    if (status < 0) return status;
    if (name && (status = zv_builder_set_name(reading->builder, name, reading->error)) < 0) return status;
    double g[3];
    if ((status = zi_element_numbers(reading, robot, "gravity", 3, g)) < 0) return status;
    if (zi_element_has(robot, "gravity")) zv_builder_set_gravity(reading->builder, g);
    int base = 0, mimic = 0;
    if ((status = zi_element_word(reading, robot, "base", bases, 2, &base)) < 0) return status;
    if (zi_element_has(robot, "base")) zv_builder_set_free_base(reading->builder, base == 1);
    if ((status = zi_element_word(reading, robot, "mimic_joints", mimics, 2, &mimic)) < 0) return status;
    if (zi_element_has(robot, "mimic_joints")) zv_builder_set_mimic_coupled(reading->builder, mimic == 0);
    return ZV_OK;
}

typedef zvStatus (*Section)(const ziReading *reading, const zvNode *list);

static zvStatus read_section(const ziReading *reading, const ziElement *robot, const char *key, Section section) {
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, robot, key, &list);
    return status < 0 || !list ? status : section(reading, list);
}

static zvStatus read_free_shapes(const ziReading *reading, const zvNode *list) {
    return zi_native_shapes(reading, list, NULL, NULL);
}

static zvStatus read_joints_and_chains(const ziReading *reading, const ziElement *robot) {
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

static zvStatus read_robot(const ziReading *reading, const zvNode *root, bool needs_version) {
    static const char *const keys[] = {"zveno", "name",   "gravity", "base",  "mimic_joints", "include", "modify",
                                       "links", "joints", "frames",  "loops", "shapes",       "chain"};
    ziElement robot = {root, "the robot file", NULL};
    zvStatus status;
    /* the version first: a newer format may well have keys that are unknown here */
    const bool versioned = root->kind == ZV_NODE_MAP && (needs_version || zv_node_get(root, "zveno"));
    if (versioned && (status = check_version(reading, &robot)) < 0) return status;
    status = zi_element_open(reading, root, robot.kind, NULL, keys, sizeof keys / sizeof *keys, &robot);
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

zvStatus zi_native_read_nested(const ziReading *reading, const char *bytes, size_t size) {
    zvDocument *document = NULL;
    zvStatus status = zv_document_read_memory(reading->file, bytes, size, &document, reading->error);
    if (status < 0) return status;
    const zvNode *root = zv_document_root(document);
    if (root) {
        status = read_robot(reading, root, true);
    } else {
        zvMark mark = {reading->file, 1, 1};
        status = zv_fail(reading->error, ZV_SCHEMA, mark, "", "the file is empty; begin it with \"zveno: %d\"", FORMAT);
    }
    zv_document_destroy(document);
    return status;
}

zvStatus zi_native_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error) {
    int files = 0;
    ziReading reading = {builder, zv_builder_keep(builder, name), NULL, 0, &files, error};
    zvMark mark = {name, 0, 0};
    if (!reading.file) return zv_fail(error, ZV_MEMORY, mark, "", "no memory to read the file");
    return zi_native_read_nested(&reading, bytes, size);
}

zvStatus zi_native_read_node(zvBuilder *builder, const char *name, const zvNode *node, zvError *error) {
    int files = 0;
    ziReading reading = {builder, zv_builder_keep(builder, name), NULL, 0, &files, error};
    if (!reading.file) return zv_fail(error, ZV_MEMORY, node->mark, "", "no memory to read the robot");
    return read_robot(&reading, node, false);
}
