/* Rows and events kept in memory. */
#ifndef ZI_RECORD_MEMORY_H
#define ZI_RECORD_MEMORY_H

#include "record/feed.h"

typedef struct ziMemory {
    size_t width, row_count, row_capacity; /* capacity in rows */
    double *rows;
    size_t event_count, event_capacity;
    zvEvent *events;
    ziArena texts;
} ziMemory;

zvStatus zi_memory_row(ziMemory *memory, const double *row, zvError *error);
zvStatus zi_memory_event(ziMemory *memory, const zvEvent *event, zvError *error);
void zi_memory_feed(ziMemory *memory, ziFeed *feed);
void zi_memory_free(ziMemory *memory);

#endif
