/* Reader of native robot files (YAML or JSON, docs/formats.md): its elements, sections and values. */
#ifndef ZI_READ_NATIVE_H
#define ZI_READ_NATIVE_H

#include <stddef.h>

#include "base/arena.h"
#include "read/text.h"
#include "zveno/builder.h"
#include "zveno/document.h"

/* One reading of a native file, and one named map of it (an element): it knows what it describes, so that error texts
 * can say `mass of link "arm"`. All functions leave their outputs alone when the key is absent. */

/* The reading of one file; the readings of the files that include it form a list. */
typedef struct ziReading ziReading;
struct ziReading {
    zvBuilder *builder;
    const char *file;       /* kept by the builder, so that marks may point at it */
    const ziReading *outer; /* the file that includes this one, or NULL */
    int depth;              /* 0 for the file the user named */
    int *files;             /* number of files included so far, shared by all readings */
    int change_count;       /* of the file the user named: "parameters.x=value"; others are let pass */
    const char *const *changes;
    zvError *error;
};

typedef struct ziNamedMap {
    const zvNode *node; /* a map; NULL for a part that is absent */
    const char *kind;   /* "joint", "limits of joint" */
    const char *name;   /* its name, or NULL */
} ziNamedMap;

enum { ZI_WHAT = 192 }; /* size of a phrase such as `mass of link "arm"`; longer names are cut */

/* Writes `key of kind "name"` (or `kind "name"` when key is NULL) and returns what. */
const char *zi_map_what(const ziNamedMap *element, const char *key, char what[ZI_WHAT]);

/* The mark of a node with a file name that is valid as long as the builder. */
zvMark zi_reading_mark(const ziReading *reading, zvMark mark);

/* Makes an element of a node: a map with the given keys only, named by the text under name_key (NULL: nameless). */
zvStatus zi_map_open(const ziReading *reading, const zvNode *node, const char *kind, const char *name_key,
                     const char *const *keys, size_t count, ziNamedMap *element);
/* The map under a key as an element of its own; part->node is NULL when the key is absent. */
zvStatus zi_map_part(const ziReading *reading, const ziNamedMap *element, const char *key, const char *kind,
                     const char *const *keys, size_t count, ziNamedMap *part);

/* The same, called `key of kind`; the phrase is written to kind, which must stay as long as the part is used. */
zvStatus zi_map_inner(const ziReading *reading, const ziNamedMap *element, const char *key, const char *const *keys,
                      size_t count, char kind[ZI_WHAT], ziNamedMap *part);

/* Opens each map of a list (NULL: none) as an element named by the text under `name`, and reads it before the next one
 * is opened, so that errors come in the order of the file. */
typedef zvStatus (*ziMapReader)(const ziReading *reading, const ziNamedMap *element);
zvStatus zi_map_each(const ziReading *reading, const zvNode *list, const char *kind, const char *const *keys,
                     size_t count, ziMapReader read);

bool zi_map_has(const ziNamedMap *element, const char *key);
/* Fails unless the key is there; advice is what to write, e.g. "type: revolute". */
zvStatus zi_map_need(const ziReading *reading, const ziNamedMap *element, const char *key, const char *advice);

zvStatus zi_map_number(const ziReading *reading, const ziNamedMap *element, const char *key, double *value);
zvStatus zi_map_numbers(const ziReading *reading, const ziNamedMap *element, const char *key, int count,
                        double *values);
/* Angles or their rates: deg may follow. */
zvStatus zi_map_angle(const ziReading *reading, const ziNamedMap *element, const char *key, double *value);
zvStatus zi_map_angles(const ziReading *reading, const ziNamedMap *element, const char *key, int count, double *values);
/* One for each freedom of a joint: those that turn are angles. */
zvStatus zi_map_freedoms(const ziReading *reading, const ziNamedMap *element, const char *key, zvJointType type,
                         double *values);
/* Numbers under keys of their own. */
typedef struct ziNumberKey {
    const char *key;
    double *value;
    bool angle; /* or the rate of one */
} ziNumberKey;
zvStatus zi_map_keyed_numbers(const ziReading *reading, const ziNamedMap *element, const ziNumberKey *numbers,
                              size_t count);
zvStatus zi_map_bool(const ziReading *reading, const ziNamedMap *element, const char *key, bool *value);
zvStatus zi_map_text(const ziReading *reading, const ziNamedMap *element, const char *key, const char **value);
/* One of count words; *choice becomes its index. */
zvStatus zi_map_word(const ziReading *reading, const ziNamedMap *element, const char *key, const char *const *words,
                     size_t count, int *choice);
/* The list under a key, or NULL. */
zvStatus zi_map_list(const ziReading *reading, const ziNamedMap *element, const char *key, const zvNode **list);

/* Both fail with SCHEMA at the value of a key: with a sentence that begins with what the value is, or with `expected
 * wanted, found (what is there); remedy`, where remedy may be empty. */
zvStatus zi_map_expected(const ziReading *reading, const ziNamedMap *element, const char *key, const char *wanted,
                         const char *remedy);
zvStatus zi_map_refuse(const ziReading *reading, const ziNamedMap *element, const char *key, const char *reason);

/* Where the value of a key is; line 0 when the key is not there. */
zvSpot zi_map_spot(const ziNamedMap *element, const char *key);

/* The sections of a native file and the values they share. Each function reads one kind of thing into the builder or
 * into a description; keys that are absent leave the description as it is, so that `modify` can use them too. */

