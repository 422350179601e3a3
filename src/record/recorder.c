/* Recording: rows go to memory or to a spool, and from there into a file. */
#define _POSIX_C_SOURCE 200809L

#include "base/require.h"
#include "record/channels.h"
#include "record/output.h"
#include "record/recording.h"
#include "record/spool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows and events kept in memory. */

typedef struct ziMemory {
    size_t width, row_count, row_capacity; /* capacity in rows */
    double *rows;
    size_t event_count, event_capacity;
    zvEvent *events;
    ziArena texts;
} ziMemory;

/* Rows and events kept in memory. */

static zvStatus memory_full(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for the recording; record less, or to a file");
}

static zvStatus memory_row(ziMemory *memory, const double *row, zvError *error) {
    if (!zi_grow(&memory->rows, memory->row_count, &memory->row_capacity, memory->width * sizeof *row))
        return memory_full(error);
    memcpy(memory->rows + memory->row_count * memory->width, row, memory->width * sizeof *row);
    memory->row_count++;
    return ZV_OK;
}

static zvStatus memory_event(ziMemory *memory, const zvEvent *event, zvError *error) {
    if (!zi_grow(&memory->events, memory->event_count, &memory->event_capacity, sizeof *event))
        return memory_full(error);
    zvEvent copy = {event->t, zi_arena_text(&memory->texts, event->name ? event->name : ""),
                    zi_arena_text(&memory->texts, event->text ? event->text : "")};
    if (!copy.name || !copy.text) return memory_full(error);
    memory->events[memory->event_count++] = copy;
    return ZV_OK;
}

static zvStatus read_rows(void *context, uint64_t first, uint64_t count, double *rows, zvError *error) {
    (void)error;
    const ziMemory *memory = context;
    memcpy(rows, memory->rows + (size_t)first * memory->width, (size_t)count * memory->width * sizeof *rows);
    return ZV_OK;
}

static zvStatus read_event(void *context, uint64_t index, zvEvent *event, zvError *error) {
    (void)error;
    const ziMemory *memory = context;
    *event = memory->events[index];
    return ZV_OK;
}

static void memory_feed(ziMemory *memory, ziFeed *feed) {
    feed->rows = memory->row_count;
    feed->events = memory->event_count;
    feed->context = memory;
    feed->read_rows = read_rows;
    feed->read_event = read_event;
}

static void memory_free(ziMemory *memory) {
    free(memory->rows);
    free(memory->events);
    zi_arena_free(&memory->texts);
    *memory = (ziMemory){0};
}

/* The recorder: rows go to a spool or to memory, and from there into a recording. */

struct zvRecorder {
    char *path, *checkpoint; /* NULL in memory */
    ziChannels channels;
    ziSpool spool;
    ziMemory memory;
};

static zvRecorder *fail_memory(const char *path, zvError *error) {
    zv_fail(error, ZV_MEMORY, (zvMark){path, 0, 0}, "", "out of memory for the recorder");
    return NULL;
}

static zvRecorder *create_recorder(const char *path, int channel_count, const zvChannel *channels, zvError *error) {
    zvRecorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder) return fail_memory(path, error);
    recorder->spool.file = -1;
    if (zi_channels_copy(&recorder->channels, channel_count, channels, path, error) < 0) {
        free(recorder);
        return NULL;
    }
    recorder->memory.width = (size_t)recorder->channels.width;
    return recorder;
}

typedef zvStatus Start(zvRecorder *recorder, const char *spool_path, zvSpoolMark mark, zvError *error);

/* Checks the output before the run, then opens the spool. */
static zvRecorder *create_file(const char *path, int channel_count, const zvChannel *channels, zvSpoolMark mark,
                               Start *start, zvError *error) {
    if (zi_form_check(path, error) < 0) return NULL;
    zvRecorder *recorder = create_recorder(path, channel_count, channels, error);
    if (!recorder) return NULL;
    recorder->path = zi_path_with(path, "");
    recorder->checkpoint = zi_path_with(path, ".checkpoint");
    char *spool_path = zi_path_with(path, ".rows");
    bool ok = recorder->path && recorder->checkpoint && spool_path;
    if (!ok) fail_memory(path, error);
    ok = ok && start(recorder, spool_path, mark, error) >= 0;
    free(spool_path);
    if (ok) return recorder;
    zv_recorder_destroy(recorder);
    return NULL;
}

