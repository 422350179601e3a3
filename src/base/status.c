/* Names and sentences of the statuses, and the filling of error texts. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/require.h"
#include "zveno/status.h"
#include "zveno/version.h"

const char *zv_status_name(zvStatus status) {
    switch (status) {
#define ZV_X(name, code, sentence) \
    case ZV_##name: return "ZV_" #name;
        ZV_STATUS_LIST(ZV_X)
#undef ZV_X
    }
    return "ZV_UNKNOWN";
}

const char *zv_status_sentence(zvStatus status) {
    switch (status) {
#define ZV_X(name, code, sentence) \
    case ZV_##name: return sentence;
        ZV_STATUS_LIST(ZV_X)
#undef ZV_X
    }
    return "unknown status";
}

/* Copies what fits and never cuts a UTF-8 character in two. */
static void copy_text(char *to, size_t size, const char *from) {
    size_t length = from ? strlen(from) : 0;
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)from[length] & 0xC0) == 0x80) length--;
    }
    if (length) memcpy(to, from, length);
    to[length] = '\0';
}

/* Formats before anything is overwritten: arguments may point into the error itself. */
zvStatus zv_fail(zvError *error, zvStatus status, zvMark mark, const char *token, const char *format, ...) {
    if (!error) return status;
    char text[2 * sizeof error->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error->status = status;
    error->line = mark.line;
    error->column = mark.column;
    copy_text(error->file, sizeof error->file, mark.file);
    copy_text(error->token, sizeof error->token, token);
    copy_text(error->text, sizeof error->text, text);
    return status;
}

/* file:line:column as far as they are known. */
const char *zv_error_line(const zvError *error, char *buffer, size_t size) {
    ZI_REQUIRE(error && buffer);
    char place[sizeof error->file + 32] = "";
    if (error->file[0] && error->line > 0 && error->column > 0) {
        snprintf(place, sizeof place, "%s:%d:%d: ", error->file, error->line, error->column);
    } else if (error->file[0] && error->line > 0) {
        snprintf(place, sizeof place, "%s:%d: ", error->file, error->line);
    } else if (error->file[0]) {
        snprintf(place, sizeof place, "%s: ", error->file);
    }
    snprintf(buffer, size, "%s%s", place, error->text);
    return buffer;
}

/* The version. */

#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *zv_version(void) { return VERSION(ZV_VERSION_MAJOR, ZV_VERSION_MINOR, ZV_VERSION_PATCH); }
