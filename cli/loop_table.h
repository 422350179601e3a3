/* Loops of a robot and the forces in them, for people and for programs. */
#ifndef ZVENO_CLI_LOOP_TABLE_H
#define ZVENO_CLI_LOOP_TABLE_H

#include "json.h"
#include "zveno/loops.h"

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

#endif
