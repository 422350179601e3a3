/* Outputs that are replaced in one step. The new file has a fixed name beside the old one and a lock: what a killed
 * run left of it is used again, and two runs do not write into one another. */
#define _XOPEN_SOURCE 700
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

/* What the user can do about the reason. */
static const char *advice(int reason) {
    if (reason == EWOULDBLOCK) return "another run is writing it; wait for its end or choose another output";
    switch (reason) {
    case ENOSPC:
    case EDQUOT: return "the disk is full; free some space or choose another disk, then try again";
    case EFBIG: return "it would be larger than files may be here; raise the limit (ulimit -f) or record less";
    case EACCES:
    case EPERM: return "no permission; change the mode of the file and its directory or choose another path";
    case EROFS: return "the disk is read-only; choose another path";
    case ENOENT:
    case ENOTDIR: return "no such file or directory; check the path";
    case EISDIR: return "this is a directory; name a file in it";
    case EEXIST: return "something that is no regular file stands in the way; remove it";
    default: return NULL;
    }
}

zvStatus zi_output_fail(zvError *error, const char *path, int reason, const char *what) {
    zvMark mark = {path, 0, 0};
    if (reason == ENOMEM) return zv_fail(error, ZV_MEMORY, mark, path, "out of memory; the file was not %s", what);
    const char *known = advice(reason);
    if (known) return zv_fail(error, ZV_IO, mark, path, "the file could not be %s: %s", what, known);
    char text[128] = "";
    if (strerror_r(reason, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", reason);
    return zv_fail(error, ZV_IO, mark, path, "the file could not be %s: %s; check the path and the disk", what, text);
}

char *zi_path_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending) + 1;
    char *joined = malloc(length + tail);
    if (!joined) return NULL;
    memcpy(joined, path, length);
    memcpy(joined + length, ending, tail);
    return joined;
}

/* Between opening and locking another run may have moved the file or removed it. */
static bool still_there(int file, const char *path) {
    struct stat opened, named;
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Moves a descriptor above those of the standard streams, which a program may have closed and still writes to; -1 stays
 * -1. */
static int descriptor_raise(int file) {
    enum { FIRST = 3 };
    if (file < 0 || file >= FIRST) return file;
    int higher = fcntl(file, F_DUPFD_CLOEXEC, FIRST), reason = errno;
    close(file);
    errno = reason;
    return higher;
}

/* Refuses links, pipes and devices: only a plain file can be replaced. */
static int open_regular(const char *path, int flags) {
    int file = descriptor_raise(open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0666));
    if (file < 0) {
        if (errno == ELOOP || errno == ENXIO) errno = EEXIST;
        return -1;
    }
    struct stat info;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) return file;
    close(file);
    errno = EEXIST;
    return -1;
}

/* The file may have been moved away between opening and locking: then again. */
int zi_open_locked(const char *path, int flags) {
    for (int i = 0; i < TRIES; i++) {
        int file = open_regular(path, flags);
        if (file < 0) return -1;
        /* where the file system knows no locks, go on without */
        bool taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!taken && still_there(file, path)) return file;
        close(file);
        if (taken) break;
    }
    errno = EWOULDBLOCK;
    return -1;
}

/* Goes on after interruptions and partial writes; returns what was written. */
size_t zi_write_all(int file, const void *bytes, size_t size, int64_t offset) {
    const char *from = bytes;
    size_t done = 0;
    while (done < size) {
        ssize_t count = offset < 0 ? write(file, from + done, size - done)
                                   : pwrite(file, from + done, size - done, (off_t)(offset + (int64_t)done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) break;
        if (count == 0) {
            errno = ENOSPC;
            break;
        }
        done += (size_t)count;
    }
    return done;
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

zvStatus zi_output_check(const char *path, zvError *error) {
    struct stat old;
    if (stat(path, &old) != 0) return ZV_OK; /* the spool beside it will tell whether there is a directory */
    if (S_ISDIR(old.st_mode)) return zi_output_fail(error, path, EISDIR, "written");
    if (access(path, W_OK) != 0) return zi_output_fail(error, path, errno, "written");
    return ZV_OK;
}

/* Where a link points, seen from where the link stands; to be freed, NULL when out of memory. */
static char *follow(const char *path, const char *to) {
    const char *slash = strrchr(path, '/');
    if (to[0] == '/' || !slash) return zi_path_with(to, "");
    char *directory = zi_path_with(path, "");
    if (!directory) return NULL;
    directory[slash - path + 1] = '\0';
    char *joined = zi_path_with(directory, to);
    free(directory);
    return joined;
}

/* The file that a name means: a link that points at nothing yet means what it points at. */
static char *find_target(const char *path, bool exists) {
    enum { LINKS = 40 };
    if (exists) return realpath(path, NULL);
    char *at = zi_path_with(path, ""), to[PATH_MAX];
    for (int i = 0; at && i < LINKS; i++) {
        ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0) return at;
        to[length] = '\0';
        char *next = follow(at, to);
        free(at);
        at = next;
    }
    const int reason = at ? ELOOP : ENOMEM;
    free(at);
    errno = reason;
    return NULL;
}

/* Beside the target, so that moving it over is one step of the file system. */
static int open_partial(ziOutput *output, const struct stat *old) {
    output->target = find_target(output->path, old != NULL);
    if (!output->target) return -1;
    output->partial = zi_path_with(output->target, ".partial");
    if (!output->partial) {
        errno = ENOMEM;
        return -1;
    }
    int file = zi_open_locked(output->partial, O_CREAT);
    if (file < 0) return -1;
    if (old) (void)fchmod(file, old->st_mode & 07777);
    if (ftruncate(file, 0) == 0) return file;
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

/* Devices and pipes are written directly, everything else beside. */
zvStatus zi_output_open(ziOutput *output, const char *path, zvError *error) {
    *output = (ziOutput){.path = path, .file = -1};
    zvStatus status = zi_output_check(path, error);
    if (status < 0) return status;
    struct stat old;
    bool exists = stat(path, &old) == 0;
    output->direct = exists && !S_ISREG(old.st_mode);
    errno = ENOMEM;
    output->file = output->direct ? descriptor_raise(open(path, O_WRONLY | O_CLOEXEC))
                                  : open_partial(output, exists ? &old : NULL);
    if (output->file >= 0) return ZV_OK;
    status = zi_output_fail(error, path, errno, "created");
    free(output->target);
    free(output->partial);
    return status;
}

/* On the disk before it takes the name; a failure leaves the old file. */
zvStatus zi_output_close(ziOutput *output, zvStatus status, zvError *error) {
    if (status >= 0 && !output->direct && fsync(output->file) != 0)
        status = zi_output_fail(error, output->path, errno, "written");
    if (status >= 0 && !output->direct && rename(output->partial, output->target) != 0)
        status = zi_output_fail(error, output->path, errno, "replaced");
    if (status < 0 && !output->direct) unlink(output->partial);
    /* closed last: the lock must hold until the name is settled; on the disk it is already */
    if (close(output->file) != 0 && status >= 0 && output->direct)
        status = zi_output_fail(error, output->path, errno, "written");
    if (status >= 0 && !output->direct) sync_directory(output->target);
    free(output->target);
    free(output->partial);
    *output = (ziOutput){.file = -1};
    return status;
}
