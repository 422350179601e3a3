/* A simulation in a thread of its own, and its rows as events for any number of pages (viewer/README.md, "Served"). */
#ifndef ZVENO_CLI_LIVE_LIVE_H
#define ZVENO_CLI_LIVE_LIVE_H

#include "complain.h"
#include "text.h"
#include "zveno/simulate.h"

typedef struct Live Live;

/* Starts a run and waits until its channels are known. Complains when it does not get under way. */
Code live_start(const zvScenario *scenario, const char *output, const char *command, Live **live);
/* Asks the run to stop, waits for that, and lets streams tell their pages, as long as that takes half a second. */
void live_stop(Live *live);
void live_free(Live *live); /* after live_stop; NULL is allowed */

int live_channels(const Live *live, const zvChannel **channels); /* those of the recording, time first */
/* NULL while the run goes on, and when it got nowhere. */
const zvRunSummary *live_summary(Live *live);
/* Which rows are shown; nothing when all are. */
void live_tell_thinned(Live *live, Text *out);

/* Server-sent events, from row 0 or from where the event `after` ended (-1: none). Any thread may have its own. */
void *live_stream_open(void *live, int64_t after);
/* Waits for rows, about a thirtieth of a second's at a time; false: all has been sent, or the end has come. */
bool live_stream_next(void *stream, Text *out);
void live_stream_close(void *stream);

#endif
