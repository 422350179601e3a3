/* Closed loops inside: their ends, gaps, the closed sweep, and descent to a closed position. */
#ifndef ZI_LOOPS_CLOSED_H
#define ZI_LOOPS_CLOSED_H

#include "dynamics/coupled.h"
#include "kinematics/constraint.h"
#include "kinematics/kernels.h"
#include "loops/open.h"
#include "model/tree.h"
#include "zveno/loops.h"

#include <stdint.h>

/* One loop by the paths to its two ends: O(depth). */

typedef struct ziEnds {
    constraint_row a, b;
    motion acc_a, acc_b; /* of the origins of the rows when all accelerations of coordinates are zero */
    constraint_now now;
} ziEnds;

/* q, v: of the tree; v NULL: zero. Of a coupling only now.rows is set. */
void zi_ends_at(const zvModel *model, ziScratch scratch, const ziConstraint *constraint, const double *q,
                const double *v, ziEnds *ends);

/* The row that an end hangs on, as a frame. */
ziFrameSpot zi_end_spot(const ziTree *tree, const ziConstraintEnd *end);

/* What is left open, and how well that can be known. */

/* reach: the largest distance of a loop from the world's origin. Gaps are differences of places in the world and carry
 * their rounding, eps reach. All lengths in sizes of the robot. */
typedef struct ziLeft {
    double gap, rate, reach;
} ziLeft;

/* Of all loops; v NULL: at rest. */
ziLeft zi_loops_left(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q, const double *v);

/* From the states of all loops. */
double zi_reach_of(const zvModel *model, const ziConstraintState *states);

/* Residuals up to this are closed; up to that there is nothing to gain. */
double zi_closed_within(double reach);
double zi_done_within(double reach);

/* One closed sweep in model coordinates: what the dynamics, closing and assembling share. */

typedef struct ziSweep {
    ziConstraintLevel level;
    const zvClosing *closing;   /* NULL: as the model says */
    const double *q, *v, *fext; /* v NULL: at rest, fext NULL: none */
    const unsigned char *given; /* (nv); NULL: all forces given */
    const double *extra;        /* (nv): armature more; NULL: none */
    const ziAugment *structure; /* added to M; NULL: nothing */
    double floor;               /* as in ziConstraintTask; 0: the usual one */
    double *lambda;             /* (zv_model_nloop_rows); NULL: not wanted */
    int dropped; /* answers: as in ziConstraintTask, conditions of mimic joints that are given do not count */
    double margin;
    int weakest; /* loop, or -1 */
} ziSweep;

/* tau is only read; found, which may be the same array, receives the forces that are not given (NULL in forward
 * problems). a holds given accelerations and receives the others. Gravity and elastic forces act at the level of
 * accelerations only. ZV_DEGRADED when conditions were dropped. */
zvStatus zi_sweep_closed(const zvModel *model, ziScratch scratch, ziSweep *sweep, const double *tau, double *found,
                         double *a);

/* The same at the level of accelerations, in the limit along v where the position is near a singular one. */
zvStatus zi_sweep_through(const zvModel *model, const zvWork *work, ziSweep *sweep, const double *tau, double *found,
                          double *a);

/* zv_closed_inverse_beside with the loops that are closed. */
zvStatus zi_closed_inverse_dynamics(const zvModel *model, zvWork *work, const zvClosing *closing, const double *q,
                                    const double *v, const double *a, const double *fext, const double *beside,
                                    const unsigned char *actuated, double *tau, double *lambda, double *left);

/* Of all loops; NULL: there are none. */
static inline const unsigned char *zi_open_loops(const zvModel *m, const zvClosing *closing) {
    return closing && closing->open ? closing->open : m->tree.closed ? m->tree.closed->open : NULL;
}
static inline bool zi_is_open(const zvModel *m, const zvClosing *closing, int loop) {
    const unsigned char *open = zi_open_loops(m, closing);
    return open && open[loop];
}

/* Newton's steps at the level of positions from q, as far as they go; s.q is set. Takes from the work's scratch memory.
 * *gap is the residual that is left. ZV_CLOSURE: it is too large. */
zvStatus zi_newton_closed(const zvModel *model, zvWork *work, ziSweep *sweep, double *q, double *gap);

/* All constraints at q, at rest, with the model's own targets; in scratch memory. */
const ziConstraintState *zi_states_of_constraints(const zvModel *model, ziScratch *scratch, const double *q);

/* Closing from far: least squares of the scaled gaps, (w gap)^2 / 2, by Powell's dogleg. Newton's step (the closed
 * sweep) and the steepest descent, both in the metric of the robot with much armature added, so that no part of it is
 * too light; no coordinate moves by more than the trust radius in a step. Ends at a closed position, or at one where
 * the gaps are least nearby. O(n) per step. */

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

/* Fresh guesses for assembling; trials of the agreement of methods use them too. */

typedef struct ziGuess {
    uint64_t state;
} ziGuess;

/* Uniform in (-1, 1). */
double zi_guess_next(ziGuess *guess);
/* Whether it is a free joint through which no loop goes: as the base of a robot that flies. Loops close or not wherever
 * it is. */
bool zi_joint_carries(const zvModel *model, int joint);
/* q := a random position within the limits; angles without them anywhere, lengths within `size`. Joints with a held
 * freedom (held is (nv) or NULL), those that carry whole loops and elastic coordinates stay as they are. */
void zi_guess_position(ziGuess *guess, const zvModel *model, double size, const unsigned char *held, double *q);

#endif
