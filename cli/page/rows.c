/* Rows of a recording for a page. A recording of any length passes through little memory: what is kept is what the page
 * shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/rows.h"

#define NO_ROW UINT64_MAX

/* Where kept rows are put: first the evenly spaced ones, then one for each gap between them, then the others. */
typedef struct Slots {
    size_t even, others;   /* how many; as many gaps as even ones */
    uint64_t *numbers;     /* of the row in each slot; NO_ROW: none */
    double *values;        /* slots x width */
    uint64_t *wanted;      /* others: rows with an extreme, and the last one; in order after the first reading */
    double *least, *scale; /* width: least value, later 1 / range */
    double *greatest;
    uint64_t *least_row, *greatest_row;
    size_t next;  /* the first of `wanted` that was not met yet */
    double worst; /* departure of the row in the slot of the present gap */
    double time;  /* of the row before */
} Slots;

typedef struct Reading {
    zvRecording *recording;
    PageRows *rows;
    Slots slots;
} Reading;

static double *slot_put(Reading *r, size_t slot, uint64_t number, const double *x) {
    double *values = r->slots.values + slot * r->rows->width;
    memcpy(values, x, r->rows->width * sizeof *x);
    r->slots.numbers[slot] = number;
    return values;
}

/* Walking ----------------------------------------------------------------------------------------------- */

typedef void (*See)(Reading *r, uint64_t number, const double *x);

/* Channels lie apart in a block; a row has them side by side. */
static void gather_row(const zvRecording *recording, double *const *block, size_t at, double *x) {
    for (int c = 0; c < zv_recording_channels(recording); c++) {
        const size_t width = (size_t)zv_recording_channel(recording, c)->width;
        memcpy(x, block[c] + at * width, width * sizeof *x);
        x += width;
    }
}

/* Reads all channels of a block together: a file of columns is then read once from front to back. */
static zvStatus walk_blocks(Reading *r, See see, size_t most, const int *channels, double **block, double *x,
                            zvError *error) {
    for (uint64_t first = 0; first < r->rows->all; first += most) {
        const uint64_t left = r->rows->all - first;
        const size_t count = left < most ? (size_t)left : most;
        const zvStatus status = zv_recording_read_together(r->recording, zv_recording_channels(r->recording), channels,
                                                           first, count, block, error);
        if (status < 0) return status;
        for (size_t i = 0; i < count; i++) {
            gather_row(r->recording, block, i, x);
            see(r, first + i, x);
        }
    }
    return ZV_OK;
}

static zvStatus fail_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for the rows of a page; fewer of them: --rows N");
}

/* Passes all rows to `see` in their order, read block by block. */
static zvStatus walk(Reading *r, See see, zvError *error) {
    enum { NUMBERS = 1 << 19 }; /* of a block */
    const size_t width = r->rows->width, channels = (size_t)zv_recording_channels(r->recording);
    const size_t most = width < NUMBERS ? NUMBERS / (width + 1) + 1 : 1;
    double *numbers = malloc((most + 1) * (width + 1) * sizeof *numbers), **block = calloc(channels + 1, sizeof *block);
    int *all = calloc(channels + 1, sizeof *all);
    zvStatus status = numbers && block && all ? ZV_OK : fail_memory(error);
    if (status >= 0) {
        double *at = numbers + width + 1;
        for (size_t c = 0; c < channels; c++) {
            all[c] = (int)c;
            block[c] = at;
            at += most * (size_t)zv_recording_channel(r->recording, (int)c)->width;
        }
        status = walk_blocks(r, see, most, all, block, numbers, error);
    }
    free(numbers);
    free(block);
    free(all);
    return status;
}

/* The first reading: even rows and extremes ------------------------------------------------------------------ */

