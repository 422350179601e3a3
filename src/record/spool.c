/* Writing a spool. Records are gathered whole in a buffer and written at a known place of the file: after a failed
 * write (a full disk) the buffer stands, and the next try goes on where the last one stopped. */
#define _XOPEN_SOURCE 700
#include "record/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/output.h"

enum { BUFFER = 256 * 1024, VERSION = 2, BYTE_ORDER_MARK = 0x01020304, MAGIC_SIZE = 8 };
static const char MAGIC[MAGIC_SIZE + 1] = "zvrows\r\n";

/* Beginning and end ------------------------------------------------------------------------------------- */

static zvStatus make_head(const zvChannels *channels, const char *path, zvBytes *head, zvError *error) {
    zvBytes description = {0};
    zv_channels_describe(channels, &description);
    zv_bytes_add(head, MAGIC, MAGIC_SIZE);
    zv_bytes_add_u32(head, VERSION);
    zv_bytes_add_u32(head, BYTE_ORDER_MARK);
    zv_bytes_add_u64(head, description.size);
    zv_bytes_add(head, description.data, description.size);
    if (!head->failed) zv_bytes_add_u64(head, zv_checksum(head->data, head->size));
    bool failed = head->failed || description.failed;
    zv_bytes_free(&description);
    return failed ? zv_output_fail(error, path, ENOMEM, "created") : ZV_OK;
}

static zvStatus open_spool(zvSpool *spool, const char *path, int width, int flags, zvError *error) {
    *spool = (zvSpool){.file = -1, .width = width, .capacity = BUFFER};
    spool->path = zv_path_with(path, "");
    spool->buffer = malloc(spool->capacity);
    if (!spool->path || !spool->buffer) return zv_output_fail(error, path, ENOMEM, "created");
    spool->file = zv_open_locked(path, flags);
    if (spool->file >= 0) return ZV_OK;
    if (errno == ENOENT && !(flags & O_CREAT))
        return zv_fail(error, ZV_IO, (zvMark){path, 0, 0}, path,
                       "there is no spool of an earlier run to go on with; start from the beginning");
    return zv_output_fail(error, path, errno, flags & O_CREAT ? "created" : "opened");
}

static zvStatus begin(zvSpool *spool, const zvBytes *head, zvError *error) {
    if (ftruncate(spool->file, 0) != 0 || zv_write_all(spool->file, head->data, head->size, 0) < head->size) {
        zvStatus status = zv_output_fail(error, spool->path, errno, "written");
        unlink(spool->path);
        return status;
    }
    spool->start = spool->written = spool->mark.bytes = head->size;
    return ZV_OK;
}

zvStatus zv_spool_create(zvSpool *spool, const char *path, const zvChannels *channels, zvError *error) {
    zvBytes head = {0};
    zvStatus status = open_spool(spool, path, channels->width, O_CREAT, error);
    if (status >= 0) status = make_head(channels, path, &head, error);
    if (status >= 0) status = begin(spool, &head, error);
    zv_bytes_free(&head);
    if (status < 0) zv_spool_close(spool);
    return status;
}

void zv_spool_close(zvSpool *spool) {
    if (spool->file >= 0) close(spool->file);
    free(spool->path);
    free(spool->buffer);
    *spool = (zvSpool){.file = -1};
}

/* Going on ---------------------------------------------------------------------------------------------- */

static zvStatus check_head(const zvSpool *spool, const zvBytes *head, zvError *error) {
    zvMark mark = {spool->path, 0, 0};
    unsigned char *there = malloc(head->size);
    if (!there) return zv_output_fail(error, spool->path, ENOMEM, "read");
    ssize_t got = pread(spool->file, there, head->size, 0);
    zvStatus status = ZV_OK;
    if (got < 0) {
        status = zv_output_fail(error, spool->path, errno, "read");
    } else if (got < MAGIC_SIZE + 8 || memcmp(there, MAGIC, MAGIC_SIZE) != 0) {
        status = zv_fail(error, ZV_SYNTAX, mark, spool->path, "this is no spool; start from the beginning");
    } else if (memcmp(there, head->data, MAGIC_SIZE + 8) != 0) {
        status = zv_fail(error, ZV_SYNTAX, mark, spool->path,
                         "the spool is of another version or machine; start from the beginning");
    } else if ((size_t)got != head->size || memcmp(there, head->data, head->size) != 0) {
        status = zv_fail(error, ZV_SCHEMA, mark, spool->path,
                         "the spool has other channels than this run; go on with the same outputs as before, or start "
                         "from the beginning");
    }
    free(there);
    return status;
}

/* Reads every record up to the mark: it must end there and count as many. */
static zvStatus check_records(const zvSpool *spool, zvSpoolMark mark, zvError *error) {
    zvSpoolCursor cursor;
    zvSpoolRecord record = {.kind = 1};
    zvSpoolMark found = {mark.bytes, 0, 0};
    zvStatus status = zv_spool_cursor_open(&cursor, spool, mark.bytes, error);
    while (status >= 0 && record.kind) {
        status = zv_spool_next(&cursor, &record, error);
        if (status >= 0) status = zv_spool_take(&cursor, NULL, record.size, error);
        if (record.kind == ZV_SPOOL_ROW) found.rows++;
        if (record.kind == ZV_SPOOL_HAPPENING) found.happenings++;
    }
    zv_spool_cursor_close(&cursor);
    if (status >= 0 && (found.rows != mark.rows || found.happenings != mark.happenings))
        return zv_fail(error, ZV_SYNTAX, (zvMark){spool->path, 0, 0}, spool->path,
                       "the spool holds %llu rows where the checkpoint counts %llu; it belongs to another run: start "
                       "from the beginning",
                       (unsigned long long)found.rows, (unsigned long long)mark.rows);
    return status;
}

