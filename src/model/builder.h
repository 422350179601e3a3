/* The inside of a builder. */
#ifndef ZI_MODEL_BUILDER_H
#define ZI_MODEL_BUILDER_H

#include "base/arena.h"
#include "base/names.h"
#include "zveno/builder.h"

/* Where a package of ROS is. */
typedef struct ziPackage {
    const char *name, *folder;
} ziPackage;

/* Where the value of a key of a joint's gear stands, in the order in which they were read. */
typedef struct ziKeyMark {
    const char *joint, *key;
    zvMark mark;
    const struct ziKeyMark *before;
} ziKeyMark;

struct zvBuilder {
    ziArena texts;
    const char *name;
    zvMark mark, gravity_mark; /* where the robot and its gravity stand in a file */
    double gravity[3];
    bool free_base;
    bool mimic_coupled;
    bool cuts; /* links may have several joints above them */
    zvLink *links;
    zvJoint *joints;
    zvFrame *frames;
    zvShape *shapes;
    zvLoop *loops;
    zvRemark *remarks;
    ziPackage *packages;
    const ziKeyMark *key_marks; /* the last one */
    size_t nlink, njoint, nframe, nshape, nloop, nremark, npackage, packages_capacity;
    size_t links_capacity, joints_capacity, frames_capacity, shapes_capacity, loops_capacity, remarks_capacity;
    ziNames link_names, joint_names, frame_names, loop_names;
};

/* Notes where the value of a key stands; key is static text. */
zvStatus zi_builder_mark_key(zvBuilder *builder, const char *joint, const char *key, zvMark mark, zvError *error);
/* Where it was read last; otherwise: it was not. */
zvMark zi_builder_key_mark(const zvBuilder *builder, const char *joint, const char *key, zvMark otherwise);

/* Says where the robot stands in a file, and its gravity (NULL: nowhere of its own). */
zvStatus zi_builder_mark(zvBuilder *builder, zvMark robot, const zvMark *gravity, zvError *error);

#endif