/* First pass: evenly spaced rows, the last one, extremes, and whether time grows. */
static void see_first(Reading *r, uint64_t number, const double *x) {
    PageRows *rows = r->rows;
    Slots *s = &r->slots;
    if (rows->timed) {
        rows->timed = isfinite(x[0]) && x[0] >= s->time;
        s->time = x[0];
    }
    if (number % rows->stride == 0) slot_put(r, (size_t)(number / rows->stride), number, x);
    if (rows->stride == 1) return;
    if (number == rows->all - 1) slot_put(r, 2 * s->even, number, x);
    for (size_t i = 0; i < rows->width; i++) {
        if (!isfinite(x[i])) continue;
        if (x[i] < s->least[i]) s->least[i] = x[i], s->least_row[i] = number;
        if (x[i] > s->greatest[i]) s->greatest[i] = x[i], s->greatest_row[i] = number;
    }
}

/* The second reading: what the even rows do not show ------------------------------------------------------------ */

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Before the second pass: scales by the range of each column, and the rows of extremes in ascending order. */
static void plan_second(Reading *r) {
    Slots *s = &r->slots;
    const size_t width = r->rows->width;
    s->wanted[0] = NO_ROW; /* the last row has its slot already */
    for (size_t i = 0; i < width; i++) {
        const double range = s->greatest[i] - s->least[i];
        s->scale[i] = range > 0 && isfinite(range) ? 1 / range : 0;
        if (!r->rows->extremes) continue;
        s->wanted[1 + 2 * i] = s->least_row[i];
        s->wanted[2 + 2 * i] = s->greatest_row[i];
    }
    if (r->rows->timed) s->scale[0] = 0;
    qsort(s->wanted, s->others, sizeof *s->wanted, by_number);
}

/* How far a row is from the line between two others, in parts of the range of a column; infinite when a number is not
 * finite and the line does not tell. */
static double departure(const Reading *r, const double *x, const double *a, const double *b, double part) {
    double most = 0;
    for (size_t i = 0; i < r->rows->width; i++) {
        const double apart = fabs(x[i] - (a[i] + part * (b[i] - a[i]))) * r->slots.scale[i];
        if (apart > most) most = apart;
        if (!isfinite(x[i]) && isfinite(a[i]) && isfinite(b[i])) return INFINITY;
    }
    return most;
}

/* Second pass: keeps the rows of extremes and, between two even rows, the one that departs most from the line between
 * them. */
static void see_second(Reading *r, uint64_t number, const double *x) {
    const PageRows *rows = r->rows;
    Slots *s = &r->slots;
    const size_t gap = (size_t)(number / rows->stride);
    const uint64_t begin = gap * rows->stride;
    if (s->next < s->others && s->wanted[s->next] == number) {
        slot_put(r, 2 * s->even + 1 + s->next, number, x);
        while (s->next < s->others && s->wanted[s->next] == number) s->next++;
    }
    if (number == begin) {
        s->worst = 0;
        return;
    }
    const bool inner = gap + 1 < s->even;
    const double *a = s->values + gap * rows->width, *b = s->values + (inner ? gap + 1 : 2 * s->even) * rows->width;
    const uint64_t end = inner ? begin + rows->stride : rows->all - 1;
    const bool by_time = rows->timed && b[0] > a[0];
    const double part =
        by_time ? (x[0] - a[0]) / (b[0] - a[0]) : (double)(number - begin) / (double)(end - begin ? end - begin : 1);
    const double apart = departure(r, x, a, b, part);
    if (!(apart > s->worst)) return;
    s->worst = apart;
    slot_put(r, s->even + gap, number, x);
}

/* All together ---------------------------------------------------------------------------------------------- */

/* How many rows of each kind, so that all together are at most `most`. */
static void plan(Reading *r, uint64_t most) {
    PageRows *rows = r->rows;
    Slots *s = &r->slots;
    rows->stride = 1;
    s->even = (size_t)rows->all;
    if (rows->all <= most) return;
    const uint64_t extremes = 2 * (uint64_t)rows->width;
    rows->extremes = extremes < most / 2;
    s->others = 1 + (rows->extremes ? (size_t)extremes : 0);
    const uint64_t even = (most - s->others) / 2;
    rows->stride = (rows->all + even - 1) / even;
    s->even = (size_t)((rows->all + rows->stride - 1) / rows->stride);
}

