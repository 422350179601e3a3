/* Recordings in the document of a page. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kinds.h"
#include "page/recording.h"
#include "recordings.h"
#include "zveno/read.h"

static const char *file_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reading ----------------------------------------------------------------------------------------------- */

static const char *note_of(const zvRecording *recording, const char *name) {
    for (int i = 0; i < zv_recording_notes(recording); i++)
        if (!strcmp(zv_recording_note(recording, i).name, name)) return zv_recording_note(recording, i).text;
    return NULL;
}

/* The model of the note "model". Without it, or when it cannot be read, the page gets plots only and the reason. */
static zvStatus read_model(PageRecording *r, PageProblems *problems, zvError *error) {
    const char *text = note_of(r->recording, "model");
    if (!text) {
        page_problem(problems, "%s tells no model: plots only, no replay", file_of(r->path));
        return ZV_OK;
    }
    zvError reason = {0};
    zvBuilder *builder = zv_builder_create(&reason);
    zvStatus status = builder ? ZV_OK : ZV_MEMORY;
    if (status >= 0)
        status = zv_read_memory(builder, "the note \"model\"", text, strlen(text), ZV_FORMAT_NATIVE, &reason);
    if (status >= 0) status = zv_builder_freeze(builder, &r->model, &reason);
    zv_builder_destroy(builder);
    if (status == ZV_MEMORY) return zv_fail(error, status, (zvMark){.file = r->path}, "", "%s", reason.text);
    char line[1024];
    if (status < 0)
        page_problem(problems, "%s: its model cannot be read, so there is no replay: %s", file_of(r->path),
                     zv_error_line(&reason, line, sizeof line));
    return ZV_OK;
}

/* Index of the channel with the positions among those of the page, which has no time; -1: none that fits. */
static int channel_of_q(int channel, int first, const zvChannel *description, const zvModel *model) {
    return model && channel >= first && description->width == zv_model_nq(model) ? channel - first : -1;
}

static int find_q(const PageRecording *r) {
    const int channel = zv_recording_find(r->recording, "q"), first = r->rows.timed ? 1 : 0;
    return channel < 0 ? -1 : channel_of_q(channel, first, zv_recording_channel(r->recording, channel), r->model);
}

static void tell_problems(const PageRecording *r, PageProblems *problems) {
    const char *file = file_of(r->path), *ending = note_of(r->recording, "complete");
    if (!r->rows.all) page_problem(problems, "%s has no rows", file);
    if (!r->rows.timed)
        page_problem(problems, "%s: the first column is not a time that grows; rows are numbered instead", file);
    if (ending && !strcmp(ending, "no"))
        page_problem(problems, "%s: the run was interrupted and ends early; zveno simulate --resume goes on", file);
    if (r->model && find_q(r) < 0)
        page_problem(problems, "%s: positions were not recorded (channel q), so there is no replay", file);
}

zvStatus page_recording_read(const char *path, uint64_t most, PageRecording *r, PageProblems *problems,
                             zvError *error) {
    *r = (PageRecording){.path = path};
    zvStatus status = zv_recording_open(path, &r->recording, error);
    if (status < 0) file_blame_kind(path, FILE_RECORDING, error);
    if (status >= 0) status = page_rows_read(r->recording, most, &r->rows, error);
    if (status >= 0) status = read_model(r, problems, error);
    if (status >= 0) tell_problems(r, problems);
    return status;
}

void page_recording_free(PageRecording *r) {
    zv_recording_destroy(r->recording);
    zv_model_destroy(r->model);
    page_rows_free(&r->rows);
    *r = (PageRecording){0};
}

/* Numbers --------------------------------------------------------------------------------------------------- */

/* Single precision shows a column well unless it varies by a small part of its size, as an energy that is kept. */
static bool needs_doubles(const double *column, size_t rows) {
    double least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(column[i])) continue;
        least = fmin(least, column[i]);
        greatest = fmax(greatest, column[i]);
    }
    if (!(least <= greatest)) return false;
    const double size = fmax(fabs(least), fabs(greatest));
    return size > FLT_MAX || (greatest > least && greatest - least < 1e-3 * size);
}

/* One channel, entry after entry, from place `at` of the rows on. */
static void copy_channel(const PageRows *rows, size_t at, size_t width, double *to) {
    for (size_t k = 0; k < width; k++)
        for (size_t i = 0; i < rows->count; i++) *to++ = rows->row[i][at + k];
}

static void put_numbers(const double *values, size_t width, size_t rows, bool precise, float *buffer, Json *json) {
    for (size_t k = 0; k < width && !precise; k++) precise = needs_doubles(values + k * rows, rows);
    json_key(json, "data");
    if (precise) {
        base64_doubles(json, values, width * rows);
        json_key(json, "precise"), json_bool(json, true);
        return;
    }
    for (size_t i = 0; i < width * rows; i++) buffer[i] = (float)values[i];
    base64_floats(json, buffer, width * rows);
}

