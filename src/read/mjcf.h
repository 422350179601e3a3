/* Reader of MJCF: what its files hold, and the parts that read them.
 *
 * A file is read in two steps. Sections become the arrays of ziMjcf: bodies, joints, geoms, sites, tendons, equalities
 * and actuators, with default classes applied, angles in radians and poses composed. Then the arrays become links,
 * joints, loops, frames and shapes of a builder (mjcf_build.c), or drives of a scenario (mjcf_scenario.c). */
#ifndef ZI_READ_MJCF_H
#define ZI_READ_MJCF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/names.h"
#include "read/text.h"
#include "read/xml.h"
#include "zveno/builder.h"

/* An element with what its default class says of elements of its kind. */
typedef struct ziMjcfItem {
    const ziXmlElement *element;
    const char *kind; /* the word under which defaults have it: "joint", "geom", "mesh", ... */
    int class;        /* index in classes */
} ziMjcfItem;

/* One element of a default class. */
typedef struct ziMjcfDefault {
    const ziXmlElement *element;
    int next; /* the one before it in the same class, or -1 */
} ziMjcfDefault;

typedef struct ziMjcfClass {
    const char *name;
    int parent; /* -1: the class of all */
    int last;   /* the last of its elements in defaults, or -1 */
} ziMjcfClass;

typedef struct ziMjcfBody {
    const char *name; /* NULL: none written */
    const char *link; /* its name in the builder */
    const ziXmlElement *element, *inertial;
    int parent;
    zvPose pose, world; /* in the parent; in the world, where all joints are as written */
    zvInertia inertia;
    bool has_inertia, free;
    int first_joint, njoint;
    double gravcomp;
} ziMjcfBody;

typedef enum ziMjcfJointType { ZI_MJCF_FREE, ZI_MJCF_BALL, ZI_MJCF_SLIDE, ZI_MJCF_HINGE } ziMjcfJointType;

typedef struct ziMjcfJoint {
    const char *name, *joint; /* as written; in the builder */
    const ziXmlElement *element;
    ziMjcfJointType type;
    int body;
    double pos[3], axis[3], ref;
    double springdamper[2]; /* time constant, damping ratio; 0: as dof says */
    zvDof dof;
    int q;                        /* of its first coordinate in qpos */
    int follows;                  /* index of the joint that it follows, or -1 */
    const ziXmlElement *equality; /* because of it */
    double ratio, offset;         /* q = ratio q_follows + offset */
} ziMjcfJoint;

typedef enum ziMjcfGeomType {
    ZI_MJCF_PLANE,
    ZI_MJCF_HFIELD,
    ZI_MJCF_SPHERE,
    ZI_MJCF_CAPSULE,
    ZI_MJCF_ELLIPSOID,
    ZI_MJCF_CYLINDER,
    ZI_MJCF_BOX,
    ZI_MJCF_MESH,
    ZI_MJCF_SDF
} ziMjcfGeomType;

typedef struct ziMjcfGeom {
    const char *name;
    const ziXmlElement *element;
    ziMjcfGeomType type;
    int body, mesh, group; /* mesh: index, or -1 */
    zvPose pose;           /* in the body */
    double size[3];
    double mass, density, fitscale; /* mass NaN: by the density; fitscale: of a primitive with a mesh */
    bool shell, has_color, collides;
    double color[4];
} ziMjcfGeom;

/* How the inertia of a mesh is reckoned. */
typedef enum ziMjcfMeshInertia { ZI_MJCF_CONVEX, ZI_MJCF_EXACT, ZI_MJCF_LEGACY, ZI_MJCF_SHELL } ziMjcfMeshInertia;

typedef struct ziMjcfMesh {
    const char *name;
    ziMjcfItem item;
    const char *file;                       /* as drawn: with its folder; NULL: vertices in place */
    double scale[3], refpos[3], refquat[4]; /* quaternion x y z w */
    ziMjcfMeshInertia method;
    bool measured;
    zvInertia unit; /* of density 1, in the axes of the file */
} ziMjcfMesh;

typedef struct ziMjcfSite {
    const char *name, *frame; /* as written; in the builder */
    const ziXmlElement *element;
    int body;
    zvPose pose;
} ziMjcfSite;

typedef struct ziMjcfTerm {
    int joint;
    double ratio;
} ziMjcfTerm;

