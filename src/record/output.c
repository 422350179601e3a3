/* Outputs that are replaced in one step. The new file has a fixed name beside the old one and a lock: two runs do not
 * write into one another, and what a killed run left of it is removed. It is always made anew, and nothing is written
 * to or read from what others have put under its name. */
#define _XOPEN_SOURCE 700
#include "record/output.h"
#include "base/require.h"
#include "zveno/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 100, PATIENCE = 200 };

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
    case EEXIST:
        return "something that is no regular file of yours stands in the way: a link, a pipe, or what another user "
               "made; "
               "look at it, then remove it";
    case ENXIO: return "nobody reads this pipe; start its reader first, or name a file";
    case ENODEV: return "this is a disk or a socket; name a file";
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

int zi_descriptor_raise(int file) {
    enum { FIRST = 3 };
    if (file < 0 || file >= FIRST) return file;
    int higher = fcntl(file, F_DUPFD_CLOEXEC, FIRST), reason = errno;
    close(file);
    errno = reason;
    return higher;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Interrupted, poll begins anew with what is left. */
bool zi_descriptor_wait(int file, int patience) {
    const int64_t end = milliseconds() + patience;
    for (int64_t left = patience; left > 0; left = end - milliseconds()) {
        struct pollfd ask = {.fd = file, .events = POLLIN};
        const int ready = poll(&ask, 1, (int)left);
        if (ready != 0 && !(ready < 0 && errno == EINTR)) return true;
    }
    return false;
}

/* Closes a file that is of no use and says why. */
static int give_up(int file, int reason) {
    close(file);
    errno = reason;
    return -1;
}

/* Links, pipes and devices are not what a run of ours has left, nor are files of other users or with a second name. */
int zi_open_own(const char *path, int flags) {
    int file = zi_descriptor_raise(open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file < 0) {
        if (errno == ELOOP || errno == ENXIO) errno = EEXIST;
        return -1;
    }
    struct stat info;
    bool own = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink <= 1;
    return own ? file : give_up(file, EEXIST);
}

/* Locks an open file; where the file system knows no locks, goes on without. False with EWOULDBLOCK when another run
 * has it, and with ENOENT when the name is no longer that of the file. */
static bool locked(int file, const char *path) {
    const bool taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && still_there(file, path)) return true;
    errno = taken ? EWOULDBLOCK : ENOENT;
    return false;
}

int zi_open_locked(const char *path) {
    int file = zi_open_own(path, O_RDWR);
    if (file < 0 || locked(file, path)) return file;
    return give_up(file, errno);
}

/* What a killed run left has no lock any more: it is removed, and the new file made under the free name. */
int zi_create_locked(const char *path, unsigned mode) {
    for (int i = 0; i < TRIES; i++) {
        int file = zi_descriptor_raise(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode));
        if (file >= 0 && locked(file, path)) return file;
        const bool there = file < 0 && errno == EEXIST;
        if (file >= 0) give_up(file, errno);
        if (errno == ENOENT && file >= 0) continue; /* another run took it for one that was left */
        if (!there) return -1;
        const int left = zi_open_locked(path);
        if (left < 0 && errno == ENOENT) continue;
        if (left < 0) return -1;
        const int reason = unlink(path) == 0 ? 0 : errno;
        close(left);
        errno = reason;
        if (reason) return -1;
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

/* A link is followed when it is ours or of the owner of its directory: in a directory for all, such as /tmp, others may
 * have put it there to have a file of ours replaced. */
static bool is_trusted(const char *path) {
    struct stat link, directory;
    if (lstat(path, &link) != 0) return false;
    if (link.st_uid == geteuid()) return true;
    char *holder = follow(path, ".");
    const bool same = holder && stat(holder, &directory) == 0 && directory.st_uid == link.st_uid;
    free(holder);
    return same;
}

/* The file that a name means: what a link points at, there already or not yet. */
static char *find_target(const char *path) {
    enum { LINKS = 40 };
    char *at = zi_path_with(path, ""), to[PATH_MAX];
    int reason = ELOOP;
    for (int i = 0; at && i < LINKS; i++) {
        ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0) return at;
        to[length] = '\0';
        if (!is_trusted(at)) {
            reason = EEXIST;
            break;
        }
        char *next = follow(at, to);
        free(at);
        at = next;
    }
    if (!at) reason = ENOMEM;
    free(at);
    errno = reason;
    return NULL;
}

