/* Writer of native robot files. A value is left out where reading would give the same bits without it; what counts as
 * default is a positive zero, the identity rotation or the value of zv_joint_default. */
#include <string.h>

#include "read/write_elastic.h"
#include "read/write_joints.h"

/* Links and shapes -------------------------------------------------------------------------------- */

static void put_inertia(ziEmitter *emitter, const zvInertia *inertia) {
    zi_put_number(emitter, "mass", inertia->mass);
    if (!zi_is_zero(inertia->com, 3)) zi_put_numbers(emitter, "com", inertia->com, 3);
    zi_put_moments(emitter, inertia->moment);
}

/* A program may have changed the numbers of a link that had none. */
static bool has_inertia(const zvLink *link) {
    const zvInertia *j = &link->inertia;
    return link->has_inertia || !zi_is_zero(&j->mass, 1) || !zi_is_zero(j->com, 3) || !zi_is_zero(j->moment, 6);
}

static void put_size(ziEmitter *emitter, const zvShape *shape) {
    static const double ones[3] = {1, 1, 1};
    switch (shape->kind) {
    case ZV_SHAPE_BOX: zi_put_numbers(emitter, "size", shape->size, 3); break;
    case ZV_SHAPE_CYLINDER:
        zi_put_number(emitter, "radius", shape->size[0]);
        zi_put_number(emitter, "length", shape->size[1]);
        break;
    case ZV_SHAPE_SPHERE: zi_put_number(emitter, "radius", shape->size[0]); break;
    case ZV_SHAPE_MESH:
        zi_put_text(emitter, "file", shape->mesh);
        if (memcmp(shape->size, ones, sizeof ones) != 0) zi_put_numbers(emitter, "scale", shape->size, 3);
        break;
    }
}

static void put_shape(ziEmitter *emitter, const zvShape *shape, bool with_link) {
    static const char *const kinds[] = {"box", "cylinder", "sphere", "mesh"};
    zi_emit_about(emitter, "shape of link", shape->link, shape->mark);
    zi_emit_item(emitter);
    zi_emit_open(emitter);
    if (with_link) zi_put_text(emitter, "link", shape->link);
    zi_put_word(emitter, "kind", kinds[shape->kind]);
    put_size(emitter, shape);
    zi_put_pose(emitter, "pose", &shape->pose);
    if (shape->has_color) zi_put_numbers(emitter, "color", shape->color, 4);
    if (shape->collision) zi_put_word(emitter, "collision", "true");
    if (shape->name) zi_put_text(emitter, "name", shape->name);
    zi_emit_close(emitter);
}

/* Shapes can stand below their links only when that keeps their order. */
static bool shapes_follow_links(zvBuilder *builder) {
    int last = 0;
    for (int i = 0; i < zv_builder_nshape(builder); i++) {
        const char *name = zv_builder_shape(builder, i)->link;
        int link = name ? zv_builder_find_link(builder, name) : -1;
        if (link < last) return false;
        last = link;
    }
    return true;
}

/* Writes the shapes of a link, which begin at *shape, and steps over them. */
static void put_shapes_of(ziEmitter *emitter, zvBuilder *builder, int link, int *shape) {
    bool any = false;
    for (; *shape < zv_builder_nshape(builder); ++*shape) {
        const zvShape *next = zv_builder_shape(builder, *shape);
        if (zv_builder_find_link(builder, next->link) != link) break;
        if (!any) zi_emit_list_begin(emitter, "shapes");
        any = true;
        put_shape(emitter, next, false);
    }
    if (any) zi_emit_list_end(emitter);
}

static void put_links(ziEmitter *emitter, zvBuilder *builder, bool with_shapes) {
    if (zv_builder_nlink(builder) == 0) return;
    int shape = 0;
    zi_emit_list_begin(emitter, "links");
    for (int i = 0; i < zv_builder_nlink(builder); i++) {
        const zvLink *link = zv_builder_link(builder, i);
        zi_emit_about(emitter, "link", link->name, link->mark);
        zi_emit_item(emitter);
        zi_put_text(emitter, "name", link->name);
        if (has_inertia(link)) put_inertia(emitter, &link->inertia);
        zi_write_elastic(emitter, link);
        if (with_shapes) put_shapes_of(emitter, builder, i, &shape);
    }
    zi_emit_list_end(emitter);
}

static void put_shapes(ziEmitter *emitter, zvBuilder *builder) {
    zi_emit_list_begin(emitter, "shapes");
    for (int i = 0; i < zv_builder_nshape(builder); i++) put_shape(emitter, zv_builder_shape(builder, i), true);
    zi_emit_list_end(emitter);
}

/* The robot --------------------------------------------------------------------------------------- */

static void put_frames(ziEmitter *emitter, zvBuilder *builder) {
    if (zv_builder_nframe(builder) == 0) return;
    zi_emit_list_begin(emitter, "frames");
    for (int i = 0; i < zv_builder_nframe(builder); i++) {
        const zvFrame *frame = zv_builder_frame(builder, i);
        zi_emit_about(emitter, "frame", frame->name, frame->mark);
        zi_emit_item(emitter);
        zi_emit_open(emitter);
        zi_put_text(emitter, "name", frame->name);
        zi_put_text(emitter, "link", frame->link);
        zi_put_pose(emitter, "pose", &frame->pose);
        zi_emit_close(emitter);
    }
    zi_emit_list_end(emitter);
}

static void put_settings(ziEmitter *emitter, zvBuilder *builder) {
    double gravity[3];
    zv_builder_gravity(builder, gravity);
    zi_emit_raw(emitter, "# A robot in Zveno's native format: SI units, radians, Z up, quaternions x y z w.");
    zi_put_word(emitter, "zveno", "1");
    zi_put_text(emitter, "name", zv_builder_name(builder));
    zi_put_numbers(emitter, "gravity", gravity, 3);
    zi_put_word(emitter, "base", zv_builder_free_base(builder) ? "free" : "fixed");
    if (zv_builder_mimic_coupled(builder)) return;
    zi_put_word(emitter, "mimic_joints", "independent");
}

zvStatus zv_write_native(zvBuilder *builder, zvTextSink sink, void *context, zvError *error) {
    ziEmitter emitter;
    zi_emit_begin(&emitter, sink, context, error);
    bool nested = shapes_follow_links(builder);
    put_settings(&emitter, builder);
    put_links(&emitter, builder, nested);
    zi_write_joints(&emitter, builder);
    put_frames(&emitter, builder);
    zi_write_loops(&emitter, builder);
    if (!nested) put_shapes(&emitter, builder);
    return zi_emit_end(&emitter);
}
