/* Recordings on the command line: opening and converting. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kinds.h"
#include "recordings.h"
#include "table.h"

/* Recordings in HDF5 of version 0.1 have no checksums: that damage would go unnoticed is said, and what helps. */
static void tell_unchecked(const char *path, const zvRecording *recording) {
    if (!zv_recording_is_hdf5(recording) || zv_recording_checked(recording)) return;
    remark("%s was written without checksums (version 0.1): damage to it would go unnoticed; zveno convert adds them",
           path);
}

Code recording_open(const Args *args, zvRecording **recording) {
    zvError error = {0};
    if (zv_recording_open(args->operand, recording, &error) < 0) {
        file_blame_kind(args->operand, FILE_RECORDING, &error);
        return complain_error(&error);
    }
    tell_unchecked(args->operand, *recording);
    return CODE_DONE;
}

Code recording_refuse_options(const Args *args) {
    if (!(args->given & (OPTION_BASE | OPTION_MIMIC | OPTION_GRAVITY))) return CODE_DONE;
    return complain(CODE_USAGE, "expected a model for --base, --mimic and --gravity, found the recording %s",
                    args->operand);
}

/* Both ends are looked for from outside; --from above --to is wrong usage. */
Code recording_window(const Args *args, const zvRecording *recording, const double *t, uint64_t *first, uint64_t *end) {
    const uint64_t rows = zv_recording_rows(recording);
    const bool from = args->given & OPTION_FROM, to = args->given & OPTION_TO;
    if (from && to && args->from > args->to)
        return complain(CODE_USAGE, "expected --from below --to, found %g and %g", args->from, args->to);
    *first = 0;
    *end = rows;
    /* times are sums of steps: 0.3 means the row at 0.30000000000000004 too */
    while (*first < rows && from && t[*first] < args->from - 1e-9 * (1 + fabs(args->from))) ++*first;
    while (*end > *first && to && t[*end - 1] > args->to + 1e-9 * (1 + fabs(args->to))) --*end;
    if (*first < *end) return CODE_DONE;
    return complain(CODE_INPUT, "%s: expected rows in that time, found none; it covers %.6g to %.6g s", args->operand,
                    t[0], t[rows - 1]);
}

void recording_beside(const char *recording, const char *suffix, Text *path) {
    const char *slash = strrchr(recording, '/'), *point = strrchr(recording, '.');
    const bool has_suffix = point && (!slash || point > slash + 1) && point != recording;
    text_put(path, recording, has_suffix ? (size_t)(point - recording) : strlen(recording));
    text_puts(path, suffix);
}

const char *channel_label(const zvChannel *channel, int entry, char *text, size_t size) {
    if (channel->labels && channel->labels[entry]) return channel->labels[entry];
    if (channel->width == 1)
        snprintf(text, size, "%s", channel->name);
    else
        snprintf(text, size, "%d", entry);
    return text;
}

const char *channel_unit(const zvChannel *channel, int entry) {
    const char *unit = channel->units && channel->units[entry] ? channel->units[entry] : channel->unit;
    return unit ? unit : "1";
}

void channel_entries_json(const zvChannel *channel, Json *json) {
    char text[16];
    json_key(json, "labels"), json_list(json, JSON_LINE);
    for (int i = 0; i < channel->width; i++) json_text(json, channel_label(channel, i, text, sizeof text));
    json_end(json);
    json_key(json, "units"), json_list(json, JSON_LINE);
    for (int i = 0; i < channel->width; i++) json_text(json, channel_unit(channel, i));
    json_end(json);
}

/* What was written, for people or for programs. */
static void print_result(const Args *args, const zvRecording *recording, Text *out) {
    const double rows = (double)zv_recording_rows(recording);
    if (args->given & OPTION_JSON) {
        Json json = json_start(out);
        json_map(&json, JSON_BLOCK);
        json_key(&json, "format"), json_text(&json, "recording");
        json_key(&json, "file"), json_text(&json, args->output);
        json_key(&json, "rows"), json_number(&json, rows);
        json_end(&json);
        return;
    }
    text_puts(out, "wrote ");
    text_name(out, args->output);
    text_printf(out, ": %.0f rows of %d channels\n", rows, zv_recording_channels(recording));
}

