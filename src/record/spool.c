/* Spools (spool.h): writing, and reading them in order. */
#define _XOPEN_SOURCE 700

#include "record/spool.h"

#include "record/output.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writing a spool. Records are gathered whole in a buffer and written at a known place of the file: after a failed
 * write (a full disk) the buffer stands, and the next try goes on where the last one stopped. */

enum { BUFFER = 256 * 1024, VERSION = 2, BYTE_ORDER_MARK = 0x01020304, MAGIC_SIZE = 8 };
static const char MAGIC[MAGIC_SIZE + 1] = "zvrows\r\n";

/* Beginning and end ------------------------------------------------------------------------------------- */

/* Describes the channels: a resumed run must have the same. */
static zvStatus make_head(const ziChannels *channels, const char *path, ziBytes *head, zvError *error) {
    ziBytes description = {0};
    zi_channels_describe(channels, &description);
    zi_bytes_add(head, MAGIC, MAGIC_SIZE);
    zi_bytes_add_u32(head, VERSION);
    zi_bytes_add_u32(head, BYTE_ORDER_MARK);
    zi_bytes_add_u64(head, description.size);
    zi_bytes_add(head, description.data, description.size);
    if (!head->failed) zi_bytes_add_u64(head, zi_checksum(head->data, head->size));
    bool failed = head->failed || description.failed;
    zi_bytes_free(&description);
    return failed ? zi_output_fail(error, path, ENOMEM, "created") : ZV_OK;
}

/* Locked: two runs with one output would mix their rows. */
static zvStatus open_spool(ziSpool *spool, const char *path, int width, bool create, zvError *error) {
    *spool = (ziSpool){.file = -1, .width = width, .capacity = BUFFER};
    spool->path = zi_path_with(path, "");
    spool->buffer = malloc(spool->capacity);
    if (!spool->path || !spool->buffer) return zi_output_fail(error, path, ENOMEM, "created");
    spool->file = create ? zi_create_locked(path, 0666) : zi_open_locked(path);
    if (spool->file >= 0) return ZV_OK;
    if (errno == ENOENT && !create)
        return zv_fail(error, ZV_IO, (zvMark){path, 0, 0}, path,
                       "expected a spool of an earlier run to go on with, found none; start from the beginning");
    return zi_output_fail(error, path, errno, create ? "created" : "opened");
}

static zvStatus begin_spool(ziSpool *spool, const ziBytes *head, zvError *error) {
    if (zi_write_all(spool->file, head->data, head->size, 0) < head->size) {
        zvStatus status = zi_output_fail(error, spool->path, errno, "written");
        unlink(spool->path);
        return status;
    }
    spool->start = spool->written = spool->mark.bytes = head->size;
    return ZV_OK;
}

zvStatus zi_spool_create(ziSpool *spool, const char *path, const ziChannels *channels, zvError *error) {
    ziBytes head = {0};
    zvStatus status = open_spool(spool, path, channels->width, true, error);
    if (status >= 0) status = make_head(channels, path, &head, error);
    if (status >= 0) status = begin_spool(spool, &head, error);
    zi_bytes_free(&head);
    if (status < 0) zi_spool_close(spool);
    return status;
}

void zi_spool_close(ziSpool *spool) {
    if (spool->file >= 0) close(spool->file);
    free(spool->path);
    free(spool->buffer);
    *spool = (ziSpool){.file = -1};
}

/* Reading a spool in order, and feeding it to the writers of recordings. */

enum { EVENT_FIXED = sizeof(double) + sizeof(uint32_t) };

/* From the first record to byte end. */
static zvStatus spool_cursor_open(ziSpoolCursor *cursor, const ziSpool *spool, uint64_t end, zvError *error) {
    *cursor = (ziSpoolCursor){.spool = spool, .at = spool->start, .end = end, .buffer = malloc(BUFFER)};
    return cursor->buffer ? ZV_OK : zi_output_fail(error, spool->path, ENOMEM, "read");
}

/* From the first record to byte end. */
static void spool_cursor_close(ziSpoolCursor *cursor) {
    free(cursor->buffer);
    cursor->buffer = NULL;
}

