/* What a recording holds, as the writers of files see it: descriptions at once, rows and happenings in order and a few
 * at a time, so that a recording of any length passes through little memory. */
#ifndef ZV_RECORD_FEED_H
#define ZV_RECORD_FEED_H

#include "record/channels.h"
#include "zveno/record.h"

typedef struct zvFeed {
    const zvChannels *channels;
    int note_count;
    const zvNote *notes;
    uint64_t rows, happenings;
    void *context;
    /* Rows first to first + count - 1, all channels side by side. */
    zvStatus (*read_rows)(void *context, uint64_t first, uint64_t count, double *rows, zvError *error);
    /* The texts hold until the next call. */
    zvStatus (*read_happening)(void *context, uint64_t index, zvHappening *happening, zvError *error);
} zvFeed;

/* Rows that readers and writers handle at a time: half a megabyte, or one row. */
static inline uint64_t zv_block_rows(int width) { return width < 65536 ? 65536 / (uint64_t)width : 1; }

/* Writes to an open, empty file; path is for error texts. */
zvStatus zv_csv_write(const zvFeed *feed, int file, const char *path, zvError *error);
zvStatus zv_hdf5_write(const zvFeed *feed, int file, const char *path, zvError *error);

#endif
