/* Rows of a run that goes on. */
#include <stdlib.h>
#include <string.h>

#include "live/rows.h"

enum { SPARSER = 10 };

bool live_rows_create(LiveRows *rows, size_t width, size_t all) {
    const size_t fit = LIVE_NUMBERS_ALL / width;
    if (!all) all = fit > LIVE_ROWS_ALL ? LIVE_ROWS_ALL : fit < LIVE_ROWS_LEAST ? LIVE_ROWS_LEAST : fit;
    *rows = (LiveRows){.width = width, .all = all, .until = all, .every = 1, .last_kept = true};
    rows->last = malloc(width * sizeof *rows->last);
    return rows->last;
}

void live_rows_free(LiveRows *rows) {
    free(rows->values);
    free(rows->last);
    *rows = (LiveRows){0};
}

static bool reserve_row(LiveRows *rows) {
    if (rows->count < rows->capacity) return true;
    const size_t capacity = rows->capacity ? 2 * rows->capacity : 256;
    double *values = realloc(rows->values, capacity * rows->width * sizeof *values);
    if (!values) return false;
    rows->values = values;
    rows->capacity = capacity;
    return true;
}

static bool keep_row(LiveRows *rows, const double *row) {
    if (!reserve_row(rows)) return false;
    memcpy(rows->values + rows->count++ * rows->width, row, rows->width * sizeof *row);
    return rows->last_kept = true;
}

bool live_rows_add(LiveRows *rows, const double *row) {
    const uint64_t number = rows->seen++;
    if (rows->count >= rows->until) {
        rows->every *= SPARSER;
        rows->until += (rows->all + SPARSER - 1) / SPARSER;
    }
    if (number % rows->every == 0) return keep_row(rows, row);
    memcpy(rows->last, row, rows->width * sizeof *row);
    rows->last_kept = false;
    return true;
}

bool live_rows_finish(LiveRows *rows) { return rows->last_kept || keep_row(rows, rows->last); }

void live_rows_tell(const LiveRows *rows, Text *out) {
    if (rows->seen == rows->count) return;
    text_printf(out, "the first %zu rows of %llu, then one in %d%s", rows->all, (unsigned long long)rows->seen, SPARSER,
                rows->every > SPARSER ? ", one in a hundred and so on" : "");
}
