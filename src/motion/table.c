/* Tables of numbers from CSV files: the bytes of a file, then columns and rows. */
#define _POSIX_C_SOURCE 200809L

#include "base/arena.h"
#include "base/names.h"
#include "base/plain_numbers.h"
#include "base/require.h"
#include "motion/table_field.h"
#include "zveno/motion.h"
#include "zveno/status.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The bytes of a table file. */

/* Files are read whole: a table is needed whole anyway. */

enum { CHUNK = 64 * 1024, MOST_MEBIBYTES = 256 };
static const size_t most_bytes = (size_t)MOST_MEBIBYTES * 1024 * 1024;

static zvMark mark_of(const char *path) { return (zvMark){path, 0, 0}; }

static zvStatus source_no_memory(const char *path, zvError *error) {
    return zv_fail(error, ZV_MEMORY, mark_of(path), path, "out of memory while reading the table");
}

static zvStatus fail_large(const char *path, zvError *error) {
    return zv_fail(error, ZV_SIZE, mark_of(path), path,
                   "expected at most %d MiB, found more; divide the table or leave rows out", MOST_MEBIBYTES);
}

/* What the system says, for people. */
static zvStatus fail_read(const char *path, int code, zvError *error) {
    if (code == ENOENT || code == ENOTDIR)
        return zv_fail(error, ZV_IO, mark_of(path), path, "there is no such file; check the path");
    if (code == EACCES || code == EPERM)
        return zv_fail(error, ZV_IO, mark_of(path), path, "no permission to read this file; change its mode or owner");
    if (code == EISDIR)
        return zv_fail(error, ZV_IO, mark_of(path), path, "expected a file, found a directory; name a file in it");
    if (code == ENOMEM) return source_no_memory(path, error);
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", code);
    return zv_fail(error, ZV_IO, mark_of(path), path, "the file cannot be read (%s)", reason);
}

/* Doubles its memory: pipes have no size to ask for. */
static zvStatus read_all(FILE *file, const char *path, char **bytes, size_t *size, zvError *error) {
    size_t capacity = 0;
    for (;;) {
        if (capacity - *size <= CHUNK) { /* a chunk and the NUL must fit */
            capacity = 2 * capacity + CHUNK + 1;
            char *larger = realloc(*bytes, capacity);
            if (!larger) return source_no_memory(path, error);
            *bytes = larger;
        }
        errno = 0;
        const size_t got = fread(*bytes + *size, 1, CHUNK, file);
        *size += got;
        if (*size > most_bytes) return fail_large(path, error);
        if (got < CHUNK) break;
    }
    (*bytes)[*size] = '\0';
    return ferror(file) ? fail_read(path, errno, error) : ZV_OK;
}

/* Reads a file whole, with a NUL behind; *bytes is the caller's to free. At most 256 MiB. */
static zvStatus table_load(const char *path, char **bytes, size_t *size, zvError *error) {
    *bytes = NULL;
    *size = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return fail_read(path, errno, error);
    struct stat info;
    zvStatus status;
    if (fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > (off_t)most_bytes) {
        status = fail_large(path, error);
    } else {
        status = read_all(file, path, bytes, size, error);
    }
    fclose(file);
    if (status == ZV_OK) return ZV_OK;
    free(*bytes);
    *bytes = NULL;
    return status;
}

/* A copy with a NUL behind, for bytes that lie in memory already. */
static zvStatus table_copy(const char *name, const char *from, char **bytes, size_t size, zvError *error) {
    *bytes = NULL;
    if (size > most_bytes) return fail_large(name, error);
    *bytes = malloc(size + 1);
    if (!*bytes) return source_no_memory(name, error);
    if (size) memcpy(*bytes, from, size);
    (*bytes)[size] = '\0';
    return ZV_OK;
}

/* Tables of numbers from CSV files. */

typedef struct TableReader {
    const char *name; /* of the file */
    const char *line_start;
    int line;       /* from 1 */
    char separator; /* of the rows; 0 before the first of them */
    int columns, rows;
    ziStretch names; /* the line of names, empty when there is none */
    double *values;
    size_t used, capacity;
    zvError *error;
} TableReader;

