/* The forces about a state: what they are, how large they may be, and how far a degree of freedom has to move to make a
 * difference. */
#ifndef ZI_MODES_STATICS_H
#define ZI_MODES_STATICS_H

#include "base/arena.h"
#include "zveno/loops.h"
#include "zveno/modes.h"

/* All forces of a system that is more than its model, as a scenario is, and the states it has beside positions: with it
 * nothing of the rest but q, v and held counts. */
typedef struct ziOutside {
    void *context;
    const zvClosing *closing; /* of its loops; NULL: as the model says */
    int states;
    double *z; /* states: first guess, then the answer */
    const char *(*label)(void *context, int state);
    /* unit (states): of each state, as those of degrees of freedom (nv); scale: size of all forces times reach, J */
    void (*measure)(void *context, const double *units, double scale, double *unit);
    /* At (q, z) without acceleration: force (nv) that nothing balances, 0 where held, rate (states) that should be
     * zero, and what they are the sums of. */
    zvStatus (*unbalanced)(void *context, const double *q, const double *z, double *force, double *size, double *rate,
                           double *rate_size);
} ziOutside;

typedef struct ziStatics {
    ziArena arena;
    const ziOutside *outside; /* or NULL */
    const zvModel *model;
    zvWork *work;
    const zvRest *rest;
    size_t nq, nv;
    double share;       /* of the loads and constant forces that acts */
    bool curved;        /* whether any force is not linear in the coordinates: weight, loads, motion */
    double reach;       /* size of the robot, m */
    double error_scale; /* size of all forces that are not linear, times reach: J */
    double speed;       /* of the motion v, as of something that turns, rad/s */
    double *q;          /* nq: rest->q, or the neutral position */
    double *unit;       /* nv: a motion that turns something by a radian, or moves it by reach */
    int *coordinate;    /* nv: index into q; -1 in a quaternion */
    double *moved;      /* nq */
    double *step;       /* nv */
    double *elastic;    /* nv */
    double *fext;       /* as dynamics takes it */
    double *samples;    /* 4 x nv */
    double *own;        /* a matrix of the link with most elastic coordinates */
    double *across;     /* 6 x nv: velocities across a loop */
    double *loops;      /* 5 x nv: forces of what joints of loops carry */
} ziStatics;

/* zv_equilibrium of a system with forces from outside, started at rest->q and outside->z: the forces missing there are
 * given and then taken away in `steps` equal parts; 0: at once, or else in as many as it takes. */
typedef struct ziEquilibriumFacts {
    double left;    /* largest force that is not balanced, of those involved there */
    int steps;      /* in which the forces were applied */
    double scale;   /* of all forces, times reach: J */
    int n;          /* independent degrees of freedom */
    int *dof;       /* (nv) room for which they are, or NULL */
    double *P;      /* (nv x nv) room for nv x n: how all move with these, or NULL */
    double *K;      /* (nv + states)^2 room for the tangent of n and the states, (n + states)^2, or NULL */
    double *lambda; /* (zv_model_nloop_rows) room, or NULL */
    double *unit;   /* (nv) room, or NULL */
} ziEquilibriumFacts;
zvStatus zi_equilibrium_outside(const zvModel *model, zvWork *work, const zvRest *rest, const ziOutside *outside,
                                int steps, double *q, ziEquilibriumFacts *facts, zvError *error);

/* To be freed in any case. */
zvStatus zi_statics_create(const zvModel *model, zvWork *work, const zvRest *rest, ziStatics *s, zvError *error);
void zi_statics_free(ziStatics *s);

/* Where its loops are to be closed. */
static inline const zvClosing *zi_statics_closing(const ziStatics *s) {
    return s->outside ? s->outside->closing : NULL;
}

/* force (nv): what weight, loads and motion demand for no acceleration; without springs, links' own elasticity and
 * constant forces. Loads are dead: their directions stay. */
void zi_statics_force(ziStatics *s, const double *q, const double *v, double *force);

/* Departures x of a joint with a quaternion are measured in its moving frame: velocities depart by dx/dt + A x, A (n x
 * n of its v, the robot's). False: the joint has no such. */
bool zi_moving_frame(const zvModel *model, int joint, const double *v, double A[36]);

/* Whether a state has velocities. */
bool zi_rest_moves(const zvRest *rest, size_t nv);

/* The force that nothing balances at q: the same with everything that acts; size (nv): of what it is the sum. */
void zi_statics_unbalanced(ziStatics *s, const double *q, double *force, double *size);

/* force (nv) += what the matrices of joints do at q, when they count. */
void zi_statics_add_matrices(const ziStatics *s, const double *q, double *force);

/* The same of springs of joints that close loops; then X += their stiffness at q (differences of as many points where
 * they are stretched), or their damping. ZV_NOT_SUPPORTED: they were left out where springs of the tree act. */
void zi_statics_add_loop_springs(ziStatics *s, const double *q, double *force);
void zi_statics_add_loop_stiffness(ziStatics *s, const double *q, int points, bool skip_held, double *K);
void zi_statics_add_loop_damping(ziStatics *s, const double *q, double *C);
zvStatus zi_statics_check_loop_springs(const ziStatics *s, zvError *error);

/* What rounding may leave of a slope: this part of the size of the forces over the step (zi_statics_step). */
#define ZI_STATICS_NOISE (64 * DBL_EPSILON)
double zi_statics_step(int points);

/* K (nv x nv) := tangent of all forces at q. Differences of 2 points give ten digits, of 4 twelve. Columns of held
 * degrees of freedom are left out with skip_held. */
void zi_statics_stiffness(ziStatics *s, const double *q, int points, bool skip_held, double *K);

#endif
