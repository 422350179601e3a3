/* Events: the functions whose zeros are located, and what happens at them. First those of the scenario, then the
 * stick-slip events of the drives. */
#ifndef ZV_SIMULATE_TRIGGERS_H
#define ZV_SIMULATE_TRIGGERS_H

#include "simulate/jump.h"
#include "simulate/observe.h"

typedef enum zvOccasion {
    ZV_OCCASION_FALLS, /* the function fell through zero */
    ZV_OCCASION_RISES,
    ZV_OCCASION_BOUNCES,
    ZV_OCCASION_RESTS, /* on a stop */
    ZV_OCCASION_LEAVES,
    ZV_OCCASION_STICKS,
    ZV_OCCASION_FORWARD,
    ZV_OCCASION_BACKWARD,
    ZV_OCCASIONS
} zvOccasion;

/* Something that happened, in numbers: a checkpoint keeps it, a text is made of it. */
typedef struct zvOccurrence {
    double t;
    int event;
    zvOccasion what;
    double before, after; /* rates of the event's function, or velocities of its coordinate */
} zvOccurrence;

struct zvTriggers {
    zvSystem *system;
    zvObserver *observer;
    zvJump jump;
    int own, count;        /* events of the scenario; all */
    double *shift;         /* (own) added to the function after a bounce, until the frame has left the plane */
    unsigned char *held;   /* (own) limits on which their coordinate rests: then the function is the stop's force */
    unsigned char *guards; /* (count) as in zvOde */
    double *since;         /* (count) when the present run of firings began */
    double *often;         /* (count) firings since then */
    const char **labels;   /* (own) what a threshold looks at: "tau elbow" */
    double *channel;       /* room for one channel */
    double *J, *normal, *kick;
    bool forces; /* some function needs accelerations */
};

zvStatus zv_triggers_create(zvTriggers *triggers, zvSystem *system, zvObserver *observer, zvError *error);
/* g (count); an answer as in zvOde. */
int zv_triggers_functions(zvTriggers *triggers, double t, const double *y, double *g);

/* Refuses events that are beyond their zero at the start, or would be at once. A coordinate that is pressed against a
 * stop from which it would bounce rests there. */
zvStatus zv_triggers_check(zvTriggers *triggers, double t, double *y, zvError *error);
/* Before every start of the integrator: a limit or plane that is only recorded and already passed is no guard any more,
 * or it would be told again at each start. */
void zv_triggers_arm(zvTriggers *triggers, double t, const double *y);
/* Whether a firing of this direction (+1 rising, -1 falling) is one that was asked for. */
bool zv_trigger_counts(const zvTriggers *triggers, int event, int direction);
/* Whether it is an impact at (t, y). */
bool zv_trigger_strikes(zvTriggers *triggers, int event, double t, const double *y);

typedef struct zvOutcome {
    bool happened, jumped, stop;
    zvOccurrence occurrence;
} zvOutcome;

/* Does what the event asks for: changes velocities in y and modes of the system. A failure when it fires for ever. */
zvStatus zv_trigger_fire(zvTriggers *triggers, int event, int direction, double t, double *y, zvOutcome *outcome,
                         zvError *error);
/* After an accepted step: shifts end where the frame has left its plane. */
void zv_triggers_relax(zvTriggers *triggers, double t, const double *y);

/* Value of an event's function at the state shown, positive on the allowed side of limits and planes, and for these
 * two d/dt and, when the state has been accelerated, d2/dt2. */
double zv_trigger_value(zvTriggers *triggers, int event);
double zv_trigger_rate(zvTriggers *triggers, int event);
double zv_trigger_second_rate(zvTriggers *triggers, int event);

/* Times shorter than this are no motion: a billionth of the run, or what the clock can tell apart. */
double zv_trigger_moment(const zvTriggers *triggers, double t);

/* impact.c. A bounce, or coming to rest, at an event of that action. */
zvStatus zv_impact_bounce(zvTriggers *triggers, int event, double t, double *y, zvOutcome *outcome, zvError *error);
/* Stops: the coordinate of a limit stays there until a force pulls it away. */
zvStatus zv_stop_hold(zvTriggers *triggers, int event, double t, double *y, zvError *error);
zvStatus zv_stop_release(zvTriggers *triggers, int event, double t, double *y, zvError *error);
double zv_stop_force(const zvTriggers *triggers, int event); /* at the state accelerated; below zero: it would pull */
/* After a jump of velocities or forces: stops that cannot hold any more let go. */
zvStatus zv_stops_settle(zvTriggers *triggers, double t, double *y, zvError *error);
/* Tells the system which degrees of freedom are held. */
void zv_stops_tell(zvTriggers *triggers);

const char *zv_trigger_name(const zvTriggers *triggers, int event);
const char *zv_trigger_text(const zvTriggers *triggers, const zvOccurrence *occurrence, char *buffer, size_t size);

#endif
