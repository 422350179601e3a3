/* How far two recordings are apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/report.h"
#include "recordings.h"

/* A column that both have. */
typedef struct ComparedColumn {
    int slot;     /* of the channel in the blocks */
    int entry[2]; /* in the channel of A, of B */
    int turn;     /* among entries of the same label, from 0 on */
    double largest, at;
    double squares; /* sum of (difference / largest)^2, which neither overflows nor vanishes */
    uint64_t rows, gaps;
} ComparedColumn;

/* Rows of a recording one after the other, through a block of them. */
typedef struct RowStream {
    zvRecording *recording;
    bool timed;
    uint64_t all, next; /* rows; the next one to be taken */
    uint64_t from;      /* the first row of the block */
    size_t most, filled;
    int *channels;  /* of each slot; slot 0 is channel 0 */
    double **block; /* of each slot */
    double *numbers;
    double time[2]; /* of the rows below; infinite behind the last one */
    double *row[2]; /* columns of the present row and of the one behind it */
} RowStream;

typedef struct Comparison {
    RowStream stream[2];
    int slot_count, column_count;
    ComparedColumn *columns;
} Comparison;

/* Columns of both ------------------------------------------------------------------------------------------ */

static bool same_entry(const zvChannel *a, int i, const zvChannel *b, int k) {
    if (!a->labels && !b->labels) return i == k && (a->width == 1) == (b->width == 1);
    char text[2][16];
    return !strcmp(channel_label(a, i, text[0], sizeof text[0]), channel_label(b, k, text[1], sizeof text[1]));
}

static int turn_of(const zvChannel *channel, int entry) {
    int turn = 0;
    for (int i = 0; i < entry; i++) turn += same_entry(channel, i, channel, entry);
    return turn;
}

/* Entry of b with the label and turn of entry i of a and with its unit; -1: none. */
static int find_entry(const zvChannel *a, int i, int turn, const zvChannel *b) {
    for (int k = 0; k < b->width; k++)
        if (same_entry(a, i, b, k) && turn-- == 0) return strcmp(channel_unit(a, i), channel_unit(b, k)) ? -1 : k;
    return -1;
}

/* Pairs columns by channel, label and unit; equal labels within a channel by their order. */
static void match_channels(Comparison *c) {
    RowStream *a = &c->stream[0], *b = &c->stream[1];
    const int first = a->timed ? 1 : 0;
    c->slot_count = 1;
    for (int i = first; i < zv_recording_channels(a->recording); i++) {
        const zvChannel *mine = zv_recording_channel(a->recording, i), *theirs;
        const int other = zv_recording_find(b->recording, mine->name), before = c->column_count;
        if (other < first) continue;
        theirs = zv_recording_channel(b->recording, other);
        for (int k = 0; k < mine->width; k++) {
            const int turn = turn_of(mine, k), entry = find_entry(mine, k, turn, theirs);
            if (entry < 0) continue;
            c->columns[c->column_count++] = (ComparedColumn){.slot = c->slot_count, .entry = {k, entry}, .turn = turn};
        }
        if (c->column_count == before) continue;
        a->channels[c->slot_count] = i;
        b->channels[c->slot_count++] = other;
    }
}

/* Rows ------------------------------------------------------------------------------------------------------- */

/* A block of rows of the matched channels only: memory does not grow with the recording. */
static bool stream_open(RowStream *s, int slots, int columns) {
    enum { NUMBERS = 1 << 18 }; /* of a block */
    size_t width = 0;
    for (int i = 0; i < slots; i++) width += (size_t)zv_recording_channel(s->recording, s->channels[i])->width;
    s->most = width < NUMBERS ? NUMBERS / (width + 1) + 1 : 1;
    if ((uint64_t)s->most > s->all) s->most = (size_t)s->all;
    s->block = calloc((size_t)slots, sizeof *s->block);
    s->numbers = malloc((s->most * width + 2 * (size_t)columns) * sizeof *s->numbers);
    if (!s->block || !s->numbers) return false;
    s->row[0] = s->numbers;
    s->row[1] = s->numbers + columns;
    double *at = s->numbers + 2 * columns;
    for (int i = 0; i < slots; i++) {
        s->block[i] = at;
        at += s->most * (size_t)zv_recording_channel(s->recording, s->channels[i])->width;
    }
    return true;
}

static void stream_close(RowStream *s) {
    free(s->channels);
    free(s->block);
    free(s->numbers);
}

