/* Impacts, and rest on stops: new velocities, and which limits hold their coordinate. Asks events, decides none. */
#ifndef ZI_SIMULATE_IMPACT_H
#define ZI_SIMULATE_IMPACT_H

#include "simulate/event.h"

/* A bounce, or coming to rest, at an event of that action. */
zvStatus zi_impact_bounce(ziEventSet *event_set, int event, double t, double *y, ziOutcome *outcome, zvError *error);
/* Stops: the coordinate of a limit stays there until a force pulls it away. */
zvStatus zi_stop_hold(ziEventSet *event_set, int event, double t, double *y, zvError *error);
zvStatus zi_stop_release(ziEventSet *event_set, int event, double t, double *y, zvError *error);
double zi_stop_force(const ziEventSet *event_set, int event); /* at the state accelerated; below zero: it would pull */
/* After a jump of velocities or forces: stops that cannot hold any more let go. */
zvStatus zi_stops_settle(ziEventSet *event_set, double t, double *y, zvError *error);
/* Tells the system which degrees of freedom are held. */
void zi_stops_tell(ziEventSet *event_set);

#endif
