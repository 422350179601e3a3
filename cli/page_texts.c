/* What a page says of a recording besides numbers. */
#include "page_texts.h"

#include <stdlib.h>
#include <string.h>

#include "recording.h"

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
