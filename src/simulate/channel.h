/* Channels of a simulation: one table of kinds with their words, widths, labels and units. */
#ifndef ZV_SIMULATE_CHANNEL_H
#define ZV_SIMULATE_CHANNEL_H

#include "simulate/scenario.h"

/* What the word of a channel in scenario files is followed by. */
typedef enum zvChannelOf { ZV_OF_NOTHING, ZV_OF_FRAME, ZV_OF_JOINT, ZV_OF_LOOP } zvChannelOf;

typedef struct zvChannelRow {
    const char *word;  /* "q", "tau", "pose" */
    const char *about; /* a sentence for the recording */
    zvChannelOf of;
} zvChannelRow;

extern const zvChannelRow zv_channel_rows[ZV_CHANNEL_KINDS];

/* Numbers per row; 0: nothing to show (no accounts, no states). */
int zv_channel_width(const zvScenario *scenario, zvChannelSpec spec);
/* Name ("q", "pose tool", "reactions elbow"), unit, width, labels and units, laid into the arena. Looks at model and
 * drives of the scenario only. Labels: joint names, with ".x" and so on for joints with several coordinates.
 * ZV_SCHEMA when there is nothing to show. */
zvStatus zv_channel_describe(const zvScenario *scenario, zvChannelSpec spec, zvArena *arena, zvChannel *channel,
                             zvError *error);

#endif