/* All memory before the first row; a recording too large for the address space is refused here. */
static bool allocate_slots(Reading *r) {
    Slots *s = &r->slots;
    const size_t width = r->rows->width + 1, slots = s->others ? 2 * s->even + 1 + s->others : s->even;
    if (slots > SIZE_MAX / sizeof(double) / width - 1) return false;
    s->values = malloc((slots + 1) * width * sizeof *s->values);
    s->numbers = malloc((slots + 1) * sizeof *s->numbers);
    s->wanted = malloc((s->others + 1) * sizeof *s->wanted);
    s->least = malloc(3 * width * sizeof *s->least);
    s->least_row = malloc(2 * width * sizeof *s->least_row);
    r->rows->numbers = malloc((slots + 1) * sizeof *r->rows->numbers);
    r->rows->row = malloc((slots + 1) * sizeof *r->rows->row);
    if (!s->values || !s->numbers || !s->wanted || !s->least || !s->least_row) return false;
    if (!r->rows->numbers || !r->rows->row) return false;
    s->greatest = s->least + width;
    s->scale = s->greatest + width;
    s->greatest_row = s->least_row + width;
    for (size_t i = 0; i < slots; i++) s->numbers[i] = NO_ROW;
    for (size_t i = 0; i < width; i++) {
        s->least[i] = INFINITY, s->greatest[i] = -INFINITY;
        s->least_row[i] = s->greatest_row[i] = NO_ROW;
    }
    s->time = -INFINITY;
    return true;
}

typedef struct RowPlace {
    uint64_t number;
    size_t slot;
} RowPlace;

static int by_place(const void *a, const void *b) { return by_number(a, b); }

/* Full slots in the order of their rows, each row once. */
static bool put_in_order(Reading *r) {
    const Slots *s = &r->slots;
    PageRows *rows = r->rows;
    const size_t slots = s->others ? 2 * s->even + 1 + s->others : s->even;
    RowPlace *places = malloc((slots + 1) * sizeof *places);
    if (!places) return false;
    for (size_t i = 0; i < slots; i++) places[i] = (RowPlace){s->numbers[i], i};
    qsort(places, slots, sizeof *places, by_place);
    for (size_t i = 0; i < slots && places[i].number != NO_ROW; i++) {
        if (rows->count && rows->numbers[rows->count - 1] == places[i].number) continue;
        rows->numbers[rows->count] = places[i].number;
        rows->row[rows->count++] = s->values + places[i].slot * rows->width;
    }
    free(places);
    return true;
}

static zvStatus read_all_rows(Reading *r, zvError *error) {
    if (!allocate_slots(r)) return fail_memory(error);
    zvStatus status = walk(r, see_first, error);
    if (status >= 0 && r->slots.others) {
        plan_second(r);
        status = walk(r, see_second, error);
    }
    if (status >= 0 && !put_in_order(r)) status = fail_memory(error);
    return status;
}

/* One pass when all rows are kept, two when they are thinned. */
zvStatus page_rows_read(zvRecording *recording, uint64_t most, PageRows *rows, zvError *error) {
    Reading r = {.recording = recording, .rows = rows};
    *rows = (PageRows){.all = zv_recording_rows(recording)};
    for (int c = 0; c < zv_recording_channels(recording); c++)
        rows->width += (size_t)zv_recording_channel(recording, c)->width;
    rows->timed = zv_recording_channels(recording) > 0 && zv_recording_channel(recording, 0)->width == 1;
    plan(&r, most);
    const zvStatus status = read_all_rows(&r, error);
    rows->values = r.slots.values;
    free(r.slots.numbers);
    free(r.slots.wanted);
    free(r.slots.least);
    free(r.slots.least_row);
    return status;
}

void page_rows_tell(const PageRows *rows, Text *out) {
    if (rows->stride == 1) return;
    text_printf(out, "%zu of %llu rows: one in %llu, and between two of them the one that departs most from a line%s",
                rows->count, (unsigned long long)rows->all, (unsigned long long)rows->stride,
                rows->extremes ? "; least and greatest values are kept" : "");
}

void page_rows_free(PageRows *rows) {
    free(rows->numbers);
    free(rows->row);
    free(rows->values);
    *rows = (PageRows){0};
}
