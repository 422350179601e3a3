/* Core. Builder: collects a description, then freezes it into a model.
 *
 *   zvBuilder *b = zv_builder_create(&error);
 *   zvLink base = zv_link_default("base"), arm = zv_link_default("arm");
 *   arm.inertia = (zvInertia){.mass = 2, .com = {0.5, 0, 0}, .moment = {0.01, 0, 0, 0.2, 0, 0.2}};
 *   zv_builder_add_link(b, &base, &error);
 *   zv_builder_add_link(b, &arm, &error);
 *   zvJoint joint = zv_joint_default("shoulder", ZV_JOINT_REVOLUTE, "base", "arm"); // about z; or set joint.axis
 *   zv_builder_add_joint(b, &joint, &error);
 *   zvModel *model;
 *   zvStatus status = zv_builder_freeze(b, &model, &error); // negative: error.text says what is wrong
 *   zv_builder_destroy(b);
 *
 * Adding copies everything, texts included. Names may be used before they are added: they are resolved, and
 * the whole description checked, by freeze. Order of adding = file order. */
#ifndef ZVENO_BUILDER_H
#define ZVENO_BUILDER_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvBuilder zvBuilder;

/* An empty description, fixed base, gravity (0, 0, -9.81); NULL and error when out of memory. */
zvBuilder *zv_builder_create(zvError *error);
void zv_builder_destroy(zvBuilder *builder); /* NULL is let pass */

/* Elements with usual values, to be changed where they differ and then added. */
zvLink zv_link_default(const char *name); /* massless */
zvJoint zv_joint_default(const char *name, zvJointType type, const char *parent,
                         const char *child);                  /* axis z, identity origin */
zvFrame zv_frame_default(const char *name, const char *link); /* where its link is */
zvShape zv_shape_default(const char *link, zvShapeKind kind); /* sizes 1, grey, visual */
zvLoop zv_loop_default(const char *name, zvLoopKind kind, zvJointType type, const char *parent,
                       const char *child); /* axis z, identity origins */

/* Each adds a copy of an element; fails only when memory runs out (ZV_MEMORY). What is wrong with an element zv_check
 * and freezing find. */
zvStatus zv_builder_add_link(zvBuilder *builder, const zvLink *link, zvError *error);
zvStatus zv_builder_add_joint(zvBuilder *builder, const zvJoint *joint, zvError *error);
zvStatus zv_builder_add_frame(zvBuilder *builder, const zvFrame *frame, zvError *error);
zvStatus zv_builder_add_shape(zvBuilder *builder, const zvShape *shape, zvError *error);
zvStatus zv_builder_add_loop(zvBuilder *builder, const zvLoop *loop, zvError *error);
/* The name of the robot; "robot" unless it is set. Fails only when memory runs out. */
zvStatus zv_builder_set_name(zvBuilder *builder, const char *name, zvError *error);
void zv_builder_set_gravity(zvBuilder *builder, const double g[3]); /* default (0, 0, -9.81) m/s^2 */

/* A free joint "root_joint" between a ground link "world" and the root (default: root fixed to the ground);
 * names that are taken get a number: "world_2". */
void zv_builder_set_free_base(zvBuilder *builder, bool free_base);
/* Whether mimic joints follow their masters (default) or are independent coordinates. */
void zv_builder_set_mimic_coupled(zvBuilder *builder, bool coupled);

/* Whether links may have several joints above them, of which freezing then keeps one and cuts the others into loops
 * (default: not, it is an error). Kept are joints with springs, dampers, friction, limits, drives' armature or mimic
 * relations before bare ones, then those with fewer freedoms, then near the root, then as in the file. */
void zv_builder_set_cutting(zvBuilder *builder, bool cuts);

/* Where a package of ROS is, before a file is read that names it ("$(find NAME)", "package://NAME/..."). Packages that
 * are not set are looked for in the folders around the file. Fails only when memory runs out. */
zvStatus zv_builder_set_package(zvBuilder *builder, const char *name, const char *folder, zvError *error);

typedef enum zvSeverity { ZV_SEVERITY_NOTE, ZV_SEVERITY_WARNING, ZV_SEVERITY_ERROR } zvSeverity;

/* What a reader noticed in a file and the description cannot show, such as a misspelt element that was left out;
 * zv_check reports it (check.h). It never keeps a description from being frozen. */
typedef struct zvRemark {
    zvSeverity severity; /* ZV_SEVERITY_NOTE or ZV_SEVERITY_WARNING */
    zvStatus status;
    const char *rule;   /* a short stable word, e.g. "unknown-element" */
    const char *kind;   /* what it is about: "link", "joint", "robot" */
    const char *name;   /* and its name, or NULL */
    const char *token;  /* the offending word or number */
    const char *why;    /* a sentence */
    const char *repair; /* what to do */
    zvMark mark;
} zvRemark;

/* Keeps a copy of a remark; fails only when memory runs out. */
zvStatus zv_builder_add_remark(zvBuilder *builder, const zvRemark *remark, zvError *error);

/* What has been set and added so far, in file order. Pointers hold until the next addition of that kind; through those
 * that are not constant numbers may be changed in place, texts not. */
const char *zv_builder_name(const zvBuilder *builder);
void zv_builder_gravity(const zvBuilder *builder, double g[3]);
bool zv_builder_free_base(const zvBuilder *builder);
bool zv_builder_mimic_coupled(const zvBuilder *builder);
int zv_builder_nlink(const zvBuilder *builder);
int zv_builder_njoint(const zvBuilder *builder);
int zv_builder_nframe(const zvBuilder *builder);
int zv_builder_nshape(const zvBuilder *builder);
int zv_builder_nloop(const zvBuilder *builder);
bool zv_builder_cutting(const zvBuilder *builder);
int zv_builder_nremark(const zvBuilder *builder);
zvLink *zv_builder_link(zvBuilder *builder, int link);
zvJoint *zv_builder_joint(zvBuilder *builder, int joint);
zvFrame *zv_builder_frame(zvBuilder *builder, int frame);
zvShape *zv_builder_shape(zvBuilder *builder, int shape);
zvLoop *zv_builder_loop(zvBuilder *builder, int loop);
const zvRemark *zv_builder_remark(const zvBuilder *builder, int remark);
/* Index by name, or -1; linear search among what was added so far is avoided: a name table is kept. */
int zv_builder_find_link(const zvBuilder *builder, const char *name);
int zv_builder_find_joint(const zvBuilder *builder, const char *name);

/* Makes a joint a fixed one where it stands at zero; one that follows another no longer does. Joints that follow it
 * have to be locked as well. */
void zv_builder_lock_joint(zvBuilder *builder, int joint);

/* Keeps a text as long as the builder lives (for marks and names); NULL when out of memory. */
const char *zv_builder_keep(zvBuilder *builder, const char *text);

/* Checks, orders and freezes. On failure *model is NULL and the builder is unchanged; it may be mended and tried again.
 */
zvStatus zv_builder_freeze(const zvBuilder *builder, zvModel **model, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
