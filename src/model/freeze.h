/* The steps of freezing: copy the description in model order, number the coordinates, merge links into bodies, give
 * elastic ones their modes and the sections that carry what hangs on them, and tie closed loops. */
#ifndef ZV_MODEL_FREEZE_H
#define ZV_MODEL_FREEZE_H

#include "model/order.h"
#include "model/tree.h"

typedef struct zvPlan {
    const zvBuilder *builder;
    zvOrder order;
    zvLink world; /* ground link and joint of a free base */
    zvJoint root_joint;
    char world_name[32], joint_name[32];
    const char *file_seen, *file_copy; /* marks of one file share one copy of its name */
    bool crowded;                      /* too many loops go through the same bodies: no lack of memory */
    zvModel *model;
} zvPlan;

/* Each returns false when out of memory, the last also when it is too much. They run in this order. */
bool zv_freeze_description(zvPlan *plan);
bool zv_freeze_coordinates(zvPlan *plan);
bool zv_freeze_bodies(zvPlan *plan);
bool zv_freeze_modes(zvPlan *plan);
bool zv_freeze_lean(zvPlan *plan);
bool zv_freeze_stations(zvPlan *plan);
bool zv_freeze_ties(zvPlan *plan);
bool zv_freeze_fronts(zvPlan *plan);

/* Parts of the first: loops and their frames behind the others', and names to find all by. */
void zv_count_loops(zvPlan *plan);
bool zv_freeze_loops(zvPlan *plan);
bool zv_freeze_names(zvPlan *plan);
/* Replaces a text, the file of a mark, the points of a curve by copies in the model. */
bool zv_freeze_text(zvPlan *plan, const char **text);
bool zv_freeze_mark(zvPlan *plan, zvMark *mark);
bool zv_freeze_points(zvPlan *plan, zvCurve *curve);
/* Part of bodies and ties: what a joint other than revolute, prismatic and fixed has to know, its axis turned to z by
 * Q. NULL when out of memory. */
const zvJointData *zv_freeze_joint(zvPlan *plan, const zvJoint *joint, const double Q[9]);
/* Part of fronts: the ground's system, of the ties in `on_ground` (count); clique c, of bodies that hang on the ground,
 * couples the ties list[start[c]] ... list[start[c + 1] - 1]. */
typedef struct zvCliques {
    int cliques, count;
    const size_t *start;
    const int *list, *on_ground;
} zvCliques;
bool zv_freeze_skyline(zvPlan *plan, const zvCliques *cliques, zvSkyline *skyline);

/* Bounds of what steps take: modes of a link, one thing that sits on it, loops of all kinds. */
size_t zv_modes_bytes(const zvLink *link);
size_t zv_station_bytes(const zvLink *link);
size_t zv_loops_bytes(const zvBuilder *builder, const zvOrder *order);

#endif
