/* Writes a robot file so that a half-written one never replaces a good one: a new file beside the old one, on the disk
 * before it takes the old one's name. What is not a regular file (a pipe, a device) is written to directly. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zveno/read.h"

enum { TRIES = 100 };

typedef struct Output {
    const char *path; /* as the user wrote it, for error texts */
    int file;
    int reason; /* errno of the first failed write */
} Output;

static zvStatus fail(const char *path, int reason, const char *what, zvError *error) {
    zvMark mark = {path, 0, 0};
    char text[128] = "";
    if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
    return zv_fail(error, ZV_IO, mark, path,
                   "the file could not be %s: %s; check the path, its permissions and the disk", what, text);
}

static bool write_all(void *context, const char *text, size_t size) {
    Output *output = context;
    while (size > 0) {
        ssize_t done = write(output->file, text, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            output->reason = errno;
            return false;
        }
        text += done;
        size -= (size_t)done;
    }
    return true;
}

/* Writes into an open file and closes it. */
static zvStatus fill(zvBuilder *builder, Output *output, bool durable, zvError *error) {
    zvStatus status = zv_write_native(builder, write_all, output, error);
    if (status >= 0 && durable && fsync(output->file) != 0) output->reason = errno;
    if (close(output->file) != 0 && output->reason == 0) output->reason = errno;
    return output->reason ? fail(output->path, output->reason, "written", error) : status;
}

static zvStatus write_directly(zvBuilder *builder, const char *path, zvError *error) {
    Output output = {path, open(path, O_WRONLY | O_CLOEXEC), 0};
    if (output.file < 0) return fail(path, errno, "opened", error);
    return fill(builder, &output, false, error);
}

/* Opens a new file "<target>.<number>.tmp"; temporary has room for its name. */
static int open_temporary(const char *target, char *temporary, size_t size) {
    for (int i = 0; i < TRIES; i++) {
        snprintf(temporary, size, "%s.%ld-%d.tmp", target, (long)getpid(), i);
        int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

/* The new name is on the disk only when the directory is; where that cannot be had, the file is still whole. */
static void sync_directory(const char *target) {
    const char *slash = strrchr(target, '/');
    char *directory = slash ? strdup(target) : strdup(".");
    if (!directory) return;
    if (slash) directory[slash == target ? 1 : slash - target] = '\0';
    int file = open(directory, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(directory);
}

static zvStatus write_beside(zvBuilder *builder, const char *path, const char *target, const struct stat *old,
                             char *temporary, size_t size, zvError *error) {
    Output output = {path, open_temporary(target, temporary, size), 0};
    if (output.file < 0) return fail(path, errno, "created", error);
    if (old) (void)fchmod(output.file, old->st_mode & 07777);
    zvStatus status = fill(builder, &output, true, error);
    if (status >= 0 && rename(temporary, target) != 0) status = fail(path, errno, "replaced", error);
    if (status < 0) {
        unlink(temporary);
        return status;
    }
    sync_directory(target);
    return status;
}

static zvStatus replace(zvBuilder *builder, const char *path, const struct stat *old, zvError *error) {
    /* a link keeps pointing at the file that is replaced */
    char *real = old ? realpath(path, NULL) : NULL;
    const char *target = real ? real : path;
    size_t size = strlen(target) + 64;
    char *temporary = malloc(size);
    zvStatus status = temporary ? write_beside(builder, path, target, old, temporary, size, error)
                                : fail(path, ENOMEM, "created", error);
    free(temporary);
    free(real);
    return status;
}

zvStatus zv_write_native_file(zvBuilder *builder, const char *path, zvError *error) {
    struct stat old;
    if (stat(path, &old) != 0) return replace(builder, path, NULL, error);
    if (S_ISDIR(old.st_mode)) return fail(path, EISDIR, "written", error);
    if (!S_ISREG(old.st_mode)) return write_directly(builder, path, error);
    if (access(path, W_OK) != 0) return fail(path, errno, "written", error);
    return replace(builder, path, &old, error);
}
