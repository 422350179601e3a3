/* A writer of JSON. The open maps and lists stand in a small table; commas, line breaks and indentation follow from it.
 */
#include "json.h"

#include <assert.h>

Json json_start(Text *out) { return (Json){.out = out}; }

static void json_break(Json *json) {
    text_puts(json->out, "\n");
    text_repeat(json->out, "  ", (size_t)json->depth);
}

/* Whatever must stand before the next key or value. */
static void json_separate(Json *json) {
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (!json->depth) return;
    JsonLevel *level = &json->level[json->depth - 1];
    if (!level->empty) text_puts(json->out, level->layout == JSON_LINE ? ", " : ",");
    if (level->layout == JSON_BLOCK) json_break(json);
    level->empty = false;
}

static void json_begin(Json *json, const char *open, char close, JsonLayout layout) {
    assert(json->depth < JSON_DEPTH);
    json_separate(json);
    text_puts(json->out, open);
    json->level[json->depth++] = (JsonLevel){.close = close, .layout = layout, .empty = true};
}

void json_map(Json *json, JsonLayout layout) { json_begin(json, "{", '}', layout); }
void json_list(Json *json, JsonLayout layout) { json_begin(json, "[", ']', layout); }

void json_end(Json *json) {
    assert(json->depth > 0);
    const JsonLevel level = json->level[--json->depth];
    if (level.layout == JSON_BLOCK && !level.empty) json_break(json);
    text_put(json->out, &level.close, 1);
    if (!json->depth) text_puts(json->out, "\n");
}

static void json_escape(Text *out, unsigned char c) {
    static const char plain[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
    for (size_t i = 0; i < sizeof plain - 1; i++)
        if (c == (unsigned char)plain[i]) {
            text_printf(out, "\\%c", letter[i]);
            return;
        }
    text_printf(out, "\\u%04x", (unsigned)c);
}

static void json_string(Text *out, const char *string) {
    const unsigned char *s = (const unsigned char *)string;
    text_puts(out, "\"");
    while (*s) {
        const size_t length = utf8_length((const char *)s);
        if (!length)
            text_puts(out, "\\ufffd"); /* a file name may hold any bytes */
        else if (*s < 0x20 || *s == 0x7f || *s == '"' || *s == '\\')
            json_escape(out, *s);
        else
            text_put(out, (const char *)s, length);
        s += length ? length : 1;
    }
    text_puts(out, "\"");
}

void json_key(Json *json, const char *key) {
    json_separate(json);
    json_string(json->out, key);
    text_puts(json->out, ": ");
    json->after_key = true;
}

void json_number(Json *json, double value) {
    json_separate(json);
    text_number(json->out, value);
}

void json_integer(Json *json, int value) {
    json_separate(json);
    text_printf(json->out, "%d", value);
}

void json_bool(Json *json, bool value) {
    json_separate(json);
    text_puts(json->out, value ? "true" : "false");
}

void json_text(Json *json, const char *value) {
    json_separate(json);
    if (value)
        json_string(json->out, value);
    else
        text_puts(json->out, "null");
}

Text *json_raw(Json *json) {
    json_separate(json);
    return json->out;
}

void json_numbers(Json *json, const double *values, size_t count) {
    json_list(json, JSON_LINE);
    for (size_t i = 0; i < count; i++) json_number(json, values[i]);
    json_end(json);
}

void json_rows(Json *json, const double *values, size_t rows, size_t columns) {
    json_list(json, JSON_BLOCK);
    for (size_t i = 0; i < rows; i++) json_numbers(json, values + i * columns, columns);
    json_end(json);
}
