/* Writer of native robot files. */
#include "read/write.h"

#include <string.h>

#include "base/require.h"
#include "model/builder.h"
#include "model/gear.h"
#include "model/joint_type.h"
#include "model/order.h"

/* Joints. */

/* The path of a curve joint or loop. */
void zi_put_curve(ziEmitter *emitter, const zvCurve *curve) {
    static const char *const kinds[] = {"line", "circle", "spline"};
    zi_emit_key(emitter, "curve");
    zi_emit_open(emitter);
    zi_emit_key(emitter, kinds[curve->kind]);
    zi_emit_open(emitter);
    switch (curve->kind) {
    case ZV_CURVE_LINE: zi_put_numbers(emitter, "direction", curve->direction, 3); break;
    case ZV_CURVE_CIRCLE:
        zi_put_numbers(emitter, "center", curve->center, 3);
        zi_put_numbers(emitter, "normal", curve->normal, 3);
        zi_put_numbers(emitter, "start", curve->start, 3);
        zi_put_number(emitter, "radius", curve->radius);
        break;
    case ZV_CURVE_SPLINE:
        zi_put_rows(emitter, "points", curve->points, curve->count, 3, 3);
        zi_put_word(emitter, "closed", curve->closed ? "true" : "false");
        break;
    }
    zi_emit_close(emitter);
    zi_emit_close(emitter);
}

/* Nothing where there is no limit. */
static void put_limits(ziEmitter *emitter, const zvDof *dof) {
    const double others[2] = {dof->effort, dof->velocity};
    if (!dof->has_limits && zi_is_zero(others, 2)) return;
    zi_emit_key(emitter, "limits");
    zi_emit_open(emitter);
    if (dof->has_limits) {
        zi_put_number(emitter, "lower", dof->lower);
        zi_put_number(emitter, "upper", dof->upper);
    }
    zi_put_nonzero(emitter, "effort", dof->effort);
    zi_put_nonzero(emitter, "velocity", dof->velocity);
    zi_emit_close(emitter);
}

/* The keys of one freedom that are not zero. */
static void put_dof(ziEmitter *emitter, const zvDof *dof) {
    const double spring[2] = {dof->stiffness, dof->rest};
    put_limits(emitter, dof);
    zi_put_nonzero(emitter, "armature", dof->armature);
    zi_put_nonzero(emitter, "damping", dof->damping);
    zi_put_nonzero(emitter, "friction", dof->friction);
    if (zi_is_zero(spring, 2)) return;
    zi_emit_key(emitter, "spring");
    zi_emit_open(emitter);
    zi_put_nonzero(emitter, "stiffness", dof->stiffness);
    zi_put_nonzero(emitter, "rest", dof->rest);
    zi_emit_close(emitter);
}

static bool is_plain_dof(const zvDof *dof) {
    const double values[] = {dof->effort,   dof->velocity,  dof->armature, dof->damping,
                             dof->friction, dof->stiffness, dof->rest};
    return !dof->has_limits && zi_is_zero(values, 7);
}

/* One freedom is written in the joint itself, several in a list. */
void zi_put_dofs(ziEmitter *emitter, zvJointType type, const zvDof *dofs) {
    int nv = zv_joint_type_nv(type);
    bool plain = true;
    for (int i = 0; i < nv; i++) plain = plain && is_plain_dof(&dofs[i]);
    if (plain) return;
    if (nv == 1) {
        put_dof(emitter, &dofs[0]);
        return;
    }
    zi_emit_list_begin(emitter, "dofs");
    for (int i = 0; i < nv; i++) {
        zi_emit_item(emitter);
        zi_emit_open(emitter);
        put_dof(emitter, &dofs[i]);
        zi_emit_close(emitter);
    }
    zi_emit_list_end(emitter);
}

void zi_put_matrices(ziEmitter *emitter, zvJointType type, const double *stiffness, const double *damping) {
    const int nv = zv_joint_type_nv(type);
    if (damping) zi_put_rows(emitter, "damping", damping, nv, nv, nv);
    if (!stiffness) return;
    zi_emit_key(emitter, "spring");
    zi_emit_open(emitter);
    zi_put_rows(emitter, "stiffness", stiffness, nv, nv, nv);
    zi_emit_close(emitter);
}

/* Numbers that are zero are left out, but not those that are needed. */
static void put_flexible(ziEmitter *emitter, const zvFlexibleJoint *gear) {
    if (!gear) return;
    zi_emit_key(emitter, "flexible");
    zi_emit_open(emitter);
    zi_put_number(emitter, "stiffness", gear->stiffness);
    zi_put_number(emitter, "inertia", gear->inertia);
    zi_put_number(emitter, "ratio", gear->ratio);
    zi_put_nonzero(emitter, "damping", gear->damping);
    zi_put_nonzero(emitter, "motor_damping", gear->motor_damping);
    zi_put_nonzero(emitter, "cubic", gear->cubic);
    if (gear->points) zi_put_rows(emitter, "law", &gear->law[0].deflection, gear->points, 2, 2);
    if (zi_rotor_couples(gear)) zi_put_numbers(emitter, "rotor_axis", gear->rotor_axis, 3);
    zi_emit_close(emitter);
}

