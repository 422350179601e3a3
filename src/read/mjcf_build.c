/* Links, joints, frames, loops and shapes of an MJCF file.
 *
 * A body is a link of its name with the frame of the body. Joints follow each other from the parent to it: each has the
 * place and the axis that the file gives in the body, and its coordinate is that of the file: what the file calls `ref`
 * turns or moves the joint's origin back. Between several joints of a body, and where a joint's place is not the origin
 * of its body, stand links without mass. A free joint measures from the origin of the world, whatever the pose of its
 * body. */
#include <math.h>
#include <string.h>

#include "read/mjcf.h"
#include "spatial/quaternion.h"

const char *zi_mjcf_name(ziMjcf *m, ziNames *taken, const char *wanted) {
    const char *name = zi_arena_text(&m->arena, wanted);
    for (int n = 2; name && zi_names_find(taken, name) >= 0; n++) name = zi_mjcf_print(m, "%.400s_%d", wanted, n);
    if (!name || zi_names_add(taken, name, 0) < 0) return NULL;
    return name;
}

/* Names that are written first, so that none of them changes because of a name that is made up. */
static zvStatus name_all(ziMjcf *m) {
    for (int written = 1; written >= 0; written--) {
        for (size_t i = 0; i < m->nbody; i++) {
            ziMjcfBody *body = &m->bodies[i];
            if ((body->name != NULL) != written) continue;
            const char *wanted = body->name ? body->name : zi_mjcf_print(m, "body%zu", i);
            body->link = wanted ? zi_mjcf_name(m, &m->taken_links, wanted) : NULL;
            if (!body->link) return zi_mjcf_memory(m, body->element);
        }
        for (size_t i = 0; i < m->njoint; i++) {
            ziMjcfJoint *joint = &m->joints[i];
            if ((joint->name != NULL) != written) continue;
            const char *wanted = joint->name ? joint->name : zi_mjcf_print(m, "%s_joint", m->bodies[joint->body].link);
            joint->joint = wanted ? zi_mjcf_name(m, &m->taken_joints, wanted) : NULL;
            if (!joint->joint) return zi_mjcf_memory(m, joint->element);
        }
    }
    return ZV_OK;
}

/* The link of a body, or one of those without mass between its joints. */
static zvStatus add_link(ziMjcf *m, const char *name, const ziMjcfBody *body) {
    zvLink link = zv_link_default(name);
    const ziXmlElement *element = body->element;
    link.mark = zi_mjcf_mark(element);
    link.has_inertia = strcmp(name, body->link) != 0; /* massless on purpose */
    if (strcmp(name, body->link) == 0 && body->has_inertia) {
        link.inertia = body->inertia;
        link.has_inertia = true;
        if (body->inertial) link.inertia_spot = (zvSpot){body->inertial->mark.line, body->inertial->mark.column};
        link.mass_spot = link.inertia_spot;
    }
    return zv_builder_add_link(m->builder, &link, m->error);
}

/* Rotation about the axis of a hinge, or displacement along that of a slide, by -ref. */
static zvPose back_by_ref(const ziMjcfJoint *joint) {
    zvPose pose = zv_pose_identity();
    const double *axis = joint->axis, size = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (joint->type <= ZI_MJCF_BALL || joint->ref == 0) return pose;
    const double s = sin(-joint->ref / 2) / size;
    if (joint->type == ZI_MJCF_HINGE)
        zi_rotation_of((double[4]){s * axis[0], s * axis[1], s * axis[2], cos(joint->ref / 2)}, pose.R);
    for (int i = 0; i < 3 && joint->type == ZI_MJCF_SLIDE; i++) pose.p[i] = -joint->ref * axis[i] / size;
    return pose;
}

/* Where the springs of a joint with a quaternion are at rest: as the file has it. */
static void rest_at(const ziMjcfJoint *joint, const zvPose *pose, zvDof dof[ZV_MAX_DOF]) {
    const int n = joint->type == ZI_MJCF_FREE ? 6 : 3;
    double error[6];
    const zvPose zero = zv_pose_identity();
    zv_pose_error(pose, &zero, error);
    for (int k = 0; k < n; k++) {
        dof[k] = joint->dof;
        dof[k].has_limits = false;
        dof[k].rest = joint->type == ZI_MJCF_FREE ? error[k] : 0;
    }
}

