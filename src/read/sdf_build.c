/* SDF: from frames to a robot. What no joint holds floats, as the format has it: one such link alone makes the base a
 * free one; otherwise links hang on the world, by free joints, or rigidly where their model is static. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/sdf.h"

/* What stands where, and what holds what, before anything is added. */
static zvStatus look_around(ziSdf *s, bool *has_parent, bool *uses_world) {
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < s->count && status == ZV_OK; i++) {
        const ziSdfFrame *f = &s->frames[i];
        if (f->kind != ZI_SDF_JOINT) continue;
        const char *names[2] = {zi_sdf_text(s, f->element, "parent"), zi_sdf_text(s, f->element, "child")};
        const ziXmlAttribute *type = zi_xml_attribute(f->element, "type");
        if (!names[0] || !names[1] || (type && strcmp(type->value, "gearbox") == 0)) continue; /* told later */
        for (int k = 0; k < 2 && status == ZV_OK; k++) {
            int end = 0;
            status = zi_sdf_find(s, f->element, (int)i, names[k], &end);
            if (status == ZV_OK) status = zi_sdf_link_of(s, end, &end);
            if (status == ZV_OK && k) has_parent[end] = true;
            if (status == ZV_OK && end == 0) *uses_world = true;
        }
    }
    return status;
}

static zvStatus add_world(ziSdf *s) {
    zvLink world = zv_link_default("world");
    world.mark = s->frames[0].element->mark;
    return zv_builder_add_link(s->u.builder, &world, s->u.error);
}

/* A link that no joint holds, to the world. */
static zvStatus add_root(ziSdf *s, int frame) {
    const ziSdfFrame *f = &s->frames[frame];
    char name[512];
    snprintf(name, sizeof name, "%.480s_%s", f->name, f->fixed ? "fixed" : "free");
    zvJoint joint = zv_joint_default(name, f->fixed ? ZV_JOINT_FIXED : ZV_JOINT_FREE, "world", f->name);
    joint.origin = f->world;
    joint.mark = zi_urdf_mark(f->element);
    return zv_builder_add_joint(s->u.builder, &joint, s->u.error);
}

/* On the link that it moves with; of the world where that is a link. */
static zvStatus put_frame(ziSdf *s, int frame) {
    const ziSdfFrame *f = &s->frames[frame];
    int link = 0;
    zvStatus status = zi_sdf_link_of(s, frame, &link);
    if (status == ZV_OK) status = zi_sdf_resolve(s, frame);
    if (status == ZV_OK) status = zi_sdf_resolve(s, link);
    if (status != ZV_OK) return status;
    if (link == 0 && zv_builder_find_link(s->u.builder, "world") < 0) return ZV_OK; /* of a base that floats */
    zvFrame named = zv_frame_default(f->name, s->frames[link].name);
    named.pose = zi_sdf_between(s, link, frame);
    named.mark = zi_urdf_mark(f->element);
    return zv_builder_add_frame(s->u.builder, &named, s->u.error);
}

/* Links, joints to the world, joints, frames. */
static zvStatus add_all(ziSdf *s, bool *has_parent, bool uses_world) {
    int loose = 0;
    bool still = false;
    for (size_t i = 1; i < s->count; i++) {
        if (s->frames[i].kind != ZI_SDF_LINK || has_parent[i]) continue;
        loose += !s->frames[i].fixed;
        still = still || s->frames[i].fixed;
    }
    const bool floats = loose == 1 && !uses_world && !still;
    zvStatus status = floats ? ZV_OK : add_world(s);
    for (size_t i = 1; i < s->count && status == ZV_OK; i++) {
        if (s->frames[i].kind != ZI_SDF_LINK) continue;
        status = zi_sdf_resolve(s, (int)i);
        if (status == ZV_OK) status = zi_sdf_add_link(s, (int)i);
    }
    if (floats) zv_builder_set_free_base(s->u.builder, true);
    if (floats && status == ZV_OK)
        status = zi_urdf_remark(&s->u, ZV_SEVERITY_NOTE, "floating-base", s->frames[0].element->mark, "joint",
                                "--base fixed holds it, as does a joint whose <parent> is world",
                                "no joint holds the robot: its base floats, as the format has it");
    for (size_t i = 1; i < s->count && status == ZV_OK && !floats; i++)
        if (s->frames[i].kind == ZI_SDF_LINK && !has_parent[i]) status = add_root(s, (int)i);
    memset(has_parent, 0, s->count * sizeof *has_parent);
    for (size_t i = 1; i < s->count && status == ZV_OK; i++)
        if (s->frames[i].kind == ZI_SDF_JOINT) status = zi_sdf_add_joint(s, (int)i, has_parent);
    for (size_t i = 1; i < s->count && status == ZV_OK; i++)
        if (s->frames[i].kind == ZI_SDF_FRAME) status = put_frame(s, (int)i);
    return status;
}

zvStatus zi_sdf_build(ziSdf *s) {
    bool *has_parent = calloc(s->count + 1, sizeof *has_parent), uses_world = false;
    if (!has_parent)
        return zv_fail(s->u.error, ZV_MEMORY, s->frames[0].element->mark, "", "out of memory while reading the SDF");
    s->u.kind = "robot", s->u.name = zv_builder_name(s->u.builder);
    zvStatus status = look_around(s, has_parent, &uses_world);
    if (status == ZV_OK) status = add_all(s, has_parent, uses_world);
    free(has_parent);
    return status;
}
