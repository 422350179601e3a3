/* Events that close and open loops: new velocities, where the closed loop stands, and which loops are closed. */
#ifndef ZI_SIMULATE_LOOP_EVENTS_H
#define ZI_SIMULATE_LOOP_EVENTS_H

#include "simulate/event.h"

/* Whether an event of this action does something to a loop at all. */
bool zi_event_is_of_loop(const ziEventSpec *event);
/* Whether it changes velocities or forces now, so that rows before and after are wanted. */
bool zi_event_swings(const ziEventSet *event_set, int event);
/* Closes, throws back or opens the loop at (t, y); y becomes the state after it. A failure has changed y and the loop:
 * zi_event_fire takes that back. */
zvStatus zi_loop_fire(ziEventSet *event_set, int event, double t, double *y, ziOutcome *outcome, zvError *error);
/* What is said of it; an empty text: the outcome is none of a loop. */
const char *zi_loop_text(const ziEventSet *event_set, const ziEventRecord *event_record, char *buffer, size_t size);

#endif