/* The whole --------------------------------------------------------------------------------------------------- */

static zvStatus fail_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for the page; fewer rows: --rows N");
}

/* What the rows go along; NULL: they are numbered. */
static void put_time_name(const zvChannel *time, Json *json) {
    json_key(json, "time_name"), json_text(json, time ? time->name : "row");
    json_key(json, "time_unit"), json_text(json, time && time->unit ? time->unit : "1");
}

/* Time and channels. buffer is as large as the numbers of the widest channel, in doubles and in floats. */
static void put_table(const PageRecording *r, double *buffer, float *small, Json *json) {
    const PageRows *rows = &r->rows;
    size_t at = rows->timed ? 1 : 0;
    for (size_t i = 0; i < rows->count; i++) buffer[i] = rows->timed ? rows->row[i][0] : (double)rows->numbers[i];
    json_key(json, "time"), base64_doubles(json, buffer, rows->count);
    json_key(json, "channels"), json_list(json, JSON_BLOCK);
    for (int c = rows->timed ? 1 : 0; c < zv_recording_channels(r->recording); c++) {
        const zvChannel *channel = zv_recording_channel(r->recording, c);
        const size_t width = (size_t)channel->width;
        json_map(json, JSON_LINE);
        page_channel_json(channel, json);
        copy_channel(rows, at, width, buffer);
        put_numbers(buffer, width, rows->count, !strcmp(channel->name, "q"), small, json);
        json_end(json);
        at += width;
    }
    json_end(json);
}

/* Events, notes and ledger; very many events are cut, and the page says so. */
static void put_texts(const PageRecording *r, Json *json, PageProblems *problems) {
    enum { MOST_EVENTS = 10000 };
    const uint64_t count = zv_recording_events(r->recording);
    json_key(json, "events"), json_list(json, JSON_LINE);
    for (uint64_t i = 0; i < count && i < MOST_EVENTS; i++) page_event_json(zv_recording_event(r->recording, i), json);
    json_end(json);
    if (count > MOST_EVENTS)
        page_problem(problems, "%s: the first %d of %llu events are shown", file_of(r->path), MOST_EVENTS,
                     (unsigned long long)count);
    json_key(json, "notes"), json_list(json, JSON_LINE);
    for (int i = 0; i < zv_recording_notes(r->recording); i++) {
        const zvNote note = zv_recording_note(r->recording, i);
        /* a page travels: where the model lay stays here */
        if (strcmp(note.name, "model file")) page_note_json(note, json);
    }
    json_end(json);
    json_key(json, "ledger"), page_ledger_json(note_of(r->recording, "ledger"), json);
}

static zvStatus put_model(const zvModel *model, const PageMeshes *meshes, Json *json, PageProblems *problems,
                          zvError *error) {
    json_key(json, "model");
    if (model) return page_model_json(model, meshes, json, problems, error);
    json_text(json, NULL);
    return ZV_OK;
}

/* A recording with its rows, events, notes and model. The buffers hold the widest channel: positions are written in
 * double precision, other channels in single. */
zvStatus page_recording_json(const PageRecording *r, const PageMeshes *meshes, Json *json, PageProblems *problems,
                             zvError *error) {
    const PageRows *rows = &r->rows;
    size_t widest = 1;
    for (int c = 0; c < zv_recording_channels(r->recording); c++) {
        const size_t width = (size_t)zv_recording_channel(r->recording, c)->width;
        if (width > widest) widest = width;
    }
    double *buffer = malloc((widest * rows->count + 1) * sizeof *buffer);
    float *small = malloc((widest * rows->count + 1) * sizeof *small);
    zvStatus status = buffer && small ? ZV_OK : fail_memory(error);
    if (status >= 0) {
        Text left_out = {0};
        page_rows_tell(rows, &left_out);
        json_map(json, JSON_BLOCK);
        json_key(json, "file"), json_text(json, file_of(r->path));
        json_key(json, "title"), json_text(json, r->title ? r->title : note_of(r->recording, "title"));
        json_key(json, "rows"), json_number(json, (double)rows->count);
        json_key(json, "all_rows"), json_number(json, (double)rows->all);
        json_key(json, "decimated"), json_text(json, left_out.bytes);
        put_time_name(r->rows.timed ? zv_recording_channel(r->recording, 0) : NULL, json);
        put_table(r, buffer, small, json);
        put_texts(r, json, problems);
        PageMeshes places = meshes ? *meshes : (PageMeshes){0};
        places.source = note_of(r->recording, "model file");
        status = put_model(r->model, &places, json, problems, error);
        json_key(json, "q"), json_integer(json, find_q(r));
        json_end(json);
        text_free(&left_out);
    }
    free(buffer);
    free(small);
    if (status >= 0 && json->out->failed) status = fail_memory(error);
    return status;
}

