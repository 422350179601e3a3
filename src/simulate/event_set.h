/* Events: the functions whose zeros are located, and what happens at them. First those of the scenario, then the
 * stick-slip events of the drives. */
#ifndef ZI_SIMULATE_EVENT_SET_H
#define ZI_SIMULATE_EVENT_SET_H

#include "simulate/observe.h"
#include "simulate/system.h"

typedef enum ziEventOutcome {
    ZI_OUTCOME_FALLS, /* the function fell through zero */
    ZI_OUTCOME_RISES,
    ZI_OUTCOME_BOUNCES,
    ZI_OUTCOME_RESTS, /* on a stop */
    ZI_OUTCOME_LEAVES,
    ZI_OUTCOME_STICKS,
    ZI_OUTCOME_FORWARD,
    ZI_OUTCOME_BACKWARD,
    ZI_OUTCOMES
} ziEventOutcome;

/* Something that happened, in numbers: a checkpoint keeps it, a text is made of it. */
typedef struct ziEventRecord {
    double t;
    int event;
    ziEventOutcome what;
    double before, after; /* rates of the event's function, or velocities of its coordinate */
} ziEventRecord;

struct ziEventSet {
    ziSystem *system;
    ziObserver *observer;
    ziJump jump;
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

zvStatus zi_event_set_create(ziEventSet *event_set, ziSystem *system, ziObserver *observer, zvError *error);
/* g (count); an answer as in zvOde. */
int zi_event_set_functions(ziEventSet *event_set, double t, const double *y, double *g);

/* Refuses events that are beyond their zero at the start, or would be at once. A coordinate that is pressed against a
 * stop from which it would bounce rests there. */
zvStatus zi_event_set_check(ziEventSet *event_set, double t, double *y, zvError *error);
/* Before every start of the integrator: a limit or plane that is only recorded and already passed is no guard any more,
 * or it would be told again at each start. */
void zi_event_set_arm(ziEventSet *event_set, double t, const double *y);
/* Whether a firing of this direction (+1 rising, -1 falling) is one that was asked for. */
bool zi_event_counts(const ziEventSet *event_set, int event, int direction);
/* Whether it is an impact at (t, y). */
bool zi_event_strikes(ziEventSet *event_set, int event, double t, const double *y);

typedef struct ziOutcome {
    bool fired, jumped, stop;
    ziEventRecord event_record;
} ziOutcome;

/* Does what the event asks for: changes velocities in y and modes of the system. A failure when it fires for ever. */
zvStatus zi_event_fire(ziEventSet *event_set, int event, int direction, double t, double *y, ziOutcome *outcome,
                       zvError *error);
/* After an accepted step: shifts end where the frame has left its plane. */
void zi_event_set_relax(ziEventSet *event_set, double t, const double *y);

/* Value of an event's function at the state shown, positive on the allowed side of limits and planes, and for these
 * two d/dt and, when the state has been accelerated, d2/dt2. */
double zi_event_value(ziEventSet *event_set, int event);
double zi_event_rate(ziEventSet *event_set, int event);
double zi_event_second_rate(ziEventSet *event_set, int event);

/* Times shorter than this are no motion: a billionth of the run, or what the clock can tell apart. */
double zi_event_moment(const ziEventSet *event_set, double t);

/* impact.c. A bounce, or coming to rest, at an event of that action. */
zvStatus zi_impact_bounce(ziEventSet *event_set, int event, double t, double *y, ziOutcome *outcome, zvError *error);
/* Stops: the coordinate of a limit stays there until a force pulls it away. */
zvStatus zi_stop_hold(ziEventSet *event_set, int event, double t, double *y, zvError *error);
zvStatus zi_stop_release(ziEventSet *event_set, int event, double t, double *y, zvError *error);
double zi_stop_force(const ziEventSet *event_set, int event); /* at the state accelerated; below zero: it would pull */
/* After a jump of velocities or forces: stops that cannot hold any more let go. */
zvStatus zi_stops_settle(ziEventSet *event_set, double t, double *y, zvError *error);
/* Tells the system which degrees of freedom are held. */
void zi_stops_tell(ziEventSet *event_set);

const char *zi_event_name(const ziEventSet *event_set, int event);
const char *zi_event_text(const ziEventSet *event_set, const ziEventRecord *event_record, char *buffer, size_t size);

#endif
