/* The spool: rows and events in a file as they come.
 *
 *   head      "zvrows\r\n", u32 version, u32 byte order, u64 size of the description, the description of the channels,
 *             u64 checksum of all that
 *   records   u32 kind, u32 size, u64 checksum of both and of what follows, then size bytes
 *     row        the numbers, f64
 *     event  f64 time, u32 length of the name, name, text
 *
 * Numbers are as the machine has them; a spool does not travel. */
#ifndef ZI_RECORD_SPOOL_H
#define ZI_RECORD_SPOOL_H

#include "record/channels.h"
#include "zveno/record.h"

typedef struct ziSpool {
    char *path;
    int file;
    int width;
    uint64_t start;   /* where the records begin */
    zvSpoolMark mark; /* what counts, written and buffered */
    uint64_t written; /* bytes in the file; the rest of mark.bytes stands in the buffer */
    unsigned char *buffer;
    size_t used, capacity;
} ziSpool;

enum { ZI_SPOOL_ROW = 1, ZI_SPOOL_EVENT = 2 }; /* not 0: a hole that a crash left in a file is no record */

/* path is that of the spool itself; an old spool is replaced. On failure nothing needs closing. */
zvStatus zi_spool_create(ziSpool *spool, const char *path, const ziChannels *channels, zvError *error);
zvStatus zi_spool_resume(ziSpool *spool, const char *path, const ziChannels *channels, zvSpoolMark mark,
                         zvError *error);
void zi_spool_close(ziSpool *spool);

/* A record that is refused is not in the spool, and may be tried again. */
zvStatus zi_spool_row(ziSpool *spool, const double *row, zvError *error);
zvStatus zi_spool_event(ziSpool *spool, const zvEvent *event, zvError *error);
zvStatus zi_spool_flush(ziSpool *spool, bool durable, zvError *error);

/* Reading what counts, in order ------------------------------------------------------------------------- */

typedef struct ziSpoolCursor {
    const ziSpool *spool;
    uint64_t at;  /* byte of the file that is taken next */
    uint64_t end; /* of what counts */
    unsigned char *buffer;
    size_t used, filled;
    size_t left;       /* bytes of the record that is being taken */
    uint64_t sum, due; /* checksum of those taken, and of all by its head */
} ziSpoolCursor;

typedef struct ziSpoolRecord {
    uint32_t kind, size;
    uint64_t sum;
} ziSpoolRecord;

/* Rows and events of a flushed spool, each by a cursor of its own. */
typedef struct ziSpoolFeed {
    ziSpoolCursor rows, events;
    uint64_t next_row, next_event;
    char *text;
    size_t capacity;
} ziSpoolFeed;

zvStatus zi_spool_feed_open(ziSpoolFeed *source, const ziSpool *spool, ziFeed *feed, zvError *error);
void zi_spool_feed_close(ziSpoolFeed *source);

#endif
