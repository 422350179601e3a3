/* SDF: the file as a whole, and the names in it. */
#include "read/sdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"

enum { DEEPEST = 64, MOST_FRAMES = 1000000 }; /* of nested models; of links, joints and frames */

bool zi_sdf_is(const char *bytes, size_t size) {
    ziXmlScan scan = zi_xml_scan_start("", bytes, size);
    ziXmlPiece root;
    if (!zi_xml_scan_tag(&scan, &root)) return false;
    return (root.length == 3 && memcmp(root.start, "sdf", 3) == 0) ||
           (root.length == 6 && memcmp(root.start, "gazebo", 6) == 0);
}

static zvStatus memory(const ziSdf *s, const ziXmlElement *element) {
    return zv_fail(s->u.error, ZV_MEMORY, element->mark, "", "out of memory while reading the SDF");
}

zvStatus zi_sdf_lost(ziSdf *s, const ziXmlElement *element, const char *key, const char *why, const char *repair) {
    if (key && zi_names_find(&s->told, key) >= 0) return ZV_OK;
    if (key && zi_names_add(&s->told, key, 0) < 0) return memory(s, element);
    return zi_urdf_remark(&s->u, ZV_SEVERITY_WARNING, "not-modelled", element->mark, element->name, repair, "%s", why);
}

static const char *joined(ziSdf *s, const char *scope, const char *name) {
    const size_t size = strlen(scope) + strlen(name) + 1;
    char *text = zi_arena_alloc(&s->arena, size);
    if (text) snprintf(text, size, "%s%s", scope, name);
    return text;
}

/* A named thing with its pose as written. */
static zvStatus collect_frame(ziSdf *s, ziSdfKind kind, const ziXmlElement *element, const char *scope, int model,
                              int usual, int *index) {
    const char *name = NULL;
    zvStatus status = zi_urdf_name(&s->u, element, "name", &name);
    if (status != ZV_OK) return status;
    ziSdfFrame frame = {.kind = kind, .scope = scope, .element = element, .model = model, .usual = usual, .first = -1};
    s->u.kind = element->name, s->u.name = name;
    frame.name = joined(s, scope, name);
    if (!frame.name) return memory(s, element);
    if (s->count == MOST_FRAMES)
        return zv_fail(s->u.error, ZV_SIZE, element->mark, name, "expected at most %d links, joints and frames",
                       MOST_FRAMES);
    status = zi_sdf_pose(s, element, &frame.raw, &frame.relative);
    if (status != ZV_OK) return status;
    if (zi_names_find(&s->names, frame.name) >= 0 && kind != ZI_SDF_JOINT)
        return zv_fail(s->u.error, ZV_NAME, zi_urdf_mark(element), name,
                       "<%s>: expected a name of its own in its model, found \"%.60s\" again; rename one",
                       element->name, name);
    if (!zi_grow(&s->frames, s->count, &s->room, sizeof *s->frames) ||
        zi_names_add(&s->names, frame.name, (int)s->count) < 0)
        return memory(s, element);
    *index = (int)s->count;
    s->frames[s->count++] = frame;
    return ZV_OK;
}

/* What stands in models and worlds and does nothing to the motion of one robot is passed over; of the rest some moves
 * it and is told. */
static zvStatus tell_strangers(ziSdf *s, const ziXmlElement *model) {
    static const struct {
        const char *element, *why, *repair;
    } lost[] = {{"include", "models that are included are left out", "put their files in place of <include>"},
                {"plugin", "plugins are left out", "nothing to do, unless they move the robot"},
                {"gripper", "grippers, which hold what they touch, are left out", "nothing to do"},
                {"actor", "actors are left out", "nothing to do"},
                {"wind", "wind is left out", "write loads into a scenario"}};
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = model->first; e && status == ZV_OK; e = e->next)
        for (size_t i = 0; i < sizeof lost / sizeof *lost && status == ZV_OK; i++)
            if (strcmp(e->name, lost[i].element) == 0) status = zi_sdf_lost(s, e, e->name, lost[i].why, lost[i].repair);
    return status;
}

static zvStatus collect(ziSdf *s, const ziXmlElement *model, const char *scope, int frame, bool fixed, int depth);

/* A model in another: its names have its own before them. */
static zvStatus collect_model(ziSdf *s, const ziXmlElement *model, const char *scope, int around, bool fixed,
                              int depth) {
    int frame = 0;
    if (depth == DEEPEST)
        return zv_fail(s->u.error, ZV_SIZE, model->mark, "model", "expected models nested at most %d deep", DEEPEST);
    const bool alone = s->models == 1 && depth == 0; /* its name is that of the robot, and no part of others */
    zvStatus status = collect_frame(s, ZI_SDF_MODEL, model, alone ? "::" : scope, around, around, &frame);
    if (status != ZV_OK) return status;
    if (alone) s->frames[frame].scope = scope;
    const ziXmlElement *still = zi_urdf_first(model, "static");
    const char *inner = joined(s, s->frames[frame].name, "::");
    if (!inner) return memory(s, model);
    if (zi_xml_attribute(model, "placement_frame"))
        status = zi_sdf_lost(s, model, "placement_frame",
                             "placement_frame is left out: the pose of the model is that of "
                             "its own frame",
                             "give the pose of the model frame");
    if (alone) inner = "";
    return status != ZV_OK ? status
                           : collect(s, model, inner, frame, fixed || (still && zi_urdf_says(still, true)), depth + 1);
}