/* The folder that a new file would lie in is named as the user wrote it, not what would be made there first. */
static zvStatus check_folder(const char *path, const char *target, zvError *error) {
    struct stat state;
    const char *slash = strrchr(target, '/');
    const int length = !slash ? 0 : slash == target ? 1 : (int)(slash - target);
    char folder[4096];
    if (!slash || length >= (int)sizeof folder) return ZV_OK; /* creating it will tell */
    snprintf(folder, sizeof folder, "%.*s", length, target);
    const bool exists = stat(folder, &state) == 0;
    if ((exists && S_ISDIR(state.st_mode)) || (!exists && errno != ENOENT && errno != ENOTDIR)) return ZV_OK;
    return zv_fail(error, ZV_IO, (zvMark){path, 0, 0}, folder,
                   "expected the folder %s, found %s; make it or choose another path", folder,
                   exists ? "a file" : "that it does not exist");
}

/* Before anything is written: the target, its folder, and whether what stands there may be replaced. */
zvStatus zi_output_check(const char *path, zvError *error) {
    struct stat old;
    char *target = find_target(path);
    if (!target) return zi_output_fail(error, path, errno, "written");
    const bool exists = stat(path, &old) == 0;
    const zvStatus status = exists ? ZV_OK : check_folder(path, target, error);
    free(target);
    if (!exists) return status;
    if (S_ISDIR(old.st_mode)) return zi_output_fail(error, path, EISDIR, "written");
    if (S_ISBLK(old.st_mode) || S_ISSOCK(old.st_mode)) return zi_output_fail(error, path, ENODEV, "written");
    if (access(path, W_OK) != 0) return zi_output_fail(error, path, errno, "written");
    return ZV_OK;
}

/* Beside the target, so that moving it over is one step of the file system; nobody sees more of it than of the old one.
 */
static int open_partial(ziOutput *output, const struct stat *old) {
    output->target = find_target(output->path);
    if (!output->target) return -1;
    output->partial = zi_path_with(output->target, ".partial");
    if (!output->partial) {
        errno = ENOMEM;
        return -1;
    }
    const bool own = old && old->st_uid == geteuid();
    int file = zi_create_locked(output->partial, old ? old->st_mode & 0777 : 0666);
    if (file >= 0 && own) (void)fchmod(file, old->st_mode & 0777);
    return file;
}

/* A pipe or a device as it is; a pipe that nobody reads is not waited for. */
static int open_direct(const char *path) {
    int file = zi_descriptor_raise(open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file < 0) return -1;
    struct stat now;
    const int flags = fcntl(file, F_GETFL);
    if (flags < 0 || fcntl(file, F_SETFL, flags & ~O_NONBLOCK) != 0) return give_up(file, errno);
    if (fstat(file, &now) != 0 || S_ISREG(now.st_mode)) return give_up(file, EEXIST);
    return file;
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
    output->file = output->direct ? open_direct(path) : open_partial(output, exists ? &old : NULL);
    if (output->file >= 0) return ZV_OK;
    const int reason = output->reason = errno;
    status = zi_output_fail(error, reason == EEXIST && output->partial ? output->partial : path, reason, "created");
    free(output->target);
    free(output->partial);
    output->target = output->partial = NULL;
    return status;
}

/* On the disk before it takes the name; a failure leaves the old file. What stands under the name of the new file must
 * still be the new file. */
zvStatus zi_output_close(ziOutput *output, zvStatus status, zvError *error) {
    const bool ours = !output->direct && still_there(output->file, output->partial);
    if (status >= 0 && !output->direct && !ours) status = zi_output_fail(error, output->partial, EEXIST, "replaced");
    if (status >= 0 && !output->direct && fsync(output->file) != 0)
        status = zi_output_fail(error, output->path, errno, "written");
    if (status >= 0 && !output->direct && rename(output->partial, output->target) != 0)
        status = zi_output_fail(error, output->path, errno, "replaced");
    if (status < 0 && ours) unlink(output->partial);
    /* closed last: the lock must hold until the name is settled; on the disk it is already */
    if (close(output->file) != 0 && status >= 0 && output->direct)
        status = zi_output_fail(error, output->path, errno, "written");
    if (status >= 0 && !output->direct) sync_directory(output->target);
    free(output->target);
    free(output->partial);
    *output = (ziOutput){.file = -1};
    return status;
}

/* Files that are written at once are soon done with: another run that writes the same one is waited for. */
static zvStatus open_patiently(ziOutput *output, const char *path, zvError *error) {
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    zvStatus status = ZV_IO;
    for (int i = 0; i < PATIENCE; i++) {
        status = zi_output_open(output, path, error);
        if (status >= 0 || output->reason != EWOULDBLOCK) break;
        nanosleep(&pause, NULL);
    }
    return status;
}

zvStatus zv_output_write(const char *path, const void *bytes, size_t size, zvError *error) {
    ZI_REQUIRE(path && (bytes || size == 0));
    ziOutput output;
    zvStatus status = open_patiently(&output, path, error);
    if (status < 0) return status;
    if (zi_write_all(output.file, bytes, size, -1) < size) status = zi_output_fail(error, path, errno, "written");
    return zi_output_close(&output, status, error);
}