/* Type, axis, limits and passive numbers; the origin is set by the caller, who knows what came before. */
static zvJoint make_joint(const ziMjcf *m, const ziMjcfJoint *own, const char *parent, const char *child) {
    static const zvJointType types[] = {ZV_JOINT_FREE, ZV_JOINT_SPHERICAL, ZV_JOINT_PRISMATIC, ZV_JOINT_CONTINUOUS};
    zvJointType type = types[own->type];
    if (type == ZV_JOINT_CONTINUOUS && own->dof.has_limits) type = ZV_JOINT_REVOLUTE;
    zvJoint joint = zv_joint_default(own->joint, type, parent, child);
    joint.mark = zi_mjcf_mark(own->element);
    joint.dof[0] = own->dof;
    if (own->type <= ZI_MJCF_BALL) rest_at(own, &m->bodies[own->body].world, joint.dof);
    const double size = hypot(hypot(own->axis[0], own->axis[1]), own->axis[2]);
    for (int i = 0; i < 3; i++) joint.axis[i] = own->axis[i] / size;
    if (own->follows >= 0) {
        joint.mimic = m->joints[own->follows].joint;
        joint.ratio = own->ratio;
        joint.offset = own->offset;
        joint.mimic_spot = (zvSpot){own->equality->mark.line, own->equality->mark.column};
    }
    const ziXmlAttribute *axis = zi_xml_attribute(own->element, "axis"),
                         *range = zi_xml_attribute(own->element, "range");
    if (axis) joint.axis_spot = (zvSpot){axis->value_mark.line, axis->value_mark.column};
    if (range) joint.limits_spot = (zvSpot){range->value_mark.line, range->value_mark.column};
    return joint;
}

static zvStatus add_fixed(ziMjcf *m, const ziMjcfBody *body, const char *parent, const zvPose *origin) {
    const char *wanted = zi_mjcf_print(m, "%s_fixed", body->link);
    const char *name = wanted ? zi_mjcf_name(m, &m->taken_joints, wanted) : NULL;
    if (!name) return zi_mjcf_memory(m, body->element);
    zvJoint joint = zv_joint_default(name, ZV_JOINT_FIXED, parent, body->link);
    joint.origin = *origin;
    joint.mark = zi_mjcf_mark(body->element);
    zvStatus status = add_link(m, body->link, body);
    return status != ZV_OK ? status : zv_builder_add_joint(m->builder, &joint, m->error);
}

/* One joint of a body, at its place; *at is where the body stands in *parent before the joint moves, and after it. */
static zvStatus put_joint(ziMjcf *m, const ziMjcfBody *body, const ziMjcfJoint *own, bool last, const char **parent,
                          zvPose *at) {
    const bool inside = own->pos[0] == 0 && own->pos[1] == 0 && own->pos[2] == 0;
    const char *child = body->link;
    if (!last || !inside) {
        const char *wanted = zi_mjcf_print(m, "%s_%s", body->link, own->joint);
        child = wanted ? zi_mjcf_name(m, &m->taken_links, wanted) : NULL;
        if (!child) return zi_mjcf_memory(m, own->element);
    }
    zvPose place = zv_pose_identity();
    const zvPose back = back_by_ref(own);
    memcpy(place.p, own->pos, sizeof place.p);
    *at = zv_pose_compose(at, &place);
    zvJoint joint = make_joint(m, own, *parent, child);
    joint.origin = own->type == ZI_MJCF_FREE ? zv_pose_identity() : zv_pose_compose(at, &back);
    zvStatus status = add_link(m, child, body);
    if (status == ZV_OK) status = zv_builder_add_joint(m->builder, &joint, m->error);
    *parent = child;
    *at = zv_pose_identity();
    for (int i = 0; i < 3; i++) at->p[i] = -own->pos[i];
    return status;
}

static zvStatus put_body(ziMjcf *m, const ziMjcfBody *body) {
    const char *parent = m->bodies[body->parent].link;
    zvPose at = body->pose;
    if (body->njoint == 0) return add_fixed(m, body, parent, &at);
    zvStatus status = ZV_OK;
    for (int i = 0; i < body->njoint && status == ZV_OK; i++)
        status = put_joint(m, body, &m->joints[body->first_joint + i], i + 1 == body->njoint, &parent, &at);
    if (status == ZV_OK && strcmp(parent, body->link) != 0) status = add_fixed(m, body, parent, &at);
    return status;
}