static void put_mimic(ziEmitter *emitter, const zvJoint *joint) {
    zi_emit_key(emitter, "mimic");
    zi_emit_open(emitter);
    zi_put_text(emitter, "joint", joint->mimic);
    zi_put_number(emitter, "ratio", joint->ratio);
    zi_put_nonzero(emitter, "offset", joint->offset);
    zi_emit_close(emitter);
}

/* Values that a default joint has are left out. */
static void put_joint(ziEmitter *emitter, const zvJoint *joint) {
    zvJoint plain = zv_joint_default(NULL, joint->type, NULL, NULL);
    const zvPose child_origin = zi_joint_child_origin(joint);
    zi_emit_about(emitter, "joint", joint->name, joint->mark);
    zi_emit_item(emitter);
    zi_put_text(emitter, "name", joint->name);
    zi_put_word(emitter, "type", zv_joint_type_word(joint->type));
    zi_put_text(emitter, "parent", joint->parent);
    zi_put_text(emitter, "child", joint->child);
    zi_put_pose(emitter, "origin", &joint->origin);
    zi_put_pose(emitter, "child_origin", &child_origin);
    if (memcmp(joint->axis, plain.axis, sizeof plain.axis) != 0) zi_put_numbers(emitter, "axis", joint->axis, 3);
    if (zi_joint_needs(joint->type, ZI_JOINT_AXIS2)) zi_put_numbers(emitter, "axis2", joint->axis2, 3);
    if (zi_joint_needs(joint->type, ZI_JOINT_PATH)) zi_put_curve(emitter, &joint->curve);
    if (zi_joint_needs(joint->type, ZI_JOINT_PITCH)) zi_put_number(emitter, "pitch", joint->pitch);
    zi_put_matrices(emitter, joint->type, joint->stiffness_matrix, joint->damping_matrix);
    zi_put_dofs(emitter, joint->type, joint->dof);
    put_flexible(emitter, joint->flexible);
    if (joint->mimic) put_mimic(emitter, joint);
    if (zi_joint_is_cut(joint)) zi_put_word(emitter, "cut", "true");
}

void zi_write_joints(ziEmitter *emitter, const zvBuilder *builder) {
    if (zv_builder_njoint(builder) == 0) return;
    zi_emit_list_begin(emitter, "joints");
    for (int i = 0; i < zv_builder_njoint(builder); i++) put_joint(emitter, &builder->joints[i]);
    zi_emit_list_end(emitter);
}

/* Loops. Of a freedom a loop has damping and spring only. */

static void put_places(ziEmitter *emitter, const zvLoop *loop) {
    zi_put_text(emitter, "parent", loop->parent);
    zi_put_text(emitter, "child", loop->child);
    zi_put_pose(emitter, "origin", &loop->origin);
    zi_put_pose(emitter, "child_origin", &loop->child_origin);
}

static void put_freedoms(ziEmitter *emitter, const zvLoop *loop) {
    zvDof dofs[ZV_MAX_DOF] = {0};
    for (int i = 0; i < zv_joint_type_nv(loop->type); i++) {
        const zvDof *dof = &loop->dof[i];
        dofs[i] = (zvDof){.damping = dof->damping, .stiffness = dof->stiffness, .rest = dof->rest};
    }
    zi_put_matrices(emitter, loop->type, loop->stiffness_matrix, loop->damping_matrix);
    zi_put_dofs(emitter, loop->type, dofs);
}

/* As joints of the tree, by the same defaults. */
static void put_joint_loop(ziEmitter *emitter, const zvLoop *loop) {
    zvLoop plain = zv_loop_default(NULL, ZV_LOOP_JOINT, loop->type, NULL, NULL);
    zi_put_word(emitter, "type", zv_joint_type_word(loop->type));
    put_places(emitter, loop);
    if (memcmp(loop->axis, plain.axis, sizeof plain.axis) != 0) zi_put_numbers(emitter, "axis", loop->axis, 3);
    if (zi_joint_needs(loop->type, ZI_JOINT_AXIS2)) zi_put_numbers(emitter, "axis2", loop->axis2, 3);
    if (zi_joint_needs(loop->type, ZI_JOINT_PITCH)) zi_put_number(emitter, "pitch", loop->pitch);
    if (zi_joint_needs(loop->type, ZI_JOINT_PATH)) zi_put_curve(emitter, &loop->curve);
    if (zi_joint_needs(loop->type, ZI_JOINT_PATH) && loop->ball) zi_put_word(emitter, "ball", "true");
    put_freedoms(emitter, loop);
    if (!loop->driven) return;
    zi_put_word(emitter, "driven", "true");
    zi_put_nonzero(emitter, "value", loop->value);
}

