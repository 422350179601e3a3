/* Writer of URDF. Joints with two freedoms become two joints with a link without mass between them, frames become links
 * on fixed joints; armatures, springs and loops have the extensions that are common (docs/formats/urdf.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/require.h"
#include "model/joint_type.h"
#include "read/write_xml.h"

/* R = Rz(yaw) Ry(pitch) Rx(roll); the roll is found behind the yaw, so that near pitch = +-90 degrees, where neither is
 * certain, their sum is. */
static void put_origin(ziXmlWriter *w, const char *element, const zvPose *pose) {
    const double *R = pose->R;
    const double yaw = hypot(R[0], R[3]) > 0 ? atan2(R[3], R[0]) : 0, s = sin(yaw), c = cos(yaw);
    const double rpy[3] = {atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]), atan2(-R[6], c * R[0] + s * R[3]), yaw};
    const bool turned = rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0;
    const bool moved = pose->p[0] != 0 || pose->p[1] != 0 || pose->p[2] != 0;
    if (element) {
        if (!turned && !moved) return;
        zi_xml_start(w, element);
    }
    if (moved || element) zi_xml_values(w, "xyz", pose->p, 3);
    if (turned) zi_xml_values(w, "rpy", rpy, 3);
    if (element) zi_xml_end(w, element);
}

/* Links --------------------------------------------------------------------------------------------- */

/* About the centre of mass, in the axes of the link. */
static void put_inertial(ziXmlWriter *w, const zvInertia *inertia) {
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    zvPose at = zv_pose_identity();
    memcpy(at.p, inertia->com, sizeof at.p);
    zi_xml_start(w, "inertial");
    put_origin(w, "origin", &at);
    zi_xml_start(w, "mass");
    zi_xml_value(w, "value", inertia->mass);
    zi_xml_end(w, "mass");
    zi_xml_start(w, "inertia");
    for (int i = 0; i < 6; i++) zi_xml_value(w, names[i], inertia->moment[i]);
    zi_xml_end(w, "inertia");
    zi_xml_end(w, "inertial");
}

/* By the kind of shape; a scale only where it does something. */
static void put_geometry(ziXmlWriter *w, const zvShape *shape) {
    const double *s = shape->size;
    zi_xml_start(w, "geometry");
    switch (shape->kind) {
    case ZV_SHAPE_BOX:
        zi_xml_start(w, "box");
        zi_xml_values(w, "size", s, 3);
        zi_xml_end(w, "box");
        break;
    case ZV_SHAPE_CYLINDER:
        zi_xml_start(w, "cylinder");
        zi_xml_value(w, "radius", s[0]);
        zi_xml_value(w, "length", s[1]);
        zi_xml_end(w, "cylinder");
        break;
    case ZV_SHAPE_SPHERE:
        zi_xml_start(w, "sphere");
        zi_xml_value(w, "radius", s[0]);
        zi_xml_end(w, "sphere");
        break;
    case ZV_SHAPE_MESH:
        zi_xml_start(w, "mesh");
        zi_xml_text(w, "filename", shape->mesh ? shape->mesh : "");
        if (s[0] != 1 || s[1] != 1 || s[2] != 1) zi_xml_values(w, "scale", s, 3);
        zi_xml_end(w, "mesh");
        break;
    }
    zi_xml_end(w, "geometry");
}

/* A colour needs a material with a name. */
static void put_shape(ziXmlWriter *w, int index) {
    const zvShape *shape = &w->builder->shapes[index];
    const char *element = shape->collision ? "collision" : "visual";
    char color[32];
    zi_xml_start(w, element);
    if (shape->name) zi_xml_text(w, "name", shape->name);
    put_origin(w, "origin", &shape->pose);
    put_geometry(w, shape);
    if (shape->has_color && !shape->collision) {
        snprintf(color, sizeof color, "color_%d", index + 1);
        zi_xml_start(w, "material");
        zi_xml_text(w, "name", color);
        zi_xml_start(w, "color");
        zi_xml_values(w, "rgba", shape->color, 4);
        zi_xml_end(w, "color");
        zi_xml_end(w, "material");
    }
    zi_xml_end(w, element);
}

