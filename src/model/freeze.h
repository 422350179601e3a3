/* The steps of freezing: copy the description in model order, number the coordinates, merge links into bodies, give
 * elastic ones their modes and the sections that carry what hangs on them, and turn closed loops into constraints. */
#ifndef ZI_MODEL_FREEZE_H
#define ZI_MODEL_FREEZE_H

#include "model/order.h"
#include "model/tree.h"

typedef struct ziFreezePlan {
    const zvBuilder *builder;
    ziOrder order;
    zvLink world; /* ground link and joint of a free base */
    zvJoint root_joint;
    char world_name[32], joint_name[32];
    const char *file_seen, *file_copy; /* marks of one file share one copy of its name */
    bool too_dense;                    /* too many loops go through the same bodies: no lack of memory */
    zvModel *model;
} ziFreezePlan;

/* Each returns false when out of memory, the last also when it is too much. They run in this order. */
bool zi_freeze_description(ziFreezePlan *plan);
bool zi_freeze_coordinates(ziFreezePlan *plan);
bool zi_freeze_bodies(ziFreezePlan *plan);
bool zi_freeze_modes(ziFreezePlan *plan);
bool zi_freeze_reduced(ziFreezePlan *plan);
bool zi_freeze_attachments(ziFreezePlan *plan);
bool zi_freeze_constraints(ziFreezePlan *plan);
bool zi_freeze_fronts(ziFreezePlan *plan);

/* Parts of the first: loops and their frames behind the others', and names to find all by. */
void zi_count_loops(ziFreezePlan *plan);
bool zi_freeze_loops(ziFreezePlan *plan);
bool zi_freeze_names(ziFreezePlan *plan);
/* Replaces a text, the file of a mark, the points of a curve by copies in the model. */
bool zi_freeze_text(ziFreezePlan *plan, const char **text);
bool zi_freeze_mark(ziFreezePlan *plan, zvMark *mark);
bool zi_freeze_points(ziFreezePlan *plan, zvCurve *curve);
/* Part of bodies: mass, first moment (3) and moments of inertia (xx xy xz yy yz zz) about the body's origin of a link
 * that sits in the body at a pose. */
void zi_inertia_placed(const zvPose *pose, const zvInertia *inertia, double part[10]);
/* Part of bodies and constraints: type and sizes of a body's joint, and what it has to know beyond them (second axis,
 * pitch, path), its axis turned to z by Q. False when out of memory. */
bool zi_freeze_joint(ziFreezePlan *plan, const zvJoint *joint, const double Q[9], ziBody *body);
/* Part of constraints: what armature adds to the mass of a body; turning, it is felt at the distance of the robot's
 * size. */
double zi_armature_as_mass(const ziTree *t, const ziBody *b, double size);
/* Part of fronts: the ground's system, of the constraints in `on_ground` (count); clique c, of bodies that hang on the
 * ground, couples the constraints list[start[c]] ... list[start[c + 1] - 1]. */
typedef struct ziCliques {
    int cliques, count;
    const size_t *start;
    const int *list, *on_ground;
} ziCliques;
bool zi_freeze_skyline(ziFreezePlan *plan, const ziCliques *cliques, ziSkyline *skyline);

/* Bounds of what steps take: modes of a link, one thing that sits on it, loops of all kinds. */
size_t zi_modes_bytes(const zvLink *link);
size_t zi_attachment_bytes(const zvLink *link);
size_t zi_loops_bytes(const zvBuilder *builder, const ziOrder *order);

#endif
