/* The channels of a recording, checked and copied. */
#ifndef ZI_RECORD_CHANNELS_H
#define ZI_RECORD_CHANNELS_H

#include "base/arena.h"
#include "base/names.h"
#include "record/bytes.h"
#include "zveno/record.h"

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
/* All that tells these channels from others. */
void zi_channels_describe(const ziChannels *channels, ziBytes *bytes);

#endif