static void put_link(ziXmlWriter *w, int index) {
    const zvLink *link = &w->builder->links[index];
    zi_emit_about(&w->out, "link", link->name, link->mark);
    const zvInertia inertia = zi_link_rigid(w, link);
    zi_xml_start(w, "link");
    zi_xml_text(w, "name", link->name);
    if (link->has_inertia || inertia.mass != 0) put_inertial(w, &inertia);
    for (int i = w->first_shape[index]; i >= 0; i = w->next_shape[i]) put_shape(w, i);
    zi_xml_end(w, "link");
}

/* Joints -------------------------------------------------------------------------------------------- */

/* Bounds, effort and velocity are written together: other readers want all of them. */
static void put_limit(ziXmlWriter *w, const zvDof *dof, bool bounded) {
    if (!(bounded && dof->has_limits) && dof->effort == 0 && dof->velocity == 0) return;
    zi_xml_start(w, "limit");
    if (bounded && dof->has_limits) {
        zi_xml_value(w, "lower", dof->lower);
        zi_xml_value(w, "upper", dof->upper);
    }
    zi_xml_value(w, "effort", dof->effort);
    zi_xml_value(w, "velocity", dof->velocity);
    zi_xml_end(w, "limit");
}

static void put_dynamics(ziXmlWriter *w, const zvDof *dof) {
    if (dof->damping == 0 && dof->friction == 0) return;
    zi_xml_start(w, "dynamics");
    zi_xml_nonzero(w, "damping", dof->damping);
    zi_xml_nonzero(w, "friction", dof->friction);
    zi_xml_end(w, "dynamics");
}

/* Only of those that do follow. */
static void put_mimic(ziXmlWriter *w, const zvJoint *joint) {
    if (!joint->mimic) return;
    if (!zv_builder_mimic_coupled(w->builder)) {
        zi_xml_lost(w, false, "mimic", "followers are coordinates of their own: <mimic> is left out",
                    "nothing to do, or write it by hand");
        return;
    }
    zi_xml_start(w, "mimic");
    zi_xml_text(w, "joint", joint->mimic);
    zi_xml_value(w, "multiplier", joint->ratio);
    zi_xml_value(w, "offset", joint->offset);
    zi_xml_end(w, "mimic");
}

/* An armature is a rotor behind a gear of ratio 1, a spring one of Gazebo's. */
static void put_extensions(ziXmlWriter *w, const char *joint, const zvDof *dof) {
    if (dof->armature != 0) {
        zi_xml_start(w, "transmission");
        zi_xml_text(w, "name", zi_xml_name(w, &w->joints, joint, "transmission"));
        zi_xml_one(w, "joint", "name", joint);
        zi_xml_start(w, "actuator");
        zi_xml_text(w, "name", zi_xml_name(w, &w->joints, joint, "rotor"));
        zi_xml_start(w, "drake:rotor_inertia");
        zi_xml_value(w, "value", dof->armature);
        zi_xml_end(w, "drake:rotor_inertia");
        zi_xml_one(w, "drake:gear_ratio", "value", "1");
        zi_xml_end(w, "actuator");
        zi_xml_end(w, "transmission");
    }
    if (dof->stiffness == 0) return;
    zi_xml_start(w, "gazebo");
    zi_xml_text(w, "reference", joint);
    zi_xml_start(w, "springStiffness");
    zi_xml_content(w, dof->stiffness);
    zi_xml_end(w, "springStiffness");
    zi_xml_start(w, "springReference");
    zi_xml_content(w, dof->rest);
    zi_xml_end(w, "springReference");
    zi_xml_end(w, "gazebo");
}

/* The start of a joint element with its ends and origin. */
static void start_joint(ziXmlWriter *w, const char *element, const char *name, const char *type, const char *parent,
                        const char *child, const zvPose *origin) {
    zi_xml_start(w, element);
    zi_xml_text(w, "name", name);
    zi_xml_text(w, "type", type);
    zi_xml_one(w, "parent", "link", parent);
    zi_xml_one(w, "child", "link", child);
    put_origin(w, "origin", origin);
}

static void put_axis(ziXmlWriter *w, const double axis[3]) {
    zi_xml_start(w, "axis");
    zi_xml_values(w, "xyz", axis, 3);
    zi_xml_end(w, "axis");
}

