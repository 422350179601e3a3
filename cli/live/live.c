/* A simulation in a thread of its own. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "live/live.h"
#include "live/rows.h"

/* What a run in a thread and the streams of its rows share. */

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
static void live_wait(Live *live, double until);
static double live_clock(void);

/* A copy of channels in one block, to be freed; NULL when out of memory. */
static zvChannel *live_channels_copy(int count, const zvChannel *channels);

static const double CLOSING_TIME = 0.5; /* s that streams have to tell their pages the end */

/* Clock and waiting ----------------------------------------------------------------------------------- */

static double live_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void live_wait(Live *live, double until) {
    const double whole = floor(until);
    const struct timespec time = {.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (until - whole))};
    pthread_cond_timedwait(&live->changed, &live->lock, &time);
}

/* The clock of the condition is the monotonic one: a change of the date must not keep a stream waiting. */
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

static void begin_rows(void *context, int count, const zvChannel *channels) {
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

static bool is_to_go_on(void *context, const zvProgress *progress) {
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

/* The thread: simulates, then publishes how it ended under the lock and wakes everyone who waits. */
static void *run_thread(void *context) {
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
    live->running = !pthread_create(&live->thread, NULL, run_thread, live);
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

/* Returns when the channels are known or the run has failed before that, so that a page never sees half a beginning. */
Code live_start(const zvScenario *scenario, const char *output, const char *command, Live **live) {
    Live *made = *live = calloc(1, sizeof *made);
    if (!made) return complain_memory();
    made->scenario = scenario;
    made->options = (zvRunOptions){.output = output,
                                   .command = command,
                                   .progress = is_to_go_on,
                                   .progress_interval = 0.05,
                                   .begin = begin_rows,
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

/* The run ends after its current step; streams get a moment to tell their pages. */
void live_stop(Live *live) {
    const double until = live_clock() + CLOSING_TIME;
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

/* A copy of channels that outlives the run they belong to: one block of channels, lists and texts. */

/* Where the next list or text goes; NULL: only the size is wanted. */
typedef struct LiveBlock {
    char *bytes;
    size_t lists, texts; /* bytes used of each; texts come behind all lists */
} LiveBlock;

static const char *put_text(LiveBlock *block, size_t base, const char *text) {
    if (!text) return NULL;
    char *to = block->bytes ? block->bytes + base + block->texts : NULL;
    const size_t size = strlen(text) + 1;
    block->texts += size;
    return to ? memcpy(to, text, size) : NULL;
}

static const char *const *put_list(LiveBlock *block, size_t base, const char *const *texts, int count) {
    if (!texts) return NULL;
    const char **to = block->bytes ? (const char **)(void *)(block->bytes + block->lists) : NULL;
    block->lists += (size_t)count * sizeof *to;
    for (int i = 0; i < count; i++) {
        const char *text = put_text(block, base, texts[i]);
        if (to) to[i] = text;
    }
    return to;
}

/* base: bytes of channels and lists. */
static void put_channels(LiveBlock *block, size_t base, int count, const zvChannel *channels) {
    zvChannel *to = (zvChannel *)(void *)block->bytes;
    block->lists = (size_t)count * sizeof *to;
    block->texts = 0;
    for (int i = 0; i < count; i++) {
        const zvChannel *from = &channels[i];
        const zvChannel made = {.name = put_text(block, base, from->name),
                                .unit = put_text(block, base, from->unit),
                                .about = put_text(block, base, from->about),
                                .width = from->width,
                                .labels = put_list(block, base, from->labels, from->width),
                                .units = put_list(block, base, from->units, from->width)};
        if (to) to[i] = made;
    }
}

static zvChannel *live_channels_copy(int count, const zvChannel *channels) {
    LiveBlock block = {0};
    put_channels(&block, 0, count, channels);
    const size_t base = block.lists;
    block.bytes = malloc(base + block.texts + 1);
    if (block.bytes) put_channels(&block, base, count, channels);
    return (zvChannel *)(void *)block.bytes;
}

/* Rows of a run as server-sent events. */

enum { NUMBERS_AT_ONCE = 1 << 14 };   /* in one event */
static const double FLUSH = 1.0 / 30; /* s between two events */
static const double HEARTBEAT = 10;   /* s of silence after which a comment shows that the line is open */

typedef struct LiveStream {
    Live *live;
    size_t at, at_once; /* rows that were sent; most in one event */
    bool over;          /* the end was told */
    double sent;        /* when something was sent last */
    double *batch;
} LiveStream;

static void count_stream(Live *live, int more) {
    pthread_mutex_lock(&live->lock);
    live->streams += more;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
}

/* Continues behind the last event a page has seen, so that a lost connection costs nothing. */
void *live_stream_open(void *context, int64_t after) {
    Live *live = context;
    LiveStream *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    const size_t width = live->rows.width, fit = NUMBERS_AT_ONCE / width;
    *s = (LiveStream){.live = live, .at_once = fit ? fit : 1};
    if (after > 0) s->at = (size_t)after;
    s->batch = malloc(s->at_once * width * sizeof *s->batch);
    if (!s->batch) {
        free(s);
        return NULL;
    }
    count_stream(live, 1);
    return s;
}

void live_stream_close(void *context) {
    LiveStream *s = context;
    count_stream(s->live, -1);
    free(s->batch);
    free(s);
}

/* {"first": 0, "rows": [[...], ...]}; numbers that are not finite are null. The id says how many rows are there. */
static void put_rows(const LiveStream *s, size_t count, Text *out) {
    const size_t width = s->live->rows.width;
    text_printf(out, "id: %zu\nevent: rows\ndata: {\"first\": %zu, \"rows\": [", s->at, s->at - count);
    for (size_t i = 0; i < count * width; i++) {
        text_puts(out, i % width ? "," : i ? "],[" : "[");
        text_number(out, s->batch[i]);
    }
    text_puts(out, "]]}\n\n");
}

static void put_end(const char *ending, bool failed, bool document, Text *out) {
    text_puts(out, "event: end\ndata: ");
    Json json = json_start(out);
    json_map(&json, JSON_LINE);
    json_key(&json, "ending"), json_text(&json, ending);
    json_key(&json, "failed"), json_bool(&json, failed);
    json_key(&json, "document"), json_bool(&json, document);
    json_end(&json);
    text_puts(out, "\n");
}

/* Of a run that is over by itself. */
static void put_end_of(const Live *live, Text *out) {
    const char *ending = live->full      ? "out of memory for the rows"
                         : live->summary ? zv_run_ending(live->summary)
                                         : live->error.text;
    put_end(ending, live->status < 0 || live->full, live->summary != NULL, out);
}

/* Under the lock: copies the rows that are due, 0 when none are. */
static size_t take_batch(LiveStream *s) {
    const LiveRows *rows = &s->live->rows;
    if (s->at > rows->count) s->at = 0; /* the page has seen another run */
    size_t count = rows->count - s->at;
    if (count < s->at_once && !s->live->ended && live_clock() < s->sent + FLUSH) return 0;
    if (count > s->at_once) count = s->at_once;
    if (count) memcpy(s->batch, rows->values + s->at * rows->width, count * rows->width * sizeof *s->batch);
    s->at += count;
    return count;
}

/* One batch of rows, a sign of life when there is nothing to tell, or the end; waits outside of the lock. */
bool live_stream_next(void *context, Text *out) {
    LiveStream *s = context;
    Live *live = s->live;
    size_t count = 0;
    pthread_mutex_lock(&live->lock);
    bool silent = true;
    while (silent && !live->stopping) {
        count = take_batch(s);
        silent = !count && !live->ended && live_clock() < s->sent + HEARTBEAT;
        if (silent) live_wait(live, live_clock() + FLUSH);
    }
    const bool stopped = live->stopping && !count, at_end = stopped || (!count && live->ended);
    pthread_mutex_unlock(&live->lock);
    if (s->over) return false;
    s->sent = live_clock();
    s->over = at_end;
    if (count)
        put_rows(s, count, out);
    else if (stopped) /* rows that were not sent yet would be too many */
        put_end("zveno view was stopped", false, false, out);
    else if (at_end)
        put_end_of(live, out);
    else
        text_puts(out, ": the run goes on\n\n");
    return true;
}
