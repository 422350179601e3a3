/* A look at the loops of a robot: where they close, and what they leave free there. */
#ifndef ZVENO_CLI_LOOPS_H
#define ZVENO_CLI_LOOPS_H

#include "json.h"
#include "zveno/loops.h"
#include "zveno/model.h"

typedef enum LoopPlace {
    PLACE_NEUTRAL,   /* they are closed at the neutral position */
    PLACE_ASSEMBLED, /* they close near it */
    PLACE_OPEN       /* they were not found to close; the neutral position was looked at */
} LoopPlace;

typedef struct LoopMobility {
    bool known; /* false: too large for the dense matrices of ranks, or no memory */
    LoopPlace place;
    double gap; /* at the neutral position */
    zvLoopMobility mobility;
    bool singular; /* that place is a singular one: nearby there are fewer freedoms */
    zvLoopMobility nearby;
    zvError error; /* of an assembly that failed */
} LoopMobility;

LoopMobility loop_mobility(const zvModel *model);
/* The same at q itself, which is left alone; nothing is looked for nearby when it is open. */
LoopMobility loop_mobility_at(const zvModel *model, const double *q);

/* Loops of a robot and the forces in them, for people and for programs. */

/* "revolute", "rod", "coupling" */
const char *loop_word(const zvLoop *loop);

/* lambda (rows) and wrenches (nloop x 6): keys lambda and loops; nothing when there are no loops. */
void loop_forces_json(const zvModel *model, const double *lambda, const double *wrenches, Json *json);
/* A table of the wrenches under a heading, and lines of couplings. */
void loop_forces_table(const zvModel *model, const double *wrenches, Text *out);

/* NULL: not known. */
void mobility_json(const char *key, const zvLoopMobility *mobility, Json *json);
/* "2 degrees of freedom: 4 in the joints, less 5 conditions of rank 2 (3 redundant)" */
void mobility_line(const zvModel *model, const zvLoopMobility *mobility, Text *out);

/* What "zveno info" tells of loops. */

/* Keys loops, loop_matrix, mobility; nothing when there are no loops. */
void info_loops_json(const zvModel *model, Json *json);
void info_loops_table(const zvModel *model, Text *out);

#endif