/* One freedom, of a joint that has one or as part of one that has two. */
static void put_part(ziXmlWriter *w, const zvJoint *joint, const ziJointPart *part, const char *parent,
                     const char *child, const zvPose *origin) {
    const char *type = part->slides ? "prismatic" : part->dof->has_limits ? "revolute" : "continuous";
    start_joint(w, "joint", part->name, type, parent, child, origin);
    put_axis(w, part->axis);
    put_limit(w, part->dof, true);
    put_dynamics(w, part->dof);
    put_mimic(w, joint);
    zi_xml_end(w, "joint");
    put_extensions(w, part->name, part->dof);
}

/* Drake's screw, by its advance in one turn. */
static void put_screw(ziXmlWriter *w, const zvJoint *joint) {
    static const double two_pi = 6.283185307179586;
    start_joint(w, "drake:joint", joint->name, "screw", joint->parent, joint->child, &joint->origin);
    put_axis(w, joint->axis);
    zi_xml_start(w, "drake:screw_thread_pitch");
    zi_xml_value(w, "value", joint->pitch * two_pi);
    zi_xml_end(w, "drake:screw_thread_pitch");
    if (joint->dof[0].has_limits)
        zi_xml_lost(w, false, "limits", "its limits are left out", "keep the native file where limits matter");
    put_limit(w, &joint->dof[0], false);
    put_dynamics(w, &joint->dof[0]);
    put_mimic(w, joint);
    zi_xml_end(w, "drake:joint");
    put_extensions(w, joint->name, &joint->dof[0]);
}

/* planar, spherical, free and fixed: the numbers of one freedom are those of all. */
static void put_whole(ziXmlWriter *w, const zvJoint *joint, const char *type) {
    const int count = zv_joint_type_nv(joint->type);
    zvDof dof = {0};
    if (count > 0) dof = zi_joint_common(w, joint, count);
    if (dof.armature != 0) zi_xml_lost(w, true, "armature", "its armature is left out", "keep the native file");
    if (dof.stiffness != 0) zi_xml_lost(w, true, "stiffness", "its springs are left out", "keep the native file");
    bool limited = false;
    for (int k = 0; k < count; k++) limited = limited || joint->dof[k].has_limits;
    if (limited) zi_xml_lost(w, false, "limits", "its limits are left out", "keep the native file where they matter");
    start_joint(w, "joint", joint->name, type, joint->parent, joint->child, &joint->origin);
    if (joint->type == ZV_JOINT_PLANAR) put_axis(w, joint->axis);
    put_limit(w, &dof, false);
    put_dynamics(w, &dof);
    zi_xml_end(w, "joint");
}

/* By type: whole, as a screw, or one joint for each freedom. */
static void write_joint(ziXmlWriter *w, const zvJoint *joint) {
    static const char *const words[ZV_JOINT_TYPES] = {[ZV_JOINT_FIXED] = "fixed",
                                                      [ZV_JOINT_PLANAR] = "planar",
                                                      [ZV_JOINT_SPHERICAL] = "spherical",
                                                      [ZV_JOINT_FREE] = "floating"};
    ziJointPart parts[3];
    zi_emit_about(&w->out, "joint", joint->name, joint->mark);
    zi_joint_losses(w, joint);
    if (words[joint->type]) {
        put_whole(w, joint, words[joint->type]);
        return;
    }
    if (joint->type == ZV_JOINT_HELICAL) {
        put_screw(w, joint);
        return;
    }
    const int count = zi_joint_parts(w, joint, parts);
    if (count == 1) put_part(w, joint, &parts[0], joint->parent, joint->child, &joint->origin);
    if (count != 2) return;
    const zvPose here = zv_pose_identity();
    const char *between = zi_xml_name(w, &w->links, joint->name, "between");
    zi_xml_one(w, "link", "name", between);
    put_part(w, joint, &parts[0], joint->parent, between, &joint->origin);
    put_part(w, joint, &parts[1], between, joint->child, &here);
}

/* Frames, loops ------------------------------------------------------------------------------------- */

static void put_frame(ziXmlWriter *w, const zvFrame *frame) {
    zi_emit_about(&w->out, "frame", frame->name, frame->mark);
    zi_xml_one(w, "link", "name", frame->name);
    start_joint(w, "joint", zi_xml_name(w, &w->joints, frame->name, "fixed"), "fixed", frame->link, frame->name,
                &frame->pose);
    zi_xml_end(w, "joint");
}

