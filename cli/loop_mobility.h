/* A look at the loops of a robot: where they close, and what they leave free there. */
#ifndef ZVENO_CLI_LOOP_MOBILITY_H
#define ZVENO_CLI_LOOP_MOBILITY_H

#include "zveno/loops.h"

typedef enum Place {
    PLACE_NEUTRAL,   /* they are closed at the neutral position */
    PLACE_ASSEMBLED, /* they close near it */
    PLACE_OPEN       /* they were not found to close; the neutral position was looked at */
} Place;

typedef struct LoopMobility {
    bool known; /* false: too large for the dense matrices of ranks, or no memory */
    Place place;
    double gap; /* at the neutral position */
    zvLoopMobility mobility;
    bool singular; /* that place is a singular one: nearby there are fewer freedoms */
    zvLoopMobility nearby;
    zvError error; /* of an assembly that failed */
} LoopMobility;

LoopMobility loop_mobility(const zvModel *model);
/* The same at q itself, which is left alone; nothing is looked for nearby when it is open. */
LoopMobility loop_mobility_at(const zvModel *model, const double *q);

#endif
