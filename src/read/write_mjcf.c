/* Writer of MJCF. Bodies are nested as the tree is; a joint with several freedoms becomes several joints of one body, a
 * screw two of which one follows; loops hold by sites. What is said behind the bodies is collected while these are
 * written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "model/joint_type.h"
#include "model/measure.h"
#include "read/write_xml.h"

/* A frame, or an end of a loop. */
typedef struct Site {
    const char *name;
    zvPose pose;
    int next; /* on the same link, -1: the last */
} Site;

/* y = ratio x + offset */
typedef struct Follower {
    const char *y, *x;
    double ratio, offset;
    struct Follower *next;
} Follower;

/* <connect> or <weld> of two sites. */
typedef struct Constraint {
    const char *element, *name, *site[2];
    bool open;
    struct Constraint *next;
} Constraint;

typedef struct MjcfWriter {
    ziXmlWriter xml;
    bool ground;  /* the root is the world, not a body on it */
    int *level;   /* of each link: 0 is the world */
    double *held; /* of each joint: zi_held_values */
    const char **bodies;
    Site *sites;
    int *first_site; /* of each link */
    int site_count;
    Follower *followers, **last_follower;
    Constraint *constraints, **last_constraint;
} MjcfWriter;

static const double hinge_half = 0.05; /* m between the two points of a hinge that closes a loop, halved */

static void put_pose(ziXmlWriter *w, const zvPose *pose) {
    const double *p = pose->p, *R = pose->R;
    const double axes[6] = {R[0], R[3], R[6], R[1], R[4], R[7]};
    if (p[0] != 0 || p[1] != 0 || p[2] != 0) zi_xml_values(w, "pos", p, 3);
    if (R[0] != 1 || R[4] != 1 || R[8] != 1) zi_xml_values(w, "xyaxes", axes, 6);
}

/* Sites and loops ----------------------------------------------------------------------------------- */

static void add_site(MjcfWriter *m, const char *name, int link, const zvPose *pose) {
    m->sites[m->site_count] = (Site){name, *pose, m->first_site[link]};
    m->first_site[link] = m->site_count++;
}

/* One end of a loop, `along` its axis from its frame. */
static const char *end_site(MjcfWriter *m, const zvLoop *loop, bool child, double along) {
    ziXmlWriter *w = &m->xml;
    const double *a = loop->axis, size = along != 0 ? hypot(hypot(a[0], a[1]), a[2]) : 1;
    zvPose pose, shift = zv_pose_identity();
    const int link =
        zi_loop_end(w->builder, child ? loop->child : loop->parent, child ? &loop->child_origin : &loop->origin, &pose);
    for (int i = 0; i < 3 && along != 0; i++) shift.p[i] = along * a[i] / size;
    pose = zv_pose_compose(&pose, &shift);
    const char *name = zi_xml_name(w, &w->links, loop->name, child ? "child" : "parent");
    add_site(m, name, link, &pose);
    return name;
}

static void add_constraint(MjcfWriter *m, const zvLoop *loop, const char *element, double along) {
    Constraint *c = zi_xml_keep(&m->xml, sizeof *c);
    if (!c) return;
    c->element = element;
    c->name = along < 0 ? zi_xml_name(&m->xml, &m->xml.joints, loop->name, "2") : loop->name;
    for (int i = 0; i < 2; i++) c->site[i] = end_site(m, loop, i == 1, along);
    c->open = loop->open;
    *m->last_constraint = c, m->last_constraint = &c->next;
}

/* Its sites, before the bodies are written. */
static void plan_loop(MjcfWriter *m, const zvLoop *loop) {
    ziXmlWriter *w = &m->xml;
    const bool hinge = loop->type == ZV_JOINT_REVOLUTE || loop->type == ZV_JOINT_CONTINUOUS;
    zi_emit_about(&w->out, "loop", loop->name, loop->mark);
    if (loop->kind == ZV_LOOP_COUPLING) return;
    if (loop->kind == ZV_LOOP_ROD || loop->driven ||
        !(hinge || loop->type == ZV_JOINT_FIXED || loop->type == ZV_JOINT_SPHERICAL)) {
        zi_xml_lost(w, true, "loop",
                    "the loop is left out: MJCF has <connect>, <weld> and hinges made of two <connect>",
                    "keep the native file");
        return;
    }
    if (zi_loop_on_ground(w->builder, loop->parent) || zi_loop_on_ground(w->builder, loop->child)) {
        zi_xml_lost(w, true, "loop", "the loop is left out: it ends on the ground under the free base",
                    "keep the native file");
        return;
    }
    zi_loop_losses(w, loop);
    if (hinge)
        zi_xml_lost(w, false, "hinge", "the hinge is written as two points of its axis, one condition too many",
                    "nothing to do");
    add_constraint(m, loop, loop->type == ZV_JOINT_FIXED ? "weld" : "connect", hinge ? hinge_half : 0);
    if (hinge) add_constraint(m, loop, "connect", -hinge_half);
}

