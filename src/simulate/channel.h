/* Channels of a simulation: one table of kinds with their words, widths, labels and units. */
#ifndef ZI_SIMULATE_CHANNEL_H
#define ZI_SIMULATE_CHANNEL_H

#include "simulate/scenario.h"

/* What the word of a channel in scenario files is followed by. */
typedef enum ziChannelOf { ZI_OF_NOTHING, ZI_OF_FRAME, ZI_OF_JOINT, ZI_OF_LOOP } ziChannelOf;

typedef struct ziChannelRow {
    const char *word;  /* "q", "tau", "pose" */
    const char *about; /* a sentence for the recording */
    ziChannelOf of;
} ziChannelRow;

extern const ziChannelRow zi_channel_rows[ZI_CHANNEL_KINDS];

/* Numbers per row; 0: nothing to show (no accounts, no states). */
int zi_channel_width(const zvScenario *scenario, ziChannelSpec spec);
/* Name ("q", "pose tool", "reactions elbow"), unit, width, labels and units, laid into the arena. Looks at model and
 * drives of the scenario only. Labels: joint names, with ".x" and so on for joints with several coordinates.
 * ZV_SCHEMA when there is nothing to show. */
zvStatus zi_channel_describe(const zvScenario *scenario, ziChannelSpec spec, ziArena *arena, zvChannel *channel,
                             zvError *error);

#endif
