/* Writer of native robot files. A value is left out where reading would give the same bits without it; what counts as
 * default is a positive zero, the identity rotation or the value of zv_joint_default. */
#include <string.h>

#include "read/write_elastic.h"
#include "read/write_joints.h"

/* Links and shapes -------------------------------------------------------------------------------- */

static void put_inertia(zvEmitter *emitter, const zvInertia *inertia) {
    zv_put_number(emitter, "mass", inertia->mass);
    if (!zv_is_zero(inertia->com, 3)) zv_put_numbers(emitter, "com", inertia->com, 3);
    zv_put_moments(emitter, inertia->moment);
}

/* A program may have changed the numbers of a link that had none. */
static bool has_inertia(const zvLink *link) {
    const zvInertia *j = &link->inertia;
    return link->has_inertia || !zv_is_zero(&j->mass, 1) || !zv_is_zero(j->com, 3) || !zv_is_zero(j->moment, 6);
}

static void put_size(zvEmitter *emitter, const zvShape *shape) {
    static const double ones[3] = {1, 1, 1};
    switch (shape->kind) {
    case ZV_BOX: zv_put_numbers(emitter, "size", shape->size, 3); break;
    case ZV_CYLINDER:
        zv_put_number(emitter, "radius", shape->size[0]);
        zv_put_number(emitter, "length", shape->size[1]);
        break;
    case ZV_SPHERE: zv_put_number(emitter, "radius", shape->size[0]); break;
    case ZV_MESH:
        zv_put_text(emitter, "file", shape->mesh);
        if (memcmp(shape->size, ones, sizeof ones) != 0) zv_put_numbers(emitter, "scale", shape->size, 3);
        break;
    }
}

static void put_shape(zvEmitter *emitter, const zvShape *shape, bool with_link) {
    static const char *const kinds[] = {"box", "cylinder", "sphere", "mesh"};
    zv_emit_about(emitter, "shape of link", shape->link, shape->mark);
    zv_emit_item(emitter);
    zv_emit_open(emitter);
    if (with_link) zv_put_text(emitter, "link", shape->link);
    zv_put_word(emitter, "kind", kinds[shape->kind]);
    put_size(emitter, shape);
    zv_put_pose(emitter, "pose", &shape->pose);
    if (shape->has_color) zv_put_numbers(emitter, "color", shape->color, 4);
    if (shape->collision) zv_put_word(emitter, "collision", "true");
    if (shape->name) zv_put_text(emitter, "name", shape->name);
    zv_emit_close(emitter);
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
static void put_shapes_of(zvEmitter *emitter, zvBuilder *builder, int link, int *shape) {
    bool any = false;
    for (; *shape < zv_builder_nshape(builder); ++*shape) {
        const zvShape *next = zv_builder_shape(builder, *shape);
        if (zv_builder_find_link(builder, next->link) != link) break;
        if (!any) zv_emit_list_begin(emitter, "shapes");
        any = true;
        put_shape(emitter, next, false);
    }
    if (any) zv_emit_list_end(emitter);
}

static void put_links(zvEmitter *emitter, zvBuilder *builder, bool with_shapes) {
    if (zv_builder_nlink(builder) == 0) return;
    int shape = 0;
    zv_emit_list_begin(emitter, "links");
    for (int i = 0; i < zv_builder_nlink(builder); i++) {
        const zvLink *link = zv_builder_link(builder, i);
        zv_emit_about(emitter, "link", link->name, link->mark);
        zv_emit_item(emitter);
        zv_put_text(emitter, "name", link->name);
        if (has_inertia(link)) put_inertia(emitter, &link->inertia);
        zv_write_elastic(emitter, link);
        if (with_shapes) put_shapes_of(emitter, builder, i, &shape);
    }
    zv_emit_list_end(emitter);
}

static void put_shapes(zvEmitter *emitter, zvBuilder *builder) {
    zv_emit_list_begin(emitter, "shapes");
    for (int i = 0; i < zv_builder_nshape(builder); i++) put_shape(emitter, zv_builder_shape(builder, i), true);
    zv_emit_list_end(emitter);
}

/* The robot --------------------------------------------------------------------------------------- */

static void put_frames(zvEmitter *emitter, zvBuilder *builder) {
    if (zv_builder_nframe(builder) == 0) return;
    zv_emit_list_begin(emitter, "frames");
    for (int i = 0; i < zv_builder_nframe(builder); i++) {
        const zvFrame *frame = zv_builder_frame(builder, i);
        zv_emit_about(emitter, "frame", frame->name, frame->mark);
        zv_emit_item(emitter);
        zv_emit_open(emitter);
        zv_put_text(emitter, "name", frame->name);
        zv_put_text(emitter, "link", frame->link);
        zv_put_pose(emitter, "pose", &frame->pose);
        zv_emit_close(emitter);
    }
    zv_emit_list_end(emitter);
}

static void put_settings(zvEmitter *emitter, zvBuilder *builder) {
    double gravity[3];
    zv_builder_gravity(builder, gravity);
    zv_emit_raw(emitter, "# A robot in Zveno's native format: SI units, radians, Z up, quaternions x y z w.");
    zv_put_word(emitter, "zveno", "1");
    zv_put_text(emitter, "name", zv_builder_name(builder));
    zv_put_numbers(emitter, "gravity", gravity, 3);
    zv_put_word(emitter, "base", zv_builder_free_base(builder) ? "free" : "fixed");
    if (zv_builder_mimic_coupled(builder)) return;
    zv_put_word(emitter, "mimic_joints", "independent");
}

zvStatus zv_write_native(zvBuilder *builder, zvTextSink sink, void *context, zvError *error) {
    zvEmitter emitter;
    zv_emit_begin(&emitter, sink, context, error);
    bool nested = shapes_follow_links(builder);
    put_settings(&emitter, builder);
    put_links(&emitter, builder, nested);
    zv_write_joints(&emitter, builder);
    put_frames(&emitter, builder);
    zv_write_loops(&emitter, builder);
    if (!nested) put_shapes(&emitter, builder);
    return zv_emit_end(&emitter);
}
