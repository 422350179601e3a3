/* What a run in a thread and the streams of its rows share. */
#ifndef ZVENO_CLI_LIVE_RUN_H
#define ZVENO_CLI_LIVE_RUN_H

#include <pthread.h>

#include "live.h"
#include "live_rows.h"

/* Everything below `changed` is looked at under the lock, but for what is constant once `begun` is set. */
struct Live {
    const zvScenario *scenario;
    zvRunOptions options;
    pthread_t thread;
    bool running; /* the thread is to be joined */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* begun, ended or stopping became true, a stream was closed; by the monotonic clock */
    bool begun, ended, stopping;
    bool full;   /* out of memory for rows */
    int streams; /* that are open */
    int channel_count;
    zvChannel *channels; /* constant */
    LiveRows rows;
    zvStatus status;
    zvError error;
    zvRunSummary *summary; /* constant when ended */
};

/* Waits for a change, but not beyond `until` (s of the monotonic clock); under the lock. */
void live_wait(Live *live, double until);
double live_clock(void);

/* A copy of channels in one block, to be freed; NULL when out of memory. */
zvChannel *live_channels_copy(int count, const zvChannel *channels);

#endif