static zvStatus start_afresh(zvRecorder *recorder, const char *spool_path, zvSpoolMark mark, zvError *error) {
    (void)mark;
    zvStatus status = zi_spool_create(&recorder->spool, spool_path, &recorder->channels, error);
    /* a checkpoint left there speaks of the spool that is no more */
    if (status >= 0) unlink(recorder->checkpoint);
    return status;
}

static zvStatus start_again(zvRecorder *recorder, const char *spool_path, zvSpoolMark mark, zvError *error) {
    return zi_spool_resume(&recorder->spool, spool_path, &recorder->channels, mark, error);
}

zvRecorder *zv_recorder_create(const char *path, int channel_count, const zvChannel *channels, zvError *error) {
    ZI_REQUIRE(path && (channel_count <= 0 || channels));
    return create_file(path, channel_count, channels, (zvSpoolMark){0}, start_afresh, error);
}

zvRecorder *zv_recorder_resume(const char *path, int channel_count, const zvChannel *channels, zvSpoolMark mark,
                               zvError *error) {
    ZI_REQUIRE(path && (channel_count <= 0 || channels));
    return create_file(path, channel_count, channels, mark, start_again, error);
}

zvRecorder *zv_recorder_create_memory(int channel_count, const zvChannel *channels, zvError *error) {
    ZI_REQUIRE(channel_count <= 0 || channels);
    return create_recorder(NULL, channel_count, channels, error);
}

int zv_recorder_width(const zvRecorder *recorder) {
    ZI_REQUIRE(recorder);
    return recorder->channels.width;
}

zvStatus zv_recorder_row(zvRecorder *recorder, const double *row, zvError *error) {
    ZI_REQUIRE(recorder && row);
    return recorder->path ? zi_spool_row(&recorder->spool, row, error) : memory_row(&recorder->memory, row, error);
}

zvStatus zv_recorder_event(zvRecorder *recorder, const zvEvent *event, zvError *error) {
    ZI_REQUIRE(recorder && event);
    return recorder->path ? zi_spool_event(&recorder->spool, event, error)
                          : memory_event(&recorder->memory, event, error);
}

zvStatus zv_recorder_sync(zvRecorder *recorder, bool durable, zvSpoolMark *mark, zvError *error) {
    ZI_REQUIRE(recorder);
    zvSpoolMark now = {0, recorder->memory.row_count, recorder->memory.event_count};
    zvStatus status = ZV_OK;
    if (recorder->path) {
        status = zi_spool_flush(&recorder->spool, durable, error);
        now = recorder->spool.mark;
    }
    if (mark && status >= 0) *mark = now;
    return status;
}

const double *zv_recorder_rows(const zvRecorder *recorder, uint64_t *rows) {
    ZI_REQUIRE(recorder);
    if (rows) *rows = recorder->path ? recorder->spool.mark.rows : recorder->memory.row_count;
    return recorder->memory.rows;
}

static zvStatus write_spool(zvRecorder *recorder, ziFeed *feed, const char *path, zvError *error) {
    zvStatus status = zi_spool_flush(&recorder->spool, false, error);
    if (status < 0) return status;
    ziSpoolFeed source;
    status = zi_spool_feed_open(&source, &recorder->spool, feed, error);
    if (status < 0) return status;
    status = zi_form_write(feed, path, error);
    zi_spool_feed_close(&source);
    return status;
}

/* To the path it was created with, unless another is given. */
zvStatus zv_recorder_finish(zvRecorder *recorder, const char *path, int note_count, const zvNote *notes,
                            zvError *error) {
    ZI_REQUIRE(recorder && (note_count <= 0 || notes));
    ziFeed feed = {.channels = &recorder->channels, .note_count = note_count, .notes = notes};
    if (!path) path = recorder->path;
    if (!path)
        return zv_fail(error, ZV_IO, (zvMark){0}, "",
                       "a recording kept in memory: expected a path, found none; name a file");
    if (recorder->path) return write_spool(recorder, &feed, path, error);
    memory_feed(&recorder->memory, &feed);
    return zi_form_write(&feed, path, error);
}

void zv_recorder_discard_spool(zvRecorder *recorder) {
    ZI_REQUIRE(recorder);
    if (!recorder->path) return;
    unlink(recorder->checkpoint);
    unlink(recorder->spool.path);
}

void zv_recorder_destroy(zvRecorder *recorder) {
    if (!recorder) return;
    zi_spool_close(&recorder->spool);
    memory_free(&recorder->memory);
    zi_channels_free(&recorder->channels);
    free(recorder->path);
    free(recorder->checkpoint);
    free(recorder);
}
