/* One event of a scenario being read. */
#ifndef ZI_SIMULATE_SCENARIO_EVENTS_H
#define ZI_SIMULATE_SCENARIO_EVENTS_H

#include "simulate/scenario_read.h"

typedef struct ziEventText {
    ziScenarioReader *reader;
    ziNamedMap element;
    ziEventSpec spec; /* what all events of the entry share */
} ziEventText;

zvStatus zi_event_add(ziEventText *event, const char *name);
/* Fails: it would fire before anything moves. */
zvStatus zi_event_at_once(ziEventText *event, const zvNode *node, const char *name, const char *why);

/* scenario_event_kinds.c: the rest of an event of the kind. */
zvStatus zi_event_plane(ziEventText *event);
zvStatus zi_event_threshold(ziEventText *event);
zvStatus zi_event_time(ziEventText *event);

/* scenario_loops.c: what an event that closes or opens a loop says of it. */
#define ZI_SWING_KEYS "loop", "place", "tolerance", "latch"
zvStatus zi_event_swing(ziEventText *event);
/* Refuses events that close a loop which is never open, or open one that is never closed. */
zvStatus zi_event_check_swings(ziScenarioReader *reader, const ziNamedMap *root);

#endif