/* Frames, the ends of all loops, and a root that gives its name up, each to its link. */
static void plan_sites(MjcfWriter *m) {
    const zvBuilder *b = m->xml.builder;
    const char *root = b->links[m->xml.order.root].name;
    m->sites = zi_xml_keep(&m->xml, (b->nframe + 4 * (b->nloop + b->njoint) + 2) * sizeof *m->sites);
    m->first_site = zi_xml_keep(&m->xml, (b->nlink + 1) * sizeof *m->first_site);
    if (!m->sites || !m->first_site) return;
    for (size_t i = 0; i < b->nlink; i++) m->first_site[i] = -1;
    for (size_t i = b->nframe; i-- > 0;)
        add_site(m, b->frames[i].name, zi_names_find(&b->link_names, b->frames[i].link), &b->frames[i].pose);
    if (m->ground && strcmp(root, "world") != 0) {
        const zvPose here = zv_pose_identity();
        add_site(m, root, m->xml.order.root, &here);
    }
    for (size_t i = 0; i < b->njoint; i++) {
        if (!zi_order_cuts(b, &m->xml.order, i)) continue;
        const zvLoop loop = zi_loop_of_joint(&b->joints[i]);
        plan_loop(m, &loop);
    }
    for (size_t i = 0; i < b->nloop; i++) plan_loop(m, &b->loops[i]);
}

/* Joints -------------------------------------------------------------------------------------------- */

static void add_follower(MjcfWriter *m, const char *y, const char *x, double ratio, double offset) {
    Follower *f = zi_xml_keep(&m->xml, sizeof *f);
    if (!f) return;
    *f = (Follower){y, x, ratio, offset, NULL};
    *m->last_follower = f, m->last_follower = &f->next;
}

static void put_passive(ziXmlWriter *w, const zvDof *dof) {
    zi_xml_nonzero(w, "armature", dof->armature);
    zi_xml_nonzero(w, "damping", dof->damping);
    zi_xml_nonzero(w, "frictionloss", dof->friction);
    zi_xml_nonzero(w, "stiffness", dof->stiffness);
}

/* A hinge or slide with its numbers; the follower of a screw has none. */
static void put_part(MjcfWriter *m, const ziJointPart *part) {
    ziXmlWriter *w = &m->xml;
    const zvDof none = {0}, *dof = part->dof ? part->dof : &none;
    const double range[2] = {dof->lower, dof->upper}, effort[2] = {-dof->effort, dof->effort};
    zi_xml_start(w, "joint");
    zi_xml_text(w, "name", part->name);
    zi_xml_text(w, "type", part->slides ? "slide" : "hinge");
    zi_xml_values(w, "axis", part->axis, 3);
    if (dof->has_limits) zi_xml_values(w, "range", range, 2);
    put_passive(w, dof);
    if (dof->stiffness != 0) zi_xml_nonzero(w, "springref", dof->rest);
    if (dof->effort > 0) zi_xml_values(w, "actuatorfrcrange", effort, 2);
    zi_xml_end(w, "joint");
    if (dof->velocity > 0) zi_xml_lost(w, false, "velocity", "its velocity limit is left out", "nothing to do");
}

/* spherical and free */
static void put_whole(ziXmlWriter *w, const zvJoint *joint, const char *type) {
    const int count = zv_joint_type_nv(joint->type);
    const zvDof dof = zi_joint_common(w, joint, count);
    zi_xml_start(w, "joint");
    zi_xml_text(w, "name", joint->name);
    zi_xml_text(w, "type", type);
    put_passive(w, &dof);
    zi_xml_end(w, "joint");
}

