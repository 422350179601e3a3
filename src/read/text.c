/* What readers of every format share. */
#define _POSIX_C_SOURCE 200809L
#include "read/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/plain_numbers.h"
#include "zveno/status.h"

/* Lines and columns, UTF-8, and short quotations. */

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
                   "expected text, found a zero byte; if the file is UTF-16, save it as UTF-8");
}

/* Refuses the first byte that is not UTF-8, at its place. */
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
                           "expected UTF-8, found the byte %s; save the file as UTF-8 text", token);
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

/* Cut between characters; control characters become question marks. */
const char *zi_text_quote(char buffer[ZI_QUOTE_SIZE], const char *text, size_t length) {
    const size_t kept = ZI_QUOTE_SIZE - 4; /* three dots and the NUL */
    size_t take = length <= ZI_QUOTE_SIZE - 1 ? length : kept;
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

/* Checks the spelling itself, so that strtod never sees hexadecimal, nan(...) or a comma, and runs strtod in the
 * C locale of this thread only. */

static const char *skip_digits(const char *p) {
    while (*p >= '0' && *p <= '9') p++;
    return p;
}

/* End of [+-] digits [. digits] [e [+-] digits], or text itself when there are no digits. */
static const char *number_end(const char *text) {
    const char *p = text;
    if (*p == '+' || *p == '-') p++;
    const char *whole = p;
    p = skip_digits(p);
    ptrdiff_t digits = p - whole;
    if (*p == '.') {
        const char *fraction = p + 1;
        p = skip_digits(fraction);
        digits += p - fraction;
    }
    if (digits == 0) return text;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        const char *stop = skip_digits(exponent);
        if (stop > exponent) p = stop;
    }
    return p;
}

static int is_infinite_word(const char *text) {
    static const char *const words[] = {"inf", "infinity", "nan", ".inf", ".nan"};
    if (*text == '+' || *text == '-') text++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0) return 1;
    return 0;
}

/* Without memory for the C locale that of the process is the best there is. */
static double strtod_in_c(const char *text) {
    ziPlainNumbers numbers;
    const bool plain = zi_plain_numbers_begin(&numbers);
    const double value = strtod(text, NULL);
    if (plain) zi_plain_numbers_end(&numbers);
    return value;
}

ziNumberFault zi_number_scan(const char *text, const char **end, double *value) {
    *end = number_end(text);
    *value = 0;
    if (*end == text) return is_infinite_word(text) ? ZI_NUMBER_INFINITE : ZI_NUMBER_NONE;
    if (**end == 'x' || **end == 'X') return ZI_NUMBER_NONE;
    *value = strtod_in_c(text);
    return isfinite(*value) ? ZI_NUMBER_GOOD : ZI_NUMBER_TOO_LARGE;
}

const char *zi_number_expected(ziNumberFault fault) {
    if (fault == ZI_NUMBER_INFINITE) return "a finite number";
    if (fault == ZI_NUMBER_TOO_LARGE) return "a finite number (up to about 1.8e308)";
    return "a number";
}

/* Loads a file, a pipe or standard input whole, and says clearly why it cannot. */

enum { CHUNK = 64 * 1024, MAX_MEBIBYTES = 256 };
static const size_t MAX_SIZE = (size_t)MAX_MEBIBYTES * 1024 * 1024;

const char *zi_source_name(const char *path) { return strcmp(path, "-") == 0 ? "<stdin>" : path; }

static zvMark mark_of(const char *path) { return (zvMark){zi_source_name(path), 0, 0}; }

static zvStatus fail_open(const char *path, int code, zvError *error) {
    const zvMark mark = mark_of(path);
    if (code == ENOENT || code == ENOTDIR)
        return zv_fail(error, ZV_IO, mark, path, "there is no such file; check the path");
    if (code == EACCES || code == EPERM)
        return zv_fail(error, ZV_IO, mark, path, "no permission to read this file; change its mode or owner");
    if (code == ENOMEM) return zv_fail(error, ZV_MEMORY, mark, path, "out of memory while opening the file");
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", code);
    return zv_fail(error, ZV_IO, mark, path, "the file cannot be read (%s)", reason);
}