/* The mark of a byte in the current line; columns count characters, not bytes of UTF-8. */
static zvMark mark_at(const TableReader *r, const char *at) {
    int column = 1;
    for (const char *p = r->line_start; p < at; p++) column += ((unsigned char)*p & 0xC0) != 0x80;
    return (zvMark){r->name, r->line, column};
}

typedef struct TableToken {
    char text[64];
} TableToken;

static TableToken token_of(ziStretch field) {
    TableToken token = {""};
    size_t length = (size_t)(field.stop - field.first);
    if (length >= sizeof token.text) length = sizeof token.text - 1;
    memcpy(token.text, field.first, length);
    return token;
}

static zvStatus fail_memory(const TableReader *r) {
    return zv_fail(r->error, ZV_MEMORY, (zvMark){r->name, 0, 0}, "", "out of memory while reading the table");
}

/* A number that is not one is refused with line and column. */
static zvStatus read_number(TableReader *r, ziStretch field) {
    double value = 0;
    const char *remedy = zi_field_number(field, &value);
    if (remedy) {
        const TableToken token = token_of(field);
        const bool empty = field.first == field.stop;
        const char *quote = empty ? "" : "\"";
        return zv_fail(r->error, ZV_NUMBER, mark_at(r, field.first), token.text,
                       "expected a finite number, found %s%s%s; %s", quote, empty ? "nothing" : token.text, quote,
                       remedy);
    }
    if (!zi_grow(&r->values, r->used, &r->capacity, sizeof value)) return fail_memory(r);
    r->values[r->used++] = value;
    return ZV_OK;
}

static zvStatus fail_length(const TableReader *r, const char *at, const char *token, int count) {
    return zv_fail(r->error, ZV_SYNTAX, mark_at(r, at), token,
                   "expected %d numbers as in %s, found %s%d; give every row as many numbers as there are columns",
                   r->columns, r->rows > 0 ? "the rows before" : "the line of names",
                   count > r->columns ? "more than " : "", count > r->columns ? r->columns : count);
}

/* The first row decides separator and width. */
static zvStatus read_row(TableReader *r, ziStretch line) {
    ziStretch rest = line, field;
    int count = 0;
    if (!r->separator) r->separator = zi_line_separator(line);
    while (zi_field_cut(&rest, r->separator, &field)) {
        count++;
        if (r->columns && count > r->columns) return fail_length(r, field.first, token_of(field).text, count);
        const zvStatus status = read_number(r, field);
        if (status < 0) return status;
    }
    if (!r->columns) r->columns = count;
    if (count < r->columns) return fail_length(r, line.stop, "", count);
    r->rows++;
    return ZV_OK;
}

/* Whether the first line with something in it holds names: at least one, and no numbers. */
static bool holds_names(ziStretch line) {
    const char separator = zi_line_separator(line);
    ziStretch field;
    bool names = false;
    while (zi_field_cut(&line, separator, &field)) {
        if (field.first == field.stop) continue;
        if (!zi_field_is_name(field)) return false;
        names = true;
    }
    return names;
}

/* Every column has a name, and a name of its own. */
static zvStatus check_names(TableReader *r, ziStretch line, ziArena *texts, ziNames *known) {
    const char separator = zi_line_separator(line);
    ziStretch field;
    while (zi_field_cut(&line, separator, &field)) {
        const ziStretch name = zi_field_name(field);
        const size_t length = (size_t)(name.stop - name.first);
        r->columns++;
        if (length == 0) {
            return zv_fail(r->error, ZV_NAME, mark_at(r, field.first), "",
                           "column %d: expected a name, found none; name every column or none", r->columns);
        }
        char *text = zi_arena_alloc(texts, length + 1);
        if (!text) return fail_memory(r);
        memcpy(text, name.first, length);
        const int owner = zi_names_add(known, text, r->columns);
        if (owner < 0) return fail_memory(r);
        if (owner != r->columns) {
            return zv_fail(r->error, ZV_NAME, mark_at(r, field.first), text,
                           "column %d: expected a name of its own, found \"%s\" of column %d; rename one of them",
                           r->columns, text, owner);
        }
    }
    return ZV_OK;
}

static zvStatus read_names(TableReader *r, ziStretch line) {
    ziArena texts = {NULL};
    ziNames known = {0};
    r->names = line;
    const zvStatus status = check_names(r, line, &texts, &known);
    zi_names_free(&known);
    zi_arena_free(&texts);
    return status;
}