static zvStatus go_on(zvSpool *spool, zvSpoolMark mark, zvError *error) {
    off_t size = lseek(spool->file, 0, SEEK_END);
    if (size < 0) return zv_output_fail(error, spool->path, errno, "read");
    if ((uint64_t)size < mark.bytes || mark.bytes < spool->start)
        return zv_fail(error, ZV_SYNTAX, (zvMark){spool->path, 0, 0}, spool->path,
                       "the spool ends early: it has %llu bytes where the checkpoint counts %llu; start from the "
                       "beginning",
                       (unsigned long long)size, (unsigned long long)mark.bytes);
    zvStatus status = check_records(spool, mark, error);
    if (status < 0) return status;
    if (ftruncate(spool->file, (off_t)mark.bytes) != 0) return zv_output_fail(error, spool->path, errno, "shortened");
    spool->mark = mark;
    spool->written = mark.bytes;
    return ZV_OK;
}

zvStatus zv_spool_resume(zvSpool *spool, const char *path, const zvChannels *channels, zvSpoolMark mark,
                         zvError *error) {
    zvBytes head = {0};
    zvStatus status = open_spool(spool, path, channels->width, 0, error);
    if (status >= 0) status = make_head(channels, path, &head, error);
    if (status >= 0) status = check_head(spool, &head, error);
    spool->start = head.size;
    if (status >= 0) status = go_on(spool, mark, error);
    zv_bytes_free(&head);
    if (status < 0) zv_spool_close(spool);
    return status;
}

/* Records ----------------------------------------------------------------------------------------------- */

static zvStatus flush(zvSpool *spool, zvError *error) {
    size_t done = zv_write_all(spool->file, spool->buffer, spool->used, (int64_t)spool->written);
    int reason = errno;
    bool all = done == spool->used;
    spool->written += done;
    spool->used -= done;
    if (all) return ZV_OK;
    memmove(spool->buffer, spool->buffer + done, spool->used);
    return zv_output_fail(error, spool->path, reason, "written");
}

zvStatus zv_spool_flush(zvSpool *spool, bool durable, zvError *error) {
    zvStatus status = flush(spool, error);
    if (status >= 0 && durable && fdatasync(spool->file) != 0)
        status = zv_output_fail(error, spool->path, errno, "written");
    return status;
}

/* Room in the buffer for a record of size bytes; where it goes, or NULL. */
static unsigned char *reserve(zvSpool *spool, size_t size, zvStatus *status, zvError *error) {
    size_t whole = sizeof(zvSpoolRecord) + size;
    if (spool->used + whole > spool->capacity) *status = flush(spool, error);
    if (*status < 0) return NULL;
    if (whole > spool->capacity) {
        unsigned char *larger = realloc(spool->buffer, whole);
        if (!larger) {
            *status = zv_output_fail(error, spool->path, ENOMEM, "written");
            return NULL;
        }
        spool->buffer = larger;
        spool->capacity = whole;
    }
    return spool->buffer + spool->used + sizeof(zvSpoolRecord);
}

/* The record of size bytes that was laid out at the reserved place is complete. */
static void keep(zvSpool *spool, uint32_t kind, size_t size) {
    unsigned char *place = spool->buffer + spool->used;
    zvSpoolRecord record = {.kind = kind, .size = (uint32_t)size};
    record.sum = zv_checksum_add(zv_checksum(&record, offsetof(zvSpoolRecord, sum)), place + sizeof record, size);
    memcpy(place, &record, sizeof record);
    spool->used += sizeof record + size;
    spool->mark.bytes += sizeof record + size;
}

zvStatus zv_spool_row(zvSpool *spool, const double *row, zvError *error) {
    zvStatus status = ZV_OK;
    size_t size = (size_t)spool->width * sizeof *row;
    unsigned char *place = reserve(spool, size, &status, error);
    if (!place) return status;
    memcpy(place, row, size);
    keep(spool, ZV_SPOOL_ROW, size);
    spool->mark.rows++;
    return ZV_OK;
}

zvStatus zv_spool_happening(zvSpool *spool, const zvHappening *happening, zvError *error) {
    const char *name = happening->name ? happening->name : "", *text = happening->text ? happening->text : "";
    size_t name_size = strlen(name), text_size = strlen(text);
    if (name_size > UINT32_MAX / 4 || text_size > UINT32_MAX / 4)
        return zv_fail(error, ZV_SIZE, (zvMark){spool->path, 0, 0}, "",
                       "the text of a happening is longer than a gibibyte; shorten it");
    uint32_t length = (uint32_t)name_size;
    zvStatus status = ZV_OK;
    size_t fixed = sizeof happening->t + sizeof length, size = fixed + name_size + text_size;
    unsigned char *place = reserve(spool, size, &status, error);
    if (!place) return status;
    memcpy(place, &happening->t, sizeof happening->t);
    memcpy(place + sizeof happening->t, &length, sizeof length);
    memcpy(place + fixed, name, name_size);
    memcpy(place + fixed + name_size, text, text_size);
    keep(spool, ZV_SPOOL_HAPPENING, size);
    spool->mark.happenings++;
    return ZV_OK;
}