/* A free joint stands in the world alone and measures from its origin. */
static void put_free(MjcfWriter *m, const zvJoint *joint, int parent) {
    ziXmlWriter *w = &m->xml;
    const double *R = joint->origin.R, *p = joint->origin.p;
    if (m->level[parent] != 0) {
        zi_xml_refuse(w, "free", "a free joint hangs on the world only");
        return;
    }
    if (R[0] != 1 || R[4] != 1 || R[8] != 1 || p[0] != 0 || p[1] != 0 || p[2] != 0)
        zi_xml_lost(w, true, "origin", "its coordinates are measured from the origin of the world there",
                    "move the origin of the joint to that of the ground");
    put_whole(w, joint, "free");
}

/* The joints of a body, and what has to follow them behind the bodies. */
static void put_joints(MjcfWriter *m, const zvJoint *joint, int parent) {
    ziXmlWriter *w = &m->xml;
    ziJointPart parts[3];
    zi_emit_about(&w->out, "joint", joint->name, joint->mark);
    zi_joint_losses(w, joint);
    if (joint->type == ZV_JOINT_SPHERICAL) put_whole(w, joint, "ball");
    if (joint->type == ZV_JOINT_FREE) put_free(m, joint, parent);
    const int count = zi_joint_parts(w, joint, parts);
    for (int i = 0; i < count; i++) put_part(m, &parts[i]);
    if (joint->type == ZV_JOINT_HELICAL) add_follower(m, parts[1].name, parts[0].name, joint->pitch, 0);
    if (!joint->mimic) return;
    if (zv_builder_mimic_coupled(w->builder))
        add_follower(m, joint->name, joint->mimic, joint->ratio, joint->offset);
    else
        zi_xml_lost(w, false, "mimic", "followers are coordinates of their own: the relation is left out",
                    "nothing to do, or write it by hand");
}

/* Bodies -------------------------------------------------------------------------------------------- */

/* Visuals do not collide; groups above 2 are what collides. */
static void put_geom(ziXmlWriter *w, int index) {
    static const char *const words[] = {"box", "cylinder", "sphere", "mesh"};
    const zvShape *shape = &w->builder->shapes[index];
    const double *s = shape->size, half[3] = {s[0] / 2, s[1] / 2, s[2] / 2}, round[2] = {s[0], s[1] / 2};
    char name[32];
    zi_xml_start(w, "geom");
    zi_xml_text(w, "type", words[shape->kind]);
    if (shape->kind == ZV_SHAPE_BOX) zi_xml_values(w, "size", half, 3);
    if (shape->kind == ZV_SHAPE_CYLINDER) zi_xml_values(w, "size", round, 2);
    if (shape->kind == ZV_SHAPE_SPHERE) zi_xml_value(w, "size", s[0]);
    if (shape->kind == ZV_SHAPE_MESH) {
        snprintf(name, sizeof name, "mesh_%d", index + 1);
        zi_xml_text(w, "mesh", name);
    }
    put_pose(w, &shape->pose);
    if (shape->has_color) zi_xml_values(w, "rgba", shape->color, 4);
    zi_xml_text(w, "group", shape->collision ? "3" : "2");
    if (!shape->collision) {
        zi_xml_text(w, "contype", "0");
        zi_xml_text(w, "conaffinity", "0");
    }
    zi_xml_end(w, "geom");
}

static void put_inertial(ziXmlWriter *w, const zvInertia *inertia) {
    const double *m = inertia->moment, full[6] = {m[0], m[3], m[5], m[1], m[2], m[4]};
    zi_xml_start(w, "inertial");
    zi_xml_values(w, "pos", inertia->com, 3);
    zi_xml_value(w, "mass", inertia->mass);
    zi_xml_values(w, "fullinertia", full, 6);
    zi_xml_end(w, "inertial");
}

/* Shapes and sites of a link; the world has no inertia. */
static void put_contents(MjcfWriter *m, int index) {
    ziXmlWriter *w = &m->xml;
    const zvLink *link = &w->builder->links[index];
    zi_emit_about(&w->out, "link", link->name, link->mark);
    const zvInertia inertia = zi_link_rigid(w, link);
    const bool has = link->has_inertia || inertia.mass != 0;
    double principal[3];
    if (has && m->level[index] > 0) put_inertial(w, &inertia);
    zi_principal_moments(inertia.moment, principal);
    if (inertia.mass != 0 && !(principal[0] > 0))
        zi_xml_lost(w, false, "moments", "a moment of inertia is not positive, which MuJoCo refuses",
                    "give it moments of inertia, if MuJoCo is to read the file");
    if (inertia.mass != 0 && m->level[index] == 0)
        zi_xml_lost(w, false, "inertia", "the inertia of the ground is left out: it is not felt", "nothing to do");
    for (int i = w->first_shape[index]; i >= 0; i = w->next_shape[i]) put_geom(w, i);
    for (int i = m->first_site[index]; i >= 0; i = m->sites[i].next) {
        zi_xml_start(w, "site");
        zi_xml_text(w, "name", m->sites[i].name);
        put_pose(w, &m->sites[i].pose);
        zi_xml_end(w, "site");
    }
}

