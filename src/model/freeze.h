/* The steps of freezing: copy the description in model order, number the coordinates, merge links into bodies, and
 * give elastic ones their modes and the sections that carry what hangs on them. */
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
    zvModel *model;
} zvPlan;

/* Each returns false when out of memory. They run in this order. */
bool zv_freeze_description(zvPlan *plan);
bool zv_freeze_coordinates(zvPlan *plan);
bool zv_freeze_bodies(zvPlan *plan);
bool zv_freeze_modes(zvPlan *plan);
bool zv_freeze_stations(zvPlan *plan);

/* Bounds of what the last two take: for a link, and for one thing that sits on it. */
size_t zv_modes_bytes(const zvLink *link);
size_t zv_station_bytes(const zvLink *link);

#endif
