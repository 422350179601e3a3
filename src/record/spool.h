/* The spool: rows and happenings in a file as they come.
 *
 *   head      "zvrows\r\n", u32 version, u32 byte order, u64 size of the description, the description of the channels,
 *             u64 checksum of all that
 *   records   u32 kind, u32 size, u64 checksum of both and of what follows, then size bytes
 *     row        the numbers, f64
 *     happening  f64 time, u32 length of the name, name, text
 *
 * Numbers are as the machine has them; a spool does not travel. */
#ifndef ZV_RECORD_SPOOL_H
#define ZV_RECORD_SPOOL_H

#include "record/channels.h"
#include "record/feed.h"
#include "zveno/record.h"

typedef struct zvSpool {
    char *path;
    int file;
    int width;
    uint64_t start;   /* where the records begin */
    zvSpoolMark mark; /* what counts, written and buffered */
    uint64_t written; /* bytes in the file; the rest of mark.bytes stands in the buffer */
    unsigned char *buffer;
    size_t used, capacity;
} zvSpool;

enum { ZV_SPOOL_ROW = 1, ZV_SPOOL_HAPPENING = 2 }; /* not 0: a hole that a crash left in a file is no record */

/* path is that of the spool itself; an old spool is replaced. On failure nothing needs closing. */
zvStatus zv_spool_create(zvSpool *spool, const char *path, const zvChannels *channels, zvError *error);
zvStatus zv_spool_resume(zvSpool *spool, const char *path, const zvChannels *channels, zvSpoolMark mark,
                         zvError *error);
void zv_spool_close(zvSpool *spool);

/* A record that is refused is not in the spool, and may be tried again. */
zvStatus zv_spool_row(zvSpool *spool, const double *row, zvError *error);
zvStatus zv_spool_happening(zvSpool *spool, const zvHappening *happening, zvError *error);
zvStatus zv_spool_flush(zvSpool *spool, bool durable, zvError *error);

/* Reading what counts, in order ------------------------------------------------------------------------- */

typedef struct zvSpoolCursor {
    const zvSpool *spool;
    uint64_t at;  /* byte of the file that is taken next */
    uint64_t end; /* of what counts */
    unsigned char *buffer;
    size_t used, filled;
    size_t left;       /* bytes of the record that is being taken */
    uint64_t sum, due; /* checksum of those taken, and of all by its head */
} zvSpoolCursor;

typedef struct zvSpoolRecord {
    uint32_t kind, size;
    uint64_t sum;
} zvSpoolRecord;

/* From the first record to byte end. */
zvStatus zv_spool_cursor_open(zvSpoolCursor *cursor, const zvSpool *spool, uint64_t end, zvError *error);
void zv_spool_cursor_close(zvSpoolCursor *cursor);
/* Takes size bytes of the record; to NULL passes over them. The last ones tell whether all are as they were written. */
zvStatus zv_spool_take(zvSpoolCursor *cursor, void *to, size_t size, zvError *error);
/* The head of the next record; kind 0 at the end. */
zvStatus zv_spool_next(zvSpoolCursor *cursor, zvSpoolRecord *record, zvError *error);

/* Rows and happenings of a flushed spool, each by a cursor of its own. */
typedef struct zvSpoolFeed {
    zvSpoolCursor rows, happenings;
    uint64_t next_row, next_happening;
    char *text;
    size_t capacity;
} zvSpoolFeed;

zvStatus zv_spool_feed_open(zvSpoolFeed *source, const zvSpool *spool, zvFeed *feed, zvError *error);
void zv_spool_feed_close(zvSpoolFeed *source);

#endif
