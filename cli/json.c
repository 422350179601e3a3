/* A writer of JSON. The open maps and lists stand in a small table; commas, line breaks and indentation follow from it.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "json.h"

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

/* Bytes that are no UTF-8 become U+FFFD: a reader of JSON would refuse the whole text for one of them. */
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

/* base64: three bytes become four letters; what is left over is filled up with "=". */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(char *to, const unsigned char *from) {
    const unsigned word = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];
    for (int i = 0; i < 4; i++) to[i] = letters[word >> (18 - 6 * i) & 63];
}

/* In blocks of whole groups, for a page holds megabytes of them; the last group is padded [RFC 4648, 4]. */
void base64_put(Text *out, const void *bytes, size_t size) {
    enum { GROUPS = 256 };
    const unsigned char *from = bytes;
    char block[4 * GROUPS];
    while (size >= 3) {
        const size_t groups = size / 3 < GROUPS ? size / 3 : GROUPS;
        for (size_t i = 0; i < groups; i++) put_group(block + 4 * i, from + 3 * i);
        text_put(out, block, 4 * groups);
        from += 3 * groups;
        size -= 3 * groups;
    }
    if (!size) return;
    unsigned char rest[3] = {0};
    memcpy(rest, from, size);
    put_group(block, rest);
    memset(block + 1 + size, '=', 3 - size);
    text_put(out, block, 4);
}

/* As many numbers at a time as make whole groups of both sizes: no "=" in the middle. */
enum { AT_ONCE = 96 };

static uint64_t bits_of(const void *number, size_t size) {
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (size == sizeof narrow)
        memcpy(&narrow, number, sizeof narrow);
    else
        memcpy(&wide, number, sizeof wide);
    return wide | narrow;
}

static void put_little(unsigned char *to, uint64_t bits, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = (unsigned char)(bits >> 8 * i);
}

/* Numbers of `size` bytes, as a string. */
static void put_numbers(Json *json, const unsigned char *values, size_t count, size_t size) {
    unsigned char block[AT_ONCE * sizeof(double)];
    Text *out = json_raw(json);
    text_puts(out, "\"");
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
        for (size_t i = 0; i < part; i++, done++)
            put_little(block + i * size, bits_of(values + done * size, size), size);
        base64_put(out, block, part * size);
    }
    text_puts(out, "\"");
}

void base64_floats(Json *json, const float *values, size_t count) {
    put_numbers(json, (const unsigned char *)values, count, sizeof *values);
}

void base64_doubles(Json *json, const double *values, size_t count) {
    put_numbers(json, (const unsigned char *)values, count, sizeof *values);
}
