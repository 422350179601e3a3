/* The scenario of an MJCF file as text. */
#ifndef ZI_READ_MJCF_SCENARIO_H
#define ZI_READ_MJCF_SCENARIO_H

#include "zveno/read.h"

/* The inverse of the mass matrix (count x count) by joint (of its first freedom), joints that follow being free: q has
 * 7 numbers for each of `count` joints, of which those count that the joint has. Dynamics is above readers. */
typedef zvStatus ziMassInverse(zvBuilder *builder, int count, const char *const *joints, const double *q,
                               double *inverse, zvError *error);

/* zv_scenario_of_mjcf (simulate.h), with what it needs to know of dynamics. */
zvStatus zi_mjcf_scenario(const char *path, const char *model, const char *key, ziMassInverse *inverse, zvTextSink sink,
                          void *context, zvLossSink lost, void *lost_context, zvError *error);

#endif