/* Sites, under names that no link has. */
static zvStatus add_frames(ziMjcf *m) {
    for (size_t i = 0; i < m->nsite; i++) {
        ziMjcfSite *site = &m->sites[i];
        site->frame = zi_mjcf_name(m, &m->taken_links, site->name);
        if (!site->frame) return zi_mjcf_memory(m, site->element);
        zvFrame frame = zv_frame_default(site->frame, m->bodies[site->body].link);
        frame.pose = site->pose;
        frame.mark = zi_mjcf_mark(site->element);
        const zvStatus status = zv_builder_add_frame(m->builder, &frame, m->error);
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

/* Shapes ------------------------------------------------------------------------------------------- */

/* Groups above 2 are not drawn by the format's own viewer. */
static zvShape make_shape(const ziMjcf *m, const ziMjcfGeom *geom, zvShapeKind kind) {
    zvShape shape = zv_shape_default(m->bodies[geom->body].link, kind);
    shape.name = geom->name;
    shape.collision = geom->group > 2;
    shape.pose = geom->pose;
    shape.has_color = geom->has_color;
    memcpy(shape.color, geom->color, sizeof shape.color);
    shape.mark = zi_mjcf_mark(geom->element);
    return shape;
}

/* A cylinder with a ball at each end. */
static zvStatus add_capsule(ziMjcf *m, const ziMjcfGeom *geom) {
    zvShape side = make_shape(m, geom, ZV_SHAPE_CYLINDER);
    side.size[0] = geom->size[0];
    side.size[1] = 2 * geom->size[1];
    zvStatus status = zv_builder_add_shape(m->builder, &side, m->error);
    for (int end = -1; end <= 1 && status == ZV_OK; end += 2) {
        zvShape ball = make_shape(m, geom, ZV_SHAPE_SPHERE);
        const zvPose place = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {0, 0, end * geom->size[1]}};
        ball.size[0] = geom->size[0];
        ball.pose = zv_pose_compose(&geom->pose, &place);
        ball.name = NULL;
        status = zv_builder_add_shape(m->builder, &ball, m->error);
    }
    return status;
}

static zvStatus add_mesh(ziMjcf *m, const ziMjcfGeom *geom) {
    const ziMjcfMesh *mesh = &m->meshes[geom->mesh];
    const zvPose place = zi_mjcf_mesh_pose(mesh);
    if (!mesh->file) return ZV_OK;
    zvShape shape = make_shape(m, geom, ZV_SHAPE_MESH);
    shape.pose = zv_pose_compose(&geom->pose, &place);
    shape.mesh = mesh->file;
    memcpy(shape.size, mesh->scale, sizeof shape.size);
    return zv_builder_add_shape(m->builder, &shape, m->error);
}

/* An ellipsoid is drawn as a ball of its volume; planes and height fields are not drawn. */
static zvStatus add_shape(ziMjcf *m, const ziMjcfGeom *geom) {
    if (geom->mesh >= 0) return add_mesh(m, geom);
    if (geom->type == ZI_MJCF_CAPSULE) return add_capsule(m, geom);
    const bool ball = geom->type == ZI_MJCF_SPHERE || geom->type == ZI_MJCF_ELLIPSOID;
    if (!ball && geom->type != ZI_MJCF_BOX && geom->type != ZI_MJCF_CYLINDER) return ZV_OK;
    zvShape shape = make_shape(m, geom,
                               ball                        ? ZV_SHAPE_SPHERE
                               : geom->type == ZI_MJCF_BOX ? ZV_SHAPE_BOX
                                                           : ZV_SHAPE_CYLINDER);
    for (int i = 0; i < 3 && geom->type == ZI_MJCF_BOX; i++) shape.size[i] = 2 * geom->size[i];
    if (geom->type != ZI_MJCF_BOX) shape.size[0] = geom->size[0];
    if (geom->type == ZI_MJCF_CYLINDER) shape.size[1] = 2 * geom->size[1];
    if (geom->type == ZI_MJCF_ELLIPSOID) shape.size[0] = cbrt(geom->size[0] * geom->size[1] * geom->size[2]);
    return zv_builder_add_shape(m->builder, &shape, m->error);
}

zvStatus zi_mjcf_build(ziMjcf *m) {
    zvStatus status = name_all(m);
    if (status == ZV_OK) status = add_link(m, m->bodies[0].link, &m->bodies[0]);
    for (size_t i = 1; i < m->nbody && status == ZV_OK; i++) status = put_body(m, &m->bodies[i]);
    if (status == ZV_OK) status = add_frames(m);
    if (status == ZV_OK) status = zi_mjcf_equalities(m);
    for (size_t i = 0; i < m->ngeom && status == ZV_OK; i++) status = add_shape(m, &m->geoms[i]);
    return status;
}
