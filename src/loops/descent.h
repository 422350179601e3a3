/* Closing from far: least squares of the scaled gaps, (w gap)^2 / 2, by Powell's dogleg. Newton's step (the closed
 * sweep) and the steepest descent, both in the metric of the robot with much armature added, so that no part of it is
 * too light; no coordinate moves by more than the trust radius in a step. Ends at a closed position, or at one where
 * the gaps are least nearby. O(n) per step. */
#ifndef ZI_LOOPS_DESCENT_H
#define ZI_LOOPS_DESCENT_H

#include "loops/gaps.h"
#include "loops/sweep.h"

typedef struct ziDescent {
    const zvModel *model;
    zvWork work;       /* scratch memory behind the arrays below */
    zvClosing closing; /* targets at rest */
    ziAugment structure;
    const unsigned char *given;     /* nv: what must not move is ZV_GIVEN_LOCKED */
    double *weight;                 /* rows: 1 / size of the robot for lengths */
    unsigned char *length;          /* rows: 1 where the gap is one */
    double *unit;                   /* nv: a radian, or the size of the robot */
    double *extra;                  /* nv */
    double *gap, *push;             /* rows */
    double *along_c, *along_n;      /* rows: what the gaps do along the steps */
    double *cauchy, *newton, *step; /* nv */
    double *next;                   /* nq */
    double radius;
    double closed; /* residuals up to this are, so far from the origin */
} ziDescent;

/* Takes its arrays from the work's scratch memory; q is any position. */
ziDescent zi_descent_open(const zvModel *model, const zvWork *work, const zvClosing *closing, const double *q);
/* Moves q; *steps is how many may still be made. Returns the merit reached. */
double zi_descend(ziDescent *descent, double *q, double enough, int *steps);
/* The sum of squares at q, / 2; d->gap receives the gaps. */
double zi_descent_merit(ziDescent *descent, const double *q);

#endif