static zvStatus fail_damaged(const ziSpoolCursor *cursor, zvError *error) {
    return zv_fail(error, ZV_SYNTAX, (zvMark){cursor->spool->path, 0, 0}, cursor->spool->path,
                   "byte %llu of the spool: expected a record, found damage; start the run from the beginning",
                   (unsigned long long)cursor->at);
}

static zvStatus fill_buffer(ziSpoolCursor *cursor, zvError *error) {
    ssize_t got;
    do got = pread(cursor->spool->file, cursor->buffer, BUFFER, (off_t)cursor->at);
    while (got < 0 && errno == EINTR);
    if (got < 0) return zi_output_fail(error, cursor->spool->path, errno, "read");
    if (got == 0) return fail_damaged(cursor, error);
    cursor->used = 0;
    cursor->filled = (size_t)got;
    return ZV_OK;
}

/* Takes the next bytes through the buffer and adds them to the checksum; to NULL: skips them. */
static zvStatus take_bytes(ziSpoolCursor *cursor, void *to, size_t size, zvError *error) {
    if (size > cursor->end - cursor->at) return fail_damaged(cursor, error);
    char *place = to;
    while (size > 0) {
        size_t ready = cursor->filled - cursor->used;
        if (ready == 0) {
            zvStatus status = fill_buffer(cursor, error);
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

/* Takes size bytes of the record; to NULL passes over them. The last ones tell whether all are as they were written. */
static zvStatus spool_take(ziSpoolCursor *cursor, void *to, size_t size, zvError *error) {
    if (size > cursor->left) return fail_damaged(cursor, error);
    zvStatus status = take_bytes(cursor, to, size, error);
    cursor->left -= size;
    if (status >= 0 && cursor->left == 0 && cursor->sum != cursor->due) return fail_damaged(cursor, error);
    return status;
}

/* The head of the next record; kind 0 at the end. */
static zvStatus spool_next(ziSpoolCursor *cursor, ziSpoolRecord *record, zvError *error) {
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

/* Going on ---------------------------------------------------------------------------------------------- */

/* Whether the spool begins with this head, byte by byte; tells other files, other versions and other channels apart. */
static zvStatus check_head(const ziSpool *spool, const ziBytes *head, zvError *error) {
    zvMark mark = {spool->path, 0, 0};
    unsigned char *there = malloc(head->size);
    if (!there) return zi_output_fail(error, spool->path, ENOMEM, "read");
    ssize_t got = pread(spool->file, there, head->size, 0);
    zvStatus status = ZV_OK;
    if (got < 0) {
        status = zi_output_fail(error, spool->path, errno, "read");
    } else if (got < MAGIC_SIZE + 8 || memcmp(there, MAGIC, MAGIC_SIZE) != 0) {
        status = zv_fail(error, ZV_SYNTAX, mark, spool->path,
                         "expected a spool, found another file; start from the beginning");
    } else if (memcmp(there, head->data, MAGIC_SIZE + 8) != 0) {
        status = zv_fail(error, ZV_SYNTAX, mark, spool->path,
                         "expected a spool of this version and machine, found another; start from the beginning");
    } else if ((size_t)got != head->size || memcmp(there, head->data, head->size) != 0) {
        status = zv_fail(error, ZV_SCHEMA, mark, spool->path,
                         "expected a spool with the channels of this run, found others; go on with the same outputs as "
                         "before, or start from the beginning");
    }
    free(there);
    return status;
}

/* Reads every record up to the mark: it must end there and count as many. */
static zvStatus check_records(const ziSpool *spool, zvSpoolMark mark, zvError *error) {
    ziSpoolCursor cursor;
    ziSpoolRecord record = {.kind = 1};
    zvSpoolMark found = {mark.bytes, 0, 0};
    zvStatus status = spool_cursor_open(&cursor, spool, mark.bytes, error);
    while (status >= 0 && record.kind) {
        status = spool_next(&cursor, &record, error);
        if (status >= 0) status = spool_take(&cursor, NULL, record.size, error);
        if (record.kind == ZI_SPOOL_ROW) found.rows++;
        if (record.kind == ZI_SPOOL_EVENT) found.events++;
    }
    spool_cursor_close(&cursor);
    if (status >= 0 && (found.rows != mark.rows || found.events != mark.events))
        return zv_fail(
            error, ZV_SYNTAX, (zvMark){spool->path, 0, 0}, spool->path,
            "expected a spool of %llu rows as the checkpoint counts, found %llu; it belongs to another run: start "
            "from the beginning",
            (unsigned long long)mark.rows, (unsigned long long)found.rows);
    return status;
}

/* Checks the records up to the checkpoint and cuts off what was written after it. */
static zvStatus go_on(ziSpool *spool, zvSpoolMark mark, zvError *error) {
    off_t size = lseek(spool->file, 0, SEEK_END);
    if (size < 0) return zi_output_fail(error, spool->path, errno, "read");
    if ((uint64_t)size < mark.bytes || mark.bytes < spool->start)
        return zv_fail(
            error, ZV_SYNTAX, (zvMark){spool->path, 0, 0}, spool->path,
            "expected a spool of %llu bytes as the checkpoint counts, found %llu: it ends early; start from the "
            "beginning",
            (unsigned long long)mark.bytes, (unsigned long long)size);
    zvStatus status = check_records(spool, mark, error);
    if (status < 0) return status;
    if (ftruncate(spool->file, (off_t)mark.bytes) != 0) return zi_output_fail(error, spool->path, errno, "shortened");
    spool->mark = mark;
    spool->written = mark.bytes;
    return ZV_OK;
}

/* Head, records and mark are checked before anything is appended. */
zvStatus zi_spool_resume(ziSpool *spool, const char *path, const ziChannels *channels, zvSpoolMark mark,
                         zvError *error) {
    ziBytes head = {0};
    zvStatus status = open_spool(spool, path, channels->width, false, error);
    if (status >= 0) status = make_head(channels, path, &head, error);
    if (status >= 0) status = check_head(spool, &head, error);
    spool->start = head.size;
    if (status >= 0) status = go_on(spool, mark, error);
    zi_bytes_free(&head);
    if (status < 0) zi_spool_close(spool);
    return status;
}

/* Records ----------------------------------------------------------------------------------------------- */

static zvStatus flush(ziSpool *spool, zvError *error) {
    size_t done = zi_write_all(spool->file, spool->buffer, spool->used, (int64_t)spool->written);
    int reason = errno;
    bool all = done == spool->used;
    spool->written += done;
    spool->used -= done;
    if (all) return ZV_OK;
    memmove(spool->buffer, spool->buffer + done, spool->used);
    return zi_output_fail(error, spool->path, reason, "written");
}

zvStatus zi_spool_flush(ziSpool *spool, bool durable, zvError *error) {
    zvStatus status = flush(spool, error);
    if (status >= 0 && durable && fdatasync(spool->file) != 0)
        status = zi_output_fail(error, spool->path, errno, "written");
    return status;
}

/* Room in the buffer for a record of size bytes; where it goes, or NULL. */
static unsigned char *reserve(ziSpool *spool, size_t size, zvStatus *status, zvError *error) {
    size_t whole = sizeof(ziSpoolRecord) + size;
    if (spool->used + whole > spool->capacity) *status = flush(spool, error);
    if (*status < 0) return NULL;
    if (whole > spool->capacity) {
        unsigned char *larger = realloc(spool->buffer, whole);
        if (!larger) {
            *status = zi_output_fail(error, spool->path, ENOMEM, "written");
            return NULL;
        }
        spool->buffer = larger;
        spool->capacity = whole;
    }
    return spool->buffer + spool->used + sizeof(ziSpoolRecord);
}

/* The record of size bytes that was laid out at the reserved place is complete. */
static void keep_record(ziSpool *spool, uint32_t kind, size_t size) {
    unsigned char *place = spool->buffer + spool->used;
    ziSpoolRecord record = {.kind = kind, .size = (uint32_t)size};
    record.sum = zi_checksum_add(zi_checksum(&record, offsetof(ziSpoolRecord, sum)), place + sizeof record, size);
    memcpy(place, &record, sizeof record);
    spool->used += sizeof record + size;
    spool->mark.bytes += sizeof record + size;
}

zvStatus zi_spool_row(ziSpool *spool, const double *row, zvError *error) {
    zvStatus status = ZV_OK;
    size_t size = (size_t)spool->width * sizeof *row;
    unsigned char *place = reserve(spool, size, &status, error);
    if (!place) return status;
    memcpy(place, row, size);
    keep_record(spool, ZI_SPOOL_ROW, size);
    spool->mark.rows++;
    return ZV_OK;
}

/* Laid out in the buffer as a row is, with its two texts. */
zvStatus zi_spool_event(ziSpool *spool, const zvEvent *event, zvError *error) {
    const char *name = event->name ? event->name : "", *text = event->text ? event->text : "";
    size_t name_size = strlen(name), text_size = strlen(text);
    if (name_size > UINT32_MAX / 4 || text_size > UINT32_MAX / 4)
        return zv_fail(error, ZV_SIZE, (zvMark){spool->path, 0, 0}, "",
                       "text of an event: expected less than a gibibyte, found more; shorten it");
    uint32_t length = (uint32_t)name_size;
    zvStatus status = ZV_OK;
    size_t fixed = sizeof event->t + sizeof length, size = fixed + name_size + text_size;
    unsigned char *place = reserve(spool, size, &status, error);
    if (!place) return status;
    memcpy(place, &event->t, sizeof event->t);
    memcpy(place + sizeof event->t, &length, sizeof length);
    memcpy(place + fixed, name, name_size);
    memcpy(place + fixed + name_size, text, text_size);
    keep_record(spool, ZI_SPOOL_EVENT, size);
    spool->mark.events++;
    return ZV_OK;
}

/* Feed -------------------------------------------------------------------------------------------------- */

/* Passes to the next record of a kind. */
static zvStatus find_next(ziSpoolCursor *cursor, uint32_t kind, ziSpoolRecord *record, zvError *error) {
    for (;;) {
        zvStatus status = spool_next(cursor, record, error);
        if (status < 0 || record->kind == kind) return status;
        if (record->kind == 0) return fail_damaged(cursor, error);
        status = spool_take(cursor, NULL, record->size, error);
        if (status < 0) return status;
    }
}

static void rewind_cursor(ziSpoolCursor *cursor) {
    cursor->at = cursor->spool->start;
    cursor->used = cursor->filled = 0;
}

/* In order; going back starts from the beginning. */
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
        if (status >= 0) status = spool_take(&source->rows, to, record.size, error);
        if (status < 0) return status;
        source->next_row++;
    }
    return ZV_OK;
}

/* One event of `size` bytes; its name and text go into the feed's own buffer, which grows. */
static zvStatus take_event(ziSpoolFeed *source, uint32_t size, zvEvent *event, zvError *error) {
    ziSpoolCursor *cursor = &source->events;
    uint32_t length;
    zvStatus status = spool_take(cursor, &event->t, sizeof event->t, error);
    if (status >= 0) status = spool_take(cursor, &length, sizeof length, error);
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
    status = spool_take(cursor, source->text, length, error);
    if (status >= 0) status = spool_take(cursor, text, rest - length, error);
    source->text[length] = text[rest - length] = '\0';
    event->name = source->text;
    event->text = text;
    return status;
}

/* In order, with a cursor of its own. */
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

/* Two cursors, one for rows and one for events: both are read in order. */
zvStatus zi_spool_feed_open(ziSpoolFeed *source, const ziSpool *spool, ziFeed *feed, zvError *error) {
    *source = (ziSpoolFeed){0};
    feed->rows = spool->mark.rows;
    feed->events = spool->mark.events;
    feed->context = source;
    feed->read_rows = read_rows;
    feed->read_event = read_event;
    zvStatus status = spool_cursor_open(&source->rows, spool, spool->mark.bytes, error);
    if (status >= 0) status = spool_cursor_open(&source->events, spool, spool->mark.bytes, error);
    if (status < 0) zi_spool_feed_close(source);
    return status;
}

void zi_spool_feed_close(ziSpoolFeed *source) {
    spool_cursor_close(&source->rows);
    spool_cursor_close(&source->events);
    free(source->text);
}