/* Keys of one freedom, and of the inertia and the elasticity of a link, for the lists of allowed keys. */
#define ZI_DOF_KEYS "limits", "armature", "rotor", "damping", "friction", "spring"
#define ZI_FLEXIBLE_KEYS "stiffness", "damping", "inertia", "ratio", "motor_damping", "cubic", "law"
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
zvStatus zi_native_modify(const ziReading *reading, const ziNamedMap *robot);
zvStatus zi_native_include(const ziReading *reading, const zvNode *node);
/* Loads the file that a node names, found beside the file being read; what names it in error texts. *path is kept by
 * the builder. */
zvStatus zi_native_load(const ziReading *reading, const zvNode *node, const char *what, const char **path,
                        ziSource *source);
/* Reads a file that another one includes. */
zvStatus zi_native_read_nested(const ziReading *reading, const char *bytes, size_t size);

/* Shapes of one link, given in a frame that is at place in the link (NULL: the link frame itself).
 * link NULL: each shape names its own. */
zvStatus zi_native_shapes(const ziReading *reading, const zvNode *list, const char *link, const zvPose *place);

/* Gear and rotor of a joint, on those it has; the rest is for the rules to say. */
zvStatus zi_native_flexible(const ziReading *reading, const ziNamedMap *element, const zvFlexibleJoint **flexible);
/* The points under `law` of a gear, and that there is no cubic beside them. */
zvStatus zi_gear_points(const ziReading *reading, const ziNamedMap *gear_map, zvFlexibleJoint *gear);

/* Values. */
/* Three numbers, or x, y, z, -x, -y or -z. */
zvStatus zi_native_axis(const ziReading *reading, const ziNamedMap *element, const char *key, double axis[3]);
zvStatus zi_native_pose(const ziReading *reading, const ziNamedMap *element, const char *key, zvPose *pose);
/* Three or six numbers under the key inertia: xx yy zz, or xx xy xz yy yz zz. */
zvStatus zi_native_moments(const ziReading *reading, const ziNamedMap *element, double J[6]);
zvStatus zi_native_inertia(const ziReading *reading, const ziNamedMap *element, zvLink *link);
/* Whether freedom k of a joint of this type is an angle. */
bool zi_native_turns(zvJointType type, int k);
/* The freedoms of a joint or loop: the keys of the element itself for all of them, then `dofs` one by one. Matrices
 * are kept in the builder. */
zvStatus zi_native_dofs(const ziReading *reading, const ziNamedMap *element, ziDofKeys keys, zvJointType type,
                        zvDof *dofs, const double **stiffness, const double **damping);
/* The path of a curve joint; *points is to be freed when the joint has been added. */
zvStatus zi_native_curve(const ziReading *reading, const ziNamedMap *element, zvCurve *curve, double **points);
/* Keys that belong to one type of joint: refuses those of other types, and needs those that have no default. */
zvStatus zi_native_refuse_strangers(const ziReading *reading, const ziNamedMap *element, zvJointType type);
zvStatus zi_native_need_specials(const ziReading *reading, const ziNamedMap *element, zvJointType type);
/* Origin, axes, pitch, freedoms, the numbers of mimic and cut: what `modify` may change. */
zvStatus zi_native_joint_numbers(const ziReading *reading, const ziNamedMap *element, zvJoint *joint);

/* Elastic links of native files: what the keys beam and modal of a link hold (zveno/beam.h). What is read lies in an
 * arena, texts too, so that it outlives the document it came from. Absent keys leave the outputs as they are. */

/* Fills link->beam or link->modal, whichever key is in the element of the link, and clears the other. */
zvStatus zi_native_elastic(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvLink *link);

/* Its parts. */
zvStatus zi_native_beam(const ziReading *reading, const ziNamedMap *link, ziArena *arena, const zvBeam **beam);
zvStatus zi_native_modal(const ziReading *reading, const ziNamedMap *link, ziArena *arena, const zvModal **modal);
/* A square matrix: n lists of n numbers, or n numbers for a diagonal one; each is what a row stands for. */
zvStatus zi_native_square(const ziReading *reading, const ziNamedMap *element, const char *key, int n, const char *each,
                          ziArena *arena, const double **matrix);
/* The map under the key damping of a beam (no key `matrix`) or of modal data; *part is that map, its node NULL when
 * there is none. */
zvStatus zi_native_damping(const ziReading *reading, const ziNamedMap *element, bool is_modal, int modes,
                           ziArena *arena, ziNamedMap *part, zvElasticDamping *damping);
/* Zeroed memory for count items, or NULL with the error set: return ZV_MEMORY then. */
void *zi_native_alloc(const ziReading *reading, const ziNamedMap *element, ziArena *arena, int count, size_t size);

/* The whole file. */

/* Adds the robot in bytes to the builder. name is in error texts and in the marks of the elements; files named by
 * `include` are looked up beside it. On failure the builder is to be destroyed.
 */
zvStatus zi_native_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);
/* The same with changes of parameters, "parameters.x=value"; others are let pass. */
zvStatus zi_native_read_changed(zvBuilder *builder, const char *name, const char *bytes, size_t size, int change_count,
                                const char *const *changes, zvError *error);
/* The same from a map of a document; the version may be left out. */
zvStatus zi_native_read_node(zvBuilder *builder, const char *name, const zvNode *node, zvError *error);

#endif
