/* Application. Linear models of a scenario's machine about a state: what small departures of it and of its inputs do.
 *
 *   dx/dt = A x + B u,   y = C x + D u,        M p'' + C p' + K p = N u  where all states are positions and velocities
 *
 * x are departures of the independent positions and of their velocities, then of the states of drives (motors,
 * integrals). Loops are closed: dependent coordinates follow. What follows a law, sticks or rests on a stop does not
 * depart; laws are inputs. Positions depart along the coordinates of v, as zv_position_add moves them. */
#ifndef ZVENO_LINEAR_H
#define ZVENO_LINEAR_H

#include "zveno/modes.h"
#include "zveno/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvLinear zvLinear;

/* A model of a scenario, which must live longer, with these inputs and outputs; empty until zv_linear_at. Inputs:
 *   tau, tau.JOINT                            forces of drives; of flexible joints on the motor, as seen from the link
 *   disturbance, disturbance.JOINT            forces on the links
 *   load FRAME, load FRAME.fx                 force and moment at a frame, world axes
 *   reference DRIVE, reference DRIVE.JOINT    set points and motions: the value of the law of a drive,
 *   reference_rate, reference_acceleration    and its derivatives, by the same names
 * Outputs are channels of recordings or entries of them: "q", "v.elbow", "pose tool.z". NULL: tau of all joints with
 * drives, or of all joints where there are none; q. */
zvStatus zv_linear_create(const zvScenario *scenario, int input_count, const char *const *inputs, int output_count,
                          const char *const *outputs, zvLinear **linear, zvError *error);
void zv_linear_destroy(zvLinear *linear); /* NULL is let pass */

/* Finds the matrices about a state at time t: q (nq), v (nv), z (states of drives); NULL: as the scenario begins, of z
 * at rest with q and v. Laws are imposed and loops closed first. ZV_SINGULAR: a singular position of the loops, or a
 * massless part that moves freely. Afterwards all answers below are those of this state. */
zvStatus zv_linear_at(zvLinear *linear, double t, const double *q, const double *v, const double *z, zvError *error);

typedef enum zvLinearMatrix {
    ZV_LINEAR_A,       /* nx x nx */
    ZV_LINEAR_B,       /* nx x nu */
    ZV_LINEAR_C,       /* ny x nx */
    ZV_LINEAR_D,       /* ny x nu */
    ZV_LINEAR_MASS,    /* np x np: M, C, K and N of the second order, */
    ZV_LINEAR_DAMPING, /* empty where integrals of controllers are states */
    ZV_LINEAR_STIFFNESS,
    ZV_LINEAR_FORCING, /* np x nu */
    ZV_LINEAR_P,       /* nv x n: dq = P xi, independent positions to all; zero where a law leads */
    ZV_LINEAR_RATE,    /* nx x 1: dx/dt at the state itself, zero at an equilibrium */
    ZV_LINEAR_OUTPUT   /* ny x 1: y at the state itself */
} zvLinearMatrix;

/* A matrix by rows; rows and columns may be NULL. Stays until the next zv_linear_at. */
const double *zv_linear_matrix(const zvLinear *linear, zvLinearMatrix which, int *rows, int *columns);

typedef struct zvLinearName {
    const char *name, *unit; /* "q.elbow", "rad"; "tau.elbow", "N m"; "pose tool.z", "m" */
} zvLinearName;

/* Of x there are nx = 2 n + the states of drives: n positions, their n velocities, the rest; n is known after
 * zv_linear_at. Positions p of the second order are the first n and the motors of flexible joints. */
int zv_linear_freedoms(const zvLinear *linear); /* n */
int zv_linear_states(const zvLinear *linear);
int zv_linear_inputs(const zvLinear *linear);
int zv_linear_outputs(const zvLinear *linear);
zvLinearName zv_linear_state(const zvLinear *linear, int state);
zvLinearName zv_linear_input(const zvLinear *linear, int input);
zvLinearName zv_linear_output(const zvLinear *linear, int output);
const int *zv_linear_independent(const zvLinear *linear); /* (n) indices into v, rising */
/* The state itself: q (nq), v (nv), z, as laws and loops left them, and accelerations a (nv). NULL: not wanted. */
double zv_linear_state_at(const zvLinear *linear, const double **q, const double **v, const double **z,
                          const double **a); /* the time, s */

/* Natural modes of the state last looked at, pairs of eigenvalues of A once, in order of frequency: modes (nx), *count
 * of them; 0 where rounding alone is left. braked (nv) or NULL: degrees of freedom whose brakes are closed, those of
 * flexible joints on the side of the motor; joints that the loops leave independent, and no integrals then
 * (ZV_NOT_SUPPORTED). shapes (nx x nx x 2) or NULL: row k the complex amplitudes of all states in mode k, e^(lambda t)
 * times them, scaled so that the largest position is 1: their arguments are phases. shares (nx x nx) or NULL: how much
 * each state takes part, |right times left eigenvector|, of their sum. */
zvStatus zv_linear_modes(const zvLinear *linear, const unsigned char *braked, zvMode *modes, double *shapes,
                         double *shares, int *count, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
