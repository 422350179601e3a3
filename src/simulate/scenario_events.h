/* One event of a scenario being read. */
#ifndef ZI_SIMULATE_SCENARIO_EVENTS_H
#define ZI_SIMULATE_SCENARIO_EVENTS_H

#include "simulate/scenario_read.h"

typedef struct ziEventText {
    ziScenarioReader *reader;
    ziElement element;
    ziEventSpec spec; /* what all events of the entry share */
} ziEventText;

zvStatus zi_event_add(ziEventText *event, const char *name);
/* Fails: it would fire before anything moves. */
zvStatus zi_event_at_once(ziEventText *event, const zvNode *node, const char *name, const char *why);

/* scenario_limits.c */
zvStatus zi_event_limits(ziEventText *event);

#endif
