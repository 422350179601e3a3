#include "codegen/emit_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for size bytes more; false when there is none. */
static bool reserve(ziCodeText *text, size_t size) {
    if (text->failed) return false;
    if (text->size + size <= text->room) return true;
    size_t room = text->room ? text->room : 4096;
    while (room < text->size + size) room *= 2;
    char *bytes = realloc(text->bytes, room);
    text->failed = !bytes;
    if (!bytes) return false;
    text->bytes = bytes;
    text->room = room;
    return true;
}

static void put(ziCodeText *text, const char *bytes, size_t size) {
    if (!reserve(text, size)) return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

void zi_code_puts(ziCodeText *text, const char *string) { put(text, string, strlen(string)); }

void zi_code_append(ziCodeText *text, const ziCodeText *more) {
    if (more->size) put(text, more->bytes, more->size);
    text->failed |= more->failed;
    text->beyond |= more->beyond;
}

void zi_code(ziCodeText *text, const char *format, ...) {
    enum { FIRST = 256 };
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    if (reserve(text, FIRST)) {
        const int length = vsnprintf(text->bytes + text->size, FIRST, format, list);
        if (length >= FIRST && reserve(text, (size_t)length + 1))
            vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
        if (length < 0) text->failed = true;
        if (!text->failed) text->size += (size_t)length;
    }
    va_end(again);
    va_end(list);
}

void zi_code_pattern(ziCodeText *text, const char *pattern, const char *name) {
    for (;;) {
        const size_t length = strcspn(pattern, "@");
        put(text, pattern, length);
        if (!pattern[length]) return;
        zi_code_puts(text, name);
        pattern += length + 1;
    }
}

/* The fewest digits that read back. Both conversions go by the same locale. */
static void digits(char *word, size_t size, double value, bool single) {
    for (int precision = single ? 6 : 15; precision <= 17; precision++) {
        snprintf(word, size, "%.*g", precision, value);
        if (single ? strtof(word, NULL) == (float)value : strtod(word, NULL) == value) return;
    }
}

void zi_code_number(ziCodeText *text, double value) {
    char word[64], plain[64];
    if (text->single) value = (double)(float)value;
    if (!isfinite(value)) {
        text->beyond = true;
        return;
    }
    digits(word, sizeof word, value, text->single);
    size_t length = 0;
    bool fraction = false;
    for (const char *c = word; *c; c++) {
        const bool known = (*c >= '0' && *c <= '9') || *c == 'e' || *c == '-' || *c == '+';
        if (!known && fraction) continue; /* a decimal point of several bytes */
        fraction |= !known || *c == 'e';
        plain[length++] = known ? *c : '.';
    }
    plain[length] = '\0';
    zi_code(text, "%s%s%s", plain, fraction ? "" : ".0", text->single ? "f" : "");
}

/* Length of the well-formed UTF-8 character at s, 1 for ASCII; 0: none. Values above U+FFFF are not needed here. */
static int character(const unsigned char *s, unsigned *code) {
    *code = s[0];
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xC2 && s[0] < 0xE0 && (s[1] & 0xC0) == 0x80) return *code = (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu), 2;
    if ((s[0] & 0xF0) != 0xE0 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80) return 0;
    *code = (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    return *code >= 0x800 && (*code < 0xD800 || *code >= 0xE000) ? 3 : 0;
}

void zi_code_remark(ziCodeText *text, const char *name) {
    for (const unsigned char *s = (const unsigned char *)name; *s;) {
        unsigned code;
        const int length = character(s, &code);
        const bool steers = code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2000 && code < 0x2070) ||
                            code == 0xFEFF || code == 0x61C;
        /* a star may end the comment, a backslash or a trigraph may splice its lines */
        if (!length || steers || code == '*' || code == '\\' || code == '?')
            put(text, "_", 1);
        else
            put(text, (const char *)s, (size_t)length);
        s += length ? length : 1;
    }
}

void zi_code_string(ziCodeText *text, const char *string) {
    zi_code_puts(text, "\"");
    for (const unsigned char *s = (const unsigned char *)string; *s; s++) {
        if (*s < 0x20 || *s >= 0x7F || *s == '"' || *s == '\\' || *s == '?')
            zi_code(text, "\\%03o", *s);
        else
            put(text, (const char *)s, 1);
    }
    zi_code_puts(text, "\"");
}

void zi_code_free(ziCodeText *text) {
    free(text->bytes);
    *text = (ziCodeText){0};
}
