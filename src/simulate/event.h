/* What is known of the events of a run while it goes on, and their functions, whose zeros are located. First those of
 * the scenario, then the stick-slip events of the drives. */
#ifndef ZI_SIMULATE_EVENT_H
#define ZI_SIMULATE_EVENT_H

#include "simulate/observe.h"
#include "simulate/system.h"

typedef enum ziEventOutcome {
    ZI_OUTCOME_FALLS, /* the function fell through zero */
    ZI_OUTCOME_RISES,
    ZI_OUTCOME_BOUNCES,
    ZI_OUTCOME_RESTS, /* on a stop */
    ZI_OUTCOME_LEAVES,
    ZI_OUTCOME_CLOSES, /* a loop; before is its gap, after the energy that it brings in */
    ZI_OUTCOME_REBOUNDS,
    ZI_OUTCOME_OPENS,
    ZI_OUTCOME_IS_SO, /* a loop that is to be closed is closed, or open */
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
    double *loop_gaps, *loop_rates; /* (rows of all loops) */
    /* y, modes (count - own), held, loops and what counts as closed, as they were before an event that may fail half
     * way */
    double *y_before, *offsets_before;
    unsigned char *modes_before, *held_before, *open_before;
    bool forces; /* some function needs accelerations */
};

typedef struct ziOutcome {
    bool fired, jumped, stop;
    ziEventRecord event_record;
} ziOutcome;

/* Value of an event's function at the state shown, positive on the allowed side of limits and planes, and for these
 * two d/dt and, when the state has been accelerated, d2/dt2. */
double zi_event_value(ziEventSet *event_set, int event);
double zi_event_rate(ziEventSet *event_set, int event);
double zi_event_second_rate(ziEventSet *event_set, int event);

/* Times shorter than this are no motion: a billionth of the run, or what the clock can tell apart. */
double zi_event_moment(const ziEventSet *event_set, double t);

#endif