/* One row on: the one behind becomes the present one. */
static zvStatus advance_recording(Comparison *c, int which, zvError *error) {
    RowStream *s = &c->stream[which];
    double *row = s->row[0];
    s->row[0] = s->row[1];
    s->row[1] = row;
    s->time[0] = s->time[1];
    s->time[1] = INFINITY;
    if (s->next == s->all) return ZV_OK;
    if (s->next == s->from + s->filled) {
        const uint64_t left = s->all - s->next;
        s->from = s->next;
        s->filled = left < s->most ? (size_t)left : s->most;
        const zvStatus status =
            zv_recording_read_together(s->recording, c->slot_count, s->channels, s->next, s->filled, s->block, error);
        if (status < 0) return status;
    }
    const size_t at = (size_t)(s->next - s->from);
    for (int i = 0; i < c->column_count; i++) {
        const int slot = c->columns[i].slot, width = zv_recording_channel(s->recording, s->channels[slot])->width;
        row[i] = s->block[slot][at * (size_t)width + (size_t)c->columns[i].entry[which]];
    }
    s->time[1] = s->timed ? s->block[0][at] : (double)s->next;
    s->next++;
    return ZV_OK;
}

/* B to where A is: at the row with A's time whose turn it is, else at the last one before that time. */
static zvStatus follow(Comparison *c, bool again, zvError *error) {
    const RowStream *b = &c->stream[1];
    const double t = c->stream[0].time[0];
    zvStatus status = ZV_OK;
    while (status >= 0 && b->time[1] < t) status = advance_recording(c, 1, error);
    if (status >= 0 && b->time[1] == t && (again || b->time[0] < t)) status = advance_recording(c, 1, error);
    return status;
}

/* Differences ------------------------------------------------------------------------------------------------ */

/* Largest difference and sum of squares, scaled by the largest so that it cannot overflow. */
static void see(ComparedColumn *column, double t, double a, double b) {
    if (isfinite(a) != isfinite(b)) column->gaps++;
    if (!isfinite(a) || !isfinite(b)) return;
    const double apart = fabs(a - b), larger = fmax(apart, column->largest);
    if (!column->rows++) column->at = t;
    if (apart > column->largest) {
        column->squares *= (column->largest / larger) * (column->largest / larger);
        column->largest = larger;
        column->at = t;
    }
    if (apart > 0) column->squares += (apart / larger) * (apart / larger);
}

static void see_row(Comparison *c) {
    const RowStream *a = &c->stream[0], *b = &c->stream[1];
    const double t = a->time[0];
    const bool between = b->time[0] < t;
    if (t < b->time[0] || (between && isinf(b->time[1]))) return; /* beyond B's span */
    const double part = between ? (t - b->time[0]) / (b->time[1] - b->time[0]) : 0;
    for (int i = 0; i < c->column_count; i++) {
        const double x = b->row[0][i];
        see(&c->columns[i], t, a->row[0][i], between ? x + part * (b->row[1][i] - x) : x);
    }
}

/* Walks both recordings once, the second always one row ahead, so that any length fits in memory. */
static zvStatus compare_recordings(Comparison *c, zvError *error) {
    RowStream *a = &c->stream[0], *b = &c->stream[1];
    zvStatus status = ZV_OK;
    for (int i = 0; i < 4 && status >= 0; i++) status = advance_recording(c, i / 2, error); /* the first two of each */
    double before = -INFINITY;
    for (uint64_t i = 0; i < a->all && status >= 0; i++) {
        status = follow(c, a->time[0] == before, error);
        if (status < 0 || (b->time[0] < a->time[0] && isinf(b->time[1]))) break;
        see_row(c);
        before = a->time[0];
        status = advance_recording(c, 0, error);
    }
    return status;
}

/* The document ------------------------------------------------------------------------------------------------- */

/* One compared column: the largest difference and where, rms, rows and gaps. A label that occurs twice is numbered. */
static void put_column(const Comparison *c, const ComparedColumn *column, Json *json) {
    const RowStream *a = &c->stream[0];
    const zvChannel *channel = zv_recording_channel(a->recording, a->channels[column->slot]);
    char text[16];
    Text name = {0};
    text_printf(&name, "%s.%s", channel->name, channel_label(channel, column->entry[0], text, sizeof text));
    if (column->turn) text_printf(&name, " (%d)", column->turn + 1);
    if (name.failed) json->out->failed = true;
    json_map(json, JSON_LINE);
    json_key(json, "column"), json_text(json, name.bytes);
    json_key(json, "unit"), json_text(json, channel_unit(channel, column->entry[0]));
    json_key(json, "largest"), json_number(json, column->rows ? column->largest : (double)NAN);
    json_key(json, "at"), json_number(json, column->rows ? column->at : (double)NAN);
    json_key(json, "rms"), json_number(json, column->largest * sqrt(column->squares / (double)column->rows));
    json_key(json, "rows"), json_number(json, (double)column->rows);
    json_key(json, "gaps"), json_number(json, (double)column->gaps);
    json_end(json);
    text_free(&name);
}