/* A fixed tendon: length = sum of ratio q. */
typedef struct ziMjcfTendon {
    const char *name;
    const ziXmlElement *element;
    int first_term, nterm;
    double stiffness, damping, rest; /* of one with several joints, for a scenario */
} ziMjcfTendon;

typedef struct ziMjcfColor {
    double rgba[4];
} ziMjcfColor;

/* A file that was read; its bytes stay while places in it are asked for. */
typedef struct ziMjcfFile {
    ziXml *xml;
    ziSource source;
    const char *path;
} ziMjcfFile;

/* One reading of one file and of those that it includes. */
typedef struct ziMjcf {
    zvBuilder *builder;
    zvError *error;
    const char *name; /* of the main file */
    const ziXmlElement *root;
    ziArena arena; /* texts and term lists */
    ziMjcfFile *files;
    ziMjcfClass *classes;
    ziMjcfDefault *defaults;
    ziMjcfBody *bodies;
    ziMjcfJoint *joints;
    ziMjcfGeom *geoms;
    ziMjcfMesh *meshes;
    ziMjcfSite *sites;
    ziMjcfTendon *tendons;
    ziMjcfTerm *terms;
    ziMjcfColor *colors;
    size_t nfile, nclass, ndefault, nbody, njoint, ngeom, nmesh, nsite, ntendon, nterm, ncolor;
    size_t file_room, class_room, default_room, body_room, joint_room, geom_room, mesh_room, site_room, tendon_room,
        term_room, color_room;
    ziNames class_names, body_names, joint_names, mesh_names, site_names, tendon_names, color_names;
    ziNames taken_links, taken_joints; /* names in the builder */
    ziNames told;                      /* remarks that are made once */
    /* compiler and option */
    bool degrees, autolimits, balance;
    char eulerseq[4];
    int infer; /* inertia of geoms: 0 never, 1 always, 2 where no <inertial> is */
    int groups[2];
    double boundmass, boundinertia, totalmass;
    const char *meshdir;
    bool strippath, springs, dampers, equalities, limits, friction;
    bool actuation, clamps;
    unsigned groups_off; /* of actuators, a bit each */
    int nq;              /* of qpos */
    int grown;           /* elements of bodies so far, copies included */
} ziMjcf;

/* Values of elements (mjcf_value.c). */

/* The attribute of the element itself, else of its default classes from the inside out, or NULL. */
const ziXmlAttribute *zi_mjcf_find(const ziMjcf *m, ziMjcfItem item, const char *attribute);
/* Element i of the class itself in the order of defaults: the newest first; *next is to begin as classes[class].last.
 */
zvStatus zi_mjcf_numbers(const ziMjcf *m, ziMjcfItem item, const char *attribute, int least, int most, double *values,
                         int *count);
/* One finite number; what is not written stays as it is. */
zvStatus zi_mjcf_number(const ziMjcf *m, ziMjcfItem item, const char *attribute, double *value);
/* The place of a word among `count` words; what is not written stays as it is. */
zvStatus zi_mjcf_word(const ziMjcf *m, ziMjcfItem item, const char *attribute, const char *const *words, int count,
                      int *value);
zvStatus zi_mjcf_flag(const ziMjcf *m, ziMjcfItem item, const char *attribute, bool *value);
/* The text of an attribute, or NULL. */
const char *zi_mjcf_text(const ziMjcf *m, ziMjcfItem item, const char *attribute);
/* pos and the orientation in any of its forms. */
zvStatus zi_mjcf_pose(const ziMjcf *m, ziMjcfItem item, zvPose *pose);
zvStatus zi_mjcf_orientation(const ziMjcf *m, ziMjcfItem item, double R[9]);
/* Three turns, in the order and about the axes of the compiler. */
void zi_mjcf_euler(const ziMjcf *m, const double angles[3], double R[9]);
/* The rotation that takes z to a direction by the least angle. */
void zi_mjcf_from_z(const double z[3], double R[9]);
/* Of a quaternion w x y z, as MJCF has it, of any length but zero. */
void zi_mjcf_rotation(const double wxyz[4], double R[9]);
double zi_mjcf_angle(const ziMjcf *m, double written);
/* Numbers of one attribute of an element without classes. */
zvStatus zi_mjcf_own_numbers(const ziMjcf *m, const ziXmlElement *element, const ziXmlAttribute *attribute, int least,
                             int most, double *values, int *count);

