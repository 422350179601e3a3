/* Loads a file, a pipe or standard input whole, and says clearly why it cannot. */
#define _POSIX_C_SOURCE 200809L
#include "read/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* Room for another chunk and the closing NUL. */
static bool make_room(ziSource *source, size_t *capacity) {
    if (*capacity - source->size > CHUNK) return true;
    const size_t larger = *capacity * 2 + CHUNK + 1;
    char *bytes = realloc(source->bytes, larger);
    if (!bytes) return false;
    source->bytes = bytes;
    *capacity = larger;
    return true;
}

static zvStatus read_all(FILE *file, const char *path, ziSource *source, zvError *error) {
    size_t capacity = 0;
    for (;;) {
        if (!make_room(source, &capacity))
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

static zvStatus load_path(const char *path, ziSource *out, zvError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) return fail_open(path, errno, error);
    struct stat info;
    zvStatus status;
    if (fstat(fileno(file), &info) != 0) {
        status = fail_open(path, errno, error);
    } else if (S_ISDIR(info.st_mode)) {
        status = fail_directory(path, error);
    } else if (S_ISREG(info.st_mode) && info.st_size > (off_t)MAX_SIZE) {
        status = fail_large(path, error);
    } else {
        status = read_all(file, path, out, error);
    }
    fclose(file);
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