/* As many columns as the first recording has are always enough. */
static bool open_comparison(Comparison *c) {
    size_t width = 0;
    const size_t channels = (size_t)zv_recording_channels(c->stream[0].recording);
    for (size_t i = 0; i < channels; i++) width += (size_t)zv_recording_channel(c->stream[0].recording, (int)i)->width;
    c->columns = calloc(width + 1, sizeof *c->columns);
    for (int i = 0; i < 2; i++) c->stream[i].channels = calloc(channels + 1, sizeof *c->stream[i].channels);
    if (!c->columns || !c->stream[0].channels || !c->stream[1].channels) return false;
    match_channels(c);
    if (!c->column_count) return true;
    return stream_open(&c->stream[0], c->slot_count, c->column_count) &&
           stream_open(&c->stream[1], c->slot_count, c->column_count);
}

/* Only recordings that are both over time, or both without, can be compared. */
zvStatus page_comparison_json(const PageRecording *a, const PageRecording *b, Json *json, zvError *error) {
    Comparison c = {.stream = {{.recording = a->recording, .timed = a->rows.timed, .all = a->rows.all},
                               {.recording = b->recording, .timed = b->rows.timed, .all = b->rows.all}}};
    const bool can = a->rows.timed == b->rows.timed && a->rows.all && b->rows.all; /* numbers of rows are no times */
    zvStatus status = ZV_OK;
    if (can && !open_comparison(&c))
        status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "%s", zv_status_sentence(ZV_MEMORY));
    if (status >= 0 && c.column_count) status = compare_recordings(&c, error);
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < c.column_count && status >= 0; i++)
        if (c.columns[i].rows || c.columns[i].gaps) put_column(&c, &c.columns[i], json);
    json_end(json);
    for (int i = 0; i < 2; i++) stream_close(&c.stream[i]);
    free(c.columns);
    return status;
}

/* A report as the document of a page. */

static Code read_modes(Report *report) {
    zvError error = {0};
    const char *path = report->args->modes;
    if (!path) return CODE_DONE;
    if (!report->recordings[0].model)
        return complain(CODE_INPUT, "expected a model in %s to draw modes on, found none that can be read",
                        report->recordings[0].path);
    return page_modes_read(path, report->recordings[0].model, &report->modes, &error) < 0 ? complain_error(&error)
                                                                                          : CODE_DONE;
}

/* Recordings first, then modes, which must fit the first robot. */
Code report_read(const Args *args, Report *report) {
    *report = (Report){.args = args};
    if (args->operand_count > 2)
        return complain(CODE_USAGE, "expected one recording, or two to compare, found more; leave out \"%s\"",
                        args->operands[2]);
    const uint64_t most = args->given & OPTION_ROWS ? (uint64_t)args->rows : PAGE_ROWS_USUAL;
    for (; report->count < args->operand_count; report->count++) {
        zvError error = {0};
        PageRecording *r = &report->recordings[report->count];
        if (page_recording_read(args->operands[report->count], most, r, &report->problems, &error) < 0)
            return page_recording_free(r), complain_error(&error);
    }
    report->recordings[0].title = args->title;
    return read_modes(report);
}

/* Recordings one after another; meshes are looked for beside each of them. */
static zvStatus put_recordings(Report *report, Json *json, zvError *error) {
    zvStatus status = ZV_OK;
    json_key(json, "recordings"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < report->count && status >= 0; i++) {
        const PageRecording *r = &report->recordings[i];
        const PageMeshes meshes = {
            .model = r->path, .folder_count = report->args->mesh_count, .folders = report->args->meshes};
        status = page_recording_json(r, &meshes, json, &report->problems, error);
    }
    if (status >= 0) json_end(json);
    return status;
}

static zvStatus put_comparison(const Report *report, Json *json, zvError *error) {
    json_key(json, "comparison");
    if (report->count == 2) return page_comparison_json(&report->recordings[0], &report->recordings[1], json, error);
    json_text(json, NULL);
    return ZV_OK;
}

Code report_put(Report *report, const char *command, Text *document) {
    zvError error = {0};
    Json json = json_start(document);
    page_document_begin(&json, "report", command);
    if (put_recordings(report, &json, &error) < 0) return complain_error(&error);
    if (put_comparison(report, &json, &error) < 0) return complain_error(&error);
    json_key(&json, "model"), json_text(&json, NULL);
    json_key(&json, "modes"), page_modes_json(&report->modes, &json);
    page_document_end(&json, &report->problems);
    return document->failed || report->problems.lines.failed ? complain_memory() : CODE_DONE;
}

void report_free(Report *report) {
    for (int i = 0; i < report->count; i++) page_recording_free(&report->recordings[i]);
    page_modes_free(&report->modes);
    page_problems_free(&report->problems);
}
