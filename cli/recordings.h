/* Recordings on the command line. */
#ifndef ZVENO_CLI_RECORDINGS_H
#define ZVENO_CLI_RECORDINGS_H

#include "args.h"
#include "complain.h"
#include "json.h"
#include "text.h"
#include "zveno/record.h"

/* Opens the operand; complains. */
Code recording_open(const Args *args, zvRecording **recording);
/* Complains when options were given that only a model has. */
Code recording_refuse_options(const Args *args);

/* The name of a file beside a recording: another suffix in place of its own. */
void recording_beside(const char *recording, const char *suffix, Text *path);

/* Name and unit of one entry of a channel; text is (size) and used when the channel has no labels. */
const char *channel_label(const zvChannel *channel, int entry, char *text, size_t size);
const char *channel_unit(const zvChannel *channel, int entry);
/* Both of all entries: keys "labels" and "units". */
void channel_entries_json(const zvChannel *channel, Json *json);

/* What zveno info says of a recording; zveno-full has it and the next one (quick.c). */
Code recording_info(const Args *args, Text *out);
/* What zveno convert does with one. */
Code recording_convert(const Args *args, Text *out);

/* The rows of t, all times of a recording, between --from and --to: from *first up to before *end. Complains when there
 * are none. */
Code recording_window(const Args *args, const zvRecording *recording, const double *t, uint64_t *first, uint64_t *end);

/* What of a recording is to be drawn: panes, each with entries of one channel that share a unit. */

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
