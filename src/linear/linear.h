/* Inside a linear model: its parts, and what its files do for each other. */
#ifndef ZI_LINEAR_LINEAR_H
#define ZI_LINEAR_LINEAR_H

#include "actuate/element.h"
#include "simulate/observe.h"
#include "simulate/system.h"
#include "zveno/linear.h"

typedef struct ziLinearInput {
    zvLinearName name;
    ziPerturbation perturbation; /* its size: a step */
} ziLinearInput;

typedef struct ziLinearOutput {
    zvLinearName name;
    ziChannelSpec spec;
    int entry;
} ziLinearOutput;

/* What the equations are at one state with accelerations a and multipliers of loops kept:
 *
 *   force  (nv)   M a + h - forces - G^T lambda, zero where accelerations are given
 *   gap, rate, acceleration (rows each) of the loops, in turns
 *   drive  (nz)   rates of z
 *
 * side by side: one column of the tangents. */
typedef struct ziLinearTerms {
    int force, gap, rate, acceleration, drive, count; /* where the parts begin; all of them */
} ziLinearTerms;

struct zvLinear {
    ziArena arena;
    const zvScenario *scenario;
    const zvModel *model;
    ziSystem *system;
    ziLedger ledger;
    ziObserver observer;
    int nq, nv, nz, nu, ny, rows; /* rows: conditions of loops */
    ziLinearInput *inputs;
    ziLinearOutput *outputs;
    const char **position_names, **velocity_names, **position_units, **velocity_units; /* nv */
    const char **state_names;                                                          /* nz */

    double t;
    ziPerturbation perturbation; /* the one that acts */
    double *y, *moved;           /* of the system: the state, and one beside it */
    double *a, *lambda;          /* (nv), (rows) at the state */
    unsigned char *given;        /* (nv) likewise */
    double *unit, *step;         /* (nv) a turn, or a length of the size of the robot; scratch */
    double *velocity_unit;       /* (nv) the same in a second, less where smooth friction resolves less */
    double *row_unit, *row;      /* (rows) units of conditions; the same, of open loops zero */
    ziLinearTerms terms;
    double *tangents;         /* columns of terms: by q (nv), v (nv), z (nz), u (nu) */
    double *by_a;             /* (nz x nv) */
    double *samples;          /* 4 columns */
    void *jets;               /* memory of exact tangents, or NULL */
    double *directions;       /* of exact tangents: 4 (2 nq + nv) of the tree, then slopes: 4 (nv + 2 rows) */
    double *first;            /* 2 nq, of the model */
    double *G, *turn, *force; /* (rows x nv), (rows), (nv) scratch */

    int n, nx, np, rank;      /* rank: of the conditions */
    int *independent, *taken; /* (nv): indices; the row of E that gives a dependent coordinate, or -1 */
    unsigned char *kinds;     /* (nv) */
    double *E;                /* rows x (nv + rows): G reduced, and what reduced it */
    double *P, *M, *Mr;       /* nv x n, nv x nv, n x n: mass matrices */
    double *factors, *pivots; /* of Mr */
    double *dq, *dz;          /* one departure: (nv), (nz) */
    double *paths;            /* (nx + nu) departures dq, dv, da (nv each), dz (nz) one after another */
    double *A, *B, *C, *D, *rate, *out;
    double *mass, *damping, *stiffness, *forcing;
    double *values; /* outputs at 4 points, and a channel */
    double *likes;  /* (4 x ny) orientations at the state, with whose sign those beside it go */
};

enum { ZI_LINEAR_POINTS = 4 };
/* A step, in units: with four points the rest is h^4/30 and rounding eps/h. */
#define ZI_LINEAR_STEP (1.0 / 4096)

/* What one independent departure, or an input, does to everything: column c of x, then of u. */
typedef struct ziDeparture {
    double *dq, *dv, *da, *dz;
    const double *input; /* column of the tangents, or NULL */
} ziDeparture;
ziDeparture zi_linear_departure(const zvLinear *linear, int column);

zvStatus zi_linear_no_memory(zvError *error);

/* names.c: inputs and outputs by their names. */
zvStatus zi_linear_read_inputs(zvLinear *linear, int count, const char *const *names, zvError *error);
zvStatus zi_linear_read_outputs(zvLinear *linear, int count, const char *const *names, zvError *error);
zvStatus zi_linear_name_states(zvLinear *linear, zvError *error);

/* tangents.c: what all coordinates, states of drives and inputs do to the terms. */
zvStatus zi_linear_tangents(zvLinear *linear, zvError *error);

/* dynamics.c: whether tangents of dynamics and loops are exact (not in builds without C++, and not where a loop goes
 * along a curve); then those by all positions and velocities, forces of drives kept. Needs row units. */
size_t zi_linear_jet_bytes(const zvModel *model);
bool zi_linear_is_exact(const zvLinear *linear);
void zi_linear_dynamics(zvLinear *linear);
/* pushed (nv) := -(tau + J^T fext) of the last evaluation of drives at tree positions tq, with J of the state itself.
 */
void zi_linear_pushed(const zvLinear *linear, double *pushed);

/* reduce.c: independent departures, A, B and the matrices of the second order. */
zvStatus zi_linear_reduce(zvLinear *linear, zvError *error);

/* outputs.c: C, D and y. */
zvStatus zi_linear_observe(zvLinear *linear, zvError *error);

/* Steps of differences of four points. */
typedef struct ziMove {
    const double *dq, *dv, *dz;  /* NULL: none */
    const ziPerturbation *input; /* NULL: none */
    double size;                 /* of the step: times dq, dv, dz, and of the input */
} ziMove;
/* What is much for a state of a drive. */
double zi_linear_state_unit(const zvLinear *linear, int state);
/* Places the state moved so in the system; false when out of memory. */
bool zi_linear_place(zvLinear *linear, const ziMove *move, double times);
/* The slope from samples at -1, 1, -2, 2 steps. */
static inline double zi_linear_slope(double back, double forth, double back2, double forth2, double step) {
    return (8 * (forth - back) - (forth2 - back2)) / (12 * step);
}

#endif
