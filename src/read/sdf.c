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

/* A named thing with its pose as written; name NULL: that of the element. */
static zvStatus collect_frame(ziSdf *s, ziSdfKind kind, const ziXmlElement *element, const char *name,
                              const char *scope, int model, int usual, int *index) {
    zvStatus status = name ? ZV_OK : zi_urdf_name(&s->u, element, "name", &name);
    if (status != ZV_OK) return status;
    ziSdfFrame frame = {.kind = kind,
                        .scope = scope,
                        .element = element,
                        .model = model,
                        .usual = usual,
                        .first = -1,
                        .old_axes = s->old_axes};
    s->u.kind = element->name, s->u.name = name;
    if (kind == ZI_SDF_LINK && strcmp(name, "world") == 0)
        return zv_fail(
            s->u.error, ZV_NAME, zi_urdf_mark(element), name,
            "<link>: expected another name than \"world\", which the format keeps for the ground; rename it");
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
    } lost[] = {{"plugin", "plugins are left out", "nothing to do, unless they move the robot"},
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

/* The frame in a model that its pose is of; NULL: its own. */
static const char *placement(ziSdf *s, const ziXmlElement *model, const ziXmlElement *include) {
    const ziXmlAttribute *own = zi_xml_attribute(model, "placement_frame");
    if (include && zi_urdf_first(include, "placement_frame")) return zi_sdf_text(s, include, "placement_frame");
    return own && own->value[0] ? own->value : NULL;
}

/* A model in another: its names have its own before them. The one that is included has the name, the pose, and the
 * frame that this is of, which <include> says. */
static zvStatus collect_model(ziSdf *s, const ziXmlElement *model, const ziXmlElement *include, const char *scope,
                              int around, bool fixed, int depth) {
    int frame = 0;
    if (depth == DEEPEST)
        return zv_fail(s->u.error, ZV_SIZE, model->mark, "model", "expected models nested at most %d deep", DEEPEST);
    const bool alone = s->models == 1 && depth == 0; /* its name is that of the robot, and no part of others */
    const char *name = include ? zi_sdf_text(s, include, "name") : NULL;
    if (name && !*name) name = NULL;
    zvStatus status = collect_frame(s, ZI_SDF_MODEL, model, name, alone ? "::" : scope, around, around, &frame);
    if (status == ZV_OK && include && zi_urdf_first(include, "pose"))
        status = zi_sdf_pose(s, include, &s->frames[frame].raw, &s->frames[frame].relative);
    if (status != ZV_OK) return status;
    if (alone) s->frames[frame].scope = scope;
    const ziXmlElement *still = include ? zi_urdf_first(include, "static") : NULL;
    if (!still) still = zi_urdf_first(model, "static");
    const char *inner = alone ? "" : joined(s, s->frames[frame].name, "::");
    s->frames[frame].placed = placement(s, model, include);
    if (!inner) return memory(s, model);
    return collect(s, model, inner, frame, fixed || (still && zi_urdf_says(still, true)), depth + 1);
}

/* Its links are those of the model that includes it; what they stand in is kept under a name of its own. */
static zvStatus collect_merged(ziSdf *s, const ziXmlElement *model, const ziXmlElement *include, const char *scope,
                               int around, bool fixed, int depth) {
    const ziXmlAttribute *own = zi_xml_attribute(model, "name");
    const char *name = zi_sdf_text(s, include, "name");
    char title[400];
    int frame = 0;
    if (depth == DEEPEST)
        return zv_fail(s->u.error, ZV_SIZE, model->mark, "model", "expected models nested at most %d deep", DEEPEST);
    snprintf(title, sizeof title, "_merged__%.300s__model_frame__", name && *name ? name : own ? own->value : "");
    const char *kept = zi_arena_text(&s->arena, title);
    if (!kept) return memory(s, include);
    zvStatus status = collect_frame(s, ZI_SDF_MODEL, model, kept, scope, around, around, &frame);
    if (status == ZV_OK && zi_urdf_first(include, "pose"))
        status = zi_sdf_pose(s, include, &s->frames[frame].raw, &s->frames[frame].relative);
    if (status == ZV_OK) s->frames[frame].placed = placement(s, model, include);
    return status == ZV_OK ? collect(s, model, scope, frame, fixed, depth + 1) : status;
}

/* The model of another file, as if it stood here. */
static zvStatus collect_included(ziSdf *s, const ziXmlElement *include, const char *scope, int around, bool fixed,
                                 int depth) {
    const ziXmlAttribute *merge = zi_xml_attribute(include, "merge");
    const ziXmlElement *model;
    const bool outer = s->old_axes;
    zvStatus status = zi_sdf_included(s, include, &model, &s->old_axes);
    if (status == ZV_OK && model && zi_urdf_first(include, "plugin")) status = tell_strangers(s, include);
    if (status == ZV_OK && model)
        status = (merge && (strcmp(merge->value, "true") == 0 || strcmp(merge->value, "1") == 0)
                      ? collect_merged
                      : collect_model)(s, model, include, scope, around, fixed, depth);
    s->old_axes = outer;
    return status;
}

/* Links, joints, frames and models of a model. */
static zvStatus collect(ziSdf *s, const ziXmlElement *model, const char *scope, int frame, bool fixed, int depth) {
    zvStatus status = tell_strangers(s, model);
    for (const ziXmlElement *e = model->first; e && status == ZV_OK; e = e->next) {
        int index = 0;
        if (strcmp(e->name, "link") == 0) {
            status = collect_frame(s, ZI_SDF_LINK, e, NULL, scope, frame, frame, &index);
            if (status == ZV_OK) s->frames[index].fixed = fixed;
        } else if (strcmp(e->name, "joint") == 0) {
            status = collect_frame(s, ZI_SDF_JOINT, e, NULL, scope, frame, -1, &index);
        } else if (strcmp(e->name, "frame") == 0) {
            status = collect_frame(s, ZI_SDF_FRAME, e, NULL, scope, frame, -1, &index);
            const ziXmlAttribute *attached = status == ZV_OK ? zi_xml_attribute(e, "attached_to") : NULL;
            if (status == ZV_OK && !attached) s->frames[index].usual = frame;
        } else if (strcmp(e->name, "model") == 0) {
            status = collect_model(s, e, NULL, scope, frame, fixed, depth);
        } else if (strcmp(e->name, "include") == 0) {
            status = collect_included(s, e, scope, frame, fixed, depth);
        }
    }
    return status;
}

static int count_models(const ziXmlElement *element) {
    int count = 0;
    for (const ziXmlElement *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "model") == 0 || strcmp(e->name, "include") == 0) count++;
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

bool zi_sdf_has_old_axes(const ziXmlElement *root) {
    static const char *const old[] = {"1.0", "1.2", "1.3", "1.4"};
    const ziXmlAttribute *version = zi_xml_attribute(root, "version");
    for (size_t i = 0; version && i < sizeof old / sizeof *old; i++)
        if (strcmp(version->value, old[i]) == 0) return true;
    return false;
}

/* The models of the file, and those of its first world. */
static zvStatus collect_all(ziSdf *s, const ziXmlElement *root) {
    s->old_axes = zi_sdf_has_old_axes(root);
    s->models = count_models(root);
    if (s->models == 0)
        return zv_fail(s->u.error, ZV_SCHEMA, root->mark, root->name, "<%s>: expected a <model>, found none",
                       root->name);
    zvStatus status = ZV_OK;
    bool world = false;
    for (const ziXmlElement *e = root->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "model") == 0) status = collect_model(s, e, NULL, "", 0, false, 0);
        if (strcmp(e->name, "include") == 0) status = collect_included(s, e, "", 0, false, 0);
        if (strcmp(e->name, "world") != 0) continue;
        if (!world)
            status = collect_world(s, e);
        else
            status = zi_sdf_lost(s, e, "world", "worlds after the first one are left out", "remove them");
        world = true;
    }
    return status;
}

