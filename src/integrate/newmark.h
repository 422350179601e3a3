/* Newmark's method and generalised alpha, one family:
 *
 *   x+ = x + h v + h^2 ((1/2 - beta) a + beta a+),   v+ = v + h ((1 - gamma) a + gamma a+)          [Newmark]
 *   residual(t_af, x_af, v_af, a_am) = 0, with x_af = (1 - af) x+ + af x, likewise t and v, and
 *   a_am = (1 - am) a+ + am a                                                                       [Chung]
 *
 * Newmark has am = af = 0. The rest of y has rates only: z+ = z + h ((1 - g) z' + g z+'), (1 - m) z+' + m z' = rate at
 * the same place, the trapezoidal rule for Newmark, for alpha the rule of the same damping [Jansen].
 * Unknowns of a step are u = (a_am, z_af). */
#ifndef ZI_INTEGRATE_NEWMARK_H
#define ZI_INTEGRATE_NEWMARK_H

#include "integrate/method.h"

typedef struct ziNewmark {
    double beta, gamma, am, af;
    double rest_gamma, rest_am; /* g and m of the rest */
    bool is_explicit, full;
    int nq, nv, nrest, nz; /* nz: of the rest, what feeds back; then come the quadratures */
    int n, nu;             /* lengths: slopes, nv + nrest; unknowns, nv + nz */

    /* What is remembered (in->memory): slopes at the end of the last step, a and rates of the rest; their change over
     * it by its length; that length, 0: none; the next step, 0: none; the step the matrix is for, 0: none; energy that
     * the last step could not balance; the matrix. */
    double *slope, *bend, *last_h, *next_h, *matrix_h, *debt, *matrix;

    /* Of the last step. */
    double *slope_from; /* n: slopes at its beginning */
    double *increment;  /* nv: of q */
    double *y_to;       /* size: its end, before projection */
    double *slope_to;   /* n */

    /* Of the corrector. */
    double *y;          /* size: where the residual is asked */
    double *u, *x;      /* nu: unknowns, their correction */
    double *r;          /* nu */
    double *rate;       /* nrest */
    double *part;       /* nv: a part of the increment */
    double *factor;     /* nu x nu: LU of the matrix */
    double *high, *low; /* nu: differences */
    int *order;

    /* Of energy-momentum (energy_momentum.c), NULL and 0 for others. */
    bool unclosed; /* the end that was completed last could not be projected (zvStructure.closed) */
    bool conserves;
    bool floats, aimed, led;               /* momentum is to be kept; direction is known; laws lead the motion */
    bool shifted;                          /* the last look at the balances changed the shift */
    double *shift, *direction;             /* nv: added to v+; d */
    double *spare;                         /* size: a state */
    double sigma, stiffness;               /* the part of d in the shift; 2 T(d) */
    double energy_from, lack, energy_size; /* E; what E+ lacks; size of its terms */
    double lack_before;                    /* when sigma was changed last; INFINITY: not yet */
    bool lags;                             /* a change of sigma did not halve it: forces had not followed */
    int waited;                            /* changes since then */
    double debt_to;                        /* debt after the step */
    double momentum_from[6];

    double left, residual; /* of the last try: correction left, in units of its tolerance, and greatest residual */
    int tries;             /* iterations of the last try */
    long iterations, failures, preparations, rejected;
} ziNewmark;

typedef enum ziTry {
    ZI_TRY_DONE,
    ZI_TRY_SLOW,     /* the corrector does not converge */
    ZI_TRY_SINGULAR, /* the matrix has no inverse */
    ZI_TRY_REFUSED,  /* a callback does not answer here */
    ZI_TRY_GIVE_UP   /* nor anywhere */
} ziTry;

static inline ziNewmark *zi_newmark(const zvIntegrator *in) { return in->engine; }

/* One implicit step of length h from (from, y_from) with slope_from: fills increment, y_to and slope_to. */
ziTry zi_newmark_correct(zvIntegrator *in, double h);
/* The matrix remembered is factored anew. */
bool zi_newmark_factor(ziNewmark *nm);
/* The state at the end of the step from the unknowns as they stand. */
void zi_newmark_complete(zvIntegrator *in, double h);

/* energy_momentum.c. Before a step; near the solution: corrects the shift, and returns by how
 * much, of velocities of size one; when that is small: completes the step, energy balanced to rounding. */
void zi_conserve_open(zvIntegrator *in);
double zi_conserve_correct(zvIntegrator *in, double h);
void zi_conserve_close(zvIntegrator *in, double h, double tolerance);

#endif
