/* Writes a page so that a half-written one never replaces a good one: a new file beside the old one, on the disk before
 * it takes the old one's name. What is not a regular file (a pipe, a device) is written to directly. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page.h"

static zvStatus fail(const char *path, int reason, zvError *error) {
    const zvMark mark = {.file = path};
    return zv_fail(error, ZV_IO, mark, "",
                   "the page cannot be written: %s; check the path, its permissions and the disk",
                   reason ? strerror(reason) : "unknown reason");
}

/* Writes all and closes; the reason why not, or 0. */
static int fill(int file, const Text *page, bool durable) {
    int reason = 0;
    for (size_t done = 0; done < page->size && !reason;) {
        const ssize_t part = write(file, page->bytes + done, page->size - done);
        if (part >= 0)
            done += (size_t)part;
        else if (errno != EINTR)
            reason = errno;
    }
    if (!reason && durable && fsync(file)) reason = errno;
    if (close(file) && !reason) reason = errno;
    return reason;
}

/* A new file beside the target, which is moved over it when complete. */
static int replace(const char *target, const struct stat *old, const Text *page) {
    Text part = {0};
    text_printf(&part, "%s.%ld.part", target, (long)getpid());
    int reason = part.failed ? ENOMEM : 0;
    const int file = reason ? -1 : open(part.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        reason = reason ? reason : errno;
    } else {
        if (old) (void)fchmod(file, old->st_mode & 07777);
        reason = fill(file, page, true);
        if (!reason && rename(part.bytes, target)) reason = errno;
        if (reason) unlink(part.bytes);
    }
    text_free(&part);
    return reason;
}

zvStatus page_write(const Text *page, const char *path, zvError *error) {
    struct stat old;
    int reason;
    if (stat(path, &old)) {
        reason = replace(path, NULL, page);
    } else if (S_ISDIR(old.st_mode)) {
        reason = EISDIR;
    } else if (!S_ISREG(old.st_mode)) {
        const int file = open(path, O_WRONLY | O_CLOEXEC);
        reason = file < 0 ? errno : fill(file, page, false);
    } else if (access(path, W_OK)) {
        reason = errno;
    } else {
        char *real = realpath(path, NULL); /* a link keeps pointing at the file that is replaced */
        reason = replace(real ? real : path, &old, page);
        free(real);
    }
    return reason ? fail(path, reason, error) : ZV_OK;
}