/* Checks the words first: nothing is read when there is nowhere to write. */
Code recording_convert(const Args *args, Text *out) {
    zvRecording *recording = NULL;
    zvError error = {0};
    if (!args->output || !strcmp(args->output, "-"))
        return complain(
            CODE_USAGE,
            "expected a file to convert the recording to, found none: zveno convert %s -o OUT.h5 or -o OUT.csv",
            args->operand);
    Code code = recording_refuse_options(args);
    if (code == CODE_DONE) code = recording_open(args, &recording);
    if (code != CODE_DONE) return code;
    if (zv_recording_write(recording, args->output, &error) < 0)
        code = complain_error(&error);
    else
        print_result(args, recording, out);
    zv_recording_destroy(recording);
    return code;
}

/* zveno info about a recording: its channels, notes and events. */

enum { MOST_LABELS = 60, MOST_EVENTS = 30, MOST_LETTERS = 90 };

/* First and last time; false without rows. */
static bool time_span(zvRecording *recording, double span[2]) {
    const uint64_t rows = zv_recording_rows(recording);
    if (!rows || zv_recording_channel(recording, 0)->width != 1) return false;
    return zv_recording_read(recording, 0, 0, 1, &span[0], NULL) >= 0 &&
           zv_recording_read(recording, 0, rows - 1, 1, &span[1], NULL) >= 0;
}

static void channel_json(const zvChannel *channel, Json *json) {
    json_map(json, JSON_BLOCK);
    json_key(json, "name"), json_text(json, channel->name);
    json_key(json, "unit"), json_text(json, channel->unit);
    json_key(json, "width"), json_integer(json, channel->width);
    json_key(json, "about"), json_text(json, channel->about);
    channel_entries_json(channel, json);
    json_end(json);
}

static void event_json(zvEvent event, Json *json) {
    json_map(json, JSON_LINE);
    json_key(json, "t"), json_number(json, event.t);
    json_key(json, "name"), json_text(json, event.name);
    json_key(json, "text"), json_text(json, event.text);
    json_end(json);
}

/* Channels, events and notes as they are in the file; span only where there is a time. */
static void print_json(const Args *args, zvRecording *recording, Text *out) {
    double span[2];
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "recording"), json_text(&json, args->operand);
    json_key(&json, "rows"), json_number(&json, (double)zv_recording_rows(recording));
    if (time_span(recording, span)) json_key(&json, "span"), json_numbers(&json, span, 2);
    json_key(&json, "channels"), json_list(&json, JSON_BLOCK);
    for (int i = 0; i < zv_recording_channels(recording); i++) channel_json(zv_recording_channel(recording, i), &json);
    json_end(&json);
    json_key(&json, "events"), json_list(&json, JSON_BLOCK);
    for (uint64_t i = 0; i < zv_recording_events(recording); i++) event_json(zv_recording_event(recording, i), &json);
    json_end(&json);
    json_key(&json, "notes"), json_map(&json, JSON_BLOCK);
    for (int i = 0; i < zv_recording_notes(recording); i++) {
        const zvNote note = zv_recording_note(recording, i);
        json_key(&json, note.name), json_text(&json, note.text);
    }
    json_end(&json);
    json_end(&json);
}

/* "joint1, joint2, ..." as far as a line goes. */
static void entries_cell(const zvChannel *channel, Table *table) {
    Text list = {0};
    char text[16];
    for (int i = 0; i < channel->width; i++) {
        if (list.size > MOST_LABELS) {
            text_puts(&list, ", ...");
            break;
        }
        text_printf(&list, "%s%s", i ? ", " : "", channel_label(channel, i, text, sizeof text));
    }
    table_text(table, channel->width > 1 || channel->labels ? list.bytes : "");
    text_free(&list);
}

static void unit_cell(const zvChannel *channel, Table *table) {
    Text units = {0};
    for (int i = 0; i < channel->width; i++) {
        const char *unit = channel_unit(channel, i);
        bool known = false;
        for (int k = 0; k < i; k++) known |= !strcmp(channel_unit(channel, k), unit);
        if (!known) text_printf(&units, "%s%s", units.size ? ", " : "", unit);
    }
    table_text(table, units.size ? units.bytes : "");
    text_free(&units);
}

/* Entries of a channel in short: a channel of fifty joints has one row. */
static void channel_table(const zvRecording *recording, Text *out) {
    Table table = table_start(5);
    static const char *const headings[] = {"channel", "width", "unit", "entries", "about"};
    for (int i = 0; i < 5; i++) table_text(&table, headings[i]);
    for (int i = 0; i < zv_recording_channels(recording); i++) {
        const zvChannel *channel = zv_recording_channel(recording, i);
        table_text(&table, channel->name);
        table_integer(&table, channel->width);
        unit_cell(channel, &table);
        entries_cell(channel, &table);
        table_text(&table, channel->about ? channel->about : "");
    }
    table_finish(&table, out);
}