static zvStatus fail_directory(const char *path, zvError *error) {
    return zv_fail(error, ZV_IO, mark_of(path), path, "this is a directory; name a file in it");
}

static zvStatus fail_large(const char *path, zvError *error) {
    return zv_fail(error, ZV_SIZE, mark_of(path), path, "the file is larger than %d MiB; divide it", MAX_MEBIBYTES);
}

/* Memory for another chunk and the closing NUL. */
static bool grow_source(ziSource *source, size_t *capacity) {
    if (*capacity - source->size > CHUNK) return true;
    const size_t larger = *capacity * 2 + CHUNK + 1;
    char *bytes = realloc(source->bytes, larger);
    if (!bytes) return false;
    source->bytes = bytes;
    *capacity = larger;
    return true;
}

/* Piece by piece, since a pipe does not tell its size. */
static zvStatus read_all(FILE *file, const char *path, ziSource *source, zvError *error) {
    size_t capacity = 0;
    for (;;) {
        if (!grow_source(source, &capacity))
            return zv_fail(error, ZV_MEMORY, mark_of(path), path, "out of memory while reading the file");
        const size_t got = fread(source->bytes + source->size, 1, CHUNK, file);
        source->size += got;
        if (source->size > MAX_SIZE) return fail_large(path, error);
        if (got < CHUNK) break;
    }
    if (ferror(file)) return errno == EISDIR ? fail_directory(path, error) : fail_open(path, errno, error);
    if (source->size == 0)
        return zv_fail(error, ZV_SYNTAX, mark_of(path), path,
                       "the file is empty; check the path, or write what belongs there");
    source->bytes[source->size] = '\0';
    return ZV_OK;
}

/* Whether a path names a stream that the caller has opened already: standard input, or /dev/fd/63 as shells pass what
 * another command writes. */
static bool is_passed(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0) return true;
    return strcmp(path, "/dev/stdin") == 0;
}

/* Whether somebody is writing into a pipe with a name, within a second. */
static bool is_written(int file) {
    enum { MILLISECONDS = 1000 };
    struct pollfd ask = {.fd = file, .events = POLLIN};
    int ready;
    do ready = poll(&ask, 1, MILLISECONDS);
    while (ready < 0 && errno == EINTR);
    return ready > 0 && (ask.revents & POLLIN);
}

/* Directories, devices, pipes that nobody writes into and files that are too large are refused before they are read. */
static zvStatus check_kind(int file, const char *path, zvError *error) {
    struct stat info;
    const zvMark mark = mark_of(path);
    if (fstat(file, &info) != 0) return fail_open(path, errno, error);
    if (S_ISDIR(info.st_mode)) return fail_directory(path, error);
    if (S_ISREG(info.st_mode)) return info.st_size > (off_t)MAX_SIZE ? fail_large(path, error) : ZV_OK;
    if (is_passed(path)) return ZV_OK;
    if (!S_ISFIFO(info.st_mode))
        return zv_fail(error, ZV_IO, mark, path, "this is a device or a socket; name a file, or - for standard input");
    if (is_written(file)) return ZV_OK;
    return zv_fail(error, ZV_IO, mark, path,
                   "this is a pipe into which nobody writes; start its writer first, or name a file");
}

/* Opened without waiting for the other end of a pipe, read with waiting. */
static zvStatus load_path(const char *path, ziSource *out, zvError *error) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return fail_open(path, errno, error);
    FILE *file = NULL;
    zvStatus status = check_kind(descriptor, path, error);
    const int flags = fcntl(descriptor, F_GETFL);
    if (status >= 0 &&
        (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0 || !(file = fdopen(descriptor, "rb"))))
        status = fail_open(path, errno, error);
    if (status >= 0) status = read_all(file, path, out, error);
    if (file)
        fclose(file);
    else
        close(descriptor);
    return status;
}

zvStatus zi_source_load(const char *path, ziSource *out, zvError *error) {
    *out = (ziSource){NULL, 0};
    const zvStatus status = strcmp(path, "-") == 0 ? read_all(stdin, path, out, error) : load_path(path, out, error);
    if (status != ZV_OK) zi_source_free(out);
    return status;
}

