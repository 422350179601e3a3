/* The section `modify`: numbers of links and joints that an included file has brought; links may become elastic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "read/native_elastic.h"
#include "read/native_parts.h"

typedef const char *(*NameOf)(zvBuilder *builder, int index);

static const char *link_name(zvBuilder *builder, int index) { return zv_builder_link(builder, index)->name; }
static const char *joint_name(zvBuilder *builder, int index) { return zv_builder_joint(builder, index)->name; }

static zvStatus unknown(const ziReading *reading, const ziElement *element, int count, NameOf name_of) {
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
                          "are changed where they stand",
                          element->kind, element->name);
    free(names);
    return status;
}

/* What a beam or the nodes of modal data weigh comes besides the inertia of the link. */
static bool weighs_itself(const zvLink *link) { return link->beam || (link->modal && link->modal->node_count > 0); }

/* Makes a link elastic. Whether the inertia it had stays as a rigid part cannot be guessed, so mass has to be said. */
static zvStatus modify_elastic(const ziReading *reading, const ziElement *element, const zvLink *before, zvLink *link) {
    const bool beam = zi_element_has(element, "beam"), modal = zi_element_has(element, "modal");
    if (!beam && !modal) return ZV_OK;
    zvStatus status = zi_native_elastic(reading, element, &reading->builder->texts, link);
    if (status < 0) return status;
    if (!zi_element_has(element, "mass")) {
        if (before->inertia.mass == 0 || weighs_itself(before) || !weighs_itself(link)) return ZV_OK;
        char reason[240];
        snprintf(reason, sizeof reason,
                 "has a mass of its own, and the included link has %g kg; add mass: 0 when that was the same mass, or "
                 "mass: %g to keep it as a rigid part",
                 before->inertia.mass, before->inertia.mass);
        return zi_element_refuse(reading, element, beam ? "beam" : "modal", reason);
    }
    if (link->inertia.mass != 0) return ZV_OK;
    const bool com = zi_element_has(element, "com"), moments = zi_element_has(element, "inertia");
    if (!com) memset(link->inertia.com, 0, sizeof link->inertia.com);
    if (!moments) memset(link->inertia.moment, 0, sizeof link->inertia.moment);
    link->has_inertia = com || moments;
    return ZV_OK;
}

static zvStatus modify_link(const ziReading *reading, const zvNode *node) {
    static const char *const keys[] = {"name", ZI_INERTIA_KEYS, ZI_ELASTIC_KEYS};
    ziElement element;
    zvStatus status = zi_element_open(reading, node, "link", "name", keys, sizeof keys / sizeof *keys, &element);
    if (status < 0) return status;
    int index = zv_builder_find_link(reading->builder, element.name);
    if (index < 0) return unknown(reading, &element, zv_builder_nlink(reading->builder), link_name);
    zvLink *link = zv_builder_link(reading->builder, index);
    const zvLink before = *link;
    /* spots count in the file of the mark */
    link->mark = zi_reading_mark(reading, node->mark);
    link->mass_spot = zi_element_spot(&element, "mass");
    link->inertia_spot = zi_element_spot(&element, "inertia");
    link->elastic_spot = (zvSpot){0};
    if ((status = zi_native_inertia(reading, &element, link)) < 0) return status;
    return modify_elastic(reading, &element, &before, link);
}

/* The name of the master is a text and stays; its ratio and offset may change. */
static zvStatus check_mimic(const ziReading *reading, const ziElement *element, const zvJoint *joint) {
    const zvNode *mimic = zv_node_get(element->node, "mimic");
    if (!mimic) return ZV_OK;
    if (!joint->mimic) return zi_element_refuse(reading, element, "mimic", "cannot be added by modify; remove it");
    if (mimic->kind == ZV_NODE_MAP && zv_node_get(mimic, "joint")) {
        return zi_element_refuse(reading, element, "mimic",
                                 "cannot get another joint by modify; keep only ratio and offset");
    }
    return ZV_OK;
}

static zvStatus modify_joint(const ziReading *reading, const zvNode *node) {
    static const char *const keys[] = {"name",      "origin", "axis",  "axis2", "pitch",
                                       ZI_DOF_KEYS, "dofs",   "mimic", "cut",   "child_origin"};
    ziElement element;
    zvStatus status = zi_element_open(reading, node, "joint", "name", keys, sizeof keys / sizeof *keys, &element);
    if (status < 0) return status;
    int index = zv_builder_find_joint(reading->builder, element.name);
    if (index < 0) return unknown(reading, &element, zv_builder_njoint(reading->builder), joint_name);
    zvJoint *joint = zv_builder_joint(reading->builder, index);
    joint->mark = zi_reading_mark(reading, node->mark);
    if ((status = check_mimic(reading, &element, joint)) < 0) return status;
    return zi_native_joint_numbers(reading, &element, joint);
}

zvStatus zi_native_modify(const ziReading *reading, const ziElement *robot) {
    static const char *const keys[] = {"links", "joints"};
    ziElement modify;
    zvStatus status = zi_element_part(reading, robot, "modify", "modify", keys, 2, &modify);
    if (status < 0 || !modify.node) return status;
    const zvNode *links = NULL, *joints = NULL;
    if ((status = zi_element_list(reading, &modify, "links", &links)) < 0) return status;
    if ((status = zi_element_list(reading, &modify, "joints", &joints)) < 0) return status;
    for (int i = 0; links && i < links->count; i++) {
        if ((status = modify_link(reading, links->items[i])) < 0) return status;
    }
    for (int i = 0; joints && i < joints->count; i++) {
        if ((status = modify_joint(reading, joints->items[i])) < 0) return status;
    }
    return ZV_OK;
}