/* Opens the body of a link with its joints and contents. */
static void put_body(MjcfWriter *m, int index) {
    ziXmlWriter *w = &m->xml;
    const int joint = w->order.joint_above[index];
    zi_xml_start(w, "body");
    zi_xml_text(w, "name", m->bodies[index]);
    if (joint >= 0) {
        zvJoint own = w->builder->joints[joint];
        if (!isnan(m->held[joint])) zi_hold_joint(&own, m->held[joint]); /* what it follows is fixed */
        put_pose(w, &own.origin);
        put_joints(m, &own, w->order.parent_link[joint]);
    } else if (w->builder->free_base) {
        zi_xml_one(w, "freejoint", "name", zi_xml_name(w, &w->joints, "root_joint", ""));
    }
    put_contents(m, index);
}

/* The root is the ground where it is called so, and where a free joint hangs on it, which stands in the world alone. */
static bool is_ground(const zvBuilder *b, const ziOrder *o) {
    if (b->free_base) return false;
    bool free = false;
    for (size_t j = 0; j < b->njoint; j++)
        free = free || (zi_joint_free(b->joints[j].type) && o->parent_link[j] == o->root && !zi_order_cuts(b, o, j));
    return free || strcmp(b->links[o->root].name, "world") == 0;
}

/* The name "world" belongs to the ground. */
static void name_bodies(MjcfWriter *m) {
    ziXmlWriter *w = &m->xml;
    const zvBuilder *b = w->builder;
    m->bodies = zi_xml_keep(&m->xml, (b->nlink + 1) * sizeof *m->bodies);
    m->level = zi_xml_keep(&m->xml, (b->nlink + 1) * sizeof *m->level);
    if (!m->bodies || !m->level) return;
    m->ground = is_ground(b, &w->order);
    for (size_t i = 0; i < b->nlink; i++) {
        m->bodies[i] = b->links[i].name;
        if (strcmp(m->bodies[i], "world") != 0 || ((int)i == w->order.root && m->ground)) continue;
        m->bodies[i] = zi_xml_name(w, &w->links, "world", "");
        zi_emit_about(&w->out, "link", b->links[i].name, b->links[i].mark);
        zi_xml_lost(w, false, "name", "the link gets another name: \"world\" is the ground", "nothing to do");
    }
}

/* Links in the order of the tree; bodies are closed down to the parent of the next one. */
static void put_world(MjcfWriter *m) {
    ziXmlWriter *w = &m->xml;
    const ziOrder *o = &w->order;
    int open = 0;
    zi_xml_start(w, "worldbody");
    for (int k = 0; k < o->placed && w->out.status >= 0; k++) {
        const int link = o->sequence[k], joint = o->joint_above[link];
        m->level[link] = joint >= 0 ? m->level[o->parent_link[joint]] + 1 : m->ground ? 0 : 1;
        for (; open > 0 && open >= m->level[link]; open--) zi_xml_end(w, "body");
        if (m->level[link] == 0)
            put_contents(m, link);
        else
            put_body(m, link), open++;
    }
    for (; open > 0; open--) zi_xml_end(w, "body");
    zi_xml_end(w, "worldbody");
}

/* Before and behind the bodies ---------------------------------------------------------------------- */

/* Angles in radians, no inertia from shapes, gravity, and an asset for each mesh. */
static void put_settings(ziXmlWriter *w) {
    const zvBuilder *b = w->builder;
    zi_xml_start(w, "compiler");
    zi_xml_text(w, "angle", "radian");
    zi_xml_text(w, "inertiafromgeom", "false");
    zi_xml_end(w, "compiler");
    zi_xml_start(w, "option");
    zi_xml_values(w, "gravity", b->gravity, 3);
    zi_xml_end(w, "option");
    bool any = false;
    for (size_t i = 0; i < b->nshape; i++) {
        const zvShape *shape = &b->shapes[i];
        char name[32];
        if (shape->kind != ZV_SHAPE_MESH) continue;
        if (!any) zi_xml_start(w, "asset");
        any = true;
        snprintf(name, sizeof name, "mesh_%zu", i + 1);
        zi_xml_start(w, "mesh");
        zi_xml_text(w, "name", name);
        zi_xml_text(w, "file", shape->mesh ? shape->mesh : "");
        zi_xml_values(w, "scale", shape->size, 3);
        zi_xml_end(w, "mesh");
    }
    if (any) zi_xml_end(w, "asset");
}

