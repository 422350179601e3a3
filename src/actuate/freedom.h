/* Degrees of freedom as elements see them: name, units, and the coordinate whose rate they are. */
#ifndef ZV_ACTUATE_FREEDOM_H
#define ZV_ACTUATE_FREEDOM_H

#include "base/arena.h"
#include "zveno/model.h"

typedef struct zvFreedom {
    const char *label; /* "elbow", "wrist.angle2" */
    int coordinate;    /* entry of q with q' = v; -1 for spherical and free joints */
    bool elastic;      /* of a link, not of a joint */
    const char *position_unit, *rate_unit, *force_unit, *integral_unit;
} zvFreedom;

/* (nv) descriptions laid into the arena; NULL when out of memory. */
zvFreedom *zv_freedoms(const zvModel *model, zvArena *arena);

#endif
