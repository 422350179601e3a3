/* Application. Integration of ordinary differential equations dy/dt = f(t, y) from callbacks and doubles; knows nothing
 * of robots.
 *
 * Methods are rows of one table: variable-order Adams and BDF (CVODE), explicit and implicit Runge-Kutta (ARKODE),
 * fixed-step Runge-Kutta of order 4 and semi-implicit Euler, and, for equations M a + ... = forces, Newmark and
 * generalised alpha. A caller steps, looks at states inside the last step, and starts anew after a jump. Memory is
 * taken at creation; all but the methods of SUNDIALS allocate nothing afterwards. */
#ifndef ZVENO_INTEGRATE_H
#define ZVENO_INTEGRATE_H

#include <stdbool.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What structural methods (newmark, generalized-alpha, energy-momentum) know of a system of second order beyond its
 * rates:
 *
 *   y = (q, v, rest),   M(q) a + ... = forces,   d rest/dt = its own rates
 *
 * q may live on a manifold (quaternions): it is moved by increments (nv). Degrees of freedom may be prescribed: then
 * their q and v are functions of t. Callbacks get the context of the zvOde and answer as its callbacks do. */
typedef struct zvStructure {
    int nq, nv;
    /* (nv) the entry of q that goes with each degree of freedom, -1: none; NULL: the entry of the same number. Only
     * error control looks at it. */
    const int *coordinate;
    /* moved (nq, another array) = q moved by the increment x */
    void (*move)(void *context, const double *q, const double *x, double *moved);
    /* May be NULL: puts q and v of prescribed degrees of freedom into y. */
    void (*impose)(void *context, double t, double *y);
    /* r (nv) = M a + ... - forces, 0 in prescribed degrees of freedom, whose a counts as the law's and not as given
     * here; rest_rate: rates of the entries behind v. y is imposed. Systems with constraints tell a less the
     * acceleration that forces and constraints give, and S below is that of the same r. */
    int (*residual)(void *context, double t, const double *y, const double *a, double *r, double *rest_rate);
    /* x = S^-1 r, S near the derivative of what the corrector makes zero; asked right after residual at the same (t,
     * y). The unknowns are a and the z among the rest, those that feed back; moving a by x_a moves q by stiffness x_a
     * and v by damping x_a, and r = (residual, z - lag dz/dt - constant): S = (M + damping D + stiffness K,  dr_a/dz;
     * ...,  1 - lag d(dz/dt)/dz) x is 0 in prescribed degrees of freedom. NULL: the full matrix is used. */
    int (*reduced)(void *context, double t, const double *y, double damping, double stiffness, double lag,
                   const double *r, double *x);
    /* The same x by an assembled matrix, for ZV_ITERATION_MASS; NULL: not available. */
    int (*assembled)(void *context, double t, const double *y, double damping, double stiffness, double lag,
                     const double *r, double *x);
    /* Constraints hold positions and velocities together: zvOde.project then belongs to every step of an implicit
     * method, ends of tries included, and a refusal makes error control try a shorter step. */
    bool closed;

    /* energy-momentum only, else NULL. States y are imposed. */
    /* The energy of y; parts (2): the kinetic one, and the sum of the sizes of all terms. */
    double (*energy)(void *context, double t, const double *y, double parts[2]);
    /* The power that comes from outside of that energy, at the residual asked last. */
    double (*power)(void *context);
    /* d (nv) = v, 0 in prescribed degrees of freedom of the residual asked last; false: laws lead the motion, and no
     * balance of energy is to be kept. */
    bool (*movable)(void *context, const double *v, double *d);
    /* p (6): linear momentum and angular momentum about the centre of mass, when they stay constant; else false. NULL:
     * they do not. carry: x (nv), the velocity of a rigid motion of everything that has p. advance: moves y_to as a
     * whole to where p brings the centre of mass of y_from after h. */
    bool (*momentum)(void *context, const double *y, double p[6]);
    void (*carry)(void *context, const double *y, const double p[6], double *x);
    void (*advance)(void *context, double h, const double p[6], const double *y_from, double *y_to);
} zvStructure;

struct zvIntegrationMethod;

/* What a callback answers: 0 done; positive: not at this y (a variable-step method tries a shorter step); negative:
 * give up. */
