/* Rows of a recording for a page: all of them, or some that stand for all. */
#ifndef ZVENO_CLI_PAGE_ROWS_H
#define ZVENO_CLI_PAGE_ROWS_H

#include "text.h"
#include "zveno/record.h"

enum { PAGE_ROWS_LEAST = 10, PAGE_ROWS_USUAL = 20000 };

typedef struct PageRows {
    uint64_t all;      /* rows of the file */
    size_t count;      /* rows kept, at most as many as asked for */
    size_t width;      /* numbers of a row: all channels side by side */
    uint64_t *numbers; /* count: which rows of the file they are */
    double **row;      /* count: width numbers each */
    double *values;    /* where they lie */
    uint64_t stride;   /* one row in so many was taken; 1: all */
    bool extremes;     /* rows with the least and greatest value of each column are among them */
    bool timed;        /* channel 0 is one finite number that never decreases */
} PageRows;

/* Reads the recording block by block, once, or twice when it has more than `most` rows: then one row in `stride`, the
 * last one, those with the least and greatest value of each column, and between two of the evenly spaced ones that
 * which departs most from a straight line (in any column, by its range) or is not finite. To be freed in any case. */
zvStatus page_rows_read(zvRecording *recording, uint64_t most, PageRows *rows, zvError *error);
/* "20000 of 1000001 rows: ..."; nothing when all rows are there. */
void page_rows_tell(const PageRows *rows, Text *out);
void page_rows_free(PageRows *rows);

#endif
