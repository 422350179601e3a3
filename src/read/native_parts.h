/* The sections of a native file and the values they share. Each function reads one kind of thing into the builder or
 * into a description; keys that are absent leave the description as it is, so that `modify` can use them too. */
#ifndef ZV_READ_NATIVE_PARTS_H
#define ZV_READ_NATIVE_PARTS_H

#include "read/native_element.h"
#include "read/source.h"

/* Keys of one freedom, and of the inertia and the elasticity of a link, for the lists of allowed keys. */
#define ZV_DOF_KEYS "limits", "armature", "rotor", "damping", "friction", "spring"
#define ZV_INERTIA_KEYS "mass", "com", "inertia", "inertia_about"
#define ZV_ELASTIC_KEYS "beam", "modal"

/* The keys that a map of one freedom may have: all of them for joints, fewer for loops. */
typedef struct zvDofKeys {
    const char *const *names;
    size_t count;
} zvDofKeys;

zvDofKeys zv_native_joint_dof_keys(void); /* ZV_DOF_KEYS */

/* Sections; node is the value of the section's key. */
zvStatus zv_native_links(const zvReading *reading, const zvNode *list);
zvStatus zv_native_joints(const zvReading *reading, const zvNode *list);
zvStatus zv_native_loops(const zvReading *reading, const zvNode *list);
zvStatus zv_native_frames(const zvReading *reading, const zvNode *list);
zvStatus zv_native_chains(const zvReading *reading, const zvNode *node);
zvStatus zv_native_modify(const zvReading *reading, const zvElement *robot);
zvStatus zv_native_include(const zvReading *reading, const zvNode *node);
/* Loads the file that a node names, found beside the file being read; what names it in error texts. *path is kept by
 * the builder. */
zvStatus zv_native_load(const zvReading *reading, const zvNode *node, const char *what, const char **path,
                        zvSource *source);
/* Reads a file that another one includes. */
zvStatus zv_native_read_nested(const zvReading *reading, const char *bytes, size_t size);

/* Shapes of one link, given in a frame that stands at place in the link (NULL: the link frame itself).
 * link NULL: each shape names its own. */
zvStatus zv_native_shapes(const zvReading *reading, const zvNode *list, const char *link, const zvPose *place);

/* Values. */
zvStatus zv_native_pose(const zvReading *reading, const zvElement *element, const char *key, zvPose *pose);
/* Three or six numbers under the key inertia: xx yy zz, or xx xy xz yy yz zz. */
zvStatus zv_native_moments(const zvReading *reading, const zvElement *element, double J[6]);
zvStatus zv_native_inertia(const zvReading *reading, const zvElement *element, zvLink *link);
zvStatus zv_native_dof(const zvReading *reading, const zvElement *element, zvJointType type, zvDof *dof);
/* The freedoms of a joint or loop: the keys of the element itself for all of them, then `dofs` one by one. */
zvStatus zv_native_dofs(const zvReading *reading, const zvElement *element, zvDofKeys keys, zvJointType type,
                        zvDof *dofs);
/* The path of a curve joint; *points is to be freed when the joint has been added. */
zvStatus zv_native_curve(const zvReading *reading, const zvElement *element, zvCurve *curve, double **points);
/* Keys that belong to one type of joint: refuses those of other types, and asks for those that have no default. */
zvStatus zv_native_refuse_strangers(const zvReading *reading, const zvElement *element, zvJointType type);
zvStatus zv_native_need_specials(const zvReading *reading, const zvElement *element, zvJointType type);
/* Origin, axes, pitch, freedoms, the numbers of mimic and cut: what `modify` may change. */
zvStatus zv_native_joint_numbers(const zvReading *reading, const zvElement *element, zvJoint *joint);

#endif