typedef struct zvOde {
    int size; /* entries of y */
    void *context;
    /* dy = f(t, y) */
    int (*rate)(void *context, double t, const double *y, double *dy);

    /* Semi-implicit Euler only: entries with is_position[i] != 0 move with the new values of the others;
     * position_rate fills just those entries of dy. NULL: the method is not available. */
    const unsigned char *is_position;
    int (*position_rate)(void *context, double t, const double *y, double *dy);

    /* Implicit methods on more than 32 unknowns, may be NULL: prepare looks at (t, y) anew; z = P^-1 r with P near
     * 1 - gamma df/dy. Where it is near, P takes the place of the matrix, else it leads Krylov iterations, which run
     * bare without it. */
    int (*prepare)(void *context, double t, const double *y, double gamma);
    int (*precondition)(void *context, double t, const double *y, double gamma, const double *r, double *z);

    /* May be NULL: brings y back to where it belongs (unit quaternions, closed loops) after each accepted step of a
     * one-step method. Multistep methods keep their history: there the caller projects what it looks at. */
    int (*project)(void *context, double t, double *y);

    /* May be NULL: method calls from here on. auto tells which of its members begins; others tell nothing. */
    void (*adopt)(void *context, const struct zvIntegrationMethod *method);

    /* Functions whose zeros are to be located; NULL when event_count = 0. */
    int event_count;
    int (*events)(void *context, double t, const double *y, double *g);
    /* (event_count) or NULL. Where not 0, the function is a guard: it must not fall below zero. A guard that is zero at
     * a start (or below it) and leaves downwards fires there, as often as one starts there; a dip below zero and back
     * inside one step is looked for. A guard fires when it falls, -1, and never when it rises. */
    const unsigned char *guards;

    /* How many of the last entries of y feed nothing back (integrals kept for the books): their columns of df/dy are
     * zero, and implicit methods need not look. */
    int quadratures;

    /* Structural methods only; NULL: they are not available. Explicit ones need just move and rate. */
    const zvStructure *structure;
} zvOde;

typedef enum zvMethodFamily { ZV_FAMILY_MULTISTEP, ZV_FAMILY_RUNGE_KUTTA, ZV_FAMILY_FIXED_STEP } zvMethodFamily;

/* One question, several methods: rows of a table; the first is the default. */
typedef struct zvIntegrationMethod {
    const char *name;      /* "auto", "adams", "bdf", "erk", "dirk", "rk4", "euler", "newmark", ... */
    zvMethodFamily family; /* structural methods have fixed steps unless they are told to be adaptive */
    bool implicit;
    bool structural;                              /* needs zvOde.structure */
    int least_order, greatest_order, usual_order; /* orders it offers; equal when it has just one */
    const char *about;
    const char *source;
} zvIntegrationMethod;

const zvIntegrationMethod *zv_integration_methods(size_t *count);        /* those of this build */
const zvIntegrationMethod *zv_integration_method_find(const char *name); /* or NULL */

/* How the corrector of an implicit structural method finds a and z: with the system's own S (zvStructure.reduced); with
 * the full matrix of derivatives, dense, by differences of the residual, kept while it converges well; or with S as a
 * global matrix, assembled and factored in each iteration (zvStructure.assembled). */
typedef enum zvIteration { ZV_ITERATION_REDUCED, ZV_ITERATION_FULL, ZV_ITERATION_MASS } zvIteration;
/* Where it begins: the acceleration of the last step's end, or zero. */
typedef enum zvPredictor { ZV_PREDICTOR_CONSTANT, ZV_PREDICTOR_ZERO } zvPredictor;

/* Options of newmark, generalized-alpha and energy-momentum. */
typedef struct zvStructural {
    /* newmark: x+ = x + v h + ((1/2 - beta) a + beta a+) h^2, v+ = v + ((1 - gamma) a + gamma a+) h. beta = 0 is
     * explicit. gamma = 1/2 has order 2 and no damping; less lets vibrations grow. Stable at any step where 2 beta >=
     * gamma >= 1/2.
     */
    double beta, gamma;
    double rho; /* generalized-alpha: what a step leaves of the fastest vibrations, 0 ... 1 */
    zvIteration iteration;
    zvPredictor predictor;
    /* A correction of v must be below this times 1 + |v| + h |a|, likewise of z; 0: follows the step h, 1e-7 h between
     * 1e-12 and 1e-9. */
    double corrector_tolerance;
    int corrector_iterations; /* at the most, in one step */
    bool adaptive;            /* steps as rtol and atol demand; step is the first one, 0: chosen */
} zvStructural;

/* 1/4, 1/2, 0.8, reduced, constant, 0, 20, fixed step */
zvStructural zv_structural_default(void);

typedef struct zvIntegrationOptions {
    const char *method;             /* name; NULL: the default */
    int order;                      /* 0: the usual one; for adams and bdf the greatest order allowed */
    double rtol, atol;              /* variable step */
    const double *scale;            /* (size) factors of atol for each entry, or NULL: 1 */
    double step;                    /* fixed step, s, 0: 1e-3; for variable-step methods the first step, 0: chosen */
    double max_step;                /* of variable-step methods; 0: none */
    long max_steps;                 /* of one integration between starts; 0: none */
    const zvStructural *structural; /* copied; NULL: the default */
} zvIntegrationOptions;

/* Whether these options make all steps equally long, so that a run does not depend on where it was interrupted. */
bool zv_integration_is_fixed(const zvIntegrationOptions *options);

zvIntegrationOptions zv_integration_default(void); /* the first row of the table, rtol = atol = 1e-8 */

