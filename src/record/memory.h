/* Rows and happenings kept in memory. */
#ifndef ZV_RECORD_MEMORY_H
#define ZV_RECORD_MEMORY_H

#include "record/feed.h"

typedef struct zvMemory {
    size_t width, row_count, row_capacity; /* capacity in rows */
    double *rows;
    size_t happening_count, happening_capacity;
    zvHappening *happenings;
    zvArena texts;
} zvMemory;

zvStatus zv_memory_row(zvMemory *memory, const double *row, zvError *error);
zvStatus zv_memory_happening(zvMemory *memory, const zvHappening *happening, zvError *error);
void zv_memory_feed(zvMemory *memory, zvFeed *feed);
void zv_memory_free(zvMemory *memory);

#endif