/* Links, joints, frames and models of a model. */
static zvStatus collect(ziSdf *s, const ziXmlElement *model, const char *scope, int frame, bool fixed, int depth) {
    zvStatus status = tell_strangers(s, model);
    for (const ziXmlElement *e = model->first; e && status == ZV_OK; e = e->next) {
        int index = 0;
        if (strcmp(e->name, "link") == 0) {
            status = collect_frame(s, ZI_SDF_LINK, e, scope, frame, frame, &index);
            if (status == ZV_OK) s->frames[index].fixed = fixed;
        } else if (strcmp(e->name, "joint") == 0) {
            status = collect_frame(s, ZI_SDF_JOINT, e, scope, frame, -1, &index);
        } else if (strcmp(e->name, "frame") == 0) {
            status = collect_frame(s, ZI_SDF_FRAME, e, scope, frame, -1, &index);
            const ziXmlAttribute *attached = status == ZV_OK ? zi_xml_attribute(e, "attached_to") : NULL;
            if (status == ZV_OK && !attached) s->frames[index].usual = frame;
        } else if (strcmp(e->name, "model") == 0) {
            status = collect_model(s, e, scope, frame, fixed, depth);
        }
    }
    return status;
}

static int count_models(const ziXmlElement *element) {
    int count = 0;
    for (const ziXmlElement *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "model") == 0) count++;
        if (strcmp(e->name, "world") == 0) count += count_models(e);
    }
    return count;
}

/* A world: its gravity, its models. Joints between models stand in it as well. */
static zvStatus collect_world(ziSdf *s, const ziXmlElement *world) {
    double gravity[3];
    const ziXmlElement *g = zi_urdf_first(world, "gravity");
    zvStatus status = ZV_OK;
    if (g) {
        status = zi_sdf_numbers(s, g, 3, 3, gravity, NULL);
        if (status == ZV_OK) zv_builder_set_gravity(s->u.builder, gravity);
    }
    return status == ZV_OK ? collect(s, world, "", 0, false, 0) : status;
}

/* The models of the file, and those of its first world. */
static zvStatus collect_all(ziSdf *s, const ziXmlElement *root) {
    const ziXmlAttribute *version = zi_xml_attribute(root, "version");
    s->version = version ? atof(version->value) : 1.12;
    s->old_axes = version && (strcmp(version->value, "1.4") == 0 || strncmp(version->value, "1.0", 3) == 0 ||
                              strcmp(version->value, "1.2") == 0 || strcmp(version->value, "1.3") == 0);
    s->models = count_models(root);
    if (s->models == 0)
        return zv_fail(s->u.error, ZV_SCHEMA, root->mark, root->name,
                       "<%s>: expected a <model>, found none; if models are included, read their own files",
                       root->name);
    zvStatus status = ZV_OK;
    bool world = false;
    for (const ziXmlElement *e = root->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "model") == 0) status = collect_model(s, e, "", 0, false, 0);
        if (strcmp(e->name, "world") != 0) continue;
        if (!world)
            status = collect_world(s, e);
        else
            status = zi_sdf_lost(s, e, "world", "worlds after the first one are left out", "remove them");
        world = true;
    }
    return status;
}

static zvStatus name_robot(ziSdf *s, const ziXmlElement *root) {
    const ziXmlElement *world = zi_urdf_first(root, "world"), *model = zi_urdf_first(world ? world : root, "model");
    const ziXmlAttribute *name = zi_xml_attribute(world && s->models > 1 ? world : model ? model : root, "name");
    const zvStatus status = zi_builder_mark(s->u.builder, root->mark, NULL, s->u.error);
    if (status != ZV_OK || !name || !name->value[0]) return status;
    return zv_builder_set_name(s->u.builder, name->value, s->u.error);
}

/* Frames first; the world is the first of them. */
zvStatus zi_sdf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error) {
    const char *file = zv_builder_keep(builder, name ? name : "");
    if (!file) return zv_fail(error, ZV_MEMORY, (zvMark){name, 0, 0}, "", "out of memory while reading the SDF");
    ziXml *xml;
    zvStatus status = zi_xml_read(file, bytes, size, &xml, error);
    if (status != ZV_OK) return status;
    ziSdf s = {.u = {.builder = builder, .error = error, .kind = "robot", .name = ""}};
    const ziXmlElement *root = zi_xml_root(xml);
    const ziSdfFrame world = {.kind = ZI_SDF_WORLD,
                              .name = "world",
                              .scope = "",
                              .element = root,
                              .state = 2,
                              .world = zv_pose_identity(),
                              .raw = zv_pose_identity()};
    if (!zi_grow(&s.frames, 0, &s.room, sizeof *s.frames))
        status = memory(&s, root);
    else
        s.frames[s.count++] = world;
    if (status == ZV_OK) status = collect_all(&s, root);
    if (status == ZV_OK) status = name_robot(&s, root);
    if (status == ZV_OK) status = zi_sdf_build(&s);
    if (status == ZV_OK) status = zi_sdf_remarks(&s);
    zi_names_free(&s.names);
    zi_names_free(&s.told);
    zi_arena_free(&s.arena);
    free(s.frames);
    zi_xml_destroy(xml);
    return status;
}