/* Ratios by joints, in braces. */
static void put_coupling(ziEmitter *emitter, const zvLoop *loop) {
    zi_put_word(emitter, "type", "coupling");
    zi_emit_key(emitter, "terms");
    zi_emit_open(emitter);
    for (int i = 0; i < loop->term_count; i++) {
        const char *joint = loop->terms[i].joint;
        zi_emit_name_key(emitter, joint ? joint : "");
        zi_emit_number(emitter, loop->terms[i].ratio);
    }
    zi_emit_close(emitter);
    zi_put_nonzero(emitter, "offset", loop->offset);
}

/* The kind is written under type. */
static void put_loop(ziEmitter *emitter, const zvLoop *loop) {
    zi_emit_about(emitter, "loop", loop->name, loop->mark);
    zi_emit_item(emitter);
    zi_put_text(emitter, "name", loop->name);
    switch (loop->kind) {
    case ZV_LOOP_JOINT: put_joint_loop(emitter, loop); break;
    case ZV_LOOP_ROD:
        zi_put_word(emitter, "type", "rod");
        put_places(emitter, loop);
        zi_put_number(emitter, "length", loop->length);
        break;
    case ZV_LOOP_COUPLING: put_coupling(emitter, loop); break;
    }
    if (loop->open) zi_put_word(emitter, "open", "true");
}

void zi_write_loops(ziEmitter *emitter, const zvBuilder *builder) {
    if (zv_builder_nloop(builder) == 0) return;
    zi_emit_list_begin(emitter, "loops");
    for (int i = 0; i < zv_builder_nloop(builder); i++) put_loop(emitter, &builder->loops[i]);
    zi_emit_list_end(emitter);
}

/* Writer of native robot files. A value is left out where reading would give the same bits without it; what counts as
 * default is a positive zero, the identity rotation or the value of zv_joint_default. */

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

/* The sizes that the kind has. */
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

/* On one line; with_link: the shape is outside of its link and names it. */
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

/* Shapes can be written below their links only when that keeps their order. */
static bool shapes_follow_links(const zvBuilder *builder) {
    int last = 0;
    for (int i = 0; i < zv_builder_nshape(builder); i++) {
        const char *name = builder->shapes[i].link;
        int link = name ? zv_builder_find_link(builder, name) : -1;
        if (link < last) return false;
        last = link;
    }
    return true;
}

/* Writes the shapes of a link, which begin at *shape, and steps over them. */
static void put_shapes_of(ziEmitter *emitter, const zvBuilder *builder, int link, int *shape) {
    bool any = false;
    for (; *shape < zv_builder_nshape(builder); ++*shape) {
        const zvShape *next = &builder->shapes[*shape];
        if (zv_builder_find_link(builder, next->link) != link) break;
        if (!any) zi_emit_list_begin(emitter, "shapes");
        any = true;
        put_shape(emitter, next, false);
    }
    if (any) zi_emit_list_end(emitter);
}

/* Shapes are written inside of their links where the order of all shapes allows it. */
static void put_links(ziEmitter *emitter, const zvBuilder *builder, bool with_shapes) {
    if (zv_builder_nlink(builder) == 0) return;
    int shape = 0;
    zi_emit_list_begin(emitter, "links");
    for (int i = 0; i < zv_builder_nlink(builder); i++) {
        const zvLink *link = &builder->links[i];
        zi_emit_about(emitter, "link", link->name, link->mark);
        zi_emit_item(emitter);
        zi_put_text(emitter, "name", link->name);
        if (has_inertia(link)) put_inertia(emitter, &link->inertia);
        zi_write_elastic(emitter, link);
        if (with_shapes) put_shapes_of(emitter, builder, i, &shape);
    }
    zi_emit_list_end(emitter);
}

static void put_shapes(ziEmitter *emitter, const zvBuilder *builder) {
    zi_emit_list_begin(emitter, "shapes");
    for (int i = 0; i < zv_builder_nshape(builder); i++) put_shape(emitter, &builder->shapes[i], true);
    zi_emit_list_end(emitter);
}

/* The robot --------------------------------------------------------------------------------------- */

/* One line each. */
static void put_frames(ziEmitter *emitter, const zvBuilder *builder) {
    if (zv_builder_nframe(builder) == 0) return;
    zi_emit_list_begin(emitter, "frames");
    for (int i = 0; i < zv_builder_nframe(builder); i++) {
        const zvFrame *frame = &builder->frames[i];
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

static void put_settings(ziEmitter *emitter, const zvBuilder *builder) {
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

/* The sections in the order in which the reader takes them. */
zvStatus zv_write_native(const zvBuilder *builder, zvTextSink sink, void *context, zvError *error) {
    ZI_REQUIRE(builder && sink);
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
