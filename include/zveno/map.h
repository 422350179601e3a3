/* Application. Maps: what many poses of a robot have for natural frequencies, damping, stiffness, manipulability,
 * forces that hold the weight, and where a frame is; on all processors. Needs LAPACK for frequencies and stiffness. */
#ifndef ZVENO_MAP_H
#define ZVENO_MAP_H

#include <stddef.h>

#include "zveno/modes.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum zvMapKind {
    ZV_MAP_FREQUENCY,      /* of mode `index`, counted from 0 and without rigid motions: undamped, Hz */
    ZV_MAP_DAMPING,        /* of the same, ratio */
    ZV_MAP_STIFFNESS,      /* of the frame: force over displacement in its softest direction, N/m */
    ZV_MAP_MANIPULABILITY, /* of the frame by the joints: root of det(J J^T), of det(J^T J) with fewer than 6 of them */
    ZV_MAP_MANIPULABILITY_XYZ, /* the same of the rows of its velocity, without turning */
    ZV_MAP_GRAVITY,            /* force that holds the weight in degree of freedom `index`; -1: largest of all joints */
    ZV_MAP_PLACE               /* coordinate `index` of the frame's origin, m */
} zvMapKind;

typedef struct zvMapValue {
    zvMapKind kind;
    int index;
} zvMapValue;

typedef struct zvMapOptions {
    /* What is held, springs, loads (zvRest; q and v are those of the poses). NULL: nothing. */
    const zvRest *rest;
    int frame;        /* -1: none; the values that need one are NAN then */
    bool equilibrium; /* about the equilibrium near each pose, from which the held degrees of freedom do not move */
    int threads;      /* 0: as many as there are processors */
    /* Called by one thread now and then with the poses done; false: stop. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t count);
    void *context;
} zvMapOptions;

/* Values (count x value_count) at poses q (count x nq), with velocities v (count x nv) of a steady motion, or NULL.
 * status (count) or NULL: of each pose; where it is negative its values are NAN. ZV_DEGRADED: some poses have none,
 * error says why; ZV_INTERRUPTED: progress said stop. Every pose is answered as if it stood alone, whatever the number
 * of threads. */
zvStatus zv_map(const zvModel *model, const zvMapOptions *options, size_t count, const double *q, const double *v,
                int value_count, const zvMapValue *values, double *answer, zvStatus *status, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