void zi_source_free(ziSource *source) {
    free(source->bytes);
    *source = (ziSource){NULL, 0};
}

/* Words of other formats (URDF, SDF, MJCF and our own) and programs for the same things; spelling does not bring them
 * together. */

typedef struct Synonym {
    const char *word, *name;
} Synonym;

static const Synonym synonyms[] = {
    {"ball", "spherical"},
    {"hinge", "revolute"},
    {"slide", "prismatic"},
    {"slider", "prismatic"},
    {"floating", "free"},
    {"free", "floating"},
    {"screw", "helical"},
    {"weld", "fixed"},
    {"multiplier", "ratio"},
    {"ratio", "multiplier"},
    {"revolute2", "universal"},
    {"stiffness", "spring"},
    {"pose", "origin"},
    {"origin", "pose"},
    {"child_pose", "child_origin"},
    {"distance", "rod"},
    {"gear", "coupling"},
    {"belt", "coupling"},
    /* laws and integrators of scenarios */
    {"sine", "harmonic"},
    {"sinusoidal", "harmonic"},
    {"step", "table"},
    {"ode113", "adams"},
    {"ode45", "erk"},
    {"ode15s", "bdf"},
    {"rk45", "erk"},
    {"timestep", "step"},
    {"hz", "hertz"},
    {"time", "duration"},
};

const char *zi_meant_name(const char *word, const char *const *names, size_t count) {
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++) {
        if (strcmp(synonyms[s].word, word) != 0) continue;
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i], synonyms[s].name) == 0) return names[i];
    }
    return zv_nearest_name(word, names, count);
}

bool zi_has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *p = list; length > 0 && (p = strstr(p, word)) != NULL; p += length)
        if (p > list && p[-1] == ' ' && p[length] == ' ') return true;
    return false;
}

/* Of a copy that is cut into words. */
const char *zi_nearest_word(const char *list, const char *word, char found[ZI_QUOTE_SIZE]) {
    char copy[768];
    const char *words[64];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *p = copy; *p && count < 64;) {
        p += strspn(p, " ");
        if (*p) words[count++] = p;
        p += strcspn(p, " ");
        if (*p) *p++ = '\0';
    }
    const char *near = zi_meant_name(word, words, count);
    if (near) snprintf(found, ZI_QUOTE_SIZE, "%s", near);
    return near ? found : NULL;
}

zvPose zi_pose_inverse(const zvPose *pose) {
    zvPose back;
    for (int i = 0; i < 3; i++) {
        back.p[i] = 0;
        for (int j = 0; j < 3; j++) {
            back.R[3 * i + j] = pose->R[3 * j + i];
            back.p[i] -= pose->R[3 * j + i] * pose->p[j];
        }
    }
    return back;
}

/* Roll, pitch and yaw of more than a turn: nobody writes them in radians. The description keeps rotation matrices, so
 * this can be seen only while reading. */

static const double pi = 3.14159265358979323846;
static const double whole_turn = 6.3; /* rad; 2 pi however it was rounded is less */

/* The remark names the largest angle. */
zvStatus zi_degrees_remark(zvBuilder *builder, const char *kind, const char *name, zvMark mark, const double rpy[3],
                           zvError *error) {
    int suspect = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(rpy[i]) > fabs(rpy[suspect])) suspect = i;
    if (!(fabs(rpy[suspect]) > whole_turn)) return ZV_OK;
    char token[32], why[160], repair[96];
    snprintf(token, sizeof token, "%.6g", rpy[suspect]);
    snprintf(why, sizeof why, "rpy %.6g %.6g %.6g has an angle of more than a turn and looks like degrees", rpy[0],
             rpy[1], rpy[2]);
    snprintf(repair, sizeof repair, "write radians: %.6g degrees are %.6g rad", rpy[suspect], rpy[suspect] * pi / 180);
    const zvRemark remark = {ZV_SEVERITY_WARNING, ZV_NUMBER, "degrees", kind, name, token, why, repair, mark};
    return zv_builder_add_remark(builder, &remark, error);
}
