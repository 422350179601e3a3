/* Routes as the files of this folder see them: turns of one progress (route.c), or laws for each (route_laws.c). */
#ifndef ZI_MOTION_ROUTE_H
#define ZI_MOTION_ROUTE_H

#include "zveno/motion.h"

#include <stdbool.h>

/* How an orientation follows its law. */
typedef enum ziTurning { ZI_TURNING_VECTOR, ZI_TURNING_ANGLES, ZI_TURNING_SLERP } ziTurning;

/* From one orientation to the next about a fixed axis (outer axes). */
typedef struct ziRouteTurn {
    double R[9], axis[3], angle;
} ziRouteTurn;

struct zvRoute {
    bool by_laws; /* then the last members count, else those up to turns */

    zvLaw *progress;
    zvPose from;
    double pivot[3], arm[3], shift[3];
    double axis[3], angle;
    bool turns; /* whether the orientation follows */

    ziTurning turning;
    zvLaw *position, *orientation; /* NULL: not led */
    int axes[3];                   /* 0, 1, 2: x, y, z */
    int turns_count;
    ziRouteTurn *turn_list;
};

void zi_route_by_laws(const zvRoute *route, double t, zvPose *pose, double *velocity, double *acceleration);

/* Rotations as row-major matrices. */
void zi_turn_product(const double A[9], const double B[9], double AB[9]);
/* Unit axis and angle of R1 R0^T, by the shortest way. */
void zi_turn_between(const double R0[9], const double R1[9], double axis[3], double *angle);
/* The turn about a unit axis. */
void zi_turn_matrix(const double axis[3], double angle, double R[9]);

#endif
