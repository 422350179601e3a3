/* Lines and columns, UTF-8, and short quotations. */
#include "read/text.h"

#include <string.h>

static int is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

ziCursor zi_cursor_start(const char *bytes, size_t size) {
    ziCursor cursor = {0, 1, 1};
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) cursor.offset = 3;
    return cursor;
}

void zi_cursor_advance(ziCursor *cursor, const char *bytes, size_t to_offset) {
    for (; cursor->offset < to_offset; cursor->offset++) {
        const char c = bytes[cursor->offset];
        if (c == '\n') {
            cursor->line++;
            cursor->column = 1;
        } else if (!is_continuation(c)) {
            cursor->column++;
        }
    }
}

zvMark zi_cursor_mark(const ziCursor *cursor, const char *file) { return (zvMark){file, cursor->line, cursor->column}; }

zvMark zi_text_mark(const char *file, const char *bytes, size_t size, size_t offset) {
    ziCursor cursor = zi_cursor_start(bytes, size);
    zi_cursor_advance(&cursor, bytes, offset < size ? offset : size);
    return zi_cursor_mark(&cursor, file);
}

/* Length of the character at p, or 0 when it is not UTF-8 (overlong forms and surrogates are not). */
static size_t utf8_length(const unsigned char *p, size_t left) {
    const unsigned char c = p[0];
    if (c < 0x80) return 1;
    const size_t length = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (length == 0 || length > left) return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    if (c == 0xE0 && p[1] < 0xA0) return 0;
    if (c == 0xED && p[1] > 0x9F) return 0;
    if (c == 0xF0 && p[1] < 0x90) return 0;
    if (c == 0xF4 && p[1] > 0x8F) return 0;
    return length;
}

static zvStatus check_zero(const char *file, const char *bytes, size_t size, zvError *error) {
    const char *zero = memchr(bytes, '\0', size);
    if (!zero) return ZV_OK;
    return zv_fail(error, ZV_SYNTAX, zi_text_mark(file, bytes, size, (size_t)(zero - bytes)), "\\0",
                   "a zero byte stands here, so this is not a text file; if it is UTF-16, save it as UTF-8");
}

zvStatus zi_text_check(const char *file, const char *bytes, size_t size, int utf8, zvError *error) {
    if (size == 0) return ZV_OK;
    const zvStatus status = check_zero(file, bytes, size, error);
    if (status != ZV_OK || !utf8) return status;
    for (size_t i = 0; i < size;) {
        const size_t length = utf8_length((const unsigned char *)bytes + i, size - i);
        if (length == 0) {
            char token[8];
            const unsigned value = (unsigned char)bytes[i];
            const char *digits = "0123456789abcdef";
            memcpy(token, (char[]){'0', 'x', digits[value >> 4], digits[value & 15], '\0'}, 5);
            return zv_fail(error, ZV_SYNTAX, zi_text_mark(file, bytes, size, i), token,
                           "byte %s is not UTF-8; save the file as UTF-8 text", token);
        }
        i += length;
    }
    return ZV_OK;
}

/* Length of the character at text when a terminal or a reader's eye would obey it instead of showing it: C0, DEL, C1
 * (U+0080-009F) and what turns the direction of writing (U+202A-202E, U+2066-2069); else 0. */
static size_t control_length(const char *text, size_t left) {
    const unsigned char *p = (const unsigned char *)text;
    if (p[0] < 0x20 || p[0] == 0x7F) return 1;
    if (left >= 2 && p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) return 2;
    if (left < 3 || p[0] != 0xE2) return 0;
    if (p[1] == 0x80 && p[2] >= 0xAA && p[2] <= 0xAE) return 3;
    return p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9 ? 3 : 0;
}

const char *zi_text_quote(char buffer[ZI_QUOTE_SIZE], const char *text, size_t length) {
    const size_t room = ZI_QUOTE_SIZE - 4; /* three dots and the NUL */
    size_t take = length <= ZI_QUOTE_SIZE - 1 ? length : room;
    if (take < length)
        while (take > 0 && is_continuation(text[take])) take--;
    size_t used = 0;
    for (size_t i = 0; i < take;) {
        const size_t control = control_length(text + i, take - i);
        buffer[used++] = control ? '?' : text[i];
        i += control ? control : 1;
    }
    strcpy(buffer + used, take < length ? "..." : "");
    return buffer;
}
