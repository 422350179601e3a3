/* Events: which functions are located, and what happens at their zeros: this file decides, event.h has the functions
 * and impact.h computes impulses and stops. */
#ifndef ZI_SIMULATE_EVENT_SET_H
#define ZI_SIMULATE_EVENT_SET_H

#include "simulate/event.h"

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

/* Does what the event asks for: changes velocities in y and modes of the system. A failure when it fires for ever, or
 * when nothing moves as it asks: then nothing has changed, and *outcome says that nothing happened. */
zvStatus zi_event_fire(ziEventSet *event_set, int event, int direction, double t, double *y, ziOutcome *outcome,
                       zvError *error);
/* y, modes of friction, stops that hold and loops, kept before something that may fail half way, and put back after it
 * has. */
void zi_event_set_keep(ziEventSet *event_set, const double *y);
void zi_event_set_recover(ziEventSet *event_set, double *y);
/* Lets every stop go, as at the start. */
void zi_event_set_release(ziEventSet *event_set);
/* After an accepted step: shifts end where the frame has left its plane. */
void zi_event_set_relax(ziEventSet *event_set, double t, const double *y);

const char *zi_event_name(const ziEventSet *event_set, int event);
/* Whether there is such an event and this can happen at it; zi_event_text relies on it. */
bool zi_event_is_known(const ziEventSet *event_set, const ziEventRecord *event_record);
const char *zi_event_text(const ziEventSet *event_set, const ziEventRecord *event_record, char *buffer, size_t size);

#endif