/* The first of them only, then how many more there are. */
static void event_table(const zvRecording *recording, Text *out) {
    const uint64_t count = zv_recording_events(recording);
    if (!count) return;
    Table table = table_start(3);
    table_text(&table, "t [s]"), table_text(&table, "event"), table_text(&table, "");
    for (uint64_t i = 0; i < count && i < MOST_EVENTS; i++) {
        const zvEvent event = zv_recording_event(recording, i);
        table_number(&table, event.t);
        table_text(&table, event.name ? event.name : "");
        table_text(&table, event.text ? event.text : "");
    }
    text_puts(out, "\n");
    table_finish(&table, out);
    if (count > MOST_EVENTS)
        text_printf(out, "and %llu more: --json has them\n", (unsigned long long)(count - MOST_EVENTS));
}

static int lines_of(const char *text) {
    int lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n' || !c[1];
    return lines;
}

/* Notes of one line as far as they are short, of longer ones the number of lines. */
static void note_table(const zvRecording *recording, Text *out) {
    if (!zv_recording_notes(recording)) return;
    Table table = table_start(2);
    table_text(&table, "note"), table_text(&table, "");
    for (int i = 0; i < zv_recording_notes(recording); i++) {
        const zvNote note = zv_recording_note(recording, i);
        const size_t length = strlen(note.text);
        char shown[MOST_LETTERS + 32];
        if (strchr(note.text, '\n'))
            snprintf(shown, sizeof shown, "(%d lines: --json has them)", lines_of(note.text));
        else
            snprintf(shown, sizeof shown, "%.*s%s", MOST_LETTERS, note.text, length > MOST_LETTERS ? "..." : "");
        table_text(&table, note.name);
        table_text(&table, shown);
    }
    text_puts(out, "\n");
    table_finish(&table, out);
}

static void print_table(const Args *args, zvRecording *recording, Text *out) {
    double span[2];
    text_puts(out, "recording ");
    text_name(out, args->operand);
    text_printf(out, ": %llu rows", (unsigned long long)zv_recording_rows(recording));
    if (time_span(recording, span)) text_printf(out, ", t = %.6g to %.6g s", span[0], span[1]);
    text_puts(out, "\n\n");
    channel_table(recording, out);
    event_table(recording, out);
    note_table(recording, out);
}

/* A recording instead of a model: the same verb, other tables. */
Code recording_info(const Args *args, Text *out) {
    zvRecording *recording = NULL;
    Code code = recording_refuse_options(args);
    if (code == CODE_DONE) code = recording_open(args, &recording);
    if (code != CODE_DONE) return code;
    if (args->given & OPTION_JSON)
        print_json(args, recording, out);
    else
        print_table(args, recording, out);
    zv_recording_destroy(recording);
    return CODE_DONE;
}

/* Choosing channels and entries of a recording. */

/* The pane for one more entry of a channel: the last one of the same channel and unit, or a new one. NULL: no room. */
static PickPane *pane_for(Pick *pick, const zvChannel *channel, int index, int entry, int first) {
    const char *unit = channel_unit(channel, entry);
    for (int i = pick->count - 1; i >= first; i--)
        if (pick->panes[i].channel == index && !strcmp(pick->panes[i].unit, unit)) return &pick->panes[i];
    if (pick->count == MOST_PANES) return NULL;
    int *entries = malloc((size_t)channel->width * sizeof *entries);
    if (!entries) return NULL;
    PickPane *pane = &pick->panes[pick->count++];
    *pane = (PickPane){.channel = index, .unit = unit, .entries = entries};
    return pane;
}

static bool add_entry(Pick *pick, const zvChannel *channel, int index, int entry, int first) {
    PickPane *pane = pane_for(pick, channel, index, entry, first);
    if (!pane) return false;
    for (int i = 0; i < pane->count; i++)
        if (pane->entries[i] == entry) return true; /* asked for twice */
    pane->entries[pane->count++] = entry;
    return true;
}

static bool pick_channel(const zvRecording *recording, Pick *pick, int index) {
    const zvChannel *channel = zv_recording_channel(recording, index);
    const int first = pick->count;
    for (int entry = 0; entry < channel->width; entry++)
        if (!add_entry(pick, channel, index, entry, first)) return false;
    for (int i = first; i < pick->count; i++) {
        pick->panes[i].whole = true;
        pick->panes[i].total = pick->panes[i].count;
    }
    return true;
}

static Code too_many_panes(void) {
    return complain(CODE_INPUT, "expected at most %d panes, found more; ask for fewer channels", MOST_PANES);
}

