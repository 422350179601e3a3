/* Degrees of freedom as elements see them: name, units, and the coordinate whose rate they are. */
#ifndef ZI_ACTUATE_FREEDOM_H
#define ZI_ACTUATE_FREEDOM_H

#include "base/arena.h"
#include "zveno/model.h"

typedef struct ziFreedom {
    const char *label; /* "elbow", "wrist.angle2" */
    int coordinate;    /* entry of q with q' = v; -1 for spherical and free joints */
    bool elastic;      /* of a link, not of a joint */
    const char *position_unit, *rate_unit, *force_unit, *integral_unit;
} ziFreedom;

/* (nv) descriptions laid into the arena; NULL when out of memory. */
ziFreedom *zi_freedoms(const zvModel *model, ziArena *arena);

#endif