typedef struct zvIntegrationStatistics {
    /* accepted steps; all calls of rate or residual, for Jacobians, events, advice too; failed tries */
    long steps, rates, rejected;
    long newton_iterations, newton_failures; /* of the corrector, Newton's or, for adams, fixed-point */
    long linear_iterations, event_calls;
    long preparations; /* of preconditioners, or full matrices of structural methods */
    long restarts;
    double last_step, least_step, greatest_step; /* s; least_step among those not cut short by t_stop */
    int last_order;
} zvIntegrationStatistics;

typedef struct zvIntegrator zvIntegrator;

/* The ode's members are copied, what they point to must live on. options NULL: defaults. NULL and error when out of
 * memory, for a method that this build does not have, and for options that make no sense. */
zvIntegrator *zv_integrator_create(const zvOde *ode, const zvIntegrationOptions *options, zvError *error);
void zv_integrator_destroy(zvIntegrator *integrator); /* NULL is let pass */

/* Begins at (t, y), or begins anew after a jump of y or f. A fixed-step method counts its steps from the first start:
 * steps end at first t + k step wherever they began, so that a run in pieces is bit-identical to one in whole: take it
 * up at the end of any step that is not an event followed by a jump.
 * An event function that is zero here is ignored until it has left zero, and so is one that has just fired; for guards
 * see zvOde. */
zvStatus zv_integrator_start(zvIntegrator *integrator, double t, const double *y, zvError *error);
/* For resuming a fixed-step run: the grid of steps counts from origin, not from the next start. */
void zv_integrator_set_origin(zvIntegrator *integrator, double origin);
/* Structural methods remember more than (t, y): accelerations, matrices, the next step. *count numbers, to be kept with
 * (t, y) and given to resume, so that what follows has the same bits. Others: none. */
const double *zv_integrator_memory(const zvIntegrator *integrator, size_t *count);
/* A start that goes on from there; memory NULL: zv_integrator_start. */
zvStatus zv_integrator_resume(zvIntegrator *integrator, double t, const double *y, const double *memory,
                              zvError *error);

typedef enum zvStepEnd { ZV_STEP_INSIDE, ZV_STEP_STOP, ZV_STEP_EVENT } zvStepEnd;

/* One step of the method's own choice that does not go beyond t_stop. *end tells why it ended; at an event the state is
 * that of the event's time. ZV_NO_CONVERGENCE when the method cannot go on; its text says at what t and what to try. */
zvStatus zv_integrator_step(zvIntegrator *integrator, double t_stop, zvStepEnd *end, zvError *error);
/* The state after the last step or start. */
double zv_integrator_time(const zvIntegrator *integrator);
const double *zv_integrator_state(const zvIntegrator *integrator);
/* Time before the last step; after a start it equals the time. */
double zv_integrator_time_before(const zvIntegrator *integrator);
/* y at a time inside the last step, not projected. adams and bdf: the polynomial of the method, as accurate as its
 * steps; so of erk of order 8, at the cost of three rates once a step. erk of other orders, rk4, euler: the method's
 * formula with a shorter step from time_before, as accurate as its steps, at the cost of a step's rates. Structural
 * methods: cubic Hermite polynomials, in q of the increment by v, in v by a, as accurate as the steps, without calls.
 * dirk: a cubic Hermite polynomial (order 2: a straight line), whose error may be a hundred times the tolerance;
 * whoever wants more passes the times he looks at as t_stop. Events are located on the same. Where f refuses a state
 * inside a step whose ends it has accepted, erk, rk4 and euler answer with the straight line between the ends:
 * continuous, but not accurate. */
void zv_integrator_at(zvIntegrator *integrator, double t, double *y);
/* Whether that is as accurate as the steps: not for dirk. */
bool zv_integrator_interpolates(const zvIntegrator *integrator);
/* After ZV_STEP_EVENT: (event_count) entries: +1 g rose through zero, -1 fell, 0 did not fire. A guard that fires where
 * it starts ends a step of no length: time = time_before, the state is that of the start. */
const int *zv_integrator_fired(const zvIntegrator *integrator);

/* What was done since creation. */
zvIntegrationStatistics zv_integrator_statistics(const zvIntegrator *integrator);

/* auto: from t on it runs this method. */
enum { ZV_CHANGES_KEPT = 64 };
typedef struct zvMethodChange {
    double t;
    const char *method;
} zvMethodChange;

/* The methods that auto has run, the first since its start; how many were written to changes
 * (ZV_CHANGES_KEPT). Of more the last stands in the last place, and *total, which may be NULL, counts all. Other
 * methods: none. */
int zv_integrator_changes(const zvIntegrator *integrator, zvMethodChange *changes, long *total);

/* A sentence when the statistics show that the method does not fit the problem (explicit method held back by stability,
 * implicit one wasted, tolerance below rounding, forces that jump to and fro), else NULL. May be asked at any time; it
 * answers from a hundred steps on, where millions of steps are ahead from 5000 on. The text is constant. */
const char *zv_integrator_advice(const zvIntegrator *integrator);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
