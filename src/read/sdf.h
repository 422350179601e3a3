/* Reader of SDF. Poses are said relative to frames by name, so a file is read in two steps: models, links, joints and
 * frames become an array of named frames, each with what its pose is relative to; then poses are resolved and links and
 * joints are made (sdf_build.c). */
#ifndef ZI_READ_SDF_H
#define ZI_READ_SDF_H

#include "base/arena.h"
#include "read/text.h"
#include "read/urdf.h"

typedef enum ziSdfKind { ZI_SDF_WORLD, ZI_SDF_MODEL, ZI_SDF_LINK, ZI_SDF_JOINT, ZI_SDF_FRAME } ziSdfKind;

typedef struct ziSdfFrame {
    ziSdfKind kind;
    const char *name;  /* with the names of nested models before it: "arm::hand" */
    const char *scope; /* "arm::" of what stands in model arm; "" in the outermost model */
    const ziXmlElement *element;
    const char *relative; /* as written, or NULL: see usual */
    int model;            /* the frame of the model it stands in; 0: none */
    int usual;            /* the frame that the pose is relative to where none is written */
    zvPose raw, world;    /* as written; where all joints are at zero */
    int state;            /* 0: not resolved yet, 1: being resolved, 2: world, base and level are known */
    int base, level;      /* the frame that raw is in, and how many there are down to the world */
    int first;            /* of models: the link they stand for, -1: not looked for yet */
    bool fixed;           /* of links: of a static model */
    bool old_axes;        /* its file is of a version up to 1.4, where axes are those of the model */
    const char *placed;   /* of models: the frame in it that the pose is of, or NULL */
} ziSdfFrame;

/* A file that is included. */
typedef struct ziSdfFile {
    ziXml *xml;
    ziSource source;
} ziSdfFile;

typedef struct ziSdf {
    ziUrdf u; /* builder, error, what remarks are about */
    ziArena arena;
    ziNames names, told;
    ziSdfFrame *frames;
    size_t count, room;
    int models;    /* outermost ones */
    bool old_axes; /* of the file that is being read */
    ziSdfFile *files;
    size_t nfile, file_room;
} ziSdf;

/* Numbers in the text of an element: least to most of them. */
zvStatus zi_sdf_numbers(const ziSdf *s, const ziXmlElement *element, int least, int most, double *values, int *count);
/* The number in a child; *value stays where there is none. */
zvStatus zi_sdf_number(const ziSdf *s, const ziXmlElement *parent, const char *child, double *value);
/* The text of a child without blanks around it, in the arena; NULL: there is none. */
const char *zi_sdf_text(ziSdf *s, const ziXmlElement *parent, const char *child);
const char *zi_sdf_own_text(ziSdf *s, const ziXmlElement *element);
/* The child <pose> of an element: numbers, and what it is relative to (NULL: not written). */
zvStatus zi_sdf_pose(ziSdf *s, const ziXmlElement *parent, zvPose *pose, const char **relative);
/* What is left out and changes the motion, once under a key. */
zvStatus zi_sdf_lost(ziSdf *s, const ziXmlElement *element, const char *key, const char *why, const char *repair);

/* The frame of a name as seen from another frame; refused with the nearest name where there is none. */
zvStatus zi_sdf_find(ziSdf *s, const ziXmlElement *element, int from, const char *name, int *frame);
/* Its pose in the world. */
zvStatus zi_sdf_resolve(ziSdf *s, int frame);
/* The link that a frame moves with; 0: the world. */
zvStatus zi_sdf_link_of(ziSdf *s, int frame, int *link);
/* Pose of one resolved frame in another. */
zvPose zi_sdf_between(const ziSdf *s, int outer, int inner);
/* Pose of an element of a link (inertial, visual, collision) in the link. */
zvStatus zi_sdf_pose_in(ziSdf *s, const ziXmlElement *element, int link, zvPose *pose);

/* Models whose pose is that of a frame in them: once all frames are collected. */
zvStatus zi_sdf_place_models(ziSdf *s);

/* The model that <include> means (sdf_include.c); NULL: it is left out, and told. */
zvStatus zi_sdf_included(ziSdf *s, const ziXmlElement *include, const ziXmlElement **model, bool *old_axes);
bool zi_sdf_has_old_axes(const ziXmlElement *root);
void zi_sdf_free_files(ziSdf *s);

zvStatus zi_sdf_add_link(ziSdf *s, int frame);                    /* sdf_link.c: inertia and shapes */
zvStatus zi_sdf_add_joint(ziSdf *s, int frame, bool *has_parent); /* sdf_joint.c; has_parent: of links, by frame */
zvStatus zi_sdf_build(ziSdf *s);                                  /* sdf_build.c: everything, once it is collected */

/* Words that the format does not have where they stand; after the robot has been read. */
zvStatus zi_sdf_remarks(ziSdf *s);

/* Adds the robot in size bytes of SDF. */
zvStatus zi_sdf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error);
/* Whether the root element of the text is <sdf>, or <gazebo> as it was once called. */
bool zi_sdf_is(const char *bytes, size_t size);

#endif
