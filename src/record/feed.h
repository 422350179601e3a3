/* What a recording holds, as the writers of files see it: descriptions at once, rows and events in order and a few
 * at a time, so that a recording of any length passes through little memory. */
#ifndef ZI_RECORD_FEED_H
#define ZI_RECORD_FEED_H

#include "record/channels.h"
#include "zveno/record.h"

typedef struct ziFeed {
    const ziChannels *channels;
    int note_count;
    const zvNote *notes;
    uint64_t rows, events;
    void *context;
    /* Rows first to first + count - 1, all channels side by side. */
    zvStatus (*read_rows)(void *context, uint64_t first, uint64_t count, double *rows, zvError *error);
    /* The texts hold until the next call. */
    zvStatus (*read_event)(void *context, uint64_t index, zvEvent *event, zvError *error);
} ziFeed;

/* Rows that readers and writers handle at a time: half a megabyte, or one row. */
static inline uint64_t zi_block_rows(int width) { return width < 65536 ? 65536 / (uint64_t)width : 1; }

/* Writes to an open, empty file; path is for error texts. */
zvStatus zi_csv_write(const ziFeed *feed, int file, const char *path, zvError *error);
zvStatus zi_hdf5_write(const ziFeed *feed, int file, const char *path, zvError *error);

#endif