static bool has_couplings(const zvBuilder *b) {
    for (size_t i = 0; i < b->nloop; i++)
        if (b->loops[i].kind == ZV_LOOP_COUPLING) return true;
    return false;
}

/* A coupling is a tendon of joints whose length is held. */
static void put_tendons(ziXmlWriter *w) {
    const zvBuilder *b = w->builder;
    if (!has_couplings(b)) return;
    zi_xml_start(w, "tendon");
    for (size_t i = 0; i < b->nloop; i++) {
        const zvLoop *loop = &b->loops[i];
        if (loop->kind != ZV_LOOP_COUPLING) continue;
        zi_xml_start(w, "fixed");
        zi_xml_text(w, "name", loop->name);
        for (int k = 0; k < loop->term_count; k++) {
            zi_xml_start(w, "joint");
            zi_xml_text(w, "joint", loop->terms[k].joint);
            zi_xml_value(w, "coef", loop->terms[k].ratio);
            zi_xml_end(w, "joint");
        }
        zi_xml_end(w, "fixed");
    }
    zi_xml_end(w, "tendon");
}

/* Followers, loops, couplings. */
static void put_equalities(MjcfWriter *m) {
    ziXmlWriter *w = &m->xml;
    const zvBuilder *b = w->builder;
    if (!m->followers && !m->constraints && !has_couplings(b)) return;
    zi_xml_start(w, "equality");
    for (const Follower *f = m->followers; f; f = f->next) {
        const double polynomial[5] = {f->offset, f->ratio, 0, 0, 0};
        zi_xml_start(w, "joint");
        zi_xml_text(w, "joint1", f->y);
        zi_xml_text(w, "joint2", f->x);
        zi_xml_values(w, "polycoef", polynomial, 5);
        zi_xml_end(w, "joint");
    }
    for (const Constraint *c = m->constraints; c; c = c->next) {
        zi_xml_start(w, c->element);
        zi_xml_text(w, "name", c->name);
        zi_xml_text(w, "site1", c->site[0]);
        zi_xml_text(w, "site2", c->site[1]);
        if (c->open) zi_xml_text(w, "active", "false");
        zi_xml_end(w, c->element);
    }
    for (size_t i = 0; i < b->nloop; i++) {
        const double polynomial[5] = {b->loops[i].offset, 0, 0, 0, 0};
        if (b->loops[i].kind != ZV_LOOP_COUPLING) continue;
        zi_xml_start(w, "tendon");
        zi_xml_text(w, "name", b->loops[i].name);
        zi_xml_text(w, "tendon1", b->loops[i].name);
        zi_xml_values(w, "polycoef", polynomial, 5);
        if (b->loops[i].open) zi_xml_text(w, "active", "false");
        zi_xml_end(w, "tendon");
    }
    zi_xml_end(w, "equality");
}

/* Sites are planned first: bodies carry them. */
zvStatus zi_write_mjcf(const zvBuilder *builder, zvTextSink sink, void *context, zvLossSink lost, void *lost_context,
                       zvError *error) {
    MjcfWriter m = {0};
    ziXmlWriter *w = &m.xml;
    const zvStatus status = zi_xml_writer_begin(w, "MJCF", builder, sink, context, lost, lost_context, error);
    if (status < 0) return status;
    m.last_follower = &m.followers, m.last_constraint = &m.constraints;
    m.held = zi_held_values(builder);
    if (!m.held) w->out.status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while writing the robot");
    name_bodies(&m);
    plan_sites(&m);
    if (w->out.status >= 0) {
        zi_emit_raw(&w->out, "<?xml version=\"1.0\"?>");
        zi_xml_start(w, "mujoco");
        zi_xml_text(w, "model", builder->name);
        put_settings(w);
        put_world(&m);
        put_tendons(w);
        put_equalities(&m);
        zi_xml_end(w, "mujoco");
    }
    free(m.held);
    return zi_xml_writer_end(w);
}