/* The same keys as of a recording, without rows: the page takes both alike. */
zvStatus page_begun_json(const PageBegun *begun, const PageMeshes *meshes, Json *json, PageProblems *problems,
                         zvError *error) {
    int q = -1;
    json_map(json, JSON_BLOCK);
    json_key(json, "file"), json_text(json, begun->file ? file_of(begun->file) : "");
    json_key(json, "title"), json_text(json, begun->title);
    json_key(json, "rows"), json_integer(json, 0);
    json_key(json, "all_rows"), json_integer(json, 0);
    json_key(json, "decimated"), json_text(json, begun->left_out);
    put_time_name(begun->channel_count ? &begun->channels[0] : NULL, json);
    json_key(json, "time"), json_text(json, "");
    json_key(json, "channels"), json_list(json, JSON_BLOCK);
    for (int c = 1; c < begun->channel_count; c++) {
        const bool is_q = !strcmp(begun->channels[c].name, "q");
        if (is_q) q = channel_of_q(c, 1, &begun->channels[c], begun->model);
        json_map(json, JSON_LINE);
        page_channel_json(&begun->channels[c], json);
        put_numbers(NULL, 0, 0, is_q, NULL, json);
        json_end(json);
    }
    json_end(json);
    json_key(json, "events"), json_list(json, JSON_LINE);
    for (int i = 0; begun->run && i < zv_run_events(begun->run); i++)
        page_event_json(zv_run_event(begun->run, i), json);
    json_end(json);
    const char *ledger = NULL;
    json_key(json, "notes"), json_list(json, JSON_LINE);
    for (int i = 0; i < begun->note_count; i++) {
        page_note_json(begun->notes[i], json);
        if (!strcmp(begun->notes[i].name, "ledger")) ledger = begun->notes[i].text;
    }
    json_end(json);
    json_key(json, "ledger"), page_ledger_json(ledger, json);
    const zvStatus status = put_model(begun->model, meshes, json, problems, error);
    json_key(json, "q"), json_integer(json, q);
    json_end(json);
    return status;
}

/* What a page says of a recording besides numbers. */

void page_channel_json(const zvChannel *channel, Json *json) {
    json_key(json, "name"), json_text(json, channel->name);
    json_key(json, "unit"), json_text(json, channel->unit ? channel->unit : "1");
    json_key(json, "about"), json_text(json, channel->about ? channel->about : "");
    json_key(json, "width"), json_integer(json, channel->width);
    channel_entries_json(channel, json);
}

void page_note_json(zvNote note, Json *json) {
    json_map(json, JSON_LINE);
    json_key(json, "name"), json_text(json, note.name);
    json_key(json, "text"), json_text(json, note.text);
    json_end(json);
}

void page_event_json(zvEvent event, Json *json) {
    json_map(json, JSON_LINE);
    json_key(json, "t"), json_number(json, event.t);
    json_key(json, "name"), json_text(json, event.name ? event.name : "");
    json_key(json, "text"), json_text(json, event.text ? event.text : "");
    json_end(json);
}

/* Behind a name in quotes, at the comma; its text goes to `name`. NULL: `at` is none (RFC 4180). */
static const char *take_quoted(const char *at, Text *name) {
    if (*at++ != '"') return NULL;
    for (; *at && (*at != '"' || at[1] == '"'); at++) {
        if (*at == '"') at++;
        text_put(name, at, 1);
    }
    return *at == '"' && at[1] == ',' ? at + 1 : NULL;
}

/* Likewise up to the last comma of the line: names with commas were not always in quotes. */
static const char *take_plain(const char *at, Text *name) {
    const char *end = at + strcspn(at, "\n");
    while (end > at && *end != ',') end--;
    if (*end != ',') return NULL;
    text_put(name, at, (size_t)(end - at));
    return end;
}

/* A row "store,name,1.25"; returns where the next one begins. */
static const char *put_ledger_row(const char *row, Json *json) {
    const char *name_at = row + strcspn(row, ",\n"), *end = NULL;
    Text name = {0};
    if (*name_at == ',' && !(end = take_quoted(name_at + 1, &name))) {
        text_clear(&name);
        end = take_plain(name_at + 1, &name);
    }
    if (end) {
        json_map(json, JSON_LINE);
        json_key(json, "kind"), json_text(json, strncmp(row, "store", 5) ? "work" : "store");
        json_key(json, "name"), json_text(json, name.bytes ? name.bytes : "");
        json_key(json, "J"), json_number(json, strtod(end + 1, NULL));
        json_end(json);
    }
    text_free(&name);
    row = end ? end : row;
    row += strcspn(row, "\n");
    return *row ? row + 1 : row;
}

/* The note that src/simulate/notes.c writes: a heading, then a row for each account. */
void page_ledger_json(const char *note, Json *json) {
    if (!note) {
        json_text(json, NULL);
        return;
    }
    json_list(json, JSON_LINE);
    const char *row = note + strcspn(note, "\n");
    if (*row) row++;
    while (*row) row = put_ledger_row(row, json);
    json_end(json);
}
