/* A growing piece of text and the two ways to write a number into it. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool text_reserve(Text *text, size_t more) {
    if (text->failed || more > (size_t)-1 / 4 - text->size) return text->failed = true, false;
    const size_t need = text->size + more + 1;
    if (need <= text->capacity) return true;
    const size_t capacity = need < 512 ? 512 : need + need / 2;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) return text->failed = true, false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void text_put(Text *text, const char *bytes, size_t size) {
    if (!text_reserve(text, size)) return;
    if (size) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void text_puts(Text *text, const char *string) { text_put(text, string, strlen(string)); }

void text_repeat(Text *text, const char *string, size_t times) {
    for (size_t i = 0; i < times; i++) text_puts(text, string);
}

void text_end_line(Text *text) {
    while (text->size && text->bytes[text->size - 1] == ' ') text->size--;
    text_puts(text, "\n");
}

/* Measures first and prints into the text itself: no length is too long. */
void text_printf(Text *text, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (size >= 0 && text_reserve(text, (size_t)size)) {
        vsnprintf(text->bytes + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

/* The fewest digits that give the same number back; what is not finite becomes null and is remembered. */
void text_number(Text *text, double value) {
    char digits[32];
    if (!isfinite(value)) {
        text->not_finite = true;
        text_puts(text, "null");
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    text_puts(text, digits);
}

void text_number_short(Text *text, double value) {
    if (!isfinite(value)) text->not_finite = true;
    /* adding zero turns -0 into 0 */
    text_printf(text, "%.6g", value + 0.0);
}

/* A character beyond ASCII that steers instead of being shown: C1 controls and what turns the direction of writing.
 * 0 for all others. */
static unsigned steering(const unsigned char *p) {
    if (p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) return p[1];
    if (p[0] != 0xE2 || (p[1] != 0x80 && p[1] != 0x81) || (p[2] & 0xC0) != 0x80) return 0;
    const unsigned code = 0x2000u | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ? code : 0;
}

/* Names come from files: bytes that would steer a terminal are shown as what they are. */
void text_name(Text *text, const char *name) {
    for (; *name; name++) {
        const unsigned char c = (unsigned char)*name;
        const unsigned code = steering((const unsigned char *)name);
        if (code) {
            text_printf(text, "\\u%04x", code);
            name += code < 0x100 ? 1 : 2;
        } else if (c < 0x20 || c == 0x7f) {
            text_printf(text, "\\x%02x", (unsigned)c);
        } else {
            text_put(text, name, 1);
        }
    }
}

size_t utf8_length(const char *string) {
    const unsigned char *s = (const unsigned char *)string;
    if (s[0] < 0x80) return 1;
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return length;
}

void text_clear(Text *text) {
    text->size = 0;
    text->failed = text->not_finite = false;
}

void text_free(Text *text) {
    free(text->bytes);
    *text = (Text){0};
}

bool text_write(const Text *text, FILE *stream) {
    return !text->size || fwrite(text->bytes, 1, text->size, stream) == text->size;
}
