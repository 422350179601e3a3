/* What of a recording is to be drawn: panes, each with entries of one channel that share a unit. */
#ifndef ZVENO_CLI_PICK_H
#define ZVENO_CLI_PICK_H

#include "complain.h"
#include "text.h"
#include "zveno/record.h"

enum { MOST_PANES = 24, USUAL_PANES = 6, MOST_ENTRIES = 12 };

typedef struct PickPane {
    int channel;
    const char *unit;
    int count, total; /* entries drawn, and entries there were to draw */
    int *entries;
    bool whole; /* all of a channel was asked for: entries beyond MOST_ENTRIES may be left out */
} PickPane;

typedef struct Pick {
    int count;
    PickPane panes[MOST_PANES];
    Text left_out; /* channels for which there was no room, "a, momentum" */
} Pick;

/* list: "q,tau.joint1,pose tool"; NULL: all channels, as far as USUAL_PANES go. Complains. To be freed in any case. */
Code pick_read(const zvRecording *recording, const char *list, Pick *pick);
void pick_free(Pick *pick);

#endif
