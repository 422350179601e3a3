/* Builder: collects a description, then freezes it into a model.
 *
 *   zvBuilder *b = zv_builder_create();
 *   zvLink link = zv_link_default("arm");         // fill in, add
 *   zv_builder_add_link(b, &link, &error);
 *   zvJoint joint = zv_joint_default("shoulder", ZV_REVOLUTE, "base", "arm");
 *   zv_builder_add_joint(b, &joint, &error);
 *   zvModel *model;
 *   zv_builder_freeze(b, &model, &error);
 *
 * Adding copies everything, texts included. Names may be used before they are added: they are resolved, and
 * the whole description checked, by freeze. Order of adding = file order. */
#ifndef ZVENO_BUILDER_H
#define ZVENO_BUILDER_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zvBuilder zvBuilder;

zvBuilder *zv_builder_create(void); /* NULL when out of memory */
void zv_builder_destroy(zvBuilder *builder);

zvLink zv_link_default(const char *name); /* massless */
zvJoint zv_joint_default(const char *name, zvJointType type, const char *parent,
                         const char *child); /* axis z, identity origin */
zvFrame zv_frame_default(const char *name, const char *link);
zvShape zv_shape_default(const char *link, zvShapeKind kind);

zvStatus zv_builder_add_link(zvBuilder *builder, const zvLink *link, zvError *error);
zvStatus zv_builder_add_joint(zvBuilder *builder, const zvJoint *joint, zvError *error);
zvStatus zv_builder_add_frame(zvBuilder *builder, const zvFrame *frame, zvError *error);
zvStatus zv_builder_add_shape(zvBuilder *builder, const zvShape *shape, zvError *error);
zvStatus zv_builder_set_name(zvBuilder *builder, const char *name, zvError *error);
void zv_builder_set_gravity(zvBuilder *builder, const double g[3]); /* default (0, 0, -9.81) m/s^2 */

/* A free joint "root_joint" between a ground link "world" and the root (default: root fixed to the ground). */
void zv_builder_set_free_base(zvBuilder *builder, bool free_base);
/* Whether mimic joints follow their masters (default) or are independent coordinates. */
void zv_builder_set_mimic_coupled(zvBuilder *builder, bool coupled);

/* What has been added so far, in file order; pointers hold until the next addition of that kind. */
const char *zv_builder_name(const zvBuilder *builder);
void zv_builder_gravity(const zvBuilder *builder, double g[3]);
bool zv_builder_free_base(const zvBuilder *builder);
bool zv_builder_mimic_coupled(const zvBuilder *builder);
int zv_builder_nlink(const zvBuilder *builder);
int zv_builder_njoint(const zvBuilder *builder);
int zv_builder_nframe(const zvBuilder *builder);
int zv_builder_nshape(const zvBuilder *builder);
zvLink *zv_builder_link(zvBuilder *builder, int link); /* numbers may be changed in place; texts not */
zvJoint *zv_builder_joint(zvBuilder *builder, int joint);
zvFrame *zv_builder_frame(zvBuilder *builder, int frame);
zvShape *zv_builder_shape(zvBuilder *builder, int shape);
/* Index by name, or -1; linear search among what was added so far is avoided: a name table is kept. */
int zv_builder_find_link(const zvBuilder *builder, const char *name);
int zv_builder_find_joint(const zvBuilder *builder, const char *name);

/* Keeps a text as long as the builder lives (for marks and names); NULL when out of memory. */
const char *zv_builder_keep(zvBuilder *builder, const char *text);

/* Checks, orders and freezes. On failure *model is NULL and the builder is unchanged; it may be mended and tried again.
 */
zvStatus zv_builder_freeze(const zvBuilder *builder, zvModel **model, zvError *error);

#ifdef __cplusplus
}
#endif
#endif
