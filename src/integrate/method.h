/* What an integrator is inside: the caller's side of it (time, state, events, statistics), shared by all methods, and a
 * stepper, the part that differs. */
#ifndef ZI_INTEGRATE_METHOD_H
#define ZI_INTEGRATE_METHOD_H

#include "base/arena.h"
#include "zveno/integrate.h"

/* Why a callback stopped the method; the text of the failure is made of it. */
typedef enum ziTrouble { ZI_TROUBLE_NONE, ZI_TROUBLE_REFUSED, ZI_TROUBLE_NOT_FINITE, ZI_TROUBLE_GAVE_UP } ziTrouble;

/* A stepper advances (reach, y) and knows nothing of events or of what the caller looks at. */
typedef struct ziStepper {
    bool one_step;     /* no history: goes on from an event's state, and projects */
    bool interpolates; /* at is as accurate as the steps */
    zvStatus (*create)(zvIntegrator *in, zvError *error);
    /* Takes (reach, y). anew: f or y jumped; otherwise only the step was cut short by an event. */
    zvStatus (*start)(zvIntegrator *in, bool anew, zvError *error);
    /* One step from reach towards t_stop, not beyond: sets reach and y. It ends at t_stop exactly or before it. */
    zvStatus (*step)(zvIntegrator *in, double t_stop, zvError *error);
    /* y at a time in [from, reach]. */
    void (*at)(zvIntegrator *in, double t, double *y);
    /* Adds what the stepper has counted since it last started anew. */
    void (*statistics)(const zvIntegrator *in, zvIntegrationStatistics *s);
    void (*destroy)(zvIntegrator *in);
    /* The k-th derivative at reach, as the method's polynomial has it; false: none of that order. NULL: no polynomial.
     */
    bool (*derivative)(zvIntegrator *in, int k, double *d);
    /* A sentence on the method itself, or NULL. NULL: it has none. */
    const char *(*advice)(const zvIntegrator *in, const zvIntegrationStatistics *s);
} ziStepper;

/* What an event function waits for: a zero; to leave the zero it started at; a guard that is below zero, to come back.
 */
typedef enum ziPhase { ZI_WATCHED, ZI_LEAVING, ZI_BELOW } ziPhase;

typedef struct ziEvents {
    double *lo, *hi, *mid; /* values at the ends of the bracket and inside it; between steps lo holds those at t */
    double *past;          /* values at the end of the step before */
    double past_gap;       /* how long before t that was; 0: nothing is known */
    double *band;          /* what counts as zero at a start */
    double *y;             /* a state inside the bracket */
    unsigned char *phase;  /* a ziPhase of each */
    int *fired;
    bool any_fired; /* the last step ended at an event */
} ziEvents;

/* What is known of h rho, step times spectral radius, in numbers of steps; and of the pace. */
typedef struct ziAdvice {
    double *direction, *slope, *moved, *y; /* of the power iteration, (size) each */
    double *first, *second, growth;        /* its last two directions; what J made of the first */
    double decay;                          /* cosine between J direction and direction: -1 for a decaying mode */
    long last, next;                       /* steps done at the last look; when to look again */
    double seen, inside, held_back, beyond_limit;
    double rho;         /* as last seen */
    double begin, mark; /* times of the first start, and of the last look at the pace */
    bool crawls;        /* thousands of steps have led hardly anywhere */
} ziAdvice;

struct zvIntegrator {
    const zvIntegrationMethod *method;
    const ziStepper *stepper;
    void *engine; /* the stepper's own */
    ziArena arena;
    zvOde ode;
    int size; /* of the arrays: ode.size, but 1 for none, since SUNDIALS wants at least one unknown */
    int order;
    double rtol, step, max_step;
    double *atol; /* (size) */
    long max_steps;
    zvStructural structural;
    double *memory; /* the stepper's, what zv_integrator_memory shows */
    size_t memory_count;
    bool remembers;                /* at a start: memory is that of a run that goes on */
    bool unwatched;                /* stable at any step: no look at h rho */
    bool started, has_origin, cut; /* cut: the stepper must go on from (t, y), not from its own end */
    double origin;
    double t, t_before; /* as the caller sees it; t <= reach */
    double from, reach; /* the stepper's last step */
    double *y, *y_from; /* at t, at from */
    ziEvents events;
    ziAdvice advice;
    long steps_since_start;
    zvIntegrationStatistics counts; /* what is counted here, and what the stepper counted before the last start */
    ziTrouble trouble;
    double trouble_time;
};

