/* The channels of a recording, checked and copied. */
#ifndef ZV_RECORD_CHANNELS_H
#define ZV_RECORD_CHANNELS_H

#include "base/arena.h"
#include "base/names.h"
#include "record/bytes.h"
#include "zveno/record.h"

typedef struct zvChannels {
    int count, width; /* width: numbers of a row, all channels side by side */
    zvChannel *items; /* unit and about are never NULL here */
    int *columns;     /* where each channel begins in a row */
    zvArena arena;
    zvNames names;
} zvChannels;

/* path is the recording's, for error texts; may be NULL. On failure nothing needs freeing. */
zvStatus zv_channels_copy(zvChannels *channels, int count, const zvChannel *from, const char *path, zvError *error);
void zv_channels_free(zvChannels *channels);
/* All that tells these channels from others. */
void zv_channels_describe(const zvChannels *channels, zvBytes *bytes);

#endif
