/* What a page says of a recording besides numbers. */
#include "page_texts.h"

#include <stdlib.h>
#include <string.h>

#include "recording.h"

void page_channel_json(const zvChannel *channel, Json *json) {
    char text[16];
    json_key(json, "name"), json_text(json, channel->name);
    json_key(json, "unit"), json_text(json, channel->unit ? channel->unit : "1");
    json_key(json, "about"), json_text(json, channel->about ? channel->about : "");
    json_key(json, "width"), json_integer(json, channel->width);
    json_key(json, "labels"), json_list(json, JSON_LINE);
    for (int i = 0; i < channel->width; i++) json_text(json, channel_label(channel, i, text, sizeof text));
    json_end(json);
    json_key(json, "units"), json_list(json, JSON_LINE);
    for (int i = 0; i < channel->width; i++) json_text(json, channel_unit(channel, i));
    json_end(json);
}

void page_note_json(zvNote note, Json *json) {
    json_map(json, JSON_LINE);
    json_key(json, "name"), json_text(json, note.name);
    json_key(json, "text"), json_text(json, note.text);
    json_end(json);
}

void page_happening_json(zvHappening happening, Json *json) {
    json_map(json, JSON_LINE);
    json_key(json, "t"), json_number(json, happening.t);
    json_key(json, "name"), json_text(json, happening.name ? happening.name : "");
    json_key(json, "text"), json_text(json, happening.text ? happening.text : "");
    json_end(json);
}

/* A line "store,name,1.25": names may hold commas. */
static void put_ledger_line(const char *line, size_t length, Json *json) {
    const char *first = memchr(line, ',', length), *last = line + length;
    while (first && last > first && last[-1] != ',') last--;
    if (!first || last <= first + 1) return;
    Text name = {0};
    text_put(&name, first + 1, (size_t)(last - 1 - first - 1));
    json_map(json, JSON_LINE);
    json_key(json, "kind"), json_text(json, length > 5 && !strncmp(line, "store", 5) ? "store" : "work");
    json_key(json, "name"), json_text(json, name.bytes ? name.bytes : "");
    json_key(json, "J"), json_number(json, strtod(last, NULL));
    json_end(json);
    text_free(&name);
}

/* The note that src/simulate/notes.c writes: a heading, then a line for each account. */
void page_ledger_json(const char *note, Json *json) {
    if (!note) {
        json_text(json, NULL);
        return;
    }
    json_list(json, JSON_LINE);
    const char *line = strchr(note, '\n');
    while (line && *++line) {
        put_ledger_line(line, strcspn(line, "\n"), json);
        line = strchr(line, '\n');
    }
    json_end(json);
}