/* Empty lines are passed over; the first line may hold names. */
static zvStatus read_lines(TableReader *r, ziStretch rest) {
    bool first = true;
    while (rest.first < rest.stop) {
        r->line++;
        r->line_start = rest.first;
        const ziStretch line = zi_line_cut(&rest);
        if (line.first == line.stop) continue;
        const zvStatus status = first && holds_names(line) ? read_names(r, line) : read_row(r, line);
        if (status < 0) return status;
        first = false;
    }
    if (r->rows > 0) return ZV_OK;
    return zv_fail(r->error, ZV_SYNTAX, (zvMark){r->name, 0, 0}, "",
                   r->names.first ? "expected rows of numbers, found names alone; add rows"
                                  : "expected rows of numbers, found nothing; add rows");
}

/* One block: the values, the pointers to the names, the names. */
static zvStatus pack(TableReader *r, zvTable *table) {
    const bool named = r->names.first != NULL;
    const size_t numbers = r->used * sizeof(double), pointers = named ? (size_t)r->columns * sizeof(char *) : 0;
    const size_t texts = named ? (size_t)(r->names.stop - r->names.first) + 1 : 0;
    char *block = malloc(numbers + pointers + texts);
    if (!block) return fail_memory(r);
    *table = (zvTable){.rows = r->rows, .columns = r->columns, .values = (void *)block, .block = block};
    memcpy(block, r->values, numbers);
    if (!named) return ZV_OK;
    const char **names = (void *)(block + numbers);
    table->names = names;
    char *text = block + numbers + pointers;
    const char separator = zi_line_separator(r->names);
    ziStretch rest = r->names, field;
    for (int i = 0; zi_field_cut(&rest, separator, &field); i++) { /* each takes its own length and a separator's */
        const ziStretch name = zi_field_name(field);
        const size_t length = (size_t)(name.stop - name.first);
        memcpy(text, name.first, length);
        text[length] = '\0';
        names[i] = text;
        text += length + 1;
    }
    return ZV_OK;
}

static zvStatus read_text(TableReader *r, ziStretch text, zvTable *table) {
    if (text.stop - text.first >= 3 && memcmp(text.first, "\xEF\xBB\xBF", 3) == 0) text.first += 3;
    if (memchr(text.first, '\0', (size_t)(text.stop - text.first))) {
        return zv_fail(r->error, ZV_SYNTAX, (zvMark){r->name, 0, 0}, "",
                       "expected plain text, found zero bytes; save the table as CSV in UTF-8");
    }
    zvStatus status = read_lines(r, text);
    if (status == ZV_OK) status = pack(r, table);
    free(r->values);
    return status;
}

/* Without memory for the C locale that of the process is the best there is. */
static zvStatus read_in_c_locale(const char *name, ziStretch text, zvTable *table, zvError *error) {
    TableReader reader = {.name = name, .error = error};
    ziPlainNumbers numbers;
    const bool plain = zi_plain_numbers_begin(&numbers);
    const zvStatus status = read_text(&reader, text, table);
    if (plain) zi_plain_numbers_end(&numbers);
    return status;
}

zvStatus zv_table_read_memory(const char *name, const char *bytes, size_t size, zvTable *table, zvError *error) {
    ZI_REQUIRE(name && (bytes || !size) && table);
    char *copy;
    *table = (zvTable){0};
    zvStatus status = table_copy(name, bytes, &copy, size, error);
    if (status == ZV_OK) status = read_in_c_locale(name, (ziStretch){copy, copy + size}, table, error);
    free(copy);
    return status;
}

zvStatus zv_table_read_file(const char *path, zvTable *table, zvError *error) {
    ZI_REQUIRE(path && table);
    char *bytes;
    size_t size;
    *table = (zvTable){0};
    zvStatus status = table_load(path, &bytes, &size, error);
    if (status == ZV_OK) status = read_in_c_locale(path, (ziStretch){bytes, bytes + size}, table, error);
    free(bytes);
    return status;
}

void zv_table_free(zvTable *table) {
    ZI_REQUIRE(table);
    free(table->block);
    *table = (zvTable){0};
}