/* The nearest names, and all of them: of channels, or of the entries of one channel. */
static Code unknown(const zvRecording *recording, const char *word, int index) {
    const zvChannel *channel = index < 0 ? NULL : zv_recording_channel(recording, index);
    const size_t count = (size_t)(channel ? channel->width : zv_recording_channels(recording));
    const char **names = malloc(count * sizeof *names);
    char(*numbers)[16] = malloc(count * sizeof *numbers);
    Text what = {0}, known = {0};
    for (size_t i = 0; names && numbers && i < count; i++) {
        names[i] = channel ? channel_label(channel, (int)i, numbers[i], sizeof numbers[i])
                           : zv_recording_channel(recording, (int)i)->name;
        text_puts(&known, i ? ", " : "known: ");
        text_name(&known, names[i]);
    }
    text_puts(&known, "\n");
    if (channel)
        text_printf(&what, "entry of channel \"%s\"", channel->name);
    else
        text_puts(&what, "channel");
    if (names && numbers && !what.failed) {
        complain_near(CODE_INPUT, what.bytes, word, zv_nearest_name(word, names, count));
        text_write(&known, stderr);
    } else {
        complain_memory();
    }
    text_free(&known);
    text_free(&what);
    free(numbers);
    free(names);
    return CODE_INPUT;
}

/* The longest channel name that stands before a point in the word; -1: none. */
static int channel_before_point(const zvRecording *recording, const char *word) {
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < zv_recording_channels(recording); i++) {
        const char *name = zv_recording_channel(recording, i)->name;
        const size_t length = strlen(name);
        if (length <= longest || strncmp(word, name, length) || word[length] != '.') continue;
        longest = length;
        found = i;
    }
    return found;
}

/* The name of a channel, or channel.entry; a channel's name may itself have points. */
static Code add_word(const zvRecording *recording, Pick *pick, const char *word) {
    const int whole = zv_recording_find(recording, word);
    if (whole >= 0) return pick_channel(recording, pick, whole) ? CODE_DONE : too_many_panes();
    const int index = channel_before_point(recording, word);
    if (index < 0) return unknown(recording, word, -1);
    const zvChannel *channel = zv_recording_channel(recording, index);
    const char *label = word + strlen(channel->name) + 1;
    for (int entry = 0; entry < channel->width; entry++) {
        char text[16];
        if (strcmp(channel_label(channel, entry, text, sizeof text), label)) continue;
        return add_entry(pick, channel, index, entry, 0) ? CODE_DONE : too_many_panes();
    }
    return unknown(recording, label, index);
}

/* Words between commas; blanks around them do not count. */
static Code add_list(const zvRecording *recording, Pick *pick, const char *list) {
    Code code = CODE_DONE;
    for (const char *at = list; code == CODE_DONE && *at;) {
        Text word = {0};
        at += strspn(at, " ");
        const size_t length = strcspn(at, ",");
        size_t used = length;
        while (used && at[used - 1] == ' ') used--;
        text_put(&word, at, used);
        if (word.failed)
            code = complain_memory();
        else if (used)
            code = add_word(recording, pick, word.bytes);
        text_free(&word);
        at += length + (at[length] == ',');
    }
    for (int i = 0; i < pick->count; i++)
        if (!pick->panes[i].total) pick->panes[i].total = pick->panes[i].count;
    if (code == CODE_DONE && !pick->count) return complain(CODE_USAGE, "expected names after --channels, found none");
    return code;
}

static void drop_panes(Pick *pick, int first) {
    for (int i = first; i < pick->count; i++) free(pick->panes[i].entries);
    pick->count = first;
}

/* Without a list all channels as far as they fit, and the names of those that do not. */
Code pick_read(const zvRecording *recording, const char *list, Pick *pick) {
    *pick = (Pick){0};
    if (list) return add_list(recording, pick, list);
    for (int i = 1; i < zv_recording_channels(recording); i++) { /* channel 0 is time */
        const int first = pick->count;
        if (first < USUAL_PANES && pick_channel(recording, pick, i) && (!first || pick->count <= USUAL_PANES)) continue;
        drop_panes(pick, first);
        if (pick->left_out.size) text_puts(&pick->left_out, ", ");
        text_name(&pick->left_out, zv_recording_channel(recording, i)->name);
    }
    return pick->count ? CODE_DONE
                       : complain(CODE_INPUT, "expected a channel besides time in the recording, found none");
}

void pick_free(Pick *pick) {
    drop_panes(pick, 0);
    text_free(&pick->left_out);
}
