/* What all forms of a recording share: runs of bytes, channels, and the feed that writers read from. */
#ifndef ZI_RECORD_CHANNELS_H
#define ZI_RECORD_CHANNELS_H

#include "base/arena.h"
#include "base/names.h"
#include "zveno/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing run of bytes: what is put together in memory before it goes to a file. */

typedef struct ziBytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* out of memory; later additions do nothing, so one look at the end is enough */
} ziBytes;

void zi_bytes_add(ziBytes *bytes, const void *data, size_t size);
void zi_bytes_add_u32(ziBytes *bytes, uint32_t value);
void zi_bytes_add_u64(ziBytes *bytes, uint64_t value);
void zi_bytes_add_text(ziBytes *bytes, const char *text); /* its length, then its bytes */
void zi_bytes_free(ziBytes *bytes);

/* Bytes taken in order; what goes beyond the end fails, and so does all that follows. */

typedef struct ziByteReader {
    const unsigned char *at;
    size_t left;
    bool failed; /* too few bytes, or out of memory */
} ziByteReader;

const unsigned char *zi_take(ziByteReader *reader, uint64_t size); /* where they are, or NULL */
uint32_t zi_take_u32(ziByteReader *reader);
uint64_t zi_take_u64(ziByteReader *reader);
const char *zi_take_text(ziByteReader *reader, ziArena *arena); /* a copy, or NULL */

/* FNV-1a, 64 bits [Fowler, Noll, Vo: draft-eastlake-fnv]: any change within a single byte changes it. */
uint64_t zi_checksum(const void *data, size_t size);
/* In pieces: that of nothing, and that of what came before and data. */
uint64_t zi_checksum_add(uint64_t sum, const void *data, size_t size);

/* The channels of a recording, checked and copied. */

typedef struct ziChannels {
    int count, width; /* width: numbers of a row, all channels side by side */
    zvChannel *items; /* unit and about are never NULL here */
    int *columns;     /* where each channel begins in a row */
    ziArena arena;
    ziNames names;
} ziChannels;

/* path is the recording's, for error texts; may be NULL. On failure nothing needs freeing. */
zvStatus zi_channels_copy(ziChannels *channels, int count, const zvChannel *from, const char *path, zvError *error);
void zi_channels_free(ziChannels *channels);
/* All that tells these channels, or one, from others; and channels out of such a description, NULL when it is none. */
void zi_channels_describe(const ziChannels *channels, ziBytes *bytes);
void zi_channels_describe_one(const zvChannel *channel, ziBytes *bytes);
zvChannel *zi_channels_take(ziByteReader *reader, ziArena *arena, int *count);

/* What a recording holds, as the writers of files see it: descriptions at once, rows and events in order and a few
 * at a time, so that a recording of any length passes through little memory. */

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
enum { ZI_BLOCK_NUMBERS = 65536 };
static inline uint64_t zi_block_rows(int width) {
    return width < ZI_BLOCK_NUMBERS ? ZI_BLOCK_NUMBERS / (uint64_t)width : 1;
}

/* Writes to an open, empty file; path is for error texts. */
zvStatus zi_csv_write(const ziFeed *feed, int file, const char *path, zvError *error);
zvStatus zi_hdf5_write(const ziFeed *feed, int file, const char *path, zvError *error);

#endif
