/* The sections of a native file and the values they share. Each function reads one kind of thing into the builder or
 * into a description; keys that are absent leave the description as it is, so that `modify` can use them too. */
#ifndef ZI_READ_NATIVE_PARTS_H
#define ZI_READ_NATIVE_PARTS_H

#include "read/native_element.h"
#include "read/source.h"

/* Keys of one freedom, and of the inertia and the elasticity of a link, for the lists of allowed keys. */
#define ZI_DOF_KEYS "limits", "armature", "rotor", "damping", "friction", "spring"
#define ZI_INERTIA_KEYS "mass", "com", "inertia", "inertia_about"
#define ZI_ELASTIC_KEYS "beam", "modal"

/* The keys that a map of one freedom may have: all of them for joints, fewer for loops. */
typedef struct ziDofKeys {
    const char *const *names;
    size_t count;
} ziDofKeys;

ziDofKeys zi_native_joint_dof_keys(void); /* ZI_DOF_KEYS */

/* Sections; node is the value of the section's key. */
zvStatus zi_native_links(const ziReading *reading, const zvNode *list);
zvStatus zi_native_joints(const ziReading *reading, const zvNode *list);
zvStatus zi_native_loops(const ziReading *reading, const zvNode *list);
zvStatus zi_native_frames(const ziReading *reading, const zvNode *list);
zvStatus zi_native_chains(const ziReading *reading, const zvNode *node);
zvStatus zi_native_modify(const ziReading *reading, const ziElement *robot);
zvStatus zi_native_include(const ziReading *reading, const zvNode *node);
/* Loads the file that a node names, found beside the file being read; what names it in error texts. *path is kept by
 * the builder. */
zvStatus zi_native_load(const ziReading *reading, const zvNode *node, const char *what, const char **path,
                        ziSource *source);
/* Reads a file that another one includes. */
zvStatus zi_native_read_nested(const ziReading *reading, const char *bytes, size_t size);

/* Shapes of one link, given in a frame that stands at place in the link (NULL: the link frame itself).
 * link NULL: each shape names its own. */
zvStatus zi_native_shapes(const ziReading *reading, const zvNode *list, const char *link, const zvPose *place);

/* Values. */
zvStatus zi_native_pose(const ziReading *reading, const ziElement *element, const char *key, zvPose *pose);
/* Three or six numbers under the key inertia: xx yy zz, or xx xy xz yy yz zz. */
zvStatus zi_native_moments(const ziReading *reading, const ziElement *element, double J[6]);
zvStatus zi_native_inertia(const ziReading *reading, const ziElement *element, zvLink *link);
zvStatus zi_native_dof(const ziReading *reading, const ziElement *element, zvJointType type, zvDof *dof);
/* The freedoms of a joint or loop: the keys of the element itself for all of them, then `dofs` one by one. */
zvStatus zi_native_dofs(const ziReading *reading, const ziElement *element, ziDofKeys keys, zvJointType type,
                        zvDof *dofs);
/* The path of a curve joint; *points is to be freed when the joint has been added. */
zvStatus zi_native_curve(const ziReading *reading, const ziElement *element, zvCurve *curve, double **points);
/* Keys that belong to one type of joint: refuses those of other types, and asks for those that have no default. */
zvStatus zi_native_refuse_strangers(const ziReading *reading, const ziElement *element, zvJointType type);
zvStatus zi_native_need_specials(const ziReading *reading, const ziElement *element, zvJointType type);
/* Origin, axes, pitch, freedoms, the numbers of mimic and cut: what `modify` may change. */
zvStatus zi_native_joint_numbers(const ziReading *reading, const ziElement *element, zvJoint *joint);

#endif
