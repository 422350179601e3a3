/* Rows of a run that goes on, kept in memory for pages: all of the first ones, then one in ten, one in a hundred and so
 * on, so that a run of any length fits. What was kept stays where it is: pages that have it need not be told again. */
#ifndef ZVENO_CLI_LIVE_ROWS_H
#define ZVENO_CLI_LIVE_ROWS_H

#include <stdint.h>

#include "text.h"

enum { LIVE_ROWS_ALL = 1000000, LIVE_NUMBERS_ALL = 1 << 25, LIVE_ROWS_LEAST = 1000 };

typedef struct LiveRows {
    size_t width;           /* numbers of a row */
    size_t all;             /* rows that are kept before any is left out; then a tenth as many of each spacing */
    size_t count, capacity; /* rows */
    double *values;         /* count x width */
    uint64_t seen;          /* rows that came */
    uint64_t every;         /* one row in so many is kept now */
    size_t until;           /* count at which they become sparser */
    double *last;           /* the last one that came */
    bool last_kept;
} LiveRows;

/* all: 0 for as many as is usual. False when out of memory. */
bool live_rows_create(LiveRows *rows, size_t width, size_t all);
void live_rows_free(LiveRows *rows);
/* False when out of memory. */
bool live_rows_add(LiveRows *rows, const double *row);
/* Keeps the last row although it is not its turn. */
bool live_rows_finish(LiveRows *rows);
/* "the first 1000000 rows of 1000101, then one in 10"; nothing when all are there. */
void live_rows_tell(const LiveRows *rows, Text *out);

#endif