zvStatus zi_mjcf_memory(const ziMjcf *m, const ziXmlElement *element);
/* Fails at an attribute, or at the element where it is NULL. */
zvStatus zi_mjcf_fail(const ziMjcf *m, zvStatus status, const ziXmlElement *element, const char *attribute,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A warning, or a note, at an element; `once` is a key under which it is told once, NULL: always. */
zvStatus zi_mjcf_tell(ziMjcf *m, zvSeverity severity, const ziXmlElement *element, const char *once, const char *rule,
                      const char *why, const char *repair);
zvMark zi_mjcf_mark(const ziXmlElement *element);

/* Files (mjcf_file.c): the main one, what it includes, and names of others. */
zvStatus zi_mjcf_load(ziMjcf *m, const char *name, const char *bytes, size_t size);
void zi_mjcf_free(ziMjcf *m);
/* A path beside the main file, in the arena; NULL without memory. */
const char *zi_mjcf_beside(ziMjcf *m, const char *folder, const char *file);

/* Sections. */
zvStatus zi_mjcf_settings(ziMjcf *m); /* mjcf_settings.c: compiler, option, default classes */
zvStatus zi_mjcf_assets(ziMjcf *m);   /* mjcf_asset.c: meshes, colours of materials */
zvStatus zi_mjcf_bodies(ziMjcf *m);   /* mjcf_body.c: bodies, joints, frames, replicates, sites */
zvStatus zi_mjcf_joint(ziMjcf *m, ziMjcfItem item, const zvPose *frame, int body);
zvStatus zi_mjcf_geom(ziMjcf *m, ziMjcfItem item, const zvPose *frame, int body); /* mjcf_geom.c */
zvStatus zi_mjcf_inertias(ziMjcf *m);                                             /* mjcf_inertia.c: of all bodies */
zvStatus zi_mjcf_tendons(ziMjcf *m);    /* mjcf_tendon.c: fixed tendons, those of one joint as its springs */
zvStatus zi_mjcf_rotors(ziMjcf *m);     /* mjcf_actuator.c: what actuators add to joints */
zvStatus zi_mjcf_followers(ziMjcf *m);  /* mjcf_equality.c: joints that follow others */
zvStatus zi_mjcf_equalities(ziMjcf *m); /* loops, once links and joints have their names */
/* Body or site by name; an error names the nearest. */
zvStatus zi_mjcf_lookup(const ziMjcf *m, const ziXmlElement *element, const char *attribute, const ziNames *names,
                        const char *what, int *index);
zvStatus zi_mjcf_remarks(ziMjcf *m); /* mjcf_remark.c: what is not modelled, what is misspelt */
zvStatus zi_mjcf_build(ziMjcf *m);   /* mjcf_build.c: links, joints, frames, shapes */

/* Class of an element whose enclosing bodies and frames give it `class`. */
zvStatus zi_mjcf_class(const ziMjcf *m, const ziXmlElement *element, const char *attribute, int outer, int *class);
/* Mass, centre and moments of a mesh of density 1 (of the surface: of unit mass per area). ZV_IO without an error text:
 * its file cannot be opened, or the format makes it by itself. */
zvStatus zi_mjcf_measure(ziMjcf *m, int mesh);
/* Where the frame of a mesh file stands in the frame of its geom. */
zvPose zi_mjcf_mesh_pose(const ziMjcfMesh *mesh);
/* The body that a body is rigidly joined to and that has a joint; 0: the ground. */
int zi_mjcf_moving(const ziMjcf *m, int body);
/* A name in the builder that nothing has yet: the wanted one, or with a number behind; kept by the builder. */
const char *zi_mjcf_name(ziMjcf *m, ziNames *taken, const char *wanted);
const char *zi_mjcf_print(ziMjcf *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Everything up to the build: what the reader and the scenario need. */
zvStatus zi_mjcf_parse(ziMjcf *m, zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);
/* Adds the robot in size bytes of MJCF; files that it names are looked up beside `name`. */
zvStatus zi_mjcf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);
/* Whether the root element of the text is <mujoco>. */
bool zi_mjcf_is(const char *bytes, size_t size);

#endif
