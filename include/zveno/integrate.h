/* Integration of ordinary differential equations dy/dt = f(t, y) from callbacks and doubles; knows nothing of robots.
 *
 * Methods are rows of one table: variable-order Adams and BDF (CVODE), explicit and implicit Runge-Kutta (ARKODE),
 * fixed-step Runge-Kutta of order 4 and semi-implicit Euler. A caller steps, looks at states inside the last step, and
 * starts anew after a jump. Memory is taken at creation; the fixed-step methods allocate nothing afterwards. */
#ifndef ZVENO_INTEGRATE_H
#define ZVENO_INTEGRATE_H

#include <stdbool.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif

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

    /* Implicit methods on large systems, may be NULL: prepare looks at (t, y) anew; z = P^-1 r with P near
     * 1 - gamma df/dy. Without it the Krylov solver runs bare. */
    int (*prepare)(void *context, double t, const double *y, double gamma);
    int (*precondition)(void *context, double t, const double *y, double gamma, const double *r, double *z);

    /* May be NULL: brings y back to where it belongs (unit quaternions, closed loops) after each accepted step of a
     * one-step method. Multistep methods keep their history: there the caller projects what it looks at. */
    int (*project)(void *context, double t, double *y);

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
} zvOde;

typedef enum zvMethodFamily { ZV_MULTISTEP, ZV_RUNGE_KUTTA, ZV_FIXED_STEP } zvMethodFamily;

/* One question, several methods: rows of a table; the first is the default. */
typedef struct zvIntegrationMethod {
    const char *name; /* "adams", "bdf", "erk", "dirk", "rk4", "euler" */
    zvMethodFamily family;
    bool implicit;
    int least_order, greatest_order, usual_order; /* orders it offers; equal when it has just one */
    const char *about;
    const char *source;
} zvIntegrationMethod;

const zvIntegrationMethod *zv_integration_methods(size_t *count);        /* those of this build */
const zvIntegrationMethod *zv_integration_method_find(const char *name); /* or NULL */

typedef struct zvIntegrationOptions {
    const char *method;  /* name; NULL: the default */
    int order;           /* 0: the usual one; for adams and bdf the greatest order allowed */
    double rtol, atol;   /* variable step */
    const double *scale; /* (size) factors of atol for each entry, or NULL: 1 */
    double step;         /* fixed step, s, 0: 1e-3; for variable-step methods the first step, 0: chosen */
    double max_step;     /* of variable-step methods; 0: none */
    long max_steps;      /* of one integration between starts; 0: none */
} zvIntegrationOptions;

zvIntegrationOptions zv_integration_default(void); /* the first row of the table, rtol = atol = 1e-8 */

typedef struct zvIntegrationStatistics {
    long steps, rates,
        rejected; /* accepted steps; all calls of rate, for Jacobians, events, advice too; failed tries */
    long newton_iterations, newton_failures; /* of the corrector, Newton's or, for adams, fixed-point */
    long linear_iterations, preparations, event_calls;
    long restarts;
    double last_step, least_step, greatest_step; /* s; least_step among those not cut short by t_stop */
    int last_order;
} zvIntegrationStatistics;

typedef struct zvIntegrator zvIntegrator;

/* The ode's members are copied, what they point to must live on. */
zvIntegrator *zv_integrator_create(const zvOde *ode, const zvIntegrationOptions *options, zvError *error);
void zv_integrator_destroy(zvIntegrator *integrator);

/* Begins at (t, y), or begins anew after a jump of y or f. A fixed-step method counts its steps from the first start:
 * steps end at first t + k step wherever they began, so that a run in pieces is bit-identical to one in whole: take it
 * up at the end of any step that is not an event followed by a jump.
 * An event function that is zero here is ignored until it has left zero, and so is one that has just fired; for guards
 * see zvOde. */
zvStatus zv_integrator_start(zvIntegrator *integrator, double t, const double *y, zvError *error);
/* For resuming a fixed-step run: the grid of steps counts from origin, not from the next start. */
void zv_integrator_set_origin(zvIntegrator *integrator, double origin);

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
 * steps. erk, rk4, euler: the method's formula with a shorter step from time_before, as accurate as its steps, at the
 * cost of a step's rates. dirk: a cubic Hermite polynomial (order 2: a straight line), whose error may be a hundred
 * times the tolerance; whoever wants more passes the times he looks at as t_stop. Events are located on the same.
 * Where f refuses a state inside a step whose ends it has accepted, erk, rk4 and euler answer with the straight line
 * between the ends: continuous, but not accurate. */
void zv_integrator_at(zvIntegrator *integrator, double t, double *y);
/* Whether that is as accurate as the steps: not for dirk. */
bool zv_integrator_interpolates(const zvIntegrator *integrator);
/* After ZV_STEP_EVENT: (event_count) entries: +1 g rose through zero, -1 fell, 0 did not fire. A guard that fires where
 * it starts ends a step of no length: time = time_before, the state is that of the start. */
const int *zv_integrator_fired(const zvIntegrator *integrator);

zvIntegrationStatistics zv_integrator_statistics(const zvIntegrator *integrator);
/* A sentence when the statistics show that the method does not fit the problem (explicit method held back by stability,
 * implicit one wasted, tolerance below rounding, forces that jump to and fro), else NULL. May be asked at any time; it
 * answers from a hundred steps on, where millions of steps are ahead from 5000 on. The text is constant. */
const char *zv_integrator_advice(const zvIntegrator *integrator);

#ifdef __cplusplus
}
#endif
#endif
