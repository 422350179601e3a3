/* A simulation in a thread of its own. */
#define _POSIX_C_SOURCE 200809L
#include "live.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "live_run.h"

static const double FAREWELL = 0.5; /* s that streams have to tell their pages the end */

/* Clock and waiting ----------------------------------------------------------------------------------- */

double live_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void live_wait(Live *live, double until) {
    const double whole = floor(until);
    const struct timespec time = {.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (until - whole))};
    pthread_cond_timedwait(&live->changed, &live->lock, &time);
}

static bool make_lock(Live *live) {
    pthread_condattr_t monotonic;
    if (pthread_mutex_init(&live->lock, NULL)) return false;
    bool made = !pthread_condattr_init(&monotonic);
    if (made) {
        made =
            !pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) && !pthread_cond_init(&live->changed, &monotonic);
        pthread_condattr_destroy(&monotonic);
    }
    if (!made) pthread_mutex_destroy(&live->lock);
    return made;
}

/* In the thread of the run ---------------------------------------------------------------------------- */

static void begin(void *context, int count, const zvChannel *channels) {
    Live *live = context;
    size_t width = 0;
    for (int i = 0; i < count; i++) width += (size_t)channels[i].width;
    pthread_mutex_lock(&live->lock);
    live->channels = live_channels_copy(count, channels);
    live->channel_count = count;
    live->begun = live->channels && live_rows_create(&live->rows, width, 0);
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
}

static bool take_row(void *context, const double *row) {
    Live *live = context;
    pthread_mutex_lock(&live->lock);
    live->full = live->full || !live->begun || !live_rows_add(&live->rows, row);
    const bool go_on = !live->full && !live->stopping;
    pthread_mutex_unlock(&live->lock);
    return go_on;
}

static bool ask(void *context, const zvProgress *progress) {
    (void)progress;
    Live *live = context;
    pthread_mutex_lock(&live->lock);
    const bool go_on = !live->stopping;
    pthread_mutex_unlock(&live->lock);
    return go_on;
}

/* For whoever looks at the terminal and not at the page. */
static void tell_end(const Live *live) {
    if (live->full)
        complain_memory();
    else if (live->status < 0)
        complain_error(&live->error);
    else
        remark("the run has ended at t = %.6g s: %s", zv_run_time(live->summary), zv_run_ending(live->summary));
}

static void *run(void *context) {
    Live *live = context;
    zvError error = {0};
    zvRunSummary *summary = NULL;
    const zvStatus status = zv_simulate(live->scenario, &live->options, &summary, &error);
    pthread_mutex_lock(&live->lock);
    if (live->begun && !live->full) live_rows_finish(&live->rows);
    live->status = status;
    live->error = error;
    live->summary = summary;
    live->ended = true;
    const bool tells = live->begun && !live->stopping;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    if (tells) tell_end(live); /* nothing of it changes any more */
    return NULL;
}

/* In those of others ---------------------------------------------------------------------------------- */

/* Signals are for the thread that waits for them. */
static bool start_thread(Live *live) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    live->running = !pthread_create(&live->thread, NULL, run, live);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return live->running;
}

/* Until the channels are known, or the run is over before. */
static bool wait_for_begin(Live *live) {
    pthread_mutex_lock(&live->lock);
    while (!live->begun && !live->ended) pthread_cond_wait(&live->changed, &live->lock);
    const bool begun = live->begun;
    pthread_mutex_unlock(&live->lock);
    return begun;
}

Code live_start(const zvScenario *scenario, const char *output, const char *command, Live **live) {
    Live *made = *live = calloc(1, sizeof *made);
    if (!made) return complain_memory();
    made->scenario = scenario;
    made->options = (zvRunOptions){.output = output,
                                   .command = command,
                                   .progress = ask,
                                   .progress_interval = 0.05,
                                   .begin = begin,
                                   .row = take_row,
                                   .context = made};
    if (!make_lock(made)) {
        free(made);
        *live = NULL;
        return complain_memory();
    }
    if (start_thread(made) && wait_for_begin(made)) return CODE_DONE;
    live_stop(made);
    const Code code = made->error.status < 0 ? complain_error(&made->error) : complain_memory();
    live_free(made);
    *live = NULL;
    return code;
}

void live_stop(Live *live) {
    const double until = live_clock() + FAREWELL;
    pthread_mutex_lock(&live->lock);
    live->stopping = true;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    if (live->running) pthread_join(live->thread, NULL);
    live->running = false;
    pthread_mutex_lock(&live->lock);
    while (live->streams && live_clock() < until) live_wait(live, until); /* a page that does not read is left */
    pthread_mutex_unlock(&live->lock);
}

void live_free(Live *live) {
    if (!live) return;
    pthread_cond_destroy(&live->changed);
    pthread_mutex_destroy(&live->lock);
    zv_run_summary_destroy(live->summary);
    live_rows_free(&live->rows);
    free(live->channels);
    free(live);
}

int live_channels(const Live *live, const zvChannel **channels) {
    *channels = live->channels;
    return live->channel_count;
}

const zvRunSummary *live_summary(Live *live) {
    pthread_mutex_lock(&live->lock);
    const zvRunSummary *summary = live->ended ? live->summary : NULL;
    pthread_mutex_unlock(&live->lock);
    return summary;
}

void live_tell_thinned(Live *live, Text *out) {
    pthread_mutex_lock(&live->lock);
    live_rows_tell(&live->rows, out);
    pthread_mutex_unlock(&live->lock);
}
