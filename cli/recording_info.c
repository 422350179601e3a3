/* zveno info about a recording: its channels, notes and events. */
#include <string.h>

#include "json.h"
#include "recording.h"
#include "table.h"

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
    json_key(&json, "happenings"), json_list(&json, JSON_BLOCK);
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

static void event_table(const zvRecording *recording, Text *out) {
    const uint64_t count = zv_recording_events(recording);
    if (!count) return;
    Table table = table_start(3);
    table_text(&table, "t [s]"), table_text(&table, "happening"), table_text(&table, "");
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

Code recording_info(const Args *args, Text *out) {
    zvRecording *recording = NULL;
    Code code = recording_refuse_options(args);
    if (code == CODE_DONE) code = recording_open(args, &recording);
    if (code != CODE_DONE) return code;
    if (args->given & OPTION_JSON)
        print_json(args, recording, out);
    else
        print_table(args, recording, out);
    zv_recording_close(recording);
    return CODE_DONE;
}
