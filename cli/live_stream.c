/* Rows of a run as server-sent events. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "live_run.h"

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
