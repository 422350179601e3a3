/* Files are read whole: a table is needed whole anyway. */
#define _POSIX_C_SOURCE 200809L
#include "motion/table_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK = 64 * 1024, MOST_MEBIBYTES = 256 };
static const size_t most_bytes = (size_t)MOST_MEBIBYTES * 1024 * 1024;

static zvMark mark_of(const char *path) { return (zvMark){path, 0, 0}; }

static zvStatus fail_memory(const char *path, zvError *error) {
    return zv_fail(error, ZV_MEMORY, mark_of(path), path, "out of memory while reading the table");
}

static zvStatus fail_large(const char *path, zvError *error) {
    return zv_fail(error, ZV_SIZE, mark_of(path), path, "the table is larger than %d MiB; divide it or leave rows out",
                   MOST_MEBIBYTES);
}

static zvStatus fail_read(const char *path, int code, zvError *error) {
    if (code == ENOENT || code == ENOTDIR)
        return zv_fail(error, ZV_IO, mark_of(path), path, "there is no such file; check the path");
    if (code == EACCES || code == EPERM)
        return zv_fail(error, ZV_IO, mark_of(path), path, "no permission to read this file; change its mode or owner");
    if (code == EISDIR) return zv_fail(error, ZV_IO, mark_of(path), path, "this is a directory; name a file in it");
    if (code == ENOMEM) return fail_memory(path, error);
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "error %d", code);
    return zv_fail(error, ZV_IO, mark_of(path), path, "the file cannot be read (%s)", reason);
}

static zvStatus read_all(FILE *file, const char *path, char **bytes, size_t *size, zvError *error) {
    size_t capacity = 0;
    for (;;) {
        if (capacity - *size <= CHUNK) { /* a chunk and the NUL must fit */
            capacity = 2 * capacity + CHUNK + 1;
            char *larger = realloc(*bytes, capacity);
            if (!larger) return fail_memory(path, error);
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

zvStatus zi_table_load(const char *path, char **bytes, size_t *size, zvError *error) {
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

zvStatus zi_table_copy(const char *name, const char *from, char **bytes, size_t size, zvError *error) {
    *bytes = NULL;
    if (size > most_bytes) return fail_large(name, error);
    *bytes = malloc(size + 1);
    if (!*bytes) return fail_memory(name, error);
    if (size) memcpy(*bytes, from, size);
    (*bytes)[size] = '\0';
    return ZV_OK;
}