/* The name of the only model; of several that of their world. */
static zvStatus name_robot(ziSdf *s, const ziXmlElement *root) {
    const ziXmlElement *world = zi_urdf_first(root, "world");
    const ziXmlAttribute *title = zi_xml_attribute(world ? world : root, "name");
    const char *name = title ? title->value : NULL;
    for (size_t i = 1; i < s->count && (s->models == 1 || !name); i++) {
        if (s->frames[i].kind != ZI_SDF_MODEL) continue;
        name = s->frames[i].name + strspn(s->frames[i].name, ":");
        break;
    }
    const zvStatus status = zi_builder_mark(s->u.builder, root->mark, NULL, s->u.error);
    if (status != ZV_OK || !name || !*name) return status;
    return zv_builder_set_name(s->u.builder, name, s->u.error);
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
    if (status == ZV_OK) status = zi_sdf_place_models(&s);
    if (status == ZV_OK) status = name_robot(&s, root);
    if (status == ZV_OK) status = zi_sdf_build(&s);
    if (status == ZV_OK) status = zi_sdf_remarks(&s);
    zi_names_free(&s.names);
    zi_names_free(&s.told);
    zi_sdf_free_files(&s);
    zi_arena_free(&s.arena);
    free(s.frames);
    zi_xml_destroy(xml);
    return status;
}