static void put_end(ziXmlWriter *w, const char *element, const char *name, const zvPose *origin) {
    zvPose pose;
    const int link = zi_loop_end(w->builder, name, origin, &pose);
    zi_xml_start(w, element);
    zi_xml_text(w, "link", link < 0 ? name : w->builder->links[link].name); /* the ground */
    put_origin(w, NULL, &pose);
    zi_xml_end(w, element);
}

/* Drake's loops have the joints of URDF. */
static void put_loop(ziXmlWriter *w, const zvLoop *loop) {
    static const char *const words[ZV_JOINT_TYPES] = {
        [ZV_JOINT_FIXED] = "fixed",         [ZV_JOINT_REVOLUTE] = "revolute", [ZV_JOINT_CONTINUOUS] = "continuous",
        [ZV_JOINT_PRISMATIC] = "prismatic", [ZV_JOINT_PLANAR] = "planar",     [ZV_JOINT_SPHERICAL] = "ball"};
    const char *type = loop->kind == ZV_LOOP_JOINT ? words[loop->type] : NULL;
    zi_emit_about(&w->out, "loop", loop->name, loop->mark);
    if (!type || loop->driven) {
        zi_xml_lost(w, true, "loop", "the loop is left out: URDF has rods, couplings, driven loops and its type not",
                    "keep the native file");
        return;
    }
    if (loop->open) zi_xml_lost(w, true, "open", "the open loop is closed there", "keep the native file");
    zi_loop_losses(w, loop);
    zi_xml_start(w, "loop_joint");
    zi_xml_text(w, "name", loop->name);
    zi_xml_text(w, "type", type);
    put_end(w, "link1", loop->parent, &loop->origin);
    put_end(w, "link2", loop->child, &loop->child_origin);
    if (zi_joint_needs(loop->type, ZI_JOINT_AXIS)) put_axis(w, loop->axis);
    zi_xml_end(w, "loop_joint");
}

static void put_free_base(ziXmlWriter *w) {
    const char *world = zi_xml_name(w, &w->links, "world", "");
    const zvPose here = zv_pose_identity();
    zi_xml_one(w, "link", "name", world);
    start_joint(w, "joint", zi_xml_name(w, &w->joints, "root_joint", ""), "floating", world,
                w->builder->links[w->order.root].name, &here);
    zi_xml_end(w, "joint");
}

/* Links, joints with those that are cut as loops, frames, loops. */
static void put_robot(ziXmlWriter *w) {
    const zvBuilder *b = w->builder;
    if (b->free_base) put_free_base(w);
    for (size_t i = 0; i < b->nlink; i++) put_link(w, (int)i);
    for (size_t i = 0; i < b->njoint; i++)
        if (!zi_order_cuts(b, &w->order, i)) write_joint(w, &b->joints[i]);
    for (size_t i = 0; i < b->nframe; i++) put_frame(w, &b->frames[i]);
    for (size_t i = 0; i < b->njoint; i++) {
        if (!zi_order_cuts(b, &w->order, i)) continue;
        const zvLoop loop = zi_loop_of_joint(&b->joints[i]);
        put_loop(w, &loop);
    }
    for (size_t i = 0; i < b->nloop; i++) put_loop(w, &b->loops[i]);
}

/* The whole file, with the name space of Drake's elements. */
zvStatus zi_write_urdf(const zvBuilder *builder, zvTextSink sink, void *context, zvLossSink lost, void *lost_context,
                       zvError *error) {
    ziXmlWriter writer, *w = &writer;
    const zvStatus status = zi_xml_writer_begin(w, "URDF", builder, sink, context, lost, lost_context, error);
    if (status < 0) return status;
    const double *g = builder->gravity;
    zi_emit_about(&w->out, "robot", builder->name, builder->mark);
    if (g[0] != 0 || g[1] != 0 || g[2] != -9.81)
        zi_xml_lost(w, true, "gravity", "URDF has no gravity: it will be (0, 0, -9.81)",
                    "set --gravity where it is read");
    zi_emit_raw(&w->out, "<?xml version=\"1.0\"?>");
    zi_xml_start(w, "robot");
    zi_xml_text(w, "name", builder->name);
    zi_xml_text(w, "xmlns:drake", "http://drake.mit.edu");
    put_robot(w);
    zi_xml_end(w, "robot");
    return zi_xml_writer_end(w);
}
