/* Reading a spool in order, and feeding it to the writers of recordings. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/output.h"
#include "record/spool.h"

enum { BUFFER = 256 * 1024, EVENT_FIXED = sizeof(double) + sizeof(uint32_t) };

zvStatus zi_spool_cursor_open(ziSpoolCursor *cursor, const ziSpool *spool, uint64_t end, zvError *error) {
    *cursor = (ziSpoolCursor){.spool = spool, .at = spool->start, .end = end, .buffer = malloc(BUFFER)};
    return cursor->buffer ? ZV_OK : zi_output_fail(error, spool->path, ENOMEM, "read");
}

void zi_spool_cursor_close(ziSpoolCursor *cursor) {
    free(cursor->buffer);
    cursor->buffer = NULL;
}

static zvStatus fail_damaged(const ziSpoolCursor *cursor, zvError *error) {
    return zv_fail(error, ZV_SYNTAX, (zvMark){cursor->spool->path, 0, 0}, cursor->spool->path,
                   "the spool is damaged at byte %llu; start the run from the beginning",
                   (unsigned long long)cursor->at);
}

static zvStatus fill(ziSpoolCursor *cursor, zvError *error) {
    ssize_t got;
    do got = pread(cursor->spool->file, cursor->buffer, BUFFER, (off_t)cursor->at);
    while (got < 0 && errno == EINTR);
    if (got < 0) return zi_output_fail(error, cursor->spool->path, errno, "read");
    if (got == 0) return fail_damaged(cursor, error);
    cursor->used = 0;
    cursor->filled = (size_t)got;
    return ZV_OK;
}

/* Bytes of the file, wherever they belong. */
static zvStatus take_bytes(ziSpoolCursor *cursor, void *to, size_t size, zvError *error) {
    if (size > cursor->end - cursor->at) return fail_damaged(cursor, error);
    char *place = to;
    while (size > 0) {
        size_t ready = cursor->filled - cursor->used;
        if (ready == 0) {
            zvStatus status = fill(cursor, error);
            if (status < 0) return status;
            continue;
        }
        size_t count = size < ready ? size : ready;
        cursor->sum = zi_checksum_add(cursor->sum, cursor->buffer + cursor->used, count);
        if (place) {
            memcpy(place, cursor->buffer + cursor->used, count);
            place += count;
        }
        cursor->used += count;
        cursor->at += count;
        size -= count;
    }
    return ZV_OK;
}

zvStatus zi_spool_take(ziSpoolCursor *cursor, void *to, size_t size, zvError *error) {
    if (size > cursor->left) return fail_damaged(cursor, error);
    zvStatus status = take_bytes(cursor, to, size, error);
    cursor->left -= size;
    if (status >= 0 && cursor->left == 0 && cursor->sum != cursor->due) return fail_damaged(cursor, error);
    return status;
}

zvStatus zi_spool_next(ziSpoolCursor *cursor, ziSpoolRecord *record, zvError *error) {
    *record = (ziSpoolRecord){0};
    if (cursor->at == cursor->end) return ZV_OK;
    zvStatus status = take_bytes(cursor, record, sizeof *record, error);
    if (status < 0) return status;
    cursor->left = record->size;
    cursor->due = record->sum;
    cursor->sum = zi_checksum(record, offsetof(ziSpoolRecord, sum));
    bool row = record->kind == ZI_SPOOL_ROW && record->size == (size_t)cursor->spool->width * sizeof(double);
    bool event = record->kind == ZI_SPOOL_EVENT && record->size >= EVENT_FIXED;
    return row || event ? ZV_OK : fail_damaged(cursor, error);
}

/* Feed -------------------------------------------------------------------------------------------------- */

/* Passes to the next record of a kind. */
static zvStatus find_next(ziSpoolCursor *cursor, uint32_t kind, ziSpoolRecord *record, zvError *error) {
    for (;;) {
        zvStatus status = zi_spool_next(cursor, record, error);
        if (status < 0 || record->kind == kind) return status;
        if (record->kind == 0) return fail_damaged(cursor, error);
        status = zi_spool_take(cursor, NULL, record->size, error);
        if (status < 0) return status;
    }
}

static void rewind_cursor(ziSpoolCursor *cursor) {
    cursor->at = cursor->spool->start;
    cursor->used = cursor->filled = 0;
}

static zvStatus read_rows(void *context, uint64_t first, uint64_t count, double *rows, zvError *error) {
    ziSpoolFeed *source = context;
    size_t width = (size_t)source->rows.spool->width;
    if (first < source->next_row) {
        rewind_cursor(&source->rows);
        source->next_row = 0;
    }
    while (source->next_row < first + count) {
        ziSpoolRecord record;
        zvStatus status = find_next(&source->rows, ZI_SPOOL_ROW, &record, error);
        double *to = source->next_row < first ? NULL : rows + (size_t)(source->next_row - first) * width;
        if (status >= 0) status = zi_spool_take(&source->rows, to, record.size, error);
        if (status < 0) return status;
        source->next_row++;
    }
    return ZV_OK;
}

static zvStatus take_event(ziSpoolFeed *source, uint32_t size, zvEvent *event, zvError *error) {
    ziSpoolCursor *cursor = &source->events;
    uint32_t length;
    zvStatus status = zi_spool_take(cursor, &event->t, sizeof event->t, error);
    if (status >= 0) status = zi_spool_take(cursor, &length, sizeof length, error);
    if (status < 0) return status;
    size_t rest = size - EVENT_FIXED;
    if (length > rest) return fail_damaged(cursor, error);
    if (rest + 2 > source->capacity) {
        char *larger = realloc(source->text, 2 * rest + 2);
        if (!larger) return zi_output_fail(error, cursor->spool->path, ENOMEM, "read");
        source->text = larger;
        source->capacity = 2 * rest + 2;
    }
    char *text = source->text + length + 1;
    status = zi_spool_take(cursor, source->text, length, error);
    if (status >= 0) status = zi_spool_take(cursor, text, rest - length, error);
    source->text[length] = text[rest - length] = '\0';
    event->name = source->text;
    event->text = text;
    return status;
}

static zvStatus read_event(void *context, uint64_t index, zvEvent *event, zvError *error) {
    ziSpoolFeed *source = context;
    if (index < source->next_event) {
        rewind_cursor(&source->events);
        source->next_event = 0;
    }
    zvStatus status = ZV_OK;
    while (status >= 0 && source->next_event <= index) {
        ziSpoolRecord record;
        status = find_next(&source->events, ZI_SPOOL_EVENT, &record, error);
        if (status >= 0) status = take_event(source, record.size, event, error);
        source->next_event++;
    }
    return status;
}

zvStatus zi_spool_feed_open(ziSpoolFeed *source, const ziSpool *spool, ziFeed *feed, zvError *error) {
    *source = (ziSpoolFeed){0};
    feed->rows = spool->mark.rows;
    feed->events = spool->mark.events;
    feed->context = source;
    feed->read_rows = read_rows;
    feed->read_event = read_event;
    zvStatus status = zi_spool_cursor_open(&source->rows, spool, spool->mark.bytes, error);
    if (status >= 0) status = zi_spool_cursor_open(&source->events, spool, spool->mark.bytes, error);
    if (status < 0) zi_spool_feed_close(source);
    return status;
}

void zi_spool_feed_close(ziSpoolFeed *source) {
    zi_spool_cursor_close(&source->rows);
    zi_spool_cursor_close(&source->events);
    free(source->text);
}
