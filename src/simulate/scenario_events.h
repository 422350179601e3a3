/* One event of a scenario being read. */
#ifndef ZV_SIMULATE_SCENARIO_EVENTS_H
#define ZV_SIMULATE_SCENARIO_EVENTS_H

#include "simulate/scenario_read.h"

typedef struct zvEventText {
    zvScenarioReader *reader;
    zvElement element;
    zvEventSpec spec; /* what all events of the entry share */
} zvEventText;

zvStatus zv_event_add(zvEventText *event, const char *name);
/* Fails: it would fire before anything moves. */
zvStatus zv_event_at_once(zvEventText *event, const zvNode *node, const char *name, const char *why);

/* scenario_limits.c */
zvStatus zv_event_limits(zvEventText *event);

#endif