extern const ziStepper zi_stepper_rk4, zi_stepper_euler;
extern const ziStepper zi_stepper_newmark, zi_stepper_alpha, zi_stepper_energy_momentum;
extern const ziStepper zi_stepper_cvode, zi_stepper_erk, zi_stepper_dirk;
extern const ziStepper zi_stepper_dop853; /* erk of order 8 */
extern const ziStepper zi_stepper_auto;

/* Whether name is a method that other builds have and this one has not. */
bool zi_method_is_absent(const char *name);
/* The row of a name, the first of the table for NULL; NULL with an error that names the nearest or all. */
const zvIntegrationMethod *zi_method_choose(const char *name, zvError *error);
const ziStepper *zi_method_stepper(const zvIntegrationMethod *method);

/* Callbacks, counted and checked; 0, positive or negative as in zvOde. */
int zi_call_rate(zvIntegrator *in, double t, const double *y, double *dy);
int zi_call_residual(zvIntegrator *in, double t, const double *y, const double *a, double *r, double *rest);
int zi_call_reduced(zvIntegrator *in, double t, const double *y, const double coefficients[3], const double *r,
                    double *x);
int zi_call_position_rate(zvIntegrator *in, double t, const double *y, double *dy);
int zi_call_events(zvIntegrator *in, double t, const double *y, double *g);
int zi_call_project(zvIntegrator *in, double t, double *y);
/* The failure behind the last trouble of a callback. */
zvStatus zi_trouble_fail(const zvIntegrator *in, const char *whose, zvError *error);

/* The method cannot go on at t, and why. */
zvStatus zi_stops_fail(const zvIntegrator *in, double t, const char *why, zvError *error);
#define ZI_NO_WEIGHT "the error weights vanish: an unknown is zero and its atol is zero too; give an atol"

/* Fixed steps: the end of the step that begins at t. */
double zi_grid_end(const zvIntegrator *in, double t, double t_stop);

/* What a look at the step just done tells of stiffness. */
typedef struct ziLook {
    double rho, turn; /* spectral radius; cos 2a at the angle a of the mode that sets it: 1 decays, -1 vibrates */
    bool held;        /* an explicit Runge-Kutta method: it is wasted here */
} ziLook;
/* Of a mode that decays at the angle a of the negative real axis: bdf of order 4 is stable up to 73 degrees. */
static const double ZI_MOST_TURN = -0.8;
/* Of a member of auto, whose y_from is where its last step began. */
ziLook zi_stiffness(zvIntegrator *in);

int zi_advice_create(zvIntegrator *in); /* 0 when out of memory */
/* After each step of the stepper towards t_stop; looks now and then. */
void zi_advice_look(zvIntegrator *in, double t_stop);

/* Memory for the events of an integrator; 0 when out of memory. */
int zi_events_create(zvIntegrator *in);
/* Looks at the functions at (t, y), where the integrator starts. */
zvStatus zi_events_start(zvIntegrator *in, zvError *error);
/* A step goes on without a start: what fired before is past. */
void zi_events_forget(zvIntegrator *in);
/* Looks for the first zero in (t_before, t]. If there is one, t and y become those of the event. */
zvStatus zi_events_search(zvIntegrator *in, bool *found, zvError *error);

static inline bool zi_is_guard(const zvIntegrator *in, int event) { return in->ode.guards && in->ode.guards[event]; }

#endif
