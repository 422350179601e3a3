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
    int own, count;      /* events of the scenario; all */
    double *shift;       /* (own) added to the function after a bounce, until the frame has left the plane */
    double *since;       /* (count) when the present run of firings began */
    double *often;       /* (count) firings since then */
    const char **labels; /* (own) what a threshold looks at: "tau elbow" */
    double *channel;     /* room for one channel */
    double *J, *normal, *kick;
    bool forces; /* some function needs accelerations */
};

zvStatus zv_triggers_create(zvTriggers *triggers, zvSystem *system, zvObserver *observer, zvError *error);
/* g (count); an answer as in zvOde. */
int zv_triggers_functions(zvTriggers *triggers, double t, const double *y, double *g);

/* Refuses events that are beyond their zero at the start, or would be at once. */
zvStatus zv_triggers_check(zvTriggers *triggers, double t, const double *y, zvError *error);
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

const char *zv_trigger_name(const zvTriggers *triggers, int event);
const char *zv_trigger_text(const zvTriggers *triggers, const zvOccurrence *occurrence, char *buffer, size_t size);

#endif
