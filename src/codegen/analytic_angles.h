/* What the sines and cosines of a program are taken of: constant + sum of factor times position.
 *
 * The angles of the normal form are unit x position, with units such that all factors are whole multiples of them:
 * 1 for a joint's own angle, 1/2 where another joint follows it half way, 1/radius on a circle. Factors without a
 * common measure (of at most 16 multiples) are angles of their own. */
#ifndef ZI_CODEGEN_ANALYTIC_ANGLES_H
#define ZI_CODEGEN_ANALYTIC_ANGLES_H

#include <stdbool.h>

#include "real/tape.h"
#include "zveno/status.h"

typedef struct ziAngle {
    int q; /* position it belongs to */
    double unit;
} ziAngle;

typedef struct ziAngles {
    int nq;
    int count;
    ziAngle *angle;
    int *row;     /* nodes of the tape: row of form, or -1 for nodes that no sine needs */
    double *form; /* rows of 1 + nq: constant and factors */
} ziAngles;

/* wanted: nodes of the tape that matter. ZV_NOT_SUPPORTED when a sine is taken of something else than angles.
 * zi_angles_free in either case. */
zvStatus zi_angles_find(const ziTape *tape, const bool *wanted, int nq, ziAngles *angles);
void zi_angles_free(ziAngles *angles);

/* The argument of a sine or cosine node: returns the constant, and the multiple of each angle. */
double zi_angles_argument(const ziAngles *angles, const ziTape *tape, int node, int *multiple);

#endif
