/* Application. What linear systems do: poles, zeros, responses over frequency and time, margins, smaller systems.
 *
 *   dx/dt = A x + B u,   y = C x + D u
 *
 * Matrices are row-major: A (nx x nx), B (nx x nu), C (ny x nx), D (ny x nu). Needs LAPACK: ZV_NOT_SUPPORTED in a build
 * without it. ZV_NUMBER: an entry is not finite; ZV_NO_CONVERGENCE: an iteration of LAPACK gave up. */
#ifndef ZVENO_RESPONSE_H
#define ZVENO_RESPONSE_H

#include <stdbool.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvStateSpace {
    int nx, nu, ny;
    const double *A, *B, *C, *D; /* D NULL: zero */
} zvStateSpace;

/* Eigenvalues of A, 1/s: real and imag are (nx), those of a pair beside each other. */
zvStatus zv_poles(const zvStateSpace *system, double *real, double *imag, zvError *error);

/* Transmission zeros, 1/s: where the rank of [A - s B; C D] falls, with multiplicity and those of parts that inputs do
 * not move or outputs do not show; real and imag have room for nx, *count receives how many there are. A system that
 * maps nothing has none. */
zvStatus zv_zeros(const zvStateSpace *system, int *count, double *real, double *imag, zvError *error);

/* C (j omega - A)^-1 B + D at frequencies omega (count), rad/s: response is (count x ny x nu x 2), real and imaginary
 * parts; infinite where omega is a pole. sigma (count x min(ny, nu)), its singular values from the largest on, or NULL.
 */
zvStatus zv_frequency_response(const zvStateSpace *system, int count, const double *omega, double *response,
                               double *sigma, zvError *error);

typedef enum zvStimulus { ZV_STIMULUS_STEP, ZV_STIMULUS_IMPULSE } zvStimulus;

/* y (count x ny x nu) at t = 0, step, 2 step ... after a unit step or impulse of each input alone, by the matrix
 * exponential: exact at these times. D acts at once; of an impulse it is left out. */
zvStatus zv_time_response(const zvStateSpace *system, zvStimulus stimulus, double step, int count, double *y,
                          zvError *error);

/* How far a loop is from instability where it is broken in one place. */
typedef struct zvMargins {
    bool stable;                  /* all poles of the closed system have negative real parts */
    double gain_up, gain_up_at;   /* factor above 1 that makes it unstable, and where, rad/s; INFINITY: none */
    double gain_down, gain_down_at; /* likewise below 1; 0: none */
    double phase, phase_at;       /* smallest lag that does, rad; INFINITY: none */
    double delay;                 /* the dead time that does, s; INFINITY: none */
    double modulus, modulus_at;   /* least |1 + L|, the distance from -1, and where */
} zvMargins;

/* closed: from a disturbance added where the loop is broken to what comes back there, one input and output: with the
 * loop gain L it is -L/(1 + L). Looked at from one hundredth of the slowest pole to a hundred times the fastest. */
zvStatus zv_margins(const zvStateSpace *closed, zvMargins *margins, zvError *error);

/* A smaller system into A, B, C (room for those of the whole); *order is its size. D stays. */
/* minimal: what inputs do not move or outputs do not show is left out; smaller than tolerance (0: 1e-10) beside the
 * rest is not there. */
zvStatus zv_minimal(const zvStateSpace *system, double tolerance, int *order, double *A, double *B, double *C,
                    zvError *error);
/* balanced truncation to at most *order states, what is not stable always kept (ZV_SIZE: there is more of that); the
 * error over all frequencies is at most twice the sum of the Hankel singular values left out. hankel (nx) or NULL
 * receives them, INFINITY for what is not stable. */
zvStatus zv_balanced(const zvStateSpace *system, int *order, double *A, double *B, double *C, double *hankel,
                     zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
